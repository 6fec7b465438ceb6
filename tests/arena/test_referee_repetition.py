"""Rules of repetition at the referee's table: the past of the game, for the judge, the players and the openings."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from plywright import BadInput, Game
from plywright.arena.referee import play_game
from plywright.arena.schedules.openings import openings
from plywright.compiled import interpreted
from plywright.players import Mode, Player, Turn
from plywright.players.offence import ILLEGAL, NORMAL, REPETITION
from plywright.players.searching import SearchPlayer
from plywright.players.simple import FirstPlayer, RandomPlayer
from plywright.programs import json_lines, uci

FREE = Mode.parse("depth:2")


class Token(NamedTuple):
    place: int
    turn: int


class Ring(Game):
    """One token on a ring of six: each player in turn moves it one place back (0), or on (1). Place 5 wins for Left."""

    repetition = ("draw", 3)
    player_names = ("Left", "Right")

    def initial(self) -> Token:
        return Token(0, 0)

    def to_move(self, state: Token) -> int:
        return state.turn

    def actions(self, state: Token) -> Iterator[int]:
        if state.place > 0:
            yield 0
        yield 1

    def result(self, state: Token, action: int) -> Token:
        return Token(state.place + 2 * action - 1, 1 - state.turn)

    def is_terminal(self, state: Token) -> bool:
        return state.place == 5

    def utility(self, state: Token, player: int) -> int:
        return 1 - 2 * player


class NoWayBack(Ring):
    repetition = ("forbidden", 2)


class Watcher(FirstPlayer):
    """Notes what it is told of the past, and always goes back where it can."""

    def __init__(self) -> None:
        self.info = {}
        self.pasts: list[tuple[Any, ...]] = []
        self.offered: list[tuple[int, ...]] = []

    def choose(self, game: Game, turn: Turn) -> int:
        self.pasts.append(turn.history)
        self.offered.append(turn.legal)
        return super().choose(game, turn)


def test_a_state_that_occurs_too_often_is_a_draw() -> None:
    watcher = Watcher()
    record = play_game(Ring(), [watcher, FirstPlayer()], mode=FREE)
    # 0 1 0 1 0: the start occurs for the third time after four plies
    assert [ply.action for ply in record.plies] == [1, 0, 1, 0]
    assert (record.termination, record.payoffs, record.offender) == (REPETITION, (0.0, 0.0), None)
    assert watcher.pasts == [(), (Token(0, 0), Token(1, 1))]


def test_an_opening_is_part_of_the_past() -> None:
    record = play_game(Ring(), [FirstPlayer(), FirstPlayer()], mode=FREE, opening=[1, 0])
    assert [ply.action for ply in record.plies] == [1, 0] and record.termination == REPETITION
    with pytest.raises(BadInput, match="move 5 of the opening"):
        play_game(Ring(), [FirstPlayer(), FirstPlayer()], mode=FREE, opening=[1, 0, 1, 0, 1])


def test_what_is_forbidden_is_not_legal() -> None:
    watcher = Watcher()
    record = play_game(NoWayBack(), [FirstPlayer(), watcher], mode=FREE)
    assert [ply.action for ply in record.plies] == [1, 1, 1, 1, 1] and record.termination == NORMAL
    assert watcher.offered == [(1,), (1,)]

    class Stubborn(Player):
        name = "stubborn"

        def choose(self, game: Game, turn: Turn) -> int:
            return 0

    record = play_game(NoWayBack(), [FirstPlayer(), Stubborn()], mode=FREE)
    assert (record.termination, record.offender, record.payoffs) == (ILLEGAL, 1, (1.0, -1.0))


@pytest.mark.parametrize("algorithm", ["pvs", "alphabeta", "mcts"])
def test_searches_play_by_the_past(algorithm: str) -> None:
    given = {"simulations": 30} if algorithm == "mcts" else {"depth": 2}
    players = [SearchPlayer(algorithm, **given), SearchPlayer(algorithm, **given)]
    with interpreted():
        record = play_game(NoWayBack(), players, mode=FREE)
    assert record.termination == NORMAL, record.note


def test_openings_know_the_past(tmp_path: Path) -> None:
    found = openings(Ring(), "random:4", 6, 1)
    assert found and all(len(opening.actions) == 4 for opening in found)
    assert all(opening.actions != (1, 0, 1, 0) for opening in openings(Ring(), "random:4", 20, 3))
    path = tmp_path / "lines"
    path.write_text("1 0 1 0\n")
    with pytest.raises(BadInput, match="line 1: the game is over"):
        openings(Ring(), str(path), 1, 1)
    path.write_text("1 1 0\n")
    with pytest.raises(BadInput, match="line 1: move 3: '0' cannot be played: repetition"):
        openings(NoWayBack(), str(path), 1, 1)


def test_our_program_is_told_the_past_and_keeps_to_it() -> None:
    game, said = NoWayBack(), list[str]()
    uci.serve(game, RandomPlayer(), ["position startpos moves 1 1", "go depth 1"], said.append)
    assert said[-1] == "bestmove 1"
    state, before = game.format_state(Token(1, 1)), game.format_state(Token(0, 0))
    go = f'{{"type": "go", "id": 3, "seat": 1, "state": "{state}", "history": ["{before}"]}}'
    said.clear()
    json_lines.serve(game, FirstPlayer(), [go], said.append)
    assert said == ['{"type": "move", "id": 3, "move": "1"}']
