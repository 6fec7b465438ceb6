"""Which cells are looked at together: the systematic tuples of a board, and how symmetries share their tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

from .cells import Board, Cells

LONGEST = 8
"""Cells of a whole row or column in one tuple."""
ENTRIES = 1 << 17
"""Entries that the table of one tuple may have."""
MOST = 240
"""Tuples of a model at most."""
DIGITS = 8
"""Kinds of numbers in a cell that a tuple tells apart, where it has more than one cell."""


class Shared(NamedTuple):
    """A tuple, and those of the same table: the cells of each in the table's order."""

    board: int
    images: tuple[tuple[int, ...], ...]


def shapes(board: Board, radix: int) -> list[tuple[int, ...]]:
    """The tuples of a board: blocks of two by three, whole lines, short diagonals; neighbours where it is a ring."""
    where = {place: n for n, place in enumerate(board.places)}
    height, width = (max((place[axis] for place in board.places), default=0) + 1 for axis in (0, 1))
    if height == 1 or width == 1:
        return _along_a_line(len(board.cells), radix)
    if len(where) < 0.8 * height * width:  # a lattice with holes, such as the edges between dots
        return _windows(where, height, width, radix)
    found = list(_blocks(where, height, width, 2, 3)) + list(_blocks(where, height, width, 3, 2))
    longest = next(n for n in range(LONGEST, 0, -1) if radix**n <= ENTRIES)
    found += _lines(where, height, width, (0, 1), min(width, longest))
    found += _lines(where, height, width, (1, 0), min(height, longest))
    for step in ((1, 1), (1, -1)):
        found += _lines(where, height, width, step, min(height, width, 4))
    found = [cells for cells in found if radix ** len(cells) <= ENTRIES]
    if not found or len(found) > MOST:
        found = _lines(where, height, width, (0, 1), min(width, 4))
        found += _lines(where, height, width, (1, 0), min(height, 4))
    return list(dict.fromkeys(found))[:MOST]


def _along_a_line(count: int, radix: int) -> list[tuple[int, ...]]:
    """Neighbours in threes and fours, and all pairs where there are few cells."""
    length = next(n for n in range(6, 0, -1) if radix**n <= ENTRIES // 8)
    found = [tuple(range(n, n + length)) for n in range(count - length + 1)]
    if length > 2 and count <= 20:
        found += list(combinations(range(count), 2))
    return list(dict.fromkeys(found)) or [tuple(range(count))]


def _windows(where: dict[tuple[int, int], int], height: int, width: int, radix: int) -> list[tuple[int, ...]]:
    """What is seen through windows of several sizes, the larger ones as long as their tables are small enough."""
    found: dict[tuple[int, ...], None] = {}
    for down, across in ((3, 3), (3, 5), (5, 3), (5, 5), (3, 7), (7, 3)):
        for row in range(height - down + 1):
            for column in range(width - across + 1):
                window = [(row + r, column + c) for r in range(down) for c in range(across)]
                cells = tuple(where[place] for place in window if place in where)
                if len(cells) > 2 and radix ** len(cells) <= ENTRIES:
                    found[cells] = None
    return list(found)[:MOST]


def _blocks(
    where: dict[tuple[int, int], int], height: int, width: int, down: int, across: int
) -> Iterator[tuple[int, ...]]:
    for row in range(height - down + 1):
        for column in range(width - across + 1):
            block = [(row + r, column + c) for r in range(down) for c in range(across)]
            if all(place in where for place in block):
                yield tuple(where[place] for place in block)


def _lines(
    where: dict[tuple[int, int], int], height: int, width: int, step: tuple[int, int], length: int
) -> list[tuple[int, ...]]:
    found = []
    for row in range(height):
        for column in range(width):
            line = [(row + n * step[0], column + n * step[1]) for n in range(length)]
            if length > 1 and all(place in where for place in line):
                found.append(tuple(where[place] for place in line))
    return found


def share(cells: Cells, number: int, tuples: Sequence[tuple[int, ...]]) -> list[Shared]:
    """Tuples that a symmetry takes into each other get one table."""
    left = {frozenset(each): each for each in tuples}
    found = []
    while left:
        first = next(iter(left.values()))
        images = dict.fromkeys(tuple(symmetry.cells[number][cell] for cell in first) for symmetry in cells.symmetries)
        kept = [image for image in images or (first,) if frozenset(image) in left]
        for image in kept:  # one that is its own mirror image stands there both ways round
            left.pop(frozenset(image), None)
        found.append(Shared(number, tuple(kept)))
    return found
