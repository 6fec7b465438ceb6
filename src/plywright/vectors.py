"""Several words of a board, or several numbers, at a time: vector instructions compiled, plain Python otherwise.

Each function here has a native twin in `native/vector_twins.py`; both give the same answer on every input. Native code
does not check the places that it is given: these are for games that come with Plywright.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .bits import highest_bit, lowest_bit

_MASK = (1 << 64) - 1
WAYS = 4
EIGHT = 8
FIVE = 5
LOUDEST, QUIETER = 255, 5


def behind_runs(start: Any, through: Any, shifts: Any) -> np.uint64:
    """The squares right behind unbroken runs of one to six, beside `start`, in four directions and their opposites.

    `through` has for each direction the squares that runs go through, `shifts` how far its next square is; runs that
    would wrap around the edge of the board must have been left out of `through`.
    """
    found = 0
    for discs, shift in zip(through, shifts, strict=True):
        inside, step = int(discs), int(shift)
        up = down = int(start)
        for length in range(1, 8):
            up, down = (up << step) & _MASK, down >> step
            found |= (up | down) if length > 1 else 0
            up, down = up & inside, down & inside
    return np.uint64(found)


def outflanked(rays: Any, place: int, mine: Any, theirs: Any) -> np.uint64:
    """On eight rays from a square, four towards higher bits and then four towards lower ones: the runs of `theirs` that
    begin each ray and that one of `mine` ends. The rays are the words of a table from `place` on."""
    own, other, turned = int(mine), int(theirs), 0
    for way in range(2 * WAYS):
        ray = int(rays[place + way])
        stops = ray & ~other
        if stops:
            end = 1 << (lowest_bit(stops) if way < WAYS else highest_bit(stops))
            if end & own:
                turned |= ray & (end - 1 if way < WAYS else _MASK & ~(2 * end - 1))
    return np.uint64(turned)


def add_up_rows(sums: Any, place: int, table: Any, first: int, words: int, board: Any) -> None:
    """Put eight sums into `sums` from `place` on: of what the eight rows of a board have in a table of [8, 256, words]
    from word `first` on."""
    for word in range(EIGHT):
        total = 0
        for row in range(EIGHT):
            content = int(board) >> EIGHT * row & 255
            total += int(table[(row * 256 + content) * words + first + word])
        total &= _MASK
        sums[place + word] = total - (1 << 64) if total >> 63 else total


def eight_units(numbers: Any, count: int, weights: Any, place: int) -> float:
    """What a layer of eight units that are silent below zero makes of whole numbers: a weighted sum of what they say.

    From `place` on the weights are where each unit begins, for each number what it adds to each unit, what a unit that
    is heard adds to the answer, and where the answer begins.
    """
    heard = [float(weights[place + unit]) for unit in range(EIGHT)]
    for number in range(count):
        place += EIGHT
        for unit in range(EIGHT):
            heard[unit] += float(weights[place + unit]) * float(numbers[number])
    place += EIGHT
    value = float(weights[place + EIGHT])
    for unit in range(EIGHT):
        value += float(weights[place + unit]) * max(heard[unit], 0.0)
    return value


def add_rows(sums: Any, width: int, rows: Any, first: int, places: Any, shares: Any, count: int) -> None:
    """Add rows of a table to `width` sums, a multiple of eight: row `places[n]` `shares[n]` times, in single precision.

    A row has `width` numbers, and row 0 begins at `first`.
    """
    for n in range(count):
        begin = first + int(places[n]) * width
        sums[:width] += np.float32(shares[n]) * rows[begin : begin + width]


def five_outputs(found: Any, units: Any, count: int, weights: Any, first: int) -> None:
    """Add to five numbers what so many units, a multiple of eight, say of each: x / (1 + |x|) times a weight.

    A unit has five weights side by side, and those of the first begin at `first`. In single precision; every eighth
    unit goes into the same of eight sums, which are then added up.
    """
    said = units[:count] / (np.float32(1.0) + abs(units[:count]))
    weighed = said[:, None] * weights[first : first + FIVE * count].reshape(count, FIVE)
    parts = np.zeros((EIGHT, FIVE), np.float32)
    for unit in range(0, count, EIGHT):
        parts += weighed[unit : unit + EIGHT]
    for part in parts:
        found[:FIVE] += part


def squared_units(
    rows: Any, width: int, start: int, places: Any, first: int, count: int, weights: Any, place: int
) -> tuple[int, int]:
    """What a layer of `width` units, a multiple of 32, says of some rows of a table, weighed in two ways.

    The units begin with row `start` and hear the rows whose numbers are in `places` from `first` on. One that hears h,
    held between 0 and 255, says h * h / 32, rounded down. The weights of the one way lie from `place` on, those of the
    other behind them. All are numbers of 16 bits: their sums must not exceed these, and what is weighed not 32 bits.
    """
    heard = rows[start * width : (start + 1) * width].astype(np.int64)
    for n in range(first, first + count):
        begin = int(places[n]) * width
        heard += rows[begin : begin + width]
    return _weighed_squares(heard, weights, place)


def weighed_squares(sums: Any, at: int, width: int, weights: Any, place: int) -> tuple[int, int]:
    """The same of units whose sums were kept, four of them in a word, from word `at` on."""
    return _weighed_squares(_narrow(sums, at, width).astype(np.int64), weights, place)


def add_narrow_rows(sums: Any, at: int, rows: Any, width: int, turn: int, places: Any, first: int, count: int) -> None:
    """Have such units hear more rows of a table: those numbered `places[n] ^ turn`, from `first` on."""
    units = _narrow(sums, at, width)
    for n in range(first, first + count):
        begin = (int(places[n]) ^ turn) * width
        units += rows[begin : begin + width]


def take_narrow_rows(sums: Any, at: int, rows: Any, width: int, turn: int, places: Any, first: int, count: int) -> None:
    """Have them no longer hear these."""
    units = _narrow(sums, at, width)
    for n in range(first, first + count):
        begin = (int(places[n]) ^ turn) * width
        units -= rows[begin : begin + width]


def _narrow(sums: Any, at: int, width: int) -> Any:
    return sums[at : at + width // 4].view(np.int16)


def _weighed_squares(heard: Any, weights: Any, place: int) -> tuple[int, int]:
    width = len(heard)
    said = np.clip(heard, 0, LOUDEST) ** 2 >> QUIETER
    one, other = weights[place : place + width], weights[place + width : place + 2 * width]
    return int(said @ one.astype(np.int64)), int(said @ other.astype(np.int64))
