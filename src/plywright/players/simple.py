"""Players without a plan: uniform chance, and the first legal action."""

from __future__ import annotations

from ..game import Game
from ..rng import below
from .player import Player
from .turn import Turn


class RandomPlayer(Player):
    """Every legal action with the same probability, from the referee's seed."""

    name = "random"

    def choose(self, game: Game, turn: Turn) -> int:
        return turn.legal[below(turn.rng, len(turn.legal))]


class FirstPlayer(Player):
    """The first action in the order of the rules."""

    name = "first"

    def choose(self, game: Game, turn: Turn) -> int:
        return turn.legal[0]
