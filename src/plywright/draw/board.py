"""Boards of squares: discs, crosses, pawns or letters on felt, wood, paper or in a rack.

    board("X..OX....", 3, {"X": Piece("cross", "first-ink"), "O": Piece("ring", "second-ink")}, look="paper")

`cells` names the content of each cell, row by row from row 1; `upward` draws row 1 at the bottom.
Every square carries the name of its place, column and row, by which a page knows what was clicked.
Both forms of the picture show the same: pieces, coordinates, the last move, and legal targets.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import NamedTuple

from . import svg
from .chessmen import CHESS_CLASSES, chessman
from .emblems import EMBLEM_CLASSES, emblem
from .picture import Picture
from .svg import Markup, element

EMPTY = "."
BLANK = " "
"""A cell that no piece ever stands on, such as the light squares of checkers."""
TARGET = "+"
CELL = 48
LETTERS = "abcdefghijklmnopqrstuvwxyz"


class Piece(NamedTuple):
    """How the pieces of one sign look: `shape` is a key of `SHAPES`, `colour` a class of `BOARD_CLASSES`."""

    shape: str
    colour: str


class Look(NamedTuple):
    """What the pieces stand on: a frame of that width around squares of one or two classes."""

    frame: int
    frame_class: str
    label_class: str
    squares: tuple[str, ...]
    mark: str
    """How the last move shows: `last-...` frames its squares, any other class is a dot on the piece."""


LOOKS = {
    "felt": Look(30, "wooden", "on-wood", ("felt",), "last-dot"),
    "wood": Look(30, "wooden", "on-wood", ("dark-square", "light-square"), "last-on-wood"),
    "paper": Look(30, "bare", "label", ("sheet",), "last-on-paper"),
    "sea": Look(30, "bare", "label", ("water",), "last-on-paper"),
    "rack": Look(14, "rack", "label", ("hole",), "last-white-dot"),
}

BOARD_CLASSES = {
    "wooden": "fill:$wood",
    "bare": "fill:none",
    "felt": "fill:$felt;stroke:$felt-line;stroke-width:1.5",
    "felt-dot": "fill:$felt-line",
    "light-square": "fill:$light-wood",
    "dark-square": "fill:$dark-wood",
    "sheet": "fill:$paper;stroke:$line;stroke-width:1.5",
    "rack": "fill:$rack;stroke:$rack-edge;stroke-width:2",
    "hole": "fill:$hole;stroke:$rack-edge;stroke-width:2",
    "shadow": "fill:#000;opacity:.28",
    "black": "fill:$black;stroke:$black-edge;stroke-width:1.2",
    "white": "fill:$white;stroke:$white-edge;stroke-width:1.2",
    "red": "fill:$red;stroke:$red-edge;stroke-width:2",
    "yellow": "fill:$yellow;stroke:$yellow-edge;stroke-width:2",
    "first-ink": "fill:none;stroke:$first;stroke-width:6;stroke-linecap:round",
    "second-ink": "fill:none;stroke:$second;stroke-width:6",
    "crown": "fill:$mark;stroke:#000;stroke-opacity:.5;stroke-width:1",
    "corner": f"fill:#1d1207;{svg.SANS};font-size:8px",
    "letter": f"fill:$ink;{svg.SANS};font-size:26px;text-anchor:middle",
    "water": "fill:$sea;stroke:$sea-line;stroke-width:1.5",
    "hull": "fill:$hull;stroke:$ink;stroke-width:1.2",
    "porthole": "fill:$sea",
    "splash": "fill:none;stroke:$second;stroke-width:3",
    "burst": "fill:$first;stroke:$ink;stroke-width:1.2",
    "tile-first": "fill:#b3301f;stroke:#3d0d06;stroke-width:1.5",
    "tile-second": "fill:#22588f;stroke:#0a2038;stroke-width:1.5",
    **EMBLEM_CLASSES,
    "last-dot": "fill:$mark;stroke:#000;stroke-width:1.5",
    "last-white-dot": "fill:#fff;stroke:#000;stroke-width:1.5",
    "tint": "fill:$mark;opacity:.3",
    "last-on-wood": "fill:none;stroke:$last-wood;stroke-width:3.5",
    "last-on-paper": "fill:none;stroke:$last-paper;stroke-width:3.5",
    "target": "fill:#fdfbe6;opacity:.8",
    "row-won": "stroke:$mark;stroke-width:7;stroke-linecap:round",
    "row-edge": "stroke:#17191c;stroke-width:11;stroke-linecap:round",
    **CHESS_CLASSES,
}


def board(
    cells: str,
    columns: int,
    pieces: Mapping[str, Piece],
    *,
    look: str = "wood",
    upward: bool = False,
    column_names: Sequence[str] = LETTERS,
    row_names: Sequence[str] | None = None,
    last: Collection[int] = (),
    targets: Collection[int] = (),
    places: Sequence[str] | None = None,
    corners: Sequence[str] = (),
    alarm: Collection[int] = (),
    arrows: Sequence[tuple[int, int]] = (),
    won: tuple[int, int] | None = None,
    caption: str = "",
) -> Picture:
    """The picture of a board; cells in `last`, `targets`, `alarm` and `arrows` are numbered as in `cells`.

    Cells in `alarm` are marked as attacked; an arrow leads from one cell to another; `won` are the ends of a row that
    wins, which is struck through.

    An empty `row_names` leaves rows unnamed; by default they are numbered from 1. A sign without a
    piece is drawn as the letter it is. `places` are the names of the squares in the game's moves, where
    they are not those of column and row; an empty one is no place to click. `corners` are short texts for the
    corners of the squares, such as their numbers.
    """
    rows = len(cells) // columns
    names = [str(row + 1) for row in range(rows)] if row_names is None else list(row_names)
    order = list(range(rows))[:: -1 if upward else 1]  # the rows from the top of the picture down
    shown = "".join(TARGET if c == EMPTY and i in targets else c for i, c in enumerate(cells))
    words = _text(shown, columns, order, column_names, names, last, caption)
    if places is None:
        places = [f"{column_names[c % columns]}{names[c // columns] if names else ''}" for c in range(len(cells))]
    drawing = _Drawing(cells, columns, order, LOOKS[look], pieces, places, corners, alarm, arrows, won)
    return Picture(drawing.svg(column_names, names, last, targets, caption, words), words)


def row_of(cells: str, columns: int, length: int) -> tuple[int, int] | None:
    """The ends of the first unbroken row, column or diagonal of `length` equal pieces; None where there is none."""
    rows = len(cells) // columns
    for cell, sign in enumerate(cells):
        row, column = divmod(cell, columns)
        for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
            far, side = row + down * (length - 1), column + right * (length - 1)
            if sign in (EMPTY, BLANK) or far >= rows or not 0 <= side < columns:
                continue
            if all(cells[(row + n * down) * columns + column + n * right] == sign for n in range(length)):
                return cell, far * columns + side
    return None


def _text(
    cells: str,
    columns: int,
    order: Sequence[int],
    column_names: Sequence[str],
    row_names: Sequence[str],
    last: Collection[int],
    caption: str,
) -> str:
    """One character a cell, the last move between brackets."""
    margin = max((len(name) for name in row_names), default=0)
    head = " " * (margin + 1) + " ".join(str(column_names[column])[-1] for column in range(columns))
    lines = [head] if order[0] == 0 and len(order) > 1 else []
    for row in order:
        line = (row_names[row] if row_names else "").rjust(margin)
        for column in range(columns):
            cell = row * columns + column
            before = "[" if cell in last else "]" if column and cell - 1 in last else " "
            line += before + cells[cell]
        lines.append((line + ("]" if (row + 1) * columns - 1 in last else "")).rstrip())
    if head.strip() and head not in lines:
        lines.append(head)
    return "\n".join([*lines, caption] if caption else lines)


class _Drawing:
    """One board being drawn; `place` turns a cell into the centre of its square."""

    def __init__(
        self,
        cells: str,
        columns: int,
        order: Sequence[int],
        look: Look,
        pieces: Mapping[str, Piece],
        places: Sequence[str],
        corners: Sequence[str],
        alarm: Collection[int],
        arrows: Sequence[tuple[int, int]],
        won: tuple[int, int] | None,
    ) -> None:
        self.cells, self.columns, self.order, self.look, self.pieces = cells, columns, order, look, pieces
        self.places, self.corners, self.alarm, self.arrows, self.won = places, corners, alarm, arrows, won
        self.line = {row: place for place, row in enumerate(order)}
        self.left = look.frame
        self.top = look.frame if look.frame_class != "rack" else 34
        self.width = columns * CELL + 2 * look.frame
        self.height = len(order) * CELL + self.top + look.frame

    def place(self, cell: int) -> tuple[float, float]:
        row, column = divmod(cell, self.columns)
        return self.left + (column + 0.5) * CELL, self.top + (self.line[row] + 0.5) * CELL

    def svg(
        self,
        column_names: Sequence[str],
        row_names: Sequence[str],
        last: Collection[int],
        targets: Collection[int],
        caption: str,
        words: str,
    ) -> str:
        parts = [self._frame(), *self._labels(column_names, row_names)]
        for cell, sign in enumerate(self.cells):
            here = self._square(cell, cell in last)
            if self.corners and self.corners[cell]:
                x, y = self.place(cell)
                here.append(svg.upright(svg.text(x - CELL / 2 + 1.5, y - CELL / 2 + 7.5, self.corners[cell], "corner")))
            if sign not in (EMPTY, BLANK):
                here.append(svg.upright(*self._piece(cell, sign, cell in last)))
            elif cell in targets:
                x, y = self.place(cell)
                here.append(element("circle", cx=x, cy=y, r=5, class_="target"))
            parts.append(svg.place(self.places[cell], *here))
        if self.look.squares == ("felt",) and self.columns == 8 and len(self.order) == 8:
            parts += self._felt_dots()
        parts += [self._arrow(*arrow) for arrow in self.arrows]
        if self.won is not None:
            (x1, y1), (x2, y2) = map(self.place, self.won)
            parts += [element("line", x1=x1, y1=y1, x2=x2, y2=y2, class_=kind) for kind in ("row-edge", "row-won")]
        width, height, parts = svg.captioned(self.width, self.height, parts, caption, turns=True)
        return svg.document(width, height, *parts, description=words, label=caption, classes=BOARD_CLASSES)

    def _frame(self) -> Markup:
        inset = 1 if self.look.frame_class == "rack" else 0
        top = self.top - self.look.frame if inset else 0
        return element(
            "rect",
            x=inset,
            y=top + inset,
            width=self.width - 2 * inset,
            height=self.height - top - 2 * inset,
            rx=12 if inset else 6,
            class_=self.look.frame_class,
        )

    def _labels(self, column_names: Sequence[str], row_names: Sequence[str]) -> list[Markup]:
        """Names on all four sides of a wooden frame; elsewhere above or below, and at the left."""
        framed, rack, half = self.look.frame_class == "wooden", self.look.frame_class == "rack", self.look.frame / 2
        above, below = 15 if rack else half + 5, self.height - half + 5
        heights = [above, below] if framed else [above] if rack or self.order[0] == 0 else [below]
        places = [half, self.width - half] if framed else [half]
        labels = []
        for column in range(self.columns):
            x = self.place(column)[0]
            labels += [svg.text(x, y, str(column_names[column]), self.look.label_class) for y in heights]
        for row in self.order if row_names else ():
            y = self.place(row * self.columns)[1] + 5
            labels += [svg.text(x, y, row_names[row], self.look.label_class) for x in places]
        return labels

    def _square(self, cell: int, last: bool) -> list[Markup]:
        x, y = self.place(cell)
        row, column = divmod(cell, self.columns)
        class_ = self.look.squares[(row + column) % len(self.look.squares)]
        if self.cells[cell] == BLANK and len(self.look.squares) == 1:
            class_ = "bare"  # a gap between two boards
        if class_ == "hole":
            return [element("circle", cx=x, cy=y, r=19, class_=class_)]
        size = {"x": x - CELL / 2, "y": y - CELL / 2, "width": CELL, "height": CELL}
        square = element("rect", **size, class_=class_)
        framed = last and self.look.mark.startswith("last-on")
        tinted = framed and self.look.mark == "last-on-wood"
        marks = [*(["tint"] if tinted else []), *(["alarm"] if cell in self.alarm else [])]
        drawn = [square, *(element("rect", **size, class_=mark) for mark in marks)]
        if framed:
            inside = {"x": x - CELL / 2 + 2, "y": y - CELL / 2 + 2, "width": CELL - 4, "height": CELL - 4}
            drawn.append(element("rect", **inside, class_=self.look.mark))
        return drawn

    def _arrow(self, origin: int, target: int) -> Markup:
        """From the middle of one square to the middle of another, over the pieces."""
        (x1, y1), (x2, y2) = self.place(origin), self.place(target)
        length = math.hypot(x2 - x1, y2 - y1) or 1.0
        along, across = ((x2 - x1) / length, (y2 - y1) / length), ((y1 - y2) / length, (x2 - x1) / length)
        outline = (
            (8, -4),
            (length - 20, -4),
            (length - 20, -10),
            (length, 0),
            (length - 20, 10),
            (length - 20, 4),
            (8, 4),
        )
        points = " ".join(
            f"{x1 + u * along[0] + v * across[0]:.1f},{y1 + u * along[1] + v * across[1]:.1f}" for u, v in outline
        )
        return element("polygon", points=points, class_="pointing")

    def _felt_dots(self) -> list[Markup]:
        """The four points by which players judge distances."""
        return [
            element("circle", cx=self.left + x * CELL, cy=self.top + y * CELL, r=4, class_="felt-dot")
            for x in (2, 6)
            for y in (2, 6)
        ]

    def _piece(self, cell: int, sign: str, last: bool) -> list[Markup]:
        x, y = self.place(cell)
        shape, colour = self.pieces.get(sign, Piece("letter", ""))
        parts = SHAPES[shape](x, y, colour, sign)
        if last and not self.look.mark.startswith("last-on"):
            parts.append(element("circle", cx=x, cy=y, r=5, class_=self.look.mark))
        return parts


def _disc(x: float, y: float, colour: str, sign: str) -> list[Markup]:
    return [
        element("circle", cx=x, cy=y + 2, r=19, class_="shadow"),
        element("circle", cx=x, cy=y, r=19, class_=colour),
    ]


def _chip(x: float, y: float, colour: str, sign: str) -> list[Markup]:
    """A disc in a hole: no shadow, and the raised rim of a stamped counter."""
    return [
        element("circle", cx=x, cy=y, r=19, class_=colour),
        element("circle", cx=x, cy=y, r=12.5, class_=colour),
    ]


def _king(x: float, y: float, colour: str, sign: str) -> list[Markup]:
    """A disc with a crown on it."""
    crown = f"M{x - 10} {y + 7}h20l2.5 -13l-7 5.5l-5.5 -8.5l-5.5 8.5l-7 -5.5z"
    return [*_disc(x, y, colour, sign), element("path", d=crown, class_="crown", stroke_linejoin="round")]


def _cross(x: float, y: float, colour: str, sign: str) -> list[Markup]:
    return [
        element("path", d=f"M{x - 12} {y - 12}L{x + 12} {y + 12}M{x + 12} {y - 12}L{x - 12} {y + 12}", class_=colour)
    ]


def _ring(x: float, y: float, colour: str, sign: str) -> list[Markup]:
    return [element("circle", cx=x, cy=y, r=13, class_=colour)]


def _pawn(x: float, y: float, colour: str, sign: str) -> list[Markup]:
    body = f"M{x - 13} {y + 17}h26v-3.5c-1 -5 -8 -7.5 -8 -17.5h-10c0 10 -7 12.5 -8 17.5z"
    return [
        element("ellipse", cx=x, cy=y + 17.5, rx=15, ry=3, class_="shadow"),
        element("path", d=body, class_=colour, stroke_linejoin="round"),
        element("circle", cx=x, cy=y - 8.5, r=7.5, class_=colour),
    ]


def _tile(x: float, y: float, colour: str, sign: str) -> list[Markup]:
    """An upright block with the emblem of its rank, or a question mark where that is not known."""
    return [
        element("rect", x=x - 16, y=y - 17, width=36, height=39, rx=5, class_="shadow"),
        element("rect", x=x - 18, y=y - 20, width=36, height=40, rx=5, class_=f"tile-{colour}"),
        *emblem(sign.upper(), x, y),
    ]


def _ship(x: float, y: float, colour: str, sign: str) -> list[Markup]:
    """A part of a hull, with the number of the ship."""
    return [
        element("rect", x=x - 21, y=y - 15, width=42, height=30, rx=9, class_="hull"),
        element("circle", cx=x, cy=y, r=10, class_="porthole"),
        svg.text(x, y + 5, sign, "caption"),
    ]


def _burst(x: float, y: float, colour: str, sign: str) -> list[Markup]:
    """A hit: a ragged star."""
    points = []
    for corner in range(16):
        reach, angle = (19 if corner % 2 == 0 else 10), math.pi * corner / 8
        points.append(f"{x + reach * math.sin(angle):.1f},{y - reach * math.cos(angle):.1f}")
    return [element("polygon", points=" ".join(points), class_="burst")]


def _splash(x: float, y: float, colour: str, sign: str) -> list[Markup]:
    """A miss: rings in the water."""
    return [element("circle", cx=x, cy=y, r=radius, class_="splash") for radius in (5, 12)]


def _letter(x: float, y: float, colour: str, sign: str) -> list[Markup]:
    return [svg.text(x, y + 9, sign, f"letter {colour}".strip())]


def _chessman(kind: str) -> Callable[[float, float, str, str], list[Markup]]:
    return lambda x, y, colour, sign: chessman(kind, x, y, colour)


SHAPES: dict[str, Callable[[float, float, str, str], list[Markup]]] = {
    "disc": _disc,
    "king": _king,
    "chip": _chip,
    "cross": _cross,
    "ring": _ring,
    "pawn": _pawn,
    "letter": _letter,
    "tile": _tile,
    "ship": _ship,
    "burst": _burst,
    "splash": _splash,
}
SHAPES |= {f"chess-{kind}": _chessman(kind) for kind in ("knight", "bishop", "rook", "queen", "king")}
