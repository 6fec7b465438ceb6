"""What passes between Python and native code: words of 64 bits, laid out by the kinds of the arguments.

A call packs its arguments into a block of words, the native function reads them there and writes its answer
behind them. Nothing here needs Numba, so that code from the cache runs without it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from ..compiled import Uncompilable, Workspace
from ..errors import GameError
from ..identity import Identified, is_shipped
from ..state import BOOL, FLOAT64, INT64, UINT64, NoShape, Shape, leaves, shape_of

CODES = {INT64: "q", UINT64: "Q", FLOAT64: "d", BOOL: "?7x"}
"""The letters of the standard module `struct`; a truth value is the first byte of its word."""
NOTHING = Shape(items=(), cls=type(None))
"""The shape of None, which needs no words."""


class ArrayKind(NamedTuple):
    """A contiguous array: the words are its address and its extents."""

    dtype: str
    dimensions: int
    writeable: bool


class WorkspaceKind(NamedTuple):
    """A workspace: one word, the address of its block."""

    fields: tuple[tuple[str, str], ...]


class GameKind(NamedTuple):
    """A game or knowledge of one: one word, the address of its run-time data, or none where it has no such data."""

    name: str
    fingerprint: str
    checked: bool
    loaded: bool


Kind = Shape | ArrayKind | WorkspaceKind | GameKind


class Mismatch(Exception):
    """An argument is of another kind than the code was made for."""


def kind_of(value: Any) -> Kind:
    """The kind of an argument; raises Uncompilable for what native code cannot be given."""
    if isinstance(value, Workspace):
        known: WorkspaceKind | None = value.__dict__.get("_kind")  # worked out once: it is asked for at every call
        if known is None:
            known = WorkspaceKind(tuple((name, array.dtype.str) for name, array in value._arrays))
            value.__dict__["_kind"] = known
        return known
    if isinstance(value, np.ndarray):
        if not value.flags.c_contiguous:
            raise Uncompilable("an array that is given to a kernel must be contiguous")
        return ArrayKind(value.dtype.str, value.ndim, bool(value.flags.writeable))
    if isinstance(value, Identified):
        name, loaded = type(value).__qualname__, bool(run_time_fields(value))
        return GameKind(name, value.fingerprint, is_checked(value), loaded)
    if value is None:
        return NOTHING
    if isinstance(value, int) and value >= 1 << 63:
        return Shape(kind=UINT64)
    try:
        return shape_of(value, "an argument of a kernel")
    except NoShape as reason:
        raise Uncompilable(str(reason)) from None


def is_checked(subject: Identified) -> bool:
    """Whether rules or knowledge are compiled with bounds checks: those that are not shipped with us."""
    asked: bool | None = subject.__dict__.get("_checked")
    return not is_shipped(subject) if asked is None else asked


def described(kind: Kind) -> str:
    """The kind as a text that does not depend on how an author's module was imported: part of a file's name."""
    if not isinstance(kind, Shape):
        return repr(tuple(kind))
    if kind.kind is not None:
        return kind.kind
    name = f"{kind.cls.__name__}{getattr(kind.cls, '_fields', '')}" if kind.cls else ""
    return f"{name}({', '.join(map(described, kind.items))})"


def letters(kind: Kind) -> str:
    """The words of one argument, or of an answer, as `struct` describes them."""
    if isinstance(kind, Shape):
        return "".join(map(letters, kind.items)) if kind.kind is None else CODES[kind.kind]
    if isinstance(kind, ArrayKind):
        return "q" * (1 + kind.dimensions)
    return "" if isinstance(kind, GameKind) and not kind.loaded else "q"


def words_of(kind: Kind, value: Any) -> list[Any]:
    """The words of an argument; raises Mismatch where it is plainly of another kind."""
    if isinstance(kind, Shape):
        if (value is None) != (kind.cls is type(None)):
            raise Mismatch
        return [] if value is None else leaves(value)
    if isinstance(kind, GameKind):
        if value.fingerprint != kind.fingerprint:
            raise Mismatch
        return [address_of(value)] if kind.loaded else []
    if kind_of(value) != kind:
        raise Mismatch
    return [value.ctypes.data, *value.shape] if isinstance(kind, ArrayKind) else [value._address]


def answer(shape: Shape, words: Iterator[Any]) -> Any:
    """The value of this shape that a native function left behind, as Python has it."""
    if shape.cls is type(None):
        return None
    if shape.kind is not None:
        return next(words)
    items = [answer(item, words) for item in shape.items]
    cls: Any = shape.cls
    return cls(*items) if hasattr(cls, "_fields") else tuple(items)


# -- run-time data ----------------------------------------------------------------------------------------


class Field(NamedTuple):
    """An attribute that travels as data: `kind` as the code sees it, and where in the block it begins."""

    name: str
    kind: Shape | ArrayKind | GameKind
    offset: int


def run_time_fields(subject: Identified) -> tuple[Field, ...]:
    """What travels as data in these rules or knowledge; raises Uncompilable for what cannot."""
    known: tuple[Field, ...] | None = subject.__dict__.get("_layout")
    if known is None:
        known = subject.__dict__["_layout"] = _loaded(subject)
    return known


def address_of(subject: Identified) -> int:
    """Where the words of the run-time data are; those of an array that was resized since are written anew."""
    for field in run_time_fields(subject):
        if isinstance(field.kind, ArrayKind):
            value = getattr(subject, field.name)
            if value.ndim != field.kind.dimensions:
                raise GameError(
                    f"{type(subject).__name__}.{field.name} has {value.ndim} dimensions by now, and had "
                    f"{field.kind.dimensions} when it was first used: make a new array instead of reshaping it"
                )
            subject.__dict__["_block"][field.offset : field.offset + 1 + value.ndim] = _place(value)
    address: int = subject.__dict__["_address"]
    return address


def _place(array: np.ndarray[Any, Any]) -> tuple[int, ...]:
    """Where an array lies, and how far it goes in each dimension."""
    return array.__array_interface__["data"][0], *array.shape


def _loaded(subject: Identified) -> tuple[Field, ...]:
    """Lay out the block of words (a scalar, or address and extents) and keep it, since native code reads it there."""
    fields: list[Field] = []
    words: list[int] = []
    for name, part in subject._named_parts():
        if run_time_fields(part):  # the data of the rules, through the knowledge of them
            kind = kind_of(part)
            assert isinstance(kind, GameKind)
            fields.append(Field(name, kind, len(words)))
            words.append(address_of(part))
    for name in subject.runtime_names():
        value = getattr(subject, name)
        if isinstance(value, np.ndarray):
            if not value.flags.c_contiguous:
                raise Uncompilable(f"run-time data {name!r} must be a contiguous array")
            fields.append(Field(name, ArrayKind(value.dtype.str, value.ndim, False), len(words)))
            words += _place(value)
        elif isinstance(value, (int, np.integer)):
            fields.append(Field(name, Shape(kind=INT64), len(words)))
            words.append(int(value))
        elif isinstance(value, float):
            fields.append(Field(name, Shape(kind=FLOAT64), len(words)))
            words.append(int(np.float64(value).view(np.int64)))
        else:
            raise Uncompilable(f"run-time data {name!r} must be an array, an int or a float, not {value!r}")
    block = np.array(words or [0], np.int64)
    subject.__dict__["_block"] = block
    subject.__dict__["_address"] = int(block.ctypes.data)
    return tuple(fields)
