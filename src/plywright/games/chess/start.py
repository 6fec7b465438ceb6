"""The 960 starts of Chess960 by their numbers: bishops, queen and knights placed one after another."""

from __future__ import annotations

from itertools import combinations

CLASSICAL = 518
"""The number of the usual start."""


def back_rank(number: int) -> str:
    """The black pieces of a start from the a-file on: 518 is rnbqkbnr."""
    rest, light = divmod(number, 4)
    rest, dark = divmod(rest, 4)
    knights, queen = divmod(rest, 6)
    files = [""] * 8
    files[2 * light + 1], files[2 * dark] = "b", "b"
    _put(files, queen, "q")
    first, second = list(combinations(range(5), 2))[knights]
    free = [file for file in range(8) if not files[file]]
    files[free[first]] = files[free[second]] = "n"
    for piece in "rkr":
        _put(files, 0, piece)
    return "".join(files)


def _put(files: list[str], place: int, piece: str) -> None:
    """Set a piece on the free file with that number."""
    files[[file for file in range(8) if not files[file]][place]] = piece
