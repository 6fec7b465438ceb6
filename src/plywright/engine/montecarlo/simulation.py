"""The simulated game of a Monte Carlo tree, for any kernel that ends in one: at random, or by a knowledge's `playout`.

`work` is that of `mcts.py`; what is read are `info`, `scale`, `stop`, `rng`, `path`, `values`, `buffer` and `moves`,
and `owned` [places] is counted where the search is asked for it.
"""

from __future__ import annotations

import numpy as np

from ...counters import (
    FAULT,
    NO_ACTIONS,
    NO_OUTCOMES,
    NODES,
    NOT_A_NUMBER,
    NOT_FINISHED,
    TOO_MANY_ACTIONS,
    TOO_MANY_MOVES,
)
from ...game import CHANCE
from ...rng import below, uniform
from .tree_words import BEYOND, CUT, LENGTH, LONGEST, MIDDLE, MOST_MOVES, OWNED, OWNING, PLIES, SAMPLED, WIDTH


def play_out(game, knowledge, state, ply, guided, work):
    """The same as `simulate`, by the knowledge's own `playout`."""
    info = work.info
    if guided is not None:
        work.moves[0] = -1
    if game.is_terminal(state):
        settle(game, knowledge, state, ply, work)
        return True
    if knowledge.has_playout_moves and guided is not None:
        final = knowledge.playout_moves(state, work.rng, work.moves)
        if work.moves[BEYOND] != -1:
            info[FAULT] = TOO_MANY_MOVES
            info[LENGTH] = ply
            return False
    else:
        final = knowledge.playout(state, work.rng)
    if not game.is_terminal(final):
        info[FAULT] = NOT_FINISHED
        info[LENGTH] = ply
        return False
    settle(game, knowledge, final, ply, work)
    return False


def settle(game, knowledge, final, ply, work):
    """The outcome of a finished game in `work.values`; whose places are then is counted."""
    for k in range(work.info[WIDTH]):
        work.values[k] = 1.0 * game.utility(final, k)
    check_values(ply, work)
    if knowledge.has_owners:
        note_owners(knowledge, final, work)


def note_owners(knowledge, final, work):
    """Count whose each place is at the end of some of the simulations, the second player's as -1."""
    info = work.info
    if info[OWNING] == 0 or info[NODES] % SAMPLED != 0:
        return
    info[OWNED] += 1
    for place in range(knowledge.places):
        player = knowledge.owner(final, place)
        if player >= 0:
            work.owned[place] += 1 - 2 * player


def simulate(game, knowledge, state, ply, listed, drawn, guided, work):
    """Play at random and leave the outcome in `work.values`; whether `state` itself was the end of the game.

    After info[LONGEST] plies, or when the search is asked to stop, the evaluation stands for the outcome, or the
    middle of the range without one. Where `guided` is not None, `work.moves` has who played what.
    """
    info = work.info
    noted = 0
    start = ply
    end = ply + info[LONGEST]
    while True:
        if game.rules_end and game.is_terminal(state):
            break
        if ply >= end or work.stop[0] != 0:
            if not game.rules_end and game.is_terminal(state):
                break
            info[CUT] += 1
            info[PLIES] += ply - start
            if guided is not None:
                work.moves[noted] = -1
            for k in range(info[WIDTH]):
                work.values[k] = 1.0 * knowledge.evaluate(state, k) if knowledge.evaluates else work.scale[MIDDLE]
            check_values(ply, work)
            return False
        if (listed is not None or drawn is not None) and game.to_move(state) == CHANCE:
            work.path[ply] = roll(game, state, listed, drawn, work)
        else:
            count = 0
            for action in game.actions(state):
                if count >= game.max_actions:
                    info[FAULT] = TOO_MANY_ACTIONS
                    break
                work.buffer[count] = action
                count += 1
            if count == 0:
                if game.rules_end:
                    info[FAULT] = NO_ACTIONS
                break
            work.path[ply] = work.buffer[below(work.rng, count)]
            if guided is not None and noted < 2 * MOST_MOVES:
                work.moves[noted] = game.to_move(state)
                work.moves[noted + 1] = work.path[ply]
                noted += 2
        if info[FAULT] != 0:
            break
        state = game.result(state, work.path[ply])
        ply += 1
    info[PLIES] += ply - start
    if guided is not None:
        work.moves[noted] = -1
    if info[FAULT] != 0:
        info[LENGTH] = ply
        return False
    settle(game, knowledge, state, ply, work)
    return ply == start


def roll(game, state, listed, drawn, work):
    """An outcome of a chance state, -1 where it has none."""
    outcome = np.int64(-1)
    if listed is not None:
        left = uniform(work.rng)
        for other, probability in game.chance(state):
            outcome = np.int64(other)
            left -= probability
            if left < 0.0:
                break
    elif drawn is not None:
        outcome = np.int64(game.sample(state, work.rng))
    if outcome < 0:
        work.info[FAULT] = NO_OUTCOMES
    return outcome


def check_values(ply, work):
    for k in range(work.info[WIDTH]):
        if work.values[k] != work.values[k]:
            work.info[FAULT] = NOT_A_NUMBER
            work.info[LENGTH] = ply
