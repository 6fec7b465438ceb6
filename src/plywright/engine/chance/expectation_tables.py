"""Tables for expectation searches: the layout of their workspace, their table of intervals and lines."""

from __future__ import annotations

import math

from ...counters import HEADER, NODE_LIMIT, STOPPED

MAX_PLY = 1024  # plies of a line, outcomes of chance included
LINE = 64  # plies of which the principal line is kept
RESOLVED = 1023  # the depth of a table entry below which nothing was estimated
ACTION_BITS = (1 << 44) - 1

HORIZON, LEAVES, CUTS = range(HEADER, 7)
HERO, JUDGING, SALT, SAMPLES, STAR, TOP, ROOM, MASK, REPLY, CHOICE, USED, WIDTH, REPLY_WIDTH, MADE = range(7, 21)
"""MADE is 1 where the first decision has been made before the search began: what it begins with is a reply."""
INFO = 24
NOTED = 1 << 16  # slots that are remembered when they are filled, so that only these have to be cleared
# models of players; NOBODY: the player is not modelled and decides for itself
NOBODY, UNIFORM, GREEDY, SOFT = range(4)


def out_of_time(nodes, work):
    """Whether a limit ends the search."""
    info = work.info
    if nodes > info[NODE_LIMIT] or work.stop[0] != 0:
        info[STOPPED] = 1
        return True
    return False


def lowest(work):
    """The least that anything can be worth to the hero."""
    return float(work.bounds[0] if work.info[JUDGING] == 0 else work.bounds[2])


def highest(work):
    return float(work.bounds[1] if work.info[JUDGING] == 0 else work.bounds[3])


def find(key, work):
    """The place of a key in the table; -1 where it is not."""
    slot = 2 * ((key >> 20) & work.info[MASK])
    if work.table[2 * slot] == key and work.table[2 * slot + 1] != 0:
        return slot
    slot += 1
    if work.table[2 * slot] == key and work.table[2 * slot + 1] != 0:
        return slot
    return -1


def store(key, depth, action, value, low, high, work):
    """Keep the interval that a value proves: all of it inside the window, one side of it outside."""
    table, intervals = work.table, work.intervals
    least = value if value > low else -math.inf
    most = value if value < high else math.inf
    slot = find(key, work)
    if slot >= 0:
        if (table[2 * slot + 1] >> 1) & 1023 == depth:  # what was known before still holds
            least = max(least, intervals[2 * slot])
            most = min(most, intervals[2 * slot + 1])
    else:
        slot = 2 * ((key >> 20) & work.info[MASK])
        if (table[2 * slot + 1] >> 1) & 1023 > depth:
            slot += 1
        if work.info[USED] < NOTED:
            work.used[work.info[USED]] = slot
        work.info[USED] += 1
    table[2 * slot] = key
    table[2 * slot + 1] = ((action & ACTION_BITS) << 12) | (depth << 1) | 1
    intervals[2 * slot] = least
    intervals[2 * slot + 1] = most


def keep_line(work, ply, action):
    """Make `action` and the child's line the line of this ply."""
    if ply >= LINE - 1:
        return
    length = work.length[ply + 1]
    row = ply * LINE
    work.line[row] = action
    for i in range(length):
        work.line[row + 1 + i] = work.line[row + LINE + i]
    work.length[ply] = length + 1
