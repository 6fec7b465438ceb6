"""64 bits for any hashable value: what stands for a state, or for what a player sees, that is not plain numbers.

Equal values have equal digests, as `==` means it: 1, 1.0 and True, a named tuple and a tuple, a frozenset in any
order. Values that differ have different ones but for the odds of 64 random bits. Every part is written down with
its kind and its length, so that nested tuples of unequal length differ, and the whole is hashed by BLAKE2: nothing
depends on the process, as `hash()` does. Only of a class with an `__eq__` of its own nothing is known but that; its
values are counted as they come, and their digests hold within one process (`lasts` says so).
"""

from __future__ import annotations

import dataclasses
import enum
import itertools
import numbers
from hashlib import blake2b
from typing import Any

import numpy as np

_counted: dict[Any, int] = {}
_counter = itertools.count()


def digest(value: Any) -> int:
    """The 64 bits of a value; raises TypeError where it cannot be hashed."""
    return int.from_bytes(blake2b(canonical(value), digest_size=8, key=b"plywright").digest(), "little")


def lasts(value: Any) -> bool:
    """Whether the value has the same digest in every process."""
    if isinstance(value, (tuple, frozenset)):
        return all(map(lasts, value))
    if isinstance(value, enum.Enum):
        return True
    if _is_plain_dataclass(value):
        return all(map(lasts, _compared(value)))
    return value is None or isinstance(value, (str, bytes, numbers.Number, np.generic))


def canonical(value: Any) -> bytes:
    """The value written down: its kind, its length, its parts."""
    if isinstance(value, tuple):  # a named tuple equals a tuple
        return _written(b"t", *map(canonical, value))
    if isinstance(value, str):
        return _written(b"s", value.encode("utf-8", "surrogatepass"))
    if value is None:
        return b"n"
    if isinstance(value, np.generic):
        return canonical(value.item())
    if isinstance(value, (int, float, complex, numbers.Rational)) or _is_decimal(value):
        return _number(value)
    if isinstance(value, bytes):
        return _written(b"b", value)
    if isinstance(value, frozenset):
        return _written(b"f", *sorted(map(canonical, value)))
    if isinstance(value, enum.Enum) and type(value).__eq__ in (object.__eq__, enum.Enum.__eq__):
        return _written(b"e", _class(value), canonical(value.name) if value.name else _number(value.value))
    if _is_plain_dataclass(value):
        hash(value)  # one that is not frozen may change, and cannot be a key
        return _written(b"d", _class(value), *map(canonical, _compared(value)))
    found = _counted.get(value)
    if found is None:
        found = _counted.setdefault(value, next(_counter))
    return _written(b"o", found.to_bytes(8, "little"))


def _written(kind: bytes, *parts: bytes) -> bytes:
    return b"".join(
        (kind, len(parts).to_bytes(4, "little"), *(len(part).to_bytes(8, "little") + part for part in parts))
    )


def _class(value: Any) -> bytes:
    return type(value).__qualname__.encode()


def _number(value: Any) -> bytes:
    """Equal numbers of every kind alike: whole ones as such, others as a ratio."""
    if isinstance(value, complex):
        if value.imag != 0:
            return _written(b"c", _number(value.real), _number(value.imag))
        value = value.real
    if isinstance(value, int):
        whole = int(value)
        return _written(b"i", whole.to_bytes(whole.bit_length() // 8 + 1, "little", signed=True))
    if isinstance(value, numbers.Rational):
        above, below = int(value.numerator), int(value.denominator)
    else:
        try:
            above, below = value.as_integer_ratio()
        except (ValueError, OverflowError):  # not a number, infinite
            return _written(b"x", str(float(value)).encode())
    return _number(above) if below == 1 else _written(b"q", _number(above), _number(below))


def _is_decimal(value: Any) -> bool:
    return isinstance(value, numbers.Number) and hasattr(value, "as_integer_ratio")


def _is_plain_dataclass(value: Any) -> bool:
    """Whether equality is the one that `@dataclass` wrote: the same class and equal fields."""
    params = getattr(type(value), "__dataclass_params__", None)
    code = getattr(type(value).__eq__, "__code__", None)
    return params is not None and params.eq and code is not None and code.co_filename == "<string>"


def _compared(value: Any) -> list[Any]:
    return [getattr(value, field.name) for field in dataclasses.fields(value) if field.compare]
