"""Information-set Monte Carlo tree search as one kernel (Cowling, Powley & Whitehouse 2012).

Every simulation has a deal of its own. Decisions are looked up by what is seen there: with one observer by
what the searching seat sees, with several by what the player to move sees, so that nobody's choices depend on
cards that it cannot know. What is legal may differ from deal to deal, so an action is weighed against how often
it was available. There is no recursion, and nothing is allocated.

`work` holds what a simulated game needs (see mcts.py: info, scale, stop, rng, path, values, buffer) and besides

    key, head, owner                   # [nodes] what is seen, the first edge, who moves
    spots, mask                        # [slots], [1] node numbers by key, -1 where there is none
    action, next                       # [edges] an action of a node, and the node's next one
    visits, available, total, squares  # [edges] simulations through it, simulations in which it was legal, outcomes
    trail, chosen                      # [DEEPEST_TREE] nodes and edges of the simulation that runs
    room                               # [ROOMS]
"""

from __future__ import annotations

import math

import numpy as np

from ...bits import fold, signed
from ...compiled import kernel
from ...counters import FAULT, NO_ACTIONS, NODES, TOO_MANY_ACTIONS
from ...game import CHANCE
from ...rng import below
from ..montecarlo.simulation import play_out, roll, simulate
from ..montecarlo.tree_words import BONUS, DEEPEST, DEEPEST_TREE, LENGTH, PLAYED

ROOMS = 4
NODES_USED, NODES_MOST, EDGES_USED, EDGES_MOST = range(ROOMS)
SALT = 0x9E3779B97F4A7C15


@kernel
def simulate_deals(game, knowledge, seen, state, seat, count, several, dealing, listed, drawn, work):
    """Run so many simulations, each of a new deal, or of `state` where `dealing` is None; returns how many were.

    Ends early when `work.stop` is set, or with info[FAULT] after info[LENGTH] moves of `work.path`. `listed` and
    `drawn` say which kind of chance the game has, as for mcts.grow.
    """
    info = work.info
    done = 0
    while done < count and info[FAULT] == 0 and (done == 0 or work.stop[0] == 0):
        if dealing is not None:
            state = game.deal(seen, seat, work.rng)
        current = state
        ply = 0
        steps = 0
        inside = True
        while inside and ply < DEEPEST_TREE and not (game.rules_end and game.is_terminal(current)):
            mover = game.to_move(current)
            move = np.int64(-1)
            if mover == CHANCE:
                move = roll(game, current, listed, drawn, work)
            else:
                looker = mover if several != 0 else seat
                view = signed(fold(game.view_key(game.observation(current, looker)) ^ SALT, 2 * mover + 1))
                node = find_node(view, mover, work)
                legal = list_legal(game, current, work)
                if legal == 0:
                    if game.rules_end:
                        info[FAULT] = NO_ACTIONS
                    break
                if node < 0 or legal < 0:
                    break  # no room: the rest is at random
                edge = select_edge(node, legal, work)
                if edge < 0:
                    break
                inside = work.visits[edge] > 0  # a new edge is the tree's last
                move = work.action[edge]
                work.trail[steps] = mover
                work.chosen[steps] = edge
                steps += 1
            if info[FAULT] != 0:
                break
            current = game.result(current, move)
            work.path[ply] = move
            ply += 1
        if info[FAULT] != 0:
            info[LENGTH] = ply
            break
        if knowledge.has_playout and info[PLAYED] != 0:
            play_out(game, knowledge, current, ply, None, work)
        else:
            simulate(game, knowledge, current, ply, listed, drawn, None, work)
        if info[FAULT] != 0:
            break
        for step in range(steps):
            edge, value = work.chosen[step], work.values[work.trail[step]]
            work.visits[edge] += 1
            work.total[edge] += value
            work.squares[edge] += value * value
        if steps > info[DEEPEST]:
            info[DEEPEST] = steps
        info[NODES] += 1
        done += 1
    return done


def find_node(key, mover, work):
    """The node of what is seen, made if it is new; -1 where there is no room for it."""
    mask = work.mask[0]
    spot = (key ^ key >> 29) & mask
    while work.spots[spot] >= 0 and work.key[work.spots[spot]] != key:
        spot = (spot + 1) & mask
    node = np.int64(work.spots[spot])
    if node < 0 and work.room[NODES_USED] < work.room[NODES_MOST]:
        node = np.int64(work.room[NODES_USED])
        work.room[NODES_USED] = node + 1
        work.spots[spot] = node
        work.key[node] = key
        work.head[node] = -1
        work.owner[node] = mover
    return node


def list_legal(game, state, work):
    """Write the legal actions to work.buffer; how many, or -1 with a fault."""
    count = 0
    for action in game.actions(state):
        if count >= game.max_actions:
            work.info[FAULT] = TOO_MANY_ACTIONS
            return -1
        work.buffer[count] = action
        count += 1
    return count


def select_edge(node, legal, work):
    """The edge to follow among the legal actions: one never tried, at random, or else the highest upper bound.

    Counts every legal action as available. -1 where there is no room for a new edge.
    """
    best, chosen, fresh = -math.inf, np.int64(-1), 0
    for place in range(legal):
        edge = find_edge(node, work.buffer[place], work)
        if edge < 0:
            return edge
        work.available[edge] += 1
        visits = work.visits[edge]
        if visits == 0:
            fresh += 1
            if below(work.rng, fresh) == 0:
                chosen = edge
        elif fresh == 0:
            bound = work.total[edge] / visits + math.sqrt(
                work.scale[BONUS] * math.log(float(work.available[edge])) / visits
            )
            if bound > best:
                best = bound
                chosen = edge
    return chosen


def find_edge(node, action, work):
    """The edge of an action, made if it is new; -1 where there is no room for it."""
    edge = np.int64(work.head[node])
    while edge >= 0 and work.action[edge] != action:
        edge = np.int64(work.next[edge])
    if edge < 0 and work.room[EDGES_USED] < work.room[EDGES_MOST]:
        edge = np.int64(work.room[EDGES_USED])
        work.room[EDGES_USED] = edge + 1
        work.action[edge] = action
        work.next[edge] = work.head[node]
        work.head[node] = edge
        work.visits[edge] = 0
        work.available[edge] = 0
        work.total[edge] = 0.0
        work.squares[edge] = 0.0
    return edge
