"""What goes wrong in the page, beyond the mistakes that every layer knows."""

from __future__ import annotations

from ..errors import PlywrightError


class StaleToken(PlywrightError):
    """A form from an earlier start of the server, or from elsewhere."""


class Busy(PlywrightError):
    """Too many searches wait already."""


class Lost(PlywrightError):
    """Work that did not come to its end: it crashed, or took too long."""


class Missing(PlywrightError):
    """An address at which there is nothing, such as a saved game that was deleted."""


class Fault(Exception):
    """A fault of ours in a worker, whose traceback is on the terminal: the kind of the exception and its words."""


def fault_words(error: Exception) -> str:
    """A fault of ours as a sentence; the traceback is on the terminal."""
    words = str(error) if isinstance(error, Fault) else f"{type(error).__name__}: {error}"
    return f"{words} (this is a fault in Plywright, not yours)"
