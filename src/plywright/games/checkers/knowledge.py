"""What the engine is told about checkers: an evaluation, which positions are quiet, and the numbers of endings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ...bits import popcount
from ...errors import BadInput
from ...knowledge import Knowledge
from . import endings
from .board import BITS, BLACK, BOARD, DOWN, FIRST_ROW, LAST_ROW, ONE, ZERO, jumpers, movers, shifted, travelled

if TYPE_CHECKING:
    from .board import Position
    from .rules import Checkers

MAN = 32
"""How many men a win is worth: more than a side can be ahead."""

# What one more of each than the opponent is worth, in hundredths of a man.
HAND = {
    "men": 100,
    "kings": 140,
    "advancement": 3,  # for each row that a man has come
    "back rank": 8,  # a man at home keeps a king from being crowned there
    "bridge": 12,  # the two squares that guard the whole back rank
    "centre": 4,  # a piece on one of the eight middle squares
    "mobility": 2,  # a step that a piece can take
    "tempo": 5,  # the move: whose turn it is when the sides face each other
}
FEATURES = tuple(HAND)
ROWS = tuple(np.uint64(sum(1 << bit for bit in BITS[4 * row : 4 * row + 4])) for row in range(8))
BLACK_BRIDGE, WHITE_BRIDGE = (np.uint64(sum(1 << BITS[n - 1] for n in pair)) for pair in ((1, 3), (30, 32)))
CENTRE = np.uint64(sum(1 << BITS[number - 1] for number in (10, 11, 14, 15, 18, 19, 22, 23)))
SYSTEM = np.uint64(sum(1 << BITS[number - 1] for row in (0, 2, 4, 6) for number in range(4 * row + 1, 4 * row + 5)))
"""The squares of every other row: an odd number of pieces there means that Black has the move, if it is to play."""


class CheckersKnowledge(Knowledge):
    """Weighted features; `weights` are data, in hundredths of a man and in the order of `FEATURES`.

    Endings with up to `pieces` pieces have numbers, by which tables know them.
    """

    game: Checkers
    runtime = ("most_pieces", "materials")
    feature_names = FEATURES
    tables = tuple(str(pieces) for pieces in range(2, endings.MOST_PIECES + 1))

    def __init__(self, game: Checkers, pieces: int = 2, weights: Any = None) -> None:
        weights = list(HAND.values()) if weights is None else weights
        if len(weights) != len(FEATURES):
            raise BadInput(f"checkers has {len(FEATURES)} weights ({', '.join(FEATURES)}), not {len(weights)}")
        self.game = game
        self.weights: NDArray[Any] = np.array(weights, np.float64)
        numbers = endings.endings(pieces)
        self.most_pieces, self.materials = pieces, len(numbers.materials)
        self.material_at, self.material_of = numbers.material_at, numbers.material_of
        self.begins, self.arrangements = numbers.begins, numbers.arrangements
        self.ranks_at, self.men_at, self.ranks, self.men = numbers.ranks_at, numbers.men_at, numbers.ranks, numbers.men

    # -- the evaluation ----------------------------------------------------------------------------------------

    def evaluate(self, state: Position, player: int) -> float:
        """The features of both sides, weighed; the utility where the game is over."""
        if self.game.is_terminal(state):
            return self.game.utility(state, player)
        weights = self.weights
        black_men, white_men = state.black & ~state.kings, state.white & ~state.kings
        value = weights[0] * (popcount(black_men) - popcount(white_men))
        value += weights[1] * (popcount(state.black & state.kings) - popcount(state.white & state.kings))
        value += weights[2] * (advancement(black_men, BLACK) - advancement(white_men, 1 - BLACK))
        value += weights[3] * (popcount(black_men & FIRST_ROW) - popcount(white_men & LAST_ROW))
        value += weights[4] * (bridge(black_men, BLACK_BRIDGE) - bridge(white_men, WHITE_BRIDGE))
        value += weights[5] * (popcount(state.black & CENTRE) - popcount(state.white & CENTRE))
        value += weights[6] * (steps(state, BLACK) - steps(state, 1 - BLACK))
        value += weights[7] * the_move(state)
        value = min(max(value / (100.0 * MAN), -0.99), 0.99)
        return float(value if player == BLACK else -value)

    def features(self, state: Position, player: int) -> tuple[float, ...]:
        """What a side has of each, in the order of `FEATURES`."""
        black = player == BLACK
        mine = state.black if black else state.white
        men = mine & ~state.kings
        move = the_move(state) if black else -the_move(state)
        return (
            popcount(men),
            popcount(mine & state.kings),
            advancement(men, player),
            popcount(men & (FIRST_ROW if black else LAST_ROW)),
            bridge(men, BLACK_BRIDGE if black else WHITE_BRIDGE),
            popcount(mine & CENTRE),
            steps(state, player),
            max(move, 0),
        )

    def feature_weights(self, state: Position) -> list[float]:
        """In men; `weights` are hundredths."""
        return [float(weight) / 100 for weight in self.weights]

    def is_quiet(self, state: Position) -> bool:
        """Not while the mover has to jump: the piece that is taken still counts."""
        mine, theirs = (state.black, state.white) if state.mover == BLACK else (state.white, state.black)
        return bool(jumpers(mine, theirs, BOARD & ~(mine | theirs), state.kings, state.mover) == ZERO)

    def priority(self, state: Position, action: int, depth: int) -> int:
        """Moves that crown a man first, and jumps by how many they take."""
        target, taken = travelled(action)
        crowned = target & (LAST_ROW if state.mover == BLACK else FIRST_ROW)
        is_man = state.kings & ONE << np.uint64(action & 63) == ZERO
        return popcount(taken) + (4 if is_man and crowned != ZERO else 0)

    # -- endings by number ---------------------------------------------------------------------------------------

    def for_tables(self, which: str) -> tuple[Knowledge, list[tuple[str, int]]]:
        """Tables of all endings with up to `which` pieces."""
        if which not in self.tables:
            raise BadInput(f"tables of checkers are for endings of 2 to {endings.MOST_PIECES} pieces, not {which!r}")
        numbering = type(self)(self.game, int(which), self.weights)
        return numbering, endings.endings(int(which)).slices

    def plies_left(self, state: Position) -> int:
        return self.game.quiet_plies - state.quiet

    def index(self, state: Position) -> int:
        return endings.index(self, state)

    def unindex(self, number: int) -> Position:
        return endings.unindex(self, number)


def advancement(men: np.uint64, player: int) -> int:
    """The rows that all men of a side have come."""
    found = 0
    for row in range(1, 7):
        found += row * popcount(men & (ROWS[row] if player == BLACK else ROWS[7 - row]))
    return found


def bridge(men: np.uint64, squares: np.uint64) -> int:
    return 1 if men & squares == squares else 0


def steps(state: Position, player: int) -> int:
    """The steps that a side's pieces could take if it were to move."""
    mine = state.black if player == BLACK else state.white
    empty = BOARD & ~(state.black | state.white)
    found = 0
    for direction in range(DOWN + 2):
        found += popcount(movers(mine, state.kings, player, direction) & shifted(empty, direction ^ 2))
    return found


def the_move(state: Position) -> int:
    """1 where Black has the move, -1 where White has; 0 where the sides have different numbers of pieces."""
    if popcount(state.black) != popcount(state.white):
        return 0
    odd = popcount((state.black | state.white) & SYSTEM) & 1
    return 1 if (odd == 1) == (state.mover == BLACK) else -1
