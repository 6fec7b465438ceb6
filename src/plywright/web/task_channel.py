"""The channel between a task in a worker and its client: reports go out, commands come in."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

REPORT = "report"


class TaskChannel:
    """One task's end of the channel to the server."""

    def __init__(self, tell: Callable[[str, Any, bool], None]) -> None:
        self.tell = tell
        self.stop = threading.Event()
        """Set when the client has gone."""
        self.hurry = threading.Event()
        """Set when an answer is wanted now."""

    def report(self, item: Any) -> None:
        self.tell(REPORT, item, False)
