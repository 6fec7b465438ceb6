"""The transposition table: what is known of positions met before, in memory of a fixed size.

Two words per entry, two entries per bucket (one cache line holds two buckets). The first word is the
key xor the second, so that an entry torn by another thread fits no key and is simply not found
(Hyatt & Mann 2002). The second word packs, from the top: value (32 bits), action (16), depth (8),
resolved (1), age (5), bound (2).

Resolved means that nothing below was estimated or left out: the value, or bound, is proved. Its depth
then only says how much work it saves.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...bits import fold, signed
from ...errors import BadInput
from ...number import is_real

EXACT, LOWER, UPPER = 0, 1, 2
RESOLVED = 255
DEEPEST = 254
NO_ACTION = 0xFFFF
RESOLVED_BIT = 128
AGES = 32
SAMPLE = 1024  # buckets
ENTRY = 16  # bytes
LINE = 64  # bytes of a cache line
USABLE = 0.9  # of the memory that is available, at most
FIRST_BUCKETS = 1 << 13  # a quarter of a megabyte: fits into the cache of one core, and is cleared quickly
PART = 1 << 14  # entries that are moved at a time: a quarter of a megabyte
BUCKET_SHIFT = 28  # the bits of a key from here on say where it belongs
_spare: list[tuple[NDArray[np.int64], int]] = []  # a table that was used, and how many of its words
COUNTER = 0x5851F42D4C957F2D
NEAR_MASK = (1 << 15) - 1  # tables up to this size stay in the cache: prefetching does not pay


def new_table(megabytes: float) -> NDArray[np.int64]:
    """An empty table of at most this size: the largest power of two of buckets that fits."""
    if not is_real(megabytes) or not megabytes > 0:
        raise BadInput(f"the table's size must be a number of megabytes above 0, not {megabytes!r}")
    size = int(min(megabytes * 1e6, 1 << 62))  # bytes: infinity, too, is more than there are
    words = 4 << max(size // (2 * ENTRY), 1).bit_length() - 1
    with contextlib.suppress(IndexError):  # there is none, or another thread took it first
        table, used = _spare.pop()
        if len(table) == words:
            table[:used] = 0
            return table
        del table  # its memory is available now
    available = memory()
    if available is not None and megabytes * 1e6 > USABLE * available:
        raise BadInput(f"a table of {megabytes:g} MB does not fit: {available / 1e6:.0f} MB of memory are available")
    try:
        return empty_words(words)
    except MemoryError:  # the system allows this process less than there is
        raise BadInput(f"a table of {megabytes:g} MB does not fit: the system grants no such memory") from None


def keep_for_next(table: NDArray[np.int64], mask: int) -> None:
    """Have the next new table of this size use the memory of this one, which nobody needs any more.

    Memory that was never touched has to be mapped and cleared by the system: in a short search that takes longer
    than to clear what the last one used.
    """
    if not _spare:
        _spare.append((table, 4 * (mask + 1)))


def empty_words(count: int) -> NDArray[np.int64]:
    """So many zeros, beginning with a cache line: a bucket that lies across two lines would be waited for twice."""
    spare = LINE // 8
    words = np.zeros(count + spare, np.int64)
    first = -words.ctypes.data % LINE // 8
    return words[first : first + count]


def first_mask(table: NDArray[np.int64]) -> int:
    """The mask to begin with: a search of few nodes is faster in a table that stays near."""
    return min(FIRST_BUCKETS, len(table) // 4) - 1


def widened(table: NDArray[np.int64], mask: int, nodes: int, halted: Callable[[], bool]) -> int:
    """The mask with an entry for each of so many nodes, as far as the table goes; entries move to where it looks.

    They do so part by part, straight to their new buckets. Where `halted` says so between two parts the mask
    stays as it was; entries that have moved already are then not found, and nothing else is lost.
    """
    wanted = min(1 << max(nodes - 1, 1).bit_length(), len(table) // 4) - 1
    if wanted <= mask:
        return mask
    pairs = table.view(np.complex128)  # two words at a time
    size, times = mask + 1, (wanted + 1) // (mask + 1)
    for first in range(0, 2 * size, PART):
        if halted():
            return mask
        near = pairs[first : min(first + PART, 2 * size)]
        words = near.view(np.int64)
        kept = np.flatnonzero(words[1::2])
        block = ((words[2 * kept] ^ words[2 * kept + 1]) >> BUCKET_SHIFT + mask.bit_length()) & times - 1
        moving = kept[block != 0]
        pairs[first + moving + 2 * size * block[block != 0]] = near[moving]
        near[moving] = 0
    return wanted


def in_use(table: NDArray[np.int64], mask: int) -> int:
    """Thousandths of the table that hold an entry, by a look at its beginning; what is not yet looked into counts."""
    part = table[1 : 4 * min(mask + 1, SAMPLE) : 2]
    return int(np.count_nonzero(part) / len(part) * 1000 * 4 * (mask + 1) / len(table))


def forget_proofs(table: NDArray[np.int64], mask: int) -> None:
    """Have every entry stand for its depth only, as if something below had been estimated."""
    entries = table[: 4 * (mask + 1)]
    proved = entries[1::2] & RESOLVED_BIT
    entries[1::2] ^= proved
    entries[::2] ^= proved  # the key xor the data


def memory() -> int | None:
    """Bytes of memory available, where the system says."""
    try:
        with open("/proc/meminfo", encoding="ascii") as file:  # noqa: PTH123
            return next(int(line.split()[1]) * 1024 for line in file if line.startswith("MemAvailable"))
    except (OSError, StopIteration, ValueError):
        return None


def table_key(knowledge: Any, state: Any) -> Any:
    """The state's key as the signed word that the table holds."""
    if knowledge.counts_in_keys:
        return signed(fold(signed(knowledge.key(state)) ^ knowledge.plies_left(state), COUNTER))
    return signed(knowledge.key(state))


def bucket_of(key, mask):
    """Where a key's two entries begin: from bits that a poor key still mixes well."""
    return ((key >> BUCKET_SHIFT) & mask) * 4


def probe(table, bucket, key):
    """The data of the entry with this key; 0 where there is none (no real entry is 0: its age is not)."""
    data = table[bucket + 1]
    if table[bucket] ^ data == key:
        return data
    data = table[bucket + 3]
    if table[bucket + 2] ^ data == key:
        return data
    return 0


def store(table, bucket, key, value, action, depth, resolved, age, bound):
    """Keep an entry: in the first place if it is as deep as what is there, or that is old; else in the second."""
    data = (value << 32) | ((action & 0xFFFF) << 16) | (depth << 8) | (resolved << 7) | (age << 2) | bound
    old = table[bucket + 1]
    place = bucket
    if table[bucket] ^ old != key and (old >> 8) & 0xFF > depth and age_of(old) == age:
        place = bucket + 2
    table[place] = key ^ data
    table[place + 1] = data


def value_of(data):
    return data >> 32


def action_of(data):
    return (data >> 16) & 0xFFFF


def depth_of(data):
    """The depth that an entry may stand for; RESOLVED where nothing below was estimated or left out."""
    return RESOLVED if data & RESOLVED_BIT else (data >> 8) & 0xFF


def age_of(data):
    return (data >> 2) & (AGES - 1)


def bound_of(data):
    return data & 3
