"""A state that nobody drew: its board, where one can be seen in it, as a grid; the other fields in words.

    fields([("board", ((0, 1), (2, 0))), ("turn", 1)])

A board is a tuple of rows, or one long tuple whose width is given or that is a square.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from .cells import Cell, cells
from .picture import Picture, note

MOST_CELLS = 400
SMALLEST_SQUARE = 9
"""Cells of a tuple that is taken for a square without being told so."""
DISCS = ({0, 1, 2}, {0, 1, -1})
"""Numbers of a board that are empty, the first player's and the second's."""


def fields(parts: Sequence[tuple[str, Any]], widths: Sequence[int] = (), words: str | None = None) -> Picture:
    """The picture of a state by its parts and their names; `words` is what is shown where there is no board in it.

    `widths` are those that a board may have, the likeliest first. A plain tuple that is the only part, and no board
    itself, may have one in it: its values are then called `state[1]` and so on.
    """
    boards = _boards(parts, widths)
    if len(parts) == 1 and not boards and _is_row(parts[0][1]):
        ((whole, values),) = parts
        inner = [(f"{whole}[{place}]", value) for place, value in enumerate(values)]
        boards = _boards(inner, widths)
        parts = inner if len(boards) == 1 else parts
    rest = "  ".join(f"{name} {value}" for name, value in parts if [name] != [*boards])
    if len(boards) != 1:
        return note(rest if words is None else words)
    ((value, columns),) = boards.values()
    content = [cell for row in value for cell in row] if isinstance(value[0], tuple) else list(value)
    if not any(set(content) <= kinds for kinds in DISCS):
        return cells([Cell(str(it) if it else "") for it in content], columns, named=False, caption=rest)
    pawns = {place: [(0, "1") if it == 1 else (1, "2")] for place, it in enumerate(content) if it}
    return cells([Cell("")] * len(content), columns, pawns=pawns, named=False, caption=rest)


def _boards(parts: Sequence[tuple[str, Any]], widths: Sequence[int]) -> dict[str, tuple[Any, int]]:
    """The parts that are boards, each with its width."""
    return {name: (value, columns) for name, value in parts if (columns := _columns(value, widths))}


def _columns(value: Any, widths: Sequence[int]) -> int:
    """How wide the board is that a part of a state shows; 0 where it is none."""
    if not _is_row(value):
        return 0
    if all(map(_is_row, value)):
        lengths = {len(row) for row in value}
        plain = all(isinstance(cell, int | str) for row in value for cell in row)
        width = lengths.pop() if len(lengths) == 1 and plain else 0
        return width if width * len(value) <= MOST_CELLS else 0
    if not all(isinstance(cell, int) for cell in value):
        return 0
    root = math.isqrt(len(value))
    square = [root] if root * root == len(value) >= SMALLEST_SQUARE else []
    return next((width for width in (*widths, *square) if 1 < width < len(value) and not len(value) % width), 0)


def _is_row(value: Any) -> bool:
    return isinstance(value, tuple) and not hasattr(value, "_fields") and 1 < len(value) <= MOST_CELLS
