"""A pool of threads for searches: starting a thread takes longer than many a search."""

from __future__ import annotations

import contextlib
import ctypes
import os
import threading
import time
from collections.abc import Callable
from queue import SimpleQueue

from ..stack import mark

STACK = 256 << 20  # bytes of stack for a searching thread: MAX_DEPTH frames of any game
MOST_WAITING = 8
_THREADS_HAVE_CLOCKS = hasattr(time, "pthread_getcpuclockid")

_waiting: list[Worker] = []


class Stopped(Exception):
    """Thrown into an interpreted search that does not come back."""


class Worker(threading.Thread):
    """A thread with room for deep recursion that does one task after another and waits in between."""

    def __init__(self) -> None:
        super().__init__(name="plywright-search", daemon=True)
        self._tasks: SimpleQueue[tuple[Callable[[], None], Callable[[], None]]] = SimpleQueue()
        self._given_up = False
        self._clock: int | None = None

    def begin(self, task: Callable[[], None], ended: Callable[[], None]) -> None:
        """Have the thread do `task`, which raises nothing, and call `ended` when it is free again."""
        self._tasks.put((task, ended))

    def give_up(self) -> None:
        """Throw Stopped into the task, which does not come back; the thread is not used again."""
        self._given_up = True
        if self.ident is not None:
            ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(self.ident), ctypes.py_object(Stopped))

    def processor_seconds(self) -> float:
        """Processor time of this thread; where the system does not tell that of a thread, of the whole process."""
        if not _THREADS_HAVE_CLOCKS:
            return time.process_time()
        with contextlib.suppress(OSError):  # the thread has ended
            if self._clock is not None:
                return time.clock_gettime(self._clock)
        return 0.0

    def run(self) -> None:
        mark(STACK)
        if _THREADS_HAVE_CLOCKS:  # asked here, where the thread is sure to live
            self._clock = time.pthread_getcpuclockid(threading.get_ident())
        with contextlib.suppress(Stopped):  # it may arrive after the task it was meant for has ended
            while True:
                task, ended = self._tasks.get()
                task()
                last = self._given_up or len(_waiting) >= MOST_WAITING
                if not last:
                    _waiting.append(self)  # before `ended` is called, so that the next search finds this thread free
                ended()
                if last:
                    return

    @property
    def is_fit(self) -> bool:
        return not self._given_up


def worker() -> Worker:
    """A thread that waits, or a new one."""
    while _waiting:
        with contextlib.suppress(IndexError):  # another thread may have taken it first
            found = _waiting.pop()
            if found.is_fit:
                return found
    before = threading.stack_size(STACK)
    try:
        found = Worker()
        found.start()
    finally:
        threading.stack_size(before)
    return found


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_waiting.clear)  # a forked process inherits none of these threads
