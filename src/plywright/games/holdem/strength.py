"""How good hands are before the last card: the chance to win against a random hand, and how far it may still move.

On a full board the strength of a hand is the share of all other hands that it beats, ties counted half. Before that
it is the mean over all ways to complete the board (expected hand strength), with its standard deviation: a draw and
a small pair may have the same mean, but not the same future.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...bits import lowest_bit
from ...compiled import NO_GAME, Workspace, kernel
from ...errors import BadInput
from ..hand_tables import BIAS, hand_tables, strength_of
from ..poker_hands import CARDS, format_card
from .suits import COMBINATIONS

RANKED = 4832
"""Strengths of seven cards are below this."""


def strength_workspace(**more: NDArray[Any]) -> Any:
    """What the kernels here need: tables of hands, the list of all pairs, room for one board."""
    tables = hand_tables()
    pairs = [(low, high) for high in range(CARDS) for low in range(high)]
    return Workspace(
        parts=tables.parts,
        displacements=tables.displacements,
        strengths=tables.strengths,
        flushes=tables.flushes,
        lows=np.array([low for low, _ in pairs], np.int64),
        highs=np.array([high for _, high in pairs], np.int64),
        rating=np.zeros(COMBINATIONS, np.int32),
        share=np.zeros(COMBINATIONS),
        starts=np.zeros(RANKED + 1, np.int32),
        order=np.zeros(COMBINATIONS, np.int32),
        below=np.zeros(CARDS, np.int32),
        level=np.zeros(CARDS, np.int32),
        mean=np.zeros(COMBINATIONS),
        square=np.zeros(COMBINATIONS),
        ways=np.zeros(COMBINATIONS, np.int32),
        **more,
    )


@kernel
def rate_board(game, board, work):
    """On a board of five, for every pair: work.share, the part of the 990 other hands it beats (-1: not possible)."""
    total, rest = BIAS, board
    while rest != 0:
        total += work.parts[lowest_bit(rest)]
        rest &= rest - 1
    for strength in range(RANKED + 1):
        work.starts[strength] = 0
    for pair in range(COMBINATIONS):
        low, high = work.lows[pair], work.highs[pair]
        hand = 1 << low | 1 << high
        work.rating[pair] = 0
        work.share[pair] = -1.0
        if board & hand == 0:
            strength = strength_of(total + work.parts[low] + work.parts[high], board | hand, work)
            work.rating[pair] = strength
            work.starts[strength + 1] += 1
    for strength in range(RANKED):
        work.starts[strength + 1] += work.starts[strength]
    for pair in range(COMBINATIONS):
        strength = work.rating[pair]
        if strength > 0:
            work.order[work.starts[strength]] = pair
            work.starts[strength] += 1
    for card in range(CARDS):
        work.below[card] = 0
        work.level[card] = 0
    count, place = 1081, 0
    while place < count:
        strength, end = work.rating[work.order[place]], place
        while end < count and work.rating[work.order[end]] == strength:
            work.level[work.lows[work.order[end]]] += 1
            work.level[work.highs[work.order[end]]] += 1
            end += 1
        for number in range(place, end):
            pair = work.order[number]
            low, high = work.lows[pair], work.highs[pair]
            beaten = place - work.below[low] - work.below[high]
            tied = end - place - work.level[low] - work.level[high] + 1
            work.share[pair] = (beaten + 0.5 * tied) / 990.0
        for number in range(place, end):
            pair = work.order[number]
            work.below[work.lows[pair]] += 1
            work.below[work.highs[pair]] += 1
            work.level[work.lows[pair]] = 0
            work.level[work.highs[pair]] = 0
        place = end
    return 0


@kernel
def rate_boards(game, board, left, work):
    """Over all ways to add `left` cards (0, 1 or 2) to a board: work.mean and work.square of each pair's share."""
    for pair in range(COMBINATIONS):
        work.mean[pair] = 0.0
        work.square[pair] = 0.0
        work.ways[pair] = 0
    for one in range(CARDS if left > 0 else 1):
        first = board | 1 << one if left > 0 else board
        if left == 0 or first != board:
            for two in range(one if left > 1 else 1):
                full = first | 1 << two if left > 1 else first
                if left < 2 or full != first:
                    rate_board(game, full, work)
                    for pair in range(COMBINATIONS):
                        share = work.share[pair]
                        if share >= 0.0:
                            work.mean[pair] += share
                            work.square[pair] += share * share
                            work.ways[pair] += 1
    for pair in range(COMBINATIONS):
        if work.ways[pair] > 0:
            work.mean[pair] /= work.ways[pair]
            work.square[pair] /= work.ways[pair]
    return 0


@kernel
def rate_hand(game, low, high, board, left, work):
    """The same of one hand: fills work.mean[0] and work.square[0]."""
    hand = 1 << low | 1 << high
    mean, square, ways = 0.0, 0.0, 0
    for one in range(CARDS if left > 0 else 1):
        first = board | 1 << one if left > 0 else board
        if left == 0 or (first != board and hand >> one & 1 == 0):
            for two in range(one if left > 1 else 1):
                full = first | 1 << two if left > 1 else first
                if left < 2 or (full != first and hand >> two & 1 == 0):
                    share = share_of(low, high, full, work)
                    mean += share
                    square += share * share
                    ways += 1
    work.mean[0] = mean / ways
    work.square[0] = square / ways
    return ways


def share_of(low, high, board, work):
    """The part of the other hands that one hand beats on a board of five, ties counted half."""
    total, rest = BIAS, board
    while rest != 0:
        total += work.parts[lowest_bit(rest)]
        rest &= rest - 1
    dead = board | 1 << low | 1 << high
    mine = strength_of(total + work.parts[low] + work.parts[high], dead, work)
    won = 0
    for one in range(CARDS):
        if dead >> one & 1 == 0:
            base = total + work.parts[one]
            for two in range(one):
                if dead >> two & 1 == 0:
                    theirs = strength_of(base + work.parts[two], board | 1 << one | 1 << two, work)
                    won += 2 if mine > theirs else 1 if mine == theirs else 0
    return won / 1980.0


_room: list[Any] = []


def expected_strength(hand: Sequence[int], board: Sequence[int]) -> tuple[float, float]:
    """The expected strength of a hand on a board of three to five cards, and its standard deviation."""
    cards = [*hand, *board]
    if len(hand) != 2 or len(board) not in (3, 4, 5):
        raise BadInput(
            f"expected strength is of two cards on a board of three to five, not {len(hand)} and {len(board)}"
        )
    for card in cards:
        if not 0 <= card < CARDS or cards.count(card) > 1:
            what = f"{format_card(card)} is there twice" if 0 <= card < CARDS else f"{card} is no card"
            raise BadInput(f"{what}: cards are numbers from 0 (2c) to 51 (As), each once")
    if not _room:
        _room.append(strength_workspace())
    work, word = _room[0], sum(1 << card for card in board)
    rate_hand(NO_GAME, int(min(hand)), int(max(hand)), word, 5 - len(board), work)
    mean, square = float(work.mean[0]), float(work.square[0])
    return mean, max(square - mean * mean, 0.0) ** 0.5
