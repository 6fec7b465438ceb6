"""Heat maps: how much each cell of a board is worth, in colours that go both ways from nothing.

    heat([Panel("white pawn", {(0, 0): 0.3, (0, 1): -0.1})], caption="worth of a pawn, by square")

Places are row and column, row 0 at the bottom where `upward`. Panels share one scale and stand side by side.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from . import svg
from .picture import Picture
from .svg import Markup, element

SIDE = 46
GAP = 34
HEAD = 30
ACROSS = 4
"""Panels in a row."""
TONES = 10
LETTERS = "abcdefghijklmnopqrstuvwxyz"

HEAT_CLASSES: dict[str, str] = {
    "heat-none": "fill:$paper;stroke:$line",
    **{f"heat-up-{n}": f"fill:$second;fill-opacity:{n / TONES:.1f};stroke:$line" for n in range(1, TONES + 1)},
    **{f"heat-down-{n}": f"fill:$first;fill-opacity:{n / TONES:.1f};stroke:$line" for n in range(1, TONES + 1)},
    "heat-words": f"fill:$ink;{svg.SANS};font-size:11px;text-anchor:middle",
}


class Panel(NamedTuple):
    """One board: what it is about, and a number for each of its places."""

    title: str
    values: Mapping[tuple[int, int], float]


def heat(panels: Sequence[Panel], *, upward: bool = True, caption: str = "") -> Picture:
    """The picture of one or more boards on a common scale: blue is good, red is bad."""
    largest = max((abs(value) for panel in panels for value in panel.values.values()), default=0.0) or 1.0
    words = "\n\n".join(_text(panel, upward) for panel in panels)
    words = f"{words}\n{caption}" if caption else words
    parts: list[Markup] = []
    left, top, below, wide = 0.0, 0.0, 0.0, 0.0
    for number, panel in enumerate(panels):
        if number and number % ACROSS == 0:
            left, top, below = 0.0, top + below + GAP, 0.0
        drawn, width, height = _panel(panel, largest, upward)
        parts.append(element("g", *drawn, transform=f"translate({svg.number(left)} {svg.number(top)})"))
        left, below = left + width + GAP, max(below, height)
        wide = max(wide, left - GAP)
    width, height, parts = svg.captioned(wide + 8, top + below + 8, parts, caption)
    return Picture(svg.document(width, height, *parts, description=words, label=caption, classes=HEAT_CLASSES), words)


def _size(panel: Panel) -> tuple[int, int]:
    rows, columns = (max((place[axis] for place in panel.values), default=0) + 1 for axis in (0, 1))
    return rows, columns


def _panel(panel: Panel, largest: float, upward: bool) -> tuple[list[Markup], float, float]:
    rows, columns = _size(panel)
    width = max(20.0 + columns * SIDE, 7.4 * len(panel.title))
    parts = [svg.text(width / 2, 18, panel.title, "caption")]
    for (row, column), value in panel.values.items():
        x, y = 20 + column * SIDE, HEAD + (rows - 1 - row if upward else row) * SIDE
        tone = round(TONES * abs(value) / largest)
        look = "none" if tone == 0 else f"{'up' if value > 0 else 'down'}-{tone}"
        parts.append(element("rect", x=x, y=y, width=SIDE, height=SIDE, class_=f"heat-{look}"))
        parts.append(svg.text(x + SIDE / 2, y + SIDE / 2 + 4, number_text(value), "heat-words"))
    for row in range(rows):
        middle = HEAD + (rows - 1 - row if upward else row) * SIDE + SIDE / 2 + 4
        parts.append(svg.text(9, middle, str(row + 1)))
    below = HEAD + rows * SIDE + 16
    parts += [svg.text(20 + (column + 0.5) * SIDE, below, _letter(column)) for column in range(columns)]
    return parts, width, below + 6


def _text(panel: Panel, upward: bool) -> str:
    """One number a cell."""
    rows, columns = _size(panel)
    shown = {place: number_text(value) for place, value in panel.values.items()}
    width = max(map(len, shown.values()), default=1)
    lines = [panel.title]
    for row in range(rows - 1, -1, -1) if upward else range(rows):
        cells = [shown.get((row, column), "").rjust(width) for column in range(columns)]
        lines.append(f"{row + 1:>3} " + " ".join(cells).rstrip())
    lines.append("    " + " ".join(_letter(column).rjust(width) for column in range(columns)))
    return "\n".join(lines)


def _letter(column: int) -> str:
    return LETTERS[column] if column < len(LETTERS) else str(column + 1)


def number_text(value: float) -> str:
    """A worth in few characters: two digits that count."""
    if value == 0:
        return "0"
    return f"{value:+.2f}" if abs(value) >= 0.1 else f"{value:+.3f}" if abs(value) >= 0.001 else f"{value:+.0e}"
