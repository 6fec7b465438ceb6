"""Backgammon: complete rules, single games without the doubling cube.

A turn is a roll of the dice (a chance node of 21 outcomes) and then one action: the whole play of the
roll. Plays that lead to the same board are one action. The winner gets 1, for a gammon 2, for a
backgammon 3. The game opens as at the table: each player throws one die, ties are thrown again, and
the higher number begins with both.

Points are numbered in each player's own view: 1 is the last before bearing off, 24 the first, 25 the
bar. A set of points is a word with bit n for point n. The checkers of a player are four such sets in
two words, binary digit by binary digit: point n holds as many checkers as bits n of the first set
(1), the second (2), the third (4) and the fourth (8) say.

Why no play is listed twice: a play is a set of single moves, and since no legal move takes away
another one, their order does not matter for the board. With two different dice, p by the larger and q
by the smaller, two sets lead to the same board in two cases only: one checker running the whole way
by either die first (if no blot is hit on the way), and two checkers borne off by exchanged dice. With
doubles, the numbers of checkers that left each point follow from the board, point by point from the
highest: each descending list of points is a board of its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ..bits import highest_bit, popcount
from ..draw import Picture
from ..game import CHANCE, Game

BAR = 25
ON_BAR = 1 << BAR
POINTS = (1 << BAR) - 2  # points 1 to 24
PLACES = POINTS | ON_BAR
HOME_END = 1 << 7  # a set below this number lies in the home board
FAR = 0x3F << 19 | ON_BAR  # the opponent's home board and the bar: where a backgammon is lost
LANE = 32  # bits between the two sets of a word
SOURCE = 31  # five bits of an action name the point that a checker leaves
OPENING, NOT_ROLLED = -1, 0


class Turn(NamedTuple):
    """A position in the view of `mover`: the checkers of both sides, each in its own numbering, and the dice.

    `roll` is 65 for a six and a five, larger die first; `NOT_ROLLED` and `OPENING` are chance nodes.
    """

    mine: int
    mine_more: int
    theirs: int
    theirs_more: int
    mover: int
    roll: int


class Backgammon(Game):
    """Bear off all fifteen checkers first; gammons and backgammons count double and triple."""

    player_names = ("White", "Black")
    utility_range = (-3, 3)
    max_actions = 3060  # four equal steps shared out among fifteen checkers: C(18, 4)

    # -- rules -------------------------------------------------------------------------------------

    def initial(self) -> Turn:
        return Turn(*START, *START, 0, OPENING)

    def to_move(self, state: Turn) -> int:
        return state.mover if state.roll > 0 else CHANCE

    def chance(self, state: Turn) -> Iterator[tuple[int, float]]:
        """At the opening `65` and `56` are two outcomes: the first digit is White's die."""
        for high in range(1, 7):
            for low in range(1, 7):
                if state.roll == OPENING:
                    if high != low:
                        yield 10 * high + low, 1 / 30
                elif low <= high:
                    yield 10 * high + low, 1 / 36 if low == high else 1 / 18

    def actions(self, state: Turn) -> Iterator[int]:
        """Two sources, the larger die's first, or up to four equal steps from the highest point down.

        Five bits each, 0 for a step that cannot be made; so 0 is the pass.
        """
        if state.roll <= 0:
            return
        high, low = state.roll // 10, state.roll % 10
        occupied, stacked = sets_of(state.mine, state.mine_more)
        blocked, blots = seen_from_the_other_side(state.theirs, state.theirs_more)
        if high != low:
            by_high, by_low = sources(occupied, blocked, high), sources(occupied, blocked, low)
            running = 0  # points from which a checker can go the whole way, larger die first
            count = 0
            waiting = by_high
            while waiting != 0:  # the larger die first, from the highest point down
                first = highest_bit(waiting)
                waiting ^= 1 << first
                then = sources(moved(occupied, stacked, first, high), blocked, low)
                behind = first + low  # coming here and going on by `high`: its run, larger die first, is the same
                if running >> behind & 1 and not blots >> (behind - high) & 1:
                    then &= ~(1 << behind)
                if first > high:
                    running |= (then >> (first - high) & 1) << first
                else:  # both borne off: the larger die takes the higher point
                    then &= (2 << first) - 1 | -2 << low
                while then != 0:
                    second = highest_bit(then)
                    then ^= 1 << second
                    count += 1
                    yield first | second << 5
            waiting = by_low
            while waiting != 0:  # the smaller die first, where that makes another move possible
                second = highest_bit(waiting)
                waiting ^= 1 << second
                then = sources(moved(occupied, stacked, second, low), blocked, high) & ~by_high
                if second > low:
                    if running >> second & 1 and not (blots >> (second - high) | blots >> (second - low)) & 1:
                        then &= ~(1 << (second - low))
                else:
                    then &= -1 << second
                while then != 0:
                    first = highest_bit(then)
                    then ^= 1 << first
                    count += 1
                    yield first | second << 5
            if count == 0:  # one die only: the larger if it can be used
                if by_high != 0:
                    while by_high != 0:
                        first = highest_bit(by_high)
                        by_high ^= 1 << first
                        yield first
                elif by_low != 0:
                    while by_low != 0:
                        second = highest_bit(by_low)
                        by_low ^= 1 << second
                        yield second << 5
                else:
                    yield 0
        else:
            yielded = False
            points = state.mine, state.mine_more
            ones = sources(occupied, blocked, high)
            while ones != 0:
                first = highest_bit(ones)
                ones ^= 1 << first
                once = carried(points[0], points[1], first, high)
                twos = sources(sets_of(once[0], once[1])[0], blocked, high) & (2 << first) - 1
                while twos != 0:
                    second = highest_bit(twos)
                    twos ^= 1 << second
                    twice = carried(once[0], once[1], second, high)
                    threes = sources(sets_of(twice[0], twice[1])[0], blocked, high) & (2 << second) - 1
                    while threes != 0:
                        third = highest_bit(threes)
                        threes ^= 1 << third
                        thrice = carried(twice[0], twice[1], third, high)
                        fours = sources(sets_of(thrice[0], thrice[1])[0], blocked, high) & (2 << third) - 1
                        while fours != 0:
                            fourth = highest_bit(fours)
                            fours ^= 1 << fourth
                            yielded = True
                            yield first | second << 5 | third << 10 | fourth << 15
            if not yielded:
                yield every_step(state.mine, state.mine_more, blocked, high)

    def result(self, state: Turn, action: int) -> Turn:
        if state.roll == OPENING:
            white, black = action // 10, action % 10
            if white > black:
                return state._replace(roll=action)
            return Turn(state.theirs, state.theirs_more, state.mine, state.mine_more, 1, 10 * black + white)
        if state.roll == NOT_ROLLED:
            return state._replace(roll=action)
        mine, more = state.mine, state.mine_more
        landed = 0  # where checkers land, as the opponent counts
        die = state.roll // 10
        while action != 0:
            source = action & SOURCE
            if source != 0:
                mine, more = carried(mine, more, source, die)
                if source > die:
                    landed |= ON_BAR >> (source - die)
            die = state.roll % 10
            action >>= 5
        theirs, theirs_more = state.theirs, state.theirs_more
        hit = landed & theirs & ~(theirs >> LANE | theirs_more | theirs_more >> LANE)
        theirs ^= hit
        while hit != 0:
            theirs, theirs_more = added(theirs, theirs_more, ON_BAR)
            hit &= hit - 1
        return Turn(theirs, theirs_more, mine, more, 1 - state.mover, NOT_ROLLED)

    def is_terminal(self, state: Turn) -> bool:
        return state.theirs | state.theirs_more == 0 or state.mine | state.mine_more == 0

    def utility(self, state: Turn, player: int) -> float:
        won = state.mine | state.mine_more == 0
        loser, loser_more = (state.theirs, state.theirs_more) if won else (state.mine, state.mine_more)
        stake = 1
        if checkers(loser, loser_more) == 15:
            stake = 3 if sets_of(loser, loser_more)[0] & FAR != 0 else 2
        return stake if won == (player == state.mover) else -stake


# -- checkers and where they may go: sets of points as words -------------------------------------------


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


def removed(word: int, more: int, bit: int) -> tuple[int, int]:
    """One checker less on a point; where there is none it counts as sixteen, until one is added."""
    twos = (~word & bit) << LANE
    fours = (~word & twos) >> LANE
    eights = (~more & fours) << LANE
    return word ^ bit ^ twos, more ^ fours ^ eights


def carried(word: int, more: int, source: int, die: int) -> tuple[int, int]:
    """A checker taken from `source` and put down `die` points further, or borne off."""
    word, more = removed(word, more, 1 << source)
    if source > die:
        word, more = added(word, more, 1 << (source - die))
    return word, more


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


START = packed([0, 0, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0])
