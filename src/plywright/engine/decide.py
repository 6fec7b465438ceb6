"""`search` and `analyse`: check what was asked, run the kernel, report in one SearchResult."""

from __future__ import annotations

import contextlib
import math
import time as clock
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from ..compiled import Workspace, interpreted
from ..errors import BadInput, GameError, Unsuitable
from ..game import Game
from ..rehearsal import rehearse
from ..result import EXACT, HEURISTIC, SearchResult
from .alphabeta import (
    COUNTERS,
    CUTOFFS,
    FAULT,
    NO_ACTIONS,
    NODE_LIMIT,
    NODES,
    STOPPED,
    TOO_MANY_ACTIONS,
    WIDTH,
    alphabeta,
    minimax,
)
from .limit import MAX_DEPTH, Limit
from .running import run

ALGORITHMS = ("alphabeta", "minimax")
DEFAULT_TIME = 1.0
INTERRUPTED = 2


def search(
    game: Game,
    view: Any = None,
    *,
    depth: int | None = None,
    time: float | None = None,
    nodes: int | None = None,
    limit: Limit | None = None,
    algorithm: str | None = None,
    all_actions: bool = False,
    compiled: bool | None = None,
) -> SearchResult:
    """The best action in a position, within the limits (by default one second).

    `view` is what the player to move sees: a state, by default the initial one. With `all_actions`
    every root action gets its exact value (a full-window search each). `compiled=False` interprets.
    """
    given = _limit(depth, time, nodes, limit)
    if given.fixed_depth:
        return _Search(game, view, given, algorithm, all_actions, compiled).to_depth(min(given.depth or 0, MAX_DEPTH))
    task = _Search(game, view, given, algorithm, all_actions, compiled)
    *_, last = task.deepening()
    return replace(last, nodes=task.nodes, seconds=clock.monotonic() - task.began)


def analyse(
    game: Game,
    view: Any = None,
    *,
    depth: int | None = None,
    time: float | None = None,
    nodes: int | None = None,
    limit: Limit | None = None,
    algorithm: str | None = None,
    all_actions: bool = False,
    compiled: bool | None = None,
) -> Iterator[SearchResult]:
    """Improving answers, one for each depth completed within the limits; always at least one."""
    yield from _Search(game, view, _limit(depth, time, nodes, limit), algorithm, all_actions, compiled).deepening()


def _limit(depth: int | None, time: float | None, nodes: int | None, limit: Limit | None) -> Limit:
    if limit is not None:
        if (depth, time, nodes) != (None, None, None):
            raise BadInput("give either limit= or depth=, time= and nodes=, not both")
        return limit
    if depth is None and time is None and nodes is None:
        time = DEFAULT_TIME
    return Limit(depth, time, nodes)


def check_suitable(game: Game, algorithm: str) -> None:
    """Refuse, in one sentence, a game that alpha-beta and minimax cannot search."""
    if algorithm not in ALGORITHMS:
        raise BadInput(f"unknown algorithm {algorithm!r}; there are {', '.join(ALGORITHMS)}")
    if game.has_chance:
        raise Unsuitable(f"{algorithm} cannot search {game.name}: it has chance nodes, which need expectiminimax")
    if game.hidden:
        raise Unsuitable(f"{algorithm} cannot search {game.name}: players do not see the whole state")
    if not game.opposed:
        raise Unsuitable(
            f"{algorithm} cannot search {game.name}: it needs two teams whose utilities cancel, as max^n does not"
        )


class _Search:
    """One position being searched: the kernel, its workspace and the limits that remain."""

    def __init__(
        self, game: Game, view: Any, limit: Limit, algorithm: str | None, all_actions: bool, compiled: bool | None
    ) -> None:
        self.began = clock.monotonic()
        self.game, self.limit, self.compiled, self.all_actions = game, limit, compiled, all_actions
        self.algorithm = algorithm or ALGORITHMS[0]
        check_suitable(game, self.algorithm)
        rehearse(game)
        self.state = game.start_state if view is None else game.coerce_state(view)
        if game.is_terminal(self.state):
            raise BadInput(f"the game is over in this position of {game.name}: there is nothing to search")
        self.mover = int(game.to_move(self.state))
        self.nodes = 0
        self.stopped = False
        self.interrupted = False
        self.native: bool | None = None
        self.deadline: float | None = None

    def deepening(self) -> Iterator[SearchResult]:
        """One answer for each depth that is finished in time; the first one in any case."""
        for depth in range(1, min(self.limit.depth or MAX_DEPTH, MAX_DEPTH) + 1):
            found = self.to_depth(depth)
            if self.stopped and depth > 1:
                return
            yield found
            if found.proved or self.stopped:
                return

    def to_depth(self, depth: int) -> SearchResult:
        """Search `depth` plies; sets `stopped` when a limit came first (the answer is then the root's first)."""
        values: dict[int, float] = {}
        if self.all_actions:
            children = [(int(a), self.game.coerce_state(self.game.result(self.state, a))) for a in self._actions()]
            proved, lines = True, {}
            for action, child in children:
                value, line, cut = self._run(child, depth - 1)
                values[action], lines[action] = value, (action, *line)
                proved = proved and not cut
                if self.stopped:
                    break
            action = max(values, key=lambda a: values[a])
            value, line, cut = values[action], lines[action], not proved
        else:
            value, line, cut = self._run(self.state, depth)
        if self.stopped:  # nothing of an unfinished depth is known to be right: only that the move is legal
            estimate = float(self.game.evaluate(self.state, self.mover))
            value, line, cut, values = estimate, (self._actions()[0],), True, {}
        return self._report(value, line, not cut, depth, values)

    def _actions(self) -> list[int]:
        return [int(action) for action in self.game.actions(self.state)]

    def _run(self, state: Any, depth: int) -> tuple[float, tuple[int, ...], bool]:
        """Value for the root's mover, principal line, and whether the depth limit cut anything."""
        size = depth + 2
        counters = np.zeros(COUNTERS, np.int64)
        counters[WIDTH] = size
        counters[NODE_LIMIT] = np.iinfo(np.int64).max if self.limit.nodes is None else self.limit.nodes - self.nodes
        work: Any = Workspace(
            counters=counters,
            stop=np.zeros(1, np.int64),
            line=np.zeros(size * size, np.int64),
            length=np.zeros(size, np.int64),
            path=np.full(size, -1, np.int64),
        )
        kernel, window = (alphabeta, (-math.inf, math.inf)) if self.algorithm == "alphabeta" else (minimax, ())
        args = (state, self.mover, depth, 0, *window, work)
        if self.native is None:  # compiled before the clock starts
            with interpreted() if self.compiled is False else contextlib.nullcontext():
                self.native = kernel.entry(self.game, *args)[1]
            self.began = clock.monotonic()
            self.deadline = None if self.limit.time is None else self.began + self.limit.time
        value, _ = run(kernel, self.game, args, work, deadline=self.deadline, compiled=self.compiled)
        self.nodes += int(counters[NODES])
        if counters[FAULT]:
            raise self._fault(int(counters[FAULT]), state, work.path)
        self.stopped = self.stopped or bool(counters[STOPPED])
        self.interrupted = self.interrupted or int(work.stop[0]) == INTERRUPTED
        return float(value) + 0.0, tuple(int(a) for a in work.line[: work.length[0]]), bool(counters[CUTOFFS])

    def _fault(self, fault: int, state: Any, path: Any) -> GameError:
        """The kernel met rules that break the protocol: say where, by the moves that lead there."""
        moves = []
        for action in path:
            if action < 0:
                break
            moves.append(self.game.format_action(state, int(action)))
            state = self.game.result(state, int(action))
        where = f"after {self.game.join_moves(moves)}" if moves else "in this position"
        if fault == NO_ACTIONS:
            what = "actions() yields nothing, but is_terminal() says the game goes on"
        elif fault == TOO_MANY_ACTIONS:
            what = f"actions() yields more than max_actions = {self.game.max_actions} actions"
        else:
            what = "utility() or evaluate() is not a number (NaN)"
        return GameError(f"{self.game.name}: {what}, {where}")

    def _report(
        self, value: float, line: tuple[int, ...], proved: bool, depth: int, values: dict[int, float]
    ) -> SearchResult:
        team = self.game.team_of[self.mover]
        return SearchResult(
            action=line[0] if line else None,
            value=value,
            values=tuple(value if other == team else 0.0 - value for other in self.game.team_of),
            bound=EXACT if proved else HEURISTIC,
            proved=proved,
            distance=len(line) if proved else None,
            line=line,
            depth=depth,
            nodes=self.nodes,
            seconds=clock.monotonic() - self.began,
            algorithm=self.algorithm,
            compiled=bool(self.native),
            tied=tuple(a for a, v in values.items() if v == value),
            actions=values,
        )
