"""Bearing off, solved by a sweep of our own: how many rolls a side needs, and who wins when few checkers are left.

One side: for each of the 54,264 ways to have up to fifteen checkers at home, the chance to be off after n rolls, where
every play keeps the expected number of rolls least. Two sides: for each pair of the 924 ways to have up to six, the
exact chance of the side on roll to be off first. `benchmarks/bearoff.py` builds the file.

A position is a word of six fields of four bits, the checkers on points 1 to 6 from the lowest.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations_with_replacement
from math import comb
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...compiled import Workspace, kernel

HOME, CHECKERS, FEW = 6, 15, 6
ROLLS = 32
"""More than bearing off ever takes but once in millions of games."""
FILE = Path(__file__).with_name("bearoff.npz")
WHOLE = 65535
"""Chances are kept in so many parts."""


def _ranks() -> NDArray[np.int64]:
    """[points left][checkers left][on this point]: what a stack adds to the number of a position."""
    found = np.zeros((HOME + 1, CHECKERS + 1, CHECKERS + 1), np.int64)
    for points in range(1, HOME + 1):
        for left in range(CHECKERS + 1):
            for stack in range(left + 1):
                found[points, left, stack] = sum(comb(points - 1 + left - less, points - 1) for less in range(stack))
    return found


RANKS = _ranks().ravel()


def rank(position: int, most: int) -> int:
    """The number of a position among those of up to `most` checkers."""
    total, left = 0, most
    for point in range(HOME, 0, -1):
        stack = position >> 4 * (point - 1) & 15
        total += RANKS[(point * (CHECKERS + 1) + left) * (CHECKERS + 1) + stack]
        left -= stack
    return total


def positions(most: int) -> list[int]:
    """All positions of up to so many checkers, by their numbers."""
    found = [0] * comb(HOME + most, HOME)
    for count in range(most + 1):
        for points in combinations_with_replacement(range(HOME), count):
            position = sum(1 << 4 * point for point in points)
            found[rank(position, most)] = position
    return found


def pips(position: int) -> int:
    return sum((position >> 4 * (point - 1) & 15) * point for point in range(1, HOME + 1))


# -- the sweep, compiled -----------------------------------------------------------------------------------


def moved(position, point, die):
    """The position after a checker on `point` has gone `die` points; -1 where it may not."""
    if position >> 4 * (point - 1) & 15 == 0:
        return -1
    if point > die:
        return position - (1 << 4 * (point - 1)) + (1 << 4 * (point - die - 1))
    if point < die and position >> 4 * point != 0:
        return -1
    return position - (1 << 4 * (point - 1))


@kernel
def plays(game, position, high, low, work):
    """Write the positions that a roll leads to, some of them twice; returns how many."""
    if high == low:
        work.after[0] = position
        count = 1
        for _ in range(4):
            more = 0
            for n in range(count):
                here = work.after[n]
                if here == 0:
                    work.next[more] = 0
                    more += 1
                for point in range(HOME, 0, -1):
                    then = moved(here, point, high) if here != 0 else -1
                    if then >= 0:
                        seen = False
                        for k in range(more):
                            seen = seen or work.next[k] == then
                        if not seen:
                            work.next[more] = then
                            more += 1
            for n in range(more):
                work.after[n] = work.next[n]
            count = more
        return count
    count = 0
    for order in range(2):
        one, two = (high, low) if order == 0 else (low, high)
        for first in range(HOME, 0, -1):
            then = moved(position, first, one)
            if then == 0:
                work.after[count] = 0
                count += 1
            elif then > 0:
                for second in range(HOME, 0, -1):
                    last = moved(then, second, two)
                    if last >= 0:
                        work.after[count] = last
                        count += 1
    return count


@kernel
def sweep_one(game, count, work):
    """Positions in the order of their pips: the least expected number of rolls, and how they are spread."""
    for n in range(1, count):
        number = work.order[n]
        position = work.positions[number]
        for high in range(1, 7):
            for low in range(1, high + 1):
                chance = 1.0 / 36.0 if high == low else 1.0 / 18.0
                found = plays(game, position, high, low, work)
                best = -1
                for k in range(found):
                    child = rank(work.after[k], CHECKERS)
                    if best < 0 or work.mean[child] < work.mean[best]:
                        best = child
                work.mean[number] += chance * work.mean[best]
                for roll in range(1, ROLLS):
                    work.spread[number * ROLLS + roll] += chance * work.spread[best * ROLLS + roll - 1]
        work.mean[number] += 1.0
    return 0


@kernel
def sweep_two(game, size, work):
    """Pairs in the order of their pips: the chance of the side on roll to be off first."""
    for n in range(size * size):
        mine, theirs = work.order[n] // size, work.order[n] % size
        if mine == 0 or theirs == 0:
            work.wins[work.order[n]] = 0.0 if mine != 0 else 1.0
            continue
        total = 0.0
        for high in range(1, 7):
            for low in range(1, high + 1):
                chance = 1.0 / 36.0 if high == low else 1.0 / 18.0
                count = plays(game, work.positions[mine], high, low, work)
                best = 0.0
                for k in range(count):
                    child = rank(work.after[k], FEW)
                    won = 1.0 if child == 0 else 1.0 - work.wins[theirs * size + child]
                    best = max(best, won)
                total += chance * best
        work.wins[work.order[n]] = total
    return 0


def build(game: Any) -> dict[str, NDArray[np.uint16]]:
    """Both tables, in parts of `WHOLE`."""
    every = np.array(positions(CHECKERS), np.int64)
    by_pips = np.argsort([pips(int(position)) for position in every], kind="stable").astype(np.int64)
    spread = np.zeros(len(every) * ROLLS)
    spread[0] = 1.0
    room = {"after": np.zeros(4096, np.int64), "next": np.zeros(4096, np.int64)}
    one: Any = Workspace(order=by_pips, positions=every, mean=np.zeros(len(every)), spread=spread, **room)
    sweep_one(game, len(every), one)
    few = np.array(positions(FEW), np.int64)
    size = len(few)
    length = np.array([pips(int(position)) for position in few])
    order = np.argsort((length[:, None] + length[None, :]).ravel(), kind="stable").astype(np.int64)
    two: Any = Workspace(order=order, positions=few, wins=np.zeros(size * size), **room)
    sweep_two(game, size, two)
    used = int(np.flatnonzero(one.spread.reshape(-1, ROLLS).max(0) * WHOLE >= 0.5).max()) + 1
    spread = one.spread.reshape(-1, ROLLS)[:, :used]
    return {
        "spread": np.rint(spread * WHOLE).astype(np.uint16),
        "wins": np.rint(two.wins.reshape(size, size) * WHOLE).astype(np.uint16),
    }


# -- in use ------------------------------------------------------------------------------------------------


@cache
def tables() -> tuple[NDArray[np.float32], NDArray[np.float32], int]:
    """The chances to be off in exactly n rolls, those to win, and for how many rolls the first goes."""
    with np.load(FILE, allow_pickle=False) as stored:
        spread = stored["spread"].astype(np.float64)
        wins = stored["wins"].astype(np.float32) / WHOLE
    spread /= spread.sum(1, keepdims=True)
    return spread.astype(np.float32).ravel(), wins.ravel(), spread.shape[1]
