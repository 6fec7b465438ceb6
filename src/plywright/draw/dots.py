"""Dots, the edges drawn between them, and the boxes they close.

    dots(["-.", "--"], ["||."], ["A."], last=("down", 0, 1))

Rows count from the bottom: `across[r]` has a sign for each edge along dot row r, `down[r]` for each
upright edge between dot rows r and r + 1, `boxes[r]` the owner of each box; a full stop is nothing.
Every edge not drawn yet is a place, named by its dots: `a1-b1`.
"""

from __future__ import annotations

from collections.abc import Sequence

from . import svg
from .picture import Picture
from .svg import element

NOTHING = "."
GAP = 56
MARGIN = 34
LETTERS = "abcdefghijklmnopqrstuvwxyz"

DOTS_CLASSES = {
    "peg": "fill:$ink",
    "faint-edge": "stroke:$line;stroke-width:1.5;stroke-dasharray:1 6;stroke-linecap:round",
    "drawn-edge": "stroke:$ink;stroke-width:5;stroke-linecap:round",
    "last-edge": "stroke:$last-paper;stroke-width:6;stroke-linecap:round",
    "edge-room": "stroke:$ink;stroke-opacity:0;stroke-width:22",
    "first-box": "fill:$first;opacity:.2",
    "second-box": "fill:$second;opacity:.2",
    "first-name": f"fill:$ink;{svg.SANS};font-size:22px;text-anchor:middle",
    "second-name": f"fill:$ink;{svg.SANS};font-size:22px;text-anchor:middle",
}


def dots(
    across: Sequence[str],
    down: Sequence[str],
    boxes: Sequence[str],
    *,
    owners: str = "AB",
    last: tuple[str, int, int] | None = None,
    caption: str = "",
) -> Picture:
    """The picture of a game on dots; `last` is ('across' or 'down', row, column) of the newest edge."""
    words = _text(across, down, boxes, last, caption)
    return Picture(_svg(across, down, boxes, owners, last, caption, words), words)


def _text(
    across: Sequence[str],
    down: Sequence[str],
    boxes: Sequence[str],
    last: tuple[str, int, int] | None,
    caption: str,
) -> str:
    """Dots as +, edges as --- and |, the newest edge as # signs, owners inside their boxes."""
    columns, rows = len(across[0]), len(boxes)
    lines = []
    for row in range(rows, -1, -1):
        line = f"{row + 1:>2} +"
        for column, sign in enumerate(across[row]):
            stroke = "###" if last == ("across", row, column) else "---" if sign != NOTHING else "   "
            line += stroke + "+"
        lines.append(line)
        if row > 0:
            line = "   "
            for column, sign in enumerate(down[row - 1]):
                line += "#" if last == ("down", row - 1, column) else "|" if sign != NOTHING else " "
                owner = boxes[row - 1][column] if column < columns else NOTHING
                line += f" {owner if owner != NOTHING else ' '} " if column < columns else ""
            lines.append(line.rstrip())
    lines.append("   " + "   ".join(LETTERS[: columns + 1]))
    return "\n".join([*lines, caption] if caption else lines)


def _svg(
    across: Sequence[str],
    down: Sequence[str],
    boxes: Sequence[str],
    owners: str,
    last: tuple[str, int, int] | None,
    caption: str,
    words: str,
) -> str:
    columns, rows = len(across[0]), len(boxes)
    width, height = columns * GAP + 2 * MARGIN, rows * GAP + 2 * MARGIN

    def place(column: float, row: float) -> tuple[float, float]:
        return MARGIN + column * GAP, height - MARGIN - row * GAP

    parts = []
    for row in range(rows):
        for column, owner in enumerate(boxes[row]):
            if owner != NOTHING:
                side = ("first", "second")[owners.index(owner)]
                x, y = place(column, row + 1)
                parts.append(element("rect", x=x, y=y, width=GAP, height=GAP, class_=f"{side}-box"))
                parts.append(svg.text(x + GAP / 2, y + GAP / 2 + 8, owner, f"{side}-name"))
    strokes = [("across", row, column, sign) for row in range(rows + 1) for column, sign in enumerate(across[row])]
    strokes += [("down", row, column, sign) for row in range(rows) for column, sign in enumerate(down[row])]
    for kind, row, column, sign in sorted(strokes, key=lambda stroke: stroke[3] != NOTHING):
        x1, y1 = place(column, row)
        x2, y2 = place(column + 1, row) if kind == "across" else place(column, row + 1)
        class_ = "last-edge" if last == (kind, row, column) else "drawn-edge" if sign != NOTHING else "faint-edge"
        ends = {"x1": x1, "y1": y1, "x2": x2, "y2": y2}
        edge = element("line", **ends, class_=class_)
        if sign == NOTHING:
            far = (row, column + 1) if kind == "across" else (row + 1, column)
            name = f"{LETTERS[column]}{row + 1}-{LETTERS[far[1]]}{far[0] + 1}"
            edge = svg.place(name, element("line", **ends, class_="edge-room"), edge)
        parts.append(edge)
    for row in range(rows + 1):
        parts += [
            element("circle", cx=x, cy=y, r=5, class_="peg") for x, y in (place(c, row) for c in range(columns + 1))
        ]
        parts.append(svg.text(14, place(0, row)[1] + 5, str(row + 1)))
    parts += [svg.text(place(column, 0)[0], height - 8, LETTERS[column]) for column in range(columns + 1)]
    page, tall, parts = svg.captioned(width, height, parts, caption, turns=True)
    return svg.document(page, tall, *parts, description=words, label=caption, classes=DOTS_CLASSES)
