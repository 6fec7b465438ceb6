"""How cards are shared out among three piles where each pile may lack suits: all ways equally likely, without tries.

Of the cards that one pile cannot hold, some number goes to the next pile and the rest to the one after. Three such
numbers decide how many cards of which kind every pile has; each choice of them stands for so many ways, and is drawn
by that weight.
"""

from __future__ import annotations

import math
from typing import Any

from ...bits import popcount
from ...rng import below, uniform

FACTORIALS = tuple(float(math.factorial(number)) for number in range(53))


def choose(whole: int, part: int) -> float:
    return FACTORIALS[whole] / (FACTORIALS[part] * FACTORIALS[whole - part])


def drawn_counts(lacked: tuple[int, int, int], room: tuple[int, int, int], rng: Any) -> tuple[int, int, int]:
    """Of the cards that each pile lacks, how many go to the pile after it; drawn by the ways that this stands for.

    `room` is how many cards each pile has to get, those that anybody may hold counted in.
    """
    found, target = (0, 0, 0), math.inf
    for sweep in range(2):  # the ways are added up, then once more until those drawn are passed
        total = 0.0
        for one in range(lacked[0] + 1):
            for two in range(lacked[1] + 1):
                for three in range(lacked[2] + 1):
                    a = room[0] - (lacked[1] - two) - three
                    b = room[1] - (lacked[2] - three) - one
                    c = room[2] - (lacked[0] - one) - two
                    if a >= 0 and b >= 0 and c >= 0 and total <= target:
                        ways = choose(lacked[0], one) * choose(lacked[1], two) * choose(lacked[2], three)
                        total += ways / (FACTORIALS[a] * FACTORIALS[b] * FACTORIALS[c])
                        found = (one, two, three)
        if sweep == 0:
            target = uniform(rng) * total
    return found


def some_of(cards: int, count: int, rng: Any) -> int:
    """So many of the cards, any as likely as any other."""
    chosen, left = 0, popcount(cards)
    while cards != 0:
        if below(rng, left) < count:
            chosen |= cards & -cards
            count -= 1
        cards &= cards - 1
        left -= 1
    return chosen
