"""The likeliest distribution of a given ratio, beside a numerical fit that knows nothing of how it is found."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest
from scipy.optimize import minimize

from plywright.arena.statistics.elo_sprt import LITTLE, Sprt
from plywright.arena.statistics.fitting import with_ratio


def random_case(rng: random.Random) -> tuple[list[float], float]:
    """Counts of games or pairs, often with hardly anything but neutral ones, as shares; and a ratio."""
    size = rng.choice([3, 5])
    if rng.random() < 0.5:
        counts = [rng.choice([0, 0, 1, 2, 5, 20]) for _ in range(size)]
        counts[size // 2] += rng.choice([1, 10, 100, 900, 5000])
    else:
        counts = [int(10 ** rng.uniform(-1, 4)) for _ in range(size)]
        counts[rng.randrange(size)] += 1
    whole = [count or LITTLE for count in counts]
    return [count / sum(whole) for count in whole], rng.choice([-0.2, -0.05, -0.02, 0.01, 0.03, 0.08, 0.3])


def moments(fit: np.ndarray) -> tuple[float, float]:
    scores = np.linspace(0, 1, len(fit))
    mean = float(fit @ scores)
    return mean, math.sqrt(float(fit @ (scores - mean) ** 2))


def numerical_loss(shares: np.ndarray, ratio: float, rng: random.Random) -> float:
    """The least loss that a general solver finds from a few starts, over logarithms of shares."""

    def fit(logs: np.ndarray) -> np.ndarray:
        grown = np.exp(np.maximum(logs - logs.max(), -50))
        return grown / grown.sum()

    def loss(logs: np.ndarray) -> float:
        return float(shares @ np.log(shares / fit(logs)))

    def gap(logs: np.ndarray) -> float:
        mean, deviation = moments(fit(logs))
        return (mean - 0.5) / deviation - ratio  # by the difference alone, one score in every game would do

    best = math.inf
    for start in (np.log(shares), np.zeros(len(shares)), np.array([rng.gauss(0, 2) for _ in shares])):
        found = minimize(loss, start, constraints={"type": "eq", "fun": gap}, method="SLSQP", options={"ftol": 1e-13})
        if abs(gap(found.x)) < 1e-8:
            best = min(best, loss(found.x))
    return best


def compare(cases: int, seed: int) -> None:
    rng = random.Random(seed)
    compared = 0
    for _ in range(cases):
        shares, ratio = random_case(rng)
        fit = np.array(with_ratio(shares, ratio))
        mean, deviation = moments(fit)
        assert fit.sum() == pytest.approx(1, abs=1e-9) and (fit > 0).all()
        assert mean - 0.5 == pytest.approx(ratio * deviation, abs=1e-9), (shares, ratio)
        known = np.array(shares)
        numerical = numerical_loss(known, ratio, rng)
        own = float(known @ np.log(known / fit))
        assert own <= numerical + 1e-7, (shares, ratio)
        compared += own >= numerical - 1e-6  # the solver found the same point, and not a worse one
    assert compared > 0.8 * cases


def test_no_distribution_of_that_ratio_is_likelier() -> None:
    compare(60, 1)


@pytest.mark.slow
def test_no_distribution_of_that_ratio_is_likelier_in_thousands_of_cases() -> None:
    compare(2000, 2)


def test_matches_of_hardly_anything_but_neutral_pairs_stay_open() -> None:
    test = Sprt(0, 20, model="normalized")
    assert test.llr((0, 2, 892, 5, 0)) == pytest.approx(-0.573343, abs=5e-7)
    assert test.verdict((0, 2, 892, 5, 0)) == "open"


def test_seen_from_the_other_player_the_test_is_the_same() -> None:
    for counts in ((0, 2, 892, 5, 0), (1, 0, 40, 3, 2), (10, 60, 140, 75, 15)):
        there = Sprt(-20, 0, model="normalized").llr(counts[::-1])
        assert Sprt(0, 20, model="normalized").llr(counts) == pytest.approx(-there, abs=1e-9)
