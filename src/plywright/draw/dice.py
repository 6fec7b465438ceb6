"""Dice, and rows of them under cups: what each player rolled, or that it is hidden.

dice([("player 1", [3, 5]), ("player 2", [0, 0])], caption="2x5")    # 0 is a die that is not seen
"""

from __future__ import annotations

from collections.abc import Sequence

from . import svg
from .picture import Picture
from .svg import Markup, element
from .table import TABLE_CLASSES, cloth, name_width, slot

SIZE, GAP = 46.0, 12.0
PIPS = {1: "5", 2: "19", 3: "159", 4: "1379", 5: "13579", 6: "134679", 7: "1345679", 8: "12346789", 9: "123456789"}
"""Places of a square for each number, 1 to 9 by rows."""
DIE_CLASSES = {
    **TABLE_CLASSES,
    "die": "fill:$white;stroke:$die-edge;stroke-width:1.5",
    "dark-die": "fill:$black;stroke:$black-edge;stroke-width:1.5",
    "pip": "fill:$black",
    "light-pip": "fill:$white",
    "used": "opacity:.38",
    "cup": "fill:$wood;stroke:$felt-line;stroke-width:1.5",
    "cup-rim": "fill:$dark-wood;stroke:$felt-line;stroke-width:1.5",
    "room": "fill:$ink;fill-opacity:0",
}


def die(x: float, y: float, number: int, *, size: float = 36.0, dark: bool = False, used: bool = False) -> Markup:
    """A die around a point; one that is `used` is pale. A page rolls what carries `data-die`."""
    kind = ("dark-die", "light-pip") if dark else ("die", "pip")
    square = element("rect", x=x - size / 2, y=y - size / 2, width=size, height=size, rx=size / 5, class_=kind[0])
    step, radius = size * 0.278, size * 0.094
    pips = []
    for place in map(int, PIPS.get(number, "")):
        row, column = divmod(place - 1, 3)
        pips.append(element("circle", cx=x + (column - 1) * step, cy=y + (row - 1) * step, r=radius, class_=kind[1]))
    return element("g", square, *pips, data_upright="", data_die=str(number), class_="used" if used else None)


def cup(x: float, y: float, size: float = SIZE) -> list[Markup]:
    """An upturned cup in the place of a die that is not seen."""
    half = size / 2
    top, slope = half * 1.44, half * 0.26
    body = f"M{x - top / 2:.1f} {y - half:.1f}h{top:.1f}l{slope:.1f} {size * 0.86:.1f}h{-top - 2 * slope:.1f}z"
    rim = element("rect", x=x - half, y=y + half * 0.66, width=size, height=half * 0.34, rx=4, class_="cup-rim")
    return [element("path", d=body, class_="cup", stroke_linejoin="round"), rim]


def dice(rows: Sequence[tuple[str, Sequence[int]]], *, caption: str = "") -> Picture:
    """The picture of who rolled what."""
    wide = max((len(name) for name, _ in rows), default=0)
    lines = [f"{name:>{wide}}: {' '.join(str(n) if n else '?' for n in rolled) or '-'}" for name, rolled in rows]
    words = "\n".join([*lines, caption] if caption else lines)
    left, most = name_width([name for name, _ in rows]), max((len(rolled) for _, rolled in rows), default=0)
    width, height = left + max(most, 1) * (SIZE + GAP) + 4, GAP + 8 + len(rows) * (SIZE + GAP)
    parts: list[Markup] = [cloth(width, height)]
    for row, (name, rolled) in enumerate(rows):
        middle = GAP + 4 + row * (SIZE + GAP) + SIZE / 2
        parts.append(svg.text(14, middle + 6, name, "holder"))
        if not rolled:
            parts.append(slot(left, middle - SIZE / 2, SIZE, SIZE))
        for place, number in enumerate(rolled):
            x = left + place * (SIZE + GAP) + SIZE / 2
            room = element("rect", x=x - SIZE / 2, y=middle - SIZE / 2, width=SIZE, height=SIZE, class_="room")
            parts.append(svg.place("", room, *([die(x, middle, number, size=SIZE)] if number else cup(x, middle))))
    page, depth, parts = svg.captioned(width, height, parts, caption)
    return Picture(svg.document(page, depth, *parts, description=words, label=caption, classes=DIE_CLASSES), words)
