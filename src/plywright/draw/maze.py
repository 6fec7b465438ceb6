"""A maze with dots and figures: walls as rounded lines, a hungry disc, ghosts.

    maze(["%%%%%", "%<.M%", "%%%%%"])

Signs of the rows: % wall, . dot, o large dot, blank. Figures are given apart, by cell.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from . import svg
from .picture import Picture
from .svg import Markup, element

SIZE = 20
GHOST_COLOURS = ("first", "second", "mark", "good")
MAZE_CLASSES = {
    "floor": "fill:$black",
    "wall": "stroke:#4f8fe0;stroke-width:9;stroke-linecap:round;stroke-linejoin:round;fill:none",
    "wall-inside": "stroke:$black;stroke-width:5;stroke-linecap:round;stroke-linejoin:round;fill:none",
    "block": "fill:$second",
    "dot": "fill:$light-wood",
    "eater": "fill:$yellow",
    "eye": "fill:$white",
    "pupil": "fill:$black",
    "afraid": "fill:$second;stroke:$white;stroke-width:1.5",
    **{f"ghost-{colour}": f"fill:${colour}" for colour in GHOST_COLOURS},
}
MOUTHS = "v<^>"  # the open side of a disc that faces north, east, south, west


@dataclass(frozen=True)
class Figure:
    """Somebody in a cell; `facing` is 0 to 3 from north clockwise, or None."""

    cell: int
    kind: str  # "eater", "ghost" or "afraid"
    facing: int | None = None
    number: int = 0


def maze(
    rows: Sequence[str],
    figures: Sequence[Figure] = (),
    *,
    caption: str = "",
    live: bool = False,
    gone: Collection[int] = (),
) -> Picture:
    """The picture of a maze with the figures in it; in a `live` one a script can find every dot and figure.

    The dots in the cells of `gone` are hidden: a script may show them again.
    """
    words = _text(rows, figures, gone)
    columns = len(rows[0])
    width, height = columns * SIZE, len(rows) * SIZE
    parts = [element("rect", x=0, y=0, width=width, height=height, class_="floor", rx=6)]
    parts += _walls(rows)
    for place, sign in enumerate("".join(rows)):
        if sign in ".o":
            x, y = _centre(place, columns)
            mark: dict[str, object] = {"data_cell": place} if live else {}
            if place in gone:
                mark["style"] = "display:none"
            parts.append(element("circle", cx=x, cy=y, r=2.2 if sign == "." else 6, class_="dot", **mark))
    for number, figure in enumerate(figures):
        shape = _figure(figure, *_centre(figure.cell, columns))
        parts.append(element("g", shape, data_figure=number) if live else shape)
    if caption:
        words = f"{words}\n{caption}"
    page, depth, drawn = svg.captioned(width, height, parts, caption)
    return Picture(svg.document(page, depth, *drawn, description=words, classes=MAZE_CLASSES), words)


def _centre(cell: int, columns: int) -> tuple[float, float]:
    row, column = divmod(cell, columns)
    return (column + 0.5) * SIZE, (row + 0.5) * SIZE


def _walls(rows: Sequence[str]) -> list[Markup]:
    """One stroke for each run of walls along a row or down a column, a dot for a wall alone."""
    columns, path, alone = len(rows[0]), [], []
    wall = [[sign == "%" for sign in row] for row in rows]
    for row in range(len(rows)):
        for column in range(columns):
            if not wall[row][column]:
                continue
            x, y = (column + 0.5) * SIZE, (row + 0.5) * SIZE
            right = column + 1 < columns and wall[row][column + 1]
            below = row + 1 < len(rows) and wall[row + 1][column]
            if right and (column == 0 or not wall[row][column - 1]):
                end = column
                while end + 1 < columns and wall[row][end + 1]:
                    end += 1
                path.append(f"M{x:g} {y:g}H{(end + 0.5) * SIZE:g}")
            if below and (row == 0 or not wall[row - 1][column]):
                end = row
                while end + 1 < len(rows) and wall[end + 1][column]:
                    end += 1
                path.append(f"M{x:g} {y:g}V{(end + 0.5) * SIZE:g}")
            left, above = column > 0 and wall[row][column - 1], row > 0 and wall[row - 1][column]
            if not (left or right or above or below):
                alone.append(element("circle", cx=x, cy=y, r=4, class_="block"))
    drawn = "".join(path)
    return [element("path", d=drawn, class_="wall"), element("path", d=drawn, class_="wall-inside"), *alone]


def _figure(figure: Figure, x: float, y: float) -> Markup:
    if figure.kind == "eater":
        turn = 90 * ((figure.facing if figure.facing is not None else 1) - 1)
        shape = "M0 0L7.2 -5A9 9 0 1 0 7.2 5Z"
        return element("path", d=shape, class_="eater", transform=f"translate({x:g} {y:g}) rotate({turn})")
    colour = GHOST_COLOURS[figure.number % len(GHOST_COLOURS)]
    body = "M-8 8V-1A8 8 0 0 1 8 -1V8L4 5L0 8L-4 5Z"
    look = {None: (0, 0), 0: (0, -1.2), 1: (1.2, 0), 2: (0, 1.2), 3: (-1.2, 0)}[figure.facing]
    parts = [element("path", d=body, class_="afraid" if figure.kind == "afraid" else f"ghost-{colour}")]
    for side in (-3, 3):
        parts.append(element("circle", cx=side, cy=-2, r=2.4, class_="eye"))
        if figure.kind != "afraid":
            parts.append(element("circle", cx=side + look[0], cy=-2 + look[1], r=1.2, class_="pupil"))
    return element("g", *parts, transform=f"translate({x:g} {y:g})")


def _text(rows: Sequence[str], figures: Sequence[Figure], gone: Collection[int] = ()) -> str:
    """The same as letters: the disc is its mouth, ghosts are M, frightened ones m."""
    columns = len(rows[0])
    cells = [list(row) for row in rows]
    for cell in gone:
        cells[cell // columns][cell % columns] = " "
    for figure in figures:
        sign = "m" if figure.kind == "afraid" else "M"
        if figure.kind == "eater":
            sign = MOUTHS[figure.facing if figure.facing is not None else 1]
        cells[figure.cell // columns][figure.cell % columns] = sign
    return "\n".join("".join(row) for row in cells)
