"""What counting needs of a game: who sat where, how it ended, and what that is in half points."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple


class Outcome(NamedTuple):
    """How one game of a run ended."""

    game: int
    attempt: int
    round: int
    seats: tuple[int, ...]
    payoffs: tuple[float, ...] | None
    termination: str
    offender: int | None
    offences: tuple[tuple[int, str], ...]
    seconds: float
    isolation: str
    note: str
    line: str = ""
    """A short text that equal games have in common: the same start, the same actions."""

    @property
    def ending(self) -> tuple[Any, ...]:
        """Who sat where and how it ended, offences included: all that counting looks at."""
        return self[3:8]

    @property
    def identity(self) -> tuple[Any, ...]:
        """What makes a game another one: who sat where, and what was played."""
        return (self.seats, self.line) if self.line else (self.game,)


def pair_score(outcomes: Sequence[Outcome]) -> int | None:
    """Half points of the first player in a round of two games, 0 to 4; None if a game is missing or not new."""
    if len(outcomes) != 2 or len(outcomes[0].seats) != 2:
        return None
    return sum(half_points(outcome, min(outcome.seats)) for outcome in outcomes)


def half_points(outcome: Outcome, player: int) -> int:
    """2 where the player had the best payoff alone, 1 where it shared it, 0 where another had more."""
    assert outcome.payoffs is not None
    seat = outcome.seats.index(player)
    own, best = outcome.payoffs[seat], max(outcome.payoffs[:seat] + outcome.payoffs[seat + 1 :])
    return 2 if own > best else 1 if own == best else 0
