"""Max^n: any number of players, each after its own utility (Luckhardt & Irani 1986); chance allowed.

A value is a vector, one number per player; row `ply` of work.vectors is the vector of the node of that ply.
Whoever moves takes the first of the actions that are best for it. With a bound on the sum of a vector, a
node is left as soon as its mover can get so much that the player above can no longer improve (shallow
pruning, Korf 1991): strictly, so that ties stay visible.
"""

from __future__ import annotations

import math

from ...compiled import kernel
from ...counters import (
    BAD_PROBABILITY,
    BAD_SUM,
    NO_ACTIONS,
    NO_OUTCOMES,
    NODES,
    NOT_A_NUMBER,
    STOPPED,
    TOO_DEEP,
    TOO_MANY_ACTIONS,
    fault,
)
from ...game import CHANCE
from ...number import sums_to_one
from ..alphabeta.transposition import table_key
from .expectation_tables import HORIZON, LEAVES, MASK, MAX_PLY, RESOLVED, keep_line, out_of_time

ROUNDING = 1e-9  # rounding error of averages: only what is worse by more than this is pruned, so that no tie is missed


@kernel
def maxn(game, knowledge, state, depth, ply, above, limit, work):
    """Write the vector of `state`, `depth` plies ahead, to row `ply`; returns 1.0 if it is whole.

    Once the mover, if it is not `above`, can get more than `limit`, the rest is left out: 0.0 is returned, and
    all that is known of the vector is that player `above` gets less there than it has already.
    """
    info, vectors = work.info, work.vectors
    nodes = info[NODES] + 1
    if out_of_time(nodes, work):
        return 0.0
    info[NODES] = nodes
    work.length[ply] = 0
    row = ply * game.players
    if game.rules_end and game.is_terminal(state):
        return leaf(game, knowledge, state, row, 1, work)
    if depth <= 0:
        over = not game.rules_end and game.is_terminal(state)
        return leaf(game, knowledge, state, row, 1 if over else 0, work)
    if ply >= MAX_PLY:
        return fault(info, TOO_DEEP)
    mover = game.to_move(state)
    before = info[HORIZON]
    key = 0
    in_table = depth >= 2 or mover < 0
    if in_table:
        key = table_key(knowledge, state)
        if ply > 0 and recall(key, depth, row, game.players, work):
            return 1.0

    # Write down what may happen: one list for actions and outcomes, so that there is one call site.
    base = ply * game.max_actions
    count = 0
    total = 1.0
    if mover < 0:
        total = 0.0
        for outcome, probability in game.chance(state):
            if count >= game.max_actions:
                return fault(info, TOO_MANY_ACTIONS)
            if not 0.0 < probability <= 1.0 + 1e-9:
                work.culprit[0] = probability
                return fault(info, BAD_PROBABILITY)
            work.actions[base + count] = outcome
            work.weights[base + count] = probability
            total += probability
            count += 1
        if not sums_to_one(total):
            work.culprit[0] = total
            return fault(info, BAD_SUM if count > 0 else NO_OUTCOMES)
    else:
        for action in game.actions(state):
            if count >= game.max_actions:
                return fault(info, TOO_MANY_ACTIONS)
            work.actions[base + count] = action
            count += 1
        if count == 0:
            return fault(info, NO_ACTIONS) if game.rules_end else leaf(game, knowledge, state, row, 1, work)

    best = -math.inf
    for index in range(count):
        action = int(work.actions[base + index])
        # An upper bound for the next mover, given what this mover already has.
        next_limit = math.inf
        if mover >= 0:
            next_limit = room_left(best, game.players, work)
        reach = depth if mover == CHANCE else depth - 1
        whole = maxn(game, knowledge, game.result(state, action), reach, ply + 1, mover, next_limit, work)
        if info[STOPPED] != 0:
            work.path[ply] = action
            return 0.0
        child = row + game.players
        if mover < 0:
            for player in range(game.players):
                part = work.weights[base + index] * vectors[child + player]
                vectors[row + player] = part if index == 0 else vectors[row + player] + part
        elif whole > 0.0 and vectors[child + mover] > best:
            best = float(vectors[child + mover])
            for player in range(game.players):
                vectors[row + player] = vectors[child + player]
            keep_line(work, ply, action)
            if above >= 0 and above != mover and best > limit:
                return 0.0
    if in_table:
        remember(key, RESOLVED if info[HORIZON] == before else depth, row, game.players, work)
    return 1.0


def room_left(best, players, work):
    """What one player can get at the most where another has `best` and the rest the least there is."""
    if work.bounds[1] == math.inf or work.bounds[0] == -math.inf:
        return math.inf
    return work.bounds[1] - best - (players - 2) * work.bounds[0] + ROUNDING


def leaf(game, knowledge, state, row, over, work):
    """The utilities of a finished game, or the evaluations of an unfinished state, by player."""
    info = work.info
    info[LEAVES] += 1
    info[HORIZON] += 1 - over
    for player in range(game.players):
        value = 1.0 * game.utility(state, player) if over != 0 else 1.0 * knowledge.evaluate(state, player)
        if value != value:
            return fault(info, NOT_A_NUMBER)
        work.vectors[row + player] = value
    return 1.0


def recall(key, depth, row, players, work):
    """Fetch the vector of a state from the table; False where it is not there for this depth."""
    slot = (key >> 20) & work.info[MASK]
    data = work.table[2 * slot + 1]
    if data == 0 or work.table[2 * slot] != key or (data != depth and data != RESOLVED):
        return False
    if data != RESOLVED:
        work.info[HORIZON] += 1
    for player in range(players):
        work.vectors[row + player] = work.kept[slot * players + player]
    return True


def remember(key, depth, row, players, work):
    slot = (key >> 20) & work.info[MASK]
    work.table[2 * slot] = key
    work.table[2 * slot + 1] = depth
    for player in range(players):
        work.kept[slot * players + player] = work.vectors[row + player]
