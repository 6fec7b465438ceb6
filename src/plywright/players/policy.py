"""A player that follows a policy: a function from view to action, or to the probability of each action."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from ..errors import BadInput
from ..game import Game
from ..rng import draw64
from .clock import Clock
from .player import Player

Thing = TypeVar("Thing")
Policy = Callable[[Game, Any, int], int | Mapping[int, float]]
"""policy(game, view, seat): one action, or a probability for each of several."""


class PolicyPlayer(Player):
    """Plays what a policy says, and draws where it says probabilities."""

    def __init__(self, policy: Policy, name: str = "policy") -> None:
        self.policy, self.name = policy, name
        self.info = {}

    def choose(self, game: Game, view: Any, seat: int, clock: Clock, rng: Any) -> int:
        found = self.policy(game, view, seat)
        if not isinstance(found, Mapping):
            return found
        total = math.fsum(found.values())
        if not found or not math.isclose(total, 1.0, abs_tol=1e-6) or min(found.values()) < 0:
            raise BadInput(f"{self.name}: the probabilities of a policy sum to 1, not to {total:g}")
        self.info = {"probabilities": {str(action): float(chance) for action, chance in found.items()}}
        return int(draw(rng, [(probability, action) for action, probability in found.items()]))


def draw(rng: Any, parts: Sequence[tuple[float, Thing]]) -> Thing:
    """One of several things by its probability."""
    point = (draw64(rng) >> 11) / (1 << 53)
    for probability, thing in parts:
        point -= probability
        if point < 0:
            return thing
    return parts[-1][1]
