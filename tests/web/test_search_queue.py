"""The queue of searches and their workers: limits, reports, and that nothing but one answer is ever lost."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import tasks
from loops import finished

from plywright.errors import BadInput
from plywright.web import search_queue as module
from plywright.web.background_work import BackgroundWork
from plywright.web.errors import Busy, Fault, Lost
from plywright.web.search_queue import Call, Finished, SearchQueue, Waiting
from plywright.web.site import SiteOptions
from plywright.web.worker_pool import BEGUN, HURRY, Pool


@pytest.fixture(autouse=True)
def own_tasks() -> Iterator[None]:
    """Workers find the tasks of the tests."""
    monkeypatch = pytest.MonkeyPatch()
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parent))
    yield
    monkeypatch.undo()


@asynccontextmanager
async def opened(places: int = 1, **options: Any) -> AsyncIterator[SearchQueue]:
    found = SearchQueue(places, **options)
    found.serve(SiteOptions())
    try:
        yield found
    finally:
        found.close()


def with_desk(test: Callable[[SearchQueue], Coroutine[Any, Any, Any]], **options: Any) -> Any:
    async def main() -> Any:
        async with opened(**options) as search_queue:
            return await test(search_queue)

    return finished(main())


async def soon(holds: Callable[[], bool]) -> bool:
    for _ in range(500):
        if holds():
            return True
        await asyncio.sleep(0.01)
    return False


def test_reports_come_in_order_and_then_the_answer() -> None:
    async def test(search_queue: SearchQueue) -> list[Any]:
        return [news async for news in search_queue.watch(tasks.count, 2)]

    assert with_desk(test) == [1, 2, Finished("done")]


def test_the_time_of_a_task_begins_with_it_and_not_with_its_process() -> None:
    """On a busy machine a process took longer to come up than a page may take, and both were given up."""

    class Late:
        """A worker that comes up long after the limit of its task."""

        def __init__(self) -> None:
            self.ended, self.said = threading.Event(), iter([(BEGUN, None)])
            self.process = SimpleNamespace(wait=lambda: -9)

        def begin(self, *task: Any) -> None: ...

        def end(self) -> None:
            self.ended.set()

        def read(self) -> tuple[str, Any]:
            if self.ended.wait(0.3):
                raise EOFError
            return next(self.said)

    class One(Pool):
        @contextmanager
        def hired(self, subject: str = "", *, long: bool = False) -> Iterator[Any]:
            yield worker

    worker = Late()
    call = Call(tasks.process, limit=0.2)
    with pytest.raises(Lost, match=r"more than 0\.2 seconds"):
        call.run(One(), lambda news: None)
    assert next(worker.said, None) is None, (
        "the process was waited for, and then the task for no longer than it may take"
    )


def test_what_the_work_raises_is_raised_and_the_worker_is_kept() -> None:
    async def test(search_queue: SearchQueue) -> None:
        first = await search_queue.run(tasks.process)
        for _ in range(2):
            with pytest.raises(BadInput, match="no such move"):
                await search_queue.run(tasks.wrong, "no such move")
            with pytest.raises(Fault, match="ValueError: no"):
                await search_queue.run(tasks.faulty)
        assert await search_queue.run(tasks.process) == first != os.getpid()
        assert await soon(lambda: search_queue.pending_lessons.running == 0)

    with_desk(test)


def test_more_work_than_places_waits_and_beyond_the_queue_is_refused() -> None:
    async def test(search_queue: SearchQueue) -> None:
        call = Call(tasks.until_hurried)
        first = search_queue.watch_call(call)
        assert await anext(first) == "began"
        waiting = search_queue.watch(tasks.count, 0)
        assert await anext(waiting) == Waiting(1)
        with pytest.raises(Busy, match="wait already"):
            await anext(search_queue.watch(tasks.count, 0))
        assert await search_queue.run(tasks.echo, "short") == "short"  # what a page needs does not wait for searches
        call.tell(HURRY)
        assert [news async for news in waiting][-1] == Finished("done")
        assert [news async for news in first] == [Finished("hurried")]

    with_desk(test, queue=1)


def test_whoever_stops_listening_stops_the_work_and_one_in_the_queue_leaves_it() -> None:
    async def test(search_queue: SearchQueue) -> None:
        running = search_queue.watch(tasks.until_stopped)
        assert await anext(running) == "began"
        waiting = search_queue.watch(tasks.count, 1)
        assert await anext(waiting) == Waiting(1)
        await waiting.aclose()
        assert search_queue.searches.waiting == []
        (worker,) = search_queue.pool.busy
        await running.aclose()
        assert await soon(lambda: search_queue.searches.running == 0) and worker.lives, (
            "it was asked, and ended by itself"
        )

    with_desk(test)


def test_a_crash_costs_one_answer_and_the_next_one_comes() -> None:
    async def test(search_queue: SearchQueue) -> None:
        watched = search_queue.watch(tasks.segfault)
        dead = await anext(watched)
        with pytest.raises(Lost, match="SIGSEGV"):
            await anext(watched)
        assert await search_queue.run(tasks.process) != dead
        assert [news async for news in search_queue.watch(tasks.count, 1)] == [1, Finished("done")]

    with_desk(test)


def test_endless_work_cannot_fill_the_places(monkeypatch: pytest.MonkeyPatch) -> None:
    async def test(search_queue: SearchQueue) -> None:
        endless = [search_queue.watch(tasks.spin) for _ in range(2)]
        for each in endless:
            assert await anext(each) == "began"
        spinning = list(search_queue.pool.busy)
        for each in endless:
            await each.aclose()
        assert await soon(lambda: search_queue.searches.running == 0)
        assert [worker.process.poll() for worker in spinning] == [-signal.SIGKILL] * 2
        assert [news async for news in search_queue.watch(tasks.count, 1)] == [1, Finished("done")]
        with pytest.raises(Lost, match=r"more than 0\.5 seconds"):
            await search_queue.run(tasks.spin_shortly, limit=0.5)

    monkeypatch.setattr(module, "GRACE", 0.1)
    with_desk(test, places=2)


def test_closing_ends_whatever_runs_at_once() -> None:
    async def test(search_queue: SearchQueue) -> None:
        watched = search_queue.watch(tasks.spin)
        assert await anext(watched) == "began"
        (worker,) = search_queue.pool.busy
        began = time.monotonic()
        search_queue.close()
        with pytest.raises(Lost, match="the server stops"):
            await anext(watched)
        assert time.monotonic() - began < 1 and worker.process.poll() is not None
        with pytest.raises(Lost, match="the server stops"):
            await search_queue.run(tasks.process)

    with_desk(test)


def test_a_worker_that_knows_the_subject_is_asked_again() -> None:
    async def test(search_queue: SearchQueue) -> None:
        search_queue.pool.prepare(2)
        first = await search_queue.run(tasks.process, subject="tiny")
        other = search_queue.watch(tasks.until_stopped)
        assert await anext(other) == "began"
        await other.aclose()
        assert await soon(lambda: search_queue.searches.running == 0)
        assert await search_queue.run(tasks.process, subject="tiny") == first

    with_desk(test)


def test_while_a_search_runs_two_workers_get_ready() -> None:
    """One for the next page, one for the search that follows; no more than are kept."""

    async def test(search_queue: SearchQueue) -> None:
        search_queue.pool.prepare(2)
        first = search_queue.watch(tasks.until_stopped)
        assert await anext(first) == "began"
        assert len(search_queue.pool.waiting) == 2
        other = search_queue.watch(tasks.until_stopped)
        assert await anext(other) == "began"
        assert len(search_queue.pool.waiting) == 1
        for each in (first, other):
            await each.aclose()

    with_desk(test, places=2)


def test_a_worker_gets_ready_before_it_is_told_its_house() -> None:
    """And the module that starts it needs none of ours, so that it is started first."""
    light = "import sys, plywright.web.worker_pool; sys.exit('numpy' in sys.modules or 'plywright.game' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", light], check=False).returncode == 0
    pool = Pool()
    pool.prepare()
    (early,) = pool.waiting

    async def test(search_queue: SearchQueue) -> None:
        assert await search_queue.run(tasks.process) == early.process.pid

    with_desk(test, pool=pool)


def test_what_is_known_needs_no_patience() -> None:
    async def test(search_queue: SearchQueue) -> None:
        background = BackgroundWork(search_queue)
        assert await background.answer("key", None, tasks.count, 1) == "done"
        assert await background.answer("key", 0.0, tasks.count, 1) == "done"

    with_desk(test)


def test_workers_end_with_the_server() -> None:
    async def test(search_queue: SearchQueue) -> None:
        watched = search_queue.watch(tasks.spin)
        assert await anext(watched) == "began"
        (worker,) = search_queue.pool.busy
        worker.requests.close()  # as when the server is killed
        assert await soon(lambda: worker.process.poll() is not None)

    with_desk(test)
