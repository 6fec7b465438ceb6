"""Monte Carlo tree search as one kernel: selection, expansion, simulation, back-up, for any game.

UCT (Kocsis & Szepesvári 2006) with chance nodes and one value for each player; proved values travel up
the tree as in MCTS-Solver (Winands, Björnsson & Saito 2008). There is no recursion, and nothing is
allocated: nodes are places in parallel arrays, and the children of a node stand in a row.

`work` holds, besides `info`, `stop` and the generator `rng`:

    action, first, children, mover     # [size] the move that leads to a node, its children, who moves at it
    visits                             # [size] negative once the value is proved
    total                              # [size * width] sums of what came back; the value itself once proved
    probability, next                  # [size] of an outcome; the next outcome of a chance node that is sampled
    trail, path, floor                 # nodes and actions of the simulation that runs; the best proved sibling
    values, buffer                     # [width] what it brought; [max_actions] actions to draw from
    sign, offset                       # [players] where a player's value stands, and with which sign
    scale                              # [SCALES]
    moments                            # [3 * (max_actions + 1)] count, sum, squares: of all, of each root child
    keys, past                         # of the states of the simulation and of the game before the root: repetition
    owned                              # [places] how often the first player had a place in the end, less the second

and what a guided search needs (`guided.py`). With two opposed teams `width` is 1 and the value is player 0's,
otherwise there is one for each player.
"""

from __future__ import annotations

import math

import numpy as np

from ...compiled import kernel
from ...counters import BAD_SUM, FAULT, NO_ACTIONS, NO_OUTCOMES, NODES, TOO_MANY_ACTIONS
from ...game import CHANCE
from ...rng import below, uniform
from .guided import credit_moves, select_guided, weigh_children
from .repeated import DRAWN, FORBIDDEN, note_root, remove_child, seen_before
from .simulation import play_out, simulate
from .tree_words import (
    ADAPT,
    BONUS,
    DEEPEST,
    DEEPEST_TREE,
    EXPLORATION,
    FULL,
    LEAST,
    LENGTH,
    MOST,
    PLAYED,
    PROVE,
    RIPE,
    SIZE,
    TOP,
    UNOPENED,
    USED,
    VIEW,
    WIDTH,
)


@kernel
def grow(game, knowledge, root, simulations, listed, drawn, guided, work):
    """Run simulations from `root`, node 0 of the tree; returns how many were run.

    Ends early when the root is proved, when `work.stop` is set, or with info[FAULT] where the rules broke
    the protocol after info[LENGTH] moves of `work.path`. `listed` is None unless the game has chance(),
    `drawn` unless it only has sample(), `guided` unless moves are chosen by priors or by what came of them elsewhere:
    what a search does not have is then not compiled.
    """
    info = work.info
    width = info[WIDTH]
    done = 0
    if game.repeats:
        note_root(game, root, work)
    while done < simulations and work.visits[0] >= 0:
        if done > 0 and work.stop[0] != 0:
            break

        # 1. Selection: down the tree by confidence bounds, to a node that is new, proved or without room.
        state = root
        node = 0
        ply = 0
        over = False  # whether a finished game was reached, for the first time
        fewer = False  # whether a move turned out to be forbidden: what is left may all be proved
        work.trail[0] = 0
        while ply < DEEPEST_TREE and work.visits[node] >= 0:
            if work.mover[node] == UNOPENED:
                # 2. Expansion: when it is ripe, by default on its second visit, a node gets all its children (the
                # root on its first).
                if (work.visits[node] < info[RIPE] and ply > 0) or info[FULL] != 0:
                    break
                if not expand(game, state, node, listed, drawn, work):
                    break
                if guided is not None:
                    weigh_children(game, knowledge, state, node, work)
            work.floor[ply] = -1
            if work.mover[node] >= 0:
                if guided is not None:
                    child = select_guided(node, ply, work)
                else:
                    child = select(node, ply, work)
            elif drawn is not None:
                child = draw_child(game, state, node, work)
                if child < 0:
                    break
            else:
                child = roll_child(node, work)
            action = work.action[child]
            after = game.result(state, action)
            work.path[ply] = action
            if game.repeats:
                found = seen_before(game, after, ply, work.visits[child] == 0, work)
                if found == FORBIDDEN and work.mover[node] >= 0:  # chance is forbidden nothing
                    remove_child(node, child, work)
                    fewer = True
                    if work.children[node] > 0:
                        continue
                    found, child = DRAWN, node  # who has nothing left to do has drawn
                else:
                    ply += 1
                if found == DRAWN:
                    node = child
                    work.trail[ply] = node
                    over = True
                    break
            else:
                ply += 1
            state = after
            node = child
            work.trail[ply] = node
        if info[FAULT] != 0:
            info[LENGTH] = ply
            break

        # 3. Simulation: at random to the end, or as the knowledge plays, unless the value is known here.
        known = work.visits[node] < 0
        if over:
            for k in range(width):
                work.values[k] = 0.0
        elif known:
            for k in range(width):
                work.values[k] = work.total[node * width + k]
        else:
            if knowledge.has_playout and info[PLAYED] != 0:
                over = play_out(game, knowledge, state, ply, guided, work)
            else:
                over = simulate(game, knowledge, state, ply, listed, drawn, guided, work)
            if info[FAULT] != 0:
                break

        # 4. Back-up: every node of the trail learns the value; what is proved below may prove it above.
        if guided is not None:
            credit_moves(ply, work)
        proving = over or (known and fewer)
        if known:
            work.visits[node] -= 1
        elif over:
            settle_at(node, work)
        else:
            add(node, work)
        for step in range(ply - 1, -1, -1):
            above = work.trail[step]
            if step == 0 and work.mover[0] >= 0:
                note_moment(3 * (work.trail[1] - work.first[0] + 1), work)
            proving = proving and info[PROVE] != 0 and is_settled(above, work)
            if proving:
                settle_at(above, work)
            else:
                prefer_proved(above, work.trail[step + 1], work.floor[step], work)
                add(above, work)
        note_moment(0, work)
        if info[ADAPT] != 0 and info[NODES] % 64 == 63:
            measure_spread(work)
        if ply > info[DEEPEST]:
            info[DEEPEST] = ply
        info[NODES] += 1
        done += 1
    return done


# -- selection -----------------------------------------------------------------------------------------------------


def select(node, ply, work):
    """The child with the highest upper confidence bound for the mover; one never visited, at random, comes first.

    Proved children have nothing more to tell: the best of them is left in `work.floor`, for the back-up.
    """
    mover = work.mover[node]
    width, offset, sign = work.info[WIDTH], work.offset[mover], work.sign[mover]
    first = work.first[node]
    last = first + work.children[node]
    bonus = work.scale[BONUS] * math.log(max(work.visits[node], 1))
    best = -math.inf
    floor = -math.inf
    chosen = first
    fresh = 0
    for child in range(first, last):
        visits = work.visits[child]
        if visits == 0:
            fresh += 1
        elif visits > 0 or work.info[PROVE] == 0:
            if fresh == 0:
                share = 1.0 / visits
                value = sign * work.total[child * width + offset]
                if visits < 0:  # where nothing is to be proved, the end of a game is a node like any other
                    value += math.sqrt(bonus * -share)
                else:
                    value = value * share + math.sqrt(bonus * share)
                if value > best:
                    best = value
                    chosen = child
        else:
            value = sign * work.total[child * width + offset]
            if value > floor:
                floor = value
                work.floor[ply] = child
    if fresh > 0:
        chosen = first
        fresh = below(work.rng, fresh)
        while work.visits[chosen] != 0 or fresh > 0:
            if work.visits[chosen] == 0:
                fresh -= 1
            chosen += 1
    return np.int64(chosen)


def roll_child(node, work):
    """A child of a chance node, by the probabilities of its outcomes."""
    child = np.int64(work.first[node])
    last = child + work.children[node] - 1
    left = uniform(work.rng) - work.probability[child]
    while left >= 0.0 and child < last:
        child += 1
        left -= work.probability[child]
    return child


def draw_child(game, state, node, work):
    """The child for an outcome that the game draws, made if it is new; -1 where there is no room for it."""
    outcome = game.sample(state, work.rng)
    child = np.int64(work.first[node])
    while child >= 0 and work.action[child] != outcome:
        child = np.int64(work.next[child])
    if child < 0 and work.info[USED] < work.info[SIZE]:
        child = np.int64(work.info[USED])
        work.info[USED] += 1
        new_node(child, outcome, work)
        work.next[child] = work.first[node]
        work.first[node] = child
    return child


# -- expansion -----------------------------------------------------------------------------------------------------


def expand(game, state, node, listed, drawn, work):
    """List the children of a node; whether there was room, and no fault."""
    info = work.info
    mover = game.to_move(state)
    first = info[USED]
    place = first
    if drawn is not None and mover == CHANCE:
        work.first[node] = -1
        work.children[node] = 0
        work.mover[node] = mover
        return True
    if listed is not None and mover == CHANCE:
        whole = 0.0
        for outcome, probability in game.chance(state):
            if place >= info[SIZE]:
                info[FULL] = 1
                return False
            if not probability >= 0.0 or place - first >= game.max_actions:
                info[FAULT] = BAD_SUM
                return False
            new_node(place, outcome, work)
            work.probability[place] = probability
            whole += probability
            place += 1
        if place == first or not abs(whole - 1.0) <= 1e-6:
            info[FAULT] = NO_OUTCOMES if place == first else BAD_SUM
            return False
    else:
        for action in game.actions(state):
            if place >= info[SIZE]:
                info[FULL] = 1
                return False
            if place - first >= game.max_actions:
                info[FAULT] = TOO_MANY_ACTIONS
                return False
            new_node(place, action, work)
            if drawn is not None:
                work.next[place] = -1
            place += 1
        if place == first:
            info[FAULT] = NO_ACTIONS
            return False
    work.first[node] = first
    work.children[node] = place - first
    work.mover[node] = mover
    info[USED] = place
    return True


def new_node(place, action, work):
    """A node that was never visited."""
    work.action[place] = action
    work.visits[place] = 0
    work.mover[place] = UNOPENED
    for k in range(work.info[WIDTH]):
        work.total[place * work.info[WIDTH] + k] = 0.0


# -- back-up -------------------------------------------------------------------------------------------------------


def add(node, work):
    """One more visit, and what came back."""
    width = work.info[WIDTH]
    work.visits[node] += 1
    for k in range(width):
        work.total[node * width + k] += work.values[k]


def settle_at(node, work):
    """`work.values` is proved to be the value of the node."""
    width = work.info[WIDTH]
    work.visits[node] = -1 - work.visits[node]
    for k in range(width):
        work.total[node * width + k] = work.values[k]


def is_settled(node, work):
    """Whether the children prove the node's value, which is then left in `work.values`.

    A player takes the first of the best children once all are proved, or one that nothing can beat; with
    more than two sides only if no child before it is open, since what the others get depends on which it is.
    """
    width = work.info[WIDTH]
    first = work.first[node]
    last = first + work.children[node]
    mover = work.mover[node]
    if mover == CHANCE:
        for child in range(first, last):
            if work.visits[child] >= 0:
                return False
        for k in range(width):
            expected = 0.0
            for child in range(first, last):
                expected += work.probability[child] * work.total[child * width + k]
            work.values[k] = expected
        return last > first
    best = -math.inf
    chosen = first
    unsettled = False
    for child in range(first, last):
        if work.visits[child] >= 0:
            unsettled = True
        else:
            value = work.sign[mover] * work.total[child * width + work.offset[mover]]
            if value > best:
                best = value
                chosen = child
                if value >= work.scale[TOP] and (width == 1 or not unsettled):
                    unsettled = False
                    break
    if unsettled:
        return False
    for k in range(width):
        work.values[k] = work.total[chosen * width + k]
    return True


def prefer_proved(node, child, floor, work):
    """Where a proved sibling is better than the child looks, its value is what the mover would get."""
    if floor < 0:
        return
    width, mover = work.info[WIDTH], work.mover[node]
    sign, offset = work.sign[mover], work.offset[mover]
    value = sign * work.total[child * width + offset]
    if work.visits[child] > 0:
        value /= work.visits[child]
    if value < sign * work.total[floor * width + offset]:
        for k in range(width):
            work.values[k] = work.total[floor * width + k]


def note_moment(slot, work):
    """How the outcomes scatter: at the root (slot 0) and under each of its moves."""
    moments = work.moments
    value = work.values[work.info[VIEW]]
    moments[slot] += 1.0
    moments[slot + 1] += value
    moments[slot + 2] += value * value


def measure_spread(work):
    """Doubt is weighed in units of the standard deviation of the outcomes so far."""
    moments = work.moments
    mean = moments[1] / moments[0]
    spread = math.sqrt(max(moments[2] / moments[0] - mean * mean, 0.0))
    spread = work.scale[EXPLORATION] * min(max(spread, work.scale[LEAST]), work.scale[MOST])
    work.scale[BONUS] = spread * spread
