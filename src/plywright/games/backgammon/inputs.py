"""Backgammon as numbers for a network: the 198 inputs that TD-Gammon's were (Tesauro 1992), for whoever is on roll.

For each player and each of the 24 points four inputs: one checker or more, two or more, three or more, and half of
what is beyond three. Then the checkers on the bar, halved, those borne off in fifteenths, and who is on roll, which in
this view is always the same.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...bits import lowest_bit
from ...knowledge import Knowledge
from .checkers import BAR, LANE, PLACES, checkers, seen_from_the_other_side, sets_of
from .notation import CHECKERS

SIDE = 96
"""Inputs of a player's points."""
EXTRA = 192
INPUTS = 198
CONTACT, RACE = 0, 1


class BackgammonKnowledge(Knowledge):
    """The evaluation is the game's own; here is what a network is told."""

    input_count = INPUTS
    phases = 2

    def inputs(self, state: Any, places: Any, values: Any) -> int:
        """The inputs that are not zero, in the view of the player on roll."""
        count = side_inputs(state.mine, state.mine_more, 0, 0, places, values)
        count = side_inputs(state.theirs, state.theirs_more, 1, count, places, values)
        places[count] = EXTRA + 4
        values[count] = np.float32(1.0)
        return count + 1

    def phase(self, state: Any) -> int:
        """A race where no checker has one of the other side before it."""
        occupied, _ = sets_of(state.mine, state.mine_more)
        blocked, blots = seen_from_the_other_side(state.theirs, state.theirs_more)
        against = blocked | blots
        if (state.theirs | state.theirs_more) >> BAR & 1 or state.theirs >> (LANE + BAR) & 1:
            return CONTACT
        if occupied < against & (0 - against) and against != 0:
            return RACE
        return CONTACT

    def roller(self, state: Any) -> int:
        """Who is on roll, also before the dice."""
        return int(state.mover)


def side_inputs(word: int, more: int, side: int, count: int, places: Any, values: Any) -> int:
    """Write one player's inputs behind the `count` that are there; returns how many there are then."""
    left = (word | word >> LANE | more | more >> LANE) & PLACES
    while left != 0:
        point = lowest_bit(left)
        left &= left - 1
        stack = (word >> point & 1) + 2 * (word >> LANE + point & 1)
        stack += 4 * (more >> point & 1) + 8 * (more >> LANE + point & 1)
        if point == BAR:
            places[count] = EXTRA + side
            values[count] = np.float32(0.5 * stack)
            count += 1
        else:
            first = side * SIDE + (point - 1) * 4
            for level in range(min(stack, 3)):
                places[count] = first + level
                values[count] = np.float32(1.0)
                count += 1
            if stack > 3:
                places[count] = first + 3
                values[count] = np.float32(0.5 * (stack - 3))
                count += 1
    off = CHECKERS - checkers(word, more)
    if off > 0:
        places[count] = EXTRA + 2 + side
        values[count] = np.float32(off / 15.0)
        count += 1
    return count
