"""Work that may take longer than a page should wait for: begun once, asked for often, its answers kept.

The first to ask for a key begins the work; whoever asks meanwhile waits for the same. Losing the answers
loses nothing but time: everything that they are made from stands in the address.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable
from typing import Any

from ...errors import PlywrightError
from ..desk import Desk, Finished, Waiting

KEPT = 64
LOOK = 0.3
"""Seconds between two looks at the place in the queue."""


class Job:
    """One piece of work: where it stands in the queue, and in the end its answer or the mistake that it met."""

    def __init__(self) -> None:
        self.before = 0
        self.answer: Any = None
        self.mistake: PlywrightError | None = None
        self.task: asyncio.Task[None] | None = None

    async def done(self, seconds: float) -> bool:
        assert self.task is not None
        return bool((await asyncio.wait([self.task], timeout=seconds))[0])

    def result(self) -> Any:
        """The answer; raises the mistake."""
        assert self.task is not None
        self.task.result()
        if self.mistake is not None:
            raise self.mistake
        return self.answer


class Bench:
    """The work of one room on one server."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self.jobs: OrderedDict[str, Job] = OrderedDict()

    async def answer(self, key: str, work: Callable[[], Any], patience: float) -> Any | None:
        """The answer if it comes within so many seconds, otherwise None; the work goes on."""
        job = self._job(key, work)
        return job.result() if await job.done(patience) else None

    async def watch(self, key: str, work: Callable[[], Any]) -> AsyncIterator[Any]:
        """`Waiting` as the queue moves on (0 when the work has begun), and at last `Finished`."""
        job, said = self._job(key, work), -1
        while not await job.done(LOOK if said >= 0 else 0):
            if job.before != said:
                said = job.before
                yield Waiting(said)
        yield Finished(job.result())

    def _job(self, key: str, work: Callable[[], Any]) -> Job:
        job = self.jobs.get(key)
        if job is None:
            job = self.jobs[key] = Job()
            job.task = asyncio.ensure_future(self._labour(key, job, work))
        self.jobs.move_to_end(key)
        while len(self.jobs) > KEPT and (old := next(iter(self.jobs))) != key and self.jobs[old].task is not None:
            del self.jobs[old]
        return job

    async def _labour(self, key: str, job: Job, work: Callable[[], Any]) -> None:
        try:
            async for news in self.desk.watch(lambda report, stop: work()):
                if isinstance(news, Waiting):
                    job.before = news.before
                elif isinstance(news, Finished):
                    job.answer = news.answer
                if not isinstance(news, Waiting):
                    job.before = 0
        except PlywrightError as mistake:
            job.mistake = mistake
        finally:
            if job.answer is None:
                self.jobs.pop(key, None)  # asked for again it is tried again
