"""Threads that share work on a table: kernels run without the GIL, and Ctrl-C stops them at once."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import FIRST_EXCEPTION, Future, ThreadPoolExecutor, wait
from typing import Any, TypeVar

from numpy.typing import NDArray

Item = TypeVar("Item")
Found = TypeVar("Found")
PAUSE = 0.1


class Crew:
    """So many threads; `tick` is called about ten times a second while they work."""

    def __init__(self, threads: int, stop: NDArray[Any], tick: Callable[[], None]) -> None:
        self.threads, self.stop, self.tick = threads, stop, tick
        self.pool = ThreadPoolExecutor(threads, "plywright-table")

    def __enter__(self) -> Crew:
        return self

    def __exit__(self, *error: object) -> None:
        self.pool.shutdown(cancel_futures=True)

    def each(self, task: Callable[[Item], Found], items: Iterable[Item]) -> list[Found]:
        """What the task makes of each item, in their order; the first failure stops the others."""
        futures: list[Future[Found]] = [self.pool.submit(task, item) for item in items]
        try:
            waiting: set[Future[Found]] = set(futures)
            while waiting:
                done, waiting = wait(waiting, PAUSE, FIRST_EXCEPTION)
                for future in done:
                    future.result()
                self.tick()
        except BaseException:
            self.stop[0] = 1
            for future in futures:
                future.cancel()
            wait(futures)
            raise
        return [future.result() for future in futures]
