"""Whether a line of a proof has a state so often that repetition draws it.

States of a proof differ in counters that rules of repetition leave out, so a proof that never goes round may still
come to the same position again. All lines are looked at together: for each state, the positions that some line from
there has at least once, at least twice and so on, as sets of bits.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence

MEMORY = 256_000_000
"""Bytes of the sets at a time; more positions are looked at in parts."""
EVERY = 1024
"""States between two looks at the clock."""


def recurring(
    keys: Sequence[int],
    after: Sequence[Sequence[int]],
    draws: int,
    counts: Mapping[int, int],
    tick: Callable[[], None],
) -> int | None:
    """The number of a state from which some line has its key so often that it is drawn; None where no line does.

    `keys` are those of the states, `after` the numbers of what follows each, all of them lower. `draws` is the
    occurrence that ends the game, `counts` how often keys occurred before. `tick` is called now and then.
    """
    several = [key for key, count in Counter(keys).items() if count > 1]
    part = max(8 * MEMORY // ((draws - 1) * len(keys)), 1)
    for first in range(0, len(several), part):
        bits = {key: 1 << place for place, key in enumerate(several[first : first + part])}
        if (found := _in_part(keys, after, draws, counts, bits, tick)) is not None:
            return found
    return None


def _in_part(
    keys: Sequence[int],
    after: Sequence[Sequence[int]],
    draws: int,
    counts: Mapping[int, int],
    bits: Mapping[int, int],
    tick: Callable[[], None],
) -> int | None:
    """The same for some of the keys, each of which has a bit."""
    often = [list[int]() for _ in range(draws - 1)]  # by times and state: the keys that some line has that often
    for place, key in enumerate(keys):
        if place % EVERY == 0:
            tick()
        here = [0] * (draws - 1)
        for child in after[place]:
            for times in range(draws - 1):
                here[times] |= often[times][child]
        if bit := bits.get(key, 0):
            times = 0
            while times < draws - 1 and here[times] & bit:
                times += 1
            if counts.get(key, 0) + times + 1 >= draws:
                return place
            here[times] |= bit
        for times in range(draws - 1):
            often[times].append(here[times])
    return None
