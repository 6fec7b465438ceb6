"""What a search may still spend: the words of a workspace that the engine and a game's own `finish` share."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

# the first words of work.info
NODES, NODE_LIMIT, STOPPED = range(3)


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
