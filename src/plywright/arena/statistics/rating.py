"""Ratings of several players: Bradley-Terry from a round robin, mean payoffs for three or more seats.

Bradley-Terry says that a player rated r scores 1 / (1 + 10^((s - r) / 400)) on average against one
rated s; the ratings are those that make the results likeliest, with their mean at 0. Intervals come
from the curvature of the likelihood, in which a draw is half a win: a little wide where draws are many.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import NormalDist, fmean, stdev

import numpy as np
from numpy.typing import NDArray

CONFIDENCE = 0.95
SCALE = 400 / math.log(10)


@dataclass(frozen=True)
class Rating:
    """A player's Elo in its pool, with the interval that 95 of 100 tournaments would have right."""

    elo: float
    low: float
    high: float


@dataclass(frozen=True)
class Pool:
    """Ratings by player, who can be compared with whom, and a sentence where that needs saying."""

    ratings: tuple[Rating, ...]
    note: str = ""
    groups: tuple[tuple[int, ...], ...] = ()
    """Players linked by games, directly or through others; ratings of different groups have nothing in common."""


def bradley_terry(players: int, results: Mapping[tuple[int, int], tuple[float, float]]) -> Pool:
    """Ratings from results[(a, b)] = (points of a, points of b), a draw being half a point each.

    The likelihood has a highest point only if no group of players beat all the others outright. Where
    one did, every two players that met are given one more drawn game, and the note says so; whoever
    won or lost every game has no limit on that side. Players whom no chain of games links are rated apart.
    """
    points = np.zeros((players, players))  # [winner, loser]
    for (a, b), (of_a, of_b) in results.items():
        points[a, b] += of_a
        points[b, a] += of_b
    groups = _groups((points + points.T) > 0)
    ratings = [Rating(0.0, -math.inf, math.inf)] * players
    helped = False
    for group in groups:
        if len(group) == 1:
            continue
        among = points[np.ix_(group, group)]
        outright = not _connected(among > 0)
        helped = helped or outright
        for player, rating in zip(group, _rated(among, outright), strict=True):
            ratings[player] = rating
    notes = []
    if sum(len(group) > 1 for group in groups) > 1:
        notes.append("groups of players who never met have each a scale of their own")
    if helped:
        notes.append(
            "some players won or lost every game against the rest: one drawn game is added between all who met"
        )
    return Pool(tuple(ratings), "; ".join(notes), groups)


def _rated(points: NDArray[np.float64], outright: bool) -> list[Rating]:
    """The ratings of players who are linked by games."""
    strengths, spread = _fit(points + 0.5 * ((points + points.T) > 0) if outright else points)
    wide = NormalDist().inv_cdf((1 + CONFIDENCE) / 2) * SCALE
    ratings = []
    for player in range(len(points)):
        elo, half = float(strengths[player]) * SCALE, wide * float(spread[player])
        low = -math.inf if points[player].sum() == 0 else elo - half
        ratings.append(Rating(elo, low, math.inf if points[:, player].sum() == 0 else elo + half))
    return ratings


def _groups(met: NDArray[np.bool_]) -> tuple[tuple[int, ...], ...]:
    """The players that chains of games link, the largest groups first."""
    found: list[tuple[int, ...]] = []
    left = set(range(len(met)))
    while left:
        group, edge = set(), {min(left)}
        while edge:
            group |= edge
            edge = {int(other) for player in edge for other in np.flatnonzero(met[player])} - group
        found.append(tuple(sorted(group)))
        left -= group
    return tuple(sorted(found, key=lambda group: (-len(group), group)))


def _connected(beats: NDArray[np.bool_]) -> bool:
    """Whether from every player there is a chain of wins to every other."""
    reach = beats | np.eye(len(beats), dtype=bool)
    for _ in range(max(1, len(beats).bit_length())):
        reach = (reach.astype(int) @ reach.astype(int)) > 0
    return bool(reach.all())


def _fit(points: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Natural-logarithm strengths of mean 0 by Newton's method, and their standard errors."""
    count = len(points)
    games = points + points.T
    strengths = np.zeros(count)
    level = np.full((count, count), 1 / count)  # fixes the mean, which results say nothing about
    curvature = level
    for _ in range(100):
        expected = 1 / (1 + np.exp(strengths[None, :] - strengths[:, None]))
        slope = (points - games * expected).sum(axis=1)
        weights = games * expected * (1 - expected)
        curvature = np.diag(weights.sum(axis=1)) - weights + level
        step = np.linalg.lstsq(curvature, slope, rcond=None)[0]
        step *= min(1.0, 2.0 / max(float(np.abs(step).max()), 1e-300))  # never so far that the next one overshoots
        strengths = strengths + step - step.mean()
        if float(np.abs(step).max()) < 1e-10:
            break
    covariance = np.linalg.pinv(curvature) - 1 / count
    return strengths, np.sqrt(np.maximum(np.diag(covariance), 0.0))


@dataclass(frozen=True)
class Mean:
    """A mean payoff, with the interval that 95 of 100 tournaments would have right."""

    mean: float
    low: float
    high: float
    count: int


def mean_interval(values: Sequence[float], lowest: float, highest: float) -> Mean:
    """The mean of independent values between `lowest` and `highest`, by Student's t.

    Of a single value only the limits are known. Where all values are the same, their spread says
    nothing; the interval then allows for as many others as so many values may have hidden.
    """
    count = len(values)
    if count == 0:
        return Mean(0.0, lowest, highest, 0)
    mean = fmean(values)
    if count == 1:
        return Mean(mean, lowest, highest, 1)
    spread = stdev(values)
    if spread == 0:
        hidden = 1 - (1 - CONFIDENCE) ** (1 / count)
        return Mean(mean, mean - hidden * (mean - lowest), mean + hidden * (highest - mean), count)
    half = student(count - 1) * spread / math.sqrt(count)
    return Mean(mean, max(lowest, mean - half), min(highest, mean + half), count)


def student(freedom: int) -> float:
    """How many standard errors hold 95 %: Student's t, by its expansion about the normal (Fisher 1925)."""
    if freedom == 1:
        return math.tan(math.pi * CONFIDENCE / 2)
    if freedom == 2:
        return CONFIDENCE * math.sqrt(2 / (1 - CONFIDENCE**2))
    z = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return float(z + sum(term / freedom**power for power, term in enumerate(terms, 1)))
