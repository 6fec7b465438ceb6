"""Boards up to a permutation of suits: 1,755 flops, 16,432 boards of four cards, 134,459 of five.

A set of cards is a word with the bit 4 * rank + suit for each. Of all words that a permutation of suits makes of it
the smallest stands for them. `Boards` numbers those of so many cards.
"""

from __future__ import annotations

import functools
import itertools
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...bits import lowest_bit
from ...compiled import NO_GAME, Workspace, kernel
from ..poker_hands import CARDS

SUIT_BITS = 0x1111111111111
PERMUTATIONS = np.array(list(itertools.permutations(range(4))), np.int64)  # [24, 4]: where each suit goes
COMBINATIONS = CARDS * (CARDS - 1) // 2
"""Hands of two cards: {high, low} has the number high (high - 1) / 2 + low."""


def pair_number(one: Any, two: Any) -> Any:
    """The number of a hand of two cards, in any order."""
    high, low = max(one, two), min(one, two)
    return high * (high - 1) // 2 + low


def permuted(cards: Any, number: Any, permutations: Any) -> Any:
    """A set of cards with its suits changed by the permutation of that number; `permutations` is flat."""
    place = 4 * number
    return (
        (cards & SUIT_BITS) << permutations[place]
        | (cards >> 1 & SUIT_BITS) << permutations[place + 1]
        | (cards >> 2 & SUIT_BITS) << permutations[place + 2]
        | (cards >> 3 & SUIT_BITS) << permutations[place + 3]
    )


def moved_card(card: Any, number: Any, permutations: Any) -> Any:
    """One card with its suit changed."""
    return card & ~3 | permutations[4 * number + (card & 3)]


def choose_number(cards: Any, chosen: Any) -> Any:
    """The place of a set of cards among all sets of its size, in the order of their words; `chosen`: binomials()."""
    number, count = 0, 0
    while cards != 0:
        count += 1
        number += chosen[6 * lowest_bit(cards) + count]
        cards &= cards - 1
    return number


@functools.cache
def binomials() -> NDArray[np.int64]:
    """n over k for n up to 52 and k up to 5, flat: [6 n + k]."""
    import math

    return np.array([math.comb(n, k) for n in range(CARDS + 1) for k in range(6)], np.int64)


class Boards:
    """The boards of so many cards up to suits: `words` has one for each class, `weights` how many look like it.

    `classes` and `turns` lead from the number of any board (`choose_number`) to its class and to the permutation that
    makes its word of it.
    """

    def __init__(self, size: int) -> None:
        total = int(binomials()[6 * CARDS + size])
        self.size = size
        work: Any = Workspace(
            permutations=PERMUTATIONS.reshape(-1),
            binomials=binomials(),
            words=np.zeros(total, np.int64),
            classes=np.full(total, -1, np.int32),
            turns=np.zeros(total, np.int8),
            weights=np.zeros(total, np.int64),
        )
        count = int(number_boards(NO_GAME, size, work))
        self.words = np.array(work.words[:count])
        self.weights = np.array(work.weights[:count])
        self.classes = np.asarray(work.classes)
        self.turns = np.asarray(work.turns)

    def __len__(self) -> int:
        return len(self.words)


@kernel
def number_boards(game, size, work):
    """Go through all sets of cards in the order of their words; the first of each class is its smallest."""
    cards, count, last = (1 << size) - 1, 0, 1 << CARDS
    place = 0
    while cards < last:
        smallest, turn = cards, 0
        for number in range(24):
            other = permuted(cards, number, work.permutations)
            if other < smallest:
                smallest = other
                turn = number
        if smallest == cards:
            work.words[count] = cards
            work.classes[place] = count
            work.weights[count] = 1
            count += 1
        else:
            which = work.classes[choose_number(smallest, work.binomials)]
            work.classes[place] = which
            work.weights[which] += 1
        work.turns[place] = turn
        place += 1
        low = cards & -cards  # the next word with as many bits
        carried = cards + low
        cards = carried | ((cards ^ carried) >> 2) // low
    return count
