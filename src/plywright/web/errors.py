"""What goes wrong in the page, beyond the mistakes that every layer knows."""

from __future__ import annotations

from ..errors import PlywrightError


class StaleToken(PlywrightError):
    """A form from an earlier start of the server, or from elsewhere."""


class Busy(PlywrightError):
    """Too many searches wait already."""


class Missing(PlywrightError):
    """An address at which there is nothing, such as a saved game that was deleted."""
