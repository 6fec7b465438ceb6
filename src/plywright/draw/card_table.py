"""A table of four: hands fanned around the trick; where there is one, the auction and a box of bids to point at."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from . import svg
from .cards import BACKS, CARD_CLASSES, HEIGHT, INK, RED, WIDTH, Card, card_parts
from .picture import Picture
from .svg import Markup, element
from .table import cloth

STEP, DOWN = 42, 36
"""From one card to the next, broad enough for a thumb: above and below along the table, at the sides down its edges."""
MARGIN = 14
COLUMN = 7
"""Cards of a side before the next column of them begins."""
SIDE = 2 * WIDTH + 4
BROAD, DEEP = 12 * STEP + WIDTH + 2 * (MARGIN + 2), 496.0
TOP = 32.0
"""Of the hand above; the hands at the sides lie between it and the one below."""
MIDDLE_X, MIDDLE_Y = BROAD / 2 - WIDTH / 2, DEEP / 2 - HEIGHT / 2 + 6
SMALL = 0.6  # of a card: the last trick
BID_WIDTH, NARROW, BID_HEIGHT = 62, 50, 34
"""Of a bid in a box below the table, and in one between the hands."""
SIGNS = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}
CLASSES = {
    **CARD_CLASSES,
    "seat": f"fill:#ffffff;{INK};font-size:15px",
    "side-index": f"fill:$black;{INK};font-size:20px",
    "side-index-red": f"fill:$red-edge;{INK};font-size:20px",
    "small": f"fill:$black;{INK};font-size:14px",
    "small-red": f"fill:$red-edge;{INK};font-size:14px",
    "bid": "fill:$white;stroke:$white-edge;stroke-width:1",
    "bid-text": f"fill:$black;{INK};font-size:19px",
    "bid-red": f"fill:$red-edge;{INK};font-size:19px",
    "heading": f"fill:$ink;{INK};font-size:15px",
}

Hand = Sequence[str | Card]
Box = Sequence[Sequence[str]]
"""Rows of bids; an empty text leaves its place free."""


class Auction(NamedTuple):
    """The calls so far, and whose the first one is."""

    calls: Sequence[str]
    dealer: int


def card_table(
    hands: Sequence[Hand],
    names: Sequence[str],
    *,
    bottom: int = 0,
    trick: Mapping[int, str] | None = None,
    last_trick: Mapping[int, str] | None = None,
    chosen: Sequence[str] = (),
    auction: Auction | None = None,
    box: Box = (),
    caption: str = "",
    words: str = "",
) -> Picture:
    """The picture: seats go round clockwise from `bottom`; an empty text is a card face down.

    The trick and the last one are cards by seat. `chosen` cards lie in the middle, and so does a box without auction.
    """
    parts: list[Markup] = [cloth(BROAD, DEEP)]
    for turn in range(4):
        seat = (bottom + turn) % 4
        parts += (_column if turn % 2 else _row)(hands[seat], names[seat], turn)
    for seat, face in (trick or {}).items():
        dx, dy = ((0, 40), (-56, 0), (0, -40), (56, 0))[(seat - bottom) % 4]
        parts.append(svg.place("", *card_parts(MIDDLE_X + dx, MIDDLE_Y + dy, face)))
    if last_trick:
        parts += _last_trick(last_trick, bottom)
    for number, face in enumerate(chosen):
        aside = (number - (len(chosen) - 1) / 2) * (WIDTH + 8)
        parts.append(svg.place("", *card_parts(MIDDLE_X + aside, MIDDLE_Y, face)))
    height = DEEP
    if auction is not None:
        parts += _auction(auction, names, 0, height + 8)
        parts += _box(box, BROAD - 5 * BID_WIDTH - 4, height + 8, BID_WIDTH)
        rows = ((auction.dealer + 1) % 4 + len(auction.calls) + 3) // 4 + 1
        height += max(22.0 * rows, 1.0 * BID_HEIGHT * len(box)) + 16
    elif box:
        wide = max(len(row) for row in box) * NARROW
        parts += _box(box, (BROAD - wide) / 2, MIDDLE_Y, NARROW)
    page, depth, parts = svg.captioned(BROAD, height, parts, caption)
    return Picture(svg.document(page, depth, *parts, description=words, classes=CLASSES), words)


def _row(hand: Hand, name: str, turn: int) -> list[Markup]:
    """A fan along the table, below or above.

    It begins at the same place however many cards it has: what lies elsewhere than before is marked as changed.
    """
    y = TOP if turn else DEEP - HEIGHT - MARGIN
    parts: list[Markup] = [svg.text(BROAD / 2, y - 9, name, "seat")]
    x = (BROAD - WIDTH - 12 * (STEP if any(hand) else BACKS)) / 2
    for step, (face, place) in _steps(hand, STEP):
        parts.append(svg.place(place, *card_parts(x + step, y, face, corner=True)))
    return parts


def _column(hand: Hand, name: str, turn: int) -> list[Markup]:
    """Cards that lie one below the other at a side, so that the upper edge of each is seen; begun likewise."""
    left = float(MARGIN) if turn == 1 else float(BROAD - MARGIN - SIDE)
    top = TOP + HEIGHT + 32
    parts: list[Markup] = [svg.text(left + SIDE / 2, top - 9, name, "seat")]
    for number, (step, (face, place)) in enumerate(_steps(hand, DOWN)):
        column, row = divmod(number, COLUMN)
        x, y = (left + column * (WIDTH + 4), top + row * DOWN) if face else (left + (SIDE - WIDTH) / 2, top + step)
        drawn = card_parts(x, y, face)
        if face:
            look = "side-index-red" if face[-1] in RED else "side-index"
            drawn = [drawn[0], svg.text(x + WIDTH / 2, y + 24, face, look)]
        parts.append(svg.place(place, *drawn))
    return parts


def _steps(hand: Hand, step: float) -> list[tuple[float, tuple[str, str]]]:
    """Where each card of a hand begins, with its face and the name of its place; face down they lie closer together."""
    steps, here = [], 0.0
    for card in hand:
        face, place = card if isinstance(card, Card) else (card, "")
        steps.append((here, (face, place)))
        here += step if face else BACKS
    return steps


def _last_trick(trick: Mapping[int, str], bottom: int) -> list[Markup]:
    """The trick before this one, small, at the left."""
    wide, high = SMALL * WIDTH, SMALL * HEIGHT
    x, y = MARGIN + SIDE + 52 - wide / 2, DEEP / 2 - high / 2 + 12
    parts: list[Markup] = [svg.text(x + wide / 2, y - 30, "last trick", "seat")]
    for seat, face in trick.items():
        dx, dy = ((0, 22), (-31, 0), (0, -22), (31, 0))[(seat - bottom) % 4]
        parts.append(element("rect", x=x + dx, y=y + dy, width=wide, height=high, rx=4, class_="card"))
        look = "small-red" if face[-1] in RED else "small"
        parts.append(svg.text(x + dx + wide / 2, y + dy + high / 2 + 5, face, look))
    return parts


def _signed(call: str) -> str:
    """A bid with the sign of its suit."""
    return call[0] + SIGNS[call[1]] if len(call) == 2 and call[1] in SIGNS else call


def _auction(auction: Auction, names: Sequence[str], x: float, y: float) -> list[Markup]:
    """The calls under the names of the seats, the last seat first."""
    parts = [svg.text(x + 32 + 56 * column, y + 14, names[(column + 3) % 4], "heading") for column in range(4)]
    first = (auction.dealer + 1) % 4
    for number, call in enumerate(auction.calls):
        row, column = divmod(first + number, 4)
        parts.append(svg.text(x + 32 + 56 * column, y + 36 + 21 * row, _signed(call), "heading"))
    return parts


def _box(box: Box, x: float, y: float, wide: float) -> list[Markup]:
    """The bids that may be made, each a place to point at."""
    parts: list[Markup] = []
    for row, calls in enumerate(box):
        for column, call in enumerate(calls):
            if call:
                left, top = x + wide * column, y + BID_HEIGHT * row
                text = _signed(call)
                look = "bid-red" if any(sign in text for sign in RED) else "bid-text"
                body = element("rect", x=left, y=top, width=wide - 3, height=BID_HEIGHT - 3, rx=4, class_="bid")
                parts.append(svg.place(call, body, svg.text(left + wide / 2 - 1.5, top + 22, text, look)))
    return parts
