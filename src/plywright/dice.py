"""Chance at work: things drawn by their probabilities, the same for the same random word."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeVar

from .errors import GameError
from .game import Game
from .rng import uniform

Thing = TypeVar("Thing")


def draw(rng: Any, parts: Iterable[tuple[Thing, float]]) -> Thing:
    """One of several things by its probability; raises ValueError where there are none."""
    point, some = uniform(rng), False
    for thing, probability in parts:
        some = True
        point -= probability
        if point < 0:
            return thing
    if not some:
        raise ValueError("there is nothing to draw from")
    return thing  # the probabilities sum to a little less than 1, by their rounding


def roll(game: Game, state: Any, rng: Any) -> int:
    """An outcome of a chance state: by the probabilities of chance(), or drawn by sample()."""
    if not game.lists_chance:
        return int(game.sample(state, rng))
    try:
        return int(draw(rng, game.chance(state)))
    except ValueError:
        if any(True for _ in game.chance(state)):
            raise
        raise GameError(f"{game.name}: chance() yields no outcomes at a chance state") from None
