"""Ratings of pools and means of payoffs, against closed forms and limits."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plywright.arena.statistics.elo_sprt import elo_of, score_of
from plywright.arena.statistics.rating import bradley_terry, mean_interval, student


def test_two_players_are_an_ordinary_elo_difference() -> None:
    first, second = bradley_terry(2, {(0, 1): (30, 10)}).ratings
    assert first.elo - second.elo == pytest.approx(elo_of(0.75)) and first.elo == pytest.approx(-second.elo)
    # The curvature of 40 games at 3/4: the error of the difference is 1 / sqrt(40 * 3/16), halved for each.
    half = 1.96 / math.sqrt(40 * 3 / 16) * 400 / math.log(10) / 2
    assert first.high - first.elo == pytest.approx(half, rel=1e-3)


@given(st.lists(st.floats(-300, 300), min_size=3, max_size=6))
def test_expected_results_give_back_the_ratings(elos: list[float]) -> None:
    count = len(elos)
    results = {}
    for a in range(count):
        for b in range(a + 1, count):
            share = score_of(elos[a] - elos[b])
            results[a, b] = (100 * share, 100 * (1 - share))
    pool = bradley_terry(count, results)
    middle = sum(elos) / count
    assert [rating.elo for rating in pool.ratings] == pytest.approx([elo - middle for elo in elos], abs=0.01)
    assert not pool.note and all(rating.low < rating.elo < rating.high for rating in pool.ratings)


def test_a_clean_sweep_is_rated_and_named() -> None:
    pool = bradley_terry(3, {(0, 1): (4, 0), (0, 2): (4, 0), (1, 2): (3, 1)})
    best, middle, last = pool.ratings
    assert best.elo > middle.elo > last.elo and best.high == math.inf and math.isfinite(best.low)
    assert math.isfinite(middle.high) and "drawn game is added" in pool.note


def test_players_who_never_met_are_not_compared() -> None:
    pool = bradley_terry(4, {(0, 1): (1, 1), (2, 3): (1, 1)})
    assert pool.note and not any(math.isnan(rating.elo) for rating in pool.ratings)
    alone = bradley_terry(2, {}).ratings[0]
    assert (alone.low, alone.high) == (-math.inf, math.inf)


def test_students_quantiles() -> None:
    table = {1: 12.706, 2: 4.303, 3: 3.182, 5: 2.571, 10: 2.228, 30: 2.042, 1000: 1.962}
    for freedom, value in table.items():
        assert student(freedom) == pytest.approx(value, rel=2e-3)


def test_means() -> None:
    found = mean_interval([0.0, 1.0, 2.0, 1.0], 0, 2)
    assert found.mean == 1 and found.low == 0 and found.high == 2  # 3.18 * 0.816 / 2 is more than 1
    wide = mean_interval([0.0, 1.0] * 50, 0, 1)
    assert wide.high - wide.mean == pytest.approx(1.984 * 0.50252 / 10, rel=1e-3)
    assert (mean_interval([2.0], 0, 2).low, mean_interval([2.0], 0, 2).high) == (0, 2)
    same = mean_interval([2.0] * 10, 0, 2)
    assert same.mean == same.high == 2 and 1 < same.low < 2  # 3 in 10 may have been hidden
    assert mean_interval([], 0, 2).count == 0
