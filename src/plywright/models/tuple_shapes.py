"""Which cells are looked at together: the systematic tuples of a board, and how symmetries share their tables."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, combinations, islice
from math import prod
from typing import NamedTuple

from .symmetries import Board, Cells

LONGEST = 8
"""Cells of a whole row, column or diagonal in one tuple."""
DIAGONAL = 4
"""Cells of the shortest diagonal that is looked at."""
ENTRIES = 1 << 16
"""Entries that the table of one tuple may have."""
LATTICE = 1 << 17
"""The same in a lattice with holes, whose tuples are few."""
BLOCKS = {2: (3, 4), 3: (3, 3), 4: (2, 4), 5: (2, 3), 6: (2, 3)}
"""Rows and columns of a block by the kinds of contents that a cell has; two by two where there are more."""
DENSE = 40
"""Blocks of a board beyond which every second one is left out along their longer side."""
MOST = 240
"""Tuples of a model at most."""
GROUPS = 60
"""Tables of several counts at most."""
DIGITS = 8
"""Amounts in a cell that a tuple tells apart, where it has more than one cell."""


class Shared(NamedTuple):
    """A tuple, and those of the same table: the cells of each in the table's order."""

    board: int
    images: tuple[tuple[int, ...], ...]


def shapes(board: Board, radix: int) -> list[tuple[int, ...]]:
    """The tuples of a board: blocks, whole rows, columns and diagonals; neighbours where it is a line or a ring.

    Few large tuples cost a search less than many small ones, and see as much.
    """
    where = _close_together({place: n for n, place in enumerate(board.places)})
    height, width = (max((place[axis] for place in where), default=0) + 1 for axis in (0, 1))
    if height == 1 or width == 1:
        return _along_a_line(len(board.cells), radix)
    if len(where) < 0.8 * height * width:  # a lattice with holes, such as the edges between dots
        return _windows(where, height, width, radix)
    down, across = BLOCKS.get(radix, (2, 2))
    found = _blocks(where, height, width, down, across)
    if down != across:
        found += _blocks(where, height, width, across, down)
    longest = next(n for n in range(LONGEST, 0, -1) if radix**n <= ENTRIES)
    for step, least in (((0, 1), 2), ((1, 0), 2), ((1, 1), DIAGONAL), ((1, -1), DIAGONAL)):
        found += _lines(where, step, least, longest)
    return list(dict.fromkeys(found))[:MOST]


def _close_together(where: dict[tuple[int, int], int]) -> dict[tuple[int, int], int]:
    """The same cells without the rows and columns in which none lies, where that is every second one."""
    for axis in (0, 1):
        if len({place[axis] & 1 for place in where}) == 1:
            where = {(r >> (axis == 0), c >> (axis == 1)): n for (r, c), n in where.items()}
    return where


def _along_a_line(count: int, radix: int) -> list[tuple[int, ...]]:
    """Neighbours in threes and fours, and all pairs where there are few cells."""
    length = next(n for n in range(6, 0, -1) if radix**n <= ENTRIES // 8)
    found = [tuple(range(n, n + length)) for n in range(count - length + 1)]
    if length > 2 and count <= 20:
        found += list(combinations(range(count), 2))
    return list(dict.fromkeys(found)) or [tuple(range(count))]


def _windows(where: dict[tuple[int, int], int], height: int, width: int, radix: int) -> list[tuple[int, ...]]:
    """What is seen through windows: the largest whose tables are small enough, and long narrow ones."""
    step = 2 if len({(row + column) & 1 for row, column in where}) == 1 else 1  # edges: from dot to dot
    found: dict[tuple[int, ...], None] = {}
    for down, across in ((3, width), (height, 3), (5, 5), (5, 7), (7, 5), (3, 7), (7, 3), (3, 5), (5, 3), (3, 3)):
        if any(down <= a and across <= b for a, b in _covering(found, where)):
            continue
        for row in range(0, height - down + 1, step):
            for column in range(0, width - across + 1, step):
                window = [(row + r, column + c) for r in range(down) for c in range(across)]
                cells = tuple(where[place] for place in window if place in where)
                if len(cells) > 2 and radix ** len(cells) <= LATTICE:
                    found[cells] = None
    return list(found)[:MOST]


def _covering(found: dict[tuple[int, ...], None], where: dict[tuple[int, int], int]) -> set[tuple[int, int]]:
    """The sizes of the windows that there are."""
    places = {cell: place for place, cell in where.items()}
    sizes = set()
    for cells in found:
        rows, columns = ([places[cell][axis] for cell in cells] for axis in (0, 1))
        sizes.add((max(rows) - min(rows) + 1, max(columns) - min(columns) + 1))
    return sizes


def _blocks(
    where: dict[tuple[int, int], int], height: int, width: int, down: int, across: int
) -> list[tuple[int, ...]]:
    rows, columns = range(height - down + 1), range(width - across + 1)
    if len(rows) * len(columns) * (1 + (down != across)) > DENSE:
        if across > down and len(columns) % 2:
            columns = columns[::2]
        elif down > across and len(rows) % 2:
            rows = rows[::2]
    found = []
    for row in rows:
        for column in columns:
            block = [(row + r, column + c) for r in range(down) for c in range(across)]
            if all(place in where for place in block):
                found.append(tuple(where[place] for place in block))
    return found


def _lines(where: dict[tuple[int, int], int], step: tuple[int, int], least: int, longest: int) -> list[tuple[int, ...]]:
    """The unbroken lines in one direction, whole; longer ones in all their pieces of the greatest length."""
    found = []
    for row, column in sorted(where):
        if (row - step[0], column - step[1]) in where:
            continue
        line = []
        while (row, column) in where:
            line.append(where[row, column])
            row, column = row + step[0], column + step[1]
        if len(line) >= least:
            length = min(len(line), longest)
            found += [tuple(line[n : n + length]) for n in range(len(line) - length + 1)]
    return found


def single_counts(kinds: Sequence[int]) -> list[tuple[int, ...]]:
    """Each count alone."""
    return [(n,) for n in range(len(kinds))]


def counts_together(kinds: Sequence[int]) -> list[tuple[int, ...]]:
    """Which counts of a state without a board are looked at together, by the kinds of numbers that each has.

    Each alone, for what holds whatever the others are; all of them, where one table has room for that, since nothing
    about such a game is beyond it; then pairs, threes and so on, as many as there is room for, neighbours first.
    """
    everything = tuple(range(len(kinds)))
    smaller = (sorted(combinations(everything, size), key=_reach) for size in range(2, len(kinds)))
    larger = chain([everything], chain.from_iterable(smaller))
    small = (group for group in larger if len(group) > 1 and prod(kinds[n] for n in group) <= ENTRIES)
    return [*single_counts(kinds), *islice(small, GROUPS)]


def _reach(group: tuple[int, ...]) -> int:
    return group[-1] - group[0]


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
