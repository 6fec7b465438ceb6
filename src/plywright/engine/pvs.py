"""The engine's search: principal variations, a table, ordering; one kernel for every game.

Values are whole numbers of the game's `units`, in the view of the player asked for. A win at the
end of the utility range counts WIN_BONUS less its distance on top, so that sooner wins and later
losses are preferred; the surface takes that apart again into value and distance.

What makes an answer *proved* is counted, not guessed: info[HORIZON] goes up whenever an estimate, a
reduction or an unproved table entry was relied on. A subtree that leaves it unchanged is resolved.
"""

from __future__ import annotations

import math

import numpy as np

from ..bits import prefetch
from ..compiled import kernel
from .task import NO_ACTIONS, NOT_A_NUMBER, TOO_MANY_ACTIONS
from .transposition import (
    DEEPEST,
    EXACT,
    LOWER,
    NO_ACTION,
    RESOLVED,
    UPPER,
    action_of,
    bound_of,
    bucket_of,
    depth_of,
    probe,
    store,
    table_key,
    value_of,
)

INFINITY = 1 << 30
MAX_PLY = 256
WIN_BONUS = 1 << 10  # above any distance
HISTORY = 1 << 12  # history counters a side
MOST_HISTORY = 1 << 30

# info: [16]
NODES, NODE_LIMIT, CHECK, STOPPED, HORIZON, FAULT, MASK, AGE, TABLE_DEPTH, MODE, DISTANCE, WIDTH, WIN = range(13)
ESTIMATES, SHARE, STEP = 13, 14, 15
INFO = 16
# modes: rely on nothing unproved; search everything to the depth asked for; reduce what looks unpromising
PROOF, EXACT_DEPTH, SELECTIVE = range(3)
BUSY = 1 << 15  # places for positions that some thread is searching
DEFERRED = -(1 << 61)  # the score of an action put off because another thread is at it


@kernel
def pvs(game, state, player, depth, ply, alpha, beta, work):
    """The value of `state` for `player`'s team, `depth` plies ahead (and beyond, while there is noise).

    Fail-soft: inside (alpha, beta) exact for this search, outside a bound on that side. `work.line`
    row `ply` is the principal line of a node searched with an open window. Meaningless once
    info[STOPPED] is set.
    """
    info = work.info
    # 1. Count the node, and stop when told to.
    nodes = info[NODES] + 1
    if nodes > info[NODE_LIMIT] or ((nodes & info[CHECK]) == 0 and work.stop[0] != 0):
        info[STOPPED] = 1
        return 0
    info[NODES] = nodes
    work.length[ply] = 0

    # 2. A finished game has its utility.
    if game.rules_end and game.is_terminal(state):
        return outcome(game, state, player, ply, work)

    # 3. From here on everything is in the mover's view.
    mover = game.to_move(state)
    sign = 1 if game.team(mover) == game.team(player) else -1
    low = alpha if sign > 0 else -beta
    high = beta if sign > 0 else -alpha
    best = -INFINITY
    key = 0
    bucket = 0
    hint = NO_ACTION
    in_table = False
    before = info[HORIZON]

    if depth <= 0:
        # 4. At the depth limit: the evaluation, and where the game names noisy moves, those beyond it. The
        #    mover may always decline them (stand pat), so the estimate is a lower bound.
        if not game.rules_end and game.is_terminal(state):
            return outcome(game, state, player, ply, work)
        best = estimate(game, state, mover, work)
        if not game.has_noisy or best >= high or ply >= MAX_PLY - 1:
            return sign * best
        if best > low:
            low = best
    else:
        # 5. What the game can prove without searching. Not at nodes with an open window, where the line is wanted.
        #    (How far away a proved win or loss is, bounds do not say.)
        if game.has_is_late and high - low == 1 and game.is_late(state):
            return sign * finished_early(game, state, low, high, work)
        if game.has_bounds and high - low == 1:
            least, most = game.bounds(state)
            floor, ceiling = to_units(work, least), to_units(work, most)
            if info[DISTANCE] != 0:
                floor = floor if floor > -info[DISTANCE] else -INFINITY
                ceiling = ceiling if ceiling < info[DISTANCE] else INFINITY
            if floor > low:
                low = floor
                if low >= high:
                    return sign * floor
            if ceiling < high:
                high = ceiling
                if low >= high:
                    return sign * ceiling

        # 6. What an earlier visit found. Not at nodes with an open window, where the line is wanted.
        in_table = depth >= info[TABLE_DEPTH]
        if in_table:
            key = table_key(game, state)
            bucket = bucket_of(key, info[MASK])
            data = probe(work.table, bucket, key)
            if data != 0:
                hint = action_of(data)
                known = depth_of(data)
                if high - low == 1 and trusted(known, depth, info[MODE]):
                    value = from_table(value_of(data), ply, info)
                    bound = bound_of(data)
                    if (bound != UPPER and value >= high) or (bound != LOWER and value <= low):
                        if known != RESOLVED:
                            info[HORIZON] += 1
                        return sign * value

    # 7. List the actions with how promising they look.
    base = 2 * ply * game.max_actions
    count = 0
    if depth > 0:
        for action in game.candidates(state):
            if count >= game.max_actions:
                return fault(info, TOO_MANY_ACTIONS)
            work.actions[base + count] = action
            work.scores[base + count] = promise(game, state, action, depth, ply, mover, hint, work)
            if info[MODE] == PROOF:  # a proof waits for the table more than for anything else
                prefetch(work.table, bucket_of(table_key(game, game.result(state, action)), info[MASK]))
            count += 1
        if count == 0:
            if game.rules_end:
                return fault(info, NO_ACTIONS)
            return outcome(game, state, player, ply, work)
    else:
        for action in game.noisy(state):
            if count >= game.max_actions:
                return fault(info, TOO_MANY_ACTIONS)
            work.actions[base + count] = action
            work.scores[base + count] = game.priority(state, action, 0) if game.has_priority else 0
            count += 1

    # 8. Search them, the most promising first. The first gets the whole window; the others must show with
    #    a null window that they are better, and only then are measured (one call site: it compiles once).
    #    With several threads an action that another one is searching waits until the others are done.
    floor = low
    best_action = NO_ACTION
    listed = count
    index = -1
    while index < count - 1:
        index += 1
        action = pick(work, base, index, count)
        child = game.result(state, action)
        shared = -1
        if info[SHARE] <= depth and index > 0:
            shared = claim(game, child, work)
            if shared == TAKEN and work.scores[base + index] != DEFERRED and count < listed + listed:
                work.actions[base + count] = action
                work.scores[base + count] = DEFERRED
                count += 1
                continue
        # Late, quiet moves are tried one or two plies shallower; better than alpha, they are searched in full.
        reduction = 0
        if info[MODE] == SELECTIVE and index >= 3 and depth >= 3:
            reduction = 1 if index < 8 or depth < 6 else 2
        top = high if index == 0 else low + 1
        while True:
            value = pvs(game, child, mover, depth - 1 - reduction, ply + 1, low, top, work)
            if info[STOPPED] != 0 or (reduction == 0 and (value <= low or value >= high or top >= high)):
                break
            if value <= low:
                info[HORIZON] += 1
                break
            top = high if reduction == 0 else top
            reduction = 0
        if shared >= 0:
            work.busy[shared] = 0
        if info[STOPPED] != 0:
            work.path[ply] = action
            return 0
        if value > best:
            best = value
            best_action = action
            if value > low:
                low = value
                keep_line(work, ply, action)
                if low >= high:
                    if game.use_history and depth > 0:
                        remember(game, work, ply, mover, action, depth)
                    break

    # 9. Remember what was found.
    if in_table:
        kind = EXACT
        if best <= floor:
            kind = UPPER
        elif best >= high:
            kind = LOWER
        resolved = 1 if info[HORIZON] == before else 0
        value = to_table(best, ply, info)
        store(work.table, bucket, key, value, best_action, min(depth, DEEPEST), resolved, info[AGE], kind)
    return sign * best


def to_units(work, value):
    """A utility or evaluation as a whole number of units."""
    return np.int64(math.floor(value * work.units[0] + 0.5))


def outcome(game, state, player, ply, work):
    """The utility of a finished game; a win or loss at the end of the range counts sooner or later."""
    info = work.info
    utility = game.utility(state, player)
    if utility != utility:
        return fault(info, NOT_A_NUMBER)
    value = to_units(work, utility)
    if info[DISTANCE] != 0:
        if value >= info[DISTANCE]:
            value += WIN_BONUS - ply
        elif value <= -info[DISTANCE]:
            value -= WIN_BONUS - ply
    return value


def estimate(game, state, mover, work):
    """The evaluation, kept strictly inside the utilities: an estimate is never as good as a win."""
    info = work.info
    info[HORIZON] += 1
    info[ESTIMATES] += 1
    utility = game.evaluate(state, mover)
    if utility != utility:
        return fault(info, NOT_A_NUMBER)
    value = to_units(work, utility)
    return min(max(value, 1 - info[WIN]), info[WIN] - 1)


def finished_early(game, state, low, high, work):
    """The game's own solver of its last moves: it counts in steps, and gets the window rounded outwards."""
    step = work.info[STEP]  # in units
    return step * game.finish(state, low // step, -(-high // step), work)


def to_table(value, ply, info):
    """Distances are counted from the root in the search and from the node in the table."""
    if info[DISTANCE] != 0:
        if value > info[DISTANCE]:
            return value + ply
        if value < -info[DISTANCE]:
            return value - ply
    return value


def from_table(value, ply, info):
    if info[DISTANCE] != 0:
        if value > info[DISTANCE]:
            return value - ply
        if value < -info[DISTANCE]:
            return value + ply
    return value


def trusted(known, depth, mode):
    """Whether an entry of this depth may stand for a search of that depth."""
    if known == RESOLVED:
        return True
    return known == depth if mode == EXACT_DEPTH else known >= depth and mode == SELECTIVE


TAKEN = -2


def claim(game, state, work):
    """Mark a position as being searched: its place, TAKEN if another thread has it, -1 if the place is in use.

    Two threads may both believe that they were first: that costs time, never correctness.
    """
    key = table_key(game, state)
    place = key & (BUSY - 1)
    if work.busy[place] == key:
        return TAKEN
    if work.busy[place] != 0:
        return -1
    work.busy[place] = key
    return place


def promise(game, state, action, depth, ply, mover, hint, work):
    """How early to try an action: the table's first, then the game's own order, killers and history."""
    if (action & 0xFFFF) == hint:
        return 1 << 60
    score = 0
    if game.has_priority:
        score = game.priority(state, action, depth) << 32
    if game.use_history:
        if action == work.killers[2 * ply]:
            score += MOST_HISTORY + 2
        elif action == work.killers[2 * ply + 1]:
            score += MOST_HISTORY + 1
        else:
            score += work.history[game.team(mover) * HISTORY + (action & (HISTORY - 1))]
    return score


def pick(work, base, index, count):
    """Bring the most promising of the remaining actions to `index`; the others keep their order."""
    actions, scores = work.actions, work.scores
    best = index
    for other in range(index + 1, count):
        if scores[base + other] > scores[base + best]:
            best = other
    action, score = actions[base + best], scores[base + best]
    while best > index:
        actions[base + best] = actions[base + best - 1]
        scores[base + best] = scores[base + best - 1]
        best -= 1
    actions[base + index] = action
    scores[base + index] = score
    return action


def remember(game, work, ply, mover, action, depth):
    """An action cut: try it early at this ply (killer) and in general (history)."""
    if work.killers[2 * ply] != action:
        work.killers[2 * ply + 1] = work.killers[2 * ply]
        work.killers[2 * ply] = action
    place = game.team(mover) * HISTORY + (action & (HISTORY - 1))
    work.history[place] += depth * depth
    if work.history[place] > MOST_HISTORY:
        for other in range(2 * HISTORY):
            work.history[other] >>= 1


def keep_line(work, ply, action):
    """Make `action` and the child's line the line of this ply."""
    width = work.info[WIDTH]
    length = work.length[ply + 1]
    row = ply * width
    work.line[row] = action
    for i in range(length):
        work.line[row + 1 + i] = work.line[row + width + i]
    work.length[ply] = length + 1


def fault(info, kind):
    """The rules broke the protocol: stop and say how."""
    info[STOPPED] = 1
    info[FAULT] = kind
    return 0
