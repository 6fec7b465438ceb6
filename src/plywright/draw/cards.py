"""Cards in rows, one row for each holder; an empty text is a card face down.

cards([("Ann", ["K"]), ("Bob", [""])], caption="pot 2")
"""

from __future__ import annotations

from collections.abc import Sequence

from . import svg
from .picture import Picture
from .svg import Markup, element

WIDTH, HEIGHT, GAP = 44, 62, 8
RED = "♥♦"
CARD_CLASSES = {
    "card": "fill:$white;stroke:$white-edge;stroke-width:1",
    "back": "fill:$second;stroke:$white;stroke-width:3",
    "face": f"fill:$black;{svg.SANS};font-size:20px;text-anchor:middle",
    "face-red": f"fill:$red-edge;{svg.SANS};font-size:20px;text-anchor:middle",
    "holder": f"fill:$ink;{svg.SANS};font-size:14px",
}


def cards(rows: Sequence[tuple[str, Sequence[str]]], *, caption: str = "") -> Picture:
    """The picture of who holds what."""
    wide = max((len(name) for name, _ in rows), default=0)
    lines = [f"{name:>{wide}}: {' '.join(card or '##' for card in held) or '-'}" for name, held in rows]
    words = "\n".join([*lines, caption] if caption else lines)
    left = 9 * wide + 16
    most = max((len(held) for _, held in rows), default=0)
    parts: list[Markup] = []
    for number, (name, held) in enumerate(rows):
        top = GAP + number * (HEIGHT + GAP)
        parts.append(svg.text(8, top + HEIGHT / 2 + 5, name, "holder"))
        for place, card in enumerate(held):
            parts += _card(left + place * (WIDTH + GAP), top, card)
    width, height = left + max(most, 1) * (WIDTH + GAP) + GAP, GAP + len(rows) * (HEIGHT + GAP)
    page, depth, drawn = svg.captioned(width, height, parts, caption)
    return Picture(svg.document(page, depth, *drawn, description=words, classes=CARD_CLASSES), words)


def _card(x: float, y: float, card: str) -> list[Markup]:
    body = element("rect", x=x, y=y, width=WIDTH, height=HEIGHT, rx=5, class_="card" if card else "back")
    if not card:
        return [body]
    look = "face-red" if any(sign in card for sign in RED) else "face"
    return [body, svg.text(x + WIDTH / 2, y + HEIGHT / 2 + 7, card, look)]
