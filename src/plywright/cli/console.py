"""What every command shares: reading a position, spinners, JSON out."""

from __future__ import annotations

import contextlib
import json as jsonlib
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from rich.console import Console
from rich.markup import escape

from ..compiled import settings
from ..errors import BadInput
from ..game import Game
from ..games import load_game
from ..outcome_text import count_text as count_text
from ..outcome_text import value_text as value_text
from ..outcome_text import worth_text as worth_text
from ..smoke_test import smoke_test

out = Console(highlight=False, soft_wrap=True, emoji=False)
notes = Console(stderr=True, highlight=False, soft_wrap=True, emoji=False)

QUIET_SECONDS = 60.0
"""Between two lines of progress where standard error is no terminal."""


@contextlib.contextmanager
def busy(text: str, first: float | None = None) -> Iterator[Callable[[str], None]]:
    """A spinner on a terminal, elsewhere a line on standard error once a minute; yields what changes the text.

    `first`: the seconds before the first of these lines, where something better than a minute is known.
    """
    if notes.is_terminal:
        with notes.status(escape(text)) as status:
            yield lambda text: status.update(escape(text))
        return
    told = time.monotonic() - (0.0 if first is None else QUIET_SECONDS - first)

    def say(text: str) -> None:
        nonlocal told
        if time.monotonic() - told >= QUIET_SECONDS:
            told = time.monotonic()
            print(text, file=sys.stderr, flush=True)

    yield say


def announce_compilations() -> None:
    """Say when a game is compiled, since it takes seconds and happens once; in a log, one line for each."""
    told = set()

    @contextlib.contextmanager
    def announce(name: str) -> Iterator[None]:
        text = f"compiling {name}, first run only"
        if not notes.is_terminal and text not in told:
            told.add(text)  # several searches of one game are compiled one by one
            print(text, file=sys.stderr, flush=True)
        with busy(text):
            yield

    settings.announce = announce


def print_json(value: Any) -> None:
    print(jsonlib.dumps(value, ensure_ascii=False, allow_nan=False))


def position(name: str, state: str | None, moves: str | None, roll: str | None = None) -> tuple[Game, Any]:
    """The game and the position that --state, --moves and --roll ask for."""
    game = load_game(name)
    return game, place(game, state, moves, roll)


def place(game: Game, state: str | None, moves: str | None, roll: str | None = None) -> Any:
    """The state that --state, --moves and then --roll ask for; moves may contain outcomes of chance too."""
    return states_so_far(game, state, moves, roll)[-1]


def states_so_far(game: Game, state: str | None, moves: str | None, roll: str | None = None) -> list[Any]:
    """The states from that of --state through --moves and --roll: the last one is the present."""
    smoke_test(game)  # so that a fault of the rules is named, whichever command meets it first
    start = game.start_state if state is None else game.read_state(state)
    count = len(game.split_records(moves)) if moves else 0
    if count > 1:
        raise BadInput(f"--moves has {count} games: give one of them")
    record = game.parse_record(moves) if moves else None
    if record is not None and state is not None:
        raise BadInput("--moves is a whole game, which has the state it begins from: leave out --state")
    states = states_of(game, *record) if record else game.states_along(start, moves) if moves else [start]
    if roll is None:
        return states
    there = states[-1]
    if not game.at_chance(there):
        raise BadInput(f"--roll {roll}: nothing is rolled in this position of {game.name}: {mover_text(game, there)}")
    try:
        return [*states, game.state_after(there, game.parse_action(there, roll))]
    except BadInput as error:
        raise BadInput(f"--roll: {error}") from None


def states_of(game: Game, start: Any, actions: Sequence[int]) -> list[Any]:
    """The states through which actions lead, from the start to the last."""
    states = [start]
    for action in actions:
        states.append(game.state_after(states[-1], action))
    return states


def mover_text(game: Game, state: Any) -> str:
    """'White to move', 'chance decides', 'the game is over'."""
    if game.is_terminal(state):
        return "the game is over"
    return "chance decides" if game.at_chance(state) else f"{game.player_name(int(game.to_move(state)))} to move"


def choose(text: str, choices: dict[str, Any], what: str) -> Any:
    if text not in choices:
        raise BadInput(f"unknown {what} {text!r}; there are {', '.join(choices)}")
    return choices[text]
