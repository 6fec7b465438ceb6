"""Rules of repetition in a Monte Carlo tree: one way leads to a node, so its first visit settles what it repeats."""

from __future__ import annotations

from ...bits import signed
from ..alphabeta.repetition import times_past
from .tree_words import PAST_MASK, WIDTH

FRESH, DRAWN, FORBIDDEN = range(3)
"""What a state that is entered is: new, drawn by repetition, or one that may not be brought about again."""


def note_root(game, state, work):
    """The root is on every way."""
    work.keys[0] = signed(game.repetition_key(state))


def seen_before(game, state, ply, first, work):
    """Note a state one ply below `ply` on the way; what repetition makes of it, asked on its `first` visit only."""
    key = signed(game.repetition_key(state))
    work.keys[ply + 1] = key
    if not first:
        return FRESH
    count = times_past(key, work.past, work.info[PAST_MASK])
    if game.repetition_draws != 0:
        for above in range(ply + 1):
            if work.keys[above] == key:
                return DRAWN
        return DRAWN if count >= game.repetition_draws - 1 else FRESH
    for above in range(ply + 1):
        if work.keys[above] == key:
            count += 1
    return FORBIDDEN if count >= game.repetition_forbids - 1 else FRESH


def remove_child(node, child, work):
    """Take a child that was never visited out of its row: those behind it move up."""
    width = work.info[WIDTH]
    last = work.first[node] + work.children[node] - 1
    for place in range(child, last):
        work.action[place] = work.action[place + 1]
        work.first[place] = work.first[place + 1]
        work.children[place] = work.children[place + 1]
        work.mover[place] = work.mover[place + 1]
        work.visits[place] = work.visits[place + 1]
        for k in range(width):
            work.total[place * width + k] = work.total[(place + 1) * width + k]
        if work.guides[0] != 0:
            work.weight[place] = work.weight[place + 1]
            work.credit[place] = work.credit[place + 1]
            work.credits[place] = work.credits[place + 1]
        if node == 0:
            slot = 3 * (place - work.first[0] + 1)
            for k in range(3):
                work.moments[slot + k] = work.moments[slot + 3 + k]
    work.children[node] -= 1
    if work.children[node] == 0:
        work.first[node] = -1
