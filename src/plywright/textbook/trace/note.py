"""What the textbook algorithms report as they go. A plain `Note` only counts; a `Recorder` keeps it all.

An algorithm calls `enter` when it comes to a state and exactly one of `leaf`, `estimate`, `cut` and
`leave` when it returns from it, each with the value it returns; after every move it has searched it
calls `back_up`, and after every outcome of chance `weigh`. That is enough to follow it: the k-th
state entered below a node is its k-th move, unless `turn` says which.

A value is a number from the perspective of MAX or a vector with one for each player.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any, TypeVar

from ...errors import GameError
from ..algorithms.sides import MAX_PLAYER, Vector

Value = float | Vector
AnyValue = TypeVar("AnyValue", float, Vector)


class OutOfNodes(Exception):
    """The budget of nodes is used up."""


class Note:
    """Counts the nodes entered, the leaves examined and how many of them were only estimated.

    Past the `budget` of nodes `enter` raises OutOfNodes, but not before a round has been finished.
    """

    def __init__(self, budget: int | None = None, player: int = MAX_PLAYER) -> None:
        self.player = player  # from whose perspective the search is made
        self.ties: tuple[int, ...] = ()  # the equally good moves at the root, where the search looks for them
        self.nodes = 0
        self.leaves = 0
        self.estimates = 0
        self.estimates_used = 0  # in the last finished round
        self.ply = -1
        self.deepest = 0
        self.untouched = False  # nothing has been searched below this node yet
        self.finished_depth = 0  # of the rounds of a search that deepens
        self.budget = math.inf if budget is None else budget

    def begin(self, depth: int) -> None:
        """A new round that looks `depth` plies ahead."""
        self.estimates = 0
        self.ply = -1

    def finish(self, depth: int) -> None:
        """The round is over: its answer counts."""
        self.finished_depth = depth
        self.estimates_used = self.estimates

    def stop(self, depth: int) -> None:
        """The round was given up for want of nodes: what the one before found counts."""
        self.estimates = self.estimates_used

    def enter(self, state: Any, alpha: float | None = None, beta: float | None = None) -> None:
        if self.nodes >= self.budget and self.finished_depth:
            raise OutOfNodes
        self.nodes += 1
        self.ply += 1
        self.untouched = True
        if self.ply > self.deepest:
            self.deepest = self.ply

    def order(self, actions: Iterable[int]) -> Iterable[int]:
        """The moves of this node in the order in which they will be searched."""
        return actions

    def turn(self, action: int) -> None:
        """The next state entered is the one after this action or outcome."""

    def leaf(self, value: AnyValue) -> AnyValue:
        if _is_nan(value):
            raise GameError("utility() is not a number (NaN) in a state that is_terminal() calls finished")
        self.leaves += 1
        self._up()
        return value

    def estimate(self, value: AnyValue) -> AnyValue:
        if _is_nan(value):
            raise GameError("evaluate() is not a number (NaN)")
        self.leaves += 1
        self.estimates += 1
        self._up()
        return value

    def leave_out(self) -> None:
        """Moves of this node are not searched at all, though they may matter: what it is worth is an estimate."""
        self.estimates += 1

    def last(self, value: AnyValue, terminal: bool) -> AnyValue:
        """A leaf where the game is over, an estimate elsewhere."""
        return self.leaf(value) if terminal else self.estimate(value)

    def back_up(self, value: Value, move: int | None, alpha: float | None = None, beta: float | None = None) -> None:
        """A move has been searched: the best value and move so far, and the window now."""

    def weigh(self, value: Value, outcome: int, probability: float) -> None:
        """An outcome has been searched: the sum of probability times value so far."""

    def tied(self, moves: Sequence[int]) -> None:
        """The moves of this node that are equally good for the player to move."""
        if self.ply == 0:
            self.ties = tuple(moves) if len(moves) > 1 else ()

    def probed(self, value: float) -> float:
        """A look at the first move only: the value is a bound of the node's."""
        self._up()
        return value

    def cut(self, value: AnyValue, kind: str = "") -> AnyValue:
        """The rest of this node needs no look; `kind` is for chance nodes: alpha or beta."""
        self._up()
        return value

    def leave(self, value: AnyValue) -> AnyValue:
        if self.untouched:
            raise GameError("actions() yields nothing in a state that is_terminal() calls unfinished")
        self._up()
        return value

    def _up(self) -> None:
        """Back to the node above, which has a child by now."""
        self.ply -= 1
        self.untouched = False


def _is_nan(value: Value) -> bool:
    return any(map(math.isnan, value)) if isinstance(value, tuple) else math.isnan(value)
