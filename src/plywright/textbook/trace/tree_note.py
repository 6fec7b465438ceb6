"""A note that keeps the tree which a search walks: its nodes as they become known, and what is known of each."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ...errors import Unsuitable
from ...game import Game
from ...games.trees.explicit_tree import ExplicitTree
from ..algorithms.sides import MAX_PLAYER, Vector, evaluations, is_max, outcomes
from .note import Note
from .trace import CHANCE, LEAF, MAX, MIN, View

MAX_NODES = 20_000
"""A search that lists more nodes than this is not traced: it would be too large to look at."""
MAX_PLIES = 400
"""Nor is one with longer lines than this."""
WHOLE = 40
"""A pruned subtree of a game of at most this many nodes is listed whole, a larger one as a stub."""
WHOLE_TREE = 5_000
"""So is whatever is pruned of a tree that was given as one and has at most this many nodes."""


@dataclass
class Place:
    """A node as it becomes known."""

    state: Any
    parent: int
    action: int
    move: str
    path: str
    moves: list[str]
    side: str
    value: float | None
    values: Vector
    chance: float | None  # of getting here from the parent
    player: str
    decisions: int  # moves of players on the way here: what a depth counts
    more: str = ""
    children: list[int] | None = None


class TreeNote(Note):
    """The tree of one search.

    The search is from the perspective of `player`: its team is MAX. `depth` is the limit the search was given.
    `by_player` is for searches whose values are vectors, `selfish` for those in which every player is
    for itself, and `bounds` is what the search takes for granted of values that it has not looked at.
    """

    def __init__(
        self,
        game: Game,
        *,
        depth: int | None = None,
        budget: int | None = None,
        player: int = MAX_PLAYER,
        by_player: bool = False,
        selfish: bool = False,
        bounds: tuple[float, float] = (-math.inf, math.inf),
    ) -> None:
        super().__init__(budget, player)
        self.game, self.limit = game, depth
        self.by_player, self.selfish = by_player, selfish
        given = len(game.parents) if isinstance(game, ExplicitTree) else 0
        self.whole = given if 0 < given <= WHOLE_TREE else WHOLE
        self.blank = View(low=float(bounds[0]), high=float(bounds[1]))
        self.tree: list[Place] = []
        self.views: list[View] = []

    def _children(self, node: int) -> list[int]:
        if self.tree[node].children is None:
            state = self.tree[node].state
            if self.tree[node].side == CHANCE:
                self._expand(node, dict(outcomes(self.game, state)))
            else:
                self._expand(node, dict.fromkeys(map(int, self.game.actions(state))))
        found = self.tree[node].children
        assert found is not None
        return found

    def _expand(self, node: int, ways: Mapping[int, float | None]) -> None:
        """List the children: actions, or outcomes with their probabilities."""
        parent = self.tree[node]
        parent.more = ""
        parent.children = []
        for action, chance in ways.items():
            state = self.game.result(parent.state, action)
            parent.children.append(self._register(state, node, int(action), chance))

    def _register(self, state: Any, parent: int, action: int, chance: float | None) -> int:
        too_many = f"{MAX_NODES:,} nodes, too many" if len(self.tree) >= MAX_NODES else ""
        if parent >= 0 and len(self.tree[parent].moves) >= MAX_PLIES:
            too_many = f"{MAX_PLIES} plies, too many"
        if too_many:
            raise Unsuitable(
                f"this search of {self.game.name} has more than {too_many} to trace; "
                f"give a smaller depth to a search that takes one, or run it with trace=False"
            )
        move = self.game.format_action(self.tree[parent].state, action) if parent >= 0 else ""
        moves = [*self.tree[parent].moves, move] if parent >= 0 else []
        side, value, values, player = LEAF, None, Vector(), ""
        if self.game.is_terminal(state):
            utilities = evaluations(self.game, state)
            value, values = utilities[self.player], utilities if self.by_player else ()
        elif self.game.at_chance(state):
            side = CHANCE
        else:
            side = MAX if self.selfish or is_max(self.game, state, self.player) else MIN
            player = self.game.player_name(int(self.game.to_move(state))) if self._many else ""
        path = self.game.join_moves(moves) if moves else "root"
        above = self.tree[parent] if parent >= 0 else None
        decisions = 0 if above is None else above.decisions + (above.side != CHANCE)
        self.tree.append(
            Place(state, parent, action, move, path, moves, side, value, values, chance, player, decisions)
        )
        self.views.append(self.blank)
        return len(self.tree) - 1

    @property
    def _many(self) -> bool:
        """Whether who moves has to be said besides MAX and MIN."""
        return self.game.players > 2 or self.selfish

    def _is_last(self, node: int) -> bool:
        """Whether the search goes no deeper here: the game is over or the limit reached."""
        return self.tree[node].side == LEAF or (self.limit is not None and self.tree[node].decisions >= self.limit)

    def _size(self, state: Any, decisions: int) -> int:
        """How many nodes the search would have under `state`, counted up to one more than are listed."""
        count, waiting = 0, [(state, decisions)]
        for place, level in waiting:
            count += 1
            if count > self.whole:
                break
            if not self.game.is_terminal(place) and (self.limit is None or level < self.limit):
                below = level if self.game.at_chance(place) else level + 1
                waiting.extend((self.game.result(place, action), below) for action in self.game.choices(place))
        return count
