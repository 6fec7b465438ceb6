"""How many deals a view has, and the refusal to list them where they are too many."""

from __future__ import annotations

import math

from ..errors import Unsuitable
from ..game import Game

MOST_LISTED = 400_000
SAMPLE = 1_000


def check_listable(game: Game, count: float, what: str = "deals") -> None:
    """Raise Unsuitable, before anything is listed, where `count` deals look alike: with what a sample would do.

    The mean of N values between the ends of the utility range has a standard error of at most half the range over
    the square root of N.
    """
    if count <= MOST_LISTED:
        return
    low, high = game.utility_range
    error = (high - low) / 2 / math.sqrt(SAMPLE)
    number = f"{int(count):,}" if count < 1e15 else f"{int(count):,} (about {count_power(count)})"
    raise Unsuitable(
        f"{game.name}: {number} {what} look like this, too many to list; a sample stands in for them: algorithm "
        f"'deals' or 'ismcts' draws N with a standard error of at most {(high - low) / 2:g}/sqrt(N), for {SAMPLE:,} "
        f"deals {error:.2g}"
    )


def count_power(count: float) -> str:
    """A large number as 8.4 x 10^16."""
    power = len(str(int(count))) - 1
    return f"{int(count) / 10**power:.2f} x 10^{power}"
