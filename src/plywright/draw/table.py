"""The table that cards and dice lie on: green cloth, the names of those who sit there, and empty places."""

from __future__ import annotations

from . import svg
from .svg import Markup, element

TABLE_CLASSES = {
    "cloth": "fill:$cloth;stroke:$cloth-edge;stroke-width:4",
    "holder": f"fill:#ffffff;{svg.SANS};font-size:16px",
    "slot": "fill:none;stroke:#ffffff;stroke-width:1.5;stroke-dasharray:2 5;stroke-linecap:round",
}


def cloth(width: float, height: float) -> Markup:
    """The table under a drawing of that size."""
    return element("rect", x=2, y=2, width=width - 4, height=height - 4, rx=14, class_="cloth")


def slot(x: float, y: float, width: float, height: float) -> Markup:
    """A place where nothing lies yet."""
    return element("rect", x=x, y=y, width=width, height=height, rx=6, class_="slot")


def name_width(names: list[str]) -> float:
    """The room for the longest of some names at the left of a table."""
    return 9.6 * max(map(len, names), default=0) + 22
