"""What goes wrong in the page, beyond the mistakes that every layer knows."""

from __future__ import annotations

from ..errors import PlywrightError


class StaleToken(PlywrightError):
    """A form from an earlier start of the server, or from elsewhere."""


class Busy(PlywrightError):
    """Too many searches wait already."""


class Missing(PlywrightError):
    """An address at which there is nothing, such as a saved game that was deleted."""


def fault_words(error: Exception) -> str:
    """A fault of ours as a sentence; the traceback is on the terminal."""
    return f"{type(error).__name__}: {error} (this is a fault in Plywright, not yours)"
