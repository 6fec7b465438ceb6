"""Exploring as one kernel: number every state that can be reached, and list the successors of each.

`work` holds `words` (the states, WIDTH words each), `slots` (a table of numbers by what the words mix to), and for
every state `first`, `mover` and `payoff`, for every way on `target` and `label`; see `reachable.py`.
"""

from __future__ import annotations

import numpy as np

from ...bits import fold, mix, read_state, signed, write_state
from ...compiled import kernel
from ...counters import (
    BAD_PROBABILITY,
    FAULT,
    HEADER,
    NO_ACTIONS,
    NO_OUTCOMES,
    NODES,
    NOT_A_NUMBER,
    OUT_OF_RANGE,
    STOPPED,
)
from ...number import sums_to_one

OVER = -2
"""The mover of a finished state."""
INFO = 13
COUNT, EDGES, ROOM, EDGE_ROOM, MASK, WIDTH, VIEWS, FILLED, FOLDED = range(HEADER, INFO)
"""NODES counts the states whose ways on are listed, COUNT those known; WIDTH is the words of one."""


@kernel
def explore(game, like, work):
    """List the successors of every known state, and so every state; ends early without room or when told to stop."""
    info = work.info
    if info[FILLED] == 0:
        for place in range(info[COUNT]):
            work.slots[slot_of(place, work)] = place + 1
        info[FILLED] = 1
    while info[NODES] < info[COUNT]:
        place = info[NODES]
        if (place & 255) == 0 and work.stop[0] != 0:
            info[STOPPED] = 1
            return
        state = read_state(work.words, place * info[WIDTH], like)
        edge = info[EDGES]
        work.first[place] = edge
        over = game.rules_end and game.is_terminal(state)
        mover = OVER
        if not over:
            mover = game.to_move(state)
            if mover < 0:
                total = 0.0
                for outcome, probability in game.chance(state):
                    if not 0.0 < probability <= 1.0 + 1e-9:
                        info[FAULT] = BAD_PROBABILITY
                        return
                    total += probability
                    if not add_way(game, game.result(state, outcome), edge, 1.0 * probability, work):
                        return
                    edge += 1
                if not sums_to_one(total):
                    info[FAULT] = BAD_PROBABILITY if edge > info[EDGES] else NO_OUTCOMES
                    return
            else:
                for action in game.actions(state):
                    if not add_way(game, game.result(state, action), edge, 1.0 * action, work):
                        return
                    edge += 1
                if edge == info[EDGES]:
                    if game.rules_end:
                        info[FAULT] = NO_ACTIONS
                        return
                    mover = OVER
        if mover == OVER:
            for player in range(info[VIEWS]):
                worth = 1.0 * game.utility(state, player)
                if not work.bounds[0] <= worth <= work.bounds[1]:
                    info[FAULT] = OUT_OF_RANGE if worth == worth else NOT_A_NUMBER
                    return
                work.payoff[place * info[VIEWS] + player] = worth
        work.mover[place] = mover
        info[EDGES] = edge
        info[NODES] = place + 1


def add_way(game, child, edge, label, work):
    """Note a way on; False where there is no room for it, and the state's ways have to be listed again."""
    info = work.info
    if edge >= info[EDGE_ROOM] or info[COUNT] >= info[ROOM]:
        return False
    if info[FOLDED] != 0:
        child = game.canonical(child)
    write_state(work.words, info[COUNT] * info[WIDTH], child)
    slot = slot_of(info[COUNT], work)
    if work.slots[slot] == 0:
        info[COUNT] += 1
        work.slots[slot] = info[COUNT]
    work.target[edge] = work.slots[slot] - 1
    work.label[edge] = label
    return True


def slot_of(place, work):
    """Where the table has a state equal to the one whose words stand at `place`, or the free slot where it belongs."""
    info, words = work.info, work.words
    width = info[WIDTH]
    key = np.uint64(0x9E3779B97F4A7C15)
    for index in range(place * width, place * width + width):
        key = np.uint64(fold(key ^ np.uint64(words[index]), np.uint64(0xD6E8FEB86659FD93)))
        key = key ^ np.uint64(index - place * width + 1)
    slot = np.int64(key >> np.uint64(20)) & info[MASK]
    while True:
        known = work.slots[slot] - 1
        if known < 0:
            return slot
        same = True
        for index in range(width):
            if words[known * width + index] != words[place * width + index]:
                same = False
                break
        if same:
            return slot
        slot = (slot + 1) & info[MASK]


@kernel
def hash_states(game, like, count, width, work):
    """Put the 64 bits that stand for each of so many states into `work.keys`."""
    for place in range(count):
        work.keys[place] = signed(mix(read_state(work.words, place * width, like)))
