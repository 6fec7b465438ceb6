"""`search_async`: a search that an event loop awaits, and that ends when the awaiting task is cancelled.

found = await plywright.search_async("othello", time=5.0)
"""

from __future__ import annotations

import asyncio
import functools
import inspect
import threading
from collections.abc import Callable, Coroutine
from typing import Any, ParamSpec

from ..result import SearchResult
from .api import search, search_task
from .task import Task

GRACE = 0.03
"""Seconds to wait for a cancelled search to end; compilation cannot be interrupted, and ends later by itself."""
P = ParamSpec("P")


def _called_as(
    like: Callable[P, Any],
) -> Callable[[Callable[..., Coroutine[Any, Any, SearchResult]]], Callable[P, Coroutine[Any, Any, SearchResult]]]:
    """Give a function the signature of another, for readers and for type checkers."""

    def wrap(function: Callable[..., Any]) -> Callable[P, Coroutine[Any, Any, SearchResult]]:
        function.__signature__ = inspect.signature(like)  # type: ignore[attr-defined]
        function.__annotations__ = {**like.__annotations__, "return": "SearchResult"}
        return function

    return wrap


@_called_as(search)
async def search_async(game: Any, view: Any = None, **asked: Any) -> SearchResult:
    """`search`, awaited: the same arguments and the same answer, while the event loop goes on.

    Cancelling the task stops the search; the cancellation returns within a few hundredths of a second, even while
    rules are being compiled (the compilation itself then finishes in the background).
    """
    running = _Running(functools.partial(_make, game, view, asked))
    threading.Thread(target=running.work, name="plywright-async", daemon=True).start()
    try:
        return await asyncio.shield(running.answer)
    except asyncio.CancelledError:
        running.stop()
        await asyncio.wait([running.answer], timeout=GRACE)
        raise


def _make(game: Any, view: Any, asked: dict[str, Any]) -> Task:
    limits = {name: asked.pop(name, None) for name in ("depth", "time", "nodes", "limit")}
    kinds = {name: asked.pop(name) for name in ("all_actions", "compiled") if name in asked}
    return search_task(game, view, limits, asked.pop("algorithm", None), asked, **kinds)


class _Running:
    """One search in a thread of its own, whose answer is a future of the loop that waits."""

    def __init__(self, make: Callable[[], Task]) -> None:
        self.loop = asyncio.get_running_loop()
        self.answer: asyncio.Future[SearchResult] = self.loop.create_future()
        self.make, self.stopped = make, False
        self.task: Task | None = None

    def work(self) -> None:
        try:
            with self.make() as task:
                self.task = task
                if self.stopped:
                    task.stop()
                found = task.run()
        except BaseException as error:  # passed on to whoever awaits it
            self.settle(self.answer.set_exception, error)
        else:
            self.settle(self.answer.set_result, found)

    def settle(self, settle: Callable[[Any], None], what: Any) -> None:
        def tell() -> None:
            if not self.answer.done():
                settle(what)
                self.answer.exception()  # marks it as retrieved: a cancelled caller never asks for it

        try:
            self.loop.call_soon_threadsafe(tell)
        except RuntimeError:  # the event loop is closed: nobody is waiting
            return

    def stop(self) -> None:
        self.stopped = True
        if self.task is not None:
            self.task.stop()
