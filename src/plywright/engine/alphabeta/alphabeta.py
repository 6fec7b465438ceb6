"""Alpha-beta and minimax as plain kernels: any two opposed teams, no chance, values as floats.

They search to a fixed depth in the order of the rules and nothing else, so they are the compiled
twins of `textbook/`: the same values, and for alpha-beta the same leaves, at native speed.
"""

from __future__ import annotations

import math

from ...compiled import kernel
from ...counters import FAULT, HEADER, NO_ACTIONS, NODE_LIMIT, NODES, NOT_A_NUMBER, STOPPED, TOO_MANY_ACTIONS

# info: the leaves examined are CUTOFFS (evaluated at the depth limit) + TERMINALS (the game is over)
CUTOFFS, WIDTH, TERMINALS = range(HEADER, 7)
INFO = 7


@kernel
def alphabeta(game, knowledge, state, player, depth, ply, alpha, beta, work):
    """The minimax value of `state` for `player`'s team, looking `depth` plies ahead.

    Fail-soft: a return value v with alpha < v < beta is exact, v >= beta a lower bound, v <= alpha an
    upper bound (Fishburn 1983). Rows of `work.line` hold the principal line of each ply. NaN means that
    the search was stopped or that the rules are at fault: info[STOPPED] and [FAULT] say which.
    """
    info = work.info
    nodes = info[NODES] + 1
    if nodes > info[NODE_LIMIT] or work.stop[0] != 0:
        info[STOPPED] = 1
        return math.nan
    info[NODES] = nodes
    if game.rules_end and game.is_terminal(state):
        work.length[ply] = 0
        info[TERMINALS] += 1
        return 1.0 * game.utility(state, player)
    if depth == 0:
        work.length[ply] = 0
        if not game.rules_end and game.is_terminal(state):
            info[TERMINALS] += 1
            return 1.0 * game.utility(state, player)
        info[CUTOFFS] += 1
        return 1.0 * knowledge.evaluate(state, player)
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
            info[FAULT] = TOO_MANY_ACTIONS
            info[STOPPED] = 1
            return math.nan
        value = alphabeta(game, knowledge, game.result(state, action), mover, depth - 1, ply + 1, low, high, work)
        if not value <= best:
            if value != value:
                return give_up(work, ply, action)
            best = value
            if value > low:
                low = value
                keep_line(work, ply, action, info[WIDTH])
                if low >= high:
                    break
    if count == 0:
        if not game.rules_end:
            info[TERMINALS] += 1
            return 1.0 * game.utility(state, player)
        info[FAULT] = NO_ACTIONS
        info[STOPPED] = 1
        return math.nan
    return best if same_team else -best


@kernel
def minimax(game, knowledge, state, player, depth, ply, work):
    """The minimax value of `state` for `player`'s team, looking `depth` plies ahead; visits everything."""
    info = work.info
    nodes = info[NODES] + 1
    if nodes > info[NODE_LIMIT] or work.stop[0] != 0:
        info[STOPPED] = 1
        return math.nan
    info[NODES] = nodes
    work.length[ply] = 0
    if game.is_terminal(state):
        info[TERMINALS] += 1
        return 1.0 * game.utility(state, player)
    if depth == 0:
        info[CUTOFFS] += 1
        return 1.0 * knowledge.evaluate(state, player)
    mover = game.to_move(state)
    best = -math.inf
    count = 0
    for action in game.actions(state):
        count += 1
        if count > game.max_actions:
            info[FAULT] = TOO_MANY_ACTIONS
            info[STOPPED] = 1
            return math.nan
        value = minimax(game, knowledge, game.result(state, action), mover, depth - 1, ply + 1, work)
        if not value <= best:
            if value != value:
                return give_up(work, ply, action)
            best = value
            keep_line(work, ply, action, info[WIDTH])
    if count == 0:
        info[FAULT] = NO_ACTIONS
        info[STOPPED] = 1
        return math.nan
    return best if game.team(mover) == game.team(player) else -best


def give_up(work, ply, action):
    """A child's value is no number: the search was stopped below, or the rules said NaN. Unwind, noting the way."""
    work.path[ply] = action
    if work.info[STOPPED] == 0:
        work.info[STOPPED] = 1
        work.info[FAULT] = NOT_A_NUMBER
    return math.nan


def keep_line(work, ply, action, width):
    """Make `action` and the child's line the line of this ply; `work.line` has rows of `width` actions."""
    length = work.length[ply + 1]
    row = ply * width
    work.line[row] = action
    for i in range(length):
        work.line[row + 1 + i] = work.line[row + width + i]
    work.length[ply] = length + 1
