"""Who is to answer now: the searches that run for tables, each found by (table, ply)."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from ..search_queue import Call
from ..worker_pool import HURRY


class MoveNowSignals:
    """The searches under way; for the event loop's thread."""

    def __init__(self) -> None:
        self.listening: dict[tuple[str, int], list[Call]] = {}

    @contextlib.contextmanager
    def hears(self, name: str, ply: int, call: Call) -> Iterator[None]:
        place = (name, ply)
        self.listening.setdefault(place, []).append(call)
        try:
            yield
        finally:
            self.listening[place].remove(call)
            if not self.listening[place]:
                del self.listening[place]

    def hurry(self, name: str, ply: int) -> None:
        """Ask for an answer now."""
        for call in self.listening.get((name, ply), ()):
            call.tell(HURRY)
