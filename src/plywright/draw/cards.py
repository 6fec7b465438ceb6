"""Cards on a table, one row for each holder; an empty text is a card face down.

cards([("Ann", ["K"]), ("Bob", [""])], caption="pot 2")

A card that may be played is a `Card` with the name that moves call it by: `Card("K♥", "kh")`. Cards of a long row
overlap, as in a hand.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from . import svg
from .picture import Picture
from .svg import Markup, element
from .table import TABLE_CLASSES, cloth, name_width, slot

WIDTH, HEIGHT, GAP = 46, 64, 8
SPREAD, TRICK = 6, 4
"""Cards of a row that lie side by side; where a row has more, those overlap that have more cards than a trick."""
FAN, BACKS = 25, 9
"""From one card to the next where they overlap: of those seen, and of those face down."""
RED, SUITS = "♥♦", "♠♥♦♣"
INK = f"{svg.SANS};text-anchor:middle"
CARD_CLASSES = {
    **TABLE_CLASSES,
    "card": "fill:$white;stroke:$white-edge;stroke-width:1",
    "back": "fill:$back;stroke:$white;stroke-width:2.5",
    "lattice": "fill:none;stroke:$white;stroke-width:1",
    "face": f"fill:$black;{INK};font-size:24px",
    "face-red": f"fill:$red-edge;{INK};font-size:24px",
    "index": f"fill:$black;{INK};font-size:20px",
    "index-red": f"fill:$red-edge;{INK};font-size:20px",
    "card-number": f"fill:$black;{INK};font-size:30px",
}


class Card(NamedTuple):
    """A card with the name of its place: what a game's moves call it."""

    face: str
    place: str


def cards(rows: Sequence[tuple[str, Sequence[str | Card]]], *, caption: str = "") -> Picture:
    """The picture of who holds what."""
    words = cards_text(rows, caption)
    left = name_width([name for name, _ in rows])
    parts, width = [], left + WIDTH
    crowded = max((len(held) for _, held in rows), default=0) > SPREAD
    for number, (name, held) in enumerate(rows):
        top = GAP + 4 + number * (HEIGHT + GAP)
        parts.append(svg.text(14, top + HEIGHT / 2 + 6, name, "holder"))
        if not held:
            parts.append(slot(left, top, WIDTH, HEIGHT))
        fanned = crowded and len(held) > TRICK
        steps = _steps([_face(card) for card in held], fanned)
        for step, card in zip(steps, held, strict=True):
            drawn = card_parts(left + step, top, _face(card), corner=fanned)
            parts.append(svg.place(card.place if isinstance(card, Card) else "", *drawn))
        width = max(width, left + max(steps, default=0.0) + WIDTH)
    page, height = width + 14, 2 * (GAP + 4) - GAP + len(rows) * (HEIGHT + GAP)
    parts.insert(0, cloth(page, height))
    page, depth, parts = svg.captioned(page, height, parts, caption)
    return Picture(svg.document(page, depth, *parts, description=words, classes=CARD_CLASSES), words)


def cards_text(rows: Sequence[tuple[str, Sequence[str | Card]]], caption: str = "") -> str:
    """The same in words, a line for each holder."""
    wide = max((len(name) for name, _ in rows), default=0)
    lines = [f"{name:>{wide}}: {' '.join(_face(card) or '##' for card in held) or '-'}" for name, held in rows]
    return "\n".join([*lines, caption] if caption else lines)


def _face(card: str | Card) -> str:
    return card.face if isinstance(card, Card) else card


def _steps(faces: Sequence[str], fanned: bool) -> list[float]:
    """Where the cards of a row begin, from its left end."""
    steps, x = [], 0.0
    for face in faces:
        steps.append(x)
        x += FAN if fanned and face else BACKS if fanned else WIDTH + GAP
    return steps


def card_parts(x: float, y: float, face: str, *, corner: bool = False) -> list[Markup]:
    """One card; `corner` has what it is in its left corner, where the next one does not cover it."""
    body = element("rect", x=x, y=y, width=WIDTH, height=HEIGHT, rx=6, class_="card" if face else "back")
    if not face:
        aside, down = WIDTH / 2 - 9, HEIGHT / 2 - 9
        diamond = f"M{x + WIDTH / 2} {y + 9}l{aside} {down}l{-aside} {down}l{-aside} {-down}z"
        return [body, element("path", d=diamond, class_="lattice")]
    rank, suit = (face[:-1], face[-1]) if face[-1] in SUITS else (face, "")
    red = "-red" if suit and suit in RED else ""
    if corner:
        return [body, svg.text(x + 12.5, y + 21, rank, f"index{red}"), svg.text(x + 12.5, y + 43, suit, f"index{red}")]
    if not suit:
        return [body, svg.text(x + WIDTH / 2, y + HEIGHT / 2 + 11, rank, "card-number")]
    middle = x + WIDTH / 2
    return [body, svg.text(middle, y + 28, rank, f"face{red}"), svg.text(middle, y + 54, suit, f"face{red}")]
