"""A board of Go as rows of bits, and what follows from where the stones are: chains, liberties, area.

Rules unpack a state into an array (`bits.scratch`) of areas, each a row of bits for every row of the board with an
empty row before the first and behind the last, so that nothing asks for the edge:

    MINE, THEIRS, FREE, CHAIN, OTHER        # area a stands at a * span, row r at a * span + r + 1

Bit c of a row is column c. Black's stones are the low half of a packed row, White's the high half.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from ...bits import popcount, write_state

BLACK, WHITE = 0, 1
NOWHERE = -1
HALF = 32
LOW = (1 << HALF) - 1
MINE, THEIRS, FREE, CHAIN, OTHER = range(5)
PACKED = 6
"""Where packed rows stand while a board is unpacked: behind all areas."""


class Stones(NamedTuple):
    """A position: the rows from row 1 up, Black's stones in the low half of each, White's in the high half."""

    rows: tuple[int, ...]
    ko: int  # the point that the mover may not take at once, or NOWHERE
    last: int  # the point played last, or NOWHERE: what is near it is tried first, and no value depends on it
    passes: int  # in a row, up to now
    mover: int


def unpack(board: Any, rows: Any, mover: int, size: int) -> None:
    """Lay a state's rows out in an array: the mover's stones, the other's, the free points."""
    span = size + 2
    packed = PACKED * span
    write_state(board, packed, rows)
    for area in range(3):
        board[area * span] = 0
        board[area * span + size + 1] = 0
    full = (1 << size) - 1
    for row in range(size):
        word = board[packed + row]
        black, white = word & LOW, word >> HALF
        board[MINE * span + row + 1] = white if mover else black
        board[THEIRS * span + row + 1] = black if mover else white
        board[FREE * span + row + 1] = full & ~(black | white)


def pack(board: Any, mover: int, size: int) -> int:
    """Put the rows together again; where they stand in the array."""
    span = size + 2
    packed = PACKED * span
    for row in range(size):
        mine, theirs = board[MINE * span + row + 1], board[THEIRS * span + row + 1]
        board[packed + row] = theirs | mine << HALF if mover else mine | theirs << HALF
    return packed


def near(board: Any, place: int) -> Any:
    """The points beside those of one row of an area, in that row."""
    here = board[place]
    return here << 1 | here >> 1 | board[place - 1] | board[place + 1]


def breathes(board: Any, stones: int, row: int, bit: int, size: int) -> bool:
    """Whether the chain of an area's stones through a point has a liberty; one that has none is left in CHAIN."""
    span = size + 2
    chain, own, free = CHAIN * span, stones * span, FREE * span
    for line in range(span):
        board[chain + line] = 0
    board[chain + row] = bit
    first = last = row
    grown = True
    while grown:
        grown = False
        for line in range(max(first - 1, 1), min(last + 1, size) + 1):
            beside = near(board, chain + line)
            if beside & board[free + line] != 0:
                return True
            more = beside & board[own + line] & ~board[chain + line]
            if more != 0:
                board[chain + line] |= more
                first, last = min(first, line), max(last, line)
                grown = True
    return False


def liberties(board: Any, stones: int, row: int, bit: int, size: int, enough: int) -> int:
    """How many liberties the chain through a point has, counted up to `enough`; the chain is left in CHAIN."""
    span = size + 2
    chain, own, free = CHAIN * span, stones * span, FREE * span
    for line in range(span):
        board[chain + line] = 0
    board[chain + row] = bit
    first = last = row
    count = 0
    grown = True
    while grown and count < enough:
        grown = False
        count = 0
        for line in range(max(first - 1, 1), min(last + 1, size) + 1):
            beside = near(board, chain + line)
            count += popcount(beside & board[free + line])
            more = beside & board[own + line] & ~board[chain + line]
            if more != 0:
                board[chain + line] |= more
                first, last = min(first, line), max(last, line)
                grown = True
    return count


def is_playable(board: Any, row: int, bit: int, size: int) -> bool:
    """Whether the mover may play on a free point without a free neighbour: it captures, or its own chain breathes."""
    span = size + 2
    board[FREE * span + row] ^= bit
    board[MINE * span + row] |= bit
    found = (
        breathes(board, MINE, row, bit, size)
        or is_stifled(board, row, bit << 1, size)
        or is_stifled(board, row, bit >> 1, size)
        or is_stifled(board, row - 1, bit, size)
        or is_stifled(board, row + 1, bit, size)
    )
    board[FREE * span + row] ^= bit
    board[MINE * span + row] ^= bit
    return found


def is_stifled(board: Any, row: int, bit: int, size: int) -> bool:
    """Whether a stone of THEIRS stands there whose chain has no liberty; its chain is then in CHAIN."""
    return bool(board[THEIRS * (size + 2) + row] & bit != 0 and not breathes(board, THEIRS, row, bit, size))


def capture(board: Any, row: int, bit: int, size: int) -> int:
    """Take the chain of THEIRS through a point off the board if it has no liberty; how many stones that were."""
    span = size + 2
    if not is_stifled(board, row, bit, size):
        return 0
    taken = 0
    for line in range(1, size + 1):
        stones = board[CHAIN * span + line]
        taken += popcount(stones)
        board[THEIRS * span + line] ^= stones
        board[FREE * span + line] |= stones
    return taken


def reach(board: Any, stones: int, target: int, size: int) -> None:
    """The stones of an area and the free points that paths of free points join to them, in the area `target`."""
    span = size + 2
    own, free, found = stones * span, FREE * span, target * span
    for line in range(span):
        board[found + line] = board[own + line]
    grown = True
    while grown:
        grown = False
        for line in range(1, size + 1):
            more = near(board, found + line) & board[free + line] & ~board[found + line]
            if more != 0:
                board[found + line] |= more
                grown = True


def area(board: Any, size: int) -> int:
    """The mover's points less the other's, counted as Tromp and Taylor do: stones, and what reaches no other colour."""
    span = size + 2
    reach(board, MINE, CHAIN, size)
    reach(board, THEIRS, OTHER, size)
    lead = 0
    for line in range(1, size + 1):
        mine, theirs = board[CHAIN * span + line], board[OTHER * span + line]
        lead += popcount(mine & ~theirs) - popcount(theirs & ~mine)
    return lead
