"""Short stacks, heads up, no-limit: all-in or fold. An equilibrium of that game, and what it can be exploited for.

The small blind pushes or folds, the big blind calls or folds. With the equities of all kinds of hands counted exactly
that is a matrix game of two times 169 decisions; regret matching+ with linear averages solves it, and the best answer
to either side is computed, not estimated.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import BadInput
from ..games.holdem.preflop import KINDS, chart, equity_table, kind_name, pairings

SMALL, BIG = 0.5, 1.0
CLOSE = 1e-5
"""Big blinds a hand to which the chart is solved."""
MOST_ROUNDS = 200_000
DEEPEST = 40.0

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class PushFold:
    """How often each kind of hand pushes and calls; all numbers are big blinds a hand."""

    stack: float
    push: Floats
    call: Floats
    value: float
    """What the small blind wins on average."""
    exploitability: float
    """The mean of what a best answer gains against either side."""

    def as_dict(self) -> dict[str, Any]:
        return {
            "stack": self.stack,
            "value": self.value,
            "exploitability": self.exploitability,
            "push": {kind_name(kind): round(float(self.push[kind]), 4) for kind in range(KINDS)},
            "call": {kind_name(kind): round(float(self.call[kind]), 4) for kind in range(KINDS)},
        }

    def charts(self) -> tuple[Floats, Floats]:
        return chart(self.push), chart(self.call)


def push_fold(stack: float) -> PushFold:
    """The chart for stacks of so many big blinds."""
    if not isinstance(stack, int | float) or not BIG < stack <= DEEPEST:
        raise BadInput(f"a push-or-fold chart is for stacks above 1 and up to {DEEPEST:g} big blinds, not {stack!r}")
    odds = pairings() / pairings().sum()
    showdown = (2.0 * equity_table() - 1.0) * stack
    regrets = np.zeros((2, KINDS, 2))  # by seat and kind: regret of all-in and of folding
    sums = np.zeros((2, KINDS, 2))
    push = call = np.full(KINDS, 0.5)
    for number in range(1, MOST_ROUNDS + 1):
        push = _matched(regrets[0])
        _learn(regrets[0], push, _push_worth(odds, showdown, call), -SMALL * odds.sum(1))
        call = _matched(regrets[1])
        _learn(regrets[1], call, *_call_worth(odds, showdown, push))
        for seat, plays in enumerate((push, call)):
            sums[seat, :, 0] += number * plays
            sums[seat, :, 1] += number
        if number % 250 == 0:
            found = _judged(stack, odds, showdown, sums[0, :, 0] / sums[0, :, 1], sums[1, :, 0] / sums[1, :, 1])
            if found.exploitability < CLOSE:
                return found
    return found


def _matched(regret: Floats) -> Floats:
    total = regret.sum(1)
    return np.where(total > 0, regret[:, 0] / np.where(total > 0, total, 1.0), 0.5)


def _learn(regret: Floats, plays: Floats, first: Floats, second: Floats) -> None:
    value = plays * first + (1 - plays) * second
    regret[:, 0] = np.maximum(regret[:, 0] + first - value, 0.0)
    regret[:, 1] = np.maximum(regret[:, 1] + second - value, 0.0)


def _push_worth(odds: Floats, showdown: Floats, call: Floats) -> Floats:
    """What all-in is worth to the small blind with each kind, times how often it comes."""
    return np.asarray((odds * (call * showdown + (1 - call) * BIG)).sum(1))


def _call_worth(odds: Floats, showdown: Floats, push: Floats) -> tuple[Floats, Floats]:
    """The same for the big blind when the other has pushed: calling, and folding."""
    reached = odds * push[:, None]
    return np.asarray(-(reached * showdown).sum(0)), np.asarray(-BIG * reached.sum(0))


def _judged(stack: float, odds: Floats, showdown: Floats, push: Floats, call: Floats) -> PushFold:
    worth, fold = _push_worth(odds, showdown, call), -SMALL * odds.sum(1)
    value = float((push * worth + (1 - push) * fold).sum())
    best_push = float(np.maximum(worth, fold).sum())
    calling, folding = _call_worth(odds, showdown, push)
    never = float(((1 - push)[:, None] * odds).sum()) * SMALL
    best_call = never + float(np.maximum(calling, folding).sum())
    return PushFold(stack, push, call, value, (best_push - value + best_call + value) / 2)
