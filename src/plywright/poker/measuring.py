"""What a strategy for heads-up limit hold'em wins and loses: duplicate matches against rules of thumb, and what a local
best response takes from it.

In a duplicate match every deal is played twice with the seats changed, so that most of the luck cancels. The local best
response (Lisy & Bowling 2017) knows the strategy, keeps the range of hands it may hold, and takes the act that is worth
most if both only check and call from then on: what it wins is a lower bound of what the strategy can be exploited for.
All results are thousandths of a big blind a hand (mbb/h) with 95 % intervals.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..compiled import NO_GAME
from ..errors import BadInput
from ..games.holdem.preflop import against_random, pair_kinds
from ..games.holdem.suits import COMBINATIONS
from ..rng import scramble, seeded
from .abstraction import BucketTables
from .betting_tree import BLINDS, betting_tree
from .match_kernels import local_best_response, play_duplicates
from .strategy_file import HoldemStrategy

OPPONENTS = ("call", "raise", "strength")
"""Always call, always raise, and by the expected strength of the hand."""
PART = 500


@dataclass(frozen=True)
class Winnings:
    """A result in mbb/h: the mean, and how far it may be off either way (95 %)."""

    name: str
    hands: int
    mean: float
    margin: float

    def as_dict(self) -> dict[str, Any]:
        return {"against": self.name, "hands": self.hands, "mbb_per_hand": self.mean, "margin": self.margin}

    def __str__(self) -> str:
        return f"{self.mean:+,.0f} mbb/h [{self.mean - self.margin:+,.0f}, {self.mean + self.margin:+,.0f}]"


def _workspace(strategy: HoldemStrategy, tables: BucketTables, seed: int) -> Any:
    if [points.shape for points in tables.centres] != [points.shape for points in strategy.centres] or not all(
        np.array_equal(one, two) for one, two in zip(tables.centres, strategy.centres, strict=True)
    ):
        raise BadInput("these buckets are not the strategy's: measure it with the folder it was trained in")
    tree = betting_tree()
    means = [points[:, 0] for points in tables.centres]
    return tables.workspace(
        mover=tree.mover,
        street=tree.street,
        child=tree.child,
        paid=tree.paid,
        base=strategy.bases,
        plays=strategy.plays,
        deck=np.arange(52, dtype=np.int64),
        hand=np.zeros(9, np.int64),
        bucket=np.zeros(8, np.int64),
        winner=np.zeros(1, np.int64),
        rng=seeded(scramble(seed)),
        before=against_random()[pair_kinds()],
        flop_means=np.ascontiguousarray(means[0]),
        turn_means=np.ascontiguousarray(means[1]),
        river_means=np.ascontiguousarray(means[2]),
        sums=np.zeros(2),
        range=np.zeros(COMBINATIONS),
        kept=np.zeros(COMBINATIONS),
        pair_bucket=np.zeros(4 * COMBINATIONS, np.int64),
        ahead=np.zeros(COMBINATIONS),
    )


def duplicate_match(
    strategy: HoldemStrategy,
    tables: BucketTables,
    opponent: str,
    deals: int,
    seed: int = 1,
    told: Callable[[int, int], None] = lambda done, of: None,
) -> Winnings:
    """What the strategy wins from one of OPPONENTS over so many deals, each played from both seats."""
    if opponent not in OPPONENTS:
        raise BadInput(f"there is no opponent {opponent!r}; there are {', '.join(OPPONENTS)}")
    work = _workspace(strategy, tables, seed)
    for done in range(0, deals, PART):
        play_duplicates(NO_GAME, min(PART, deals - done), OPPONENTS.index(opponent), work)
        told(done, deals)
    return _winnings(opponent, deals, work, 2)


def lbr(
    strategy: HoldemStrategy,
    tables: BucketTables,
    hands: int,
    seed: int = 1,
    told: Callable[[int, int], None] = lambda done, of: None,
) -> Winnings:
    """What a local best response wins from the strategy, seats in turn."""
    work = _workspace(strategy, tables, seed)
    for done in range(0, hands, PART):
        local_best_response(NO_GAME, min(PART, hands - done), done % 2, work)
        told(done, hands)
    return _winnings("local best response", hands, work, 1)


def _winnings(name: str, count: int, work: Any, hands_each: int) -> Winnings:
    """Sums of chips over deals of one or two hands, in mbb a hand."""
    mean, square = float(work.sums[0]) / count, float(work.sums[1]) / count
    unit = 1000 / BLINDS[0] / hands_each
    spread = math.sqrt(max(square - mean * mean, 0.0) / max(count - 1, 1))
    return Winnings(name, count * hands_each, mean * unit, 1.96 * spread * unit)
