"""The engine's search: principal variations, a table, ordering; one kernel for every game.

Values are whole numbers of the game's `units`, in the view of the player asked for. A win at the
end of the utility range counts WIN_BONUS less its distance on top, so that sooner wins and later
losses are preferred; the surface takes that apart again into value and distance.

What makes an answer *proved* is counted, not guessed: info[HORIZON] goes up whenever an estimate, a
reduction, a null move or an unproved table entry was relied on. A subtree that leaves it unchanged is
resolved. info[PATH] is the highest ply whose state some value below was drawn for repeating (-1 where a counter
ended the game): a value that depends on a state above its own node is no value of that node, and the table does
not get it.
"""

from __future__ import annotations

import math

from ...bits import prefetch
from ...compiled import kernel
from ...counters import CROSSED_BOUNDS, NODES, STOPPED, fault, spent
from ...table_blocks import UNKNOWN, known_number
from .alphabeta import keep_line
from .ends import appraisal, by_table, in_units, leaf, outcome, rely_on_it, to_units
from .entries import decides, foretold, from_table, keep
from .ordering import (
    NO_SLOT,
    SURE,
    UNSCORED,
    learn_from_cut,
    learned,
    list_actions,
    list_noisy,
    pick,
    remember,
    score_actions,
    slot_of,
    without_left_out,
)
from .patterns import EVERYTHING, find, lower_of, upper_of
from .patterns import bucket_of as pattern_bucket
from .patterns import store as keep_pattern
from .probcut import doubt, row_of, shallow_depth
from .pvs_counters import (
    DEEPEST_PLY,
    DISTANCE,
    ESTIMATES,
    HORIZON,
    INFINITY,
    LEFT_OUT,
    MASK,
    MAX_PLY,
    MODE,
    NULL_PLY,
    PATH,
    PATTERNS,
    PROOF,
    ROOT_DEPTH,
    SELECTIVE,
    SHARE,
    STEP,
    TABLE_DEPTH,
    WIDTH,
    WIN,
)
from .repetition import NOWHERE, is_drawn
from .transposition import (
    LOWER,
    NEAR_MASK,
    NO_ACTION,
    UPPER,
    action_of,
    bound_of,
    bucket_of,
    probe,
    table_key,
    value_of,
)

BEYOND = 32  # plies beyond the depth limit that unquiet states and noisy actions may lead
NULL_DEPTH, NULL_REDUCTION = 3, 2  # from which depth passing is tried, and how much shallower
SHALLOW, RAZOR_DEPTH, LOSING_DEPTH = 7, 2, 3  # up to which depth margins, razoring, and leaving out losing moves go
UNGUIDED_DEPTH = 4  # from here on a node without a move from the table is searched a ply less
BUSY = 1 << 15  # slots of the table of positions that some thread is searching
TAKEN = -2
DEFERRED = -(1 << 61)  # the score of actions deferred because another thread searches them, less twice their number


@kernel
def pvs(game, knowledge, state, player, depth, ply, alpha, beta, work):
    """The value of `state` for `player`'s team, `depth` plies ahead (and beyond, while there is noise).

    Fail-soft: inside (alpha, beta) exact for this search, outside a bound on that side. `work.line`
    row `ply` is the principal line of a node searched with an open window. Meaningless once
    info[STOPPED] is set. The steps that could cut are for null windows only: elsewhere the line is wanted.
    """
    info = work.info
    # 1. Count the node, and stop when told to. At the depth limit of a game that knows no noise that is all but done.
    if depth <= 0 and not knowledge.has_noisy and not knowledge.has_is_quiet:
        return leaf(game, knowledge, state, player, ply, work)
    if spent(work, 0):
        return 0
    work.length[ply] = 0
    info[DEEPEST_PLY] = max(info[DEEPEST_PLY], ply)
    selective = info[MODE] == SELECTIVE
    urgent = knowledge.has_extend and selective and knowledge.extend(state)
    if urgent and depth >= 0 and ply < 2 * info[ROOT_DEPTH]:
        depth += 1
    key = 0
    bucket = 0
    late = knowledge.has_is_late and depth > 0 and beta - alpha == 1 and knowledge.is_late(state)
    in_table = not late and depth >= info[TABLE_DEPTH] and (depth > 0 or (knowledge.has_tactical and selective))
    shape, one, two, needed, spared = 0, 0, 0, 0, 0
    patterned = knowledge.has_patterns and info[PATTERNS] != 0
    if patterned:
        in_table = False
        work.relied[ply] = EVERYTHING
    if in_table:  # prefetch the table entry of step 6, so that it arrives while steps 2 to 5 run
        key = table_key(knowledge, state)
        bucket = bucket_of(key, info[MASK])
        prefetch(work.table, bucket)

    # 2. A finished game has its utility, and one that repetition ends is drawn.
    if game.rules_end and game.is_terminal(state):
        if knowledge.counts_down and knowledge.plies_left(state) <= 0:
            info[PATH] = -1
        if patterned:
            work.relied[ply] = 0
        return outcome(game, state, player, ply, work)
    if game.repeats and is_drawn(game, state, ply, work):
        return 0
    # ... and one that an endgame table has needs no search.
    if knowledge.has_table and ply > 0:
        number = known_number(knowledge, state)
        if number != UNKNOWN:
            return by_table(game, knowledge, state, player, ply, number, work)

    # 3. From here on everything is in the mover's view.
    mover = game.to_move(state)
    sign = 1 if game.team(mover) == game.team(player) else -1
    low = alpha if sign > 0 else -beta
    high = beta if sign > 0 else -alpha
    null_window = high - low == 1
    best = -INFINITY
    static = 0
    rising = True
    floor = low
    hint = NO_ACTION
    entry = 0
    every_action = depth > 0
    checks = False

    if depth <= 0:
        # 4. At the depth limit: a state that is not quiet is searched on. Elsewhere the evaluation counts, and
        #    the noisy moves: the mover may always decline them (stand pat), so the estimate is a lower bound.
        if not game.rules_end and game.is_terminal(state):
            return outcome(game, state, player, ply, work)
        room = depth > -BEYOND and ply < MAX_PLY - 1
        every_action = knowledge.has_is_quiet and room and not knowledge.is_quiet(state)
        if not every_action:
            best = appraisal(game, knowledge, state, mover, work)  # before the table is read: its entry is on its way
        if knowledge.has_tactical and in_table:
            data = probe(work.table, bucket, key)
            if data != 0:
                hint = action_of(data)
                if null_window and decides(game, knowledge, state, data, 0, ply, low, high, info):
                    return sign * from_table(value_of(data), ply, info)
        if not every_action:
            rely_on_it(work)
            if not knowledge.has_noisy or best >= high or not room:
                return sign * best
            floor = low
            low = max(low, best)
    else:
        # 5. What the game can prove without searching. (How far away a proved win or loss is, it does not say.)
        if late:
            return sign * finished_early(game, knowledge, state, low, high, work)
        if knowledge.has_bounds:
            least, most = proved_bounds(game, knowledge, state, work)
            if null_window and (least >= high or most <= low):
                if patterned:
                    bound = high if least >= high else low
                    work.relied[ply] = knowledge.grounds(state, bound, least >= high)
                    return sign * bound
                return sign * (least if least >= high else most)

        # 6. What an earlier visit found: the value, where the entry may stand for this search, and a first move.
        if knowledge.has_margin and selective and not urgent:
            static = appraisal(game, knowledge, state, mover, work)  # while the entry is on its way
        if in_table:
            data = probe(work.table, bucket, key)
            if data != 0:
                hint = action_of(data)
                entry = data
                if null_window and decides(game, knowledge, state, data, depth, ply, low, high, info):
                    return sign * from_table(value_of(data), ply, info)

        if patterned:
            shape = knowledge.shape(state)
            if shape != 0:
                one, two = knowledge.pattern(state)
                bucket = pattern_bucket(shape, info)
                banked = knowledge.banked(state)
                place = find(work.patterns, bucket, shape, one, two, low - banked, high - banked)
                if place > 0:
                    data = work.patterns[place + 4]
                    work.relied[ply] = knowledge.needed_for(state, work.patterns[place + 1])
                    lower = lower_of(data) + banked
                    return sign * (lower if lower >= high else upper_of(data) + banked)
                if place < 0:
                    hint = work.patterns[4 - place] & 0xFFFF

        # 7. Near the depth limit a state far outside the window will hardly come back into it: a guess, as is the next
        #    step. Below the window only what the noisy moves win is looked at. Without a move from the table to begin
        #    with, a ply less will find one. A side whose evaluation rises is given more credit, one whose falls less.
        if knowledge.has_margin and selective and urgent:
            work.statics[ply + 2] = work.statics[ply]
        if knowledge.has_margin and selective and not urgent:
            work.statics[ply + 2] = static
            rising = static > work.statics[ply]
            static = corrected(static, entry, ply, info)
            if null_window and depth <= SHALLOW and abs(high) < info[WIN] and abs(static) < info[WIN]:
                if static - in_units(knowledge, depth - (1 if rising else 0), work) >= high:
                    info[HORIZON] += 1
                    info[ESTIMATES] += 1
                    return sign * static
                if depth <= RAZOR_DEPTH and static + in_units(knowledge, depth + 2, work) <= low:
                    nothing = min(depth, 0)  # a literal 0 would be another type, and a second kernel
                    uncount(info)
                    value = pvs(game, knowledge, state, mover, nothing, ply, low, high, work)
                    if info[STOPPED] != 0 or value <= low:
                        return sign * value
        if knowledge.has_tactical and selective and hint == NO_ACTION and depth >= UNGUIDED_DEPTH:
            depth -= 1

        # 8. What a shallower search says far outside the window the deeper one will hardly take back (multi-ProbCut): a
        #    guess as sure as the task wants it. Whichever side of the window the evaluation is on is asked about.
        if knowledge.has_probcut and selective and null_window and abs(high) < info[WIN]:
            row = row_of(knowledge, state, depth)
            shallow = shallow_depth(knowledge, row)
            if shallow > 0:
                relied, estimates = info[HORIZON], info[ESTIMATES]
                above_it = appraisal(game, knowledge, state, mover, work) >= high
                bar = high + doubt(knowledge, row, work) if above_it else low - doubt(knowledge, row, work)
                if abs(bar) < info[WIN]:
                    under = bar - 1 if above_it else bar
                    uncount(info)
                    value = pvs(game, knowledge, state, mover, shallow, ply, under, under + 1, work)
                    if info[STOPPED] != 0:
                        return 0
                    info[HORIZON], info[ESTIMATES] = relied, estimates
                    if (value > under) == above_it:
                        info[HORIZON] += 1
                        return sign * (high if above_it else low)

        # 9. Who is well off even after passing is better off moving, in most games: a guess, so never in a proof.
        if (
            knowledge.has_null_move
            and null_window
            and may_pass(game, knowledge, state, mover, depth, ply, high, static, work)
        ):
            info[NULL_PLY] = ply + 1
            less = NULL_REDUCTION
            if knowledge.has_margin:
                less += depth // 3 + min((static - high) // max(in_units(knowledge, 1, work), 1), 3)
            if knowledge.has_slot:
                work.slots[ply + 2] = NO_SLOT
            uncount(info)
            value = pvs(game, knowledge, knowledge.null_move(state), mover, depth - 1 - less, ply + 1, low, high, work)
            info[NULL_PLY] = -1
            if info[STOPPED] != 0:
                return 0
            if value >= high:
                info[HORIZON] += 1
                return sign * high

    # 10. List the actions with how promising they look. None: the game is over after all, or the rules are at fault.
    count = 0
    if every_action:
        count = list_actions(game, knowledge, state, mover, depth, ply, hint, work)
        if count <= 0:
            return outcome(game, state, player, ply, work) if count == 0 and info[STOPPED] == 0 else 0
    elif knowledge.has_noisy:
        count = list_noisy(game, knowledge, state, ply, hint, work)
    if info[STOPPED] != 0:
        return 0
    if ply == 0 and info[LEFT_OUT] > 0:
        count = without_left_out(work, count)

    # ... and in a long proof see whether one of them leads to a state that is known to be good enough.
    settled = not game.repeats and not knowledge.counts_down  # only where values do not depend on the path
    if settled and info[MODE] == PROOF and null_window and in_table and count > 1 and info[MASK] > NEAR_MASK:
        value = foretold(game, knowledge, state, mover, ply, count, high, work)
        if value >= high:
            return sign * value

    # 11. Search them, the most promising first. The first gets the whole window; the others must show with
    #    a null window that they are better, and only then are measured (one call site: it compiles once).
    #    With several threads an action that another one is searching waits until the others are done.
    before = info[HORIZON] if every_action else -1  # an estimate stands in for the moves that are not noisy
    above = info[PATH]
    info[PATH] = NOWHERE
    if every_action:
        floor = low
    best_action = NO_ACTION
    base = 2 * ply * game.max_actions
    listed = count
    sifting = False
    index = -1
    while index < count - 1:
        index += 1
        if (knowledge.has_slot or not knowledge.use_history) and every_action:
            if index == 1 and work.scores[base] == UNSCORED:
                score_actions(game, knowledge, state, mover, depth, ply, hint, base + 1, base + count, work)
            if (index > 0 or work.scores[base] != UNSCORED) and not sifting:
                action = pick(work, base, index, count)
            else:
                action = work.actions[base + index]
        else:
            action = pick(work, base, index, count)
        if patterned and spared >> action & 1:
            continue
        number = index
        weak = work.scores[base + index] < 0
        if index >= listed:  # it was deferred: it keeps its place in the order and its reduction
            number = (DEFERRED - work.scores[base + index]) >> 1
            weak = (DEFERRED - work.scores[base + index]) & 1 != 0
        quiet = knowledge.has_tactical and selective and every_action and not knowledge.tactical(state, action)
        leaving_out = null_window and not urgent and 0 < index < listed and depth <= SHALLOW and best > -info[WIN]
        child = game.result(state, action)
        if knowledge.has_tactical and selective and every_action:
            checks = knowledge.has_extend and knowledge.extend(child)
            if leaving_out and not checks:
                few = 3 + depth * depth if rising else (3 + depth * depth) // 2
                lost = index >= few if quiet else weak and depth <= LOSING_DEPTH
                sifting = sifting or (quiet and lost)  # what is quiet is left out from here on: no need to sort it
                if quiet and knowledge.has_margin and abs(low) < info[WIN]:
                    lost = lost or static + in_units(knowledge, depth + 1, work) <= low
                if lost:
                    info[HORIZON] += 1
                    info[ESTIMATES] += 1
                    continue
            if knowledge.has_slot:
                work.slots[ply + 2] = slot_of(knowledge, state, action)
        shared = -1
        if info[SHARE] <= depth and index > 0:
            shared = claim(game, knowledge, child, work)
            if shared == TAKEN and index < listed:
                work.actions[base + count] = action
                work.scores[base + count] = DEFERRED - 2 * index - (1 if weak else 0)
                count += 1
                continue
        # Late, quiet moves are tried one or two plies shallower; better than alpha, they are searched in full.
        reduction = 0
        if knowledge.has_tactical:
            if selective and every_action and number >= 2 and depth >= 3 and (quiet or weak):
                reduction = work.reductions[64 * min(depth, 63) + min(number, 63)]
                reduction += (0 if rising else 1) if null_window else -1
                reduction -= 1 if checks or urgent else 0
                if knowledge.has_slot and quiet:
                    reduction -= learned(knowledge, state, action, ply, mover, work) // SURE
                reduction = min(max(reduction, 0), depth - 2)
        elif info[MODE] == SELECTIVE and number >= 3 and depth >= 3:
            reduction = 1 if number < 8 or depth < 6 else 2
        top = high if index == 0 else low + 1
        while True:
            if depth - 1 - reduction <= 0 and not knowledge.has_noisy and not knowledge.has_is_quiet:
                value = leaf(game, knowledge, child, mover, ply + 1, work)  # the call below, inlined
            else:
                value = pvs(game, knowledge, child, mover, depth - 1 - reduction, ply + 1, low, top, work)
            if info[STOPPED] != 0 or (reduction == 0 and (value <= low or value >= high or top >= high)):
                break
            if value <= low:
                info[HORIZON] += 1
                break
            top = high if reduction == 0 else top
            reduction = 0
            uncount(info)
        if shared >= 0:
            work.busy[shared] = 0
        if info[STOPPED] != 0:
            work.path[ply] = action
            return 0
        if patterned:
            rests = knowledge.relied(state, action, work.relied[ply + 1])
            needed = rests if value >= high else needed | rests
            spared |= knowledge.spares(state, action, rests)
        if value > best:
            best = value
            best_action = action
            if value > low:
                low = value
                keep_line(work, ply, action, info[WIDTH])
                if low >= high:
                    if knowledge.has_slot:
                        if quiet and depth > 0:
                            learn_from_cut(knowledge, state, ply, mover, depth, base, index, work)
                    elif knowledge.use_history and depth > 0:
                        remember(game, work, ply, mover, action, depth)
                    break

    # 12. Remember what was found, and tell the nodes above which of them it depends on.
    if in_table and (ply > 0 or info[LEFT_OUT] == 0):
        keep(game, knowledge, work, bucket, key, best, best_action, hint, floor, high, max(depth, 0), ply, before)
    if patterned:
        work.relied[ply] = needed
        if shape != 0 and (best >= high or best <= floor):
            banked, bits = knowledge.banked(state), knowledge.pattern_bits(state, needed)
            keep_pattern(work.patterns, bucket, shape, bits, one, two, best - banked, best >= high, best_action)
    if game.repeats or knowledge.counts_down:
        info[PATH] = min(above, info[PATH]) if info[PATH] < ply else above
    return sign * best


def uncount(info):
    """Before a state is searched that counts already, or one after a pass: a node is a move that was made."""
    info[NODES] -= 1


# -- what needs no search -----------------------------------------------------------------------------------


def finished_early(game, knowledge, state, low, high, work):
    """The game's own solver of its last moves: it counts in steps, and gets the window rounded outwards."""
    step = work.info[STEP]  # in units
    return step * knowledge.finish(state, low // step, -(-high // step), work)


def proved_bounds(game, knowledge, state, work):
    """The game's bounds in units; where distances count, only those that do not reach a win or a loss."""
    info = work.info
    least, most = knowledge.bounds(state)
    if least > most:
        fault(info, CROSSED_BOUNDS)
    floor = -INFINITY
    ceiling = INFINITY
    if least > -math.inf:
        floor = to_units(work, least)
    if most < math.inf:
        ceiling = to_units(work, most)
    if info[DISTANCE] != 0:
        floor = floor if floor > -info[DISTANCE] else -INFINITY
        ceiling = ceiling if ceiling < info[DISTANCE] else INFINITY
    return floor, ceiling


def corrected(static, entry, ply, info):
    """An evaluation, or what an entry of the table knows better: that the state is worth more, or less."""
    if entry == 0:
        return static
    value, bound = from_table(value_of(entry), ply, info), bound_of(entry)
    if abs(value) >= info[WIN] or (bound == UPPER and value >= static) or (bound == LOWER and value <= static):
        return static
    return value


def may_pass(game, knowledge, state, mover, depth, ply, high, static, work):
    """Whether a null move is worth trying: selective, not twice in a row, far from the end, and well off already."""
    info = work.info
    if info[MODE] != SELECTIVE or depth < NULL_DEPTH or info[NULL_PLY] == ply or abs(high) >= info[WIN]:
        return False
    if (static if knowledge.has_margin else appraisal(game, knowledge, state, mover, work)) < high:
        return False
    other = knowledge.null_move(state)
    return game.team(game.to_move(other)) != game.team(mover)


# -- several threads --------------------------------------------------------------------------------------------


def claim(game, knowledge, state, work):
    """Mark a position as being searched: its place, TAKEN if another thread has it, -1 if the place is in use.

    Two threads may both believe that they were first: that costs time, never correctness.
    """
    key = table_key(knowledge, state)
    place = key & (BUSY - 1)
    if work.busy[place] == key:
        return TAKEN
    if work.busy[place] != 0:
        return -1
    work.busy[place] = key
    return place
