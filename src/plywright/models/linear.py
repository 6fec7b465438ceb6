"""A weighted sum of features that an author lists by name: the evaluation function of the textbook.

    class MyKnowledge(Knowledge):
        feature_names = ("pawns", "advance")

        def features(self, state, player):      # what a player has of each
            return pawns_of(state, player), rows_of(state, player)

The value of a state is the sum of weight times what the player to move has more than the other, squashed into the range
of utilities. Where the knowledge says how far a game has gone, in `stage(state)` from 0 to 1, each feature has two
weights, one for the beginning and one for the end, and the weight in between is in proportion.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..bits import float_scratch
from ..errors import BadInput
from ..weighted import Term, check_names, features_of, spoken, terms_of
from .model import ERROR, INSIDE, LOSS, RATE, SQUARES, STEPS, Model

STEP = 0.02
"""The step size at rate 1, before coherence."""
FIRST = 0.05
"""The weight of each feature before anything is learned."""


class Linear(Model):
    """Features times weights."""

    model = "linear"
    weights: Any
    weights_in = "weights"

    def __init__(self, game: Any, arrays: Any = None, **weights: Any) -> None:
        check_names(self, game)
        self.count = len(self.feature_names)  # of the game's own knowledge, on top of which this stands
        self.tapered = callable(getattr(type(self), "stage", None))
        super().__init__(game, arrays, **weights)
        self.alone = game.players == 1
        self.check()

    def prepare(self, **options: Any) -> dict[str, NDArray[Any]]:
        if not self.count or not self.overrides("features"):
            raise BadInput(
                f"{self.game.name} lists no features: a linear model needs feature_names and features(state, player) "
                "in a Knowledge that the game's class names (knowledge = MyKnowledge), as docs/learning.md shows"
            )
        unknown = [name for name in options if spoken(name) not in self._spoken()]
        if unknown:
            known = ", ".join(self.feature_names)
            raise BadInput(f"{self.game.name} has no feature {unknown[0]!r}; it has {known}")
        given = {spoken(name): value for name, value in options.items()}
        stages = 2 if self.tapered else 1
        weights = [given.get(name, FIRST if not given else 0.0) for name in self._spoken()] * stages
        if not all(isinstance(weight, (int, float)) for weight in weights):
            raise BadInput(f"weights are numbers, as in linear:{self.feature_names[0].replace(' ', '_')}=0.5")
        return {"weights": np.array(weights, np.float32)}

    def _spoken(self) -> list[str]:
        return [spoken(name) for name in self.feature_names]

    def check(self) -> None:
        """Features at the start: as many as names, and numbers."""
        for player in range(self.game.players):
            features_of(self, self.game.start_state, player)

    # -- compiled -------------------------------------------------------------------------------------------

    def evaluate(self, state: Any, player: int) -> float:
        """The estimate of an unfinished state."""
        return 1.0 * self.estimate(state, player)  # type: ignore[no-any-return]

    def estimate(self, state: Any, player: int) -> Any:
        found = float_scratch()
        self.leads(state, player, found)
        total = 0.0
        late = self.lateness(state)
        for n in range(self.count):
            total += np.float64(found[n]) * self.weight(n, late)
        return self.top * INSIDE * math.tanh(total)

    def leads(self, state: Any, player: int, found: Any) -> None:
        """What a player has more of each feature than the other."""
        count = 0
        for value in self.features(state, player):
            found[count] = np.float32(value)
            count += 1
        if count == self.count and not self.alone:
            count = 0
            for value in self.features(state, 1 - player):
                found[count] -= np.float32(value)
                count += 1
        if count != self.count:
            raise ValueError("features() gives more or fewer values than feature_names lists")

    def lateness(self, state: Any) -> Any:
        if self.tapered:
            return min(max(1.0 * self.stage(state), 0.0), 1.0)  # type: ignore[attr-defined]
        return 0.0

    def weight(self, n: int, late: float) -> Any:
        """The weight of a feature at this stage."""
        if self.tapered:
            return (1.0 - late) * np.float64(self.weights[n]) + late * np.float64(self.weights[self.count + n])
        return np.float64(self.weights[n])

    def adjust(self, state: Any, target: float, work: Any) -> float:
        """One step down the gradient, with temporal coherence."""
        found = float_scratch()
        self.leads(state, 0, found)
        late = self.lateness(state)
        total = 0.0
        for n in range(self.count):
            total += np.float64(found[n]) * self.weight(n, late)
        value = math.tanh(total)
        error = target / self.top - value
        slope = error
        if work.tally[LOSS] != 0.0:
            slope *= 1.0 - value * value
        for n in range(self.count):
            if self.tapered:
                self.move(n, (1.0 - late) * slope * found[n], work)
                self.move(self.count + n, late * slope * found[n], work)
            else:
                self.move(n, slope * found[n], work)
        work.tally[ERROR] = error
        work.tally[SQUARES] += error * error
        work.tally[STEPS] += 1.0
        return error

    def move(self, place: int, slope: float, work: Any) -> None:
        size = work.sizes[place]
        share = 1.0
        if size > 0.0:
            share = abs(work.sums[place]) / size
        work.weights[place] += np.float32(STEP * work.tally[RATE] * share * slope)
        work.sums[place] += np.float32(slope)
        work.sizes[place] += np.float32(abs(slope))

    def workspace(self) -> dict[str, NDArray[Any]]:
        return {"weights": self.weights, "sums": np.zeros_like(self.weights), "sizes": np.zeros_like(self.weights)}

    # -- for people -------------------------------------------------------------------------------------------

    def feature_weights(self, state: Any) -> list[float]:
        """The weights at this stage: before the sum is squashed, which is what the terms add up to."""
        late = float(self.lateness(state))
        return [float(self.weight(n, late)) for n in range(self.count)]

    def evaluation_terms(self, state: Any) -> list[Term]:
        return terms_of(self, state)

    @property
    def terms_unit(self) -> str:
        return "before squashing"


__all__ = ["Linear"]
