"""What a player of backgammon sees beyond where the checkers stand: shots, blockades, races, as inputs of a network.

For each side, in its own numbering: the share of rolls that hit, and the pips that such a hit costs; how far a roll
takes its rearmost checker, and one that had to enter from the bar; its pips, and those until it has passed the other
side; the points of its home board, plain and squared; its longest prime; how far a roll takes the checkers that have
yet to pass, added up, and one on the point from which the way is hardest; the rolls that enter; pips left to play
before the home board or the anchor must be broken up.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...bits import highest_bit, popcount
from .checkers import BAR, LANE, ON_BAR, POINTS, seen_from_the_other_side, sets_of
from .knowledge import pip_count

PER_SIDE = 13
SHOTS, LOSS, ESCAPE, ENTRY, PIPS, TO_PASS, HOME_POINTS, HOME_SQUARED, PRIME, MOBILITY, CONTAINED, ENTERS, TIMING = (
    range(PER_SIDE)
)
MEANS = np.array(
    [
        *(0.54, 0.66, 0.65, 0.55, 0.77, 0.47, 0.44, 0.24, 0.42, 0.90, 0.49, 0.75, 0.24),
        *(0.36, 0.17, 0.71, 0.52, 0.72, 0.37, 0.45, 0.24, 0.39, 0.80, 0.44, 0.76, 0.23),
    ],
    np.float32,
)
SCALES = np.array(2 * [1.25, 1.25, 2.0, 2.5, 2.5, 1.75, 2.5, 2.5, 2.5, 1.0, 2.5, 2.5, 3.5], np.float32)
"""Of the inputs of both sides where there is contact: what they are on average in games against itself, and by what
they are multiplied to vary as far as the published ones do."""
AHEAD = 12
"""Points before a checker that are looked at where its freedom is counted."""
AHEAD_MASK = (1 << AHEAD) - 1
HOME = 0x7E
MIDDLE = POINTS & ~HOME & ~(0x3F << 19)
ALL_PIPS = 167.0


def _freedom() -> NDArray[np.float32]:
    """For each set of blocked points before a checker (bit 0 is the nearest): the pips that a roll takes it, in 8."""
    blocked = np.arange(1 << AHEAD)

    def free(distance: int) -> NDArray[np.bool_]:
        return (blocked >> (distance - 1) & 1 == 0) if distance <= AHEAD else np.ones(1 << AHEAD, bool)

    total = np.zeros(1 << AHEAD)
    for high in range(1, 7):
        for low in range(1, high):
            one = np.where(free(high), high, np.where(free(low), low, 0))
            both = (free(high) | free(low)) & free(high + low)
            total += 2 * np.where(both, high + low, one)
        far, going = np.zeros(1 << AHEAD), np.ones(1 << AHEAD, bool)
        for step in range(1, 5):
            going = going & free(step * high)
            far += np.where(going, high, 0)
        total += far
    return (total / 36 / 8).astype(np.float32)


FREEDOM = _freedom()


def contact_inputs(word: int, more: int, other: int, other_more: int, first: int, values: Any) -> None:
    """Write the inputs of the owner of `word` into `values` from `first` on."""
    occupied, stacked = sets_of(word, more)
    blocked, blots = seen_from_the_other_side(other, other_more)
    on_bar = (word >> BAR & 1) + 2 * (word >> (LANE + BAR) & 1) + 4 * (more >> BAR & 1)
    hits, loss = shots(occupied, blocked & POINTS, blots & POINTS, on_bar)
    values[first + SHOTS] = np.float32(hits / 36.0)
    values[first + LOSS] = np.float32(loss / 400.0)
    walls = sets_of(other, other_more)[1] & POINTS  # as their owner counts
    values[first + ESCAPE] = freedom(highest_bit(occupied), walls)
    values[first + ENTRY] = freedom(BAR, walls)
    values[first + MOBILITY] = mobility(occupied, stacked, walls, (blocked | blots) & POINTS)
    values[first + CONTAINED] = contained(walls)
    shut = popcount(walls & HOME)
    values[first + ENTERS] = np.float32(1.0 - shut * shut / 36.0)
    values[first + TIMING] = np.float32(timing(word, more) / 100.0)
    values[first + TO_PASS] = np.float32(pips_to_pass(word, more, (blocked | blots) & POINTS) / ALL_PIPS)
    home = popcount(stacked & HOME)
    values[first + HOME_POINTS] = np.float32(home / 6.0)
    values[first + HOME_SQUARED] = np.float32(home * home / 36.0)
    longest, runs = 0, stacked & POINTS
    while runs != 0:
        runs &= runs >> 1
        longest += 1
    values[first + PIPS] = race_input(word, more)
    values[first + PRIME] = np.float32(longest / 6.0)


def race_input(word: int, more: int) -> Any:
    """The pips to go, as an input."""
    return np.float32(pip_count(word, more) / ALL_PIPS)


def freedom(point: int, walls: int) -> Any:
    """How far a roll takes a checker on this point, in shares of 8 pips; `walls` as the other side counts."""
    return FREEDOM[walls >> (BAR + 1 - point) & AHEAD_MASK]


def mobility(occupied: int, stacked: int, walls: int, against: int) -> Any:
    """How far rolls take the checkers that have yet to pass the other side: one of each point, two if stacked."""
    total = np.float32(0.0)
    behind = against & (0 - against)
    left = occupied & ~((behind << 1) - 1) & (POINTS | ON_BAR) if behind != 0 else 0
    while left != 0:
        point = highest_bit(left)
        left ^= 1 << point
        total += FREEDOM[walls >> (BAR + 1 - point) & AHEAD_MASK] * np.float32(1 + (stacked >> point & 1))
    return total * np.float32(0.125)


def contained(walls: int) -> Any:
    """How far a roll takes a checker on the worst point for it among the far thirteen, the bar with them."""
    least = np.float32(2.0)
    for start in range(1, 14):
        least = min(least, FREEDOM[walls >> start & AHEAD_MASK])
    return least


def timing(word: int, more: int) -> int:
    """Pips that can be played by checkers between the home board and the other side's before either must move."""
    keep = MIDDLE | MIDDLE << LANE
    mine, mine_more = word & keep, more & keep
    count = popcount(mine & 0xFFFFFFFF) + 2 * popcount(mine >> LANE)
    count += 4 * popcount(mine_more & 0xFFFFFFFF) + 8 * popcount(mine_more >> LANE)
    return pip_count(mine, mine_more) - 6 * count


def pips_to_pass(word: int, more: int, against: int) -> int:
    """The pips that a side still has to go until all its checkers are past the rearmost of the other."""
    if against == 0:
        return 0
    behind = against & (0 - against)  # the rearmost of theirs, the lowest as we count
    last = highest_bit(behind)
    keep = ~((behind << 1) - 1) & (POINTS | ON_BAR)
    keep |= keep << LANE
    mine, mine_more = word & keep, more & keep
    count = popcount(mine & 0xFFFFFFFF) + 2 * popcount(mine >> LANE)
    count += 4 * popcount(mine_more & 0xFFFFFFFF) + 8 * popcount(mine_more >> LANE)
    return pip_count(mine, mine_more) - last * count


def shots(occupied: int, blocked: int, blots: int, on_bar: int) -> tuple[int, int]:
    """Of 36 rolls those that hit a blot, and the pips that the farthest such blot loses, added up.

    A roll hits where one checker comes to a blot by it, those on the bar first. It leaves out that both numbers have to
    be played where that is possible. Doubles with checkers on the bar are not exact: with one there, another checker
    gets four moves after it has entered instead of three (hits too often); with two or three, the moves that are left
    after they have entered are left out (hits too rarely). The shipped network has learned with these numbers.
    """
    if blots == 0:
        return 0, 0
    free = POINTS & ~blocked
    start = ON_BAR if on_bar > 0 else occupied
    rest = occupied & POINTS
    rolls, loss = 0, 0
    for high in range(1, 7):
        one = start >> high & free
        hits, reach = one & blots, one
        if on_bar < 2:
            if on_bar == 1 and one != 0:
                reach |= rest >> high & free
                hits |= reach & blots
            for _ in range(3):
                reach = reach >> high & free
                hits |= reach & blots
        if hits != 0:
            rolls += 1
            loss += highest_bit(hits)
        for low in range(1, high):
            two = start >> low & free
            hits = (one | two) & blots
            if on_bar == 0:
                hits |= (one >> low | two >> high) & free & blots
            elif on_bar == 1:
                if one != 0:
                    hits |= (one | rest) >> low & free & blots
                if two != 0:
                    hits |= (two | rest) >> high & free & blots
            if hits != 0:
                rolls += 2
                loss += 2 * highest_bit(hits)
    return rolls, loss


__all__ = ["MEANS", "PER_SIDE", "SCALES", "contact_inputs", "freedom", "pips_to_pass", "race_input", "shots"]
