"""Uniform random trees: `branching` moves everywhere, `depth` plies, nothing stored.

    RandomTree(branching=3, depth=4, seed=1, ordering="random")

The value of a leaf follows from the moves that lead to it:

- random: drawn from -largest .. largest for each leaf alone;
- perfect: the best move comes first everywhere, so alpha-beta looks at the fewest leaves there are
  (Knuth & Moore 1975): branching^ceil(depth/2) + branching^floor(depth/2) - 1;
- worst: the intervals in which the values of a node's moves lie do not overlap and get better from
  left to right, at every level, so nothing is ever cut and every leaf is looked at.

Everything about a tree is data at run time: all of them share one compilation.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from ...contracts import countable
from ...draw import Picture
from ...errors import BadInput
from ...game import Game
from ...rng import scramble
from .picture import picture_of_tree

ORDERINGS = ("random", "perfect", "worst")
RANDOM, PERFECT, WORST = range(3)
MOST_LEAVES = 1 << 51
"""With more leaves their values would not be whole numbers that a float holds exactly."""
MOST_PLIES = 256
LEGIBLE, NEARBY = 45, 20
"""Nodes of a tree that is drawn whole, and of the part that is drawn of a larger one."""
USUAL_LARGEST = 10**9
SMALL_TREE, SMALL_LARGEST = 10_000, 99_999
"""Trees of up to so many leaves can be looked at: their values are short."""


class Place(NamedTuple):
    """A node: how deep it is, its number on that level from the left, and the rank of its interval."""

    ply: int
    number: int
    rank: int


class RandomTree(Game):
    """A uniform tree of two players, MAX to move at the root; utilities are whole numbers."""

    player_names = ("MAX", "MIN")
    runtime = ("branching", "depth", "stir", "order", "largest", "spacing", "lowest")

    def __init__(
        self,
        branching: int = 3,
        depth: int = 4,
        seed: int = 1,
        ordering: str = "random",
        largest: int | None = None,
    ) -> None:
        for name, value in (("branching", branching), ("depth", depth), ("seed", seed)):
            if not isinstance(value, int) or isinstance(value, bool):
                raise BadInput(f"random-tree: {name} must be a whole number, not {value!r}")
        if not 1 <= branching <= self.max_actions:
            raise BadInput(f"random-tree: branching must be 1 to {self.max_actions}, not {branching}")
        if not 1 <= depth <= MOST_PLIES or branching**depth > MOST_LEAVES:
            raise BadInput(
                f"random-tree: depth must be 1 to {MOST_PLIES} and branching^depth at most 2^51 leaves, "
                f"not branching={branching}, depth={depth}"
            )
        if ordering not in ORDERINGS:
            raise BadInput(f"random-tree: ordering must be {', '.join(ORDERINGS)}, not {ordering!r}")
        leaves = branching**depth
        self.branching, self.depth, self.seed, self.ordering = branching, depth, seed, ordering
        self.largest = _largest(largest, leaves, ordering)
        self.stir = scramble(seed) >> 1  # 63 bits, so that it is an int64 that is not negative
        self.order = ORDERINGS.index(ordering)
        self.spacing = max((2 * self.largest + 1) // leaves, 1)  # values there are between two ranks
        self.lowest = -(leaves * self.spacing // 2)
        self.utility_range = (-float(self.largest), float(self.largest))
        self.step = 1 if countable(self.utility_range, 1) else None

    # -- rules --------------------------------------------------------------------------------------------

    def initial(self) -> Place:
        return Place(0, 0, 0)

    def to_move(self, state: Place) -> int:
        return state.ply & 1

    def actions(self, state: Place) -> Iterator[int]:
        if state.ply < self.depth:
            for move in range(self.branching):
                yield move

    def result(self, state: Place, action: int) -> Place:
        ascending = (state.ply & 1 == 0) == (self.order == WORST)
        digit = action if ascending else self.branching - 1 - action
        return Place(state.ply + 1, state.number * self.branching + action, state.rank * self.branching + digit)

    def is_terminal(self, state: Place) -> bool:
        return state.ply >= self.depth

    def utility(self, state: Place, player: int) -> float:
        noise = np.int64(scramble(self.stir ^ state.number) >> np.uint64(1))
        if self.order == RANDOM:
            value = noise % (2 * self.largest + 1) - self.largest
        else:
            value = self.lowest + state.rank * self.spacing + noise % self.spacing
        return float(value) if player == 0 else 0.0 - float(value)

    # -- notation: moves are 1 to branching, a state the moves that lead to it ------------------------------

    def format_action(self, state: Place, action: int) -> str:
        return str(int(action) + 1)

    def format_state(self, state: Place) -> str:
        """The moves from the root, such as `2 1 3`; the root itself is `root`."""
        return " ".join(self.path(state)) or "root"

    def parse_state(self, text: str) -> Place:
        moves = "" if text.strip() == "root" else text
        return self.play_moves(self.start_state, moves)  # type: ignore[no-any-return]

    def check_state(self, state: Place) -> str:
        if not 0 <= state.ply <= self.depth or not 0 <= state.number < self.branching**state.ply:
            return f"the tree has {self.depth} plies and {self.branching} moves at each node"
        reached = self.start_state
        for move in self.path(state):
            reached = self.state_after(reached, int(move) - 1)
        return "" if reached == state else "its rank is not that of its number"

    def path(self, state: Place) -> list[str]:
        """The moves from the root to a node: the digits of its number."""
        moves, number = [], int(state.number)
        for _ in range(int(state.ply)):
            number, move = divmod(number, self.branching)
            moves.append(str(move + 1))
        return moves[::-1]

    # -- picture ------------------------------------------------------------------------------------------

    def picture(self, state: Place, last: int | None = None) -> Picture:
        """The tree with this node marked; of a large one the next plies below it, so that they can be read."""
        if sum(self.branching**level for level in range(self.depth + 1)) <= LEGIBLE:
            return picture_of_tree(self, self.start_state, here=self.path(state))
        return picture_of_tree(self, state, here=[], most=NEARBY, name=" ".join(self.path(state)))


def _largest(given: int | None, leaves: int, ordering: str) -> int:
    """The largest value of a leaf: as asked for, or enough that equal values are rare and small trees legible."""
    if given is None:
        return SMALL_LARGEST if leaves <= SMALL_TREE else max(USUAL_LARGEST, leaves)
    if not isinstance(given, int) or isinstance(given, bool) or not 1 <= given <= MOST_LEAVES:
        raise BadInput(f"random-tree: largest must be a whole number from 1 to 2^51, not {given!r}")
    if ordering != "random" and 2 * given + 1 < leaves:
        raise BadInput(
            f"random-tree: {ordering} ordering gives each of the {leaves:,} leaves a value of its own; "
            f"largest must be at least {leaves // 2:,}, not {given:,}"
        )
    return given
