"""A turn: everything a player is given when it is to move."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..engine.hidden.past import Moment
from .clock import Clock


@dataclass(frozen=True)
class Turn:
    """One decision of one seat, made by whoever conducts the game: see `Playing.turn`."""

    view: Any
    """What the seat sees: its observation, which in a game without hidden information is the state itself."""
    seat: int
    legal: tuple[int, ...]
    """The legal actions. They are part of the turn because a view with hidden parts, or a state without its past where
    repetition is forbidden, does not determine them."""
    history: tuple[Any, ...]
    """The states of the game before the present one where repetition matters, else none."""
    clock: Clock
    rng: Any
    """A plywright.rng state of this player's own."""
    past: tuple[Moment, ...] | None = None
    """What the seat saw and did in this game, in order, where something is hidden; None where nobody has kept it."""
