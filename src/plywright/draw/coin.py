"""A coin that lies on the table, seen or covered.

coin("H", "heads", caption="the seeker to say")      # an empty face is a coin under a hand
"""

from __future__ import annotations

from . import svg
from .picture import Picture
from .svg import element

COIN_CLASSES = {
    "coin": "fill:$yellow;stroke:$yellow-edge;stroke-width:4",
    "coin-rim": "fill:none;stroke:$yellow-edge;stroke-width:2;stroke-dasharray:2 4",
    "coin-face": f"fill:#3d2c00;{svg.SANS};font-size:44px;font-weight:bold;text-anchor:middle",
    "cover": "fill:$wood;stroke:$felt-line;stroke-width:2",
    "cover-face": f"fill:$light-wood;{svg.SANS};font-size:40px;font-weight:bold;text-anchor:middle",
}


def coin(face: str, words: str, *, laid: bool = True, caption: str = "") -> Picture:
    """The picture of a coin with a letter on it, covered where `face` is empty; no coin before it is `laid`."""
    x, y = 90.0, 78.0
    if not laid:
        parts = [element("circle", cx=x, cy=y, r=54, class_="coin-rim")]
    elif face:
        parts = [
            element("circle", cx=x, cy=y, r=58, class_="coin"),
            element("circle", cx=x, cy=y, r=49, class_="coin-rim"),
            svg.text(x, y + 16, face, "coin-face"),
        ]
    else:
        hand = f"M{x - 62} {y + 40}c0 -70 20 -106 62 -106s62 36 62 106z"
        parts = [element("path", d=hand, class_="cover"), svg.text(x, y + 22, "?", "cover-face")]
    text = "\n".join(filter(None, (words, caption)))
    width, height, parts = svg.captioned(180, 150, parts, caption or words)
    return Picture(
        svg.document(width, height, *parts, description=text, label=caption or words, classes=COIN_CLASSES), text
    )
