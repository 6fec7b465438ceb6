"""Statistics of the moves at one node, over one or several trees: visits, values, the best move."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from ...game import CHANCE
from .tree_pool import Pool


class Vote:
    """The moves of a node, by their places in the order of the rules, with the visits of all trees added."""

    def __init__(self, pools: list[Pool], node: int = 0) -> None:
        self.pools = [pool for pool in pools if pool.opened(node)]
        self.node = node
        self.actions: list[int] = []
        self.visits = np.zeros(0, np.int64)  # [moves]
        self.proofs: dict[int, NDArray[np.float64]] = {}  # move -> proved values
        if not self.pools or self.pools[0].work.mover[node] == CHANCE:
            return
        work = self.pools[0].work
        mover = int(work.mover[node])
        self.sign, self.offset = float(work.sign[mover]), int(work.offset[mover])
        self.actions = [int(work.action[child]) for child in self.pools[0].children(node)]
        self.visits = np.zeros(len(self.actions), np.int64)
        self.sums = np.zeros((len(self.actions), self.pools[0].width))
        place = {action: move for move, action in enumerate(self.actions)}
        for pool in self.pools:
            for child in pool.children(node):
                move = place.get(int(pool.work.action[child]))
                if move is None:  # forbidden by repetition, as another tree has found already
                    continue
                self.visits[move] += pool.visits(child)
                if pool.visits(child):
                    self.sums[move] += pool.visits(child) * pool.values(child)
                if pool.proved(child) and pool.settings.prove:
                    self.proofs[move] = pool.values(child)

    def value(self, move: int) -> NDArray[np.float64]:
        """The proved values of a move that was visited, or the mean of what came back through it: [width]."""
        if move in self.proofs:
            return self.proofs[move]
        mean: NDArray[np.float64] = self.sums[move] / self.visits[move]
        return mean

    def worth(self, move: int) -> float:
        """The value for the player to move."""
        return self.sign * float(self.value(move)[self.offset])

    def best(self) -> int | None:
        """The most visited move, or a proved one that is at least as good as it seems; None at a chance node."""
        if not self.actions:
            return None
        proved = max(self.proofs, key=lambda move: (self.worth(move), -move), default=None)
        seen = [move for move in range(len(self.actions)) if move not in self.proofs and self.visits[move]]
        usual = max(seen, key=lambda move: int(self.visits[move]), default=None)
        if proved is None or usual is None:
            return usual if proved is None else proved
        return proved if self.worth(proved) >= self.worth(usual) else usual

    def tied(self, best: int) -> list[int]:
        """The moves that are as good: equal proved values, or equal visits and values."""

        def rank(move: int) -> tuple[bool, int, float]:
            proved = move in self.proofs
            return proved, 0 if proved else int(self.visits[move]), self.worth(move)

        return [move for move in range(len(self.actions)) if self.visits[move] and rank(move) == rank(best)]

    def root(self) -> NDArray[np.float64]:
        """The value of the node itself: proved by one of the trees, or the mean of all: [width]."""
        for pool in self.pools:
            if pool.proved(self.node):
                return pool.values(self.node)
        visits = sum(pool.visits(self.node) for pool in self.pools)
        total = np.sum([pool.visits(self.node) * pool.values(self.node) for pool in self.pools], axis=0)
        mean: NDArray[np.float64] = total / visits
        return mean

    def error(self, move: int | None) -> float | None:
        """The standard error of the mean behind a root move, or behind the root; None for a single outcome."""
        if move in self.proofs:
            return 0.0
        count, total, squares = np.sum([self._moments(pool, move) for pool in self.pools], axis=0)
        if count < 2:
            return None
        variance = max(squares / count - (total / count) ** 2, 0.0) * count / (count - 1)
        visits = self.visits[move] if move is not None else sum(pool.visits(self.node) for pool in self.pools)
        return math.sqrt(variance / max(float(visits), count))

    def _moments(self, pool: Pool, move: int | None) -> NDArray[np.float64]:
        """Count, sum and squares of what came back under a root move of one tree, or at its root."""
        if move is None:
            return pool.work.moments[:3]  # type: ignore[no-any-return]
        row = [int(pool.work.action[child]) for child in pool.children(self.node)]
        if self.actions[move] not in row:
            return np.zeros(3)
        slot = 3 * (row.index(self.actions[move]) + 1)
        return pool.work.moments[slot : slot + 3]  # type: ignore[no-any-return]
