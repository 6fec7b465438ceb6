"""What a backgammon position promises: the weights, in pips, and how they are put together.

The estimate is a race corrected for what the race does not show. It plays sensible openings and
races; it is no neural network.
"""

from __future__ import annotations

from ...bits import popcount
from .checkers import BAR, LANE, ON_BAR, POINTS, seen_from_the_other_side, sets_of

TEMPO = 4.0  # half an average roll: to be on roll; twice that with the dice on the table
BLOT = 0.22  # of the pips that a blot within a direct shot would lose
HOME_POINT = 3.0  # a point held in the home board
BLOCK = 2.0  # a point held among 4 to 9
ANCHOR = 4.0  # a point held in the opponent's home board while the armies are in contact
NEIGHBOURS = 2.0  # two points held side by side: the beginning of a prime
SHUT_OUT = 1.5  # for each opposing checker on the bar and each point held in the home board
STACK = 0.6  # for each checker after the fourth on a point
BASE, SHARE = 10.0, 0.12  # pips that are worth half of LARGEST: a base and a share of all pips still to go
LARGEST = 2.0  # estimates stay below this

HOME = 0x7E
BLOCKING = 0x3F0
FAR_HOME = 0x3F << 19
LOW = (1 << LANE) - 1
# The points whose number has the binary digit 1, 2, 4, 8, 16.
DIGITS = (0xAAAAAAAA, 0xCCCCCCCC, 0xF0F0F0F0, 0xFF00FF00, 0xFFFF0000)


def estimate(mine: int, mine_more: int, theirs: int, theirs_more: int, tempo: int) -> float:
    """The utility that the owner of `mine` may expect; `tempo` is 1 on roll and 2 with the dice thrown."""
    my_pips, their_pips = pip_count(mine, mine_more), pip_count(theirs, theirs_more)
    lead = their_pips - my_pips + TEMPO * tempo
    lead += assets(mine, mine_more, theirs, theirs_more) - assets(theirs, theirs_more, mine, mine_more)
    measure = lead / (BASE + SHARE * (my_pips + their_pips))
    return LARGEST * measure / (1 + abs(measure))


def pip_count(word: int, more: int) -> int:
    """The pips that a player has to go; a checker on the bar counts 25."""
    return (
        numbers_of(word & LOW)
        + 2 * numbers_of(word >> LANE & LOW)
        + 4 * numbers_of(more & LOW)
        + 8 * numbers_of(more >> LANE & LOW)
    )


def numbers_of(points: int) -> int:
    """The numbers of the points in a set, added up."""
    return (
        popcount(points & DIGITS[0])
        + 2 * popcount(points & DIGITS[1])
        + 4 * popcount(points & DIGITS[2])
        + 8 * popcount(points & DIGITS[3])
        + 16 * popcount(points & DIGITS[4])
    )


def assets(word: int, more: int, other: int, other_more: int) -> float:
    """What a player's checkers are worth beyond the race, in pips; only contact makes points and blots count."""
    occupied, stacked = sets_of(word, more)
    blocked, blots = seen_from_the_other_side(other, other_more)
    against = (blocked | blots) & POINTS
    on_bar = (other >> BAR & 1) + 2 * (other >> (LANE + BAR) & 1) + 4 * (other_more >> BAR & 1)
    if on_bar != 0:
        against |= 1  # it enters from before point 1
    value = 0.0 - STACK * (popcount(more & (LOW - ON_BAR)) - popcount(more >> LANE))
    if against == 0 or occupied < against & (0 - against):  # every checker has passed theirs
        return value
    shots = against << 1 | against << 2 | against << 3
    shots |= shots << 3
    exposed = occupied & ~stacked & POINTS & shots
    value -= BLOT * (BAR * popcount(exposed) - numbers_of(exposed))
    home = popcount(stacked & HOME)
    value += HOME_POINT * home + SHUT_OUT * on_bar * home
    value += BLOCK * popcount(stacked & BLOCKING) + ANCHOR * popcount(stacked & FAR_HOME)
    return value + NEIGHBOURS * popcount(stacked & stacked >> 1 & 0x3FE)
