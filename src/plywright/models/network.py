"""A small neural network: inputs that are mostly zero, one hidden layer or two, one output or several.

The inputs are the cells of the board, one for each number that a cell may hold, found as for `tuples`; or what the
game's own knowledge says in `inputs(state, places, values)`: it writes which inputs are not zero and how large they
are, in the view of the player who is to move or to roll, and returns how many. Only those are added up. `phase(state)`
may name the part of a network that a state is for, such as a race or contact, and `known(state, found)` write the
outputs themselves where they need not be learned, such as from a table of endings.

One output is the value. In a game whose utilities are 1, 2 and 3 (a win, a gammon, a backgammon) there are five: the
chances to win, to win at least double, to win triple, to lose at least double, to lose triple.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..bits import SCRATCH, float_scratch, scratch
from ..errors import BadInput, GameError, shown
from .indexing import Indexed
from .model import ERROR, INSIDE, LOSS, RATE, SQUARES, STEPS
from .places import Places
from .symmetries import Board

HIDDEN = 32
WIDTH = 8
"""Hidden units are a multiple of this."""
STEP = 0.05
"""The step size at rate 1."""
WIN, WIN_TWO, WIN_THREE, LOSE_TWO, LOSE_THREE = range(5)
PHASES = 64
"""Parts that a network may have."""
STAKES = 5
"""Outputs where utilities are 1, 2 and 3."""


def single_cells(board: Board, radix: int) -> list[tuple[int, ...]]:
    """Each cell by itself."""
    return [(cell,) for cell in range(len(board.cells))]


class Network(Indexed):
    """One hidden layer of softsign units over sparse inputs, or two: `second` is the size of the other one."""

    model = "network"
    rows: Any
    bias: Any
    middle: Any
    middle_bias: Any
    out: Any
    out_bias: Any
    extent: Any

    def __init__(
        self, game: Any, arrays: Any = None, *, hidden: int = HIDDEN, second: int = 0, seed: int = 1, **more: Any
    ) -> None:
        for units, least in ((hidden, WIDTH), (second, 0)):
            if not isinstance(units, int) or not least <= units <= SCRATCH or units % WIDTH:
                raise BadInput(f"a network has {WIDTH} to {SCRATCH} hidden units, a multiple of {WIDTH}, not {units}")
        if more:
            raise BadInput(f"a network takes no {next(iter(more))!r}; it takes hidden, second and seed")
        self.hidden, self.second = hidden, second
        self.deep = second > 0
        self.last = second or hidden
        self.own_inputs, self.phased = self.overrides("inputs"), self.overrides("phase")
        self.knows = self.overrides("known")
        self.several = tuple(game.utility_range) == (-3, 3)
        self.outputs = STAKES if self.several else 1
        super().__init__(game, arrays, hidden=hidden, seed=seed, **({"second": second} if second else {}))
        if not self.own_inputs:
            self.lay_out()

    def prepare(self, **options: Any) -> dict[str, NDArray[Any]]:
        made: dict[str, NDArray[Any]] = {}
        if self.own_inputs:
            entries, active = getattr(self, "input_count", 0), 32
            if not isinstance(entries, int) or not 1 <= entries <= SCRATCH:
                raise GameError(
                    f"{self.game.name}: input_count is the number of inputs, 1 to {SCRATCH}, not {shown(entries)}"
                )
        else:
            places = Places(self.all_cells(), self.game.players, 1, single_cells)
            made, entries, active = places.made, places.entries, len(places.tuples[0]) + len(places.numbers[0])
        phases = getattr(self, "phases", 1) if self.phased else 1
        if not isinstance(phases, int) or not 1 <= phases <= PHASES:
            raise GameError(f"{self.game.name}: phases is how many there are, 1 to {PHASES}, not {shown(phases)}")
        random = np.random.default_rng(options["seed"])
        hidden = self.hidden
        spread = 1.0 / math.sqrt(active)
        rows = random.uniform(-spread, spread, (entries, hidden))
        out = random.uniform(-0.1, 0.1, (self.last, self.outputs))
        made["rows"] = np.tile(rows, (phases, 1)).astype(np.float32).ravel()
        made["out"] = np.tile(out, (phases, 1)).astype(np.float32).ravel()
        made["bias"] = np.zeros(hidden * phases, np.float32)
        made["out_bias"] = np.zeros(self.outputs * phases, np.float32)
        made["extent"] = np.array([entries * hidden, hidden * self.second, self.last * self.outputs], np.int64)
        if self.deep:
            spread = 1.0 / math.sqrt(hidden)
            middle = random.uniform(-2 * spread, 2 * spread, (hidden, self.second))
            made["middle"] = np.tile(middle, (phases, 1)).astype(np.float32).ravel()
            made["middle_bias"] = np.zeros(self.second * phases, np.float32)
        return made

    # -- compiled -------------------------------------------------------------------------------------------

    def evaluate(self, state: Any, player: int) -> float:
        """The estimate of an unfinished state."""
        return 1.0 * self.estimate(state, player)  # type: ignore[no-any-return]

    def estimate(self, state: Any, player: int) -> Any:
        found = float_scratch()
        view = self.answer(state, found)
        if self.several:
            win = found[WIN]
            lose = 1.0 - win
            value = win - lose
            two = min(found[WIN_TWO], win)
            value += two + min(found[WIN_THREE], two)
            two = min(found[LOSE_TWO], lose)
            value -= two + min(found[LOSE_THREE], two)
            value = INSIDE * value
        else:
            value = self.top * INSIDE * found[0]
        return value if view == player else -value

    def sparse(self, state: Any, places: Any, values: Any) -> Any:
        """The inputs that are not zero; how many, and in whose view."""
        if self.own_inputs:
            count = self.inputs(state, places, values)  # type: ignore[attr-defined]
            view = self.viewer(state)
        else:
            view = self.indices(state, places)
            count = self.used
        return count, view

    def part(self, state: Any) -> Any:
        """The number of the network's part for a state."""
        if self.phased:
            return self.phase(state)  # type: ignore[attr-defined]
        return 0

    def answer(self, state: Any, found: Any) -> Any:
        """Write the outputs; returns the player in whose view they are."""
        if self.knows and self.known(state, found):  # type: ignore[attr-defined]
            return self.viewer(state)
        places, values = scratch(), float_scratch()
        count, view = self.sparse(state, places, values)
        units, seconds = float_scratch(), float_scratch()
        part = self.part(state)
        self.forward(part, count, places, values, units)
        if self.deep:
            self.second_layer(part, units, seconds)
            self.last_layer(part, seconds, found)
        else:
            self.last_layer(part, units, found)
        return view

    def second_layer(self, part: int, units: Any, seconds: Any) -> None:
        """From the sums of the first hidden units to those of the second ones."""
        second = self.second
        for k in range(second):
            seconds[k] = self.middle_bias[np.uint64(part * second + k)]
        base = part * self.extent[1]
        for j in range(self.hidden):
            unit = units[j] / (np.float32(1.0) + abs(units[j]))
            row = np.uint64(base + j * second)
            for k in range(second):
                seconds[k] += unit * self.middle[row + np.uint64(k)]

    def forward(self, part: int, count: int, places: Any, values: Any, units: Any) -> None:
        """The sums of the hidden units, eight at a time: so they stay in one vector register."""
        hidden, first = self.hidden, part * self.extent[0]
        for j in range(0, hidden, WIDTH):
            here = np.uint64(part * hidden + j)
            a0 = self.bias[here + np.uint64(0)]
            a1 = self.bias[here + np.uint64(1)]
            a2 = self.bias[here + np.uint64(2)]
            a3 = self.bias[here + np.uint64(3)]
            a4 = self.bias[here + np.uint64(4)]
            a5 = self.bias[here + np.uint64(5)]
            a6 = self.bias[here + np.uint64(6)]
            a7 = self.bias[here + np.uint64(7)]
            for n in range(count):
                share = np.float32(1.0)
                if self.own_inputs:
                    share = values[n]
                row = np.uint64(first + places[n] * hidden + j)
                a0 += share * self.rows[row + np.uint64(0)]
                a1 += share * self.rows[row + np.uint64(1)]
                a2 += share * self.rows[row + np.uint64(2)]
                a3 += share * self.rows[row + np.uint64(3)]
                a4 += share * self.rows[row + np.uint64(4)]
                a5 += share * self.rows[row + np.uint64(5)]
                a6 += share * self.rows[row + np.uint64(6)]
                a7 += share * self.rows[row + np.uint64(7)]
            units[j + 0] = a0
            units[j + 1] = a1
            units[j + 2] = a2
            units[j + 3] = a3
            units[j + 4] = a4
            units[j + 5] = a5
            units[j + 6] = a6
            units[j + 7] = a7

    def last_layer(self, part: int, units: Any, found: Any) -> None:
        """From the sums of the last hidden units to the outputs."""
        hidden, outputs = self.last, self.outputs
        for k in range(outputs):
            found[k] = self.out_bias[np.uint64(part * outputs + k)]
        base = part * self.extent[2]
        for j in range(hidden):
            unit = units[j] / (np.float32(1.0) + abs(units[j]))
            for k in range(outputs):
                found[k] += unit * self.out[np.uint64(base + j * outputs + k)]
        if self.several:
            for k in range(outputs):
                found[k] = np.float32(1.0 / (1.0 + math.exp(-found[k])))
        else:
            found[0] = np.float32(math.tanh(found[0]))

    def outcome(self, utility: float, found: Any, place: int) -> None:
        """What the outputs should be where the game is over, for a player who gets this."""
        found[place + WIN] = 1.0 if utility > 0.0 else 0.0
        found[place + WIN_TWO] = 1.0 if utility > 1.0 else 0.0
        found[place + WIN_THREE] = 1.0 if utility > 2.0 else 0.0
        found[place + LOSE_TWO] = 1.0 if utility < -1.0 else 0.0
        found[place + LOSE_THREE] = 1.0 if utility < -2.0 else 0.0

    def chances(self, state: Any, player: int, found: Any, place: int) -> None:
        """The outputs in a player's view."""
        here = float_scratch()
        if self.answer(state, here) == player:
            for k in range(STAKES):
                found[place + k] = here[k]
        else:
            found[place + WIN] = 1.0 - here[WIN]
            found[place + WIN_TWO] = here[LOSE_TWO]
            found[place + WIN_THREE] = here[LOSE_THREE]
            found[place + LOSE_TWO] = here[WIN_TWO]
            found[place + LOSE_THREE] = here[WIN_THREE]

    def adjust(self, state: Any, target: float, work: Any) -> float:
        """One step down the gradient; with several outputs the targets are in `work.target`, the first player's."""
        places, values, units, found = scratch(), float_scratch(), float_scratch(), float_scratch()
        seconds = float_scratch()
        if self.knows and self.known(state, found):  # type: ignore[attr-defined]
            return 0.0
        count, view = self.sparse(state, places, values)
        part = self.part(state)
        self.forward(part, count, places, values, units)
        if self.deep:
            self.second_layer(part, units, seconds)
            self.last_layer(part, seconds, found)
        else:
            self.last_layer(part, units, found)
        errors = float_scratch()
        if self.several:
            self.aim(view, found, errors, work)
        else:
            wanted = target if view == 0 else -target
            errors[0] = wanted / self.top - found[0]
            if work.tally[LOSS] != 0.0:
                errors[0] *= np.float32(1.0) - found[0] * found[0]
        slopes = float_scratch()
        if self.deep:
            self.back_last(part, seconds, errors, slopes, work)
            self.back_second(part, units, slopes, work)
        else:
            self.back_last(part, units, errors, slopes, work)
        self.back_first(part, count, places, values, slopes, work)
        squares = 0.0
        for k in range(self.outputs):
            squares += np.float64(errors[k]) * np.float64(errors[k])
        work.tally[ERROR] = errors[0]
        work.tally[SQUARES] += squares
        work.tally[STEPS] += 1.0
        return np.float64(errors[0])

    def aim(self, view: int, found: Any, errors: Any, work: Any) -> None:
        """The errors of several outputs."""
        if view == 0:
            for k in range(STAKES):
                errors[k] = work.target[k] - found[k]
        else:
            errors[WIN] = 1.0 - work.target[WIN] - found[WIN]
            errors[WIN_TWO] = work.target[LOSE_TWO] - found[WIN_TWO]
            errors[WIN_THREE] = work.target[LOSE_THREE] - found[WIN_THREE]
            errors[LOSE_TWO] = work.target[WIN_TWO] - found[LOSE_TWO]
            errors[LOSE_THREE] = work.target[WIN_THREE] - found[LOSE_THREE]

    def back_last(self, part: int, units: Any, errors: Any, slopes: Any, work: Any) -> None:
        """From the errors of the outputs back to the sums of the last hidden units, whose steps are written down."""
        outputs = self.outputs
        step = np.float32(STEP * work.tally[RATE])
        base = part * self.extent[2]
        for j in range(self.last):
            scale = np.float32(1.0) / (np.float32(1.0) + abs(units[j]))
            unit = units[j] * scale
            slope = np.float32(0.0)
            for k in range(outputs):
                place = base + j * outputs + k
                slope += errors[k] * work.out[place]
                work.out[place] += step * errors[k] * unit
            slopes[j] = step * slope * scale * scale
        for k in range(outputs):
            work.out_bias[part * outputs + k] += step * errors[k]

    def back_second(self, part: int, units: Any, slopes: Any, work: Any) -> None:
        """From the second hidden layer to the first; `slopes` are the one's steps before and the other's after."""
        second, base = self.second, part * self.extent[1]
        firsts = float_scratch()
        for j in range(self.hidden):
            scale = np.float32(1.0) / (np.float32(1.0) + abs(units[j]))
            unit = units[j] * scale
            slope = np.float32(0.0)
            for k in range(second):
                place = base + j * second + k
                slope += slopes[k] * work.middle[place]
                work.middle[place] += slopes[k] * unit
            firsts[j] = slope * scale * scale
        for k in range(second):
            work.middle_bias[part * second + k] += slopes[k]
        for j in range(self.hidden):
            slopes[j] = firsts[j]

    def back_first(self, part: int, count: int, places: Any, values: Any, slopes: Any, work: Any) -> None:
        """From the steps of the first hidden units to the inputs' weights."""
        hidden = self.hidden
        for j in range(hidden):
            work.bias[part * hidden + j] += slopes[j]
        for n in range(count):
            row = part * self.extent[0] + places[n] * hidden
            share = np.float32(1.0)
            if self.own_inputs:
                share = values[n]
            for j in range(hidden):
                work.rows[row + j] += share * slopes[j]

    def workspace(self) -> dict[str, NDArray[Any]]:
        names = ("rows", "bias", "out", "out_bias", *(("middle", "middle_bias") if self.deep else ()))
        return {name: getattr(self, name) for name in names}

    # -- for people -------------------------------------------------------------------------------------------

    def way_out(self, part: int = 0) -> NDArray[Any]:
        """[hidden, outputs]: how far each unit of the first layer moves the outputs, where all units are at rest."""
        last = self.out.reshape(-1, self.last, self.outputs)[part]
        if not self.deep:
            return last  # type: ignore[no-any-return]
        return self.middle.reshape(-1, self.hidden, self.second)[part] @ last  # type: ignore[no-any-return]
