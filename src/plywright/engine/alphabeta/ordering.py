"""Which actions the engine tries at a node, and in which order."""

from __future__ import annotations

import numpy as np

from ...bits import prefetch
from ...counters import NO_ACTIONS, TOO_MANY_ACTIONS, fault
from .pvs_counters import LEFT_OUT, MASK, MODE, MOST_ACTIONS, PROOF
from .repetition import is_forbidden
from .transposition import NEAR_MASK, bucket_of, table_key

HISTORY = 1 << 12  # history counters per side
MOST_HISTORY = 1 << 30
SLOTS = 512
NO_SLOT = SLOTS  # after a null move, and before the root
SURE = 1 << 14  # the limit of history counters with ageing
UNSCORED = 1 << 61  # the score of an action that is tried before the others are scored
DRAWN = -1  # instead of a number of actions: repetition forbids them all


def list_actions(game, knowledge, state, mover, depth, ply, hint, work):
    """Put the candidates and their scores into the rows of this ply: how many, or DRAWN if all would repeat."""
    info = work.info
    base = 2 * ply * game.max_actions
    most = info[MOST_ACTIONS]  # as a constant it would have the loops unrolled, beyond what the instruction cache holds
    count = 0
    left_out = 0
    for action in knowledge.candidates(state):
        if game.repetition_forbids != 0 and is_forbidden(game, game.result(state, action), ply, work):
            left_out += 1
            continue
        if count >= most:
            return fault(info, TOO_MANY_ACTIONS)
        work.actions[base + count] = action
        count += 1
    if count > 1:
        lazy = knowledge.has_slot or not knowledge.use_history
        if not lazy or ply == 0 or not comes_first(work, base, count, hint):
            score_actions(game, knowledge, state, mover, depth, ply, hint, base, base + count, work)
    elif count == 0:
        if left_out != 0:
            return DRAWN
        if game.rules_end or (knowledge.has_candidates and not game.is_terminal(state)):
            return fault(info, NO_ACTIONS)
    return count


def comes_first(work, base, count, hint):
    """Bring the table's action to the front, if it is one of them: often the others need no scores."""
    for place in range(base, base + count):
        if (work.actions[place] & 0xFFFF) == hint:
            first = work.actions[base]
            work.actions[base] = work.actions[place]
            work.actions[place] = first
            work.scores[base] = UNSCORED
            return True
    return False


def score_actions(game, knowledge, state, mover, depth, ply, hint, first, end, work):
    """The scores of the actions from one place of the list to another."""
    info = work.info
    for place in range(first, end):
        action = work.actions[place]
        work.scores[place] = promise(game, knowledge, state, action, max(depth, 0), ply, mover, hint, work)
        if info[MODE] == PROOF and info[MASK] > NEAR_MASK:  # long proofs wait for memory: prefetch
            child = game.result(state, action)
            if not knowledge.has_is_late or not knowledge.is_late(child):  # those are not in the table
                prefetch(work.table, bucket_of(table_key(knowledge, child), info[MASK]))


def list_noisy(game, knowledge, state, ply, hint, work):
    """The same for the actions beyond the depth limit."""
    base = 2 * ply * game.max_actions
    count = 0
    for action in knowledge.noisy(state):
        if game.repetition_forbids != 0 and is_forbidden(game, game.result(state, action), ply, work):
            continue
        if count >= game.max_actions:
            return fault(work.info, TOO_MANY_ACTIONS)
        work.actions[base + count] = action
        score = knowledge.priority(state, action, 0) if knowledge.has_priority else 0
        work.scores[base + count] = 1 << 40 if (action & 0xFFFF) == hint else score
        count += 1
    return count


def promise(game, knowledge, state, action, depth, ply, mover, hint, work):
    """How early to try an action: the table's first, then the game's own order, killers and history."""
    if (action & 0xFFFF) == hint:
        return 1 << 60
    score = 0
    if knowledge.has_priority:
        score = knowledge.priority(state, action, depth) << 32
    if knowledge.has_slot:
        score += learned_promise(knowledge, state, action, ply, mover, work)
    elif knowledge.use_history:
        if action == work.killers[2 * ply]:
            score += MOST_HISTORY + 2
        elif action == work.killers[2 * ply + 1]:
            score += MOST_HISTORY + 1
        else:
            score += work.history[game.team(mover) * HISTORY + (action & (HISTORY - 1))]
    return score


def without_left_out(work, count):
    """The actions of the root less those that are not asked for; the rest move up. How many are left."""
    left = 0
    for place in range(count):
        wanted = True
        for other in range(work.info[LEFT_OUT]):
            wanted = wanted and work.left_out[other] != work.actions[place]
        if wanted:
            work.actions[left] = work.actions[place]
            work.scores[left] = work.scores[place]
            left += 1
    return left


def learned_promise(knowledge, state, action, ply, mover, work):
    """What earlier cuts say of an action: killers of this ply, the answer to the last move, what was learned."""
    if action == work.killers[2 * ply]:
        return MOST_HISTORY + 3
    if action == work.killers[2 * ply + 1]:
        return MOST_HISTORY + 2
    before = work.slots[ply + 1]
    if action == work.answers[before]:
        return MOST_HISTORY + 1
    return learned(knowledge, state, action, ply, mover, work)


def slot_of(knowledge, state, action):
    """The place of a move in what is learned of sequels, within them whatever the knowledge says."""
    return np.int64(knowledge.slot(state, action)) & np.int64(SLOTS - 1)


def learned(knowledge, state, action, ply, mover, work):
    """How well an action has done, in general and after the last two moves: within 4 * SURE."""
    slot = slot_of(knowledge, state, action)
    general = np.int64(work.recent[mover * HISTORY + (action & (HISTORY - 1))])
    one = np.int64(work.sequels[work.slots[ply + 1] * SLOTS + slot])
    two = np.int64(work.sequels[work.slots[ply] * SLOTS + slot])
    return 2 * general + one + two


def learn(knowledge, state, action, ply, mover, bonus, work):
    """Move the counters of an action towards +SURE or -SURE, the less the nearer they are."""
    slot = slot_of(knowledge, state, action)
    shift(work.recent, mover * HISTORY + (action & (HISTORY - 1)), bonus)
    shift(work.sequels, work.slots[ply + 1] * SLOTS + slot, bonus)
    shift(work.sequels, work.slots[ply] * SLOTS + slot, bonus)


def shift(counters, place, bonus):
    old = np.int64(counters[place])
    counters[place] = np.int16(old + bonus - old * abs(bonus) // SURE)


def learn_from_cut(knowledge, state, ply, mover, depth, base, index, work):
    """A quiet action cut: it did well here, and those tried before it did not."""
    action = work.actions[base + index]
    if work.killers[2 * ply] != action:
        work.killers[2 * ply + 1] = work.killers[2 * ply]
        work.killers[2 * ply] = action
    work.answers[work.slots[ply + 1]] = action
    bonus = min(16 * depth * depth + 32 * depth, 1600)
    learn(knowledge, state, action, ply, mover, bonus, work)
    for earlier in range(index):
        other = work.actions[base + earlier]
        if other != action and not knowledge.tactical(state, other):
            learn(knowledge, state, other, ply, mover, -bonus, work)


def pick(work, base, index, count):
    """Bring the most promising of the remaining actions to `index`; the others keep their order."""
    actions, scores = work.actions, work.scores
    best = index
    for other in range(index + 1, count):
        if scores[base + other] > scores[base + best]:
            best = other
    action, score = actions[base + best], scores[base + best]
    while best > index:
        actions[base + best] = actions[base + best - 1]
        scores[base + best] = scores[base + best - 1]
        best -= 1
    actions[base + index] = action
    scores[base + index] = score
    return action


def remember(game, work, ply, mover, action, depth):
    """An action cut: try it early at this ply (killer) and in general (history)."""
    if work.killers[2 * ply] != action:
        work.killers[2 * ply + 1] = work.killers[2 * ply]
        work.killers[2 * ply] = action
    place = game.team(mover) * HISTORY + (action & (HISTORY - 1))
    work.history[place] += depth * depth
    if work.history[place] > MOST_HISTORY:
        for other in range(2 * HISTORY):
            work.history[other] >>= 1
