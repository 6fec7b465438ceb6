"""Cards in rows, one row for each holder; an empty text is a card face down.

cards([("Ann", ["K"]), ("Bob", [""])], caption="pot 2")

A card that may be played is a `Card` with the name that moves call it by: `Card("K♥", "kh")`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

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


class Card(NamedTuple):
    """A card with the name of its place: what a game's moves call it."""

    face: str
    place: str


def cards(rows: Sequence[tuple[str, Sequence[str | Card]]], *, caption: str = "") -> Picture:
    """The picture of who holds what."""
    wide = max((len(name) for name, _ in rows), default=0)
    lines = [f"{name:>{wide}}: {' '.join(_face(card) or '##' for card in held) or '-'}" for name, held in rows]
    words = "\n".join([*lines, caption] if caption else lines)
    left = 9 * wide + 16
    most = max((len(held) for _, held in rows), default=0)
    parts: list[Markup] = []
    for number, (name, held) in enumerate(rows):
        top = GAP + number * (HEIGHT + GAP)
        parts.append(svg.text(8, top + HEIGHT / 2 + 5, name, "holder"))
        for place, card in enumerate(held):
            drawn = _card(left + place * (WIDTH + GAP), top, _face(card))
            parts.append(svg.place(card.place if isinstance(card, Card) else "", *drawn))
    width, height = left + max(most, 1) * (WIDTH + GAP) + GAP, GAP + len(rows) * (HEIGHT + GAP)
    page, depth, parts = svg.captioned(width, height, parts, caption)
    return Picture(svg.document(page, depth, *parts, description=words, classes=CARD_CLASSES), words)


def _face(card: str | Card) -> str:
    return card.face if isinstance(card, Card) else card


def _card(x: float, y: float, card: str) -> list[Markup]:
    body = element("rect", x=x, y=y, width=WIDTH, height=HEIGHT, rx=5, class_="card" if card else "back")
    if not card:
        return [body]
    look = "face-red" if any(sign in card for sign in RED) else "face"
    return [body, svg.text(x + WIDTH / 2, y + HEIGHT / 2 + 7, card, look)]
