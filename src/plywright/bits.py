"""Bit tricks for boards kept in integers: one machine instruction compiled, plain Python otherwise.

Each function here has a native twin in `native/twins.py`; both give the same answer on every input.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import Any, SupportsIndex

import numpy as np

_MASK = (1 << 64) - 1


def popcount(board: SupportsIndex) -> int:
    """How many bits are set."""
    return (int(board) & _MASK).bit_count()


def lowest_bit(board: SupportsIndex) -> int:
    """The index of the lowest set bit; 64 for an empty board."""
    word = int(board) & _MASK
    return (word & -word).bit_length() - 1 if word else 64


def highest_bit(board: SupportsIndex) -> int:
    """The index of the highest set bit; -1 for an empty board."""
    return (int(board) & _MASK).bit_length() - 1


def swap_bytes(board: SupportsIndex) -> np.uint64:
    """The bytes in the opposite order: a board of eight by eight seen from the other side."""
    return np.uint64(int.from_bytes((int(board) & _MASK).to_bytes(8, "little"), "big"))


def minus(a: SupportsIndex, b: SupportsIndex) -> np.uint64:
    """The difference of two words modulo 2^64, which NumPy would warn of where it wraps around."""
    return np.uint64(int(a) - int(b) & _MASK)


def fold(a: SupportsIndex, b: SupportsIndex) -> int:
    """The high half of the 128-bit product of two words, xor the low half: a strong mix for one multiplication."""
    product = (int(a) & _MASK) * (int(b) & _MASK)
    return (product >> 64) ^ (product & _MASK)


def signed(word: SupportsIndex) -> int:
    """The same 64 bits as a signed number."""
    value = int(word) & _MASK
    return value - (1 << 64) if value >> 63 else value


def gather(board: SupportsIndex, mask: SupportsIndex) -> int:
    """The bits of a board where the mask has ones, moved together at the low end: an index made of cells."""
    word, places, found, bit = int(board) & _MASK, int(mask) & _MASK, 0, 0
    while places:
        low = places & -places
        found |= bool(word & low) << bit
        places ^= low
        bit += 1
    return found


SCRATCH = 512
"""Words of a scratch array."""


def scratch() -> Any:
    """An array of `SCRATCH` words with anything in it, for use until the function returns; compiled, on the stack.

    A generator, such as `actions`, must not keep one over a `yield`: ask a function of its own for what it needs.
    """
    return np.zeros(SCRATCH, np.int64)


def float_scratch() -> Any:
    """The same of `SCRATCH` numbers in single precision."""
    return np.zeros(SCRATCH, np.float32)


def replaced(words: tuple[Any, ...], index: int, word: Any) -> tuple[Any, ...]:
    """The same words but one: how a rule changes an element of a tuple in a state."""
    if not 0 <= index < len(words):
        raise IndexError("replaced: the index is outside the tuple")
    return (*words[:index], word, *words[index + 1 :])


def prefetch(array: Any, index: int) -> None:
    """Have this element of a workspace's array brought near, for it will be read soon; changes nothing."""


_SALT = [0x9E3779B97F4A7C15 * (2 * i + 1) & _MASK ^ 0xD6E8FEB86659FD93 for i in range(64)]


def mix(state: Any) -> int:
    """64 bits from all the numbers of a state, two by two through a folded multiplication (0 and 64 bits alike).

    A sum of products with constants would collide for certain when bit 63 moves between fields. The shape does not
    go in: this is for states that all have the same one. Any other value is for `digest`.
    """
    words = [_bits_of(leaf) for leaf in _leaves(state)]
    if len(words) % 2:
        words.append(0)
    total = 0
    for i in range(0, len(words), 2):
        total = (total + fold(words[i] ^ _SALT[i % 64], words[i + 1] ^ _SALT[(i + 1) % 64])) & _MASK
    return total


def write_state(words: Any, place: int, state: Any) -> None:
    """Put the fields of a state, 64 bits each, into an array of words from `place` on.

    An array of objects, for states that are not numbers in one shape, takes the state as it is.
    """
    if words.dtype == object:
        words[place] = state
        return
    for index, leaf in enumerate(_leaves(state)):
        words[place + index] = signed(_bits_of(leaf))


def read_state(words: Any, place: int, like: Any) -> Any:
    """The state that `write_state` put there, of the same type as `like`."""
    if words.dtype == object:
        return words[place]
    return _read(iter(words[place : place + len(_leaves(like))].tolist()), like)


def write_numbers(numbers: Any, values: Any) -> int:
    """Put values, whole numbers, floats and booleans (0 and 1) alike, into an array; how many there are."""
    count = 0
    for value in values:
        if count < SCRATCH:  # those beyond are only counted
            numbers[count] = np.float32(value)
        count += 1
    return count


def _read(words: Iterator[int], like: Any) -> Any:
    if isinstance(like, tuple):
        items = [_read(words, item) for item in like]
        return type(like)(*items) if hasattr(like, "_fields") else tuple(items)
    word = next(words)
    if isinstance(like, float):
        return struct.unpack("<d", struct.pack("<q", word))[0]
    return type(like)(word & _MASK if isinstance(like, np.uint64) else word)


def _leaves(value: Any) -> list[Any]:
    return [leaf for item in value for leaf in _leaves(item)] if isinstance(value, tuple) else [value]


def _bits_of(leaf: Any) -> int:
    """The 64 bits of a number as compiled code holds it; 0.0 and -0.0, which are equal, alike."""
    if isinstance(leaf, float):
        return int.from_bytes(struct.pack("<d", leaf + 0.0), "little")
    if isinstance(leaf, (str, bytes)):  # which int() would read as a number
        raise TypeError(f"mix() takes numbers, not {leaf!r}")
    return int(leaf) & _MASK
