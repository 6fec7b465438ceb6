"""Whether this machine keeps time: a thread that wakes at a fixed pace and notes when it was woken late.

A player is late only if it, and not the machine, used up the time. The thread asks for nothing but to be
woken; when that comes late, others were kept waiting as well.
"""

from __future__ import annotations

import os
import threading
import time
from collections import deque
from functools import lru_cache

PACE = 0.02
"""Seconds between two beats."""
NOTABLE = 0.015
"""A beat this late is a sign of overload; less is normal scheduling."""
KEPT = 4096


class Heartbeat:
    """Beats from `start` on; `delay_since` says how much time was lost since then."""

    def __init__(self) -> None:
        self.late: deque[tuple[float, float]] = deque(maxlen=KEPT)  # (when the beat was due, how late it came)
        self.due = time.monotonic() + PACE
        self.thread: threading.Thread | None = None

    def start(self) -> None:
        if self.thread is None:
            self.thread = threading.Thread(target=self._run, name="plywright-heartbeat", daemon=True)
            self.thread.start()

    def _run(self) -> None:
        while True:
            self.due = time.monotonic() + PACE
            time.sleep(PACE)
            self.note(self.due, time.monotonic() - self.due)

    def note(self, due: float, late: float) -> None:
        if late > NOTABLE:
            self.late.append((due, late))

    def delay_since(self, moment: float) -> float:
        """Seconds during which no thread was woken since `moment`, a reading of time.monotonic()."""
        now = time.monotonic()
        lost = sum(late - max(0.0, moment - due) for due, late in list(self.late) if due + late > moment)
        overdue = now - max(self.due, moment)  # a beat that is overdue right now
        return lost + (overdue if overdue > NOTABLE else 0.0)


def heartbeat() -> Heartbeat:
    """The heartbeat of this process, running; a forked process inherits no threads and starts its own."""
    return _heartbeat_of(os.getpid())


@lru_cache(maxsize=1)
def _heartbeat_of(process: int) -> Heartbeat:
    beat = Heartbeat()
    beat.start()
    return beat
