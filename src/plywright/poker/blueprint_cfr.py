"""External-sampling CFR over buckets of cards (Lanctot et al. 2009), with regrets that fade (Brown & Sandholm 2019).

An iteration deals both hands and the whole board, looks up the buckets once, and walks the betting for each player:
all actions of that player, one of the other's drawn by its present strategy, which goes into the other's average.

`work` has a bucket workspace (abstraction.py), the betting tree and

    base                  # [nodes] the first slot of a decision; a bucket has three slots, one an action
    regret, average       # [slots]
    deck, rng, hand       # [52]; [1]; [9] the cards of the deal: two of each seat, then the board
    bucket                # [8] 2 * street + seat
    winner                # [1] 1, 0 or -1 for seat 0 at the showdown
    counted               # [1] decisions visited
"""

from __future__ import annotations

import numpy as np

from ..compiled import kernel
from ..games.hand_tables import BIAS, strength_of
from ..games.holdem.strength import share_of
from ..games.holdem.suits import pair_number
from ..rng import below, uniform
from .abstraction import river_bucket, table_place
from .betting_tree import CALL, ENDED, FOLD, RAISE


@kernel
def train(game, times, work):
    """So many iterations; returns how many were done."""
    done = 0
    while done < times and work.stop[0] == 0:
        deal(work)
        look_up(work)
        for player in range(2):
            walk(game, np.int64(0), np.int64(player), work)
        done += 1
    return done


def deal(work):
    """Nine cards off a shuffled deck."""
    for place in range(9):
        other = place + below(work.rng, 52 - place)
        card = work.deck[other]
        work.deck[other] = work.deck[place]
        work.deck[place] = card
        work.hand[place] = card


def look_up(work):
    """The buckets of both hands on each street, and who wins at the showdown."""
    flop = 1 << work.hand[4] | 1 << work.hand[5] | 1 << work.hand[6]
    turn = flop | 1 << work.hand[7]
    board = turn | 1 << work.hand[8]
    common = BIAS
    for place in range(4, 9):
        common += work.parts[work.hand[place]]
    rating = 0
    for seat in range(2):
        one, two = work.hand[2 * seat], work.hand[2 * seat + 1]
        low, high = min(one, two), max(one, two)
        work.bucket[seat] = work.preflop[pair_number(one, two)]
        work.bucket[2 + seat] = work.flop_buckets[
            table_place(flop, low, high, work.flop_classes, work.flop_turns, work)
        ]
        work.bucket[4 + seat] = work.turn_buckets[
            table_place(turn, low, high, work.turn_classes, work.turn_turns, work)
        ]
        work.bucket[6 + seat] = river_bucket(share_of(low, high, board, work), work)
        strength = strength_of(common + work.parts[one] + work.parts[two], board | 1 << one | 1 << two, work)
        rating = int(strength) if seat == 0 else rating - int(strength)
    work.winner[0] = 1 if rating > 0 else -1 if rating < 0 else 0


@kernel
def walk(game, node, player, work):
    """What the betting from here on is worth to the player, by regrets of both; grows regrets and averages."""
    mover = work.mover[node]
    if mover == ENDED:  # whoever has paid less has folded
        mine, theirs = work.paid[2 * node + player], work.paid[2 * node + 1 - player]
        return 1.0 * theirs if mine > theirs else -1.0 * mine
    if mover < 0:
        sign = work.winner[0] if player == 0 else -work.winner[0]
        return 1.0 * sign * work.paid[2 * node]
    slot = work.base[node] + 3 * work.bucket[2 * work.street[node] + mover]
    down, on, up = work.child[3 * node + FOLD], work.child[3 * node + CALL], work.child[3 * node + RAISE]
    fold = max(work.regret[slot + FOLD], 0.0) if down >= 0 else 0.0
    call = max(work.regret[slot + CALL], 0.0)
    more = max(work.regret[slot + RAISE], 0.0) if up >= 0 else 0.0
    total = fold + call + more
    if total > 0.0:
        fold /= total
        call /= total
        more /= total
    else:
        legal = 1.0 + (1.0 if down >= 0 else 0.0) + (1.0 if up >= 0 else 0.0)
        fold, call, more = (1.0 / legal if down >= 0 else 0.0), 1.0 / legal, (1.0 / legal if up >= 0 else 0.0)
    work.counted[0] += 1
    if mover != player:
        work.average[slot + FOLD] += fold
        work.average[slot + CALL] += call
        work.average[slot + RAISE] += more
        point = uniform(work.rng)
        after = on
        if point < fold:
            after = down
        elif point < fold + more:
            after = up
        return walk(game, after, player, work)
    worth_call = walk(game, on, player, work)
    value = call * worth_call
    worth_fold, worth_more = 0.0, 0.0
    if down >= 0:
        worth_fold = walk(game, down, player, work)
        value += fold * worth_fold
    if up >= 0:
        worth_more = walk(game, up, player, work)
        value += more * worth_more
    work.regret[slot + CALL] += worth_call - value
    if down >= 0:
        work.regret[slot + FOLD] += worth_fold - value
    if up >= 0:
        work.regret[slot + RAISE] += worth_more - value
    return value
