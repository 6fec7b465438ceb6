"""A bridge table: four hands fanned around the trick, the auction and a bidding box beside them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from . import svg
from .cards import CARD_CLASSES, HEIGHT, RED, WIDTH
from .picture import Picture
from .svg import Markup, element

STEP = 22  # from one card of a fan to the next
SIDE = 13 * STEP + WIDTH - STEP + 24
SIGNS = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}
NAMES = ("North", "East", "South", "West")
CLASSES = {
    **CARD_CLASSES,
    "bid": "fill:$white;stroke:$white-edge;stroke-width:1",
    "bid-text": f"fill:$black;{svg.SANS};font-size:13px;text-anchor:middle",
    "bid-red": f"fill:$red-edge;{svg.SANS};font-size:13px;text-anchor:middle",
    "heading": f"fill:$ink;{svg.SANS};font-size:13px;text-anchor:middle",
}


def bridge_table(
    hands: Sequence[Sequence[tuple[str, str]]],
    calls: Sequence[str],
    *,
    dealer: int = 0,
    trick: Mapping[int, str] | None = None,
    box: Sequence[str] = (),
    caption: str = "",
) -> Picture:
    """The picture; a card is its face and the name of its place, with empty texts for one that lies face down."""
    places = {0: (SIDE / 2, 30.0), 3: (8.0, 130.0), 1: (SIDE + 40, 130.0), 2: (SIDE / 2, 352.0)}
    parts: list[Markup] = []
    for seat, (x, y) in places.items():
        parts.append(svg.text(x + 40, y - 8, NAMES[seat], "heading"))
        for number, (face, place) in enumerate(hands[seat]):
            parts.append(svg.place(place, *_card(x + number * STEP, y, face)))
    middle_x, middle_y = SIDE + 20 - WIDTH / 2, 234.0
    offsets = {0: (0, -30), 1: (52, 0), 2: (0, 30), 3: (-52, 0)}
    for seat, face in (trick or {}).items():
        dx, dy = offsets[seat]
        parts += _card(middle_x + dx, middle_y + dy, face)
    width, height = 2 * SIDE + 60.0, 432.0
    top = height
    if calls or box:
        parts += _auction(calls, dealer, 8, top)
        rows = (len(calls) + dealer + 3) // 4 + 1
        parts += _box(box, SIDE + 40, top)
        height += max(20.0 * (rows + 1), 26.0 * 9 if box else 0.0)
    words = _words(hands, calls, dealer, trick or {}, caption)
    page, depth, parts = svg.captioned(width, height, parts, caption)
    return Picture(svg.document(page, depth, *parts, description=words, classes=CLASSES), words)


def _card(x: float, y: float, face: str) -> list[Markup]:
    body = element("rect", x=x, y=y, width=WIDTH, height=HEIGHT, rx=5, class_="card" if face else "back")
    if not face:
        return [body]
    look = "face-red" if any(sign in face for sign in RED) else "face"
    return [body, svg.text(x + 11, y + 20, face[:-1], look), svg.text(x + 11, y + 40, face[-1:], look)]


def _signed(call: str) -> str:
    """A bid with the sign of its suit."""
    return call[0] + SIGNS[call[1]] if len(call) == 2 and call[1] in SIGNS else call


def _auction(calls: Sequence[str], dealer: int, x: float, y: float) -> list[Markup]:
    """The calls under the names of the seats, West first."""
    parts = [svg.text(x + 40 + 70 * column, y + 14, NAMES[(column + 3) % 4], "heading") for column in range(4)]
    first = (dealer + 1) % 4  # West's column is the first
    for number, call in enumerate(calls):
        row, column = divmod(first + number, 4)
        parts.append(svg.text(x + 40 + 70 * column, y + 36 + 20 * row, _signed(call), "heading"))
    return parts


def _box(calls: Sequence[str], x: float, y: float) -> list[Markup]:
    """The calls that may be made, each a place to point at."""
    parts: list[Markup] = []
    for call in calls:
        if call[0].isdigit():
            row, column = int(call[0]), ("C", "D", "H", "S", "NT").index(call[1:])
        else:
            row, column = 0, ("Pass", "X", "XX").index(call)
        left, top = x + 48 * column, y + 26 * row
        look = "bid-red" if row and column in (1, 2) else "bid-text"
        body = element("rect", x=left, y=top, width=44, height=22, rx=3, class_="bid")
        parts.append(svg.place(call, body, svg.text(left + 22, top + 16, _signed(call), look)))
    return parts


def _words(
    hands: Sequence[Sequence[tuple[str, str]]],
    calls: Sequence[str],
    dealer: int,
    trick: Mapping[int, str],
    caption: str,
) -> str:
    lines = [f"{NAMES[seat]:>5}: {' '.join(face or '##' for face, _ in hands[seat]) or '-'}" for seat in (0, 1, 2, 3)]
    if calls:
        lines.append(f"{NAMES[dealer]} dealt: {' '.join(calls)}")
    if trick:
        lines.append("trick: " + " ".join(f"{NAMES[seat][0]} {face}" for seat, face in trick.items()))
    return "\n".join([*lines, caption] if caption else lines)
