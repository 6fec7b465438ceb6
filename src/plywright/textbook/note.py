"""What the textbook algorithms report as they go. A plain `Note` only counts; a `Recorder` keeps it all.

An algorithm calls `enter` when it comes to a state and exactly one of `leaf`, `estimate`, `cut` and
`leave` when it returns from it, each with the value it returns; after every move it has searched it
calls `back_up`. That is enough to follow it: the k-th state entered below a node is its k-th move.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

from ..errors import GameError


class OutOfNodes(Exception):
    """The budget of nodes is used up."""


class Note:
    """Counts the nodes entered, the leaves examined and how many of them were only estimated.

    Past the `budget` of nodes `enter` raises OutOfNodes, but not before a round has been finished.
    """

    def __init__(self, budget: int | None = None) -> None:
        self.nodes = 0
        self.leaves = 0
        self.estimates = 0
        self.estimates_used = 0  # in the last finished round
        self.ply = -1
        self.deepest = 0
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
        if self.ply > self.deepest:
            self.deepest = self.ply

    def order(self, actions: Iterable[int]) -> Iterable[int]:
        """The moves of this node in the order in which they will be searched."""
        return actions

    def leaf(self, value: float) -> float:
        if value != value:
            raise GameError("utility() is not a number (NaN) in a state that is_terminal() calls finished")
        self.leaves += 1
        self.ply -= 1
        return float(value)

    def estimate(self, value: float) -> float:
        if value != value:
            raise GameError("evaluate() is not a number (NaN)")
        self.leaves += 1
        self.estimates += 1
        self.ply -= 1
        return float(value)

    def last(self, value: float, terminal: bool) -> float:
        """A leaf where the game is over, an estimate elsewhere."""
        return self.leaf(value) if terminal else self.estimate(value)

    def back_up(self, value: float, move: int | None, alpha: float | None = None, beta: float | None = None) -> None:
        """A move has been searched: the best value and move so far, and the window now."""

    def cut(self, value: float) -> float:
        self.ply -= 1
        return value

    def leave(self, value: float) -> float:
        if math.isinf(value):
            raise GameError("actions() yields nothing in a state that is_terminal() calls unfinished")
        self.ply -= 1
        return value
