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

from ..bits import SCRATCH, float_scratch, write_numbers
from ..errors import BadInput, shown
from ..rule_guard import Guard
from ..weighted import Term, check_names, features_fault, listed, spoken, terms_of
from .model import ERROR, INSIDE, LOSS, RATE, SQUARES, STEPS, Model

STEP = 0.02
"""The step size at rate 1, before coherence."""
FIRST = 0.05
"""The weight of each feature before anything is learned."""

LARGEST = 1e15
"""Features lie within plus or minus this: steps with larger ones would not be numbers."""

FOREIGN = ("stages", "base", "hidden", "second", "seed", "optimism", "unit")
"""Options of the other models, which are not taken for names of features."""

ROUNDING = 1e-6
"""A stage may lie beyond 0 or 1 by this."""


class Linear(Model):
    """Features times weights."""

    model = "linear"
    weights: Any
    weights_in = "weights"

    def __init__(self, game: Any, arrays: Any = None, **weights: Any) -> None:
        check_names(self, game)
        self.count = len(self.feature_names)  # of the game's own knowledge, on top of which this stands
        if self.count > SCRATCH:
            raise BadInput(f"{game.name} lists {self.count:,} features, and a linear model has weights for {SCRATCH}")
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
            raise BadInput(self._not_taken(unknown[0]))
        given = {spoken(name): value for name, value in options.items()}
        stages = 2 if self.tapered else 1
        weights = [given.get(name, FIRST if not given else 0.0) for name in self._spoken()] * stages
        if not all(isinstance(weight, (int, float)) for weight in weights):
            raise BadInput(f"weights are numbers, as in linear:{self.feature_names[0].replace(' ', '_')}=0.5")
        return {"weights": np.array(weights, np.float32)}

    def _not_taken(self, name: str) -> str:
        """What is wrong with an option that is no feature: that other models alone take it, or that nothing has it."""
        if name not in FOREIGN:
            return f"{self.game.name} has no feature {shown(name)}; it has {', '.join(self.feature_names)}"
        has = "it has two here, since the knowledge has stage(state)"
        has = has if self.tapered else "it has two where the knowledge has stage(state), and one here"
        why = f" ({has})" if name == "stages" else ""
        return f"a linear model takes no {name}{why}: leave {name} out"

    def _spoken(self) -> list[str]:
        return [spoken(name) for name in self.feature_names]

    def examine(self, guard: Guard, state: Any) -> None:
        for player in range(self.game.players):
            with guard.calling("features"):
                given = listed(self.features(state, player))
            if wrong := features_fault(self.feature_names, given, LARGEST):
                raise guard.fault("features", wrong)
        if self.tapered:
            with guard.calling("stage"):
                given = self.stage(state)  # type: ignore[attr-defined]
            if not isinstance(given, (int, float, np.number)) or not -ROUNDING <= given <= 1 + ROUNDING:
                raise guard.fault("stage", f"is {shown(given)}; it is a number from 0, the beginning, to 1, the end")

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
        count = write_numbers(found, self.features(state, player))
        if count == self.count and not self.alone:
            theirs = float_scratch()
            count = write_numbers(theirs, self.features(state, 1 - player))
            for n in range(self.count):
                found[n] -= theirs[n]
        if count != self.count:
            raise ValueError("features() gives more or fewer values than feature_names lists")
        for n in range(self.count):
            if not abs(found[n]) <= 2 * LARGEST:
                raise ValueError("features() gives a value that is not a finite number, or very large")

    def lateness(self, state: Any) -> Any:
        if self.tapered:
            late = 1.0 * self.stage(state)  # type: ignore[attr-defined]
            if not -ROUNDING <= late <= 1.0 + ROUNDING:
                raise ValueError("stage() is not a number from 0 to 1")
            return min(max(late, 0.0), 1.0)
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


__all__ = ["Linear"]
