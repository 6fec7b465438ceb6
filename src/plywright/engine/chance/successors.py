"""The successors of a node, written to the workspace: outcomes of chance, actions in order, a model's choices."""

from __future__ import annotations

import math

from ...bits import float_scratch, scratch
from ...counters import BAD_PROBABILITY, BAD_SUM, NO_ROOM, TOO_MANY_ACTIONS, fault
from ...number import sums_to_one
from ...rng import below, scramble
from .expectation_tables import ACTION_BITS, CHOICE, HORIZON, REPLY_WIDTH, ROOM, SAMPLES, SOFT, WIDTH, highest, lowest


def list_outcomes(game, state, base, work):
    """Write the outcomes of chance, the most probable first; returns how many, and checks that they make sense."""
    info = work.info
    count = 0
    total = 0.0
    for outcome, probability in game.chance(state):
        if base + count >= info[ROOM]:
            fault(info, NO_ROOM)
            return 0
        if not 0.0 < probability <= 1.0 + 1e-9:
            work.culprit[0] = probability
            fault(info, BAD_PROBABILITY)
            return 0
        place = base + count
        while place > base and work.weights[place - 1] < probability:
            work.actions[place] = work.actions[place - 1]
            work.weights[place] = work.weights[place - 1]
            place -= 1
        work.actions[place] = outcome
        work.weights[place] = probability
        total += probability
        count += 1
    if count > 0 and not sums_to_one(total):
        work.culprit[0] = total
        fault(info, BAD_SUM)
    for index in range(base, base + count):
        work.lows[index] = lowest(work)
        work.highs[index] = highest(work)
    return count


def draw_outcomes(game, state, key, count, base, work):
    """Replace the outcomes by a sample of info[SAMPLES] draws, weighted by how often each came.

    The draws depend on the state and the seed alone, so that every visit of a state sees the same sample.
    """
    info, rng = work.info, work.rng
    rng[0] = scramble(key ^ work.seed[0])
    draws = info[SAMPLES]
    found = 0
    if game.lists_chance:
        for index in range(base, base + count):
            work.lows[index] = 0.0
        for _ in range(draws):
            point = below(rng, 1 << 31) / (1 << 31)
            index = base
            while index < base + count - 1 and point >= work.weights[index]:
                point -= work.weights[index]
                index += 1
            work.lows[index] += 1.0
        for index in range(base, base + count):
            if work.lows[index] > 0.0:
                work.actions[base + found] = work.actions[index]
                work.weights[base + found] = work.lows[index] / draws
                found += 1
    else:
        if base + draws >= info[ROOM]:
            fault(info, NO_ROOM)
            return 0
        for _ in range(draws):
            outcome = game.sample(state, rng)
            place = base
            while place < base + found and work.actions[place] != outcome:
                place += 1
            if place == base + found:
                work.actions[place] = outcome
                work.weights[place] = 0.0
                found += 1
            work.weights[place] += 1.0 / draws
    for index in range(base, base + found):
        work.lows[index] = lowest(work)
        work.highs[index] = highest(work)
    return found


def list_actions(game, knowledge, state, depth, sign, hint, averaged, replying, base, work):
    """Write the actions of a player, with equal probabilities or with scores to order them by; returns how many."""
    info = work.info
    count = 0
    chosen = -1
    chosen_score = -math.inf
    mover = game.to_move(state)
    near, inputs, sums = scratch(), float_scratch(), float_scratch()
    near[0] = 0
    for action in game.actions(state):
        if count >= game.max_actions or base + count + 1 >= info[ROOM]:
            fault(info, TOO_MANY_ACTIONS if count >= game.max_actions else NO_ROOM)
            return 0
        score = 0.0
        if not averaged:
            if knowledge.has_priority and (info[WIDTH] == 0 or not knowledge.evaluates):  # a filter goes by evaluations
                score = 1.0 * knowledge.priority(state, action, depth)
            elif knowledge.evaluates and (depth > 1 or replying):
                score = promise(game, knowledge, game.result(state, action), mover, near, inputs, sums)
            if replying and score > chosen_score:
                chosen, chosen_score = action, score
            work.lows[base + count] = score
            if (action & ACTION_BITS) == hint:
                score = math.inf
        work.actions[base + count] = action
        work.scores[base + count] = score
        work.weights[base + count] = 0.0
        count += 1
    if replying and count > 0:
        # Best reply: one of the opponents between two moves of the hero chooses; the others play what looks best.
        if info[CHOICE] == 0:
            info[HORIZON] += count > 1  # what was left out was estimated only
            count = 0
        work.actions[base + count] = chosen
        work.scores[base + count] = -math.inf
        work.weights[base + count] = 1.0 * info[CHOICE]
        count += 1
    if averaged:
        for index in range(base, base + count):
            work.weights[index] = 1.0 / count
            work.lows[index] = lowest(work)
            work.highs[index] = highest(work)
    return count


def narrowed(base, count, is_first, work):
    """Keep the most promising actions (a move filter), the best first; returns how many there are then.

    These are info[WIDTH] at the first decision and info[REPLY_WIDTH] later, of those at most a margin behind the best.
    """
    width = min(count, work.info[WIDTH] if is_first else work.info[REPLY_WIDTH])
    least = -math.inf
    for index in range(base, base + count):
        least = max(least, work.lows[index])  # how it looks; its score is infinite where the table has it
    least -= work.bounds[5]
    kept = 0
    while kept < width:
        best = base + kept
        for index in range(best + 1, base + count):
            if work.scores[index] > work.scores[best]:
                best = index
        if work.scores[best] < least:
            break
        action, score, look, place = work.actions[best], work.scores[best], work.lows[best], base + kept
        work.actions[best], work.scores[best] = work.actions[place], work.scores[place]
        work.lows[best], work.lows[place] = work.lows[place], look
        work.actions[place], work.scores[place] = action, score
        kept += 1
    if kept < count:
        work.info[HORIZON] += 1  # what was left out was estimated only
    return kept


def promise(game, knowledge, child, mover, near, inputs, sums):
    """How good a successor looks to the player who moved there; the last three as `evaluate_beside` has them."""
    if game.is_terminal(child):
        return 1.0 * game.utility(child, mover)
    if knowledge.has_siblings:
        return 1.0 * knowledge.evaluate_beside(child, mover, near, inputs, sums)
    return 1.0 * knowledge.evaluate(child, mover)


def weigh(model, mover, best, base, count, work):
    """The probabilities of a model's actions from the values it gave them; drops those it never plays."""
    uniform, rationality = work.rates[2 * mover], work.rates[2 * mover + 1]
    total = 0.0
    favourite = work.lows[base + best]
    for index in range(base, base + count):
        share = 1.0 if index == base + best else 0.0
        if model == SOFT:
            share = math.exp(rationality * (work.lows[index] - favourite))
        work.weights[index] = share
        total += share
    kept = 0
    for index in range(base, base + count):
        weight = uniform / count + (1.0 - uniform) * work.weights[index] / total
        if weight > 0.0:
            place = base + kept
            work.actions[place] = work.actions[index]
            work.weights[place] = weight
            work.lows[place] = lowest(work)
            work.highs[place] = highest(work)
            kept += 1
    return kept


def pick(work, base, index, count):
    """Bring the most promising of the remaining actions to `index`; the others keep their order."""
    actions, scores, weights = work.actions, work.scores, work.weights
    best = base + index
    for other in range(base + index + 1, base + count):
        if scores[other] > scores[best]:
            best = other
    action, score, weight = actions[best], scores[best], weights[best]
    while best > base + index:
        actions[best] = actions[best - 1]
        scores[best] = scores[best - 1]
        weights[best] = weights[best - 1]
        best -= 1
    actions[best] = action
    scores[best] = score
    weights[best] = weight
    return int(action)
