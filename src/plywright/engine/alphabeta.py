"""Alpha-beta and minimax as plain kernels: any two opposed teams, no chance, values as floats.

They search to a fixed depth in the order of the rules and nothing else, so they are the compiled
twins of `textbook/`: the same values, and for alpha-beta the same leaves, at native speed.
"""

from __future__ import annotations

import math

from ..compiled import kernel

# counters: [6]
NODES, NODE_LIMIT, STOPPED, CUTOFFS, FAULT, WIDTH = range(6)
# faults
NO_FAULT, NOT_A_NUMBER, NO_ACTIONS, TOO_MANY_ACTIONS = range(4)


@kernel
def alphabeta(game, state, player, depth, ply, alpha, beta, work):
    """The minimax value of `state` for `player`'s team, looking `depth` plies ahead.

    Fail-soft: a return value v with alpha < v < beta is exact, v >= beta a lower bound, v <= alpha an
    upper bound (Fishburn 1983). Rows of `work.line` hold the principal line of each ply. Meaningless
    once counters[STOPPED] is set: the caller must look.
    """
    counters = work.counters
    nodes = counters[NODES] + 1
    counters[NODES] = nodes
    if game.rules_end and game.is_terminal(state):
        work.length[ply] = 0
        return checked(1.0 * game.utility(state, player), counters)
    if depth == 0:
        work.length[ply] = 0
        if not game.rules_end and game.is_terminal(state):
            return checked(1.0 * game.utility(state, player), counters)
        counters[CUTOFFS] += 1
        return checked(1.0 * game.evaluate(state, player), counters)
    if nodes >= counters[NODE_LIMIT] or ((nodes & 1023) == 0 and work.stop[0] != 0):
        counters[STOPPED] = 1
        return 0.0
    # The window and the value are the mover's; they change sign when the mover is of the other team.
    mover = game.to_move(state)
    same_team = game.team(mover) == game.team(player)
    low = alpha if same_team else -beta
    high = beta if same_team else -alpha
    best = -math.inf
    count = 0
    work.length[ply] = 0
    for action in game.actions(state):
        count += 1
        if count > game.max_actions:
            counters[FAULT] = TOO_MANY_ACTIONS
            counters[STOPPED] = 1
            return 0.0
        value = alphabeta(game, game.result(state, action), mover, depth - 1, ply + 1, low, high, work)
        if counters[STOPPED] != 0:
            work.path[ply] = action
            return 0.0
        if value > best:
            best = value
            if value > low:
                low = value
                keep_line(work, ply, action)
                if low >= high:
                    break
    if count == 0:
        if not game.rules_end:
            return checked(1.0 * game.utility(state, player), counters)
        counters[FAULT] = NO_ACTIONS
        counters[STOPPED] = 1
        return 0.0
    return best if same_team else -best


@kernel
def minimax(game, state, player, depth, ply, work):
    """The minimax value of `state` for `player`'s team, looking `depth` plies ahead; visits everything."""
    counters = work.counters
    nodes = counters[NODES] + 1
    counters[NODES] = nodes
    work.length[ply] = 0
    if game.is_terminal(state):
        return checked(1.0 * game.utility(state, player), counters)
    if depth == 0:
        counters[CUTOFFS] += 1
        return checked(1.0 * game.evaluate(state, player), counters)
    if nodes >= counters[NODE_LIMIT] or ((nodes & 1023) == 0 and work.stop[0] != 0):
        counters[STOPPED] = 1
        return 0.0
    mover = game.to_move(state)
    best = -math.inf
    count = 0
    for action in game.actions(state):
        count += 1
        if count > game.max_actions:
            counters[FAULT] = TOO_MANY_ACTIONS
            counters[STOPPED] = 1
            return 0.0
        value = minimax(game, game.result(state, action), mover, depth - 1, ply + 1, work)
        if counters[STOPPED] != 0:
            work.path[ply] = action
            return 0.0
        if value > best:
            best = value
            keep_line(work, ply, action)
    if count == 0:
        counters[FAULT] = NO_ACTIONS
        counters[STOPPED] = 1
        return 0.0
    return best if game.team(mover) == game.team(player) else -best


def checked(value, counters):
    """The value of a leaf; a NaN ends the search as a fault of the rules."""
    if value != value:
        counters[FAULT] = NOT_A_NUMBER
        counters[STOPPED] = 1
    return value


def keep_line(work, ply, action):
    """Make `action` and the child's line the line of this ply."""
    width = work.counters[WIDTH]
    length = work.length[ply + 1]
    row = ply * width
    work.line[row] = action
    for i in range(length):
        work.line[row + 1 + i] = work.line[row + width + i]
    work.length[ply] = length + 1
