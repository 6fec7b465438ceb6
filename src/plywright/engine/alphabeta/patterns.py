"""A table whose entries cover many positions at once (partition search, Ginsberg 1996), for proofs.

A knowledge that can tell what a value rests on says so as a set of up to 64 things, such as the cards whose rank
mattered. An entry is kept under the state's `shape`, with those bits of its `pattern` that the value rests on; whatever
state has the same shape and the same bits there has the same bound. A bucket has WAYS entries of ENTRY words: the
shape, mixed with the others so that an entry torn by another thread is not found; which bits count; these bits of both
words of the pattern; and the bounds with the best action. Its first word counts what was put in.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...bits import fold
from .pvs_counters import PATTERNS
from .transposition import NO_ACTION

WAYS, ENTRY = 48, 5
BUCKET = 1 + WAYS * ENTRY
LEAST, MOST = -(1 << 22), 1 << 22  # where one of the bounds is not known
EVERYTHING = -1
MULTIPLIER = 0x9E3779B97F4A7C15


def new_patterns(megabytes: float) -> NDArray[np.int64]:
    """An empty table of at most this size: the largest power of two of buckets that fits."""
    buckets = 1 << max(int(megabytes * 1e6) // (8 * BUCKET), 1).bit_length() - 1
    return np.zeros(buckets * BUCKET, np.int64)


def bucket_of(shape, info):
    """Where the entries of a shape begin."""
    return (fold(shape, MULTIPLIER) >> 20 & info[PATTERNS] - 1) * BUCKET


def lower_of(data):
    return data >> 40


def upper_of(data):
    return data << 24 >> 40


def find(table, bucket, shape, one, two, low, high):
    """The place of an entry that covers the pattern and settles the window; else minus that of one that covers it;
    0 where there is none."""
    covers = 0
    for way in range(WAYS):
        place = bucket + 1 + way * ENTRY
        which = table[place + 1]
        if one & which == table[place + 2] and two & which == table[place + 3]:
            data = table[place + 4]
            if table[place] == shape ^ which ^ table[place + 2] ^ table[place + 3] ^ data:
                if lower_of(data) >= high or upper_of(data) <= low:
                    return place
                covers = -place
        if table[place] == 0:
            break
    return covers


def store(table, bucket, shape, which, one, two, value, is_lower, action):
    """Keep a bound; one that is there for the same bits is made narrower, else the oldest entry goes."""
    one, two = one & which, two & which
    lower, upper = (value, MOST) if is_lower else (LEAST, value)
    target = -1
    for way in range(WAYS):
        place = bucket + 1 + way * ENTRY
        if table[place + 1] == which and table[place + 2] == one and table[place + 3] == two:
            data = table[place + 4]
            if table[place] == shape ^ which ^ one ^ two ^ data:
                lower, upper = max(lower, lower_of(data)), min(upper, upper_of(data))
                if action == NO_ACTION:
                    action = data & 0xFFFF
                target = place
                break
        if table[place] == 0:
            break
    if target < 0:
        target = bucket + 1 + table[bucket] % WAYS * ENTRY
        table[bucket] += 1
    data = lower << 40 | (upper & 0xFFFFFF) << 16 | action & 0xFFFF
    table[target] = shape ^ which ^ one ^ two ^ data
    table[target + 1] = which
    table[target + 2] = one
    table[target + 3] = two
    table[target + 4] = data
