"""Expectimax and expectiminimax: one kernel for chance, opposed teams and opponents who are modelled.

All values are from the perspective of one player, the hero (info[HERO]): nodes of the hero's team maximise,
those of the others minimise, and chance and modelled players are averaged over. A chance node costs
no depth: depth 2 is a move, whatever dice come between, and the reply. At depth 0 a state is evaluated,
also where chance is to move.

Averages are cut off where the bounds of the utilities decide already (Star1) or where one move in each of
the outcomes does (Star2, the probing phase; Ballard 1983). Windows of outcomes are widened by more than
rounding can do, so that pruning changes no value, not even in its last bit.
"""

from __future__ import annotations

import math

from ...compiled import kernel
from ...counters import (
    FAULT,
    NO_ACTIONS,
    NO_OUTCOMES,
    NO_UTILITY,
    NODE_LIMIT,
    NODES,
    NOT_A_NUMBER,
    OUT_OF_RANGE,
    STOPPED,
    TOO_DEEP,
    TOO_MANY_ACTIONS,
    fault,
)
from ...game import CHANCE
from ..alphabeta.transposition import table_key
from .expectation_tables import (
    CHOICE,
    CUTS,
    GREEDY,
    HERO,
    HORIZON,
    JUDGING,
    LEAVES,
    MAX_PLY,
    NOBODY,
    REPLY,
    RESOLVED,
    SALT,
    SAMPLES,
    STAR,
    TOP,
    UNIFORM,
    find,
    highest,
    keep_line,
    lowest,
    out_of_time,
    store,
)
from .successors import draw_outcomes, list_actions, list_outcomes, pick, weigh

ROUNDING = 1e-12  # relative; thousands of additions stay below it
JUDGE, PROBE, FULL = range(3)  # the phases of a node's visit


@kernel
def expectiminimax(game, knowledge, state, depth, ply, low, high, probe, work):
    """The expected value of `state` for the hero, `depth` plies ahead.

    Fail-soft: inside (low, high) exact, outside a bound on that side. With `probe` only the first move of a
    decision is looked at: the value is then a bound in its mover's favour. Meaningless once info[STOPPED].
    """
    info = work.info
    # 1. Count the node, and stop when told to.
    nodes = info[NODES] + 1
    if out_of_time(nodes, work):
        return 0.0
    info[NODES] = nodes
    work.length[ply] = 0
    work.variance[ply] = 0.0

    # 2. A finished game has its utility; at the depth limit a state has its evaluation.
    if game.rules_end and game.is_terminal(state):
        info[LEAVES] += 1
        return settled(game, state, work)
    if depth <= 0:
        info[LEAVES] += 1
        if not game.rules_end and game.is_terminal(state):
            return settled(game, state, work)
        return guessed(game, knowledge, state, work)
    if ply >= MAX_PLY:
        return fault(info, TOO_DEEP)

    # 3. Who decides here: chance and models are averaged over; `sign` is -1 where the mover minimises.
    mover = game.to_move(state)
    model = NOBODY
    sign = 1.0
    if mover >= 0:
        if info[JUDGING] == 0:
            model = work.models[2 * mover]
        if game.team(mover) != game.team(info[HERO]):
            sign = -1.0
    averaged = mover < 0 or model != NOBODY
    replying = info[REPLY] != 0 and sign < 0.0 and not averaged
    if depth == 1 and mover >= 0 and model <= UNIFORM and not replying:
        return last_ply(game, knowledge, state, sign, averaged, low, high, probe, ply, work)

    # 4. What an earlier visit found: an interval for the value.
    before = info[HORIZON]
    in_table = depth >= 2 or mover < 0 or model > UNIFORM
    key = 0
    hint = -1
    if in_table:
        key = table_key(knowledge, state) ^ info[SALT]
        if info[REPLY] != 0:
            key ^= work.salts[info[CHOICE]]
        slot = find(key, work)
        if slot >= 0:
            data = work.table[2 * slot + 1]
            hint = data >> 12
            known = (data >> 1) & 1023
            same_depth = known == depth
            if ply > 0 and info[SAMPLES] == 0 and info[STAR] > 0 and (same_depth or known == RESOLVED):
                least, most = float(work.intervals[2 * slot]), float(work.intervals[2 * slot + 1])
                answer = math.nan
                if least >= high or least == most or (probe != 0 and sign > 0.0 and least > -math.inf):
                    answer = least
                elif most <= low or (probe != 0 and sign < 0.0 and most < math.inf):
                    answer = most
                if answer == answer:
                    if known != RESOLVED:
                        info[HORIZON] += 1
                    return answer

    # 5. List what may happen, with probabilities or with how promising it looks.
    base = info[TOP]
    drawn = 0
    if mover < 0:
        count = list_outcomes(game, state, base, work)
        if info[SAMPLES] > 0 and (count > info[SAMPLES] or not game.lists_chance) and info[FAULT] == 0:
            drawn = info[SAMPLES]
            info[HORIZON] += 1
            count = draw_outcomes(game, state, key, count, base, work)
    else:
        count = list_actions(game, knowledge, state, depth, sign, hint, averaged, replying, base, work)
    if info[FAULT] != 0:
        return 0.0
    if count == 0:
        if mover >= 0 and not game.rules_end:
            return settled(game, state, work)
        return fault(info, NO_ACTIONS if mover >= 0 else NO_OUTCOMES)
    info[TOP] = base + count

    # 6. Look at each of them: for averages first as the model judges its moves, then a probe of each, then in
    #    full; for decisions in full, the most promising first. (One call site: it compiles once.)
    hero, salt, reply, choice = info[HERO], info[SALT], info[REPLY], info[CHOICE]
    phase = FULL
    best_action = -1
    if model == GREEDY and hint > 0:  # judged before, at whatever depth
        best_action = hint - 1
        count = weigh(model, mover, best_action, base, count, work)
    elif model > UNIFORM:
        phase = JUDGE
        info[HERO], info[JUDGING], info[SALT], info[REPLY] = mover, 1, work.salts[2 + mover], 0
    if phase == FULL and averaged and worth_probing(depth, mover, count, low, high, info):
        phase = PROBE
    if averaged and phase == FULL:
        rest_bounds(base, count, work)
    bottom = low if sign > 0.0 else -high  # the window from the mover's perspective
    top = high if sign > 0.0 else -low
    best = -math.inf
    total = 0.0  # of outcomes known exactly; while probing, the least
    most_total = 0.0
    squares = 0.0
    least_ever, most_ever = lowest(work), highest(work)
    mass = 1.0
    kind = 0
    answer = math.nan
    index = -1
    while True:
        index += 1
        if index >= count:
            if phase == FULL:
                break
            if phase == JUDGE:
                info[HERO], info[JUDGING], info[SALT], info[REPLY], info[HORIZON] = hero, 0, salt, reply, before
                count = weigh(model, mover, best_action, base, count, work)
                phase = PROBE if worth_probing(depth, mover, count, low, high, info) else FULL
            else:
                phase = FULL
            if phase == FULL:
                rest_bounds(base, count, work)
            total = 0.0
            index = -1
            continue
        action = int(work.actions[base + index]) if averaged else pick(work, base, index, count)
        weight = float(work.weights[base + index])
        child = game.result(state, action)
        reach = depth if mover == CHANCE else depth - 1
        least, most, ask = -math.inf, math.inf, 0
        if phase == JUDGE:
            reach = work.models[2 * mover + 1] - 1
            if model == GREEDY:
                least = best
        elif phase == PROBE:
            mass = 0.0 if index == count - 1 else mass - weight
            kind = deciding(game, child, work)
            if kind == 0:
                total += weight * float(work.lows[base + index])
                most_total += weight * float(work.highs[base + index])
                continue
            ask = 1
            if kind < 0:
                rest = spared(mass, most_ever)
                least = (low - most_total - rest - slack(low, most_total, rest)) / weight
            else:
                rest = spared(mass, least_ever)
                most = (high - total - rest + slack(high, total, rest)) / weight
        elif averaged:
            if info[STAR] > 0:
                rest = float(work.highs[base + index])
                least = (low - total - rest - slack(low, total, rest)) / weight
                rest = float(work.lows[base + index])
                most = (high - total - rest + slack(high, total, rest)) / weight
        else:
            if info[STAR] > 0:
                floor = best if best > bottom else bottom
                least = floor if sign > 0.0 else -top
                most = top if sign > 0.0 else -floor
            if info[REPLY] != 0:
                info[CHOICE] = 1 if sign > 0.0 or (replying and weight > 0.0) else 0

        value = expectiminimax(game, knowledge, child, reach, ply + 1, least, most, ask, work)
        info[CHOICE] = choice
        if info[STOPPED] != 0:
            work.path[ply] = action
            return 0.0

        if phase == JUDGE:
            work.lows[base + index] = value
            if value > best:
                best = value
                best_action = index
        elif phase == PROBE:
            if kind < 0:
                if value < work.highs[base + index]:
                    work.highs[base + index] = value
                rest = spared(mass, most_ever)
            else:
                if value > work.lows[base + index]:
                    work.lows[base + index] = value
                rest = spared(mass, least_ever)
            total += weight * float(work.lows[base + index])
            most_total += weight * float(work.highs[base + index])
            if kind < 0 and most_total + rest < low - slack(low, most_total, rest):
                answer = most_total + rest + slack(low, most_total, rest) / 2
                break
            if kind > 0 and total + rest > high + slack(high, total, rest):
                answer = total + rest - slack(high, total, rest) / 2
                break
        elif averaged:
            if value <= least and least > -math.inf:
                rest = float(work.highs[base + index])
                answer = total + weight * value + rest + slack(low, total, rest) / 2
                break
            if value >= most and most < math.inf:
                rest = float(work.lows[base + index])
                answer = total + weight * value + rest - slack(high, total, rest) / 2
                break
            total += weight * value
            squares += weight * value * value if drawn > 0 else weight * weight * work.variance[ply + 1]
        else:
            value = sign * value
            if value > best:
                best = value
                best_action = action
                if value > bottom:
                    work.variance[ply] = work.variance[ply + 1]
                    keep_line(work, ply, action)
                if info[STAR] > 0 and best >= top:
                    info[CUTS] += 1
                    break
            if probe != 0:
                break

    # 7. Remember the interval that this proves.
    info[TOP] = base
    if averaged:
        if answer == answer:
            info[CUTS] += 1
        else:
            answer = total
            work.variance[ply] = max(squares - total * total, 0.0) / (drawn - 1) if drawn > 1 else squares
    elif probe != 0:
        return sign * best if best > bottom else -sign * math.inf
    else:
        answer = sign * best
    if in_table:
        resolved = info[HORIZON] == before
        kept = best_action if not averaged else best_action + 1 if model == GREEDY else 0
        store(key, RESOLVED if resolved else depth, kept, answer, low, high, work)
    return answer


def last_ply(game, knowledge, state, sign, averaged, low, high, probe, ply, work):
    """A player's node at depth 1: its successors are leaves, looked at where they stand."""
    info = work.info
    top = high if sign > 0.0 else -low
    best = -math.inf
    best_action = -1
    total = 0.0
    count = 0
    action = -1
    for action in game.actions(state):
        count += 1
        if count > game.max_actions:
            return fault(info, TOO_MANY_ACTIONS)
        child = game.result(state, action)
        value = settled(game, child, work) if game.is_terminal(child) else guessed(game, knowledge, child, work)
        total += value
        if not averaged:
            value = sign * value
            if value > best:
                best = value
                best_action = action
                if best >= top and info[STAR] > 0:
                    info[CUTS] += 1
                    break
            if probe != 0:
                break
        if info[STOPPED] != 0:
            break
    info[NODES] += count
    info[LEAVES] += count
    if info[NODES] > info[NODE_LIMIT]:
        info[NODES] = info[NODE_LIMIT]
        info[STOPPED] = 1
    if info[STOPPED] != 0:
        work.path[ply] = action
        return 0.0
    if count == 0:
        return fault(info, NO_ACTIONS) if game.rules_end else settled(game, state, work)
    if averaged:
        return total / count
    work.length[ply + 1] = 0
    keep_line(work, ply, best_action)
    return sign * best


def settled(game, state, work):
    """The utility of a finished game for the hero."""
    return worth(1.0 * game.utility(state, work.info[HERO]), work)


def guessed(game, knowledge, state, work):
    """The evaluation of an unfinished state for the hero: from here on nothing is proved."""
    work.info[HORIZON] += 1
    return worth(1.0 * knowledge.evaluate(state, work.info[HERO]), work)


def worth(amount, work):
    """What an amount is worth to the hero: itself, or by the utility function that was tabulated."""
    info, bounds = work.info, work.bounds
    if not (bounds[2] <= amount <= bounds[3]):
        work.culprit[0] = amount
        return fault(info, OUT_OF_RANGE if amount == amount else NOT_A_NUMBER)
    if bounds[4] == 0.0 or info[JUDGING] != 0:
        return amount
    # The table holds bounds[4] points per unit; between two of them a straight line stands for the function.
    place = (amount - bounds[2]) * bounds[4]
    index = math.floor(place + 0.5)
    found = float(work.curve[index])
    if abs(place - index) > 1e-9:
        index = math.floor(place)
        left, right = float(work.curve[index]), float(work.curve[index + 1])
        found = right if left == -math.inf else left + (right - left) * (place - index)
    if found != found:
        work.culprit[0] = amount
        return fault(info, NO_UTILITY)
    return found


def worth_probing(depth, mover, count, low, high, info):
    """Star2 needs a window to miss, and children that are not leaves."""
    reach = depth if mover == CHANCE else depth - 1
    return info[STAR] > 1 and count > 1 and reach > 0 and (low > -math.inf or high < math.inf)


def deciding(game, child, work):
    """1 where a successor is a decision of the hero's team, -1 where of its opponents', 0 where it is neither."""
    if game.rules_end and game.is_terminal(child):
        return 0
    mover = game.to_move(child)
    if mover < 0 or (work.info[JUDGING] == 0 and work.models[2 * mover] != NOBODY):
        return 0
    return 1 if game.team(mover) == game.team(work.info[HERO]) else -1


def rest_bounds(base, count, work):
    """Turn the bounds of each outcome into bounds of what all the later ones add."""
    least, most = 0.0, 0.0
    for index in range(base + count - 1, base - 1, -1):
        weight = float(work.weights[index])
        own_least, own_most = float(work.lows[index]), float(work.highs[index])
        work.lows[index], work.highs[index] = least, most
        least += weight * own_least
        most += weight * own_most


def spared(mass, bound):
    """What outcomes of this probability not looked at yet can add at the most, or at the least."""
    return mass * bound if mass > 0.0 else 0.0


def slack(target, total, rest):
    """More than rounding can have done to a comparison of these."""
    return ROUNDING * (abs(target) + abs(total) + abs(rest))
