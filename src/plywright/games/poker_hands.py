"""Poker hands of five to seven cards: their category and rank, one number that compares them.

    hand_value(parse_cards("As Ks Qs Js Ts"))        # the best of all
    evaluate_hands(array of shape (n, 5))            # many at once, compiled

A card is 4 * rank + suit, ranks from the deuce (0) to the ace (12), suits c d h s. A value is the category
in the bits from 26 up, then two sets of ranks, 13 bits each: what makes the hand, and the cards beside it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..bits import highest_bit, popcount
from ..compiled import NO_GAME, Workspace, kernel
from ..errors import BadInput

RANKS, SUITS = "23456789TJQKA", "cdhs"
CARDS = 52
CATEGORIES = (
    *("high card", "one pair", "two pair", "three of a kind", "straight"),
    *("flush", "full house", "four of a kind", "straight flush", "royal flush"),
)
HIGH, PAIR, TWO_PAIR, THREE, STRAIGHT, FLUSH, FULL_HOUSE, FOUR, STRAIGHT_FLUSH, ROYAL = range(10)
WHEEL = 0b1000000001111  # ace to five
FOREIGN = -1  # the answer of a kernel that met a number that is no card


def parse_cards(text: str) -> list[int]:
    """Cards from text such as "As Td 9h": ranks 2-9 T J Q K A, suits c d h s; no card twice."""
    cards = []
    for word in text.replace(",", " ").split():
        rank, suit = word[:-1].upper().replace("10", "T"), word[-1:].lower()
        if len(rank) != 1 or rank not in RANKS or not suit or suit not in SUITS:
            raise BadInput(f"{word!r} is not a card: write a rank ({RANKS}) and a suit ({SUITS}), such as As or Td")
        card = 4 * RANKS.index(rank) + SUITS.index(suit)
        if card in cards:
            raise BadInput(f"{word!r} is there twice: a deck has one of each card")
        cards.append(card)
    return cards


def format_card(card: int) -> str:
    return RANKS[card // 4] + SUITS[card % 4]


def hand_value(cards: Sequence[int]) -> int:
    """The value of one hand of five to seven cards: higher wins, equal ones share."""
    return int(evaluate_hands([list(cards)])[0])


def category_of(value: int) -> str:
    return CATEGORIES[value >> 26]


def evaluate_hands(hands: ArrayLike) -> NDArray[np.int64]:
    """The values of many hands, one per row of five, six or seven cards; bytes (uint8) are fastest."""
    small = isinstance(hands, np.ndarray) and hands.dtype == np.uint8
    rows = np.ascontiguousarray(hands, np.uint8 if small else np.int64)
    if rows.ndim != 2 or not 5 <= rows.shape[1] <= 7:
        raise BadInput(f"hands must be rows of five to seven cards, not an array of shape {rows.shape}")
    values = np.zeros(len(rows), np.int64)
    if rows.shape[1] == 7 and (small or not (rows.astype(np.int64) >> 8).any()):
        from .hand_tables import hand_strengths, hand_tables

        strengths, wrong = hand_strengths(rows.astype(np.uint8, copy=False))
        values = hand_tables().values[strengths]
    else:
        wrong = evaluate_rows(NO_GAME, rows.shape[1], len(rows), Workspace(cards=rows.reshape(-1), values=values))
    if wrong == FOREIGN:
        raise BadInput("cards are numbers from 0 (2c) to 51 (As)")
    if wrong:
        raise BadInput(f"hand {wrong} has the same card twice")
    return values


def frequencies(cards: int = 5) -> dict[str, int]:
    """How many hands of so many cards there are of each category, counted one by one."""
    if cards not in (5, 6, 7):
        raise BadInput(f"hands have five, six or seven cards, not {cards}")
    counts = np.zeros(len(CATEGORIES), np.int64)
    if cards == 7:
        from .hand_tables import category_counts

        return dict(zip(CATEGORIES, category_counts(), strict=True))
    count_hands(NO_GAME, cards, 0, 0, 0, 0, 0, 0, Workspace(counts=counts))
    return {name: int(count) for name, count in zip(CATEGORIES, counts, strict=True)}


@kernel
def evaluate_rows(game, width, rows, work):
    """Fill work.values; returns the number, from 1, of a hand with a card twice, FOREIGN for a number that is no card,
    or 0."""
    wrong, cards, ranks = 0, 0, 0  # what all hands have together: a bit too many shows a number that is no card
    for row in range(rows):
        once, twice, thrice, four, suits = 0, 0, 0, 0, 0
        if width == 5:  # so many rounds that they can be unrolled
            for place in range(5 * row, 5 * row + 5):
                card = int(work.cards[place])
                cards |= card
                bit = 1 << (card >> 2 & 63)
                four |= thrice & bit
                thrice |= twice & bit
                twice |= once & bit
                once |= bit
                suits |= bit << 13 * (card & 3)
            work.values[row] = value_of_five(once, twice, thrice, four, suits)
        else:
            for place in range(row * width, row * width + width):
                card = int(work.cards[place])
                cards |= card
                bit = 1 << (card >> 2 & 63)
                four |= thrice & bit
                thrice |= twice & bit
                twice |= once & bit
                once |= bit
                suits |= bit << 13 * (card & 3)
            work.values[row] = value_of(once, twice, thrice, four, suits)
        ranks |= once
        if popcount(suits) != width:
            wrong = row + 1
    return FOREIGN if cards >> 6 != 0 or ranks >> 13 != 0 else wrong


@kernel
def count_hands(game, left, card, once, twice, thrice, four, suits, work):
    """Go through all hands of `left` more cards from `card` on, and count their categories."""
    if left == 0:
        work.counts[value_of(once, twice, thrice, four, suits) >> 26] += 1
        return 0
    for new in range(card, CARDS - left + 1):
        bit = 1 << (new >> 2)
        count_hands(
            game,
            left - 1,
            new + 1,
            once | bit,
            twice | once & bit,
            thrice | twice & bit,
            four | thrice & bit,
            suits | bit << 13 * (new & 3),
            work,
        )
    return 0


def value_of_five(once: Any, twice: Any, thrice: Any, four: Any, suits: Any) -> Any:
    """The same of five cards. Nine of ten hands have a pair or nothing, and come out without a branch that varies."""
    flush = suits == once or suits == once << 13 or suits == once << 26 or suits == once << 39
    straight = once & once >> 1 & once >> 2 & once >> 3 & once >> 4 != 0 or once == WHEEL
    if flush or straight:
        top = straight_in(once)
        if not flush:
            return STRAIGHT << 26 | 1 << top
        return FLUSH << 26 | once if not straight else (ROYAL if top == 12 else STRAIGHT_FLUSH) << 26 | 1 << top
    if thrice == 0:
        pairs = popcount(twice)  # none, one or two: high card, one pair, two pair
        return pairs << 26 | twice << 13 | once & ~twice
    if four != 0:
        return FOUR << 26 | four << 13 | once & ~four
    return (FULL_HOUSE if twice != thrice else THREE) << 26 | thrice << 13 | once & ~thrice


def value_of(once: Any, twice: Any, thrice: Any, four: Any, suits: Any) -> Any:
    """The value from the sets of ranks that are there at least once, twice, three and four times, and by suit."""
    flush, top = 0, -1
    if popcount(once) >= 5:  # else there is neither flush nor straight
        for suit in range(4):
            same = suits >> 13 * suit & 8191
            if popcount(same) >= 5:
                flush = same
        top = straight_in(once if flush == 0 else flush)
        if flush != 0 and top >= 0:
            return (ROYAL if top == 12 else STRAIGHT_FLUSH) << 26 | 1 << top
    if four != 0:
        return FOUR << 26 | four << 13 | highest(once & ~four, 1)
    if thrice != 0:
        best = highest(thrice, 1)
        if twice & ~best != 0:
            return FULL_HOUSE << 26 | best << 13 | highest(twice & ~best, 1)
    if flush != 0:
        return FLUSH << 26 | highest(flush, 5)
    if top >= 0:
        return STRAIGHT << 26 | 1 << top
    if thrice != 0:
        return THREE << 26 | thrice << 13 | highest(once & ~thrice, 2)
    if twice != 0:
        best = highest(twice, 2)
        if best & best - 1 != 0:
            return TWO_PAIR << 26 | best << 13 | highest(once & ~best, 1)
        return PAIR << 26 | twice << 13 | highest(once & ~twice, 3)
    return HIGH << 26 | highest(once, 5)


def highest(ranks: Any, count: Any) -> Any:
    """The highest so many of a set of ranks."""
    while popcount(ranks) > count:
        ranks &= ranks - 1
    return ranks


def straight_in(ranks: Any) -> Any:
    """The highest rank of the best straight in a set of ranks; -1 if there is none."""
    runs = ranks & ranks >> 1 & ranks >> 2 & ranks >> 3 & ranks >> 4
    if runs != 0:
        return highest_bit(runs) + 4
    return 3 if ranks & WHEEL == WHEEL else -1
