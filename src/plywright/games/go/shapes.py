"""What the eight cells around a point tell: eyes, and the local shapes worth playing.

The shapes are those of MoGo (Gelly, Wang, Munos & Teytaud 2006): hane, cuts and moves at the edge. Here they are
written as three rows with the point to play in the middle: X and O are the two colours in either order, `.` is free,
`#` the edge, `x` not X, `o` not O, `?` anything.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

PATTERNS = (
    *("XOX .*. ???", "XO. .*. ?.?", "XO? X*. x.?"),  # hane: around, beside, bent
    *("XO? O*o ?o?", "XO? O*X ???", "?X? O*O ooo", "OX? o*O ???"),  # cuts
    *("X.? O*? ###", "OX? X*O ###", "?X? x*O ###", "?XO x*x ###", "?OX X*O ###"),  # at the edge
)
MEANINGS = {"X": "X", "O": "O", ".": ".", "#": "#", "x": "O.#", "o": "X.#", "?": "XO.#"}
COLOURS = {".": 0, "X": 1, "O": 2, "#": 3}
ORDER = (1, 7, 5, 3, 2, 0, 8, 6)
"""The cells around the middle one of nine, row by row from the top, in the order N S E W NE NW SE SW of `around`."""
EYES, SHAPE = (1, 2), 4


def shape_table() -> NDArray[np.uint8]:
    """[65536] for each code of eight neighbours: bits of whose eye it is, and whether it is a shape to play."""
    table = np.zeros(1 << 16, np.uint8)
    codes = np.arange(1 << 16)
    cells = [codes >> 2 * n & 3 for n in range(8)]
    for stone, bit in zip((1, 2), EYES, strict=True):
        closed = np.logical_and.reduce([(cell == stone) | (cell == 3) for cell in cells[:4]])
        corners = sum((cell == 3 - stone).astype(int) for cell in cells[4:])
        at_edge = np.logical_or.reduce([cell == 3 for cell in cells])
        table[closed & (corners + at_edge < 2)] |= bit
    images = {image for pattern in PATTERNS for image in _images(pattern.replace(" ", ""))}
    for image in images | {image.translate(str.maketrans("XOxo", "OXox")) for image in images}:
        matches = np.ones(1, bool)  # the last cell is the highest of a code
        for place in reversed(ORDER):
            allowed = np.isin(range(4), [COLOURS[sign] for sign in MEANINGS[image[place]]])
            matches = np.logical_and.outer(matches, allowed).ravel()
        table[matches] |= SHAPE
    return table


def _images(pattern: str) -> Iterator[str]:
    """The eight ways to turn and mirror nine cells."""
    for _ in range(4):
        pattern = "".join(pattern[6 - 3 * (n % 3) + n // 3] for n in range(9))
        yield pattern
        yield "".join(pattern[n // 3 * 3 + 2 - n % 3] for n in range(9))
