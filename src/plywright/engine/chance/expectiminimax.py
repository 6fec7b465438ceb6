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

from ...bits import float_scratch, scratch
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
    MADE,
    MAX_PLY,
    NOBODY,
    REPLY,
    REPLY_WIDTH,
    RESOLVED,
    SALT,
    SAMPLES,
    STAR,
    TOP,
    UNIFORM,
    WIDTH,
    find,
    highest,
    keep_line,
    lowest,
    out_of_time,
    store,
)
from .successors import draw_outcomes, list_actions, list_outcomes, narrowed, pick, weigh

ROUNDING = 1e-12  # relative; thousands of additions stay below it
JUDGE, PROBE, FULL = range(3)  # the phases of a node's visit


@kernel
def expectiminimax(game, knowledge, state, depth, ply, low, high, probe, work):
    """The expected value of `state` for the hero, `depth` plies ahead.

    Fail-soft: inside (low, high) exact, outside a bound on that side. With `probe` only the first move of a
    decision is looked at: the value is then a bound in its mover's favour. Meaningless once info[STOPPED].
    """
    info = work.info
    # 1. Count the node; a finished game has its utility, and at the depth limit a state has its evaluation.
    nodes = info[NODES] + 1
    if out_of_time(nodes, work):
        return 0.0
    info[NODES] = nodes
    work.length[ply] = 0
    work.variance[ply] = 0.0
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

    # 2. Who decides here: chance and models are averaged over; `sign` is -1 where the mover minimises.
    mover, model, sign = decider(game, state, work)
    averaged = mover < 0 or model != NOBODY
    replying = info[REPLY] != 0 and sign < 0.0 and not averaged
    if depth == 1 and mover >= 0 and model <= UNIFORM and not replying:
        return last_ply(game, knowledge, state, sign, averaged, low, high, probe, ply, work)

    # 3. What an earlier visit found: an interval for the value, and the best action.
    before = info[HORIZON]
    in_table = depth >= 2 or mover < 0 or model > UNIFORM
    key, hint, answer = 0, -1, math.nan
    if in_table:
        key = node_key(knowledge, state, work)
        hint, answer = looked_up(key, depth, ply, sign, low, high, probe, work)
        if answer == answer:
            return answer

    # 4. List what may happen, with probabilities or with how promising it looks.
    base = info[TOP]
    if mover < 0:
        count, drawn = list_chance(game, state, key, base, work)
    else:
        count, drawn = list_actions(game, knowledge, state, depth, sign, hint, averaged, replying, base, work), 0
        if info[WIDTH] > 0 and count > 1 and not averaged and not replying:
            is_first = ply == 0 and info[MADE] == 0
            count = narrowed(base, count, is_first, work)
            if count == 1 and is_first and work.bounds[5] < math.inf and knowledge.evaluates:
                work.length[1] = 0  # no other action comes near: this one is taken as it looks
                keep_line(work, 0, work.actions[base])
                return worth(sign * work.lows[base], work)
    if count == 0 or info[FAULT] != 0:
        return stuck(game, state, mover, work)
    info[TOP] = base + count

    # 5. Look at each of them: for averages first as the model judges its moves, then a probe of each, then in
    #    full; for decisions in full, the most promising first. (One call site: two are not as fast.)
    hero, salt, reply, choice = info[HERO], info[SALT], info[REPLY], info[CHOICE]
    phase = FULL
    best, best_action = -math.inf, -1
    if model == GREEDY and hint > 0:  # judged before, at whatever depth
        best_action = hint - 1
        count = weigh(model, mover, best_action, base, count, work)
    elif model > UNIFORM:
        phase = JUDGE
        info[HERO], info[JUDGING], info[SALT], info[REPLY] = mover, 1, work.salts[2 + mover], 0
    if averaged and phase == FULL:
        phase = probe_or_full(depth, mover, low, high, base, count, work)
    bottom = low if sign > 0.0 else -high  # the window from the mover's perspective
    top = high if sign > 0.0 else -low
    total, most_total, squares, mass = 0.0, 0.0, 0.0, 1.0  # of outcomes known exactly; while probing, the least
    kind, index = 0, -1
    while answer != answer:
        index += 1
        if index >= count:
            if phase == FULL:
                break
            if phase == JUDGE:
                info[HERO], info[JUDGING], info[SALT], info[REPLY], info[HORIZON] = hero, 0, salt, reply, before
                count = weigh(model, mover, best_action, base, count, work)
                phase = probe_or_full(depth, mover, low, high, base, count, work)
            else:
                phase = FULL
                rest_bounds(base, count, work)
            total, index = 0.0, -1
            continue
        place = base + index
        action = int(work.actions[place]) if averaged else pick(work, base, index, count)
        weight = float(work.weights[place])
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
                total += weight * float(work.lows[place])
                most_total += weight * float(work.highs[place])
                continue
            ask = 1
            least, most = probe_window(kind, weight, low, high, total, most_total, mass, work)
        elif averaged:
            if info[STAR] > 0:
                least, most = average_window(place, weight, low, high, total, work)
        else:
            least, most = decision_window(sign, best, bottom, top, work)
            if info[REPLY] != 0:
                info[CHOICE] = 1 if sign > 0.0 or (replying and weight > 0.0) else 0

        value = expectiminimax(game, knowledge, child, reach, ply + 1, least, most, ask, work)
        info[CHOICE] = choice
        if info[STOPPED] != 0:
            work.path[ply] = action
            return 0.0
        if phase == JUDGE:
            work.lows[place] = value
            if value > best:
                best, best_action = value, index
        elif phase == PROBE:
            narrow(kind, value, place, work)
            total += weight * float(work.lows[place])
            most_total += weight * float(work.highs[place])
            answer = probed(kind, low, high, total, most_total, mass, work)
        elif averaged:
            if value <= least or value >= most:
                answer = decided(value, weight, place, least, most, low, high, total, work)
            total += weight * value
            squares += weight * value * value if drawn > 0 else weight * weight * work.variance[ply + 1]
        else:
            if sign * value > best:
                best, best_action = sign * value, action
                take(best, bottom, ply, action, work)
            if probe != 0 or (info[STAR] > 0 and best >= top):
                break

    # 6. Remember the interval that this proves.
    info[TOP] = base
    if averaged:
        if answer == answer:
            info[CUTS] += 1
        else:
            answer = total
            work.variance[ply] = max(squares - total * total, 0.0) / (drawn - 1) if drawn > 1 else squares
    else:
        answer = sign * best
        if info[STAR] > 0 and best >= top:
            info[CUTS] += 1
        if probe != 0:
            return answer if best > bottom else -sign * math.inf
    if in_table:
        kept = best_action if not averaged else best_action + 1 if model == GREEDY else 0
        store(key, RESOLVED if info[HORIZON] == before else depth, kept, answer, low, high, work)
    return answer


def decision_window(sign, best, bottom, top, work):
    """The window of an action, from the hero's perspective: below the best so far it does not matter what it is."""
    if work.info[STAR] == 0:
        return -math.inf, math.inf
    floor = best if best > bottom else bottom
    return (floor, top) if sign > 0.0 else (-top, -floor)


def take(best, bottom, ply, action, work):
    """Make an action the best one: its line is kept if it is inside the window."""
    if best > bottom:
        work.variance[ply] = work.variance[ply + 1]
        keep_line(work, ply, action)


def decider(game, state, work):
    """Who is to move, by which model, and -1.0 where that side minimises."""
    mover = game.to_move(state)
    if mover < 0:
        return mover, NOBODY, 1.0
    model = work.models[2 * mover] if work.info[JUDGING] == 0 else NOBODY
    return mover, model, 1.0 if game.team(mover) == game.team(work.info[HERO]) else -1.0


def node_key(knowledge, state, work):
    """The table's key of a state, which depends on the hero and on who may still choose a reply."""
    key = table_key(knowledge, state) ^ work.info[SALT]
    if work.info[REPLY] != 0:
        key ^= work.salts[work.info[CHOICE]]
    return key


def looked_up(key, depth, ply, sign, low, high, probe, work):
    """The best action that the table has, or -1, and a value that decides the node, or NaN."""
    info = work.info
    slot = find(key, work)
    if slot < 0:
        return -1, math.nan
    data = work.table[2 * slot + 1]
    hint, known = data >> 12, (data >> 1) & 1023
    if ply == 0 or info[SAMPLES] != 0 or info[STAR] <= 0 or (known != depth and known != RESOLVED):
        return hint, math.nan
    least, most = float(work.intervals[2 * slot]), float(work.intervals[2 * slot + 1])
    answer = math.nan
    if least >= high or least == most or (probe != 0 and sign > 0.0 and least > -math.inf):
        answer = least
    elif most <= low or (probe != 0 and sign < 0.0 and most < math.inf):
        answer = most
    if answer == answer and known != RESOLVED:
        info[HORIZON] += 1
    return hint, answer


def list_chance(game, state, key, base, work):
    """List the outcomes, or draw some of them where a sample is asked for; how many, and how many were drawn."""
    info = work.info
    count = list_outcomes(game, state, base, work)
    if info[SAMPLES] > 0 and (count > info[SAMPLES] or not game.lists_chance) and info[FAULT] == 0:
        info[HORIZON] += 1
        return draw_outcomes(game, state, key, count, base, work), info[SAMPLES]
    return count, 0


def stuck(game, state, mover, work):
    """There is no way on from an unfinished state: its utility where that ends the game, else a fault."""
    info = work.info
    if info[FAULT] != 0:
        return 0.0
    if mover >= 0 and not game.rules_end:
        return settled(game, state, work)
    fault(info, NO_ACTIONS if mover >= 0 else NO_OUTCOMES)
    return 0.0


def probe_or_full(depth, mover, low, high, base, count, work):
    """The phase after judging: Star2 needs a window to miss, and children that are not leaves.

    Where one move of each is looked at, a probe would be the whole of it."""
    reach = depth if mover == CHANCE else depth - 1
    if (
        work.info[STAR] > 1
        and work.info[REPLY_WIDTH] != 1
        and count > 1
        and reach > 0
        and (low > -math.inf or high < math.inf)
    ):
        return PROBE
    rest_bounds(base, count, work)
    return FULL


def probe_window(kind, weight, low, high, total, most_total, mass, work):
    """The window of a probe: outside it, this one outcome decides the average."""
    if kind < 0:
        rest = spared(mass, highest(work))
        return (low - most_total - rest - slack(low, most_total, rest)) / weight, math.inf
    rest = spared(mass, lowest(work))
    return -math.inf, (high - total - rest + slack(high, total, rest)) / weight


def average_window(place, weight, low, high, total, work):
    """The window of an outcome in full (Star1): outside it, whatever the later ones bring, the average is decided."""
    rest = float(work.highs[place])
    least = (low - total - rest - slack(low, total, rest)) / weight
    rest = float(work.lows[place])
    return least, (high - total - rest + slack(high, total, rest)) / weight


def narrow(kind, value, place, work):
    """Keep what a probe says of an outcome: a most where its opponents decide, a least where the hero's team does."""
    if kind < 0 and value < work.highs[place]:
        work.highs[place] = value
    if kind > 0 and value > work.lows[place]:
        work.lows[place] = value


def probed(kind, low, high, total, most_total, mass, work):
    """The average's bound where the probes decide already, or NaN."""
    if kind < 0:
        rest = spared(mass, highest(work))
        if most_total + rest < low - slack(low, most_total, rest):
            return most_total + rest + slack(low, most_total, rest) / 2
    elif kind > 0:
        rest = spared(mass, lowest(work))
        if total + rest > high + slack(high, total, rest):
            return total + rest - slack(high, total, rest) / 2
    return math.nan


def decided(value, weight, place, least, most, low, high, total, work):
    """The average's bound where an outcome outside its window decides, or NaN."""
    if value <= least and least > -math.inf:
        rest = float(work.highs[place])
        return total + weight * value + rest + slack(low, total, rest) / 2
    if value >= most and most < math.inf:
        rest = float(work.lows[place])
        return total + weight * value + rest - slack(high, total, rest) / 2
    return math.nan


def last_ply(game, knowledge, state, sign, averaged, low, high, probe, ply, work):
    """A player's node at depth 1: its successors are leaves, looked at where they stand."""
    info = work.info
    top = high if sign > 0.0 else -low
    best = -math.inf
    best_action = -1
    total = 0.0
    count = 0
    action = -1
    near, inputs, sums = scratch(), float_scratch(), float_scratch()
    near[0] = 0
    for action in game.actions(state):
        count += 1
        if count > game.max_actions:
            return fault(info, TOO_MANY_ACTIONS)
        child = game.result(state, action)
        if game.is_terminal(child):
            value = settled(game, child, work)
        elif knowledge.has_siblings:
            info[HORIZON] += 1
            value = worth(1.0 * knowledge.evaluate_beside(child, info[HERO], near, inputs, sums), work)
        else:
            value = guessed(game, knowledge, child, work)
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
