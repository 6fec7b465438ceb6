"""Generators that keep a list or a set between two items, which Numba gives back only at the end."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from numba.core import errors, types

_HELD = (types.List, types.Set, types.ListIter, types.SetIter)


class HoldsMemory(errors.TypingError):  # type: ignore[misc]
    """A generator holds memory that would be lost where a search stops asking for items."""


def refuse_held_memory(name: str, kinds: Iterable[Any], place: Any = None) -> None:
    """Raise HoldsMemory if a generator has variables of such types."""
    if any(isinstance(kind, _HELD) for kind in kinds):
        raise HoldsMemory(
            f"{name}() yields while it holds a list or a set, which native code would not give "
            f"back where a search stops asking: return a list instead",
            loc=place,
        )
