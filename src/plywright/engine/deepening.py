"""The engine at work on one position: deeper and deeper, with a table, windows around the last value, threads."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..compiled import Workspace
from ..errors import BadInput
from ..game import Game
from ..result import SearchResult
from .limit import Limit
from .pvs import (
    AGE,
    BUSY,
    CHECK,
    DISTANCE,
    ESTIMATES,
    EXACT_DEPTH,
    FAULT,
    HISTORY,
    HORIZON,
    INFINITY,
    INFO,
    MASK,
    MAX_PLY,
    MODE,
    NODE_LIMIT,
    NODES,
    PROOF,
    SELECTIVE,
    SHARE,
    STEP,
    STOPPED,
    TABLE_DEPTH,
    WIDTH,
    WIN,
    WIN_BONUS,
    pvs,
)
from .running import run_crew
from .task import Task
from .transposition import new_table

TABLE_MEGABYTES = 64.0
ASPIRATION_DEPTH = 4  # from here on a window around the last value is tried first
NEVER = 1 << 30
MOST_THREADS = 256
SHARED_DEPTH = 5  # below it starting threads costs more than they save
DEFERRING = 6  # within so many plies of the root actions wait for one another


def workspace(game: Game, table: NDArray[np.int64], stop: NDArray[np.int64], busy: NDArray[np.int64]) -> Any:
    """Everything one searching thread writes; the table, the stop flag and the marks of busy positions are shared."""
    info = np.zeros(INFO, np.int64)
    win = max(abs(bound) for bound in game.utility_range) * game.units
    info[NODE_LIMIT] = np.iinfo(np.int64).max
    info[CHECK], info[MASK], info[AGE], info[TABLE_DEPTH] = 1023, len(table) // 4 - 1, 1, 1
    info[WIN] = info[DISTANCE] = round(win)
    info[WIDTH], info[SHARE], info[MODE] = MAX_PLY + 2, NEVER, EXACT_DEPTH
    info[STEP] = round(game.units * (game.step or 1))
    room = 2 * (MAX_PLY + 2) * game.max_actions  # twice: an action may be put off once
    return Workspace(
        info=info,
        units=np.array([game.units]),
        stop=stop,
        table=table,
        busy=busy,
        killers=np.full(2 * (MAX_PLY + 2), -1, np.int64),
        history=np.zeros(2 * HISTORY, np.int64),
        actions=np.zeros(room, np.int64),
        scores=np.zeros(room, np.int64),
        line=np.zeros((MAX_PLY + 2) ** 2, np.int64),
        length=np.zeros(MAX_PLY + 2, np.int64),
        path=np.full(MAX_PLY + 2, -1, np.int64),
    )


class EngineSearch(Task):
    """Principal-variation search of one position, from depth 1 upwards."""

    algorithm = "pvs"

    def __init__(
        self,
        game: Game,
        view: Any,
        limit: Limit,
        *,
        all_actions: bool,
        compiled: bool | None,
        exact: bool = False,
        table: float = TABLE_MEGABYTES,
        threads: int = 1,
    ) -> None:
        if not isinstance(threads, int) or isinstance(threads, bool) or not 1 <= threads <= MOST_THREADS:
            raise BadInput(f"threads must be a whole number from 1 to {MOST_THREADS}, not {threads!r}")
        super().__init__(game, view, limit, all_actions=all_actions, compiled=compiled)
        self.exact = exact or all_actions
        shared = new_table(table), np.zeros(1, np.int64), np.zeros(BUSY, np.int64)
        self.crew = [workspace(game, *shared) for _ in range(threads)]
        self.work = self.crew[0]
        self.value = 0
        self.searched = 0  # the depth that `value` comes from

    def fixed(self, depth: int) -> SearchResult:
        """Deepen to this depth: every step makes the next one cheaper."""
        found = self.to_depth(1)
        for reach in range(2, depth + 1):
            if found.proved or self.stopped:
                break
            found = self.to_depth(reach)
        return found

    def to_depth(self, depth: int) -> SearchResult:
        depth = min(depth, MAX_PLY - 1)
        if self.all_actions:
            return self._every_action(depth)
        value, proved = self._aspire(self.state, depth, self.value if self.searched else None)
        if self.stopped:
            return self.unfinished()
        self.value, self.searched = value, depth
        line = self._line()
        utility, distance = self.surface(value)
        return self.report(utility, line, proved, depth, {}, distance if proved else None)

    def _every_action(self, depth: int) -> SearchResult:
        """A full window for every root action: exact values, never bounds shown as values."""
        values: dict[int, float] = {}
        inner: dict[int, int] = {}
        lines: dict[int, tuple[int, ...]] = {}
        all_proved = True
        for action in self.actions():
            value, proved = self._aspire(self.child(action), depth - 1, None)
            if self.stopped:
                return self.unfinished()
            inner[action], values[action] = value, self.surface(value)[0]
            lines[action] = (action, *self._line())
            all_proved = all_proved and proved
        best = max(inner, key=lambda action: inner[action])
        distance = self.surface(inner[best])[1]
        plies = None if distance is None or not all_proved else distance + 1
        return self.report(values[best], lines[best], all_proved, depth, values, plies)

    def _aspire(self, state: Any, depth: int, guess: int | None) -> tuple[int, bool]:
        """The value of a depth, by a window around the guess that is widened where it misses; and if it is proved."""
        low, high = -INFINITY, INFINITY
        width = max(int(self.work.info[STEP]) // 2, 16)
        if guess is not None and depth >= ASPIRATION_DEPTH:
            low, high = guess - width, guess + width
        while True:
            value, proved = self._once(state, depth, low, high)
            if self.stopped or (low < value < high):
                return value, proved
            width *= 4
            low = low if value > low else value - width
            high = high if value < high else value + width
            if width > INFINITY // 64:
                low, high = -INFINITY, INFINITY

    def _once(self, state: Any, depth: int, low: int, high: int) -> tuple[int, bool]:
        """One run of the kernel; where only selectivity stands between it and a proof, another without it."""
        value = self._run(state, depth, low, high, EXACT_DEPTH if self.exact else SELECTIVE)
        info = self.work.info
        if info[HORIZON] and not info[ESTIMATES] and not self.stopped:
            value = self._run(state, depth, low, high, PROOF)
        return value, not self.work.info[HORIZON]

    def _run(self, state: Any, depth: int, low: int, high: int, mode: int) -> int:
        """Run the kernel, by several threads where it pays; `work` is then the one that finished first."""
        calls = []
        crew = self.crew if depth >= SHARED_DEPTH else self.crew[:1]
        for work in crew:
            info = work.info
            info[MODE], info[HORIZON], info[ESTIMATES], info[STOPPED] = mode, 0, 0, 0
            info[SHARE] = max(depth - DEFERRING, 2) if len(crew) > 1 else NEVER
            if self.limit.nodes is not None:
                info[NODE_LIMIT] = self.limit.nodes
            work.path[:] = -1
            calls.append((state, self.mover, depth, 0, low, high, work))
        self.prepare(pvs, calls[0])
        for work in crew:
            work.info[CHECK] = 1023 if self.native else 15
        value, winner = run_crew(pvs, self.game, calls, crew, deadline=self.deadline, entry=self.entry)
        self.work = crew[winner]
        self.nodes = sum(int(work.info[NODES]) for work in self.crew)
        info = self.work.info
        if info[FAULT]:
            raise self.fault(int(info[FAULT]), state, self.work.path)
        self.stopped = self.stopped or bool(info[STOPPED])
        return int(value)

    def surface(self, value: int) -> tuple[float, int | None]:
        """A value of the kernel as a utility, and for a win or loss its distance."""
        win = int(self.work.info[DISTANCE])
        if win and abs(value) > win:
            distance = WIN_BONUS - (abs(value) - win)
            return (win if value > 0 else -win) / self.game.units, distance
        return value / self.game.units + 0.0, None

    def _line(self) -> tuple[int, ...]:
        return tuple(int(action) for action in self.work.line[: self.work.length[0]])
