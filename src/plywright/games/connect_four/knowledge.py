"""What a search may know of Connect Four: mirror images, wins in one and losses in two, moves that make threats.

None of it changes a value; the tests compare it with plain search.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ...bits import popcount, signed
from ...knowledge import Knowledge

if TYPE_CHECKING:
    from .rules import ConnectFour, Stones

HALF = (1 << 32) - 1
MIRRORED = 20


# In wins: what one more empty cell that would make four, or stone in the middle, is worth.
WEIGHTS = (4 / 64, 1 / 64)
WIDEST = 63 / 64


def weighed(game: ConnectFour, weights: Any, state: Stones, player: int) -> float:
    """Threats and stones in the middle, the player's less the other's."""
    if game.is_terminal(state):
        return game.utility(state, player)
    empty = game.board & ~(state.mine | state.theirs)
    value = weights[0] * (
        popcount(game.completing(state.mine) & empty) - popcount(game.completing(state.theirs) & empty)
    )
    value += weights[1] * (popcount(state.mine & game.centre) - popcount(state.theirs & game.centre))
    value = min(max(value, -WIDEST), WIDEST)
    return float(value if player == game.to_move(state) else -value)


class ConnectFourKnowledge(Knowledge):
    """Threats and stones in the middle, weighed; `weights` is data."""

    game: ConnectFour
    use_history = False  # the threats that a move makes say more
    feature_names = ("threats", "centre")

    def __init__(self, game: ConnectFour, weights: Sequence[float] = WEIGHTS) -> None:
        self.game = game
        self.weights = np.array(weights, np.float64)

    def evaluate(self, state: Stones, player: int) -> float:
        """The weighted difference; the utility where the game is over."""
        return weighed(self.game, self.weights, state, player)

    def features(self, state: Stones, player: int) -> tuple[float, ...]:
        """Empty cells that would make four, and stones in the middle."""
        game = self.game
        stones = state.mine if player == game.to_move(state) else state.theirs
        empty = game.board & ~(state.mine | state.theirs)
        return popcount(game.completing(stones) & empty), popcount(stones & game.centre)

    def key(self, state: Stones) -> int:
        """The position itself, or early in the game its mirror image, scrambled: no two others share it.

        Added to the occupied cells, a column's stones of the mover are a number that tells every
        filling of the column apart. The rounds below can be undone, so they join no two keys. Later
        positions are rarely met in both forms where their ancestors were not: turning them costs
        more than it saves.
        """
        occupied = state.mine | state.theirs
        packed = state.mine + occupied
        if popcount(occupied) <= MIRRORED:
            mirrored = 0
            for column in range(self.game.columns):
                mirrored = (
                    mirrored << self.game.height | packed >> column * self.game.height & (1 << self.game.height) - 1
                )
            packed = min(signed(packed), signed(mirrored))
        low, high = packed & HALF, packed >> 32 & HALF
        low ^= high * 0x5851F42D >> 13 & HALF
        high ^= low * 0x2545F491 >> 17 & HALF
        return high << 32 | low

    def bounds(self, state: Stones) -> tuple[float, float]:
        """A win in one, a loss in two, and otherwise what the stones left allow."""
        empty = self.game.board & ~(state.mine | state.theirs)
        winning, safe = self.winning_cells(state), self.safe_cells(state)
        if winning != 0:
            won = self.game.win_with(empty, 1)
            return won, won
        if safe == 0:
            lost = -self.game.win_with(empty, 2)
            return lost, lost
        return -self.game.win_with(empty, 4), self.game.win_with(empty, 3)

    def candidates(self, state: Stones) -> Iterator[int]:
        """A winning move; or the moves that do not lose at once; or, where all do, all of them."""
        winning, safe = self.winning_cells(state), self.safe_cells(state)  # as in bounds(): worked out once for both
        cells = winning if winning != 0 else safe if safe != 0 else self.game.board
        cells &= (state.mine | state.theirs) + self.game.feet
        for column in self.game.order:
            if cells >> column * self.game.height & self.game.column:
                yield column

    def priority(self, state: Stones, action: int, depth: int) -> int:
        """How many cells would make four after this move; the order of the rules settles the rest."""
        occupied = state.mine | state.theirs
        foot = action * self.game.height
        placed = occupied + (1 << foot) & self.game.column << foot
        return popcount(self.game.completing(state.mine | placed) & self.game.board & ~(occupied | placed))

    def winning_cells(self, state: Stones) -> int:
        """The cells that a stone can fall into now and that make four."""
        return self.game.completing(state.mine) & (state.mine | state.theirs) + self.game.feet & self.game.board

    def safe_cells(self, state: Stones) -> int:
        """The cells to fall into that do not let the opponent win at once, for a mover who cannot."""
        occupied = state.mine | state.theirs
        cells = occupied + self.game.feet & self.game.board
        threats = self.game.completing(state.theirs) & self.game.board & ~occupied
        forced = cells & threats
        if forced != 0:
            cells = forced if forced & forced - 1 == 0 else 0  # two at once cannot be stopped
        return cells & ~(threats >> 1)
