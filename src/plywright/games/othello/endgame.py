"""The last squares of Othello, solved without a table: what the engine's `finish` hook runs.

Three functions share the work, by how many squares are left: many (moves in order of the replies they
leave), few (odd quadrants first), and the last two and one by themselves. All values are margins of
discs for the player to move; inside the window exact, outside it a bound on that side.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...bits import highest_bit, lowest_bit, popcount
from ...counters import NODES, runs_short, spent
from .stability import stable

ZERO, ONE = np.uint64(0), np.uint64(1)
NOTHING = -1000  # below any margin

LATE = 8  # the engine hands over with this many squares left (at most ten: `solve_many` packs moves in a word)
FEW = 5  # with this many left or fewer, looking for a good order costs more than it saves
LAST_NODES = 32  # more than the last three squares can take: those nodes are counted, but nobody asks whether to stop
LOPSIDED = 10  # stable discs are counted where the question is a margin of at least this
SLOT, SLOT_MASK, SLOT_MOST = np.uint64(6), np.uint64(63), 63


def finish(game: Any, mine: np.uint64, theirs: np.uint64, low: int, high: int, work: Any) -> int:
    """The final margin for the owner of `mine`, who moves, with at most ten squares left."""
    empties = game.board & ~(mine | theirs)
    left = popcount(empties)
    if left == 0:
        return margin(game, mine, theirs)
    if left <= 2:
        if runs_short(work, LAST_NODES):
            return 0
        if left == 1:
            return last_one(game, mine, theirs, lowest_bit(empties), work)
        return last_two(game, mine, theirs, high, work)
    odd = ZERO
    while empties != ZERO:
        odd ^= game.quadrant[lowest_bit(empties)]
        empties &= empties - ONE
    if left <= FEW:
        return solve_few(game, mine, theirs, odd, low, high, work)
    return solve_many(game, mine, theirs, odd, low, high, work)


def solve_many(game: Any, mine: np.uint64, theirs: np.uint64, odd: np.uint64, low: int, high: int, work: Any) -> int:
    """With more than FEW squares left: first what stable discs decide, then the moves with fewest replies first.

    `odd` covers the quadrants with an odd number of empty squares: whoever plays there first may have
    the last word there.
    """
    if spent(work, 0):
        return 0
    if low >= LOPSIDED or high <= -LOPSIDED:
        # Can the side that would have to fall short still be held to it? In its view the question is `bar`.
        ahead = low >= LOPSIDED
        holder, other = (theirs, mine) if ahead else (mine, theirs)
        bar = low if ahead else -high
        if game.squares - 2 * popcount(holder) <= bar:
            most = game.squares - 2 * popcount(stable(game, holder, other))
            if most <= bar:
                return int(most if ahead else -most)
    moves = game.legal(mine, theirs)
    sign = 1
    if moves == ZERO:
        moves = game.legal(theirs, mine)
        if moves == ZERO:
            return margin(game, mine, theirs)
        mine, theirs = theirs, mine
        low, high = -high, -low
        sign = -1
    # Six bits a move: the squares in order in one word, and in another what they were ordered by (never 0).
    squares = ranks = ZERO
    while moves != ZERO:
        square = lowest_bit(moves)
        moves &= moves - ONE
        turned = game.turned(square, mine, theirs)
        replies = game.legal(theirs ^ turned, mine | turned | (ONE << np.uint64(square)))
        answers = 2 * (popcount(replies) + popcount(replies & game.corners)) + 1
        if game.quadrant[square] & odd == ZERO:
            answers += 1
        rank = np.uint64(min(answers, SLOT_MOST))
        place = ZERO
        while (ranks >> place) & SLOT_MASK != ZERO and (ranks >> place) & SLOT_MASK <= rank:
            place += SLOT
        before = (ONE << place) - ONE
        squares = (squares & before) | (np.uint64(square) << place) | ((squares & ~before) << SLOT)
        ranks = (ranks & before) | (rank << place) | ((ranks & ~before) << SLOT)
    few_left = popcount(mine | theirs) + FEW + 1 >= game.squares
    best = NOTHING
    while ranks != ZERO:
        square = int(squares & SLOT_MASK)
        squares >>= SLOT
        ranks >>= SLOT
        turned = game.turned(square, mine, theirs)
        placed = ONE << np.uint64(square)
        now_odd = odd ^ game.quadrant[square]
        if few_left:
            value = -solve_few(game, theirs ^ turned, mine | turned | placed, now_odd, -high, -low, work)
        else:
            value = -solve_many(game, theirs ^ turned, mine | turned | placed, now_odd, -high, -low, work)
        if value > best:
            best = value
            low = max(low, best)
            if low >= high:
                break
    return sign * best


def solve_few(game: Any, mine: np.uint64, theirs: np.uint64, odd: np.uint64, low: int, high: int, work: Any) -> int:
    """With three squares or more left: every square in turn, those of odd quadrants first."""
    empties = game.board & ~(mine | theirs)
    three = popcount(empties) == 3
    if spent(work, LAST_NODES):
        return 0
    sign = 1
    for _ in range(2):  # the mover, and after a pass the other
        best = NOTHING
        for part in (odd, ~odd):
            squares = empties & part
            while squares != ZERO:
                square = lowest_bit(squares)
                squares &= squares - ONE
                if game.around[square] & theirs == ZERO:
                    continue
                turned = game.turned(square, mine, theirs)
                if turned == ZERO:
                    continue
                placed = ONE << np.uint64(square)
                if three:
                    value = -last_two(game, theirs ^ turned, mine | turned | placed, -low, work)
                else:
                    now_odd = odd ^ game.quadrant[square]
                    value = -solve_few(game, theirs ^ turned, mine | turned | placed, now_odd, -high, -low, work)
                if value > best:
                    best = value
                    low = max(low, best)
                    if low >= high:
                        return sign * best
        if best != NOTHING:
            return sign * best
        mine, theirs = theirs, mine
        low, high = -high, -low
        sign = -sign
    return margin(game, mine, theirs)


def last_two(game: Any, mine: np.uint64, theirs: np.uint64, high: int, work: Any) -> int:
    """With two squares left; one move that reaches `high` is enough."""
    work.info[NODES] += 1
    empties = game.board & ~(mine | theirs)
    first, second = lowest_bit(empties), highest_bit(empties)
    sign = 1
    for _ in range(2):
        best = NOTHING
        for square, other in ((first, second), (second, first)):
            if game.around[square] & theirs == ZERO:
                continue
            turned = game.turned(square, mine, theirs)
            if turned != ZERO:
                value = -last_one(game, theirs ^ turned, mine | turned | (ONE << np.uint64(square)), other, work)
                if sign > 0 and value >= high:
                    return value
                best = max(best, value)
        if best != NOTHING:
            return sign * best
        mine, theirs = theirs, mine
        sign = -sign
    return margin(game, mine, theirs)


def last_one(game: Any, mine: np.uint64, theirs: np.uint64, square: int, work: Any) -> int:
    """With one square left, which the mover fills, or else the other, or nobody."""
    work.info[NODES] += 1
    sign = 1
    for _ in range(2):
        turned = popcount(game.turned(square, mine, theirs))
        if turned != 0:
            return sign * (game.squares - 2 * (popcount(theirs) - turned))  # type: ignore[no-any-return]
        mine, theirs = theirs, mine
        sign = -sign
    return margin(game, mine, theirs)


def margin(game: Any, mine: np.uint64, theirs: np.uint64) -> int:
    """The utility for the owner of `mine` of a game that is over."""
    own, other = popcount(mine), popcount(theirs)
    if game.winner_takes_empties:
        if own > other:
            return game.squares - 2 * other  # type: ignore[no-any-return]
        if own < other:
            return 2 * own - game.squares  # type: ignore[no-any-return]
    return own - other
