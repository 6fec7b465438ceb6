"""Where searches wait their turn, so that no request can freeze the page.

    async for news in desk.watch(work):      # work(report, stop) runs in a thread
        ...                                  # Waiting(2), Waiting(1), what it reports, Finished(answer)

At most `places` pieces of work run at once; more wait in a queue, and beyond that are refused with a
message. Whoever stops listening stops the work. What a page cannot be shown without is short and has
places of its own (`run`): a search in one tab keeps no other tab from opening a room.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import threading
from collections.abc import AsyncGenerator, Callable
from typing import Any, NamedTuple

from .errors import Busy

QUEUE = 30
ERRANDS = 4
"""Short pieces of work at once, beside the searches."""
Report = Callable[[Any], None]
Work = Callable[[Report, threading.Event], Any]


class Waiting(NamedTuple):
    """So many pieces of work come first."""

    before: int


class Finished(NamedTuple):
    """The work is done, with this answer."""

    answer: Any


class Desk:
    """The queues of one server; its methods belong to the event loop's thread."""

    def __init__(self, places: int | None = None, queue: int = QUEUE) -> None:
        self.searches = Line(places or max(2, os.cpu_count() or 1), queue)
        self.errands = Line(ERRANDS, queue)

    async def run(self, work: Callable[[], Any]) -> Any:
        """The answer of a short piece of work that cannot be stopped."""
        async for news in _watch(self.errands, lambda report, stop: work()):
            if isinstance(news, Finished):
                return news.answer
        raise AssertionError("watched work always finishes")

    def watch(self, work: Work) -> AsyncGenerator[Any, None]:
        """What a search reports, and at last `Finished`; raises what it raises."""
        return _watch(self.searches, work)


class Line:
    """So many places, and who waits for one."""

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


async def _watch(line: Line, work: Work) -> AsyncGenerator[Any, None]:
    async with contextlib.aclosing(line.turn()) as turns:
        async for before in turns:
            yield Waiting(before)
    loop, news, stop = asyncio.get_running_loop(), asyncio.Queue[Any](), threading.Event()

    def tell(item: Any) -> None:
        with contextlib.suppress(RuntimeError):  # the loop is gone: nobody listens
            loop.call_soon_threadsafe(news.put_nowait, item)

    def labour() -> None:
        try:
            last: Any = Finished(work(tell, stop))
        except BaseException as error:
            last = error
        with contextlib.suppress(RuntimeError):
            loop.call_soon_threadsafe(line.leave)
        tell(last)

    threading.Thread(target=labour, daemon=True, name="desk").start()
    try:
        while True:
            item = await news.get()
            if isinstance(item, BaseException):
                raise item
            yield item
            if isinstance(item, Finished):
                return
    finally:
        stop.set()
