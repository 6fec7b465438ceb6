"""Boards of crossing lines: round stones on the crossings, star points, marks of whose a point is.

    crossings("X..OX....", 3, {"X": "black", "O": "white"}, last=0)

`cells` names the content of each crossing, row by row from row 1, which is drawn at the bottom. Both forms of the
picture show the same: stones, coordinates, star points, the last move, and, where they are given, owners.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from . import svg
from .board import BOARD_CLASSES, EMPTY, LETTERS
from .picture import Picture
from .svg import Markup, element

STEP = 30
FRAME = 38
STONE = 14
STAR, BLACKS, WHITES = "+", "x", "o"
"""Signs of the text: a star point, and a free point that is rather the first or the second colour's."""
SURE = 0.2
"""From which share on the text names an owner."""

CROSSING_CLASSES = {
    "table": "fill:$dark-wood",
    "crossing-line": "stroke:$black;stroke-opacity:.65;stroke-width:1;fill:none",
    "star": "fill:$black;fill-opacity:.8",
    "owner-first": "fill:$black",
    "owner-second": "fill:$white",
    "coordinate": f"fill:$black;fill-opacity:.75;{svg.SANS};font-size:12px;text-anchor:middle",
    "room": "fill:$ink;fill-opacity:0",
    **{name: BOARD_CLASSES[name] for name in ("shadow", "black", "white", "last-dot")},
}


def star_points(size: int) -> list[int]:
    """The points that a square board marks: its middle, and from nine lines on corners, from fifteen sides."""
    if size < 5:
        return []
    edge, middle = 2 if size < 12 else 3, size // 2
    lines = [edge, size - 1 - edge] if size >= 7 else []
    found = {(row, column) for row in lines for column in lines}
    if size % 2:
        found.add((middle, middle))
        if size >= 15:
            found |= {(row, middle) for row in lines} | {(middle, column) for column in lines}
    return sorted(row * size + column for row, column in found)


def crossings(
    cells: str,
    columns: int,
    stones: Mapping[str, str],
    *,
    stars: Collection[int] = (),
    last: int | None = None,
    owners: Sequence[float] = (),
    column_names: Sequence[str] = LETTERS,
    caption: str = "",
) -> Picture:
    """The picture of a board; `owners` are from 1, surely the first colour's, to -1, one for each crossing."""
    rows = len(cells) // columns
    words = _text(cells, columns, rows, stars, last, owners, column_names, caption)
    width, height = (columns - 1) * STEP + 2 * FRAME, (rows - 1) * STEP + 2 * FRAME

    def at(cell: int) -> tuple[float, float]:
        return FRAME + cell % columns * STEP, FRAME + (rows - 1 - cell // columns) * STEP

    parts = [element("rect", x=0, y=0, width=width, height=height, rx=6, class_="table")]
    parts += _lines(columns, rows)
    parts += _coordinates(columns, rows, column_names)
    parts += [element("circle", cx=at(cell)[0], cy=at(cell)[1], r=3, class_="star") for cell in stars]
    for cell, sign in enumerate(cells):
        x, y = at(cell)
        here = [element("rect", x=x - STEP / 2, y=y - STEP / 2, width=STEP, height=STEP, class_="room")]
        if sign != EMPTY:
            here += _stone(x, y, stones[sign])
        if owners:
            here += _owner(x, y, owners[cell])
        if cell == last:
            here.append(element("circle", cx=x, cy=y, r=4.5, class_="last-dot"))
        parts.append(svg.place(f"{column_names[cell % columns]}{cell // columns + 1}", *here))
    full_width, full_height, parts = svg.captioned(width, height, parts, caption, turns=True)
    picture = svg.document(full_width, full_height, *parts, description=words, label=caption, classes=CROSSING_CLASSES)
    return Picture(picture, words)


def _lines(columns: int, rows: int) -> list[Markup]:
    right, bottom = FRAME + (columns - 1) * STEP, FRAME + (rows - 1) * STEP
    across = "".join(f"M{FRAME} {FRAME + row * STEP}H{right}" for row in range(rows))
    down = "".join(f"M{FRAME + column * STEP} {FRAME}V{bottom}" for column in range(columns))
    return [element("path", d=across + down, class_="crossing-line")]


def _coordinates(columns: int, rows: int, column_names: Sequence[str]) -> list[Markup]:
    right, bottom = FRAME + (columns - 1) * STEP + 27, FRAME + (rows - 1) * STEP + 32
    places = [(FRAME + n * STEP, y, str(column_names[n])) for n in range(columns) for y in (14, bottom)]
    places += [(x, FRAME + (rows - 1 - n) * STEP + 4, str(n + 1)) for n in range(rows) for x in (11, right)]
    return [svg.upright(svg.text(x, y, name, "coordinate")) for x, y, name in places]


def _stone(x: float, y: float, colour: str) -> list[Markup]:
    return [
        element("circle", cx=x, cy=y + 1.5, r=STONE, class_="shadow"),
        element("circle", cx=x, cy=y, r=STONE, class_=colour),
    ]


def _owner(x: float, y: float, share: float) -> list[Markup]:
    """A square as large as the owner is sure."""
    half = 6 * min(abs(share), 1.0)
    if half < 0.5:
        return []
    colour = "owner-first" if share > 0 else "owner-second"
    return [element("rect", x=x - half, y=y - half, width=2 * half, height=2 * half, class_=colour)]


def _text(
    cells: str,
    columns: int,
    rows: int,
    stars: Collection[int],
    last: int | None,
    owners: Sequence[float],
    column_names: Sequence[str],
    caption: str,
) -> str:
    """One character a crossing, the last move between brackets."""
    margin = len(str(rows))
    head = " " * (margin + 1) + " ".join(str(column_names[column]) for column in range(columns))
    lines = [head]
    for row in range(rows - 1, -1, -1):
        line = str(row + 1).rjust(margin)
        for cell in range(row * columns, (row + 1) * columns):
            sign = cells[cell]
            if sign == EMPTY:
                sign = STAR if cell in stars else EMPTY
                if owners and abs(owners[cell]) >= SURE:
                    sign = BLACKS if owners[cell] > 0 else WHITES
            before = "[" if cell == last else "]" if cell % columns and cell - 1 == last else " "
            line += before + sign
        lines.append(line + ("]" if (row + 1) * columns - 1 == last else ""))
    return "\n".join([*lines, head, caption] if caption else [*lines, head])
