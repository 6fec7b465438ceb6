"""Draws an outcome of chance as a game's rules say; the same random word gives the same outcome."""

from __future__ import annotations

from typing import Any

from .errors import GameError
from .game import Game
from .rng import draw64

_ALL = 1 << 64


def roll(game: Game, state: Any, rng: Any) -> int:
    """An outcome of a chance state: by the probabilities of chance(), or drawn by sample()."""
    if not game.lists_chance:
        return int(game.sample(state, rng))
    point, passed, last = draw64(rng) / _ALL, 0.0, None
    for outcome, probability in game.chance(state):
        passed += probability
        last = int(outcome)
        if point < passed:
            return last
    if last is None:
        raise GameError(f"{game.name}: chance() yields no outcomes at a chance state")
    return last  # the sum fell short of 1 by its rounding
