"""Tables over cells of a board that is one word: the fastest kind, for small boards of many kinds of pieces.

A knowledge that can write its board as a word of 64 bits, so many bits a cell, says how:

    class MyKnowledge(Knowledge):
        packed_tuples = ((0, 1, 2, 4, 5, 6), (0, 1, 2, 3))  # cells that are looked at together, one table each
        cell_bits = 4                                       # of a cell, the first cell lowest; 4 where nothing is said

        def boards(self, state):                            # the board and its turns and mirrors of the same worth,
            return word, turned(word)                       # as the player to move sees it; always as many

        def banked(self, state):                            # optional: what of the utility is made already, in the
            return points                                   # steps that utilities come in

The place of a weight is then one instruction for each tuple of each word, and symmetric boards share all weights. A
value is what is banked and the sum of the weights, in utilities as they are, not squashed: the tables are about what is
still to come. So a game may pay along the way, such as 2048 does with every merge.
"""

from __future__ import annotations

import operator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..bits import SCRATCH, gather, scratch
from ..errors import BadInput, GameError, shown
from ..number import is_real
from ..rule_guard import Guard
from .cells import read_places
from .model import ERROR, INSIDE, RATE, SQUARES, STEPS, Model

WORD = 64
CELL_BITS = 4
LARGEST = 24
"""Bits of the index of one table."""
BANKED = 1e15
"""What is banked lies within plus or minus this: steps with larger ones would not be numbers."""
ROUNDED = np.iinfo(np.int16).max
"""The largest weight of a model that is rounded, in its units."""


class Packed(Model):
    """What is banked, and the weights that the words of a board point at, added up.

    `optimism`: what a board that nothing is known of is thought to be worth beyond what is banked: play then looks for
    what it has not seen. `unit`: 0 while it learns; a file for use alone may have its weights in 16 bits, as multiples.
    """

    model = "packed"
    least_squares = True
    feature_names = ()  # its weights are not those of the features that the game's own knowledge lists
    weights: Any
    masks: Any
    firsts: Any

    def __init__(self, game: Any, arrays: Any = None, *, optimism: float = 0.0, unit: float = 0.0, **more: Any) -> None:
        if more:
            raise BadInput(f"packed tables take no {shown(next(iter(more)))}; they take optimism and unit")
        if not self.overrides("boards") or not listed_tuples(self):
            raise BadInput(
                f"{game.name} has no boards for packed tables: they need boards(state) and packed_tuples in a "
                "Knowledge that the game's class names, as docs/learning.md shows"
            )
        if not (is_real(optimism) and is_real(unit) and np.isfinite(optimism) and np.isfinite(unit) and unit >= 0):
            raise BadInput("optimism and unit are numbers, and a unit is not below 0")
        self.images = len(boards_of(self, game.start_state))
        super().__init__(game, arrays, optimism=optimism, unit=unit)
        self.tuple_count = len(self.masks)
        self.used = self.images * self.tuple_count
        self.grain, self.paid = float(unit) or 1.0, float(game.step or 1)
        low, high = game.utility_range
        sliver = (high - low) * 2.0**-30
        self.least, self.most = float(low * INSIDE or sliver), float(high * INSIDE or -sliver)
        self.check()

    def prepare(self, **options: Any) -> dict[str, NDArray[Any]]:
        unit, optimism = options["unit"], options["optimism"]
        bits = _bits_of_a_cell(self)
        tuples = listed_tuples(self)
        masks = [_mask(self, cells, bits) for cells in tuples]
        _check_places(self, 1 + max(operator.index(cell) for cells in tuples for cell in cells))
        sizes = [1 << mask.bit_count() for mask in masks]
        if self.images * len(masks) > SCRATCH:
            raise BadInput(f"{self.game.name}: {len(masks)} tuples of {self.images} boards are more than {SCRATCH}")
        first = optimism / (self.images * len(masks)) / (unit or 1.0)
        kind = np.int16 if unit else np.float32
        return {
            "weights": np.full(sum(sizes), first, kind) if first else np.zeros(sum(sizes), kind),
            "masks": np.array(masks, np.uint64),
            "firsts": np.cumsum([0, *sizes[:-1]]).astype(np.int64),
        }

    def examine(self, guard: Guard, state: Any) -> None:
        with guard.calling("boards"):
            given = self.boards(state)  # type: ignore[attr-defined]
        if wrong := boards_fault(given, self.images):
            raise guard.fault("boards", wrong)
        if not self.overrides("banked"):
            return
        with guard.calling("banked"):
            banked = self.banked(state)
        try:
            fits = abs(float(banked)) <= BANKED
        except (TypeError, ValueError, OverflowError):
            fits = False
        if not fits:
            raise guard.fault("banked", f"is {shown(banked)}; it is a number within plus or minus {BANKED:g}")

    # -- compiled -------------------------------------------------------------------------------------------

    def evaluate(self, state: Any, player: int) -> float:
        """The estimate of an unfinished state."""
        return self.estimate(state, player)

    def estimate(self, state: Any, player: int) -> float:
        total = 0.0
        for word in self.boards(state):  # type: ignore[attr-defined]
            for n in range(self.tuple_count):
                here = np.uint64(n)
                total += np.float64(self.weights[np.uint64(self.firsts[here] + gather(word, self.masks[here]))])
        value = self.paid * self.banked(state) + self.grain * total
        if self.viewer(state) != player:
            value = -value
        return min(max(value, self.least), self.most)

    def adjust(self, state: Any, target: float, work: Any) -> float:
        """One step with temporal coherence: a weight whose errors keep their sign moves fast, a wavering one slowly."""
        found = scratch()
        used = 0
        total = 0.0
        for word in self.boards(state):  # type: ignore[attr-defined]
            for n in range(self.tuple_count):
                here = np.uint64(n)
                place = np.int64(self.firsts[here] + gather(word, self.masks[here]))
                found[used] = place
                total += np.float64(work.weights[place])
                used += 1
        if used != self.used:  # interpreted: compiled code has tuples of one length
            raise ValueError("boards() gives more or fewer words than at the start of the game")
        wanted = target if self.viewer(state) == 0 else -target
        error = wanted - self.paid * self.banked(state) - total
        step = work.tally[RATE] * error / used
        for n in range(used):
            place = found[n]
            size = work.memory[2 * place + 1]
            share = 1.0
            if size > 0.0:
                share = abs(work.memory[2 * place]) / size
            work.weights[place] = np.float32(work.weights[place] + share * step)
            work.memory[2 * place] = np.float32(work.memory[2 * place] + error)
            work.memory[2 * place + 1] = np.float32(size + abs(error))
        error /= self.top
        work.tally[ERROR] = error
        work.tally[SQUARES] += error * error
        work.tally[STEPS] += 1.0
        return error

    # -- its files ------------------------------------------------------------------------------------------

    def workspace(self) -> dict[str, NDArray[Any]]:
        """Beside the weights the sum of each one's errors and of their sizes: their quotient is its step size."""
        if self.options["unit"]:
            raise BadInput(
                f"the weights of this model of {self.game.name} are rounded, for use alone: learn on from the file "
                "that the training saved"
            )
        return {"weights": self.weights, "memory": np.zeros(2 * len(self.weights), np.float32)}

    def rounded(self, unit: float) -> Packed:
        """The same for use alone, with weights in 16 bits, as multiples of `unit`."""
        if not unit > 0:
            raise BadInput(f"weights are rounded to multiples of a number above 0, not of {shown(unit)}")
        steps = np.clip(np.rint(self.weights / np.float32(unit)), -ROUNDED, ROUNDED).astype(np.int16)
        other = type(self)(self.game, self.arrays | {"weights": steps}, **self.options | {"unit": unit})
        other._on, other._algorithm, other._training = self._on, self._algorithm, self._training
        return other


def boards_of(knowledge: Any, state: Any) -> tuple[int, ...]:
    """What `boards(state)` gives; raises GameError where that is no row of words."""
    given = knowledge.boards(state)
    if wrong := boards_fault(given):
        raise GameError(f"{knowledge.game.name}: boards() {wrong}")
    return given  # type: ignore[no-any-return]


def boards_fault(given: Any, images: int | None = None) -> str:
    """What is wrong with the boards of a state, as the end of a sentence; empty where nothing is."""
    if not isinstance(given, tuple) or not given or not all(hasattr(word, "__index__") for word in given):
        return f"gives {shown(given)}; it gives a tuple of whole numbers"
    if images is not None and len(given) != images:
        return f"gives {len(given)} words, and {images} at the start: there must always be as many"
    for word in given:
        if not -(1 << WORD - 1) <= int(word) < 1 << WORD:
            return f"gives {shown(int(word))}; a board is a word of {WORD} bits"
    return ""


def listed_tuples(knowledge: Any) -> tuple[Any, ...]:
    """The `packed_tuples` of a knowledge, none where it says nothing; raises GameError for what is no row."""
    given = getattr(knowledge, "packed_tuples", ())
    if not isinstance(given, (tuple, list)):
        raise GameError(f"{knowledge.game.name}: packed_tuples is a tuple of rows of cells, not {shown(given)}")
    return tuple(given)


def _check_places(knowledge: Any, count: int) -> None:
    """Refuse places that its cells, of which the tuples name so many, are not drawn at."""
    given = getattr(knowledge, "cell_places", None)
    places = () if given is None else read_places(knowledge.game.name, given)
    if places and len(places) < count:
        raise BadInput(
            f"{knowledge.game.name}: cell_places has {len(places)} places, and packed_tuples name cell {count - 1}"
        )


def _bits_of_a_cell(knowledge: Any) -> int:
    bits = getattr(knowledge, "cell_bits", CELL_BITS)
    if not isinstance(bits, int) or isinstance(bits, bool) or not 1 <= bits <= LARGEST:
        raise GameError(
            f"{knowledge.game.name}: cell_bits is how many bits a cell of a board has, 1 to {LARGEST}, "
            f"not {shown(bits)}"
        )
    return bits


def _mask(knowledge: Any, cells: Any, bits: int) -> int:
    """The bits of the cells of a tuple."""
    try:
        places = [operator.index(cell) for cell in cells]
    except TypeError:
        places = []
    fits = len(set(places)) == len(places) and all(0 <= cell < WORD // bits for cell in places)
    if not places or not fits or bits * len(places) > LARGEST:
        raise BadInput(
            f"{knowledge.game.name}: packed_tuples are rows of different cells below {WORD // bits}, with at most "
            f"{LARGEST} bits together, not {shown(cells)}"
        )
    return sum(((1 << bits) - 1) << bits * cell for cell in places)


__all__ = ["Packed"]
