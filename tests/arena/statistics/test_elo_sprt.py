"""Elo, intervals and the SPRT: golden values, other people's formulas, and simulated matches."""

from __future__ import annotations

import math
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plywright.arena.statistics.elo_sprt import Sprt, elo_of, estimate, estimate_after_stop, plain, score_of
from plywright.errors import BadInput

PAIRS, GAMES = (10, 60, 140, 75, 15), (100, 250, 130)

# Made with fishtest's own module for elo0 = 0, elo1 = 5.
GOLDEN = [
    (PAIRS, 0.761215, 0.512762, 0.513459),
    (GAMES, 0.798002, 0.574094, 0.572532),
]


@pytest.mark.parametrize(("counts", "logistic", "normalized", "approximate"), GOLDEN)
def test_the_llr_is_the_one_that_the_field_computes(
    counts: tuple[int, ...], logistic: float, normalized: float, approximate: float
) -> None:
    assert Sprt(0, 5).llr(counts) == pytest.approx(logistic, abs=5e-7)
    test = Sprt(0, 5, model="normalized")
    assert test.llr(counts) == pytest.approx(normalized, abs=5e-7)
    assert test.llr_approximately(counts) == pytest.approx(approximate, abs=5e-7)


@pytest.mark.parametrize("counts", [PAIRS, GAMES])
def test_the_normal_approximation_comes_near(counts: tuple[int, ...]) -> None:
    share = [count / sum(counts) for count in counts]
    scores = [i / (len(counts) - 1) for i in range(len(counts))]
    mean = sum(p * a for p, a in zip(share, scores, strict=True))
    variance = sum(p * (a - mean) ** 2 for p, a in zip(share, scores, strict=True))
    s0, s1 = 0.5, score_of(5)
    by_hand = sum(counts) * (s1 - s0) * (2 * mean - s0 - s1) / (2 * variance)
    assert Sprt(0, 5).llr_approximately(counts) == pytest.approx(by_hand)
    assert Sprt(0, 5).llr(counts) == pytest.approx(by_hand, rel=0.02)


def test_bounds_are_wald_s() -> None:
    assert Sprt(0, 5).bounds == pytest.approx((-2.9444, 2.9444), abs=1e-4)
    assert Sprt(0, 5, 0.05, 0.1).bounds == pytest.approx((math.log(0.1 / 0.95), math.log(0.9 / 0.05)))


def test_verdicts() -> None:
    test = Sprt(0, 10)
    assert test.verdict((0, 0, 0, 0, 0)) == "open" and test.llr((0, 0, 0, 0, 0)) == 0
    assert test.verdict((100, 400, 800, 520, 130)) == "accepted"
    assert test.verdict((130, 520, 800, 400, 100)) == "rejected"


@pytest.mark.parametrize("text", ["0,10", "0,10,normalized", "-3,1,0.05,0.1"])
def test_a_test_is_read_as_it_is_written(text: str) -> None:
    assert str(Sprt.parse(text)) == text


@pytest.mark.parametrize("text", ["", "5", "10,0", "0,0", "0,x", "0,10,0.7,0.05", "0,10,11", "0,inf", "0,10,bayes"])
def test_what_is_no_test_is_refused(text: str) -> None:
    with pytest.raises(BadInput):
        Sprt.parse(text)


# -- estimates ------------------------------------------------------------------------------------------------


def test_a_large_match_has_the_usual_error_bars() -> None:
    """As fastchess prints them: the normal interval of the mean, in Elo."""
    found = estimate(PAIRS)
    share = [count / 300 for count in PAIRS]
    mean = sum(p * i / 4 for i, p in enumerate(share))
    error = math.sqrt(sum(p * (i / 4 - mean) ** 2 for i, p in enumerate(share)) / 300)
    assert found.elo == pytest.approx(elo_of(mean))
    assert (found.low, found.high) == pytest.approx((elo_of(mean - 1.96 * error), elo_of(mean + 1.96 * error)), abs=0.3)
    assert found.los == pytest.approx(0.5 * (1 + math.erf((mean - 0.5) / error / math.sqrt(2))), abs=0.002)


@settings(max_examples=40)
@given(st.lists(st.integers(0, 300), min_size=5, max_size=5) | st.lists(st.integers(0, 300), min_size=3, max_size=3))
def test_no_counts_give_nonsense(counts: list[int]) -> None:
    found = estimate(counts)
    assert not any(math.isnan(number) for number in (found.elo, found.low, found.high, found.los))
    assert found.low <= found.elo <= found.high and 0 <= found.los <= 1
    for model in ("logistic", "normalized"):
        assert math.isfinite(Sprt(0, 5, model=model).llr(counts))
    turned = estimate(counts[::-1])
    assert turned.elo == pytest.approx(-found.elo) and turned.los == pytest.approx(1 - found.los, abs=1e-6)
    assert turned.low == pytest.approx(-found.high, abs=1e-3)


def test_all_wins_have_no_upper_limit_and_say_so() -> None:
    found = estimate((0, 0, 20))
    assert found.elo == found.high == math.inf and "no upper limit" in found.note
    # Twenty wins in twenty: the likelihood keeps win rates down to exp(-1.92 / 20) = 0.908.
    assert found.low == pytest.approx(elo_of(math.exp(-1.9207 / 20)), abs=2)


def test_all_draws_are_even_but_not_exactly_known() -> None:
    found = estimate((0, 0, 10, 0, 0))
    assert found.elo == 0 and found.los == 0.5 and found.low < -40 and found.high > 40
    assert estimate((0, 0, 1000, 0, 0)).high < 2


def test_one_game_says_little() -> None:
    won = estimate((0, 0, 1))
    assert won.low < -250 and won.high == math.inf and 0.7 < won.los < 0.95
    assert estimate((0, 0, 0)).note


def test_pairs_know_more_than_games_where_openings_decide() -> None:
    """Every opening is won by the same seat: the pairs are all even, the games are not."""
    pairs, games = estimate((0, 0, 100, 0, 0)), estimate((100, 0, 100))
    assert pairs.high - pairs.low < (games.high - games.low) / 3


def test_infinity_is_a_word_in_json() -> None:
    assert plain(math.inf) == "inf" and plain(-math.inf) == "-inf" and float(plain(-math.inf)) == -math.inf
    assert plain(1.23456789) == 1.234568


# -- after a stop -----------------------------------------------------------------------------------------------


def test_the_estimate_after_a_stop_is_right_half_of_the_time() -> None:
    test, shares = Sprt(0, 20), (0.02, 0.12, 0.5, 0.28, 0.08)
    true = elo_of(sum(share * i / 4 for i, share in enumerate(shares)))
    rng = random.Random(5)
    below = held = 0
    for _ in range(60):
        counts = [0] * 5
        while test.verdict(counts) == "open":
            for outcome in rng.choices(range(5), shares, k=4):
                counts[outcome] += 1
        found = estimate_after_stop(test, counts)
        below += found.elo < true
        held += found.low <= true <= found.high
    assert 20 <= below <= 40 and held >= 53


def test_a_stop_shrinks_the_estimate_and_is_named() -> None:
    counts = (30, 100, 200, 60, 10)
    fair, biased = estimate_after_stop(Sprt(0, 10), counts), estimate(counts)
    assert biased.elo < fair.elo < 0 and fair.low < fair.elo < fair.high and "median-unbiased" in fair.note
    assert "biased" in estimate_after_stop(Sprt(0, 10), (1, 2, 3, 2, 1)).note
    assert "biased" in estimate_after_stop(Sprt(0, 10, model="normalized"), counts).note
