"""How wide a game's board may be, by the names that authors give such numbers."""

from __future__ import annotations

from typing import Any

WIDTHS = ("columns", "width", "cols", "files", "size", "n", "m", "rows", "height")
"""Attributes of a game that may say how wide its board is, the likeliest first."""


def named_widths(game: Any) -> list[int]:
    """The numbers that a game's attributes give for the width of its board."""
    return [value for value in (getattr(game, name, None) for name in WIDTHS) if isinstance(value, int) and value > 1]
