"""Repetition inside the kernel: the keys of the line searched and of the game before it.

A state that repeats one of the line is drawn at once, whatever number of occurrences the rule asks
for: who gains by going round a second time gains by not going round at all, so the value is the same.
Whether a *forbidden* repetition matters does depend on the number, and there everything is counted.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..bits import signed

NOWHERE = 1 << 20
"""A ply below any line: no value depends on it."""


def past_table(counts: dict[int, int]) -> NDArray[np.int64]:
    """[2 * places] keys and how often each occurred, hashed by the key; a place with count 0 is free."""
    places = 2
    while places < 2 * (len(counts) + 1):
        places *= 2
    table = np.zeros(2 * places, np.int64)
    for key, count in counts.items():
        place = key & (places - 1)
        while table[2 * place + 1]:
            place = (place + 1) & (places - 1)
        table[2 * place], table[2 * place + 1] = key, count
    return table


def repetition_word(game: Any, state: Any) -> Any:
    """The state's key for repetition as a signed word."""
    return signed(game.repetition_key(state))


def times_past(key, mask, work):
    """How often a state with this key occurred before the root."""
    place = key & mask
    while work.past[2 * place + 1] != 0:
        if work.past[2 * place] == key:
            return work.past[2 * place + 1]
        place = (place + 1) & mask
    return 0


def first_on_line(key, ply, work):
    """The ply at which a state with this key occurs above `ply`; NOWHERE if it does not."""
    for above in range(ply):
        if work.keys[above] == key:
            return above
    return NOWHERE


def times_so_far(key, ply, mask, work):
    """How often a state with this key occurred before the root and on the line down to `ply`."""
    count = times_past(key, mask, work)
    for above in range(ply + 1):
        if work.keys[above] == key:
            count += 1
    return count
