"""Repetition inside the kernel: the keys of the line searched and of the game before it.

A state that repeats one of the line is drawn at once, whatever number of occurrences the rule asks
for: who gains by going round a second time gains by not going round at all, so the value is the same.
Whether a *forbidden* repetition matters does depend on the number, and there everything is counted.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...bits import signed
from .pvs_counters import PAST_MASK, PATH, ROOT_AGAIN

NOWHERE = 1 << 20
"""A ply below any line: no value depends on it."""


def past_table(counts: dict[int, int], places: int = 2) -> NDArray[np.int64]:
    """[2 * places] keys and how often each occurred, hashed by the key; a place with count 0 is free.

    `places`, a power of two, is the least number of them.
    """
    while places < 2 * (len(counts) + 1):
        places *= 2
    table = np.zeros(2 * places, np.int64)
    for key, count in counts.items():
        place = key & (places - 1)
        while table[2 * place + 1]:
            place = (place + 1) & (places - 1)
        table[2 * place], table[2 * place + 1] = key, count
    return table


def is_drawn(game, state, ply, work):
    """Note the state on the line; whether it ends the game for having occurred before (never at the root)."""
    info = work.info
    key = signed(game.repetition_key(state))
    work.keys[ply] = key
    if game.repetition_draws == 0 or ply == 0:
        return False
    for above in range(ply):
        if work.keys[above] == key:
            info[PATH] = min(info[PATH], above)
            if above == 0:
                info[ROOT_AGAIN] = 1
            return True
    return times_past(key, work.past, info[PAST_MASK]) >= game.repetition_draws - 1


def is_forbidden(game, child, ply, work):
    """Whether repetition forbids to enter this state from the node at `ply`."""
    if game.repetition_forbids == 0:
        return False
    key = signed(game.repetition_key(child))
    count = times_past(key, work.past, work.info[PAST_MASK])
    for above in range(ply + 1):
        if work.keys[above] == key:
            count += 1
    return count >= game.repetition_forbids - 1


def times_past(key, past, mask):
    """How often a state with this key occurred before the root, by a `past_table` of mask + 1 places."""
    place = key & mask
    while past[2 * place + 1] != 0:
        if past[2 * place] == key:
            return past[2 * place + 1]
        place = (place + 1) & mask
    return 0
