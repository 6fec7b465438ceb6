"""A run from its plan to its last game: hands out games, writes down results, replays what was void.

Whatever the timing, the same results count: rounds are judged in the order of the schedule, and a
sequential test stops at the first round, counted so, that takes it across a bound. Games that were
finished beyond it are in the record, but not in the result.
"""

from __future__ import annotations

import signal
import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, wait
from functools import partial
from pathlib import Path
from typing import Any

from ..cluster.executor import WorkerLost
from ..players.offence import VOID
from .game_record import GameRecord
from .outcome import Outcome
from .records.run_file import Records
from .schedules.progress import Progress
from .schedules.schedule import Unit
from .worker import Inline, Task, Watch, play_task, processes

TASK_SECONDS = 0.5
"""Games are handed out in tasks of at least about this length, so that the handing out is not noticed."""
LONGEST_TASK = 64


class Runner:
    """Plays what is left of a run. `heard` is called with every game as soon as it is written down.

    `watch` is shown the game under way after each move, where games are played in this process.
    """

    def __init__(
        self,
        records: Records,
        *,
        jobs: int = 1,
        executor: Executor | None = None,
        heard: Callable[[Outcome, Progress], Any] = lambda outcome, progress: None,
        watch: Watch | None = None,
    ) -> None:
        self.records, self.plan, self.jobs, self.heard = records, records.plan, jobs, heard
        self.play = partial(play_task, watch=watch) if watch else play_task
        self.own = executor is None
        self.executor = processes(jobs) if executor is None else executor
        self.progress = Progress(self.plan, records.outcomes())
        self.waiting: deque[Unit] = deque(self.progress.left())
        self.suspects: deque[Unit] = deque()  # games that were in a task whose worker died: each is tried alone
        self.under_way: dict[Future[Any], tuple[Unit, ...]] = {}
        self.pace = 0.0  # mean seconds of a game

    def run(self) -> Progress:
        """Play to the end; on Ctrl-C what is finished is kept, and the run can be resumed."""
        try:
            while self._hand_out() or self.under_way:
                self._collect()
        except BaseException:
            self._leave(at_once=True)
            raise
        self._leave(at_once=False)
        return self.progress

    def _hand_out(self) -> bool:
        """Submit tasks while there is room; whether there was anything to submit."""
        if self.progress.stopped is not None:
            return False
        handed = False
        room = 1 if isinstance(self.executor, Inline) else 2 * self._parallel()
        while len(self.under_way) < room:
            if self.suspects:
                if self.under_way:
                    break
                units = self._next(self.suspects, 1)
                room = 1
            else:
                units = self._next(self.waiting, self._task_size())
            if not units:
                break
            try:
                future = self._submit(self._task(units))
            except BrokenExecutor:
                self.waiting.extendleft(reversed(units))
                self._replace_workers()
                return True
            self.under_way[future] = units
            handed = True
        return handed

    def _submit(self, task: Task) -> Future[Any]:
        """Submit a task with SIGINT ignored, so that new worker processes inherit that: Ctrl-C is handled here."""
        if isinstance(self.executor, Inline) or threading.current_thread() is not threading.main_thread():
            return self.executor.submit(self.play, task)
        heard = signal.signal(signal.SIGINT, signal.SIG_IGN)
        try:
            return self.executor.submit(self.play, task)
        finally:
            signal.signal(signal.SIGINT, heard)

    def _next(self, queue: deque[Unit], count: int) -> tuple[Unit, ...]:
        units: list[Unit] = []
        while queue and len(units) < count:
            unit = queue.popleft()
            if not self.progress.is_settled(unit):
                units.append(unit)
        return tuple(units)

    def _task_size(self) -> int:
        """How many games make a task: one in this process, elsewhere enough to outweigh the cost of sending it."""
        if isinstance(self.executor, Inline) or not self.pace:
            return 1
        fair = max(1, len(self.waiting) // (4 * self._parallel()))
        return min(fair, LONGEST_TASK, max(1, round(TASK_SECONDS / self.pace)))

    def _parallel(self) -> int:
        """How many games are played at a time: a cluster grows and shrinks."""
        return int(getattr(self.executor, "parallel", self.jobs))

    def _task(self, units: tuple[Unit, ...]) -> Task:
        plan = self.plan
        texts, made_of = zip(*((player.text, player.fingerprint) for player in plan.players), strict=True)
        warned = tuple(tuple(sorted(self.progress.blamed.get(unit.number, ()))) for unit in units)
        settings = plan.mode, plan.margin, plan.openings
        players = tuple(texts), plan.names, tuple(made_of)
        return Task(
            plan.game,
            plan.rules,
            *players,
            *settings,
            units,
            warned,
            folder=str(Path.cwd()),
            adjudicate=plan.adjudicate,
        )

    def _collect(self) -> None:
        """Wait for a task and write its games down."""
        done, _ = wait(self.under_way, return_when=FIRST_COMPLETED)
        for future in sorted(done, key=lambda each: self.under_way[each][0].number):
            units = self.under_way.pop(future)
            try:
                played = future.result()
            except WorkerLost as error:
                self._suspect(units, str(error), alone=len(units) == 1)
                continue
            except BrokenExecutor as error:
                if not self.own:
                    raise
                self._worker_died(units, str(error))
                return
            for number, data in played:
                self._keep(self.progress.units[number], GameRecord.from_dict(data), self.waiting)

    def _keep(self, unit: Unit, record: GameRecord, again: deque[Unit]) -> None:
        """Write a game down; one that was void goes back to the head of the queue `again`."""
        outcome = self.records.add(unit, record)
        self.pace = record.seconds if not self.pace else 0.9 * self.pace + 0.1 * record.seconds
        known = len(self.progress.units)
        self.progress.add(outcome)
        if not self.progress.is_settled(unit):
            again.appendleft(unit)
        self.waiting.extend(each for number, each in self.progress.units.items() if number > known)
        self.heard(outcome, self.progress)

    def _worker_died(self, units: tuple[Unit, ...], why: str) -> None:
        """A broken pool loses all its tasks: retry each of them alone, which finds the culprit."""
        others = [unit for group in self.under_way.values() for unit in group]
        self._suspect((*units, *others), why, alone=not others and len(units) == 1)
        self._replace_workers()

    def _suspect(self, units: tuple[Unit, ...], why: str, alone: bool) -> None:
        """Retry the games of a task whose worker died one by one; a game that was alone in its task is void."""
        if not alone:
            self.suspects.extend(units)
            return
        note = f"the process that played it died: {why}"
        names = tuple(self.plan.names[player] for player in units[0].seats)
        void = GameRecord(self.plan.game, names, "", (), (), None, VOID, note=note, seed=units[0].seed)
        self._keep(units[0], void, self.suspects)

    def _replace_workers(self) -> None:
        self.under_way.clear()
        self.executor.shutdown(wait=False, cancel_futures=True)
        self.executor = processes(self.jobs)

    def _leave(self, at_once: bool) -> None:
        if not self.own:
            for future in self.under_way:
                future.cancel()
            return
        workers = list((getattr(self.executor, "_processes", None) or {}).values())
        self.executor.shutdown(wait=not at_once, cancel_futures=True)
        for worker in workers if at_once else ():
            worker.terminate()
