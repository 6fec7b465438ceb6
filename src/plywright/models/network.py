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
from ..identity import is_shipped
from ..number import is_whole
from ..rule_guard import Guard
from ..vectors import add_rows, five_outputs
from .indexing import Indexed
from .model import ERROR, INSIDE, LOSS, RATE, SQUARES, STEPS
from .own_inputs import examine_inputs, examine_known, examine_phase
from .places import Places
from .symmetries import Board

HIDDEN = 32
WIDTH = 8
"""Hidden units are a multiple of this."""
STEP = 0.05
"""The step size at rate 1."""
WIN, WIN_TWO, WIN_THREE, LOSE_TWO, LOSE_THREE = range(5)
MOST_BESIDE = SCRATCH // 2 - 2
"""States with more inputs than this are looked at one by one."""
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
        if not is_whole(seed) or seed < 0:
            raise BadInput(f"a network's seed is a whole number from 0 on, not {shown(seed)}")
        if more:
            raise BadInput(f"a network takes no {shown(next(iter(more)))}; it takes hidden, second and seed")
        self.hidden, self.second = hidden, second
        self.deep = second > 0
        self.last = second or hidden
        self.own_inputs, self.phased = self.overrides("inputs"), self.overrides("phase")
        self.knows = self.overrides("known")
        self.several = tuple(game.utility_range) == (-3, 3)
        self.outputs = STAKES if self.several else 1
        super().__init__(game, arrays, hidden=hidden, seed=seed, **({"second": second} if second else {}))
        self.input_places, self.part_count = int(self.extent[0]) // hidden, len(self.bias) // hidden
        self.trusted = is_shipped(game) and is_shipped(self)
        """Whether inputs and phases are ours: compiled code looks where others would have it read and write."""
        if not self.own_inputs:
            self.lay_out()
        self.check()

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

    def examine(self, guard: Guard, state: Any) -> None:
        if self.knows and examine_known(guard, self, state, self.outputs, 0.0 if self.several else -1.0):
            return  # nothing else is asked there
        if self.own_inputs:
            examine_inputs(guard, self, state, self.input_places)
        else:
            super().examine(guard, state)
        if self.phased:
            examine_phase(guard, self, state, self.part_count)

    @property
    def has_siblings(self) -> bool:
        """Whether states side by side share work: not where inputs are cells, of which two may share one."""
        return self.own_inputs and super().has_siblings

    # -- compiled -------------------------------------------------------------------------------------------

    def evaluate(self, state: Any, player: int) -> float:
        """The estimate of an unfinished state."""
        return 1.0 * self.estimate(state, player)  # type: ignore[no-any-return]

    def evaluate_beside(self, state: Any, player: int, near: Any, inputs: Any, sums: Any) -> float:
        """The same, by what is different from the first of several states that are looked at together."""
        found = float_scratch()
        view = self.answer_beside(state, found, near, inputs, sums)
        return 1.0 * self.judged(found, view, player)  # type: ignore[no-any-return]

    def estimate(self, state: Any, player: int) -> Any:
        found = float_scratch()
        view = self.answer(state, found)
        return self.judged(found, view, player)

    def judged(self, found: Any, view: int, player: int) -> Any:
        """What the outputs are worth to a player."""
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
            if not self.trusted:
                self.hold_to_places(count, places)
            view = self.viewer(state)
        else:
            view = self.indices(state, places)
            count = self.used
            for n in range(count):
                values[n] = np.float32(1.0)
        return count, view

    def hold_to_places(self, count: Any, places: Any) -> None:
        """Raise ValueError for inputs that lie elsewhere than in the network's memory."""
        if not 0 <= count <= SCRATCH:
            raise ValueError("inputs() returns more inputs than there is room for, or fewer than none")
        for n in range(count):
            if not 0 <= places[n] < self.input_places:
                raise ValueError("inputs() writes a place that is not from 0 up to input_count")

    def part(self, state: Any) -> Any:
        """The number of the network's part for a state."""
        if self.phased:
            part = self.phase(state)  # type: ignore[attr-defined]
            if not self.trusted and not 0 <= part < self.part_count:
                raise ValueError("phase() is not from 0 up to phases")
            return part
        return 0

    def answer(self, state: Any, found: Any) -> Any:
        """Write the outputs; returns the player in whose view they are."""
        if self.knows and self.known(state, found):  # type: ignore[attr-defined]
            return self.viewer(state)
        places, values = scratch(), float_scratch()
        count, view = self.sparse(state, places, values)
        units = float_scratch()
        part = self.part(state)
        self.forward(part, count, places, values, units)
        self.upper_layers(part, units, found)
        return view

    def answer_beside(self, state: Any, found: Any, near: Any, inputs: Any, sums: Any) -> Any:
        """The same; the hidden units' sums are kept for the first state and brought up to date for those beside it."""
        if self.knows and self.known(state, found):  # type: ignore[attr-defined]
            return self.viewer(state)
        places, values = scratch(), float_scratch()
        count, view = self.sparse(state, places, values)
        units = float_scratch()
        part = self.part(state)
        changed = -1
        if near[0] == part + 1 and count <= MOST_BESIDE:
            changed = self.differences(count, places, values, near, inputs)
            if changed < 0:
                count, view = self.sparse(state, places, values)
        if changed >= 0:
            for j in range(self.hidden):
                units[j] = sums[j]
            add_rows(units, self.hidden, self.rows, part * self.extent[0], places, values, changed)
        else:
            self.forward(part, count, places, values, units)
            if near[0] == 0 and count <= MOST_BESIDE:
                self.remember(part, count, places, values, near, inputs)
                for j in range(self.hidden):
                    sums[j] = units[j]
        self.upper_layers(part, units, found)
        return view

    def remember(self, part: int, count: int, places: Any, values: Any, near: Any, inputs: Any) -> None:
        """Keep a state's inputs for the states beside it: how large each is in `inputs`, which there are in `near`."""
        near[0] = part + 1
        near[1] = count
        for place in range(self.extent[0] // self.hidden):
            inputs[place] = np.float32(0.0)
        for n in range(count):
            near[2 + n] = places[n]
            inputs[places[n]] += values[n]

    def differences(self, count: int, places: Any, values: Any, near: Any, inputs: Any) -> int:
        """Put in the place of a state's inputs what has to be added to those that were kept; how many there are.

        -1 where an input is there twice.
        """
        which = scratch()  # of the state's inputs is at a place; -1: none
        kept = near[1]
        for n in range(kept):
            which[near[2 + n]] = -1
        for n in range(count):
            which[places[n]] = n
        changed, twice = 0, 0
        for n in range(count):
            place = places[n]
            twice += which[place] != n
            more = values[n] - inputs[place]
            places[changed] = place
            values[changed] = more
            changed += more != np.float32(0.0)
        for n in range(kept):
            place = near[2 + n]
            places[changed] = place
            values[changed] = -inputs[place]
            changed += which[place] == -1
            which[place] = 0  # once, if it was there twice
        return changed if twice == 0 else -1

    def upper_layers(self, part: int, units: Any, found: Any) -> None:
        """From the sums of the first hidden units to the outputs."""
        if self.deep:
            seconds = float_scratch()
            self.second_layer(part, units, seconds)
            self.last_layer(part, seconds, found)
        else:
            self.last_layer(part, units, found)

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
        """The sums of the hidden units."""
        hidden = self.hidden
        for j in range(hidden):
            units[j] = self.bias[np.uint64(part * hidden + j)]
        add_rows(units, hidden, self.rows, part * self.extent[0], places, values, count)

    def last_layer(self, part: int, units: Any, found: Any) -> None:
        """From the sums of the last hidden units to the outputs."""
        hidden, outputs = self.last, self.outputs
        for k in range(outputs):
            found[k] = self.out_bias[np.uint64(part * outputs + k)]
        base = part * self.extent[2]
        if self.several:
            five_outputs(found, units, hidden, self.out, base)
            for k in range(outputs):
                found[k] = np.float32(1.0 / (1.0 + math.exp(-found[k])))
        else:
            for j in range(hidden):
                found[0] += units[j] / (np.float32(1.0) + abs(units[j])) * self.out[np.uint64(base + j)]
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
