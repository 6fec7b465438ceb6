"""Players without a plan: uniform chance, and the first legal action."""

from __future__ import annotations

from typing import Any

from ..game import Game
from ..rng import below
from .clock import Clock
from .player import Player


class RandomPlayer(Player):
    """Every legal action with the same probability, from the referee's seed."""

    name = "random"

    def choose(self, game: Game, view: Any, seat: int, clock: Clock, rng: Any) -> int:
        actions = self.legal_actions(game, view)
        return actions[below(rng, len(actions))]


class FirstPlayer(Player):
    """The first action in the order of the rules."""

    name = "first"

    def choose(self, game: Game, view: Any, seat: int, clock: Clock, rng: Any) -> int:
        return self.legal_actions(game, view)[0]
