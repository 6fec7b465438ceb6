"""What a `position` line of UCI says: the states of a game, by looser rules where it goes on after its end."""

from __future__ import annotations

import contextlib
from typing import Any

from ..errors import BadInput, PlywrightError, shown
from ..game import Game
from ..games import load_game

LONGEST_MOVE = 1000


def read_position(game: Game, text: str) -> list[Any]:
    """The states of a position, by looser rules where the game goes on after its end."""
    try:
        return states_of(game, text)
    except PlywrightError as error:
        for rules in map(load_game, game.looser_rules()):
            with contextlib.suppress(PlywrightError):
                return states_of(rules, text)
        raise error


def states_of(game: Game, text: str) -> list[Any]:
    """The states of `startpos|fen STATE [moves ...]`, the present one last; raises BadInput where there is none."""
    place, moves = parts_of(text)
    kind, _, written = place.partition(" ")
    if kind == "startpos":
        state = game.start_state
    elif kind == "fen":
        state = game.read_state(written)
    else:
        raise BadInput(f"position {shown(text)} should begin with startpos or fen")
    return played_on(game, [state], moves)


def parts_of(text: str) -> tuple[str, list[str]]:
    """Where a game begins, with one space between words, and its moves."""
    words = text.split()
    place = words.index("moves") if "moves" in words else len(words)
    return " ".join(words[:place]), words[place + 1 :]


def played_on(game: Game, states: list[Any], moves: list[str]) -> list[Any]:
    """The states of a game so far, and those after more moves."""
    states = list(states)
    for word in moves:
        states.append(game.state_after(states[-1], read_move(game, states[-1], word)))
    return states


def read_move(game: Game, state: Any, word: str) -> int:
    """A move as a game's own text; one that is far too long is not even looked at."""
    if len(word) > LONGEST_MOVE:
        raise BadInput(f"{shown(word)} is no move of {game.name}")
    return game.parse_action(state, word)
