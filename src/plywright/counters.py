"""The first words of every kernel's `work.info`: how a kernel counts, stops, and reports rules that are at fault.

A game's own `finish` counts its nodes here too. What a fault means in words: `faults.py`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

HEADER = 4
NODES, NODE_LIMIT, STOPPED, FAULT = range(HEADER)
"""Every kernel's own words follow. NODES counts states, simulations or whatever the kernel does one by one, and grows
as long as it gets on; NODE_LIMIT is the most of them; STOPPED is 1 once the value means nothing; FAULT says why, where
the rules are at fault."""

# Faults; 0 is none. First what a search finds in the rules,
NOT_A_NUMBER, NO_ACTIONS, TOO_MANY_ACTIONS, CROSSED_BOUNDS, OUT_OF_RANGE, OFF_STEP, TOO_DEEP, NO_UTILITY = range(1, 9)
# in their chance,
NO_OUTCOMES, BAD_PROBABILITY, BAD_SUM = range(9, 12)
# in what players see,
OTHER_ACTIONS, FORGOTTEN = range(12, 14)
# what does not fit into memory,
NO_ROOM, TOO_LARGE = range(14, 16)
# and what a table finds in a numbering of positions.
NO_NUMBER, LATER_SLICE, ODD_UTILITY, TOO_FAR, WRONG_NUMBER, NO_INVERSE = range(16, 22)
# A playout of a knowledge's own that is not one, or that tells more moves than there is room for.
NOT_FINISHED, TOO_MANY_MOVES = range(22, 24)
# A number of a table that positions share which are not alike.
NOT_ALIKE = 24


def fault(info, kind):  # type: ignore[no-untyped-def]  # compiled: its types are the kernel's
    """The rules broke the protocol: stop, and say how. What this returns means nothing."""
    info[STOPPED] = 1
    info[FAULT] = kind
    return 0


def stop_word() -> NDArray[np.int64]:
    """A word by which a search is asked to stop: it is read at every node, so nothing else shares its cache line."""
    return np.zeros(17, np.int64)[8:9]


def spent(work: Any, ahead: int) -> bool:
    """Count a node; whether to stop instead, at the limit of nodes or because somebody asked for it.

    `ahead` is how many nodes the caller may add to info[NODES] by itself, without asking, before the next
    call. Once this has said so it says so always, and whatever the search returns means nothing.
    """
    info = work.info
    total = info[NODES] + 1
    if info[STOPPED] != 0 or total + ahead > info[NODE_LIMIT] or work.stop[0] != 0:
        info[STOPPED] = 1
        return True
    info[NODES] = total
    return False


def runs_short(work: Any, ahead: int) -> bool:
    """The same for a caller who counts all of the `ahead` nodes by itself."""
    info = work.info
    if info[NODES] + ahead > info[NODE_LIMIT]:
        info[STOPPED] = 1
    return bool(info[STOPPED] != 0)
