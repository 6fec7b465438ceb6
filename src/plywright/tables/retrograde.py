"""Retrograde analysis of one slice: positions are decided in the order of their distance from the end.

`expand` looks at every position once: what its moves lead to outside the slice is known, and what they lead to
inside is kept as edges. The edges are turned round (`count_edges`, `turn_edges`), and `settle` goes backwards along
them: from the positions decided at one distance to those that this decides at the next. What is never reached is a
draw: each side can go on for ever without losing.

Threads share a slice by its positions: each has the edges that lead back to its own, reads what all of them decided
at the last distance, and decides its own only, so that no two ever write to the same place.

Where there is no room for edges, `sweep` number d finds the positions that are decided at distance d by looking at all
that are not decided yet, with edges made anew each time: much slower, and the same result.
"""

from __future__ import annotations

import numpy as np

from ..compiled import kernel
from ..counters import (
    FAULT,
    HEADER,
    LATER_SLICE,
    NO_ACTIONS,
    NO_INVERSE,
    NO_NUMBER,
    NODES,
    NOT_ALIKE,
    ODD_UTILITY,
    STOPPED,
    TOO_FAR,
    TOO_MANY_ACTIONS,
    WRONG_NUMBER,
)
from ..table_blocks import UNKNOWN, probe

INFO = 10
EDGES, DECIDED, LATEST, PLACE, FIRST, FRESH = range(HEADER, INFO)
"""LATEST is the last distance at which something is known to be due; PLACE the position of a fault, FIRST a thread's
first position, FRESH how many were decided at the distance before."""
SAFE = -1
"""Instead of the worst that can happen: the mover has a move that does not lose."""
MOST_MOVES = 255
FURTHEST = 32_000


@kernel
def expand(game, knowledge, begin, first, last, size, work):
    """Look at the positions `first` to `last` of the slice of `size` positions that begins at number `begin`.

    Sets `status` of finished positions, `win` (the distance of the soonest win outside the slice, or 0), `worst` (the
    latest loss outside, or SAFE) and `degree` edges a position, which follow each other in `work.edges`.
    """
    info = work.info
    edges = 0
    for place in range(first, last):
        if work.stop[0] != 0:
            info[STOPPED] = 1
            return
        info[NODES] += 1
        work.degree[place] = 0
        if work.status[place] != 0:
            continue
        if knowledge.is_hole(begin + place):
            work.win[place] = 0
            work.worst[place] = SAFE
            continue
        state = knowledge.unindex(begin + place)
        if knowledge.index(state) != begin + place:
            return complain(info, NO_INVERSE, place)
        mover = game.to_move(state)
        win, worst, degree, moves = 0, 0, 0, 0
        if game.is_terminal(state):
            work.status[place] = ending(game, game.utility(state, mover), place, work)
            worst = SAFE
        else:
            for action in game.actions(state):
                moves += 1
                child = game.result(state, action)
                if game.is_terminal(child):
                    found = -ending(game, game.utility(child, mover), place, work)
                else:
                    same = game.team(game.to_move(child)) == game.team(mover)
                    found = knowledge.foregone(child)
                    if found == 0:
                        number = knowledge.index(child)
                        inside = number - begin
                        if 0 <= inside < size:
                            if degree == MOST_MOVES:
                                return complain(info, TOO_MANY_ACTIONS, place)
                            work.edges[edges] = inside << 1 | (1 if same else 0)
                            edges += 1
                            degree += 1
                            continue
                        found = probe(work.data, work.firsts, work.places, number)
                        if found == UNKNOWN:
                            return complain(info, NO_NUMBER if number < 0 else LATER_SLICE, place)
                    found = -found if same else found
                if found == 0:
                    worst = SAFE
                elif found < 0:
                    win = -found if win == 0 else min(win, -found)
                elif worst != SAFE:
                    worst = max(worst, found - 1)
            if moves == 0:
                return complain(info, NO_ACTIONS, place)
        if max(win, worst) > FURTHEST:
            return complain(info, TOO_FAR, place)
        work.win[place] = win
        work.worst[place] = worst
        work.degree[place] = degree
    info[EDGES] = edges


def ending(game, utility, place, work):
    """The number of a finished game that is worth so much: over, so a win or loss in 0 plies."""
    if utility == work.bounds[1]:
        return 1
    if utility == work.bounds[0]:
        return -1
    if utility != game.neutral_value:
        complain(work.info, ODD_UTILITY, place)
    return 0


def complain(info, fault, place):
    if info[FAULT] == 0:
        info[FAULT] = fault
        info[PLACE] = place


# -- backwards along the edges ------------------------------------------------------------------------------------


@kernel
def count_edges(game, edges, work):
    """Count for each position how many of these edges lead to it."""
    for edge in range(edges):
        work.heads[(work.edges[edge] >> 1) + 2] += 1


@kernel
def sum_heads(game, size, work):
    """From counts to where each position's edges begin, one place further on, where `turn_edges` wants them."""
    total = np.int64(0)
    for place in range(size + 2):
        total += np.int64(work.heads[place])
        work.heads[place] = total


@kernel
def turn_edges(game, first, last, work):
    """Put the edges of positions `first` to `last` where those that they lead to begin: from child to parent."""
    at = np.int64(0)
    for place in range(first, last):
        for edge in range(at, at + np.int64(work.degree[place])):
            child = (work.edges[edge] >> 1) + 1
            work.parents[work.heads[child]] = place << 1 | work.edges[edge] & 1
            work.heads[child] += 1
        at += np.int64(work.degree[place])


@kernel
def prepare(game, first, last, work):
    """Note what is due among the positions `first` to `last`: finished ones at distance 0, others by moves outside."""
    info = work.info
    for place in range(first, last):
        if work.status[place] != 0:
            work.decided[info[DECIDED]] = place
            info[DECIDED] += 1
        elif work.win[place] != 0:
            put_off(work, place, np.int64(work.win[place]))
        elif work.degree[place] == 0 and work.worst[place] != SAFE:
            put_off(work, place, np.int64(work.worst[place]) + 1)


@kernel
def settle(game, distance, crew, work):
    """Decide what is won or lost in `distance` plies; with a crew of one goes on to the end.

    `work.fresh` are the positions that all threads decided at the distance before, info[FRESH] of them. Positions
    that this decides are appended to `work.decided`; info[LATEST] is the last distance at which something is due.
    """
    info = work.info
    begin = info[DECIDED] if crew > 1 else 0
    while True:
        if crew > 1:
            for place in range(info[FRESH]):
                follow(work.fresh[place], distance, work)
        else:
            end = info[DECIDED]
            for place in range(begin, end):
                follow(work.decided[place], distance, work)
            begin = end
        due = work.due[distance] - 1
        work.due[distance] = 0
        while due >= 0:
            if work.status[due] == 0:
                decide(work, due, distance + 1 if work.win[due] != 0 else -(distance + 1))
            due = np.int64(work.later[due - info[FIRST]]) - 1
        if crew > 1:
            return
        if begin == info[DECIDED] and distance >= info[LATEST]:
            return
        if work.stop[0] != 0:
            info[STOPPED] = 1
            return
        info[NODES] += 1
        distance += 1
        if distance > FURTHEST:
            return complain(info, TOO_FAR, 0)


def follow(child, distance, work):
    """What it means for the positions before it that a position was decided at the distance before this one."""
    status = work.status
    won = status[child] > 0
    for edge in range(np.int64(work.heads[child]), np.int64(work.heads[child + 1])):
        parent = work.parents[edge] >> 1
        if status[parent] != 0:
            continue
        if won == (work.parents[edge] & 1 != 0):
            decide(work, parent, distance + 1)
            continue
        work.degree[parent] -= 1
        if work.worst[parent] == SAFE:
            continue
        worst = max(np.int64(work.worst[parent]), distance - 1)
        work.worst[parent] = worst
        if work.degree[parent] == 0 and work.win[parent] == 0:
            if worst < distance:
                decide(work, parent, -(distance + 1))
            else:
                put_off(work, parent, worst + 1)


def decide(work, place, number):
    work.status[place] = number
    work.decided[work.info[DECIDED]] = place
    work.info[DECIDED] += 1


def put_off(work, place, distance):
    """Have a position looked at again at that distance."""
    info = work.info
    work.later[place - info[FIRST]] = work.due[distance]
    work.due[distance] = place + 1
    info[LATEST] = max(info[LATEST], distance)


# -- without room for edges -------------------------------------------------------------------------------------------


@kernel
def sweep(game, distance, first, last, work):
    """Decide those of the positions `first` to `last` that are won or lost in `distance` plies."""
    info, status, edges = work.info, work.status, work.edges
    at = np.int64(0)
    kept = 0
    for place in range(first, last):
        degree = np.int64(work.degree[place])
        end = at + degree
        if status[place] != 0:
            at = end
            work.degree[place] = 0
            continue
        info[NODES] += 1
        win, worst = np.int64(work.win[place]), np.int64(work.worst[place])
        is_won = win == distance
        before = kept
        while at < end and not is_won:
            edge = edges[at]
            at += 1
            known = np.int64(status[edge >> 1])
            if known == 0 or abs(known) > distance:
                edges[kept] = edge
                kept += 1
                continue
            known = -known if edge & 1 else known
            if known < 0:
                is_won = True
            elif worst != SAFE:
                worst = max(worst, known - 1)
        at = end
        if is_won:
            status[place] = distance + 1
            kept = before
            info[DECIDED] += 1
        elif win != 0:
            info[LATEST] = max(info[LATEST], win)
        elif kept == before and worst != SAFE:
            if worst < distance:
                status[place] = -(distance + 1)
                info[DECIDED] += 1
            else:
                info[LATEST] = max(info[LATEST], worst + 1)
        work.worst[place] = worst
        work.degree[place] = kept - before
    info[EDGES] = kept


@kernel
def verify(game, knowledge, first, last, sample, work):
    """Hold the numbers of positions `first` to `last` against those of their successors; stops at the first fault.

    With `sample` not 0 only the positions that are listed in `work.chosen` at these places. info[PLACE] is the
    position at fault: its number in the table is not what follows from its moves, `index` is no inverse of `unindex`,
    or a move leads to a position whose number does not follow from its own moves, so that it is another one's. Where
    no position is at fault, all are right: wins and losses by their distances, and draws because in each of them nobody
    can be forced out of the draws.
    """
    info = work.info
    for place in range(first, last):
        number = work.chosen[place] if sample != 0 else place
        if work.stop[0] != 0:
            info[STOPPED] = 1
            return
        info[NODES] += 1
        if knowledge.is_hole(number):
            continue
        state = knowledge.unindex(number)
        if knowledge.index(state) != number:
            return complain(info, NO_INVERSE, number)
        if game.is_terminal(state):
            right = ending(game, game.utility(state, game.to_move(state)), number, work)
        else:
            right = following(game, knowledge, state, number, work)
            if right == UNKNOWN:
                return complain(info, LATER_SLICE, number)
            if not is_followed(game, knowledge, state, number, work):
                return complain(info, NOT_ALIKE, number)
        if right != probe(work.data, work.firsts, work.places, number):
            return complain(info, WRONG_NUMBER, number)


def number_in(knowledge, state, work):
    """The number of an unfinished position, at sight or in the table; UNKNOWN where it has none."""
    at_sight = knowledge.foregone(state)
    if at_sight != 0:
        return at_sight
    return probe(work.data, work.firsts, work.places, knowledge.index(state))


def following(game, knowledge, state, number, work):
    """The number that follows from those of a position's successors; UNKNOWN where one of them has none."""
    mover = game.to_move(state)
    soonest, latest, is_safe = 0, 0, False
    for action in game.actions(state):
        child = game.result(state, action)
        if game.is_terminal(child):
            found = -ending(game, game.utility(child, mover), number, work)
        else:
            found = number_in(knowledge, child, work)
            if found == UNKNOWN:
                return UNKNOWN
            if game.team(game.to_move(child)) == game.team(mover):
                found = -found
        if found < 0:
            soonest = -found if soonest == 0 else min(soonest, -found)
        elif found == 0:
            is_safe = True
        else:
            latest = max(latest, found)
    return soonest + 1 if soonest != 0 else 0 if is_safe else -(latest + 1)


def is_followed(game, knowledge, state, number, work):
    """Whether the numbers of a position's successors are their own: they follow from what these lead to.

    All that are known at sight are looked at, of the others those of every sixteenth position: a number that positions
    share which are not alike is wrong for many of them.
    """
    for action in game.actions(state):
        child = game.result(state, action)
        if game.is_terminal(child) or knowledge.plies_left(child) <= 1:
            continue
        at_sight = knowledge.foregone(child)
        if at_sight == 0 and number & 15 != 0:
            continue
        if number_in(knowledge, child, work) != following(game, knowledge, child, number, work):
            return False
    return True


@kernel
def count_numbers(game, knowledge, first, last, work):
    """Count the positions from `first` to `last` by who wins them, into `work.counts`, and note the longest win."""
    counts = work.counts
    for number in range(first, last):
        if number & 0xFFFF == 0 and work.stop[0] != 0:
            work.info[STOPPED] = 1
            return
        if knowledge.is_hole(number):
            continue
        found = probe(work.data, work.firsts, work.places, number)
        counts[0 if found > 0 else 1 if found == 0 else 2] += 1
        counts[3] = max(counts[3], abs(found) - 1)
