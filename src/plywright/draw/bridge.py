"""A bridge table: four hands fanned around the trick, the auction and a bidding box beside them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from . import svg
from .cards import BACKS, CARD_CLASSES, HEIGHT, INK, RED, WIDTH, card_parts
from .picture import Picture
from .svg import Markup, element
from .table import cloth

STEP, DOWN = 24, 22
"""From one card to the next: of North and South along the table, of West and East down its sides."""
MARGIN = 14
ACROSS = 12 * STEP + WIDTH
BROAD, DEEP = ACROSS + 2 * (WIDTH + MARGIN + 22), 398.0
SIGNS = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}
NAMES = ("North", "East", "South", "West")
CLASSES = {
    **CARD_CLASSES,
    "seat": f"fill:#ffffff;{INK};font-size:15px",
    "side-index": f"fill:$black;{INK};font-size:17px",
    "side-index-red": f"fill:$red-edge;{INK};font-size:17px",
    "bid": "fill:$white;stroke:$white-edge;stroke-width:1",
    "bid-text": f"fill:$black;{INK};font-size:15px",
    "bid-red": f"fill:$red-edge;{INK};font-size:15px",
    "heading": f"fill:$ink;{INK};font-size:15px",
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
    parts: list[Markup] = [cloth(BROAD, DEEP), *_rows(hands), *_columns(hands)]
    offsets = {0: (0, -40), 1: (56, 0), 2: (0, 40), 3: (-56, 0)}
    for seat, face in (trick or {}).items():
        dx, dy = offsets[seat]
        parts += card_parts(BROAD / 2 - WIDTH / 2 + dx, DEEP / 2 - HEIGHT / 2 + dy + 6, face)
    height = DEEP
    if calls or box:
        parts += _auction(calls, dealer, 0, height + 8)
        rows = (len(calls) + dealer + 3) // 4 + 1
        parts += _box(box, BROAD - 5 * 44 - 4, height + 8)
        height += max(22.0 * (rows + 1), 27.0 * (1 + 7 - _passed(box)) if box else 0.0) + 8
    words = _words(hands, calls, dealer, trick or {}, caption)
    page, depth, parts = svg.captioned(BROAD, height, parts, caption)
    return Picture(svg.document(page, depth, *parts, description=words, classes=CLASSES), words)


def _rows(hands: Sequence[Sequence[tuple[str, str]]]) -> list[Markup]:
    """North and South: fans along the table."""
    parts: list[Markup] = []
    for seat, y in ((0, 32.0), (2, DEEP - HEIGHT - MARGIN)):
        steps = _steps(hands[seat], STEP)
        x = (BROAD - WIDTH - (steps[-1] if steps else 0)) / 2
        parts.append(svg.text(BROAD / 2, y - 9, NAMES[seat], "seat"))
        for step, (face, place) in zip(steps, hands[seat], strict=True):
            parts.append(svg.place(place, *card_parts(x + step, y, face, corner=True)))
    return parts


def _columns(hands: Sequence[Sequence[tuple[str, str]]]) -> list[Markup]:
    """West and East: cards that lie one below the other, so that the upper edge of each is seen."""
    parts: list[Markup] = []
    for seat, x in ((3, float(MARGIN)), (1, float(BROAD - MARGIN - WIDTH))):
        steps = _steps(hands[seat], DOWN)
        y = (DEEP - HEIGHT - (steps[-1] if steps else 0)) / 2 + 12
        parts.append(svg.text(x + WIDTH / 2, y - 9, NAMES[seat], "seat"))
        for step, (face, place) in zip(steps, hands[seat], strict=True):
            drawn = card_parts(x, y + step, face)[:1]
            if face:
                look = "side-index-red" if face[-1] in RED else "side-index"
                drawn.append(svg.text(x + WIDTH / 2, y + step + 17, face, look))
            parts.append(svg.place(place, *drawn))
    return parts


def _steps(hand: Sequence[tuple[str, str]], step: float) -> list[float]:
    """Where the cards of a hand begin; those face down lie closer together."""
    steps, here = [], 0.0
    for face, _ in hand:
        steps.append(here)
        here += step if face else BACKS
    return steps


def _signed(call: str) -> str:
    """A bid with the sign of its suit."""
    return call[0] + SIGNS[call[1]] if len(call) == 2 and call[1] in SIGNS else call


def _auction(calls: Sequence[str], dealer: int, x: float, y: float) -> list[Markup]:
    """The calls under the names of the seats, West first."""
    parts = [svg.text(x + 32 + 56 * column, y + 14, NAMES[(column + 3) % 4], "heading") for column in range(4)]
    first = (dealer + 1) % 4  # West's column is the first
    for number, call in enumerate(calls):
        row, column = divmod(first + number, 4)
        parts.append(svg.text(x + 32 + 56 * column, y + 36 + 21 * row, _signed(call), "heading"))
    return parts


def _passed(box: Sequence[str]) -> int:
    """How many levels of bids are over: the box is closed up by so many rows."""
    return min((int(call[0]) for call in box if call[0].isdigit()), default=8) - 1


def _box(calls: Sequence[str], x: float, y: float) -> list[Markup]:
    """The calls that may be made, each a place to point at."""
    parts: list[Markup] = []
    for call in calls:
        if call[0].isdigit():
            row, column = int(call[0]) - _passed(calls), ("C", "D", "H", "S", "NT").index(call[1:])
        else:
            row, column = 0, ("Pass", "X", "XX").index(call)
        left, top = x + 44 * column, y + 27 * row
        look = "bid-red" if row and column in (1, 2) else "bid-text"
        body = element("rect", x=left, y=top, width=41, height=24, rx=4, class_="bid")
        parts.append(svg.place(call, body, svg.text(left + 20.5, top + 17, _signed(call), look)))
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
