"""The checkerboard as patterns of men: which squares belong together, and the number of what stands on them.

A pattern is eight squares; the men on them are a number in base three (0 none, 1 Black's, 2 White's). The numbers of
all patterns are added up from tables, four to a word: a byte of squares at a time, for each side. Turned round, with
the colours exchanged, a board is worth the opposite, and so is each pattern: weights keep to that.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .board import SQUARES

BYTES, VALUES = 4, 256
LANES, LANE_BITS = 4, np.uint64(16)
LANE, BYTE = np.uint64(0xFFFF), np.uint64(0xFF)
SIZE = 8
NUMBERS = 3**SIZE

FEATURES = (
    *("men", "kings", "advancement", "back rank", "bridge", "centre", "mobility", "tempo"),
    *("king centre", "king mobility", "kings alone", "turn"),
)
"""What is weighed besides patterns, Black's less White's; `kings alone` counts where the other side has none."""
STAGES = 3
STAGE_PIECES = 6
"""A stage is so many pieces: up to 11, up to 17, more."""


class Layout(NamedTuple):
    """What follows from the patterns alone."""

    patterns: tuple[tuple[int, ...], ...]
    lanes: NDArray[np.uint64]
    """[4 * 256 * words] what a byte of men adds to the numbers of the patterns, four to a word."""
    mirror: NDArray[np.int64]
    """[patterns * NUMBERS] the weight that has the same worth to the other side."""

    @property
    def words(self) -> int:
        return -(-len(self.patterns) // LANES)


@cache
def layout() -> Layout:
    """Two whole rows, seven of them; and four rows of two squares each, left, middle and right, at five heights."""
    rows = [tuple(range(4 * row, 4 * row + 8)) for row in range(7)]
    blocks = [
        tuple(4 * (row + up) + column + side for up in range(4) for side in range(2))
        for row in range(5)
        for column in range(3)
    ]
    patterns = tuple(rows + blocks)
    words = -(-len(patterns) // LANES)
    return Layout(patterns, _byte_tables(patterns, words), _mirror(patterns))


def _byte_tables(patterns: tuple[tuple[int, ...], ...], words: int) -> NDArray[np.uint64]:
    worth = np.zeros((SQUARES, words), np.uint64)
    for number, squares in enumerate(patterns):
        for place, square in enumerate(squares):
            worth[square, number // LANES] += np.uint64(3**place << 16 * (number % LANES))
    table = np.zeros((BYTES, VALUES, words), np.uint64)
    for square in range(SQUARES):
        has = (np.arange(VALUES) >> square % 8 & 1).astype(bool)
        table[square // 8, has] += worth[square]
    return table.ravel()


def _mirror(patterns: tuple[tuple[int, ...], ...]) -> NDArray[np.int64]:
    numbers = np.arange(NUMBERS)
    digits = [numbers // 3**place % 3 for place in range(SIZE)]
    found = []
    for squares in patterns:
        turned = tuple(SQUARES - 1 - square for square in squares)
        other = next(number for number, each in enumerate(patterns) if set(each) == set(turned))
        image = np.zeros_like(numbers)
        for place, square in enumerate(turned):
            image += (3 - digits[place]) % 3 * 3 ** patterns[other].index(square)
        found.append(other * NUMBERS + image)
    return np.concatenate(found)


def stage_of(pieces: int) -> int:
    return min(max(pieces // STAGE_PIECES - 1, 0), STAGES - 1)


# -- compiled ----------------------------------------------------------------------------------------------------


def pattern_sum(lanes: Any, weights: Any, base: int, words: int, black: np.uint64, white: np.uint64) -> int:
    """The sum of the weights of all patterns, for Black; men are bitboards of 32 squares."""
    row = words * VALUES
    b0, w0 = words * int(black & BYTE), words * int(white & BYTE)
    b1, w1 = row + words * int(black >> np.uint64(8) & BYTE), row + words * int(white >> np.uint64(8) & BYTE)
    b2, w2 = 2 * row + words * int(black >> np.uint64(16) & BYTE), 2 * row + words * int(white >> np.uint64(16) & BYTE)
    b3, w3 = 3 * row + words * int(black >> np.uint64(24)), 3 * row + words * int(white >> np.uint64(24))
    total = np.int64(0)
    for word in range(words):
        own = lanes[b0 + word] + lanes[b1 + word] + lanes[b2 + word] + lanes[b3 + word]
        other = lanes[w0 + word] + lanes[w1 + word] + lanes[w2 + word] + lanes[w3 + word]
        numbers = own + other + other
        place = base + LANES * word * NUMBERS
        total += np.int64(weights[place + int(numbers & LANE)])
        total += np.int64(weights[place + NUMBERS + int(numbers >> LANE_BITS & LANE)])
        total += np.int64(weights[place + 2 * NUMBERS + int(numbers >> (LANE_BITS + LANE_BITS) & LANE)])
        total += np.int64(weights[place + 3 * NUMBERS + int(numbers >> (LANE_BITS + LANE_BITS + LANE_BITS))])
    return int(total)


# -- many positions at once, for whoever fits weights --------------------------------------------------------------


def pattern_numbers(black: NDArray[np.uint32], white: NDArray[np.uint32]) -> NDArray[np.int32]:
    """[positions, patterns] the weight, without its stage, that each pattern of each position has."""
    plan = layout()
    table = plan.lanes.reshape(BYTES, VALUES, plan.words)
    numbers = np.zeros((len(black), plan.words), np.uint64)
    for byte in range(BYTES):
        shift = np.uint32(8 * byte)
        numbers += table[byte, (black >> shift & np.uint32(0xFF)).astype(np.int64)]
        numbers += table[byte, (white >> shift & np.uint32(0xFF)).astype(np.int64)] * np.uint64(2)
    split = np.ascontiguousarray(numbers).view(np.uint16).astype(np.int32)  # little-endian: the lowest lane first
    found: NDArray[np.int32] = split + NUMBERS * np.arange(LANES * plan.words, dtype=np.int32)
    return found[:, : len(plan.patterns)]
