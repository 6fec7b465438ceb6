"""How cards are shared out among any number of piles where each pile may lack suits: counted, so that nothing is tried.

Cards come in groups; a group has those that the same piles cannot hold. How many of a group go to a pile is drawn by
the ways that each number leaves to share out all the rest. Cards that every pile may hold come last: they fill up.
"""

from __future__ import annotations

from typing import Any

from ...bits import replaced
from ...rng import uniform
from .three_piles import FACTORIALS

GROUPS = 4
"""As many as there are suits; those that are not there have no cards."""


def drawn_count(
    group: int,
    pile: int,
    left: int,
    sizes: tuple[int, ...],
    closed: tuple[int, ...],
    room: tuple[int, ...],
    rng: Any,
) -> int:
    """How many of the cards that are left of a group go to a pile: drawn by the ways that this stands for.

    `sizes` has the cards of each group, `closed` the piles that cannot hold them, as sets; `room` is how many cards
    each pile still has to get, those that anybody may hold counted in.
    """
    most = 0 if closed[group] >> pile & 1 else min(left, room[pile])
    found, total = 0, 0.0
    for count in range(most + 1):
        after = replaced(room, pile, room[pile] - count)
        ways = shared_ways(group, pile + 1, left - count, sizes, closed, after) / FACTORIALS[count]
        total += ways
        if uniform(rng) * total < ways:
            found = count
    return found


def shared_ways(
    group: int, pile: int, left: int, sizes: tuple[int, ...], closed: tuple[int, ...], room: tuple[int, ...]
) -> float:
    """In how many ways the cards left of a group, to this pile and those after it, and all later groups can lie.

    Up to a factor that does not depend on what was drawn: factorials of groups are left out.
    """
    if group == GROUPS:
        ways = 1.0
        for free in room:
            ways /= FACTORIALS[free]
        return ways
    if left == 0:
        following = sizes[group + 1] if group + 1 < GROUPS else 0
        return shared_ways(group + 1, pile - pile, following, sizes, closed, room)
    places = 0
    for other in range(pile, len(room)):
        places += 0 if closed[group] >> other & 1 else room[other]
    if places < left:
        return 0.0
    most = 0 if closed[group] >> pile & 1 else min(left, room[pile])
    least = 0 if closed[group] >> pile & 1 else max(left - (places - room[pile]), 0)
    ways = 0.0
    for count in range(least, most + 1):
        after = replaced(room, pile, room[pile] - count)
        ways += shared_ways(group, pile + 1, left - count, sizes, closed, after) / FACTORIALS[count]
    return ways
