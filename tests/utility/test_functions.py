"""Utility functions, certainty equivalents, premiums, and when two functions are the same person."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plywright import BadInput
from plywright.utility import (
    CARA,
    CRRA,
    Linear,
    Log,
    Lottery,
    Piecewise,
    Quadratic,
    Scaled,
    SShaped,
    Table,
    UtilityFunction,
    approximate_premium,
    attitude,
    bargain,
    certainty_equivalent,
    risk_premium,
    same_behaviour,
    utility_function,
)

COIN = Lottery.parse("[0.5, 1000; 0.5, 0]")
ELICITED = Piecewise([(0, 0), (400, Fraction(1, 2)), (1000, 1)])
FUNCTIONS = st.sampled_from(
    [
        Linear(),
        Log(wealth=100),
        CRRA(0.5, wealth=60),
        CRRA(2, wealth=60),
        CRRA(1.0000001, wealth=60),
        CARA(0.01),
        CARA(-0.02),
        Quadratic(0.001),
        SShaped(power=0.5, loss=2),
        Piecewise([(-60, -3), (0, 0), (20, 3), (60, 4)]),
        Piecewise([(-60, -3), (0, 0), (20, 3), (60, 4)], smooth=False),
    ]
)
AMOUNTS = st.integers(-50, 50)
LOTTERIES = st.lists(st.tuples(st.integers(1, 9), AMOUNTS), min_size=1, max_size=5).map(
    lambda pairs: Lottery([(Fraction(weight, sum(w for w, _ in pairs)), prize) for weight, prize in pairs])
)


def test_the_person_who_takes_400() -> None:
    """Certainty equivalent 400, premium 100, U(L) < U(EMV(L))."""
    assert COIN.expected_value() == 500
    assert certainty_equivalent(COIN, ELICITED) == pytest.approx(400)
    assert risk_premium(COIN, ELICITED) == pytest.approx(100)
    assert COIN.expected_utility(ELICITED) < ELICITED(500) and attitude(COIN, ELICITED) == "risk-averse"


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        ("linear", 500),
        ("log:wealth=500", math.sqrt(500 * 1500) - 500),
        ("crra:0.5", 250),  # ((sqrt 1000 + 0) / 2)^2
        ("crra:2,wealth=1000", 2 / (1 / 2000 + 1 / 1000) - 1000),
        ("crra:2", 0),  # to own nothing at all is the worst there is
        ("cara:0.001", -1000 * math.log((1 + math.exp(-1)) / 2)),
        ("quadratic:0.0005", 2000 * (1 - math.sqrt(1 - 0.375 * 2 * 0.5))),
        ("s-shaped:power=0.5", 250),
    ],
)
def test_certainty_equivalents_by_formula(spec: str, expected: float) -> None:
    utility = utility_function(spec)
    assert certainty_equivalent(COIN, utility) == pytest.approx(expected, abs=1e-9)
    if spec != "crra:2":  # the same by plain bisection on the function as a stranger's
        assert certainty_equivalent(COIN, lambda x: utility(x)) == pytest.approx(expected, abs=1e-6)


def test_extreme_parameters_neither_overflow_nor_vanish() -> None:
    far = Lottery.parse("[0.5, 1000000; 0.5, 999000]")
    assert certainty_equivalent(far, CARA(1)) == pytest.approx(999000 + math.log(2))
    assert 999000 < certainty_equivalent(far, CRRA(80)) < 999500
    assert certainty_equivalent(COIN, CRRA(0.999999999)) == pytest.approx(0, abs=1e-9)
    assert certainty_equivalent(COIN, CARA(-5)) == pytest.approx(1000 - math.log(2) / 5)


def test_the_attitude_goes_by_the_spread_and_not_by_the_size_of_the_amounts() -> None:
    small = Lottery.parse("[0.5, 1000001; 0.5, 999999]")
    assert risk_premium(small, CRRA(2)) == pytest.approx(1e-6, rel=1e-3)
    assert attitude(small, CRRA(2)) == "risk-averse" and bargain(small, CRRA(2)).possible
    assert attitude(small, CARA(-0.01)) == "risk-prone"
    straight = Piecewise([(0, 0), (3, 1), (3_000_000, 1_000_000)])
    for neutral in (Linear(), Scaled(Linear(), Fraction(1, 3), 7), straight, lambda x: x / 7 + 2):
        assert attitude(small, neutral) == "risk-neutral" and not bargain(small, neutral).possible
    assert attitude(Lottery.certain(5), Log()) == "risk-neutral"


def test_a_risk_averse_person_is_risk_prone_deep_in_debt_and_the_insurer_gains_from_the_other() -> None:
    """The same curve bends one way in debt and the other way in wealth."""
    curve = SShaped(reference=-500, power=0.5, loss=1)
    assert attitude(COIN, curve) == "risk-averse"
    debt = COIN.map(lambda prize: prize - 5000)
    assert attitude(debt, curve) == "risk-prone" and risk_premium(debt, curve) < 0
    good = bargain(COIN, curve)
    assert good.possible and good.room == pytest.approx(risk_premium(COIN, curve))
    price = (good.most_paid + good.least_asked) / 2
    assert good.insurer_gain(price) > 0 and price < good.most_paid
    assert good.insurer_risk(10_000) == pytest.approx(good.insurer_risk() / 100)
    assert not bargain(debt, curve).possible and "no bargain" in bargain(debt, curve).words()


def test_an_insurer_who_minds_risk_asks_for_more() -> None:
    plain, careful = bargain(COIN, CARA(0.01)), bargain(COIN, CARA(0.01), CARA(0.001))
    assert plain.least_asked == 500 and 500 < careful.least_asked < careful.most_paid
    asked = careful.least_asked
    assert COIN.expected_utility(lambda x: CARA(0.001)(asked - (1000 - x))) == pytest.approx(0, abs=1e-6)
    assert not bargain(COIN, CARA(0.001), CARA(0.01)).possible


def test_arrow_and_pratt() -> None:
    assert CARA(0.02).absolute_risk_aversion(123) == 0.02
    assert CRRA(3).relative_risk_aversion(50) == pytest.approx(3)
    assert Log(wealth=50).absolute_risk_aversion(50) == pytest.approx(0.01)
    assert Linear().absolute_risk_aversion(5) == 0
    assert Quadratic(0.001).absolute_risk_aversion(500) == pytest.approx(0.001 / 0.5)
    assert SShaped(power=0.5).absolute_risk_aversion(-10) < 0 < SShaped(power=0.5).absolute_risk_aversion(10)
    small = Lottery.parse("[0.5, 1001; 0.5, 999]")
    assert approximate_premium(small, Log()) == pytest.approx(risk_premium(small, Log()), rel=1e-3)


@given(FUNCTIONS, AMOUNTS)
def test_slopes_and_bends_are_derivatives_and_inverses_invert(utility: UtilityFunction, x: int) -> None:
    assert utility.inverse(float(utility(x))) == pytest.approx(x, abs=1e-6)
    step, place = 1e-4, x + 0.37
    rise = (float(utility(place + step)) - float(utility(place - step))) / (2 * step)
    assert utility.slope(place) == pytest.approx(rise, rel=1e-4, abs=1e-9)
    turn = (utility.slope(place + step) - utility.slope(place - step)) / (2 * step)
    assert utility.bend(place) == pytest.approx(turn, rel=1e-3, abs=1e-7)


@given(FUNCTIONS, LOTTERIES)
def test_certainty_equivalents_lie_between_and_are_worth_the_lottery(u: UtilityFunction, lottery: Lottery) -> None:
    sure = certainty_equivalent(lottery, u)
    assert lottery.worst <= sure <= lottery.best
    assert float(u(sure)) == pytest.approx(float(lottery.expected_utility(u)), rel=1e-6, abs=1e-6)


@given(FUNCTIONS, LOTTERIES, LOTTERIES, st.integers(0, 9))
def test_certainty_equivalents_are_monotone(u: UtilityFunction, a: Lottery, b: Lottery, more: int) -> None:
    raised = a.map(lambda prize: min(prize + more, 50))
    assert certainty_equivalent(raised, u) >= certainty_equivalent(a, u) - 1e-7
    gap = float(a.expected_utility(u) - b.expected_utility(u))
    if abs(gap) > 1e-6:
        assert (certainty_equivalent(a, u) > certainty_equivalent(b, u)) == (gap > 0)


@given(FUNCTIONS, LOTTERIES, LOTTERIES, st.fractions("1/9", 9), st.integers(-99, 99))
def test_positive_affine_maps_change_no_behaviour(
    u: UtilityFunction, a: Lottery, b: Lottery, scale: Fraction, shift: int
) -> None:
    """U and k1 U + k2 with k1 > 0 choose the same."""
    other = Scaled(u, scale, shift)
    assert certainty_equivalent(a, other) == pytest.approx(certainty_equivalent(a, u))
    gap = float(a.expected_utility(u) - b.expected_utility(u))
    if abs(gap) > 1e-6:
        assert (a.expected_utility(other) > b.expected_utility(other)) == (gap > 0)
    answer = same_behaviour(u, other, range(-50, 51))
    assert answer.same
    assert float(answer.scale or 0) == pytest.approx(float(scale), rel=1e-6)
    assert float(answer.shift or 0) == pytest.approx(shift, rel=1e-6, abs=1e-6)


def test_different_persons_are_shown_a_choice_in_which_they_differ() -> None:
    pairs: list[tuple[Any, Any]] = [
        (Log(), Linear()),
        (CARA(0.01), CRRA(2)),
        (SShaped(), SShaped(loss=1)),
        (SShaped(reference=50_000), SShaped(reference=50_000, loss=1)),
        (lambda x: max(x, 0), Linear()),
        (Linear(), lambda x: -x),
        (lambda x: 1, Linear()),
        (lambda x: min(x, 500), Linear()),
        (Table({"a": 0, "b": 1, "c": 2}), Table({"a": 0, "b": "1/2", "c": 2})),
    ]
    for u, v in pairs:
        answer = same_behaviour(u, v)
        assert not answer and answer.lottery is not None
        signs = [_sign(f(answer.prize) - answer.lottery.expected_utility(f)) for f in (u, v)]
        assert signs[0] != signs[1], str(answer)
    assert same_behaviour(Table({"a": 0, "b": 1}), Table({"a": 3, "b": 7})).scale == 4
    assert same_behaviour(lambda x: 1, lambda x: 4).shift == 3


def test_the_answer_says_on_which_amounts_it_compared() -> None:
    answer = same_behaviour(SShaped(), Scaled(SShaped(), 2, 1))
    assert answer and min(answer.prizes) == -1000 and max(answer.prizes) == 1000 and 0 in answer.prizes
    assert f"compared on {len(answer.prizes)} amounts from -1000 to 1000" in str(answer)
    assert same_behaviour(lambda x: min(x, 0), lambda x: 2 * min(x, 0)).scale == 2  # gains tell nothing here
    assert min(same_behaviour(Log(wealth=10), Scaled(Log(wealth=10), 2, 1)).prizes) > -10
    assert "from 1 to 1000" in str(same_behaviour(math.log, Log()))  # a plain function refuses the others
    assert "compared on a, b" in str(same_behaviour(Table({"a": 0, "b": 1}), Table({"a": 3, "b": 7})))


def _sign(gap: Any) -> int:
    return 0 if abs(gap) < 1e-9 else int(math.copysign(1, gap))


def test_with_certain_prizes_any_increasing_map_is_the_same_behaviour() -> None:
    """The order of prizes is kept, and only lotteries tell the two apart."""
    assert all((Log()(x) > Log()(y)) == (x > y) for x in range(1, 40) for y in range(1, 40))
    assert not same_behaviour(Log(), Linear())


@given(st.lists(st.tuples(st.integers(1, 9), st.integers(1, 9)), min_size=1, max_size=6))
def test_interpolation_never_turns(steps: list[tuple[int, int]]) -> None:
    points = [(0, 0)]
    for across, up in steps:
        points.append((points[-1][0] + across, points[-1][1] + up))
    curve = Piecewise(points)
    values = [float(curve(points[-1][0] * n / 200)) for n in range(201)]
    assert all(a < b for a, b in pairwise(values))
    assert all(curve(x) == u for x, u in points)


def test_a_table_is_written_and_read_back() -> None:
    table = utility_function('table:ticket=1,dinner=0.4, "a, b"=1/3, 100=0')
    assert isinstance(table, Table) and table.utilities["a, b"] == Fraction(1, 3) and table(100) == 0
    assert utility_function(str(table)).utilities == table.utilities  # type: ignore[attr-defined]
    assert Lottery.parse("[1/2, ticket; 1/2, dinner]").expected_utility(table) == Fraction(7, 10)


def test_straight_pieces_are_exact() -> None:
    curve = Piecewise([(0, 0), (3, 1)], smooth=False)
    assert curve(1) == Fraction(1, 3)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: utility_function("log")(-5), "log has no utility for -5: it would leave a debt"),
        (lambda: certainty_equivalent(COIN.map(lambda x: x - 500), Log()), "log has no utility for -500"),
        (lambda: utility_function("crra:2")(-1), "would leave a debt"),
        (lambda: utility_function("quadratic:0.01")(101), "increases only up to 100"),
        (lambda: utility_function("piecewise:0=0,10=1")(11), "its points reach from 0 to 10"),
        (lambda: utility_function("lgo"), "did you mean log?"),
        (lambda: utility_function("magic"), "there are linear, log"),
        (lambda: utility_function("crra"), "crra needs gamma, as in"),
        (lambda: utility_function("crra:x"), "gamma must be a number, not 'x'"),
        (lambda: utility_function("crra:2,3,4"), "crra has no parameter '4'"),
        (lambda: utility_function("crra:2,gamma=3"), "its gamma twice"),
        (lambda: utility_function("crra:-1"), "gamma of at least 0"),
        (lambda: utility_function("cara:0"), "other than 0"),
        (lambda: utility_function("linear", wealth=5), "linear takes no wealth"),
        (lambda: utility_function("piecewise:0=0,5"), "'5' is no point"),
        (lambda: utility_function("piecewise:0=0"), "at least two points"),
        (lambda: utility_function("piecewise:0=0,5=3,9=2"), "must rise with the amounts, but 5 has 3 and 9 has 2"),
        (lambda: utility_function("s-shaped:power=2"), "power above 0 and up to 1"),
        (lambda: CARA(math.nan), "finite number, not nan"),
        (lambda: Lottery.parse("[1, 1e999]"), "a prize is too large"),
        (lambda: Lottery([(1, 10**400)]), "a prize is too large"),
        (lambda: utility_function("cara:1e400"), "the aversion of cara is too large"),
        (lambda: CARA(5)(-1000), "too large to compute"),
        (lambda: Linear()("ticket"), "the prize ticket is not a number"),
        (lambda: Table({"a": 1})("b"), "the prize b is unknown: there are utilities for a"),
        (lambda: Scaled(Linear(), 0), "a scale must be above 0"),
        (lambda: certainty_equivalent(COIN, lambda x: -x), "does not rise"),
        (
            lambda: Lottery.certain(-1).expected_utility(math.log),
            "the utility function has no value for -1 (ValueError",
        ),
        (lambda: COIN.expected_utility(lambda x: math.nan), "gives nan for 1000, not a number"),
        (lambda: COIN.expected_utility({}.get), "gives None for 1000, not a number"),
        (lambda: Log().absolute_risk_aversion(0), "needs something owned"),
        (lambda: SShaped().absolute_risk_aversion(0), "kink"),
        (lambda: Quadratic(0.01).absolute_risk_aversion(100), "is not defined at 100"),
        (lambda: certainty_equivalent(Lottery.parse("[1/2, -1e300; 1/2, 1]"), CARA(1e300)), "too extreme"),
        (lambda: Piecewise([(0, 0), (1e-300, 1), (1, 2)]), "too close together"),
        (lambda: Linear()(math.nan), "an amount must be a finite number, not nan"),
        (lambda: Log()(math.inf), "an amount must be a finite number, not inf"),
        (lambda: CARA(1).absolute_risk_aversion("x"), "the prize x is not a number"),
        (lambda: utility_function(3), "a utility function is written as a text"),
        (lambda: utility_function("table"), "at least one prize"),
        (lambda: utility_function("table:ticket"), "'ticket' is no line of a table: write PRIZE=UTILITY"),
        (lambda: utility_function("table:a=1,a=2"), "the table gives a twice"),
        (lambda: utility_function("table:a=b"), "the utility of a must be a number, not 'b'"),
        (lambda: utility_function("table:a=1", wealth=3), "table takes no wealth"),
        (lambda: Table([("a", 1)]), "is a mapping such as {'ticket': 1}"),
        (lambda: Table({"a": 1}).inverse(0.5), "no certainty equivalents"),
        (lambda: Table({"a": 1}).absolute_risk_aversion("a"), "no risk aversion"),
        (lambda: certainty_equivalent(3, Linear()), "a lottery is needed"),
        (lambda: certainty_equivalent(COIN, 3), "something to call with a prize, not 3"),
        (lambda: CARA(1).certainty_equivalent(3), "a lottery is needed"),
        (lambda: approximate_premium(COIN, math.log), "a utility function that knows how it bends"),
        (lambda: bargain(COIN, Linear(), 3), "something to call with a prize, not 3"),
        (lambda: bargain(COIN, Linear()).insurer_risk(0.5), "a whole number of policies"),
        (lambda: Piecewise([1, 2]), "pairs (amount, utility), and 1 is none"),
        (lambda: Scaled(math.log, 2), "only a utility function of this package"),
        (lambda: same_behaviour(Log(), Linear(), 3), "a list such as [0, 10, 100], not 3"),
        (lambda: same_behaviour(Log(), Linear(), [0, 1, 2]), "minus infinity, at 0, cannot be compared"),
    ],
)
def test_mistakes_are_one_sentence(make: Callable[[], Any], message: str) -> None:
    with pytest.raises(BadInput) as caught:
        make()
    assert message in str(caught.value) and "\n" not in str(caught.value)
