"""The evaluation of Breakthrough: pawns, the more worth the farther they have come."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ...bits import popcount
from ...knowledge import Knowledge
from .position import BLACK, WHITE, Pawns

if TYPE_CHECKING:
    from .rules import Breakthrough

WIDEST = 0.99
"""Evaluations stay inside this, whatever the weights."""


def weighed(game: Breakthrough, weights: Any, state: Pawns, player: int) -> float:
    """Pawns and the squares of their steps, the player's less the other's."""
    if game.is_terminal(state):
        return game.utility(state, player)
    value = weights[0] * (popcount(state.white) - popcount(state.black))
    value += weights[1] * (game.advance(state.white, WHITE) - game.advance(state.black, BLACK))
    value = min(max(value, -WIDEST), WIDEST)
    return float(value if player == WHITE else -value)


class BreakthroughKnowledge(Knowledge):
    """In wins, what a pawn is worth and the square of its steps; `weights` is data."""

    name = "advance"
    feature_names = ("pawns", "advance squared")
    game: Breakthrough

    def __init__(self, game: Breakthrough, weights: Sequence[float] | None = None) -> None:
        self.game = game
        self.weights = np.array(game.worth if weights is None else weights, np.float64)

    def evaluate(self, state: Pawns, player: int) -> float:
        """The weighted difference; the utility where the game is over."""
        return weighed(self.game, self.weights, state, player)

    def features(self, state: Pawns, player: int) -> tuple[float, ...]:
        """Pawns, and how far they have come, squared."""
        pawns = state.white if player == WHITE else state.black
        return popcount(pawns), self.game.advance(pawns, player)
