"""Plain minimax and alpha-beta of a position: one pass to each depth, in the order of the rules."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...compiled import Workspace
from ...counters import FAULT, NODE_LIMIT, NODES, STOPPED, stop_word
from ...game import Game
from ...knowledge import Knowledge
from ...result import SearchResult
from ..kernel_runner import run
from ..limits import Limit
from ..task import Task
from .alphabeta import CUTOFFS, INFO, WIDTH, alphabeta, minimax


def workspace(depth: int, nodes: int | None = None) -> Any:
    """What the plain kernels write in a search of `depth` plies, and at most so many nodes."""
    size = depth + 2
    info = np.zeros(INFO, np.int64)
    info[WIDTH] = size
    info[NODE_LIMIT] = np.iinfo(np.int64).max if nodes is None else nodes
    return Workspace(
        info=info,
        stop=stop_word(),
        line=np.zeros(size * size, np.int64),
        length=np.zeros(size, np.int64),
        path=np.full(size, -1, np.int64),
    )


class PlainSearch(Task):
    """The compiled twins of the textbook's algorithms: the same values, and the same nodes."""

    def __init__(
        self,
        game: Game,
        view: Any,
        limit: Limit,
        *,
        algorithm: str,
        all_actions: bool,
        compiled: bool | None,
        knowledge: Knowledge | None = None,
    ) -> None:
        super().__init__(game, view, limit, all_actions=all_actions, compiled=compiled, knowledge=knowledge)
        self.algorithm = algorithm

    def to_depth(self, depth: int) -> SearchResult:
        values: dict[int, float] = {}
        if self.all_actions:
            proved, self.certain, lines = True, False, {}
            for action in self.actions():
                value, line, cut = self._run(self.child(action), depth - 1)
                values[action], lines[action] = value, (action, *line)
                proved, self.certain = proved and not cut, self.certain or not cut
                if self.stopped:
                    return self.unfinished()
            action = max(values, key=lambda a: values[a])
            value, line, cut = values[action], lines[action], not proved
        else:
            value, line, cut = self._run(self.state, depth)
        if self.stopped:
            return self.unfinished()
        return self.report(value, line, not cut, depth, values)

    def _run(self, state: Any, depth: int) -> tuple[float, tuple[int, ...], bool]:
        """Value for the root's mover, principal line, and whether the depth limit cut anything."""
        self.work = work = workspace(depth, None if self.limit.nodes is None else self.limit.nodes - self.nodes)
        info = work.info
        kernel, window = (alphabeta, (-math.inf, math.inf)) if self.algorithm == "alphabeta" else (minimax, ())
        args = (self.knowledge, state, self.mover, depth, 0, *window, work)
        self.prepare(kernel, args)
        value, _ = run(kernel, self.game, args, work, deadline=self.deadline, entry=self.entry, halted=self.is_halted)
        self.nodes += int(info[NODES])
        if info[FAULT]:
            raise self.fault(int(info[FAULT]), state, work.path)
        self.stopped = self.stopped or bool(info[STOPPED])
        return float(value) + 0.0, tuple(int(a) for a in work.line[: work.length[0]]), bool(info[CUTOFFS])
