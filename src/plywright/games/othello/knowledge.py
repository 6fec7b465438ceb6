"""What Othello knows for the engine's sake: an evaluation by stage, discs that never turn, the order of moves.

Nothing here changes an exact value; the tests compare it with plain search. Boards are those of
`Discs`, and `game` is an Othello, whose masks and tables are constants in compiled code.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...bits import lowest_bit, popcount

ZERO, ONE = np.uint64(0), np.uint64(1)

# What one more of each feature than the opponent is worth, in discs, from an empty board (first row) to a full
# one. Fitted by least squares to 57,000 positions of games whose last 13 squares were solved, then rounded; the
# first two rows and the last, of which those games have little, were extended by hand.
WEIGHTS = (
    # mobility, frontier, corner, corner within reach, X-square, C-square, anchored disc, disc
    (1.0, 0.5, 12.0, 4.0, -8.0, -3.0, 2.0, -0.5),
    (1.0, 0.5, 12.0, 4.0, -8.0, -3.0, 2.5, -0.5),
    (0.75, 0.375, 12.0, 5.5, -8.0, -3.0, 2.5, -0.5),
    (1.0, 0.25, 9.0, 6.5, -5.0, -2.0, 2.25, -0.25),
    (2.0, 0.0, 4.25, 6.0, -1.0, -2.0, 1.75, 0.0),
    (2.0, 0.0, 3.0, 5.0, -0.5, -1.0, 1.5, 0.5),
)
STAGES, FEATURES = len(WEIGHTS), len(WEIGHTS[0])

# The order of moves. Near the depth limit a move is worth its square, by distance from the two nearest edges.
SQUARES = {(0, 0): 40, (0, 1): -10, (0, 2): 10, (0, 3): 8, (1, 1): -20, (1, 2): -2, (1, 3): -2}
OTHER_SQUARE = 4
# Further from it a move that leaves few replies comes first: it is likely good, and if so cheap to prove.
BY_REPLIES, BY_ANSWERS = 3, 14  # from how many plies on replies are counted, and the answers to them weighed
REPLY, CORNER_REPLY, FRONTIER, ODD_QUADRANT = -48, -32, -6, 4
NO_REPLY = 320
ANSWER = 16  # for each disc of the evaluation after the best reply


# -- the evaluation ---------------------------------------------------------------------------------------


def estimate(game: Any, mine: np.uint64, theirs: np.uint64, moves: np.uint64, replies: np.uint64) -> float:
    """The weighted features for the owner of `mine`, who has `moves` where the other would have `replies`."""
    occupied = mine | theirs
    empties = game.board & ~occupied
    weights = game.weights
    row = popcount(occupied) * STAGES // (game.squares + 1) * FEATURES
    # An X-square or C-square (diagonally or straight beside a corner) is weak while its corner is empty.
    risky = beside(game, empties & game.corners)
    cross, side = risky & ~game.rim, risky & game.rim
    value = weights[row] * (popcount(moves) - popcount(replies))
    value += weights[row + 1] * (popcount(beside(game, theirs) & empties) - popcount(beside(game, mine) & empties))
    value += weights[row + 2] * (popcount(mine & game.corners) - popcount(theirs & game.corners))
    value += weights[row + 3] * (popcount(moves & game.corners) - popcount(replies & game.corners))
    value += weights[row + 4] * (popcount(mine & cross) - popcount(theirs & cross))
    value += weights[row + 5] * (popcount(mine & side) - popcount(theirs & side))
    if occupied & game.corners != ZERO:
        value += weights[row + 6] * (popcount(anchored(game, mine)) - popcount(anchored(game, theirs)))
    value += weights[row + 7] * (popcount(mine) - popcount(theirs))
    return float(value)


def beside(game: Any, discs: np.uint64) -> np.uint64:
    """The squares on or next to these."""
    wide = discs | ((discs & ~game.last_file) << ONE) | ((discs & ~game.first_file) >> ONE)
    return (wide | (wide << game.down) | (wide >> game.down)) & game.board  # type: ignore[no-any-return]


def anchored(game: Any, discs: np.uint64) -> np.uint64:
    """The discs on the rim in unbroken rows from a corner, without the corners: they can never be turned."""
    found = discs & game.corners
    along_ends, along_sides = discs & game.ends, discs & game.sides
    while True:
        more = found | (along_ends & ((found << ONE) | (found >> ONE)))
        more |= along_sides & ((found << game.down) | (found >> game.down))
        if more == found:
            return found & ~game.corners  # type: ignore[no-any-return]
        found = more


# -- discs that never turn ----------------------------------------------------------------------------------


def margins(game: Any, mine: np.uint64, theirs: np.uint64) -> tuple[int, int]:
    """The least and the most that the owner of `mine` can end with, since stable discs stay where they are."""
    if (mine | theirs) & game.corners == ZERO:
        return -game.squares, game.squares  # hardly any disc is stable yet
    least = 2 * popcount(stable(game, mine, theirs)) - game.squares
    return least, game.squares - 2 * popcount(stable(game, theirs, mine))


def stable(game: Any, mine: np.uint64, theirs: np.uint64) -> np.uint64:
    """Discs of `mine` that can never be turned; not all of them, but the most common.

    A disc cannot be turned along a line that is full, that it ends, or on which it has a stable
    neighbour of its colour; safe along all four lines it is stable. A shift that wraps around the
    board lands on an edge, where the line ends anyway.
    """
    empties = game.board & ~(mine | theirs)
    across = ~lines(empties, game.across, game.first_file, game.last_file) | game.sides
    down = ~lines(empties, game.down, ZERO, ZERO) | game.ends
    rising = ~lines(empties, game.rising, game.last_file, game.first_file) | game.rim
    falling = ~lines(empties, game.falling, game.first_file, game.last_file) | game.rim
    found = ZERO
    while True:
        more = mine & (across | (found << game.across) | (found >> game.across))
        more &= down | (found << game.down) | (found >> game.down)
        more &= rising | (found << game.rising) | (found >> game.rising)
        more &= falling | (found << game.falling) | (found >> game.falling)
        if more == found:
            return found
        found = more


def lines(squares: np.uint64, shift: np.uint64, first: np.uint64, last: np.uint64) -> np.uint64:
    """Every square in line, by that shift, with one of `squares`; a line goes up from `first` and ends in `last`."""
    twice = shift + shift
    up = down = squares
    open_up, open_down = ~first, ~last
    up |= open_up & (up << shift)
    down |= open_down & (down >> shift)
    open_up &= open_up << shift
    open_down &= open_down >> shift
    up |= open_up & (up << twice)
    down |= open_down & (down >> twice)
    open_up &= open_up << twice
    open_down &= open_down >> twice
    up |= open_up & (up << (twice + twice))
    down |= open_down & (down >> (twice + twice))
    return up | down


# -- which move to try first ----------------------------------------------------------------------------------


def order(game: Any, state: Any, action: int, depth: int) -> int:
    """How early to try a move: by its square, by the replies it leaves, or by the evaluation after the best reply."""
    if action == game.pass_action:
        return 0
    empties = game.board & ~(state.mine | state.theirs)
    reach = min(depth, popcount(empties))
    if reach < BY_REPLIES:
        return int(game.square_order[action])
    child = game.result(state, action)
    replies = child.moves
    value = REPLY * popcount(replies) + CORNER_REPLY * popcount(replies & game.corners)
    value += FRONTIER * popcount(beside(game, child.theirs) & empties)
    if popcount(empties & game.quadrant[action]) & 1:
        value += ODD_QUADRANT
    if reach < BY_ANSWERS:
        return value
    if replies == ZERO:
        return value + NO_REPLY
    worst = float(game.squares)
    while replies != ZERO:
        answer = game.result(child, lowest_bit(replies))
        worst = min(worst, game.evaluate(answer, state.mover))
        replies &= replies - ONE
    return value + int(ANSWER * worst)


# -- tables -------------------------------------------------------------------------------------------------------


def rays(size: int) -> NDArray[np.uint64]:
    """[squares * 8] the squares in each direction from each square: the four towards the last square first."""
    steps = [(0, 1), (1, 0), (1, -1), (1, 1)]
    steps += [(-down, -right) for down, right in steps]
    table = []
    for square in range(size * size):
        for down, right in steps:
            row, column = square // size + down, square % size + right
            ray = 0
            while 0 <= row < size and 0 <= column < size:
                ray |= 1 << row * size + column
                row, column = row + down, column + right
            table.append(ray)
    return np.array(table, np.uint64)


def neighbours(size: int) -> NDArray[np.uint64]:
    """[squares] the squares next to each square."""
    places = [divmod(square, size) for square in range(size * size)]
    near = [[max(abs(row - r), abs(column - c)) == 1 for r, c in places] for row, column in places]
    return np.array([sum(1 << square for square, is_near in enumerate(row) if is_near) for row in near], np.uint64)


def quadrants(size: int) -> NDArray[np.uint64]:
    """[squares] the quarter of the board in which each square lies."""
    quarter = [(square // size * 2 // size, square % size * 2 // size) for square in range(size * size)]
    boards = [sum(1 << square for square, other in enumerate(quarter) if other == own) for own in quarter]
    return np.array(boards, np.uint64)


def square_order(size: int) -> NDArray[np.int64]:
    """[squares] how early to try a square for its place alone."""
    edges = [sorted(min(place, size - 1 - place) for place in divmod(square, size)) for square in range(size * size)]
    return np.array([SQUARES.get((near, far), OTHER_SQUARE) for near, far in edges], np.int64)
