"""Othello's board as patterns: which squares belong together, and the number of what stands on them.

A pattern is some squares in an order; what stands on them, in the view of the player to move, is a number in base
three (0 empty, 1 mine, 2 theirs). Patterns of one family are images of one another and share their weights. The
numbers of all patterns are added up row by row from tables: four to a word, 16 bits each, so that a board costs
sixteen loads for four patterns and no arithmetic in base three.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

SIZE, ROWS = 8, 256
LANES, LANE_BITS = 4, np.uint64(16)
LANE = np.uint64(0xFFFF)
BYTE = np.uint64(0xFF)
ZERO = np.uint64(0)

FAMILIES = {
    "corner 3x3": "a1 b1 c1 a2 b2 c2 a3 b3 c3",
    "corner 2x5": "a1 b1 c1 d1 e1 a2 b2 c2 d2 e2",
    "edge and X": "b2 a1 b1 c1 d1 e1 f1 g1 h1 g2",
    "row 2": "a2 b2 c2 d2 e2 f2 g2 h2",
    "row 3": "a3 b3 c3 d3 e3 f3 g3 h3",
    "row 4": "a4 b4 c4 d4 e4 f4 g4 h4",
    "diagonal 8": "a1 b2 c3 d4 e5 f6 g7 h8",
    "diagonal 7": "a2 b3 c4 d5 e6 f7 g8",
    "diagonal 6": "a3 b4 c5 d6 e7 f8",
    "diagonal 5": "a4 b5 c6 d7 e8",
    "diagonal 4": "a5 b6 c7 d8",
    "corner triangle": "a1 b1 c1 d1 a2 b2 c2 a3 b3 a4",
    "edge and second row": "a1 b1 c1 d1 e1 f1 g1 h1 c2 f2",
    "middle of an edge": "c1 d1 e1 f1 c2 d2 e2 f2 d3 e3",
}
"""One pattern of each family, square by square; the others are its images under the board's symmetries."""

# Besides the patterns a position has these numbers, each with weights of its own.
MOST_MOVES = 32
COUNTS = {
    "my moves": MOST_MOVES,
    "their moves": MOST_MOVES,
    "squares beside mine": 64,
    "squares beside theirs": 64,
    "odd quadrants": 5,
    "empty squares": 64,
    "nothing": 1,
}

FEWEST, A_STAGE, STAGES = 9, 3, 14
"""Empty squares at the latest stage, how many numbers of them make one, and how many stages there are."""


class Layout(NamedTuple):
    """Where everything lies: what follows from FAMILIES and COUNTS alone."""

    patterns: tuple[tuple[int, ...], ...]
    """The squares of each pattern."""
    family: tuple[int, ...]
    """The family of each pattern."""
    starts: NDArray[np.int64]
    """[families + counts + 1] the first weight of each family, then of each count."""
    offsets: NDArray[np.int64]
    """[patterns, made up to whole words] the first weight of the family of each pattern."""
    lanes: NDArray[np.uint64]
    """[8 * 256 * words] what a row of discs adds to the numbers of the patterns, four to a word."""
    twins: NDArray[np.int64]
    """[weights] the first weight of the same meaning: that of the pattern read from its other end."""

    @property
    def words(self) -> int:
        return len(self.offsets) // LANES

    @property
    def weights(self) -> int:
        return int(self.starts[-1])


def stage_of(empties: int) -> int:
    """The stage of a position with so many empty squares; 0 is the last."""
    return min(max(empties - FEWEST, 0) // A_STAGE, STAGES - 1)


@cache
def layout() -> Layout:
    """The patterns of the board and the tables that number them."""
    patterns: list[tuple[int, ...]] = []
    family: list[int] = []
    starts, twins = [0], []
    for number, text in enumerate(FAMILIES.values()):
        first = tuple(_square(name) for name in text.split())
        seen: set[frozenset[int]] = set()
        reversed_order: list[int] = list(range(len(first)))
        for image in _symmetries():
            squares = tuple(image(square) for square in first)
            if frozenset(squares) == frozenset(first) and squares != first:
                reversed_order = [first.index(square) for square in squares]
            if frozenset(squares) not in seen:
                seen.add(frozenset(squares))
                patterns.append(squares)
                family.append(number)
        twins.append(starts[-1] + _least_twins(len(first), reversed_order))
        starts.append(starts[-1] + 3 ** len(first))
    for size in COUNTS.values():
        twins.append(np.arange(starts[-1], starts[-1] + size))
        starts.append(starts[-1] + size)
    offsets = [starts[number] for number in family]
    offsets += [starts[-2]] * (-len(patterns) % LANES)  # what is no pattern has the weight of nothing
    return Layout(
        tuple(patterns),
        tuple(family),
        np.array(starts, np.int64),
        np.array(offsets, np.int64),
        _row_tables(patterns, len(offsets) // LANES),
        np.concatenate(twins).astype(np.int64),
    )


def _square(name: str) -> int:
    return SIZE * (int(name[1]) - 1) + ord(name[0]) - ord("a")


def _symmetries() -> list[Callable[[int], int]]:
    """The eight images of a square."""

    def image(turn: int, square: int) -> int:
        row, column = divmod(square, SIZE)
        row, column = (column, row) if turn & 1 else (row, column)
        row = SIZE - 1 - row if turn & 2 else row
        column = SIZE - 1 - column if turn & 4 else column
        return row * SIZE + column

    return [lambda square, turn=turn: image(turn, square) for turn in range(8)]  # type: ignore[misc]


def _least_twins(length: int, order: list[int]) -> NDArray[np.int64]:
    """[3 ** length] the lesser of each number and the one of the same discs in that other order."""
    numbers = np.arange(3**length)
    digits = [numbers // 3**place % 3 for place in range(length)]
    other = np.zeros_like(numbers)
    for place in range(length):
        other += digits[order[place]] * 3**place
    return np.minimum(numbers, other)


def _row_tables(patterns: list[tuple[int, ...]], words: int) -> NDArray[np.uint64]:
    """[8 * 256 * words] for each row and each set of discs on it what they add to every pattern's number."""
    worth = np.zeros((SIZE * SIZE, words), np.uint64)
    for number, squares in enumerate(patterns):
        for place, square in enumerate(squares):
            worth[square, number // LANES] += np.uint64(3**place << 16 * (number % LANES))
    table = np.zeros((SIZE, ROWS, words), np.uint64)
    for row in range(SIZE):
        for column in range(SIZE):
            has = (np.arange(ROWS) >> column & 1).astype(bool)
            table[row, has] += worth[row * SIZE + column]
    return table.ravel()


# -- compiled -----------------------------------------------------------------------------------------------


def pattern_sum(
    lanes: Any, offsets: Any, weights: Any, base: int, words: int, mine: np.uint64, theirs: np.uint64
) -> int:
    """The sum of the weights of all patterns, in the view of the owner of `mine`; `base` is where the stage begins."""
    row = words * ROWS
    m0, t0 = words * int(mine & BYTE), words * int(theirs & BYTE)
    m1, t1 = row + words * int(mine >> np.uint64(8) & BYTE), row + words * int(theirs >> np.uint64(8) & BYTE)
    m2, t2 = 2 * row + words * int(mine >> np.uint64(16) & BYTE), 2 * row + words * int(theirs >> np.uint64(16) & BYTE)
    m3, t3 = 3 * row + words * int(mine >> np.uint64(24) & BYTE), 3 * row + words * int(theirs >> np.uint64(24) & BYTE)
    m4, t4 = 4 * row + words * int(mine >> np.uint64(32) & BYTE), 4 * row + words * int(theirs >> np.uint64(32) & BYTE)
    m5, t5 = 5 * row + words * int(mine >> np.uint64(40) & BYTE), 5 * row + words * int(theirs >> np.uint64(40) & BYTE)
    m6, t6 = 6 * row + words * int(mine >> np.uint64(48) & BYTE), 6 * row + words * int(theirs >> np.uint64(48) & BYTE)
    m7, t7 = 7 * row + words * int(mine >> np.uint64(56) & BYTE), 7 * row + words * int(theirs >> np.uint64(56) & BYTE)
    total = 0
    for word in range(words):
        own = lanes[m0 + word] + lanes[m1 + word] + lanes[m2 + word] + lanes[m3 + word]
        own += lanes[m4 + word] + lanes[m5 + word] + lanes[m6 + word] + lanes[m7 + word]
        other = lanes[t0 + word] + lanes[t1 + word] + lanes[t2 + word] + lanes[t3 + word]
        other += lanes[t4 + word] + lanes[t5 + word] + lanes[t6 + word] + lanes[t7 + word]
        numbers = own + other + other
        place = LANES * word
        total += weights[base + offsets[place] + int(numbers & LANE)]
        total += weights[base + offsets[place + 1] + int(numbers >> LANE_BITS & LANE)]
        total += weights[base + offsets[place + 2] + int(numbers >> (LANE_BITS + LANE_BITS) & LANE)]
        total += weights[base + offsets[place + 3] + int(numbers >> (LANE_BITS + LANE_BITS + LANE_BITS))]
    return int(total)


# -- many positions at once, for whoever fits weights -----------------------------------------------------------


def pattern_numbers(mine: NDArray[np.uint64], theirs: NDArray[np.uint64]) -> NDArray[np.int32]:
    """[positions, patterns] the weight, without its stage, that each pattern of each position has."""
    plan = layout()
    table = plan.lanes.reshape(SIZE, ROWS, plan.words)
    numbers = np.zeros((len(mine), plan.words), np.uint64)
    for row in range(SIZE):
        shift = np.uint64(8 * row)
        numbers += table[row, (mine >> shift & BYTE).astype(np.int64)]
        numbers += table[row, (theirs >> shift & BYTE).astype(np.int64)] * np.uint64(2)
    split = np.ascontiguousarray(numbers).view(np.uint16).astype(np.int32)  # little-endian: the lowest lane first
    return (split + plan.offsets.astype(np.int32))[:, : len(plan.patterns)]
