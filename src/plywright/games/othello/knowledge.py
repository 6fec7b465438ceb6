"""What Othello knows for the engine's sake: an evaluation by stage, discs that never turn, the order of moves.

Nothing here changes an exact value; the tests compare it with plain search. Boards are those of
`Discs`, and `game` is an Othello, whose masks and tables are constants in compiled code.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ...bits import fold, lowest_bit, popcount
from ...knowledge import Knowledge
from . import endgame
from .stability import margins

if TYPE_CHECKING:
    from .rules import Discs, Othello

ZERO, ONE = np.uint64(0), np.uint64(1)
SALT = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xD6E8FEB86659FD93)

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
FEATURE_NAMES = (
    *("mobility", "frontier", "corner", "corner within reach"),
    *("X-square", "C-square", "anchored disc", "disc"),
)

# The order of moves. Near the depth limit a move is worth its square (`board.square_order`).
# Further from it a move that leaves few replies comes first: it is likely good, and if so cheap to prove.
BY_REPLIES = 3  # from how many plies on replies are counted; a knowledge's `by_value` and `by_answers` go on
REPLY, CORNER_REPLY, FRONTIER, ODD_QUADRANT = -48, -32, -6, 4
NO_REPLY = 320
QUICK, PROOF_MOVES = 14, 4  # squares that are solved at once, and the moves that the proof before them may take
A_STAGE = 4  # numbers of empty squares that multi-ProbCut does not tell apart
A_DISC = 16  # of the evaluation after the move; a knowledge's `an_answered_disc` after the best reply to it


class OthelloKnowledge(Knowledge):
    """What every knowledge of Othello has besides its evaluation: keys, the order of moves, stable discs, the end."""

    game: Othello
    use_history = False  # the order below is better without
    by_value, by_answers = 14, 14
    """From how many plies on the order goes by the evaluation as well, and by that after the best reply."""
    an_answered_disc = A_DISC
    """How much a disc of the evaluation after the best reply counts in the order."""

    def __init__(self, game: Othello) -> None:
        self.game = game
        self.widest = game.squares - 1

    def key(self, state: Discs) -> int:
        """The discs are enough: values are the mover's, whichever colour moves."""
        return fold(state.mine ^ SALT[0], state.theirs ^ SALT[1])

    def priority(self, state: Discs, action: int, depth: int) -> int:
        """By the square, by the replies that a move leaves, or by the evaluation after the best of them."""
        return order(self.game, self, state, action, depth)

    def bounds(self, state: Discs) -> tuple[float, float]:
        """Discs that can never be turned settle how far the score can go."""
        return margins(self.game, state.mine, state.theirs)

    def is_late(self, state: Discs) -> bool:
        """The last squares are solved without a table."""
        return popcount(state.mine | state.theirs) + endgame.LATE >= self.game.squares

    def moves_left(self, state: Discs) -> int:
        """Half the squares down to those that take no time, and the proof before them, which takes that of several."""
        left = self.game.squares - popcount(state.mine | state.theirs)
        return max(left - QUICK, 0) // 2 + PROOF_MOVES

    def probcut_row(self, state: Discs) -> int:
        """How many squares are left, by fours."""
        return (self.game.squares - popcount(state.mine | state.theirs)) // A_STAGE

    def finish(self, state: Discs, low: int, high: int, work: Any) -> int:
        """See `endgame.finish`."""
        return endgame.finish(self.game, state.mine, state.theirs, low, high, work)


class HandKnowledge(OthelloKnowledge):
    """Eight features weighed by hand: `weights` may be changed for another set without another compilation."""

    name = "hand"
    feature_names = FEATURE_NAMES

    def __init__(self, game: Othello, weights: Sequence[Sequence[float]] = WEIGHTS) -> None:
        super().__init__(game)
        self.weights = np.array(weights, np.float64).ravel()

    def evaluate(self, state: Discs, player: int) -> float:
        """Features weighed by stage; the utility where the game is over."""
        game = self.game
        replies = game.legal(state.theirs, state.mine)
        if state.moves == ZERO and replies == ZERO:
            return game.utility(state, player)
        value = estimate(game, self.weights, state.mine, state.theirs, state.moves, replies)
        value = min(max(value, -self.widest), self.widest)
        return value if player == state.mover else -value

    def features(self, state: Discs, player: int) -> tuple[float, ...]:
        """What a side has of each: as `estimate` counts them, the frontier being the other side's."""
        game = self.game
        mine, theirs = (state.mine, state.theirs) if player == state.mover else (state.theirs, state.mine)
        moves = game.legal(mine, theirs)
        empties = game.board & ~(mine | theirs)
        risky = beside(game, empties & game.corners)
        return (
            popcount(moves),
            popcount(beside(game, theirs) & empties),
            popcount(mine & game.corners),
            popcount(moves & game.corners),
            popcount(mine & risky & ~game.rim),
            popcount(mine & risky & game.rim),
            popcount(anchored(game, mine)),
            popcount(mine),
        )

    def feature_weights(self, state: Discs) -> list[float]:
        """The row of the stage, in discs."""
        row = popcount(state.mine | state.theirs) * STAGES // (self.game.squares + 1) * FEATURES
        return [float(weight) for weight in self.weights[row : row + FEATURES]]


# -- the evaluation ---------------------------------------------------------------------------------------


def estimate(
    game: Any, weights: Any, mine: np.uint64, theirs: np.uint64, moves: np.uint64, replies: np.uint64
) -> float:
    """The weighted features for the owner of `mine`, who has `moves` where the other would have `replies`."""
    occupied = mine | theirs
    empties = game.board & ~occupied
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


# -- which move to try first ----------------------------------------------------------------------------------


def order(game: Any, knowledge: Any, state: Any, action: int, depth: int) -> int:
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
    if reach < knowledge.by_value:
        return value
    if replies == ZERO:
        return value + NO_REPLY
    if reach < knowledge.by_answers:
        return value + int(A_DISC * knowledge.evaluate(child, state.mover))
    worst = float(game.squares)
    while replies != ZERO:
        answer = game.result(child, lowest_bit(replies))
        worst = min(worst, knowledge.evaluate(answer, state.mover))
        replies &= replies - ONE
    return value + int(knowledge.an_answered_disc * worst)
