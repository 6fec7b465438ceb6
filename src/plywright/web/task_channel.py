"""A task of a worker and whoever waits for it: reports go out, and words come in."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

REPORT = "report"


class TaskChannel:
    """The way of one task to the server."""

    def __init__(self, tell: Callable[[str, Any, bool], None]) -> None:
        self.tell = tell
        self.stop = threading.Event()
        """Set when nobody listens any more."""
        self.hurry = threading.Event()
        """Set when an answer is wanted now."""

    def report(self, item: Any) -> None:
        self.tell(REPORT, item, False)
