"""Work that may take longer than a page should wait for: begun once, asked for often, its answers kept.

    answer = await background.answer(key, patience, function, *args)  # None where it takes longer; the work goes on
    async for news in background.watch(key, function, *args): ...  # Waiting(0) at first, reports, Finished(answer)

The first to ask for a key begins the work; later ones wait for the same. Work for which no client
waits is ended after a while. Losing the answers loses nothing but time: everything that they are made from
stands in the address.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from typing import Any

from ..errors import PlywrightError
from .search_queue import Finished, SearchQueue, Waiting

KEPT = 64
LEFT = 8.0
"""Seconds that work goes on without a client: a page that came without its answer asks again within them."""


class Job:
    """One piece of work: what was heard of it last, and in the end its answer or the mistake that it met."""

    def __init__(self) -> None:
        self.latest: Any = Waiting(0)
        self.listeners = 0
        self.keep = True
        self.answer: Finished | None = None
        self.mistake: PlywrightError | None = None
        self.task: asyncio.Task[None] | None = None
        self.stirred = asyncio.Event()

    def stir(self, latest: Any) -> None:
        self.latest = latest
        self.stirred.set()
        self.stirred = asyncio.Event()

    @property
    def is_over(self) -> bool:
        return self.task is None or self.task.done()

    def result(self) -> Any:
        """The answer; raises the mistake."""
        assert self.task is not None
        self.task.result()
        if self.mistake is not None:
            raise self.mistake
        assert self.answer is not None
        return self.answer.answer


class BackgroundWork:
    """The work of one server."""

    def __init__(self, search_queue: SearchQueue) -> None:
        self.search_queue = search_queue
        self.jobs: OrderedDict[str, Job] = OrderedDict()

    async def answer(
        self, key: str, patience: float | None, function: Callable[..., Any], *args: Any, **options: Any
    ) -> Any:
        """The answer if it comes within `patience` seconds (None is any time), otherwise None; the work goes on."""
        if (job := self.jobs.get(key)) is not None and job.is_over:
            return job.result()  # however little patience there is

        async def last() -> Any:
            async with aclosing(self.watch(key, function, *args, **options)) as watched:
                async for news in watched:
                    if isinstance(news, Finished):
                        return news.answer

        try:
            return await asyncio.wait_for(last(), patience)
        except TimeoutError:
            return None

    async def watch(
        self,
        key: str,
        function: Callable[..., Any],
        *args: Any,
        keep: bool = True,
        linger: float = LEFT,
        **options: Any,
    ) -> AsyncGenerator[Any, None]:
        """The last news and those that follow, `Waiting(0)` when the work has begun, and at last `Finished`.

        An answer that may be another one the next time is not to be kept. `linger` is how many seconds the work goes
        on without a client.
        """
        job = self._job(key, function, args, options)
        job.keep = keep
        job.listeners += 1
        try:
            while not job.is_over:
                latest, stirred = job.latest, job.stirred
                yield latest
                while job.latest is latest and not job.is_over:
                    await stirred.wait()
            yield Finished(job.result())
        finally:
            job.listeners -= 1
            if not job.listeners and not job.is_over:
                asyncio.get_running_loop().call_later(linger, self._leave, key, job)

    def _leave(self, key: str, job: Job) -> None:
        if not job.listeners and not job.is_over and job.task is not None:
            job.task.cancel()
            self.jobs.pop(key, None)

    def _job(self, key: str, function: Callable[..., Any], args: tuple[Any, ...], options: dict[str, Any]) -> Job:
        job = self.jobs.get(key)
        if job is None:
            job = self.jobs[key] = Job()
            job.task = asyncio.ensure_future(self._work(key, job, self.search_queue.watch(function, *args, **options)))
            job.task.add_done_callback(lambda task: job.stir(job.latest))
        self.jobs.move_to_end(key)
        for old in [old for old, one in self.jobs.items() if one.is_over][: max(len(self.jobs) - KEPT, 0)]:
            del self.jobs[old]
        return job

    async def _work(self, key: str, job: Job, work: AsyncGenerator[Any, None]) -> None:
        try:
            async with aclosing(work) as watched:
                async for news in watched:
                    if isinstance(news, Finished):
                        job.answer = news
                    else:
                        job.stir(news)
        except PlywrightError as mistake:
            job.mistake = mistake
        finally:
            if job.answer is None or not job.keep:
                self.jobs.pop(key, None)  # asked for again it is tried again
