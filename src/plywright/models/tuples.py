"""Tables over tuples of cells: each says what one pattern on a few cells of the board is worth; they are added up."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..bits import gather, scratch
from ..errors import BadInput, shown
from ..number import is_whole
from ..rule_guard import Guard
from ..weighted import Term
from .indexing import Indexed
from .model import ERROR, INSIDE, LOSS, RATE, SQUARES, STEPS
from .places import Places
from .tuple_shapes import counts_together, shapes


class Tuples(Indexed):
    """The sum of the tables, squashed into the range of utilities.

    `base`: what is learned is added to the game's own `evaluate`. So it is by default where two play for amounts,
    such as boxes: what is already won counts in full, and the tables are about what is to come.
    """

    model = "tuples"
    weights: Any

    def __init__(
        self, game: Any, arrays: Any = None, *, stages: int = 1, base: bool | None = None, **more: Any
    ) -> None:
        if not is_whole(stages) or not 1 <= stages <= 64:
            raise BadInput(f"tuples have 1 to 64 stages, not {shown(stages)}")
        if more:
            raise BadInput(f"tuples take no {shown(next(iter(more)))}; they take stages and base")
        if base and not game.evaluates:
            raise BadInput(f"{game.name} has no evaluate() that tuples could be added to: leave out base")
        amounts = game.players == 2 and max(map(abs, game.utility_range)) > 1
        self.based = bool(game.evaluates and amounts) if base is None else bool(base)
        super().__init__(game, arrays, stages=stages, base=self.based)
        self.lay_out()

    def prepare(self, **options: Any) -> dict[str, NDArray[Any]]:
        places = Places(self.all_cells(), self.game.players, options["stages"], shapes, counts_together)
        return {"weights": np.zeros(places.entries, np.float32), **places.made}

    def examine(self, guard: Guard, state: Any) -> None:
        super().examine(guard, state)
        if self.based:
            with guard.calling("evaluate"):
                value = float(self.game.evaluate(state, 0))
            if math.isnan(value):
                raise guard.fault("evaluate", "is not a number (NaN): look for 0/0 or infinity minus infinity")

    # -- compiled -------------------------------------------------------------------------------------------

    def evaluate(self, state: Any, player: int) -> float:
        """The estimate of an unfinished state."""
        return self.estimate(state, player)

    def estimate(self, state: Any, player: int) -> float:
        words, planes = scratch(), scratch()
        view = self.read(state, words)
        shift = self.stage(words)
        self.read_planes(view, words, planes)
        total = self.base_value(state, view)
        row = view * self.plane_tuples
        for board in range(self.plane_boards):
            first, count = self.board_planes[2 * board], self.board_planes[2 * board + 1]
            start, stop = row + self.board_tuples[3 * board], row + self.board_tuples[3 * board + 1]
            if count == 1:
                one = planes[first]
                for n in range(start, stop):  # unsigned places: a signed one is looked at for being negative
                    here = np.uint64(n)
                    index = self.luts[np.uint64(self.tuple_lut[here] + gather(one, self.masks[here]))]
                    weight = self.weights[np.uint64(self.tuple_table[here] + shift + index)]
                    total += np.float64(self.times[np.uint64(n - row)] * weight)
            elif count == 2:
                one, two = planes[first], planes[first + 1]
                for n in range(start, stop):
                    here = np.uint64(n)
                    mask, lut = self.masks[here], self.tuple_lut[here]
                    index = self.luts[np.uint64(lut + gather(one, mask))]
                    index += 2 * self.luts[np.uint64(lut + gather(two, mask))]
                    weight = self.weights[np.uint64(self.tuple_table[here] + shift + index)]
                    total += np.float64(self.times[np.uint64(n - row)] * weight)
            else:
                for n in range(start, stop):
                    weight = self.weights[np.uint64(self.plane_index(n, first, count, planes) + shift)]
                    total += np.float64(self.times[np.uint64(n - row)] * weight)
        for n in range(self.number_tuples):
            total += np.float64(self.weights[np.uint64(self.number_index(n, view, words) + shift)])
        value = self.top * INSIDE * math.tanh(total)
        return value if view == player else -value

    def base_value(self, state: Any, view: int) -> float:
        """What the game's own evaluation says, before it is squashed; 0 where nothing is built on it."""
        if not self.based:
            return 0.0
        return math.atanh(min(max(self.game.evaluate(state, view) / self.top, -INSIDE), INSIDE))

    def adjust(self, state: Any, target: float, work: Any) -> float:
        """One step with temporal coherence: a weight whose errors keep their sign moves fast, a wavering one slowly."""
        found = scratch()
        view = self.indices(state, found)
        total = self.base_value(state, view)
        for n in range(self.used):
            total += np.float64(work.weights[found[n]])
        wanted = target if view == 0 else -target
        value = math.tanh(total)
        error = wanted / self.top - value
        step = work.tally[RATE] * error / self.used
        if work.tally[LOSS] != 0.0:
            step *= 1.0 - value * value
        for n in range(self.used):
            place = found[n]
            size = work.sizes[place]
            share = 1.0
            if size > 0.0:
                share = abs(work.sums[place]) / size
            work.weights[place] = np.float32(work.weights[place] + share * step)
            work.sums[place] = np.float32(work.sums[place] + error)
            work.sizes[place] = np.float32(size + abs(error))
        work.tally[ERROR] = error
        work.tally[SQUARES] += error * error
        work.tally[STEPS] += 1.0
        return error

    def workspace(self) -> dict[str, NDArray[Any]]:
        """The sums of each weight's errors and of their sizes: their quotient is its step size."""
        return {"weights": self.weights, "sums": np.zeros_like(self.weights), "sizes": np.zeros_like(self.weights)}

    # -- for people -------------------------------------------------------------------------------------------

    def evaluation_terms(self, state: Any) -> list[Term]:
        """The patterns that weigh most in this state, and what all others add."""
        from .active import pattern_terms

        return pattern_terms(self, state)
