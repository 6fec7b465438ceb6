"""A recorded game, played over: every position with who moved, what it was called and how long it took."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ...errors import BadInput, PlywrightError
from ...game import CHANCE, Game
from ...game.parameters import parameters_of
from ...games import load_game
from ...games.registry import is_path
from ..game_record import GameRecord, Ply
from .run_file import Records


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


def recorded_game(records: Records, given: str | None = None) -> tuple[Game, str]:
    """The game of a run, and a warning if its rules are no longer those it was played by.

    A record may come from anybody, so the file of a game is opened only where the user names it.
    """
    name = records.plan.game
    if given is None and is_path(name):
        raise BadInput(
            f"this run is of a game in a file, {name!r}, and a record may come from anybody: name the file yourself, "
            "--game PATH"
        )
    game = game_meant(name, given)
    if game.players != records.plan.seats:
        raise BadInput(f"this run is of a game for {records.plan.seats}, and {given or name} is one for {game.players}")
    if game.fingerprint == records.plan.rules:
        return game, ""
    return game, f"the rules of {records.plan.game}, or Plywright's own, have changed since this run was played"


def game_meant(name: str, given: str | None) -> Game:
    """The game that a record names, or the one that the user gives; raises BadInput where the two are known to differ.

    What a file holds is known to nobody before it is opened, and what the user gives of it is believed.
    """
    if given is None:
        return load_game(name)
    game = load_game(given)
    if is_path(name) or is_path(given):
        return game
    try:
        own = load_game(name)
    except PlywrightError:  # a record may name anything
        return game
    if type(own) is not type(game) or parameters_of(own) != parameters_of(game):
        raise BadInput(f"this is a game of {own.name}, not of {game.name}: leave out --game {given}")
    return game


def steps(game: Game, record: GameRecord) -> Iterator[Step]:
    """The positions of a game from its start; raises BadInput where the rules no longer allow a move."""
    first, opening = beginning(game, record)
    state = first
    yield Step(0, state)
    plies: list[tuple[int, Ply | None]] = [(action, None) for action in opening]
    plies += [(ply.action, ply) for ply in record.plies]
    for number, (action, ply) in enumerate(plies, 1):
        try:
            seat = int(game.to_move(state))
            if not _is_legal(game, state, action) or (ply is not None and ply.seat != seat):
                raise BadInput(f"ply {number} of this game is not legal in {game.name} as its rules are today")
            name = action_text(game, state, action)
            state = game.state_after(state, action)
            if seat == CHANCE and not game.lists_chance:  # nobody can say what may be drawn, but what may come of it
                state = game.vouched(state)
        except PlywrightError:
            raise
        except Exception as error:
            raise BadInput(f"ply {number} of this game cannot be played: {type(error).__name__}: {error}") from None
        seconds, info = (0.0, None) if ply is None else (ply.seconds, ply.info)
        yield Step(number, state, action, seat, name, seconds, info, given=ply is None)


def _is_legal(game: Game, state: Any, action: int) -> bool:
    """Whether the rules allow an action, or an outcome of chance, as far as they list them."""
    if game.is_terminal(state):
        return False
    if int(game.to_move(state)) != CHANCE:
        return action in [int(legal) for legal in game.actions(state)]
    if not game.lists_chance:
        return True
    return any(int(outcome) == action and probability > 0 for outcome, probability in game.chance(state))


def beginning(game: Game, record: GameRecord) -> tuple[Any, tuple[int, ...]]:
    """Where a game began: the initial state and the moves of its opening, or a position and none."""
    try:
        state = _after(game, record.opening)
        if not record.start or game.format_state(state) == record.start:
            return game.start_state, record.opening
    except Exception:  # whatever a damaged record leads to
        pass
    return game.read_state(record.start), ()


def _after(game: Game, actions: tuple[int, ...]) -> Any:
    """The state after some actions; raises BadInput where the rules do not allow one."""
    state = game.start_state
    for action in actions:
        if not _is_legal(game, state, action):
            raise BadInput(f"{action} is no action there")
        state = game.state_after(state, action)
    return state


def action_text(game: Game, state: Any, action: int) -> str:
    """What an action is called; an outcome of chance that a game has no word for is its number."""
    if int(game.to_move(state)) != CHANCE:
        return game.format_action(state, action)
    try:
        return game.format_action(state, action)
    except Exception:
        return str(action)
