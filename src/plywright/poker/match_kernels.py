"""Hands of heads-up limit hold'em as kernels: a strategy against rules of thumb, and against a local best response.

`work` has a bucket workspace, the betting tree, `plays` and `base` of the strategy, the deal (blueprint_cfr.py) and

    before                         # [pairs] equity against a random hand before the flop
    flop_means, turn_means, river_means  # by bucket the mean strength of its centre
    sums                           # [2] chips won and their squares
    range, kept, ahead             # [pairs] how likely the strategy holds each pair; the same after a raise; who wins
    pair_bucket                    # [4 * pairs] by street the bucket of each pair on this board
"""

from __future__ import annotations

import numpy as np

from ..compiled import kernel
from ..games.hand_tables import BIAS, strength_of
from ..games.holdem.strength import rate_board
from ..games.holdem.suits import COMBINATIONS, pair_number
from ..rng import below, uniform
from .abstraction import river_bucket, table_place
from .betting_tree import CALL, ENDED, FOLD, RAISE
from .blueprint_cfr import deal, look_up

ALWAYS_CALL, ALWAYS_RAISE = 0, 1
STRONG, WEAK = 0.68, 0.38
RUNOUTS = 12
"""Boards that stand for all to come when the response weighs a hand before the river."""


@kernel
def play_duplicates(game, deals, opponent, work):
    """So many deals, each from both seats; adds what the strategy wins in both to the sums."""
    for _ in range(deals):
        deal(work)
        look_up(work)
        won = 0
        for seat in range(2):
            won += play_hand(seat, opponent, work)
        work.sums[0] += won
        work.sums[1] += won * won
    return 0


def play_hand(seat, opponent, work):
    """What the strategy wins in this seat."""
    node = 0
    while work.mover[node] >= 0:
        mover = work.mover[node]
        act = drawn_act(node, mover, work) if mover == seat else thumb_act(node, mover, opponent, work)
        node = work.child[3 * node + act]
    return payoff(node, seat, work)


def payoff(node, seat, work):
    """The chips that a seat has won at the end of a hand."""
    mine, theirs = work.paid[2 * node + seat], work.paid[2 * node + 1 - seat]
    if work.mover[node] == ENDED:
        return theirs if mine > theirs else -mine
    return mine * (work.winner[0] if seat == 0 else -work.winner[0])


def drawn_act(node, mover, work):
    """One act of the strategy, by its shares."""
    slot = work.base[node] + 3 * work.bucket[2 * work.street[node] + mover]
    point = below(work.rng, 255)
    if point < work.plays[slot + FOLD]:
        return FOLD
    if point < int(work.plays[slot + FOLD]) + int(work.plays[slot + CALL]):
        return CALL
    return RAISE


def thumb_act(node, mover, opponent, work):
    """What a rule of thumb does: call, raise, or by the strength of the hand."""
    may_fold, may_raise = work.child[3 * node + FOLD] >= 0, work.child[3 * node + RAISE] >= 0
    act = CALL
    if opponent == ALWAYS_RAISE and may_raise:
        act = RAISE
    elif opponent != ALWAYS_CALL and opponent != ALWAYS_RAISE:
        street = work.street[node]
        bucket = work.bucket[2 * street + mover]
        if street == 0:
            strength = work.before[pair_number(work.hand[2 * mover], work.hand[2 * mover + 1])]
        elif street == 1:
            strength = work.flop_means[bucket]
        elif street == 2:
            strength = work.turn_means[bucket]
        else:
            strength = work.river_means[bucket]
        if strength > STRONG and may_raise:
            act = RAISE
        elif strength < WEAK and may_fold:
            act = FOLD
    return act


@kernel
def local_best_response(game, hands, first, work):
    """So many hands of a local best response against the strategy, seats in turn; adds what the response wins."""
    for number in range(hands):
        deal(work)
        look_up(work)
        seat = (first + number) % 2
        own = 1 << work.hand[2 * seat] | 1 << work.hand[2 * seat + 1]
        for pair in range(COMBINATIONS):
            work.range[pair] = 0.0 if (1 << work.lows[pair] | 1 << work.highs[pair]) & own else 1.0
        node, street = np.int64(0), -1
        while work.mover[node] >= 0:
            if work.street[node] != street:
                street = work.street[node]
                see_street(game, street, work)
            if work.mover[node] == seat:
                act = best_act(game, node, seat, work)
            else:
                act = drawn_act(node, work.mover[node], work)
                narrow(node, act, work)
            node = work.child[3 * node + act]
        won = payoff(node, seat, work)
        work.sums[0] += won
        work.sums[1] += won * won
    return 0


def board_of(street, work):
    """The cards that lie open on a street."""
    cards = 0
    for place in range(4, 4 + (0 if street == 0 else street + 2)):
        cards |= 1 << work.hand[place]
    return cards


def see_street(game, street, work):
    """The bucket of every pair on this street; pairs that the board rules out leave the range."""
    board = board_of(street, work)
    if street == 3:
        rate_board(game, board, work)
    for pair in range(COMBINATIONS):
        low, high = work.lows[pair], work.highs[pair]
        if board & (1 << low | 1 << high):
            work.range[pair] = 0.0
        elif work.range[pair] > 0.0:
            if street == 0:
                bucket = work.preflop[pair]
            elif street == 1:
                spot = table_place(board, low, high, work.flop_classes, work.flop_turns, work)
                bucket = np.int64(work.flop_buckets[spot])
            elif street == 2:
                spot = table_place(board, low, high, work.turn_classes, work.turn_turns, work)
                bucket = np.int64(work.turn_buckets[spot])
            else:
                bucket = river_bucket(work.share[pair], work)
            work.pair_bucket[street * COMBINATIONS + pair] = bucket


def narrow(node, act, work):
    """The range after the strategy has acted."""
    street = work.street[node]
    for pair in range(COMBINATIONS):
        if work.range[pair] > 0.0:
            slot = work.base[node] + 3 * work.pair_bucket[street * COMBINATIONS + pair]
            work.range[pair] *= work.plays[slot + act] / 255.0


def best_act(game, node, seat, work):
    """The act that is worth most if both only check and call afterwards."""
    weigh_hands(node, seat, work)
    total, won = 0.0, 0.0
    for pair in range(COMBINATIONS):
        total += work.range[pair]
        won += work.range[pair] * work.ahead[pair]
    chance = won / total if total > 0.0 else 0.5
    mine, theirs = work.paid[2 * node + seat], work.paid[2 * node + 1 - seat]
    pot, asked = mine + theirs, theirs - mine
    best, act = chance * pot - (1.0 - chance) * asked, CALL
    if work.child[3 * node + FOLD] >= 0 and best < 0.0:
        best, act = 0.0, FOLD
    up = work.child[3 * node + RAISE]
    if up >= 0 and work.mover[up] >= 0:
        street, folds, left, ahead = work.street[node], 0.0, 0.0, 0.0
        for pair in range(COMBINATIONS):
            if work.range[pair] > 0.0:
                slot = work.base[up] + 3 * work.pair_bucket[street * COMBINATIONS + pair]
                stays = work.range[pair] * (1.0 - work.plays[slot + FOLD] / 255.0)
                folds += work.range[pair] - stays
                left += stays
                ahead += stays * work.ahead[pair]
        if total > 0.0:
            more = work.paid[2 * up + seat] - mine - asked
            fold_share = folds / total
            chance = ahead / left if left > 0.0 else 0.5
            stay = chance * (pot + more) - (1.0 - chance) * (asked + more)
            worth = fold_share * pot + (1.0 - fold_share) * stay
            if worth > best:
                act = RAISE
    return act


def weigh_hands(node, seat, work):
    """How often the own hand beats each pair at the end: work.ahead, ties half; by some boards before the river."""
    street = work.street[node]
    board = board_of(street, work)
    one, two = work.hand[2 * seat], work.hand[2 * seat + 1]
    own = 1 << one | 1 << two
    missing = 5 - (0 if street == 0 else street + 2)
    for pair in range(COMBINATIONS):
        work.ahead[pair] = 0.0
        work.kept[pair] = 0.0
    for _ in range(RUNOUTS if missing > 0 else 1):
        full, total = board, BIAS
        for _ in range(missing):
            card = int(uniform(work.rng) * 52)
            while (full | own) >> card & 1:
                card = int(uniform(work.rng) * 52)
            full |= 1 << card
        for card in range(52):
            if full >> card & 1:
                total += work.parts[card]
        mine = strength_of(total + work.parts[one] + work.parts[two], full | own, work)
        for pair in range(COMBINATIONS):
            low, high = work.lows[pair], work.highs[pair]
            held = 1 << low | 1 << high
            if work.range[pair] > 0.0 and held & full == 0:
                theirs = strength_of(total + work.parts[low] + work.parts[high], full | held, work)
                work.kept[pair] += 1.0
                work.ahead[pair] += 1.0 if mine > theirs else 0.5 if mine == theirs else 0.0
    for pair in range(COMBINATIONS):
        work.ahead[pair] = work.ahead[pair] / work.kept[pair] if work.kept[pair] > 0.0 else 0.5
