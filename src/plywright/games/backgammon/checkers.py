"""Backgammon's checkers as words: where they are, where they may go, how they are counted.

Points are numbered from the owner's perspective: 1 is the last before bearing off, 24 the first, 25 the bar. A
set of points is a word with bit n for point n. The checkers of a player are four such sets in two
words, binary digit by binary digit: point n holds as many checkers as bits n of the first set (1), the
second (2), the third (4) and the fourth (8) say. The second and the fourth lie 32 bits higher.
"""

from __future__ import annotations

from ...bits import highest_bit, popcount

BAR = 25
ON_BAR = 1 << BAR
POINTS = (1 << BAR) - 2  # points 1 to 24
PLACES = POINTS | ON_BAR
HOME_END = 1 << 7  # a set below this number lies in the home board
LANE = 32  # bits between the two sets of a word


def sets_of(word: int, more: int) -> tuple[int, int]:
    """The points that hold a checker, and those that hold two or more."""
    stacked = (word >> LANE | more | more >> LANE) & PLACES
    return (word | stacked) & PLACES, stacked


def checkers(word: int, more: int) -> int:
    """How many checkers are on the board and the bar."""
    low = (1 << LANE) - 1
    return popcount(word & low) + 2 * popcount(word >> LANE) + 4 * popcount(more & low) + 8 * popcount(more >> LANE)


def added(word: int, more: int, bit: int) -> tuple[int, int]:
    """One checker more on a point: the carry runs through the four sets."""
    twos = (word & bit) << LANE
    fours = (word & twos) >> LANE
    eights = (more & fours) << LANE
    return word ^ bit ^ twos, more ^ fours ^ eights


def carried(word: int, more: int, source: int, die: int) -> tuple[int, int]:
    """A checker taken from `source` and put down `die` points further, or borne off.

    Borrow and carry run through the four sets together, for they are about different points. A point
    may be left before it is reached: the sets count modulo sixteen.
    """
    left = 1 << source
    both = left | left >> die & PLACES
    twos = ((word ^ left) & both) << LANE
    fours = ((word ^ left << LANE) & twos) >> LANE
    eights = ((more ^ left) & fours) << LANE
    return word ^ both ^ twos, more ^ fours ^ eights


def moved(occupied: int, stacked: int, source: int, die: int) -> int:
    """The points occupied after one checker has moved."""
    bit = 1 << source
    return (occupied ^ bit & ~stacked) | bit >> die & PLACES


def sources(occupied: int, blocked: int, die: int) -> int:
    """The points from which a checker may move by this die."""
    if occupied & ON_BAR:
        return ON_BAR & ~(blocked << die)
    found = occupied & ~(blocked << die) & -2 << die
    if 0 < occupied < HOME_END:  # bearing off: the die's own point, or the highest if all are below it
        if occupied >> die != 0:
            found |= occupied & 1 << die
        else:
            found |= 1 << highest_bit(occupied)
    return found


def every_step(word: int, more: int, blocked: int, die: int) -> int:
    """The play of doubles of which fewer than four steps can be made: all that can, so there is one only."""
    action = 0
    for step in range(4):
        free = sources(sets_of(word, more)[0], blocked, die)
        if free == 0:
            break
        source = highest_bit(free)
        action |= source << 5 * step
        word, more = carried(word, more, source, die)
    return action


def seen_from_the_other_side(word: int, more: int) -> tuple[int, int]:
    """(blocked, blots): the points that the owner holds with two or more, and with one, as the opponent counts."""
    occupied, stacked = sets_of(word, more)
    both = stacked | (occupied & ~stacked) << LANE
    both = (both >> 1 & 0x5555555555555555) | (both & 0x5555555555555555) << 1
    both = (both >> 2 & 0x3333333333333333) | (both & 0x3333333333333333) << 2
    both = (both >> 4 & 0x0F0F0F0F0F0F0F0F) | (both & 0x0F0F0F0F0F0F0F0F) << 4
    both = (both >> 8 & 0x00FF00FF00FF00FF) | (both & 0x00FF00FF00FF00FF) << 8
    both = (both >> 16 & 0x0000FFFF0000FFFF) | (both & 0x0000FFFF0000FFFF) << 16
    return both >> 6 & POINTS, both >> LANE + 6 & POINTS  # point n has become bit 31 - n


def packed(counts: list[int]) -> tuple[int, int]:
    """The two words of a player with counts[n] checkers on point n."""
    word = more = 0
    for point, count in enumerate(counts):
        word |= (count & 1) << point | (count >> 1 & 1) << LANE + point
        more |= (count >> 2 & 1) << point | (count >> 3 & 1) << LANE + point
    return word, more


def counted(word: int, more: int) -> list[int]:
    """The checkers on each point, 0 to 25: the inverse of `packed`."""
    return [
        (word >> n & 1) + 2 * (word >> LANE + n & 1) + 4 * (more >> n & 1) + 8 * (more >> LANE + n & 1)
        for n in range(BAR + 1)
    ]
