"""The likeliest distribution over scores that a hypothesis allows: of a given mean, or of a given ratio.

Shares are of the scores 0, 1/(n-1), ..., 1, all above zero. By Lagrange the likeliest distribution in
which some slopes average to zero is each share over 1 + x * slope, with the one x that keeps the sum.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from ...number import increasing_root

Array = NDArray[np.float64]
GRID = 96
"""Deviations that are looked at before those between two of them."""


def with_mean(shares: Sequence[float], mean: float) -> list[float]:
    """The likeliest distribution of this mean."""
    return _tilted(shares, [i / (len(shares) - 1) - mean for i in range(len(shares))])


def with_ratio(shares: Sequence[float], ratio: float) -> list[float]:
    """The likeliest distribution whose (mean - 1/2) is `ratio` times its deviation.

    The condition is not linear in the shares, but at its answer its gradient is a condition that is: the
    answer is the tilt along the gradient that belongs to its own deviation. So only the deviation is to be
    found, in one dimension. There may be several such points; the likeliest of them is the answer.
    """
    if ratio < 0:
        return with_ratio(list(reversed(shares)), -ratio)[::-1]
    if ratio < 1e-9:
        return with_mean(shares, 0.5)
    # Below this deviation no slope is above zero. Just above it the tilt piles everything on the score next to 1/2.
    least = (1 - 1 / math.hypot(1, ratio)) / ratio / (len(shares) - 1)
    grid = least + (0.5 - least) * np.geomspace(1e-12, 1.0, GRID)
    misses = _misses(shares, ratio, grid)
    found: list[list[float]] = []
    for i in np.flatnonzero(np.isfinite(misses[:-1]) & np.isfinite(misses[1:]) & (misses[:-1] * misses[1:] <= 0)):
        deviation = _crossing(lambda d: _miss(shares, ratio, d), float(grid[i]), float(grid[i + 1]))
        found.append(_tilted(shares, _slopes(len(shares), ratio, deviation)))
    # The condition can always be met, and where it is met best it is met so: something was found.
    return max(found, key=lambda fit: sum(p * math.log(q) for p, q in zip(shares, fit, strict=True)))


def _slopes(count: int, ratio: float, deviation: float) -> list[float]:
    """The gradient of (mean - 1/2) - ratio * deviation, moved so that it averages to zero where both are met."""
    mean = 0.5 + ratio * deviation
    aways = (i / (count - 1) - mean for i in range(count))
    return [away + ratio * (deviation - away * away / deviation) / 2 for away in aways]


def _miss(shares: Sequence[float], ratio: float, deviation: float) -> float:
    """By how much the mean of the tilt for this deviation misses what the ratio asks for."""
    fit = _tilted(shares, _slopes(len(shares), ratio, deviation))
    return sum(q * i for i, q in enumerate(fit)) / (len(fit) - 1) - 0.5 - ratio * deviation


def _misses(shares: Sequence[float], ratio: float, deviations: Array) -> Array:
    """`_miss` of many deviations at once, roughly; not a number where the slopes have one sign only."""
    known, count = np.asarray(shares, dtype=float), len(shares)
    slopes = np.array([_slopes(count, ratio, float(deviation)) for deviation in deviations])
    highest, lowest = slopes.max(axis=1), slopes.min(axis=1)
    possible = (highest > 0) & (lowest < 0)
    left, right = -1 / np.where(possible, highest, 1.0), -1 / np.where(possible, lowest, -1.0)
    weighted = known * slopes
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        for _ in range(45):
            middle = (left + right) / 2
            growing = (weighted / (1 + middle[:, None] * slopes)).sum(axis=1) > 0
            left, right = np.where(growing, middle, left), np.where(growing, right, middle)
        fits = known / (1 + middle[:, None] * slopes)
    means = fits @ np.linspace(0.0, 1.0, count)
    return np.where(possible, means - 0.5 - ratio * deviations, np.nan)


def _tilted(shares: Sequence[float], slopes: Sequence[float]) -> list[float]:
    """The likeliest distribution in which the slopes average to zero; they must take both signs."""
    low, high = min(slopes), max(slopes)
    left, right = -1 / high, -1 / low
    margin = 1e-12 * (right - left)
    x = increasing_root(
        lambda x: -sum(p * c / (1 + x * c) for p, c in zip(shares, slopes, strict=True)), left + margin, right - margin
    )
    return [p / (1 + x * c) for p, c in zip(shares, slopes, strict=True)]


def _crossing(function: Callable[[float], float], low: float, high: float) -> float:
    """Where a function that has opposite signs at the ends crosses zero, by the rule of false position (Illinois)."""
    at_low, at_high = function(low), function(high)
    for _ in range(60):
        if at_low == at_high or abs(high - low) < 1e-14 * high:
            break
        middle = high - at_high * (high - low) / (at_high - at_low)
        value = function(middle)
        if abs(value) < 1e-15:
            return middle
        if (value > 0) != (at_high > 0):
            low, at_low = high, at_high
        else:
            at_low /= 2
        high, at_high = middle, value
    return high
