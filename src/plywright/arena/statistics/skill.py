"""Skill of players in games of three or more seats, by openskill (Plackett-Luce), where that is installed.

Every game is a ranking of its seats by what they were paid. A skill begins at 25 with a deviation of 25/3.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from ..outcome import Outcome

INTERVAL = 1.96


@dataclass(frozen=True)
class Skill:
    """A player's skill, with the interval of 95 %."""

    skill: float
    low: float
    high: float


def skills(outcomes: Sequence[Outcome], players: int) -> list[Skill] | None:
    """The skill of each player after these games, in their order; None without the package openskill."""
    model = _model()
    if model is None:
        return None
    ratings = [model.rating() for _ in range(players)]
    for outcome in outcomes:
        if outcome.payoffs is None:
            continue
        ranks = [float(sum(other > own for other in outcome.payoffs)) for own in outcome.payoffs]
        after = model.rate([[ratings[player]] for player in outcome.seats], ranks=ranks)
        for player, (rating,) in zip(outcome.seats, after, strict=True):
            ratings[player] = rating
    return [
        Skill(rating.mu, rating.mu - INTERVAL * rating.sigma, rating.mu + INTERVAL * rating.sigma) for rating in ratings
    ]


@cache
def _model() -> Any:
    try:
        from openskill.models import PlackettLuce
    except ImportError:
        return None
    return PlackettLuce()
