"""Counterfactual regret minimisation as sweeps over a game tree's arrays (Zinkevich et al. 2007).

One iteration updates every player in turn. A sweep down the tree gives each history two chances of being
reached: by the player's own choices and by everybody else's; a sweep up gives it its value. Regrets are
added where the player moves, and the next strategy plays each action in proportion to its regret.
"""

from __future__ import annotations

import numpy as np

from ..compiled import kernel
from ..game import CHANCE
from ..rng import draw64
from .tree import TERMINAL

# setting: [8], floats
ITERATION, POSITIVE_POWER, NEGATIVE_POWER, AVERAGE_POWER, FLOOR, EXPLORE = range(6)
SETTINGS = 8
# size: [8]
HISTORIES, PLAYERS, SETS, INNER = range(4)
SIZES = 8


@kernel
def iterate(game, times, work):
    """So many iterations of CFR, CFR+ or discounted CFR: the settings say which. Returns how many were done."""
    setting, size = work.setting, work.size
    done = 0
    while done < times and work.stop[0] == 0:
        setting[ITERATION] += 1.0
        for player in range(size[PLAYERS]):
            if work.locked[player] == 0:
                reach_down(player, work)
                values_up(player, work)
                next_strategy(player, work)
        done += 1
    return done


def reach_down(player, work):
    """The chances that the player itself (own) and everybody else (other) let each history happen."""
    own, other, inner = work.own, work.other, work.inner
    own[0] = 1.0
    other[0] = 1.0
    for index in range(work.size[INNER]):
        place = inner[index]
        first, mover = work.first[place], work.player[place]
        a, b = own[place], other[place]
        last = first + work.count[place]
        if mover == player:
            slot = work.slot[place] - first
            for child in range(first, last):
                own[child] = a * work.strategy[slot + child]
                other[child] = b
        elif mover == CHANCE:
            for child in range(first, last):
                own[child] = a
                other[child] = b * work.probability[child]
        else:
            slot = work.slot[place] - first
            for child in range(first, last):
                own[child] = a
                other[child] = b * work.strategy[slot + child]


def values_up(player, work):
    """Values for the player from the ends upwards; regrets and the average strategy grow on the way."""
    base = player * work.size[HISTORIES]
    weight = average_weight(work.setting)
    for index in range(work.size[INNER] - 1, -1, -1):
        place = work.inner[index]
        first, mover = work.first[place], work.player[place]
        last = first + work.count[place]
        total = 0.0
        if mover == CHANCE:
            for child in range(first, last):
                total += work.probability[child] * work.value[base + child]
        else:
            slot = work.slot[place] - first
            for child in range(first, last):
                total += work.strategy[slot + child] * work.value[base + child]
            if mover == player:
                b, a = work.other[place], work.own[place] * weight
                for child in range(first, last):
                    work.regret[slot + child] += b * (work.value[base + child] - total)
                    work.average[slot + child] += a * work.strategy[slot + child]
        work.value[base + place] = total


def average_weight(setting):
    """How much this iteration counts in the average strategy: linearly (power 1), evenly (0) or otherwise."""
    if setting[AVERAGE_POWER] == 0.0:
        return 1.0
    return setting[ITERATION] ** setting[AVERAGE_POWER]


def next_strategy(player, work):
    """Regret matching; CFR+ forgets negative regrets, discounted CFR lets all of them fade."""
    setting = work.setting
    gain, loss = 1.0, 1.0
    fades = setting[POSITIVE_POWER] != 0.0 or setting[NEGATIVE_POWER] != 0.0
    if fades:
        up = setting[ITERATION] ** setting[POSITIVE_POWER]
        down = setting[ITERATION] ** setting[NEGATIVE_POWER]
        gain, loss = up / (up + 1.0), down / (down + 1.0)
    for which in range(work.size[SETS]):
        if work.owner[which] == player:
            start, end = work.start[which], work.start[which + 1]
            total = 0.0
            for slot in range(start, end):
                regret = work.regret[slot]
                if fades:
                    regret *= gain if regret > 0.0 else loss
                if regret < 0.0 and setting[FLOOR] != 0.0:
                    regret = 0.0
                work.regret[slot] = regret
                if regret > 0.0:
                    total += regret
            for slot in range(start, end):
                if total > 0.0:
                    work.strategy[slot] = work.regret[slot] / total if work.regret[slot] > 0.0 else 0.0
                else:
                    work.strategy[slot] = 1.0 / (end - start)


@kernel
def external_sampling(game, place, player, work):
    """One walk of external-sampling MCCFR (Lanctot et al. 2009): all of the player's actions, one of everybody else's.

    Returns the sampled value for the player.
    """
    mover = work.player[place]
    if mover == TERMINAL:
        return work.utility[player * work.size[HISTORIES] + place]
    first, count = work.first[place], work.count[place]
    slot = work.slot[place]
    chosen, end = 0, count
    if mover == CHANCE:
        chosen = draw_child(work, work.probability, first, count)
        end = chosen + 1
    else:
        match_regrets(slot, count, work)
        if mover != player:
            chosen = draw_child(work, work.strategy, slot, count)
            end = chosen + 1
            if mover == (player + 1) % work.size[PLAYERS]:  # averaged once per round for each player
                for child in range(count):
                    work.average[slot + child] += work.strategy[slot + child]
    total = 0.0
    for child in range(chosen, end):
        value = external_sampling(game, np.int32(first + child), player, work)
        if mover == player:
            work.sampled[first + child] = value
            total += work.strategy[slot + child] * value
        else:
            total = value
    if mover == player:
        for child in range(count):
            work.regret[slot + child] += work.sampled[first + child] - total
    return total


@kernel
def outcome_sampling(game, player, work):
    """One walk of outcome-sampling MCCFR: a single play, chosen partly at random, weighted by how likely it was."""
    setting = work.setting
    place, own, other, sampled, depth = np.int32(0), 1.0, 1.0, 1.0, 0
    while work.player[place] != TERMINAL:
        mover, first, count, slot = work.player[place], work.first[place], work.count[place], work.slot[place]
        work.walk[depth] = place
        if mover == CHANCE:
            chosen = draw_child(work, work.probability, first, count)
            sampled *= work.probability[first + chosen]
            other *= work.probability[first + chosen]
        else:
            match_regrets(slot, count, work)
            explore = setting[EXPLORE] if mover == player else 0.0
            chosen = draw_child(work, work.strategy, slot, count)
            if explore > 0.0 and share(work) < explore:
                chosen = min(int(share(work) * count), count - 1)
            chance = explore / count + (1.0 - explore) * work.strategy[slot + chosen]
            work.reach[4 * depth] = own
            work.reach[4 * depth + 1] = other
            work.reach[4 * depth + 2] = sampled
            if mover == player:
                own *= work.strategy[slot + chosen]
            else:
                other *= work.strategy[slot + chosen]
            sampled *= chance
        work.chosen[depth] = chosen
        place = np.int32(first + chosen)
        depth += 1
    value = work.utility[player * work.size[HISTORIES] + place] / sampled
    tail = 1.0  # how likely the rest of the play is once it is here
    for step in range(depth - 1, -1, -1):
        place, chosen = work.walk[step], work.chosen[step]
        mover, count, slot = work.player[place], work.count[place], work.slot[place]
        if mover == CHANCE:
            tail *= work.probability[work.first[place] + chosen]
            continue
        likely = work.strategy[slot + chosen]
        if mover == player:
            weight = value * work.reach[4 * step + 1]
            for child in range(count):
                gained = tail * (1.0 - likely) if child == chosen else -tail * likely
                work.regret[slot + child] += weight * gained
        else:
            for child in range(count):
                weight = work.reach[4 * step + 1] / work.reach[4 * step + 2]
                work.average[slot + child] += weight * work.strategy[slot + child]
        tail *= likely
    return 0


@kernel
def sample_times(game, times, outcome, work):
    """So many iterations of a sampling algorithm, each a walk for every player."""
    done = 0
    while done < times and work.stop[0] == 0:
        work.setting[ITERATION] += 1.0
        for player in range(work.size[PLAYERS]):
            if work.locked[player] == 0:
                if outcome != 0:
                    outcome_sampling(game, player, work)
                else:
                    external_sampling(game, np.int32(0), player, work)
        done += 1
    return done


def match_regrets(slot, count, work):
    """The strategy of one information set from its regrets."""
    if work.fixed[slot] != 0:
        return
    total = 0.0
    for child in range(slot, slot + count):
        total += max(work.regret[child], 0.0)
    if total > 0.0:
        scale = 1.0 / total
        for child in range(slot, slot + count):
            work.strategy[child] = max(work.regret[child], 0.0) * scale
    else:
        for child in range(slot, slot + count):
            work.strategy[child] = 1.0 / count


def share(work):
    """A number in [0, 1)."""
    return (draw64(work.rng) >> np.uint64(11)) * (1.0 / 9007199254740992.0)


def draw_child(work, chances, start, count):
    """An index below `count`, as likely as its chance."""
    left = share(work)
    for child in range(count - 1):
        left -= chances[start + child]
        if left < 0.0:
            return child
    return count - 1
