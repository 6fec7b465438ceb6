"""Sweeps over a graph of states: strongly connected parts in order, and values by interval iteration.

`work` holds the graph of `Reachable` (`first`, `target`, `label`) and, for every state, `kind` and the values
`low` and `high`. No game is needed: all games share one compilation.
"""

from __future__ import annotations

import math

from ...compiled import kernel
from ...counters import HEADER, NODES, STOPPED

INFO = 10
STATES, PARTS, PART, SWEEPS, OPEN, VIEWS = range(HEADER, INFO)
"""NODES counts updates of states; PART is the part that is being solved; OPEN counts parts that stayed apart."""
ENDED, LARGEST, LEAST, AVERAGE, FIXED = range(5)
"""What a state's value is made of: nothing, its ways on, or the one way that `choice` names."""
MOST_SWEEPS = 1_000_000
SETTLED = 1e-16  # of the range of values: less than this a sweep does not count as a change
CALM_SWEEPS = 64  # without a change, after which a part is as good as it gets


@kernel
def order_parts(game, work):
    """Number the strongly connected parts so that every way out of one leads to an earlier one (Tarjan 1972).

    Afterwards `order` lists the states part by part, each part's in an order that suits sweeps, and `part`
    has the place where each part begins.
    """
    info, first, target = work.info, work.first, work.target
    number, lowest, stack, frames, ways = work.number, work.lowest, work.stack, work.frames, work.ways
    found, waiting, listed, depth = 1, 0, 0, 0
    number[0] = lowest[0] = 1
    stack[0] = frames[0] = 0
    ways[0] = first[0]
    waiting = 1
    while depth >= 0:
        here = frames[depth]
        if ways[depth] < first[here + 1]:
            child = target[ways[depth]]
            ways[depth] += 1
            if number[child] == 0:
                found += 1
                if (found & 1023) == 0 and work.stop[0] != 0:
                    info[STOPPED] = 1
                    return
                number[child] = lowest[child] = found
                stack[waiting] = child
                waiting += 1
                depth += 1
                frames[depth] = child
                ways[depth] = first[child]
            elif number[child] > 0:  # still waiting, so in the same part
                lowest[here] = min(lowest[here], number[child])
            info[NODES] += 1
            continue
        if lowest[here] == number[here]:
            work.part[info[PARTS]] = listed
            info[PARTS] += 1
            while True:
                waiting -= 1
                member = stack[waiting]
                number[member] = -1
                work.order[listed] = member
                listed += 1
                if member == here:
                    break
        depth -= 1
        if depth >= 0:
            above = frames[depth]
            lowest[above] = min(lowest[above], lowest[here])
    work.part[info[PARTS]] = listed


@kernel
def close_in(game, tolerance, span, work):
    """Bring `low` and `high` of every state as close together as they come, part by part.

    Where nothing leads back a state is looked at once. In a part with cycles both begin at the ends of the range
    and are swept until they lie within `tolerance` of each other beyond what came in from outside, or rest: every
    value they take on the way is a bound, whatever an endless game is worth within the range.
    """
    info, first, target = work.info, work.first, work.target
    while info[PART] < info[PARTS]:
        begin, end = work.part[info[PART]], work.part[info[PART] + 1]
        here = work.order[begin]
        cyclic = end - begin > 1
        for way in range(first[here], first[here + 1]):
            cyclic = cyclic or target[way] == here
        if not cyclic:
            info[NODES] += 1
            if work.kind[here] != ENDED:
                work.low[here] = backed_up(here, work.low, work)
                work.high[here] = backed_up(here, work.high, work)
        else:
            sweep_part(begin, end, tolerance, span, work)
            if info[STOPPED] != 0:
                return
        info[PART] += 1


def sweep_part(begin, end, tolerance, span, work):
    """Sweep one part with cycles until its bounds meet or rest."""
    info = work.info
    calm = 0
    for _ in range(MOST_SWEEPS):
        if work.stop[0] != 0:
            info[STOPPED] = 1
            return
        change = 0.0
        width = 0.0
        for index in range(begin, end):
            here = work.order[index]
            low = max(backed_up(here, work.low, work), work.low[here])  # bounds never get worse
            high = min(backed_up(here, work.high, work), work.high[here])
            change = max(change, low - work.low[here], work.high[here] - high)
            work.low[here], work.high[here] = low, high
            width = max(width, high - low)
        info[NODES] += end - begin
        info[SWEEPS] += 1
        if width <= tolerance:
            return
        calm = calm + 1 if change <= SETTLED * span else 0
        if calm >= CALM_SWEEPS:
            break
    info[OPEN] += 1


def backed_up(here, values, work):
    """The value of a state by those of its ways on."""
    kind = work.kind[here]
    begin, end = work.first[here], work.first[here + 1]
    if kind == FIXED:
        return float(values[work.target[work.choice[here]]])
    if kind == AVERAGE:
        total = 0.0
        for way in range(begin, end):
            total += work.label[way] * values[work.target[way]]
        return total
    best = float(values[work.target[begin]])
    for way in range(begin + 1, end):
        value = float(values[work.target[way]])
        if (value > best) == (kind == LARGEST):
            best = value
    return best


@kernel
def take_turns(game, sweeps, span, work):
    """Sweep the values of all players (`value`: [states, VIEWS]) where each mover takes what is best for it.

    `choice` keeps the way that each mover takes; another must be clearly better to replace it, so that ties do
    not go round for ever. Returns the largest change of a value in the last sweep of any part.
    """
    info, first, target = work.info, work.first, work.target
    views = info[VIEWS]
    worst = 0.0
    while info[PART] < info[PARTS]:
        begin, end = work.part[info[PART]], work.part[info[PART] + 1]
        change = math.inf
        for sweep in range(sweeps):
            if work.stop[0] != 0:
                info[STOPPED] = 1
                return worst
            change = 0.0
            for index in range(begin, end):
                here = work.order[index]
                mover = work.mover[here]
                if work.kind[here] == ENDED:
                    continue
                if mover >= 0:
                    kept = work.choice[here]
                    best = work.value[target[kept] * views + mover]
                    for way in range(first[here], first[here + 1]):
                        if work.value[target[way] * views + mover] > best + 1e-13 * span:
                            kept, best = way, work.value[target[way] * views + mover]
                    work.choice[here] = kept
                for player in range(views):
                    if mover >= 0:
                        value = float(work.value[target[work.choice[here]] * views + player])
                    else:
                        value = 0.0
                        for way in range(first[here], first[here + 1]):
                            value += work.label[way] * work.value[target[way] * views + player]
                    change = max(change, abs(value - work.value[here * views + player]))
                    work.value[here * views + player] = value
            info[NODES] += end - begin
            if change <= 1e-15 * span or (end - begin == 1 and sweep > 0 and change == 0.0):
                break
        worst = max(worst, change)
        info[PART] += 1
    return worst
