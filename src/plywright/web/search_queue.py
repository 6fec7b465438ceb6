"""Where work waits its turn for a worker, so that no request can freeze the page or end it.

    async for news in search_queue.watch(function, *args):    # function(channel, *args) runs in a worker
        ...                                           # Waiting(2), Waiting(1), what it reports, Finished(answer)
    answer = await search_queue.run(function, *args)          # what a page cannot be shown without

A limited number of searches run at once; more wait in a queue, and beyond that are refused with a message. Short
work has places of its own: a search in one tab keeps no other tab from opening a room. Work that takes too
long or crashes is a `Lost`, and a client that stops listening stops the work: it is asked to end, and then ended.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import threading
from collections.abc import AsyncGenerator, Callable
from dataclasses import replace
from typing import Any, NamedTuple

from .errors import Busy, Fault, Lost
from .site import SiteOptions
from .task_channel import REPORT
from .worker_pool import ANSWER, BEGUN, FAULT, MISTAKE, STOP, Closed, Pool

QUEUE, ERRANDS_QUEUE = 30, 200
SECONDS = 180.0
"""The longest that any search may take, in seconds."""
SHORT = 20.0
"""Seconds of a short piece of work."""
STARTING = 180.0
"""Seconds for a process to come up: on a busy machine it imports for a while."""
GRACE = 0.7
"""Seconds for work without a client to come to its end."""
Here = Callable[[Callable[[Any], None], threading.Event], Any]


class Waiting(NamedTuple):
    """How many pieces of work come first."""

    before: int


class Finished(NamedTuple):
    """The work is done, with this answer."""

    answer: Any


class SearchQueue:
    """The queues of one server and its workers; its methods belong to the event loop's thread."""

    def __init__(
        self, places: int | None = None, queue: int = QUEUE, *, pool: Pool | None = None, interpreted: bool = False
    ) -> None:
        places = places or max(2, os.cpu_count() or 1)
        self.searches, self.pending_lessons = Line(places, queue), Line(max(2, places), ERRANDS_QUEUE)
        self.programs = Line(places, queue)
        self.pool = pool or Pool()
        self.pool.kept = places + 1
        self.interpreted = interpreted

    def serve(self, options: SiteOptions) -> None:
        """Have the workers know a site."""
        self.pool.serve(replace(options, interpreted=self.interpreted))

    def open(self) -> None:
        """Get the first workers ready."""
        self.pool.prepare(2)

    def close(self) -> None:
        """End all work."""
        self.pool.close()

    async def run(self, function: Callable[..., Any], *args: Any, limit: float = SHORT, subject: str = "") -> Any:
        """The answer of `function(*args)` in a worker, for short work."""
        call = Call(function, args, limit, subject, reports=False)
        async with contextlib.aclosing(self._watch(self.pending_lessons, call.run, call.leave)) as watched:
            async for news in watched:
                if isinstance(news, Finished):
                    return news.answer
        raise AssertionError("watched work always finishes")

    def watch(
        self, function: Callable[..., Any], *args: Any, limit: float = SECONDS, subject: str = ""
    ) -> AsyncGenerator[Any, None]:
        """What `function(channel, *args)` reports, and at last `Finished`; raises what it raises.

        A worker that has worked on the same `subject` is preferred.
        """
        return self.watch_call(Call(function, args, limit, subject))

    def watch_call(self, call: Call) -> AsyncGenerator[Any, None]:
        """The same for a call that its maker wants to send commands to."""
        return self._watch(self.searches, call.run, call.leave)

    def watch_here(self, work: Here) -> AsyncGenerator[Any, None]:
        """The same for `work(report, stop)` in a thread of this process: programs, which are processes themselves."""
        stop = threading.Event()
        return self._watch(self.programs, lambda pool, report: work(report, stop), stop.set)

    async def _watch(
        self, line: Line, work: Callable[[Pool, Callable[[Any], None]], Any], leave: Callable[[], None]
    ) -> AsyncGenerator[Any, None]:
        async with contextlib.aclosing(line.turn()) as turns:
            async for before in turns:
                yield Waiting(before)
        loop, news = asyncio.get_running_loop(), asyncio.Queue[Any]()

        def tell(item: Any) -> None:
            with contextlib.suppress(RuntimeError):  # the loop is gone: no client is left
                loop.call_soon_threadsafe(news.put_nowait, item)

        def work_on() -> None:
            try:
                last: Any = Finished(work(self.pool, tell))
            except BaseException as error:
                last = error
            with contextlib.suppress(RuntimeError):
                loop.call_soon_threadsafe(line.leave)
            tell(last)

        threading.Thread(target=work_on, daemon=True, name="search-queue").start()
        try:
            while True:
                item = await news.get()
                if isinstance(item, BaseException):
                    raise item
                yield item
                if isinstance(item, Finished):
                    return
        finally:
            leave()


class Call:
    """One task for a worker: what to do, words to it while it runs, and how it ends."""

    def __init__(
        self,
        function: Callable[..., Any],
        args: tuple[Any, ...] = (),
        limit: float = SECONDS,
        subject: str = "",
        *,
        reports: bool = True,
    ) -> None:
        self.function, self.args, self.limit, self.subject, self.reports = function, args, limit, subject, reports
        self.lock = threading.Lock()
        self.worker: Any = None
        self.words: list[str] = []
        self.fate = ""
        self.done = False
        self.timer: threading.Timer | None = None

    def run(self, pool: Pool, report: Callable[[Any], None]) -> Any:
        """The answer, in a thread of its own; raises what the task raises, or Lost."""
        try:
            with pool.hired(self.subject, long=self.reports) as worker:
                self._expect(STARTING, f"no process was ready for this within {STARTING:g} seconds")
                worker.begin(self.function, self.args, self.reports)
                try:
                    with self.lock:
                        self.worker = worker
                        for word in self.words:
                            worker.send(word)
                    return self._answer(worker, report)
                except EOFError:
                    raise Lost(self.fate or _crash(worker.process.wait(), pool.closed)) from None
                finally:
                    with self.lock:
                        self.worker, self.done = None, True
        except Closed:
            raise Lost("the server stops") from None
        finally:
            self._expect(None)

    def _expect(self, seconds: float | None, otherwise: str = "") -> None:
        """Wait no longer than that for what comes next; None: for as long as it takes."""
        if self.timer is not None:
            self.timer.cancel()
        if seconds is not None:
            self.timer = threading.Timer(seconds, self.end, (otherwise,))
            self.timer.daemon = True
            self.timer.start()

    def _answer(self, worker: Any, report: Callable[[Any], None]) -> Any:
        while True:
            kind, item = worker.read()
            if kind == BEGUN:  # what a process needs to come up is not the task's time
                self._expect(self.limit, f"this took more than {self.limit:g} seconds and was given up")
            elif kind == REPORT:
                report(item)
            elif kind == ANSWER:
                return item
            elif kind == MISTAKE:
                raise item[0](item[1])
            elif kind == FAULT:
                raise Fault(item)

    def tell(self, word: str) -> None:
        """Say a word to the task, now or as soon as it runs."""
        with self.lock:
            self.words.append(word)
            if self.worker is not None:
                self.worker.send(word)

    def leave(self) -> None:
        """Nobody listens any more: the task is asked to end, and then ended."""
        if self.done:
            return
        self.tell(STOP)
        timer = threading.Timer(GRACE, self.end, ("nobody waited for this any more",))
        timer.daemon = True
        timer.start()

    def end(self, why: str) -> None:
        with self.lock:
            if self.worker is not None:
                self.fate = why
                self.worker.end()


def _crash(status: int, closed: bool) -> str:
    """Why a worker has gone, in words."""
    if closed:
        return "the server stops"
    try:
        name = signal.Signals(-status).name
    except ValueError:
        name = f"status {status}"
    return f"the process that worked on this has crashed ({name}); only this one answer is lost, and the page goes on"


class Line:
    """A fixed number of places, and the queue for them."""

    def __init__(self, places: int, most: int) -> None:
        self.places, self.most = places, most
        self.running = 0
        self.waiting: list[asyncio.Future[None]] = []

    async def turn(self) -> AsyncGenerator[int, None]:
        """Wait for a place; says how many come first whenever that changes. On return the place is taken."""
        if self.running < self.places:
            self.running += 1
            return
        if len(self.waiting) >= self.most:
            raise Busy(f"{len(self.waiting)} searches wait already; try again in a moment")
        mine: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.waiting.append(mine)
        said = -1
        try:
            while not mine.done():
                if (before := self.waiting.index(mine) + 1) != said:
                    said = before
                    yield before
                await asyncio.wait([mine], timeout=0.3)
        except BaseException:
            if mine in self.waiting:
                self.waiting.remove(mine)
            elif mine.done():
                self.leave()  # the place had just become ours
            raise

    def leave(self) -> None:
        """A place is free: the first in the line has it."""
        if self.waiting:
            self.waiting.pop(0).set_result(None)
        else:
            self.running -= 1
