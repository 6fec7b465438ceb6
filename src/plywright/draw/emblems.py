"""The emblems of ranks on upright blocks, as in Stratego, each with its letter below it."""

from __future__ import annotations

import math

from . import svg
from .svg import Markup, element

EMBLEM_CLASSES = {
    "tile-rank": f"fill:#ffffff;{svg.SANS};font-size:22px;font-weight:bold;text-anchor:middle",
    "tile-letter": f"fill:#ffffff;{svg.SANS};font-size:10px;font-weight:bold;text-anchor:middle",
    "emblem": "fill:#ffffff",
    "emblem-line": "fill:none;stroke:#ffffff;stroke-width:2.6;stroke-linecap:round;stroke-linejoin:round",
    "emblem-hole": "fill:#000000",
}


def emblem(letter: str, x: float, y: float) -> list[Markup]:
    """What stands on a block around a point; a letter without an emblem is written large."""
    if letter not in EMBLEMS:
        return [svg.text(x, y + 8, letter, "tile-rank")]
    return [*EMBLEMS[letter](x, y - 4), svg.text(x, y + 18, letter, "tile-letter")]


def _line(path: str) -> Markup:
    return element("path", d=path, class_="emblem-line")


def _flag(x: float, y: float) -> list[Markup]:
    cloth = f"M{x - 6} {y - 12}h17l-5 5.5l5 5.5h-17z"
    return [_line(f"M{x - 7} {y - 12}v23"), element("path", d=cloth, class_="emblem")]


def _bomb(x: float, y: float) -> list[Markup]:
    return [
        element("circle", cx=x - 2, cy=y + 3, r=9, class_="emblem"),
        _line(f"M{x + 4} {y - 4}q2 -6 7 -5"),
        element("circle", cx=x + 12, cy=y - 10, r=2.4, class_="emblem"),
    ]


def _spy(x: float, y: float) -> list[Markup]:
    """An eye."""
    lid = f"M{x - 14} {y}q14 -15 28 0q-14 15 -28 0z"
    return [
        element("path", d=lid, class_="emblem"),
        element("circle", cx=x, cy=y, r=4.6, class_="emblem-hole"),
    ]


def _scout(x: float, y: float) -> list[Markup]:
    """Ways in four directions."""
    head = "l-3.5 3.5m3.5 -3.5l3.5 3.5"
    return [
        _line(f"M{x} {y + 11}V{y - 12}{head}"),
        _line(f"M{x - 11} {y}H{x + 11}M{x - 8} {y - 3.5}l-3.5 3.5l3.5 3.5M{x + 8} {y - 3.5}l3.5 3.5l-3.5 3.5"),
    ]


def _miner(x: float, y: float) -> list[Markup]:
    """A pickaxe."""
    return [_line(f"M{x - 9} {y + 11}L{x + 5} {y - 6}"), _line(f"M{x - 6} {y - 11}Q{x + 7} {y - 11} {x + 12} {y + 4}")]


def _lieutenant(x: float, y: float) -> list[Markup]:
    """Two chevrons."""
    return [_line(f"M{x - 9} {y + top}l9 -8l9 8") for top in (1.0, 9.0)]


def _star(x: float, y: float, reach: float) -> Markup:
    points = []
    for corner in range(10):
        radius, angle = (reach if corner % 2 == 0 else reach * 0.42), math.pi * corner / 5
        points.append(f"{x + radius * math.sin(angle):.1f},{y - radius * math.cos(angle):.1f}")
    return element("polygon", points=" ".join(points), class_="emblem")


def _general(x: float, y: float) -> list[Markup]:
    return [_star(x, y, 12)]


def _marshal(x: float, y: float) -> list[Markup]:
    """A crown."""
    crown = f"M{x - 12} {y + 9}h24l2 -18l-8.5 8l-5.5 -11l-5.5 11l-8.5 -8z"
    return [element("path", d=crown, class_="emblem", stroke_linejoin="round")]


EMBLEMS = {
    "F": _flag,
    "B": _bomb,
    "S": _spy,
    "C": _scout,
    "M": _miner,
    "L": _lieutenant,
    "G": _general,
    "X": _marshal,
}
