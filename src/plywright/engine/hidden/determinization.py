"""Values of deals as one kernel: deal, search every action of the dealt state with open cards, add up.

`work` is the workspace of the inner search (expectiminimax for `opposed` teams, maxn for `many` sides) and besides

    dealer              # [1] the generator that deals are drawn from
    size                # [1] n, how many actions the view has
    listed              # [n] the actions, in the order of the rules
    found               # [n] their values in the deal at hand
    sums, products      # [n], [n * n] sums over deals of values and of products of two values
    horizon             # [1] deals in which something was cut off at the depth limit
"""

from __future__ import annotations

import math

import numpy as np

from ...compiled import kernel
from ...counters import FAULT, OTHER_ACTIONS, STOPPED
from ..chance.expectation_tables import HORIZON, TOP
from ..chance.expectiminimax import expectiminimax
from ..chance.maxn import maxn


@kernel
def value_deals(game, knowledge, seen, state, seat, count, depth, dealing, opposed, many, work):
    """Value so many deals of what the seat sees, or `state` alone where `dealing` is None; returns how many were.

    One of `opposed` and `many` is None: the inner search that is not asked for is then not compiled. Only whole
    deals are added to the sums: one that a limit or a fault interrupts is dropped.
    """
    info = work.info
    n = work.size[0]
    done = 0
    while done < count and work.stop[0] == 0:
        if dealing is not None:
            state = game.deal(seen, seat, work.dealer)
        info[HORIZON] = 0
        info[TOP] = 0
        place = 0
        for action in game.actions(state):
            if place >= n or work.listed[place] != action:
                info[FAULT] = OTHER_ACTIONS
                info[STOPPED] = 1
                break
            child = game.result(state, action)
            if many is not None:
                maxn(game, knowledge, child, depth - 1, np.int64(0), np.int64(-1), math.inf, work)
                work.found[place] = work.vectors[seat]
            if opposed is not None:
                work.found[place] = expectiminimax(
                    game, knowledge, child, depth - 1, np.int64(0), -math.inf, math.inf, np.int64(0), work
                )
            if info[STOPPED] != 0:
                break
            place += 1
        if info[STOPPED] != 0:
            break
        if place < n:
            info[FAULT] = OTHER_ACTIONS
            break
        if info[HORIZON] != 0:
            work.horizon[0] += 1
        for a in range(n):
            work.sums[a] += work.found[a]
            for b in range(n):
                work.products[a * n + b] += work.found[a] * work.found[b]
        done += 1
    return done
