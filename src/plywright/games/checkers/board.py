"""The checkerboard as bits: squares, a position on them, and where its pieces can go."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

ZERO, ONE = np.uint64(0), np.uint64(1)
BLACK, WHITE = 0, 1
SQUARES = 32
MEN = 12
"""Pieces with which a side begins."""

# Bit b is square b - b // 9 + 1: after every second row a bit stands for no square, so that in every row the four
# diagonal steps are the same four shifts, and whatever would leave the board on a side lands on such a bit.
BITS = tuple(number + number // 8 for number in range(SQUARES))
BOARD = np.uint64(sum(1 << bit for bit in BITS))
BLACK_START = np.uint64(sum(1 << bit for bit in BITS[:MEN]))
WHITE_START = np.uint64(sum(1 << bit for bit in BITS[-MEN:]))
FIRST_ROW = np.uint64(sum(1 << bit for bit in BITS[:4]))
LAST_ROW = np.uint64(sum(1 << bit for bit in BITS[-4:]))
UP, DOWN = 0, 2
"""Directions are 0 and 1 towards square 32, 2 and 3 towards square 1; d and d ^ 2 are opposite."""

# An action: the bit it starts from, the number of jumps (0 for a step), and two bits for each direction.
COUNT_SHIFT, PATH_SHIFT = 6, 10
MOST_JUMPS = 9
"""A king that jumps stays on eight squares, with nine between them that it can jump over."""


class Position(NamedTuple):
    """Bitboards of both sides and of the kings among them, who moves, and plies since a capture or a man's move."""

    black: np.uint64
    white: np.uint64
    kings: np.uint64
    mover: int
    quiet: int


# -- bitboards ------------------------------------------------------------------------------------------


def shifted(squares: np.uint64, direction: int) -> np.uint64:
    """The squares next to these in a direction; what leaves the board lands outside `BOARD`."""
    distance = np.uint64(4 + (direction & 1))
    return squares << distance if direction < DOWN else squares >> distance


def movers(mine: np.uint64, kings: np.uint64, mover: int, direction: int) -> np.uint64:
    """Those of my pieces that may go in a direction: all of them forward, kings backward."""
    return mine if (direction >= DOWN) == (mover == WHITE) else mine & kings


def jumpers(mine: np.uint64, theirs: np.uint64, empty: np.uint64, kings: np.uint64, mover: int) -> np.uint64:
    """Those of my pieces that can jump."""
    found = ZERO
    for direction in range(4):
        over = theirs & shifted(empty, direction ^ 2)
        found |= movers(mine, kings, mover, direction) & shifted(over, direction ^ 2)
    return found


def can_move(state: Position) -> bool:
    mine, theirs = (state.black, state.white) if state.mover == BLACK else (state.white, state.black)
    empty = BOARD & ~(mine | theirs)
    for direction in range(4):
        open_to = shifted(empty | theirs & shifted(empty, direction ^ 2), direction ^ 2)
        if movers(mine, state.kings, state.mover, direction) & open_to != ZERO:
            return True
    return False


def jumps(action: int) -> int:
    return action >> COUNT_SHIFT & 15


def travelled(action: int) -> tuple[np.uint64, np.uint64]:
    """The square where an action ends, and those of the pieces it jumps over."""
    here, taken = ONE << np.uint64(action & 63), ZERO
    ways = action >> PATH_SHIFT
    if jumps(action) == 0:
        return shifted(here, ways), taken
    for _ in range(jumps(action)):
        over = shifted(here, ways & 3)
        taken |= over
        here = shifted(over, ways & 3)
        ways >>= 2
    return here, taken
