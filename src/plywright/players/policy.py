"""A player that follows a policy: a function from view to action, or to the probability of each action."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

from ..dice import draw
from ..errors import BadInput
from ..game import Game
from ..number import GIVEN_ROUNDING, sums_to_one
from .player import Player
from .turn import Turn

Policy = Callable[[Game, Any, int], int | Mapping[int, float]]
"""policy(game, view, seat): one action, or a probability for each of several."""


class PolicyPlayer(Player):
    """Plays what a policy says, and draws where it says probabilities."""

    def __init__(self, policy: Policy, name: str = "policy") -> None:
        self.policy, self.name = policy, name
        self.info = {}

    def choose(self, game: Game, turn: Turn) -> int:
        found = self.policy(game, turn.view, turn.seat)
        if not isinstance(found, Mapping):
            return found
        total = math.fsum(found.values())
        if not found or not sums_to_one(total, GIVEN_ROUNDING) or min(found.values()) < 0:
            raise BadInput(f"{self.name}: the probabilities of a policy sum to 1, not to {total:g}")
        self.info = {"probabilities": {str(action): float(chance) for action, chance in found.items()}}
        return int(draw(turn.rng, found.items()))
