"""The parameters that a game was made with, for files and messages that say for which game something was learned."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from typing import Any

_SIMPLE = (int, float, str, bool, tuple)


def parameters_of(game: Any) -> dict[str, Any]:
    """The game's parameters by name, as far as the game keeps them under the names that it takes them by."""
    found = {}
    for name in inspect.signature(type(game)).parameters:
        value = getattr(game, name, None)
        if isinstance(value, _SIMPLE):
            found[name] = list(value) if isinstance(value, tuple) else value
    return found


def unlike(given: Mapping[str, Any], other: Mapping[str, Any]) -> str:
    """`size=4`: those parameters whose value is another one there; empty where all agree."""
    return ", ".join(f"{name}={value}" for name, value in given.items() if other.get(name) != value)
