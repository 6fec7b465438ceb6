"""A recorded game, played over: every position with who moved, what it was called and how long it took."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ..errors import BadInput, PlywrightError
from ..game import CHANCE, Game
from ..games import load_game
from .game_record import GameRecord, Ply
from .records import Records


@dataclass(frozen=True)
class Step:
    """One position of a game and the action that led to it; the first has none."""

    number: int
    state: Any
    action: int | None = None
    seat: int | None = None
    """Who acted: a seat, or -1 for chance."""
    text: str = ""
    seconds: float = 0.0
    info: dict[str, Any] | None = None
    given: bool = False
    """Whether the action belongs to the opening, and was nobody's choice."""


def recorded_game(records: Records) -> tuple[Game, str]:
    """The game of a run, and a warning if its rules are no longer those it was played by."""
    game = load_game(records.plan.game)
    if game.fingerprint == records.plan.rules:
        return game, ""
    return game, f"the rules of {records.plan.game}, or Plywright's own, have changed since this run was played"


def steps(game: Game, record: GameRecord) -> Iterator[Step]:
    """The positions of a game from its start; raises BadInput where the rules no longer allow a move."""
    first, opening = beginning(game, record)
    state = first
    yield Step(0, state)
    plies: list[tuple[int, Ply | None]] = [(action, None) for action in opening]
    plies += [(ply.action, ply) for ply in record.plies]
    for number, (action, ply) in enumerate(plies, 1):
        seat = int(game.to_move(state))
        if seat != CHANCE and (game.is_terminal(state) or action not in [int(a) for a in game.actions(state)]):
            raise BadInput(f"ply {number} of this game is not legal in {game.name} as its rules are today")
        name = action_text(game, state, action)
        state = game.coerce_state(game.result(state, action))
        seconds, info = (0.0, None) if ply is None else (ply.seconds, ply.info)
        yield Step(number, state, action, seat, name, seconds, info, given=ply is None)


def beginning(game: Game, record: GameRecord) -> tuple[Any, tuple[int, ...]]:
    """Where a game began: the initial state and the moves of its opening, or a position and none."""
    state = game.start_state
    try:
        for action in record.opening:
            state = game.coerce_state(game.result(state, action))
        if not record.start or game.format_state(state) == record.start:
            return game.start_state, record.opening
    except PlywrightError:
        pass
    return game.read_state(record.start), ()


def action_text(game: Game, state: Any, action: int) -> str:
    """What an action is called; an outcome of chance that a game has no word for is its number."""
    if int(game.to_move(state)) != CHANCE:
        return game.format_action(state, action)
    try:
        return game.format_action(state, action)
    except Exception:
        return str(action)
