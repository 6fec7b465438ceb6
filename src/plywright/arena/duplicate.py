"""Duplicate matches of bridge: two teams, two tables, the same deals; the difference of each board in IMPs."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from ..errors import BadInput
from ..games.bridge.auction import contract_of
from ..games.bridge.boards import VULNERABLE, Board
from ..games.bridge.notation import Bridge
from ..games.bridge.rules import HIGHEST
from ..games.bridge.scoring import imps
from ..games.bridge.trick import lane, lanes
from ..players.clock import Mode
from .game_record import NORMAL, GameRecord
from .lineup import make_player
from .referee import play_game

UNTIMED = Mode.parse("nodes:1")


@dataclass(frozen=True)
class BoardResult:
    """A board at both tables: North and South are the first team at the first, the second team at the second."""

    number: int
    scores: tuple[int, int]
    """For North and South."""
    imps: int
    """For the first team."""
    boards: tuple[Board, Board]
    words: tuple[str, str]


@dataclass(frozen=True)
class DuplicateResult:
    """A match: its boards, and the first team's IMPs per board with a 95 % interval."""

    teams: tuple[str, str]
    seed: int
    boards: tuple[BoardResult, ...]

    @property
    def total(self) -> int:
        return sum(board.imps for board in self.boards)

    @property
    def mean(self) -> float:
        return self.total / len(self.boards)

    @property
    def interval(self) -> tuple[float, float]:
        """95 %, by the spread of the boards."""
        count = len(self.boards)
        if count < 2:
            return -math.inf, math.inf
        spread = sum((board.imps - self.mean) ** 2 for board in self.boards) / (count - 1)
        half = 1.96 * math.sqrt(spread / count) * (1 + 2 / count)
        return self.mean - half, self.mean + half


def duplicate_match(
    one: str, two: str, *, boards: int = 16, seed: int = 1, tell: Callable[[BoardResult], None] | None = None
) -> DuplicateResult:
    """Play boards 1 to `boards` at two tables; the seed decides the deals, and players see nothing of it."""
    if not 1 <= boards <= 10_000:
        raise BadInput(f"boards is a number from 1 to 10000, not {boards}")
    results = []
    for number in range(1, boards + 1):
        game = board_game(number)
        tables = [_table(game, one, two, seed, number), _table(game, two, one, seed, number)]
        for record, _ in tables:
            if record.payoffs is None:
                raise BadInput(f"board {number} could not be played: {record.note or record.termination}")
        scores = [_score(record) for record, _ in tables]
        made = BoardResult(
            number,
            (scores[0], scores[1]),
            imps(scores[0] - scores[1]),
            (tables[0][1], tables[1][1]),
            (_words(*tables[0], scores[0]), _words(*tables[1], scores[1])),
        )
        results.append(made)
        if tell is not None:
            tell(made)
    return DuplicateResult((one, two), seed, tuple(results))


def board_game(number: int) -> Bridge:
    """The rules of a board: dealer and vulnerability go round as on printed boards."""
    turn = number - 1
    return Bridge("NESW"[turn % 4], VULNERABLE[(turn + turn // 4) % 4])


def _table(game: Bridge, north_south: str, east_west: str, seed: int, number: int) -> tuple[GameRecord, Board]:
    players = [make_player(text, game) for text in (north_south, east_west, north_south, east_west)]
    record = play_game(game, players, mode=UNTIMED, seed=seed * 1_000_003 + number)
    state, hands = game.start_state, game.no_hands
    for ply in record.plies:
        state = game.state_after(state, ply.action)
        hands = state.hands if not state.passes and not state.last else hands
    calls = game.calls_of(state)
    actions = [int(ply.action) for ply in record.plies]
    cards = [lane(card) for card in actions[game.cards + len(calls) :]]
    whole = tuple(lanes(int(hand)) for hand in hands)
    names = (north_south, east_west, north_south, east_west)
    return record, Board(whole, game.dealer, game.vulnerable, str(number), calls, tuple(cards), names)  # type: ignore[arg-type]


def _score(record: GameRecord) -> int:
    """For North and South; whose side commits an offence, such as a revoke, loses the most that there is."""
    if record.offender is not None:
        return -HIGHEST if record.offender % 2 == 0 else HIGHEST
    return int((record.payoffs or (0,))[0])


def _words(record: GameRecord, board: Board, score: int) -> str:
    """How a table ended."""
    if record.termination != NORMAL:
        return f"{record.note}, {score:+d}"
    contract = contract_of(board.calls, board.dealer)
    return f"{contract.words}, {score:+d}" if contract.level else "passed out"
