"""Hands of seven cards by table: what a hand is worth in two look-ups, a few nanoseconds each.

Every card adds a number to a sum: the upper half counts suits, so that a flush shows as one bit; the lower half has
a random number for the rank, and no two of the 49,205 ways to hold ranks have the same sum. A sum finds its place in
a table without a collision: its upper bits choose a displacement, its lower bits, xor that, a slot (hash and
displace, Belazzougui, Botelho & Dietzfelbinger 2009). Flushes are looked up by the ranks of their suit.

The strength of a hand is a number from 1 up: the higher one wins, equal ones share. `values` leads from it to the
value that `poker_hands` gives. All tables together take about 210 kB.
"""

from __future__ import annotations

import functools
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..bits import lowest_bit, popcount
from ..compiled import NO_GAME, Workspace, kernel
from ..rng import draw64, seeded
from .poker_hands import CARDS, CATEGORIES, FOREIGN, value_of

SLOTS, BUCKETS = 1 << 16, 1 << 13
RANK_SETS = 49_205
"""Ways to hold seven ranks, at most four of each."""
SUIT = 32
"""The bit from which suits are counted, four bits each; they begin with 3, so that five of a suit set the fourth."""
BIAS = 0x3333 << SUIT
FIVE_SUITED = 0x8888 << SUIT
PLACE_SEED = 1


class HandTables(NamedTuple):
    """By card its part of the sum; displacements by bucket, strengths by slot and by flush, values by strength."""

    parts: NDArray[np.int64]  # [52]
    displacements: NDArray[np.uint16]  # [BUCKETS]
    strengths: NDArray[np.uint16]  # [SLOTS]
    flushes: NDArray[np.uint16]  # [8192]
    values: NDArray[np.int64]  # [strengths]

    @property
    def bytes(self) -> int:
        return sum(table.nbytes for table in self)


@functools.cache
def hand_tables() -> HandTables:
    """The tables, made once in a process; some milliseconds."""
    rng = seeded(PLACE_SEED)
    ranks = [int(draw64(rng) >> 36) for _ in range(13)]  # 28 bits: seven of them stay below the suits
    parts = np.array([ranks[card >> 2] + (1 << SUIT + 4 * (card & 3)) for card in range(CARDS)], np.int64)
    work: Any = Workspace(
        ranks=np.array(ranks, np.int64),
        sums=np.zeros(RANK_SETS, np.int64),
        values=np.zeros(RANK_SETS, np.int64),
        flushes=np.zeros(1 << 13, np.int64),
        count=np.zeros(1, np.int64),
    )
    list_rank_sets(NO_GAME, 0, 7, 0, 0, 0, 0, 0, work)
    list_flushes(NO_GAME, work)
    known = np.unique(np.concatenate([work.values, work.flushes[work.flushes > 0]]))
    values = np.concatenate([[0], known]).astype(np.int64)
    strengths = np.searchsorted(values, work.values).astype(np.int64)
    flushes = np.searchsorted(values, work.flushes).astype(np.uint16)
    displacements, slots = _placed(np.asarray(work.sums), strengths)
    return HandTables(parts, displacements, slots, flushes, values)


def _placed(sums: NDArray[np.int64], strengths: NDArray[np.int64]) -> tuple[NDArray[Any], NDArray[Any]]:
    """A slot of its own for every sum: the fullest buckets first, each with the first displacement that fits."""
    buckets = sums >> 16 & BUCKETS - 1
    sizes = np.bincount(buckets, minlength=BUCKETS)
    order = np.lexsort((sums, buckets, -sizes[buckets]))
    work: Any = Workspace(
        sums=np.ascontiguousarray(sums[order]),
        strengths=np.ascontiguousarray(strengths[order]),
        slots=np.zeros(SLOTS, np.int64),
        displacements=np.zeros(BUCKETS, np.int64),
    )
    if displace(NO_GAME, len(sums), work) != len(sums):
        raise AssertionError("no displacement fits: take another seed for the ranks' numbers")
    return work.displacements.astype(np.uint16), work.slots.astype(np.uint16)


@kernel
def list_rank_sets(game, rank, left, total, once, twice, thrice, four, work):
    """Write the sum and the value of every way to hold `left` more ranks from `rank` on."""
    if left == 0:
        place = work.count[0]
        work.sums[place] = total
        work.values[place] = value_of(once, twice, thrice, four, 0)
        work.count[0] = place + 1
        return 0
    if rank == 13:
        return 0
    bit = 1 << rank
    for copies in range(min(left, 4) + 1):
        list_rank_sets(
            game,
            rank + 1,
            left - copies,
            total + copies * work.ranks[rank],
            once | (bit if copies > 0 else 0),
            twice | (bit if copies > 1 else 0),
            thrice | (bit if copies > 2 else 0),
            four | (bit if copies > 3 else 0),
            work,
        )
    return 0


@kernel
def list_flushes(game, work):
    """Write the value of every flush by its ranks."""
    for ranks in range(1 << 13):
        if popcount(ranks) >= 5:
            work.flushes[ranks] = value_of(ranks, 0, 0, 0, ranks)
    return 0


@kernel
def displace(game, count, work):
    """Find the displacement of each bucket; returns how many sums have found a slot."""
    done = 0
    while done < count:
        bucket = work.sums[done] >> 16 & BUCKETS - 1
        end = done
        while end < count and work.sums[end] >> 16 & BUCKETS - 1 == bucket:
            end += 1
        fits, shift = False, -1
        while not fits and shift < SLOTS - 1:
            shift += 1
            fits = True
            placed = done
            while fits and placed < end:
                slot = (work.sums[placed] ^ shift) & SLOTS - 1
                if work.slots[slot] != 0:
                    fits = False
                else:
                    work.slots[slot] = work.strengths[placed]
                    placed += 1
            if not fits:
                for number in range(done, placed):
                    work.slots[(work.sums[number] ^ shift) & SLOTS - 1] = 0
        if not fits:
            return done
        work.displacements[bucket] = shift
        done = end
    return done


def strength_of(total: Any, cards: Any, tables: Any) -> Any:
    """The strength of a hand from the sum of its parts (with BIAS) and its cards as a set of bits.

    `tables` has displacements, strengths and flushes; anything with these attributes will do.
    """
    suited = total & FIVE_SUITED
    if suited != 0:
        return tables.flushes[ranks_of_suit(cards, (lowest_bit(suited) - SUIT) >> 2)]
    return tables.strengths[(total ^ tables.displacements[total >> 16 & BUCKETS - 1]) & SLOTS - 1]


def ranks_of_suit(cards: Any, suit: Any) -> Any:
    """The ranks of one suit among a set of cards, as a set of 13 bits: every fourth bit, moved together."""
    word = cards >> suit & 0x1111111111111
    word = (word | word >> 3) & 0x0303030303030303
    word = (word | word >> 6) & 0x000F000F000F000F
    word = (word | word >> 12) & 0x000000FF000000FF
    return (word | word >> 24) & 0x1FFF


def hand_strengths(hands: NDArray[np.uint8]) -> tuple[NDArray[np.uint16], int]:
    """The strengths of rows of seven cards, and the number of a row with a card twice, or FOREIGN, or 0."""
    found = np.zeros(len(hands), np.uint16)
    work = workspace(cards=np.ascontiguousarray(hands, np.uint8).reshape(-1), found=found)
    return found, int(rate_sevens(NO_GAME, len(hands), work))


def workspace(**more: NDArray[Any]) -> Any:
    """The tables with whatever else a kernel needs."""
    tables = hand_tables()
    return Workspace(
        parts=tables.parts,
        displacements=tables.displacements,
        strengths=tables.strengths,
        flushes=tables.flushes,
        **more,
    )


def category_counts() -> list[int]:
    """How many of the 133,784,560 hands of seven are of each category, one by one."""
    tables = hand_tables()
    counts = np.zeros(len(tables.values), np.int64)
    count_sevens(NO_GAME, 0, CARDS, workspace(counts=counts))
    kinds = tables.values >> 26
    return [int(counts[kinds == kind].sum()) for kind in range(len(CATEGORIES))]


@kernel
def rate_sevens(game, rows, work):
    """Fill work.found with the strengths of hands of seven; returns what is wrong with them as evaluate_rows does."""
    wrong, foreign = 0, 0
    for row in range(rows):
        total, cards = BIAS, 0
        for place in range(7 * row, 7 * row + 7):
            card = int(work.cards[place])
            foreign |= card > 51
            card = card & 63 if card < 52 else 0
            total += work.parts[card]
            cards |= 1 << card
        if popcount(cards) != 7:
            wrong = row + 1
        else:
            work.found[row] = strength_of(total, cards, work)
    return FOREIGN if foreign else wrong


@kernel
def count_sevens(game, first, last, work):
    """Count, by strength, the hands of seven whose lowest card is from `first` up to, not including, `last`."""
    parts = work.parts
    for a in range(first, last):
        for b in range(a + 1, CARDS):
            for c in range(b + 1, CARDS):
                for d in range(c + 1, CARDS):
                    four, held = BIAS + parts[a] + parts[b] + parts[c] + parts[d], 1 << a | 1 << b | 1 << c | 1 << d
                    for e in range(d + 1, CARDS):
                        five, more = four + parts[e], held | 1 << e
                        for f in range(e + 1, CARDS):
                            six, most = five + parts[f], more | 1 << f
                            for g in range(f + 1, CARDS):
                                strength = strength_of(six + parts[g], most | 1 << g, work)
                                work.counts[strength] += 1
    return 0
