"""Numbers as programs write them: bounded before they are read, so that none can be too long or too large for us."""

from __future__ import annotations

import re

from ..number import is_real

DIGITS = 15
"""Digits of a whole number: every float and every column of a record holds them exactly."""
_WHOLE = re.compile(r"[-+]?[0-9]{1,15}", re.ASCII)
_REAL = re.compile(r"[-+]?[0-9]{1,15}(\.[0-9]{0,30})?", re.ASCII)


def whole(text: str) -> int | None:
    """A whole number of at most fifteen digits; None for any other text."""
    return int(text) if _WHOLE.fullmatch(text) else None


def real(text: str) -> float | None:
    """A decimal number of at most fifteen digits before the point; None for any other text."""
    return float(text) if _REAL.fullmatch(text) else None


def is_number(value: object) -> bool:
    """A number that every reader of JSON takes for one, and no larger than `whole` allows."""
    return is_real(value) and abs(value) < 10**DIGITS
