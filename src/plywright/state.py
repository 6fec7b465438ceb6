"""The type of a game's states: what crosses into compiled code, and how it is coerced.

The type is read off `initial()`: each leaf is an int64, uint64, float64 or bool, tuples nest, a named
tuple keeps its class. A state typed by hand or parsed from text is coerced to it, so that it never
causes a second compilation and behaves the same compiled and interpreted.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from .errors import GameError, shown

INT64, UINT64, FLOAT64, BOOL = "int64", "uint64", "float64", "bool"
_LIMITS = {INT64: (-(1 << 63), (1 << 63) - 1), UINT64: (0, (1 << 64) - 1)}


class Shape(NamedTuple):
    """A leaf (`kind` set) or a tuple of shapes (`items` set, `cls` its named tuple class or tuple)."""

    kind: str | None = None
    items: tuple[Shape, ...] = ()
    cls: type | None = None

    def __str__(self) -> str:
        if self.kind is not None:
            return self.kind
        name = "" if self.cls is None or self.cls is tuple else self.cls.__name__
        return f"{name}({', '.join(map(str, self.items))})"


class NoShape(Exception):
    """The state holds something that compiled code cannot: the message says what and where."""


def _leaf_kind(value: Any, path: str) -> str:
    if isinstance(value, (bool, np.bool_)):
        return BOOL
    if isinstance(value, np.uint64):
        return UINT64
    if isinstance(value, (int, np.integer)):
        low, high = _LIMITS[INT64]
        if not low <= value <= high:
            hint = "; for a board of 64 cells make it np.uint64" if 0 <= value <= _LIMITS[UINT64][1] else ""
            raise NoShape(f"{path} is {value}, and compiled states hold whole numbers of 64 bits{hint}")
        return INT64
    if isinstance(value, (float, np.floating)):
        return FLOAT64
    if isinstance(value, list):
        raise NoShape(f"{path} is a list; write a tuple, as in tuple(cells) or tuple(tuple(row) for row in rows)")
    raise NoShape(f"{path} is a {type(value).__name__}; compiled states hold ints, floats, bools and tuples of them")


def shape_of(value: Any, path: str = "the state") -> Shape:
    """The shape of a state as `initial()` returned it; raises NoShape where it cannot be compiled."""
    if not isinstance(value, tuple):
        return Shape(kind=_leaf_kind(value, path))
    cls = type(value)
    fields = getattr(cls, "_fields", None)
    annotations = getattr(cls, "__annotations__", {})
    items = []
    for index, item in enumerate(value):
        name = fields[index] if fields else str(index)
        if "uint64" in str(annotations.get(name, "")) and _is_word(item):
            items.append(Shape(kind=UINT64))
        else:
            items.append(shape_of(item, f"{path}'s field {name!r}" if path == "the state" else f"{path}.{name}"))
    return Shape(items=tuple(items), cls=cls)


def _is_word(value: Any) -> bool:
    """Whether an unsigned number of 64 bits can hold it."""
    whole = isinstance(value, (int, np.integer)) and not isinstance(value, bool)
    return whole and -(1 << 63) <= int(value) < 1 << 64


class Outgrown(GameError):
    """A state that is of another size than initial()'s: its tuples have other lengths, its numbers need more room.

    Rules may make such states. They cannot be compiled, and the game is then interpreted.
    """


def coerce(shape: Shape, value: Any, path: str = "state") -> Any:
    """The same state with every leaf in its canonical type; raises GameError where it does not fit."""
    if shape.kind is None:
        if not isinstance(value, (tuple, list)) or len(value) != len(shape.items):
            grown = isinstance(value, tuple) and not hasattr(shape.cls, "_fields")
            kind = Outgrown if grown else GameError
            raise kind(f"{path} should be a tuple of {len(shape.items)} values like initial()'s, not {shown(value)}")
        names = getattr(shape.cls, "_fields", range(len(shape.items)))
        items = [
            coerce(item, part, f"{path}.{name}") for item, part, name in zip(shape.items, value, names, strict=True)
        ]
        cls: Any = shape.cls
        return cls(*items) if hasattr(cls, "_fields") else tuple(items)
    if isinstance(value, (tuple, list, str)) or not np.isscalar(value):
        raise GameError(f"{path} should be one {shape.kind}, not {shown(value)}")
    if shape.kind == BOOL:
        if value not in (0, 1):  # which True would make equal to others
            raise Outgrown(f"{path} is {shown(value)}, and initial() makes it True or False")
        return bool(value)
    if shape.kind == FLOAT64:
        try:
            real = float(value)  # type: ignore[arg-type]
        except (OverflowError, TypeError):
            raise GameError(f"{path} is {shown(value)}, which does not fit {FLOAT64}") from None
        if isinstance(value, (int, np.integer)) and real != value:
            raise Outgrown(f"{path} is {shown(value)}, which {FLOAT64} would round")
        return real
    number = _whole(value, path)
    low, high = _LIMITS[shape.kind]
    if not low <= number <= high:
        hint = "; make it np.uint64 in initial() for 64 cells" if shape.kind == INT64 else ""
        raise Outgrown(f"{path} is {shown(number)}, which does not fit {shape.kind}{hint}")
    return np.uint64(number) if shape.kind == UINT64 else number


def _whole(value: Any, path: str) -> int:
    try:
        number = int(value)
    except (ValueError, OverflowError, TypeError):  # NaN, an infinity, a number that is not real
        number = None
    if number is None or number != value:
        raise GameError(f"{path} is {shown(value)}, but initial() makes it a whole number")
    return number


def leaves(value: Any) -> list[Any]:
    """The numbers of a state from left to right."""
    if isinstance(value, tuple):
        return [leaf for item in value for leaf in leaves(item)]
    return [value]


def rebuild(shape: Shape, numbers: list[Any]) -> Any:
    """The inverse of `leaves`: consumes `numbers` from the front."""
    if shape.kind is not None:
        return coerce(shape, numbers.pop(0))
    items = [rebuild(item, numbers) for item in shape.items]
    cls: Any = shape.cls
    return cls(*items) if hasattr(cls, "_fields") else tuple(items)
