"""What the search makes of entries of the transposition table: which may stand for a node, and what to keep of one."""

from __future__ import annotations

from .pvs_counters import (
    AGE,
    DISTANCE,
    ESTIMATES,
    EXACT_DEPTH,
    HORIZON,
    INFINITY,
    MASK,
    MODE,
    PATH,
    PROOF,
    SELECTIVE,
    WIN_BONUS,
)
from .transposition import (
    DEEPEST,
    EXACT,
    LOWER,
    RESOLVED,
    UPPER,
    age_of,
    bound_of,
    bucket_of,
    depth_of,
    probe,
    store,
    table_key,
    value_of,
)

MUCH_DEEPER = 3  # a bound this many plies shallower does not replace the entry of the same position


def foretold(game, knowledge, state, mover, ply, count, high, work):
    """What is proved in the table of the first child that is good enough (enhanced transposition cut-off)."""
    info = work.info
    base = 2 * ply * game.max_actions
    for place in range(base, base + count):
        child = game.result(state, work.actions[place])
        if knowledge.has_is_late and knowledge.is_late(child):
            continue  # `finish` keeps nothing in the table
        key = table_key(knowledge, child)
        data = probe(work.table, bucket_of(key, info[MASK]), key)
        if data != 0 and depth_of(data) == RESOLVED:
            value, bound = from_table(value_of(data), ply + 1, info), bound_of(data)
            if game.team(game.to_move(child)) == game.team(mover):
                if bound != UPPER and value >= high:
                    return value
            elif bound != LOWER and -value >= high:
                return -value
    return -INFINITY


def decides(game, knowledge, state, data, depth, ply, low, high, info):
    """Whether an entry settles the node and may stand for such a search; an unproved one counts as relied on."""
    known = depth_of(data)
    if known != RESOLVED:
        if info[MODE] == EXACT_DEPTH and (known != depth or game.repetition_forbids != 0):
            return False
        if known < depth or info[MODE] == PROOF:
            return False
    value = from_table(value_of(data), ply, info)
    bound = bound_of(data)
    if knowledge.counts_down and distance_of(value_of(data), info) > knowledge.plies_left(state):
        return False
    if (bound == UPPER or value < high) and (bound == LOWER or value > low):
        return False
    if known != RESOLVED:
        info[HORIZON] += 1
        if game.repetition_forbids != 0:
            info[ESTIMATES] += 1  # searching again would prove nothing: only the whole past of the game decides
    return True


def distance_of(value, info):
    """How many plies away the win or loss is that a value of the table speaks of; 0 where it speaks of none."""
    if info[DISTANCE] == 0 or abs(value) <= info[DISTANCE]:
        return 0
    return WIN_BONUS - (abs(value) - info[DISTANCE])


def keep(game, knowledge, work, bucket, key, best, best_action, hint, floor, high, depth, ply, before):
    """Store what a node was found to be worth; of a value that depends on the line above only the action."""
    info = work.info
    kind = EXACT
    if best <= floor:
        kind = UPPER
        if knowledge.has_tactical and info[MODE] == SELECTIVE:
            best_action = hint  # a fail-low node has no real best move: keep the one that was known
    elif best >= high:
        kind = LOWER
    resolved = 1 if info[HORIZON] == before else 0
    value = to_table(best, ply, info)
    if game.repeats and game.repetition_forbids != 0:
        resolved = 0
    if (knowledge.counts_down or game.repetition_draws != 0) and info[PATH] < ply:
        resolved, kind, value = 0, LOWER, -INFINITY
    if knowledge.has_tactical and info[MODE] == SELECTIVE and resolved == 0 and kind != EXACT:
        old = probe(work.table, bucket, key)
        if old != 0 and age_of(old) == info[AGE] and depth_of(old) > depth + MUCH_DEEPER:
            return
    store(work.table, bucket, key, value, best_action, min(depth, DEEPEST), resolved, info[AGE], kind)


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
