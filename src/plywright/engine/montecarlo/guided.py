"""Moves of a Monte Carlo tree chosen by more than their own visits: priors, and what came of them elsewhere.

A *prior* (`Knowledge.prior`) says how promising a move looks: PUCT (Rosin 2011) spends doubt in proportion to it.
*RAVE* (Gelly & Silver 2007) values a move by every simulation in which the same player made it later, all moves as
first (AMAF), until its own visits are many. A move that was never tried counts as its position does, less the *urgency*
(Gelly & Wang 2006), where plain UCT tries every move once.

`work` holds for it, beside what `mcts.py` names:

    weight                    # [size] the prior of a node among its siblings; they sum to 1
    credits, credit           # [size] simulations in which its move was made here or later, what they brought the mover
    moves                     # [2 * MOST_MOVES + 1] player, action, player, action, ... of the simulation, then -1
    who, which, touched       # [SLOTS] 1 + the player who first made an action, the action, and which slots are in use
    guides                    # [1] 1: these arrays are there
"""

from __future__ import annotations

import math

import numpy as np

from .tree_words import BONUS, EXPLORATION, MOST_MOVES, PROVE, RAVE, SLOTS, TOUCHED, URGENCY, WIDTH


def weigh_children(game, knowledge, state, node, work):
    """Ask for the priors of the children just listed; without any they are alike."""
    first = work.first[node]
    count = work.children[node]
    whole = 0.0
    for child in range(first, first + count):
        work.credits[child] = 0
        work.credit[child] = 0.0
        weight = 1.0
        if knowledge.has_prior and work.mover[node] >= 0:
            weight = max(1.0 * knowledge.prior(state, work.action[child]), 0.0)
        work.weight[child] = weight
        whole += weight
    for child in range(first, first + count):
        work.weight[child] = work.weight[child] / whole if whole > 0.0 else 1.0 / count


def select_guided(node, ply, work):
    """The child with the highest value for the mover, its doubt added in proportion to its prior (PUCT).

    Proved children have nothing more to tell: the best of them is left in `work.floor`, for the back-up.
    """
    mover = work.mover[node]
    width, offset, sign = work.info[WIDTH], work.offset[mover], work.sign[mover]
    first = work.first[node]
    last = first + work.children[node]
    visited = work.visits[node]
    doubt = math.sqrt(work.scale[BONUS])
    spread = doubt / work.scale[EXPLORATION] if work.scale[EXPLORATION] > 0.0 else 0.0
    usual = sign * work.total[node * width + offset] / visited if visited > 0 else 0.0
    usual -= work.scale[URGENCY] * spread
    doubt *= math.sqrt(visited + 1.0)
    rave = work.scale[RAVE]
    best = -math.inf
    floor = -math.inf
    chosen = first
    for child in range(first, last):
        visits = work.visits[child]
        value = sign * work.total[child * width + offset]
        if visits < 0:
            if work.info[PROVE] != 0:
                if value > floor:
                    floor = value
                    work.floor[ply] = child
                continue
            visits = -visits  # where nothing is to be proved, the end of a game is a node like any other
        else:
            value = (value + usual) / (visits + 1.0)
        later = work.credits[child]
        if rave > 0.0 and later > 0:
            share = later / (later + visits + later * visits / rave)
            value += share * (work.credit[child] / later - value)
        value += doubt * work.weight[child] / (visits + 1.0)
        if value > best:
            best = value
            chosen = child
    return np.int64(chosen)


def credit_moves(ply, work):
    """Credit every move of the trail's nodes that their player made there or later, before anybody else did."""
    if work.scale[RAVE] <= 0.0:
        return
    info = work.info
    info[TOUCHED] = 0
    place = 0
    while place < 2 * MOST_MOVES and work.moves[place] >= 0:
        claim(work.moves[place], work.moves[place + 1], False, work)
        place += 2
    for step in range(ply - 1, -1, -1):
        node = work.trail[step]
        mover = work.mover[node]
        if mover < 0:
            continue
        claim(mover, work.path[step], True, work)
        value = work.sign[mover] * work.values[work.offset[mover]]
        for child in range(work.first[node], work.first[node] + work.children[node]):
            action = work.action[child]
            slot = action & (SLOTS - 1)
            if work.who[slot] == mover + 1 and work.which[slot] == action:
                work.credits[child] += 1
                work.credit[child] += value
    for index in range(info[TOUCHED]):
        work.who[work.touched[index]] = 0


def claim(player, action, earlier, work):
    """The player made this action first, unless somebody did before; `earlier` than all that was claimed."""
    slot = action & (SLOTS - 1)
    if work.who[slot] == 0:
        work.touched[work.info[TOUCHED]] = slot
        work.info[TOUCHED] += 1
    elif not earlier:
        return
    work.who[slot] = player + 1
    work.which[slot] = action
