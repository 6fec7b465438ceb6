"""A clock for what a task itself takes: it stands still while something is compiled, as happens in a first run."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Iterator

_lock = threading.Lock()
_spent = 0.0
"""Seconds in which something was compiled, up to the last time that nothing was."""
_under_way: list[float] = []
"""When each compilation under way began, in any thread; the first entry counts for all of them."""


@contextlib.contextmanager
def compiling() -> Iterator[None]:
    """Within this block the clock stands still."""
    global _spent
    began = time.monotonic()
    with _lock:
        _under_way.append(_under_way[0] if _under_way else began)
    try:
        yield
    finally:
        with _lock:
            first = _under_way.pop()
            if not _under_way:
                _spent += time.monotonic() - first


def working_clock() -> float:
    """Monotonic seconds without those in which something was compiled."""
    with _lock:
        now = _under_way[0] if _under_way else time.monotonic()
        return now - _spent
