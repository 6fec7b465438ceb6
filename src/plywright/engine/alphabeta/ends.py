"""What the ends of lines are worth in the engine's units: utilities, evaluations, numbers of endgame tables."""

from __future__ import annotations

import math

import numpy as np

from ...bits import signed
from ...counters import NOT_A_NUMBER, OFF_STEP, OUT_OF_RANGE, TOO_DEEP, fault, spent
from ...table_blocks import UNKNOWN, known_number
from .pvs_counters import (
    DISTANCE,
    ESTIMATES,
    HORIZON,
    INFINITY,
    PATH,
    REPEATED,
    STEP,
    TABLE_HITS,
    TO_THE_END,
    WHOLE,
    WIN,
    WIN_BONUS,
)
from .repetition import is_drawn

STRUCTURES = 1 << 13  # places for what rarely changes of an evaluation


def to_units(work, value):
    """A utility or evaluation as a whole number of units; a whole one needs no arithmetic of floats."""
    if isinstance(value, int) and work.info[WHOLE] != 0:
        return value * work.info[WHOLE]
    scaled = min(max(value * work.units[0], -2.0 * INFINITY), 2.0 * INFINITY)  # no whole number is infinite
    return np.int64(math.floor(scaled + 0.5))


def outcome(game, state, player, ply, work):
    """The utility of a finished game; a win or loss at the end of the range counts sooner or later."""
    info = work.info
    utility = game.utility(state, player)
    if utility != utility:
        return fault(info, NOT_A_NUMBER)
    value = to_units(work, utility)
    if abs(value) > info[WIN]:
        return fault(info, OUT_OF_RANGE)
    if (info[STEP] > 1 and value % info[STEP] != 0) or abs(utility * work.units[0] - value) > 1e-4:
        return fault(info, OFF_STEP)
    if info[DISTANCE] != 0:
        if value >= info[DISTANCE]:
            value += WIN_BONUS - ply
        elif value <= -info[DISTANCE]:
            value -= WIN_BONUS - ply
    return value


def leaf(game, knowledge, state, player, ply, work):
    """The value at the depth limit of a game that has nothing to say about noise: its utility or its evaluation."""
    if spent(work, 0):
        return 0
    work.length[ply] = 0
    if game.is_terminal(state):
        if knowledge.counts_down and knowledge.plies_left(state) <= 0:
            work.info[PATH] = -1
        return outcome(game, state, player, ply, work)
    if game.repeats and is_drawn(game, state, ply, work):
        return 0
    if knowledge.has_table:
        number = known_number(knowledge, state)
        if number != UNKNOWN:
            return by_table(game, knowledge, state, player, ply, number, work)
    mover = game.to_move(state)
    value = estimate(game, knowledge, state, mover, work)
    return value if game.team(mover) == game.team(player) else -value


def appraisal(game, knowledge, state, mover, work):
    """The evaluation, kept strictly inside the utilities: an estimate is never as good as a win."""
    info = work.info
    if knowledge.has_memory:
        structure = structure_of(knowledge, state, work) if knowledge.has_structure else 0
        utility = knowledge.evaluate_from(state, mover, structure, work.lent)
    elif knowledge.has_structure:
        utility = knowledge.evaluate_with(state, mover, structure_of(knowledge, state, work))
    else:
        utility = knowledge.evaluate(state, mover)
    if utility != utility:
        return fault(info, NOT_A_NUMBER)
    value = to_units(work, utility)
    return min(max(value, 1 - info[WIN]), info[WIN] - 1)


def structure_of(knowledge, state, work):
    """The part of an evaluation that rarely changes, from this thread's memory of it or worked out and kept."""
    key = signed(knowledge.structure_key(state))
    place = 2 * (key & (STRUCTURES - 1))
    if work.structures[place] != key:
        work.structures[place] = key
        work.structures[place + 1] = knowledge.structure(state)
    return work.structures[place + 1]


def estimate(game, knowledge, state, mover, work):
    """The evaluation in place of a search."""
    rely_on_it(work)
    return appraisal(game, knowledge, state, mover, work)


def rely_on_it(work):
    """An evaluation stands in for a search: from here on nothing above is proved."""
    info = work.info
    if info[TO_THE_END] != 0:
        fault(info, TOO_DEEP)
    info[HORIZON] += 1
    info[ESTIMATES] += 1


def by_table(game, knowledge, state, player, ply, number, work):
    """What a table's number means for the player: proved where no rule that it does not count can end the game first.

    Such rules are those on moves without progress, and repetition of states of the past. Otherwise it is an estimate.
    """
    info = work.info
    info[TABLE_HITS] += 1
    if number == 0:
        return 0
    distance = abs(number) - 1
    value = info[WIN]
    if distance > knowledge.plies_left(state) or info[REPEATED] != 0 or ply + distance >= WIN_BONUS:
        info[HORIZON] += 1
        info[ESTIMATES] += 1
        value = max(value - 1 - distance, value // 2)
    elif info[DISTANCE] != 0:
        value += WIN_BONUS - ply - distance
    return value if (number > 0) == (game.team(game.to_move(state)) == game.team(player)) else -value


def in_units(knowledge, depth, work):
    """The knowledge's margin for so many plies, in units."""
    return to_units(work, knowledge.margin(depth))
