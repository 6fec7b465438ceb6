"""Othello's board as patterns: which squares belong together, and the number of what stands on them.

A pattern is some squares in an order; what stands on them, in the view of the player to move, is a number in base
three (0 empty, 1 mine, 2 theirs). Some are read together with the moves: in base four an empty square where one side
may play is a 3; in base eight, at the corners, 3 where I may, 4 where they may, and 7 where both may. Patterns of one
family are images of one another and share their weights. The numbers of all patterns are added up row by row from
tables: four to a word, 16 bits each, so that a board costs sixteen loads for four patterns and no arithmetic in base
three.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

SIZE, ROWS = 8, 256
LANES = 4
BYTE = np.uint64(0xFF)

FAMILIES = {
    "corner 3x3": "a1 b1 c1 a2 b2 c2 a3 b3 c3",
    "corner 2x5": "a1 b1 c1 d1 e1 a2 b2 c2 d2 e2",
    "edge and X": "b2 a1 b1 c1 d1 e1 f1 g1 h1 g2",
    "row 2": "a2 b2 c2 d2 e2 f2 g2 h2",
    "row 3": "a3 b3 c3 d3 e3 f3 g3 h3",
    "row 4": "a4 b4 c4 d4 e4 f4 g4 h4",
    "diagonal 8": "a1 b2 c3 d4 e5 f6 g7 h8",
    "diagonal 7": "a2 b3 c4 d5 e6 f7 g8",
    "corner triangle": "a1 b1 c1 d1 a2 b2 c2 a3 b3 a4",
    "edge and second row": "a1 b1 c1 d1 e1 f1 g1 h1 c2 f2",
    "middle of an edge": "c1 d1 e1 f1 c2 d2 e2 f2 d3 e3",
}
"""One pattern of each family, square by square; the others are its images under the board's symmetries."""
WITH_MOVES = {"edge": "a1 b1 c1 d1 e1 f1 g1 h1", "corner 2x4": "a1 b1 c1 d1 a2 b2 c2 d2"}
"""Families in base four: each has weights for its discs and my moves, and others for its discs and theirs."""
CORNER = "a1 b2 b1 a2"
"""The family in base eight, with the moves of both."""
BASE, WITH_ONE, WITH_BOTH = 3, 4, 8
WITH_THEIRS = WITH_ONE**8  # from the weights with my moves to those with theirs: these families have eight squares

# Besides the patterns a position has these numbers, each with weights of its own.
MOST_MOVES = 32
MOST_IN_QUADRANT = 4
COUNTS = {
    "quadrants": 17 * MOST_IN_QUADRANT**2,
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
BLOCKS = len(FAMILIES) + 2 * len(WITH_MOVES) + 1
INPUTS, HIDDEN = BLOCKS + len(COUNTS) - 1, 8
"""What the layer on top hears, the sum of each block of weights, and how many units it has."""


class Layout(NamedTuple):
    """Where everything lies: what follows from the families and COUNTS alone."""

    patterns: tuple[tuple[int, ...], ...]
    """The squares of each pattern; where a word has no pattern, none."""
    family: tuple[int, ...]
    """The family of each pattern: first those of FAMILIES, then those of WITH_MOVES, then the corners."""
    first_words: NDArray[np.int64]
    """[families + 1] the first word of each family."""
    starts: NDArray[np.int64]
    """[BLOCKS + counts + 1] the first weight of each block (a family with moves has two), then of each count."""
    offsets: NDArray[np.int64]
    """[patterns] the first weight of the block of each pattern, of the first of two."""
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
    texts = [(text, BASE, 1) for text in FAMILIES.values()]
    texts += [(text, WITH_ONE, 2) for text in WITH_MOVES.values()] + [(CORNER, WITH_BOTH, 1)]
    patterns: list[tuple[int, ...]] = []
    family: list[int] = []
    bases: list[int] = []
    starts, twins, first_words, offsets = [0], [], [0], []
    for number, (text, base, blocks) in enumerate(texts):
        first = tuple(_square(name) for name in text.split())
        images, order = _images(first)
        images += [()] * (-len(images) % LANES)
        patterns += images
        family += [number] * len(images)
        bases += [base] * len(images)
        offsets += [starts[-1] if image else -1 for image in images]
        first_words.append(len(patterns) // LANES)
        for _ in range(blocks):
            twins.append(starts[-1] + _least_twins(len(first), order, base))
            starts.append(starts[-1] + base ** len(first))
    for size in COUNTS.values():
        twins.append(np.arange(starts[-1], starts[-1] + size))
        starts.append(starts[-1] + size)
    return Layout(
        tuple(patterns),
        tuple(family),
        np.array(first_words, np.int64),
        np.array(starts, np.int64),
        np.array([starts[-2] if offset < 0 else offset for offset in offsets], np.int64),  # no pattern weighs nothing
        _row_tables(patterns, bases),
        np.concatenate(twins).astype(np.int64),
    )


def _images(first: tuple[int, ...]) -> tuple[list[tuple[int, ...]], list[int]]:
    """The different images of a pattern, and in which order the one on the same squares has them."""
    images: list[tuple[int, ...]] = []
    order = list(range(len(first)))
    for image in _symmetries():
        squares = tuple(image(square) for square in first)
        if frozenset(squares) == frozenset(first) and squares != first:
            order = [first.index(square) for square in squares]
        if all(frozenset(squares) != frozenset(other) for other in images):
            images.append(squares)
    return images, order


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


def _least_twins(length: int, order: list[int], base: int) -> NDArray[np.int64]:
    """[base ** length] the lesser of each number and the one of the same discs in that other order."""
    numbers = np.arange(base**length)
    digits = [numbers // base**place % base for place in range(length)]
    other = np.zeros_like(numbers)
    for place in range(length):
        other += digits[order[place]] * base**place
    return np.minimum(numbers, other)


def _row_tables(patterns: list[tuple[int, ...]], bases: list[int]) -> NDArray[np.uint64]:
    """[8 * 256 * words] for each row and each set of discs on it what they add to every pattern's number."""
    words = len(patterns) // LANES
    worth = np.zeros((SIZE * SIZE, words), np.uint64)
    for number, squares in enumerate(patterns):
        for place, square in enumerate(squares):
            worth[square, number // LANES] += np.uint64(bases[number] ** place << 16 * (number % LANES))
    table = np.zeros((SIZE, ROWS, words), np.uint64)
    for row in range(SIZE):
        for column in range(SIZE):
            has = (np.arange(ROWS) >> column & 1).astype(bool)
            table[row, has] += worth[row * SIZE + column]
    return table.ravel()


# -- many positions at once, for whoever fits weights -----------------------------------------------------------


def pattern_numbers(
    mine: NDArray[np.uint64], theirs: NDArray[np.uint64], moves: NDArray[np.uint64], replies: NDArray[np.uint64]
) -> NDArray[np.int32]:
    """[positions, patterns] the weight, without its stage, that each pattern of each position has, block by block."""
    plan = layout()
    discs = _added(mine) + np.uint64(2) * _added(theirs)
    mine_too, theirs_too = np.uint64(3) * _added(moves), _added(replies)
    plain, both = plan.first_words[len(FAMILIES)], plan.first_words[-2]
    columns = [_split(discs, plan, 0, plain)]
    for number in range(len(WITH_MOVES)):
        first, end = plan.first_words[len(FAMILIES) + number : len(FAMILIES) + number + 2]
        columns.append(_split(discs + mine_too, plan, first, end))
        columns.append(_split(discs + np.uint64(3) * theirs_too, plan, first, end) + np.int32(WITH_THEIRS))
    columns.append(_split(discs + mine_too + np.uint64(4) * theirs_too, plan, both, plan.words))
    return np.hstack(columns)


def column_blocks() -> list[int]:
    """The block of each column of `pattern_numbers`."""
    plan = layout()
    blocks: list[int] = []
    for number, (first, end) in enumerate(itertools.pairwise(plan.first_words.tolist())):
        images = sum(bool(squares) for squares in plan.patterns[LANES * first : LANES * end])
        moving = len(FAMILIES) <= number < len(FAMILIES) + len(WITH_MOVES)
        for _ in range(2 if moving else 1):
            blocks += [blocks[-1] + 1 if blocks else 0] * images
    return blocks


def _added(boards: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """[positions, words] what the squares of each board add to the numbers of the patterns."""
    plan = layout()
    table = plan.lanes.reshape(SIZE, ROWS, plan.words)
    return sum(table[row, (boards >> np.uint64(8 * row) & BYTE).astype(np.int64)] for row in range(SIZE))  # type: ignore[no-any-return]


def _split(numbers: NDArray[np.uint64], plan: Layout, first: int, end: int) -> NDArray[np.int32]:
    """The weights of the patterns of some words."""
    words = np.ascontiguousarray(numbers[:, first:end])
    split = words.view(np.uint16).astype(np.int32)  # little-endian: the lowest lane first
    there = [bool(squares) for squares in plan.patterns[LANES * first : LANES * end]]
    return (split + plan.offsets[LANES * first : LANES * end].astype(np.int32))[:, there]
