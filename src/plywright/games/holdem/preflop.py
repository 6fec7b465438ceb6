"""Before the flop: the 169 kinds of hands, and what each wins against each other one, counted over all boards.

Kinds are numbered 13 high + low for suited hands and pairs, 13 low + high for the others, ranks from the deuce (0): row
by row a chart with the suited hands above one diagonal. `equity_table()` reads the table that comes with the package
(114 kB); `make_table` counts it anew, every board up to suits once (`plywright poker preflop --rebuild FILE`).
"""

from __future__ import annotations

import functools
import io
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...compiled import NO_GAME, kernel
from ...errors import BadInput, shown
from ...files import write_whole
from ..poker_hands import RANKS
from .strength import rate_board, strength_workspace
from .suits import COMBINATIONS, Boards

KINDS = 169
BOARDS = 1_712_304
"""Boards that two hands leave."""


def kind_of(one: int, two: int) -> int:
    """The kind of a hand of two cards."""
    high, low = max(one >> 2, two >> 2), min(one >> 2, two >> 2)
    return 13 * high + low if one & 3 == two & 3 or high == low else 13 * low + high


def kind_name(kind: int) -> str:
    """AA, AKs, AKo."""
    row, column = divmod(kind, 13)
    if row == column:
        return 2 * RANKS[row]
    return f"{RANKS[row]}{RANKS[column]}s" if row > column else f"{RANKS[column]}{RANKS[row]}o"


def parse_kind(text: str) -> int:
    """The kind that a name means; raises BadInput."""
    for kind in range(KINDS):
        if kind_name(kind).lower() == text.strip().lower():
            return kind
    raise BadInput(f"{shown(text)} is no kind of hand: write AA, AKs or AKo")


@functools.cache
def pair_kinds() -> NDArray[np.int64]:
    """By pair of cards its kind."""
    return np.array([kind_of(low, high) for high in range(52) for low in range(high)], np.int64)


@functools.cache
def pairings() -> NDArray[np.int64]:
    """By two kinds: in how many ways two players can hold them."""
    lows = np.array([low for high in range(52) for low in range(high)])
    highs = np.array([high for high in range(52) for _ in range(high)])
    kinds, found = pair_kinds(), np.zeros((KINDS, KINDS), np.int64)
    for pair in range(COMBINATIONS):
        apart = (lows != lows[pair]) & (lows != highs[pair]) & (highs != lows[pair]) & (highs != highs[pair])
        found[kinds[pair]] += np.bincount(kinds[apart], minlength=KINDS)
    return found


@functools.cache
def equity_table() -> NDArray[np.float64]:
    """By two kinds what the first wins of the pot on average, ties counted half; from the file in the package."""
    data = files("plywright.games.holdem").joinpath("preflop.npz").read_bytes()
    with np.load(io.BytesIO(data), allow_pickle=False) as archive:
        return np.asarray(archive["halves"], np.float64) / (2.0 * pairings() * BOARDS)


def against_random() -> NDArray[np.float64]:
    """What each kind wins against a hand at random."""
    weights = pairings()
    return np.asarray((equity_table() * weights).sum(1) / weights.sum(1))


def make_table(path: Path, report: Callable[[int, int], None] = lambda done, of: None) -> None:
    """Count the table anew: half pots won by the first kind, over all hands and boards."""
    boards = Boards(5)
    work = strength_workspace(
        words=boards.words,
        weights=boards.weights,
        kinds=pair_kinds(),
        halves=np.zeros(KINDS * KINDS, np.int64),
        lower=np.zeros(KINDS, np.int64),
        equal=np.zeros(KINDS, np.int64),
    )
    for first in range(0, len(boards), 256):
        count_halves(NO_GAME, first, min(first + 256, len(boards)), work)
        report(first, len(boards))
    stream = io.BytesIO()
    np.savez_compressed(stream, halves=np.array(work.halves).reshape(KINDS, KINDS))
    write_whole(path, stream.getvalue())


@kernel
def count_halves(game, first, last, work):
    """Over boards: for each hand by kind the half pots it wins from every other hand that shares no card with it."""
    for number in range(first, last):
        board, weight = work.words[number], work.weights[number]
        rate_board(game, board, work)
        for kind in range(KINDS):
            work.lower[kind] = 0
        place = 0
        while place < 1081:
            strength, end = work.rating[work.order[place]], place
            for kind in range(KINDS):
                work.equal[kind] = 0
            while end < 1081 and work.rating[work.order[end]] == strength:
                work.equal[work.kinds[work.order[end]]] += 1
                end += 1
            for spot in range(place, end):
                pair = work.order[spot]
                row = KINDS * work.kinds[pair]
                for kind in range(KINDS):
                    work.halves[row + kind] += weight * (2 * work.lower[kind] + work.equal[kind])
                leave_out(pair, strength, row, weight, board, work)
            for kind in range(KINDS):
                work.lower[kind] += work.equal[kind]
            place = end
    return 0


def leave_out(pair, strength, row, weight, board, work):
    """Take back what was counted for hands that share a card with this one, and for the hand itself."""
    low, high = work.lows[pair], work.highs[pair]
    work.halves[row + work.kinds[pair]] -= weight
    for card in range(52):
        if board >> card & 1 == 0 and card != low and card != high:
            for own in (low, high):
                top, bottom = max(own, card), min(own, card)
                other = top * (top - 1) // 2 + bottom
                theirs = work.rating[other]
                if theirs <= strength:
                    work.halves[row + work.kinds[other]] -= weight * (2 if theirs < strength else 1)


def chart(values: NDArray[Any]) -> NDArray[Any]:
    """Values by kind as a square: aces first, suited hands above the diagonal."""
    return np.asarray(values).reshape(13, 13)[::-1, ::-1]
