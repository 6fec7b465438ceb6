"""Tables of Othello's board: rays, neighbours, quadrants, and the worth of squares."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

SQUARES = {(0, 0): 40, (0, 1): -10, (0, 2): 10, (0, 3): 8, (1, 1): -20, (1, 2): -2, (1, 3): -2}
"""How early to try a square for its place alone, by its distance from the two nearest edges."""
OTHER_SQUARE = 4


def rays(size: int) -> NDArray[np.uint64]:
    """[squares * 8] the squares in each direction from each square: the four towards the last square first."""
    steps = [(0, 1), (1, 0), (1, -1), (1, 1)]
    steps += [(-down, -right) for down, right in steps]
    table = []
    for square in range(size * size):
        for down, right in steps:
            row, column = square // size + down, square % size + right
            ray = 0
            while 0 <= row < size and 0 <= column < size:
                ray |= 1 << row * size + column
                row, column = row + down, column + right
            table.append(ray)
    return np.array(table, np.uint64)


def neighbours(size: int) -> NDArray[np.uint64]:
    """[squares] the squares next to each square."""
    places = [divmod(square, size) for square in range(size * size)]
    near = [[max(abs(row - r), abs(column - c)) == 1 for r, c in places] for row, column in places]
    return np.array([sum(1 << square for square, is_near in enumerate(row) if is_near) for row in near], np.uint64)


def quadrants(size: int) -> NDArray[np.uint64]:
    """[squares] the quarter of the board in which each square lies."""
    quarter = [(square // size * 2 // size, square % size * 2 // size) for square in range(size * size)]
    boards = [sum(1 << square for square, other in enumerate(quarter) if other == own) for own in quarter]
    return np.array(boards, np.uint64)


def square_order(size: int) -> NDArray[np.int64]:
    """[squares] how early to try a square for its place alone."""
    edges = [sorted(min(place, size - 1 - place) for place in divmod(square, size)) for square in range(size * size)]
    return np.array([SQUARES.get((near, far), OTHER_SQUARE) for near, far in edges], np.int64)


def images(size: int) -> NDArray[np.int64]:
    """[8 * squares] where turning and mirroring the board put each square."""
    last = size - 1
    places = [divmod(square, size) for square in range(size * size)]
    rows: list[list[int]] = []
    for turn in range(8):
        swapped = [(column, row) if turn & 1 else (row, column) for row, column in places]
        flipped = [(last - row if turn & 2 else row, last - column if turn & 4 else column) for row, column in swapped]
        rows.append([row * size + column for row, column in flipped])
    return np.array(rows, np.int64).ravel()
