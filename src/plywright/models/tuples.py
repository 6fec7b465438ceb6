"""Tables over tuples of cells: each says what one pattern on a few cells of the board is worth; they are added up."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..bits import gather, scratch
from ..errors import BadInput
from .indexing import Indexed, Places
from .model import ERROR, INSIDE, LOSS, RATE, SQUARES, STEPS
from .tuple_shapes import shapes


class Tuples(Indexed):
    """The sum of the tables, squashed into the range of utilities."""

    model = "tuples"
    weights: Any

    def __init__(self, game: Any, arrays: Any = None, *, stages: int = 1, **more: Any) -> None:
        if not 1 <= stages <= 64:
            raise BadInput(f"tuples have 1 to 64 stages, not {stages}")
        if more:
            raise BadInput(f"tuples take no {next(iter(more))!r}; they take stages")
        super().__init__(game, arrays, stages=stages)
        self.lay_out()

    def prepare(self, **options: Any) -> dict[str, NDArray[Any]]:
        places = Places(self.all_cells(), self.game.players, options["stages"], shapes)
        return {"weights": np.zeros(places.entries, np.float32), **places.made}

    # -- compiled -------------------------------------------------------------------------------------------

    def evaluate(self, state: Any, player: int) -> float:
        """The estimate of an unfinished state."""
        return self.estimate(state, player)

    def estimate(self, state: Any, player: int) -> float:
        words = scratch()
        view = self.read(state, words)
        shift = self.stage(words)
        total = 0.0
        row = view * self.bit_tuples
        if self.paired:
            one, two = words[self.boards[2 * view]], words[self.boards[2 * view + 1]]
            for n in range(row, row + self.bit_tuples):  # unsigned places: a signed one is looked at for being negative
                mask, lut = self.masks[np.uint64(n)], self.bit_lut[np.uint64(n)]
                index = self.luts[np.uint64(lut + gather(one, mask))]
                index += 2 * self.luts[np.uint64(lut + gather(two, mask))]
                total += np.float64(self.weights[np.uint64(self.bit_table[np.uint64(n)] + shift + index)])
        else:
            for n in range(self.bit_tuples):
                total += np.float64(self.weights[np.uint64(self.bit_index(row, n, view, words) + shift)])
        for n in range(self.number_tuples):
            total += np.float64(self.weights[np.uint64(self.number_index(n, view, words) + shift)])
        value = self.top * INSIDE * math.tanh(total)
        return value if view == player else -value

    def adjust(self, state: Any, target: float, work: Any) -> float:
        """One step with temporal coherence: a weight whose errors keep their sign moves fast, a wavering one slowly."""
        found = scratch()
        view = self.indices(state, found)
        total = 0.0
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
