"""Constant tables of the rules: lists of unequal length, dicts and sets, as arrays with a way to look things up.

The numbers of a table lie in columns, one for each number of an item, so that items may be numbers or tuples of
them. Where an item is a list of its own, offsets say where each begins. A dict is a table of its keys, in their order,
one of its values, and an array that leads from a key to its place. Nothing here knows Numba; `lookup.py` reads them.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

_ROW = 8  # rows of one length up to this are tuples; longer ones are tables themselves
_LONG = 16  # lists longer than this are tables: a tuple compiles to a switch
_SPREAD = 4096  # unused slots that a directly indexed table of keys may have


class Unsuited(Exception):
    """The value cannot be a table."""


class Table(NamedTuple):
    """Items under the numbers 0, 1, ...; with `offsets` each is a table within the level below."""

    item: Any  # "int64", "float64", "bool", or a tuple of those
    columns: tuple[NDArray[Any], ...]
    offsets: tuple[NDArray[np.int64], ...]
    size: int


class Lookup(NamedTuple):
    """A dict, or a set if it has no values: `places` leads from a key of whole numbers to its place, or to -1.

    Where keys are scattered `places` is empty, and `order` lists the places by ascending keys.
    """

    keys: Table
    values: Table | None
    lows: NDArray[np.int64]
    spans: NDArray[np.int64]
    places: NDArray[np.int64]
    order: NDArray[np.int64]


def as_table(value: Any) -> Any:
    """A constant of the rules as compiled code reads it: the rules never change it, and the game is frozen."""
    try:
        if type(value) is dict and value:
            return _lookup(list(value), list(value.values()))
        if type(value) in (set, frozenset) and value:
            return _lookup(list(value), None)
        if type(value) in (list, tuple) and value and (_is_ragged(value) or _is_long(value)):
            return _table(value)
    except Unsuited:
        pass
    return tuple(map(as_table, value)) if type(value) is list else value


def _is_long(value: Any) -> bool:
    return type(value) is list and len(value) > _LONG


def _is_ragged(value: Any) -> bool:
    """Whether rows on the same level have different lengths."""
    level = [value]
    while level and all(type(row) in (list, tuple) for row in level):
        if len({len(row) for row in level}) > 1:
            return True
        level = [item for row in level for item in row]
    return False


def _table(rows: Sequence[Any]) -> Table:
    """A table of these rows, which all have the same depth."""
    offsets: list[NDArray[np.int64]] = []
    level: Sequence[Any] = rows
    while (item := _item(level)) is None:
        if not all(type(row) in (list, tuple) for row in level):
            raise Unsuited
        offsets.append(np.cumsum([0, *map(len, level)], dtype=np.int64))
        level = [part for row in level for part in row]
    columns = tuple(np.array(column, dtype) for dtype, column in _columns(item, level))
    return Table(item, columns, tuple(offsets), len(rows))


def _item(level: Sequence[Any]) -> Any:
    """The kind of the items on a level if compiled code can hold one as a number or a tuple; None if they are rows."""
    if not level:
        raise Unsuited  # an empty list does not tell the type of its items
    if not all(type(value) in (list, tuple) for value in level):
        return _number(level)
    if len({len(value) for value in level}) > 1 or not level[0]:
        return None
    parts = []
    for column in zip(*level, strict=True):
        part = _item(column)
        if part is None:
            return None
        parts.append(part)
    return tuple(parts) if len(parts) <= _ROW else None


def _number(values: Iterable[Any]) -> str:
    kinds = {type(value) for value in values}
    if kinds == {bool}:
        return "bool"
    if kinds <= {int, bool, np.int64, np.int32, np.int8} and all(-(2**63) <= value < 2**63 for value in values):
        return "int64"
    if kinds == {np.uint64}:
        return "uint64"
    if kinds <= {int, float, np.float64}:
        return "float64"
    raise Unsuited


def _columns(item: Any, values: Iterable[Any]) -> list[tuple[str, Any]]:
    if isinstance(item, str):
        return [(item, list(values))]
    columns = zip(*values, strict=True)
    return [found for part, column in zip(item, columns, strict=True) for found in _columns(part, column)]


def _lookup(keys: list[Any], values: list[Any] | None) -> Lookup:
    table = _table(keys)
    if table.offsets or any(column.dtype != np.int64 for column in table.columns):
        raise Unsuited
    numbers = np.stack(table.columns, axis=1)
    lows = numbers.min(axis=0)
    spans = numbers.max(axis=0).astype(object) - lows.astype(object) + 1
    size = math.prod(spans)
    order = np.lexsort(numbers.T[::-1]).astype(np.int64)
    places = np.zeros(0, np.int64)
    if size <= 4 * len(keys) + _SPREAD:
        places = np.full(size, -1, np.int64)
        strides = [math.prod(spans[i + 1 :]) for i in range(len(spans))]
        places[(numbers - lows) @ np.array(strides, np.int64)] = np.arange(len(keys))
        order = np.zeros(0, np.int64)
    else:
        spans = spans * 0
    return Lookup(table, None if values is None else _table(values), lows, spans.astype(np.int64), places, order)
