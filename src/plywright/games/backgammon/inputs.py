"""Backgammon as numbers for a network, for whoever is on roll: the 198 inputs that TD-Gammon's were, and some more.

The published ones (Tesauro 1992): for each player and each of the 24 points four inputs, one checker or more, two or
more, three or more, and half of what is beyond three; then the checkers on the bar, halved, those borne off in
fifteenths, and who is on roll, which in this view is always the same. `contact.py` has what is added to them.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...bits import lowest_bit
from ...knowledge import Knowledge
from .bearoff import FEW, HOME, rank, tables
from .checkers import BAR, HOME_END, LANE, PLACES, checkers, seen_from_the_other_side, sets_of
from .contact import MEANS, PER_SIDE, PIPS, SCALES, contact_inputs, race_input
from .notation import CHECKERS

SIDE = 96
"""Inputs of a player's points."""
EXTRA = 192
PUBLISHED = 198
INPUTS = PUBLISHED + 2 * PER_SIDE
CONTACT, RACE, CRASHED = 0, 1, 2
SPARE = 6
"""A side with no more checkers than this beyond its two lowest points has crashed."""
DEEP = 0b110
INSIDE = 1 - 2.0**-12
"""Estimates stay inside a win."""


class PublishedInputs(Knowledge):
    """The evaluation is the game's own; here is what a network is told, as published."""

    name = "published"
    input_count = PUBLISHED
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
        return RACE if racing(state) else CONTACT

    def roller(self, state: Any) -> int:
        """Who is on roll, also before the dice."""
        return int(state.mover)


class BackgammonKnowledge(PublishedInputs):
    """The published inputs, what a player sees beyond them, and how bearing off ends, which is known."""

    name = "hand"
    input_count = INPUTS
    phases = 3

    def __init__(self, game: Any) -> None:
        super().__init__(game)
        self.off_spread, self.off_wins, self.off_rolls = tables()
        self.off_few = math.isqrt(len(self.off_wins))

    def evaluate(self, state: Any, player: int) -> float:
        """The game's own estimate; the chances to be off first where both sides bear off and no gammon is left."""
        win = self.off_first(state)
        if win < 0.0:
            return self.game.evaluate(state, player)
        value = INSIDE * (2.0 * win - 1.0)
        return value if player == state.mover else -value

    def known(self, state: Any, found: Any) -> bool:
        """Write the five outputs of a network where they are known; whether they are."""
        win = self.off_first(state)
        if win < 0.0:
            return False
        for n in range(5):
            found[n] = np.float32(0.0)
        found[0] = np.float32(win)
        return True

    def off_first(self, state: Any) -> float:
        """The chance of whoever is on roll to be off first; -1 where that is not known, or the dice have fallen."""
        mine, theirs = sets_of(state.mine, state.mine_more)[0], sets_of(state.theirs, state.theirs_more)[0]
        if mine >= HOME_END or theirs >= HOME_END or mine == 0 or theirs == 0 or state.roll != 0:
            return -1.0
        ours, others = checkers(state.mine, state.mine_more), checkers(state.theirs, state.theirs_more)
        if ours == CHECKERS or others == CHECKERS:
            return -1.0
        here, there = home_word(state.mine, state.mine_more), home_word(state.theirs, state.theirs_more)
        if ours <= FEW and others <= FEW:
            return float(self.off_wins[rank(here, FEW) * self.off_few + rank(there, FEW)])
        first, second = rank(here, CHECKERS) * self.off_rolls, rank(there, CHECKERS) * self.off_rolls
        total, still = 0.0, 1.0  # `still` is the chance that the other side has checkers left
        for n in range(1, self.off_rolls):
            total += self.off_spread[first + n] * still
            still -= self.off_spread[second + n]
        return float(min(max(total, 0.0), 1.0))

    def phase(self, state: Any) -> int:
        """Contact is told apart where a side has run out of checkers to play with."""
        if racing(state):
            return RACE
        if crashed(state.mine, state.mine_more) or crashed(state.theirs, state.theirs_more):
            return CRASHED
        return CONTACT

    def inputs(self, state: Any, places: Any, values: Any) -> int:
        """The inputs that are not zero, in the view of the player on roll."""
        return all_inputs(state, places, values)


class CentredKnowledge(BackgammonKnowledge):
    """The same, where inputs beyond the published ones vary about zero and as far as those, so they learn as fast."""

    name = "centred"

    def inputs(self, state: Any, places: Any, values: Any) -> int:
        count = all_inputs(state, places, values)
        n = count - 1
        while n >= 0 and places[n] >= PUBLISHED:
            values[n] = (values[n] - MEANS[places[n] - PUBLISHED]) * SCALES[places[n] - PUBLISHED]
            n -= 1
        return count


def all_inputs(state: Any, places: Any, values: Any) -> int:
    """Write the published inputs, then those of contact, or of a race; how many there are."""
    count = side_inputs(state.mine, state.mine_more, 0, 0, places, values)
    count = side_inputs(state.theirs, state.theirs_more, 1, count, places, values)
    if racing(state):
        places[count], values[count] = PUBLISHED + PIPS, race_input(state.mine, state.mine_more)
        places[count + 1] = PUBLISHED + PER_SIDE + PIPS
        values[count + 1] = race_input(state.theirs, state.theirs_more)
        return count + 2
    for n in range(2 * PER_SIDE):
        places[count + n] = PUBLISHED + n
    contact_inputs(state.mine, state.mine_more, state.theirs, state.theirs_more, count, values)
    contact_inputs(state.theirs, state.theirs_more, state.mine, state.mine_more, count + PER_SIDE, values)
    return count + 2 * PER_SIDE


def racing(state: Any) -> bool:
    """Whether no checker has one of the other side before it."""
    occupied, _ = sets_of(state.mine, state.mine_more)
    blocked, blots = seen_from_the_other_side(state.theirs, state.theirs_more)
    against = blocked | blots
    if (state.theirs | state.theirs_more) >> BAR & 1 or state.theirs >> (LANE + BAR) & 1:
        return False
    return bool(occupied < against & (0 - against) and against != 0)


def crashed(word: int, more: int) -> bool:
    """Whether a side has few checkers left beyond its two lowest points."""
    keep = ~(DEEP | DEEP << LANE)
    return checkers(word & keep, more & keep) <= SPARE


def home_word(word: int, more: int) -> int:
    """The checkers on points 1 to 6 as four bits each, as `bearoff` has them."""
    found = 0
    for point in range(1, HOME + 1):
        stack = (word >> point & 1) + 2 * (word >> LANE + point & 1)
        stack += 4 * (more >> point & 1) + 8 * (more >> LANE + point & 1)
        found |= stack << 4 * (point - 1)
    return found


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
