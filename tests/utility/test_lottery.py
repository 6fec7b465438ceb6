"""Lotteries: the books' numbers, exactness, conditioning, dominance, and one clear line for every mistake."""

from __future__ import annotations

import math
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from plywright import BadInput
from plywright.rng import seeded
from plywright.utility import Lottery, dominance, dominates

PRIZES = st.integers(-50, 50)


def flat(prizes: st.SearchStrategy[Any] = PRIZES) -> st.SearchStrategy[Lottery]:
    """Exact lotteries over up to five prizes."""

    def build(pairs: list[tuple[int, Any]]) -> Lottery:
        whole = sum(weight for weight, _ in pairs)
        return Lottery([(Fraction(weight, whole), prize) for weight, prize in pairs])

    return st.lists(st.tuples(st.integers(1, 20), prizes), min_size=1, max_size=5).map(build)


LOTTERIES = flat()
NESTED = flat(st.one_of(PRIZES, flat(st.one_of(PRIZES, flat()))))


def test_the_books_lotteries() -> None:
    """Expected values of the lotteries of docs/facts.md, section 6."""
    assert Lottery([(0.8, 4000), (0.2, 0)]).expected_value() == 3200
    assert Lottery.parse("[0.5, $1000; 0.5, $0]").expected_value() == 500
    assert Lottery.parse("[0.25, 20; 0.5, 30; 0.25, 60]").expected_value() == 35
    assert Lottery.parse("[1/2, 8; 1/3, 24; 1/6, -12]").expected_value() == 10
    assert isinstance(Lottery.parse("[1/2, 8; 1/3, 24; 1/6, -12]").expected_value(), int)


def test_the_misprint_is_refused_and_the_message_says_the_sum() -> None:
    """A printed D has 0.2 and 0.75."""
    with pytest.raises(BadInput, match=r"sum to 0\.95, not to 1: 0\.2 \+ 0\.75"):
        Lottery([(0.2, 3000), (0.75, 0)])
    with pytest.raises(BadInput, match=r"sum to 0\.95, not to 1"):
        Lottery.parse("[0.2, $3k; 0.75, $0]")


def test_evidence_changes_beliefs() -> None:
    """Heavy traffic has 0.25, and 0.60 once it is known to be 8 am."""
    traffic = Lottery.parse("[0.25, heavy; 0.75, light]")
    assert traffic.given({"heavy": "0.9", "light": "0.2"}).probability("heavy") == Fraction(3, 5)
    hours = Lottery.parse('[0.15, "heavy 8 am"; 0.1, "heavy"; 0.1, "light 8 am"; 0.65, "light"]')
    morning = hours.given(lambda prize: "8 am" in prize)
    assert morning.probability("heavy 8 am") == Fraction(3, 5)
    assert traffic.given({"heavy"}) == Lottery([(1, "heavy")])
    with pytest.raises(BadInput, match="impossible"):
        traffic.given({"none"})
    with pytest.raises(BadInput, match="no likelihood for light"):
        traffic.given({"heavy": 1})


def test_nested_lotteries_reduce() -> None:
    inner = Lottery.parse("[0.5, 10; 0.5, 0]")
    compound = Lottery([("1/2", inner), ("1/4", 10), ("1/4", Lottery.certain("ticket"))])
    assert compound.reduce() == Lottery([("1/2", 10), ("1/4", 0), ("1/4", "ticket")])
    assert compound.levels == 2 and compound.reduce().levels == 1
    assert Lottery([(0, 1), (1, 2)]).prizes == (2,)


def test_moments_and_quantiles() -> None:
    trip = Lottery.parse("[0.25, 20; 0.5, 30; 0.25, 60]")
    assert trip.variance() == Fraction(225 + 2 * 25 + 625, 4)
    assert trip.standard_deviation() == math.sqrt(225)
    assert [trip.quantile(q) for q in (0, "1/4", 0.26, "1/2", "3/4", 0.76, 1)] == [20, 20, 30, 30, 30, 60, 60]
    assert (trip.worst, trip.best) == (20, 60)


def test_samples_follow_the_chances_and_the_seed() -> None:
    trip = Lottery([(0.25, 20), (0.5, 30), (0.25, 60)])
    drawn = trip.samples(seeded(7), 4000)
    assert drawn == trip.samples(seeded(7), 4000) != trip.samples(seeded(8), 4000)
    for chance, prize in trip.outcomes:
        assert abs(drawn.count(prize) / 4000 - chance) < 0.03
    rng = seeded(7)
    assert [trip.sample(rng) for _ in range(9)] == drawn[:9]


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Lottery([]), "at least one prize"),
        (lambda: Lottery([(math.nan, 1), (0.5, 2)]), "the probability of 1 must be a finite number, not nan"),
        (lambda: Lottery([(1, math.inf)]), "a prize must be a finite number, not inf"),
        (lambda: Lottery([(1, math.nan)]), "a prize must be a finite number, not nan"),
        (lambda: Lottery([(-0.1, 1), (1.1, 2)]), "the probability of 1 is -0.1; it must be from 0 to 1"),
        (lambda: Lottery([("a", 1)]), "must be a number such as 0.25 or 1/4, not 'a'"),
        (lambda: Lottery([(True, 1)]), "must be a number, not True"),
        (lambda: Lottery([(1, [2])]), "a prize must be a number, a name or a lottery, not [2]"),
        (lambda: Lottery([0.5, 0.5]), "pairs (probability, prize), and 0.5 is none"),
        (lambda: Lottery({1: 2}), "list of pairs"),
        (lambda: Lottery("[1, 2]"), "Lottery.parse reads one"),
        (lambda: Lottery([("1/3", 1), ("1/3", 2), ("33333333/100000000", 3)]), "sum to "),
        (lambda: Lottery.parse("  "), "the lottery is empty"),
        (lambda: Lottery.parse("[]"), "has no prizes"),
        (lambda: Lottery.parse("[0.5, 1; 0.5, 2"), "; or ] is expected before 'the end'"),
        (lambda: Lottery.parse("[0.5 1]"), "a probability such as 0.25, 1/4 or 25%"),
        (lambda: Lottery.parse("[1, nan]"), "must be a finite number or a name, not nan"),
        (lambda: Lottery.parse('[1, "x]'), "quotation mark has no partner"),
        (lambda: Lottery.parse("[1, 2] 3"), "nothing should follow"),
        (lambda: Lottery.parse("[" * 300), "probability"),
        (lambda: Lottery.parse("[1," * 300), "nested more than 100 levels"),
        (lambda: Lottery.parse("[1, ticket]").expected_value(), "the prize ticket is not a number"),
        (lambda: Lottery.parse("[1, 2]").quantile(1.5), "from 0 to 1"),
        (lambda: dominates(Lottery.certain(1), Lottery.certain(2), 3), "order 1 or 2"),
        (lambda: dominates(Lottery.certain(1), 2), "a lottery is needed"),
        (lambda: Lottery.certain(1).same_chances(1), "a lottery is needed"),
        (lambda: Lottery.certain("heavy").given("heavy"), "a mapping or a collection of prizes such as {'heavy'}"),
        (lambda: Lottery.certain("heavy").given(3), "evidence is a test"),
        (lambda: Lottery.certain(1).expected_utility(3), "something to call with a prize, not 3"),
        (lambda: Lottery.certain(1).map(3), "map needs a function"),
        (lambda: Lottery.certain(1).sample(7), "with a generator, such as plywright.rng.seeded(7), not 7"),
        (lambda: Lottery.certain(1).samples(seeded(1), -1), "a whole number from 0, not -1"),
        (lambda: Lottery.parse("A", "B"), "names are given as a mapping"),
    ],
)
def test_mistakes_are_one_sentence(make: Callable[[], Any], message: str) -> None:
    with pytest.raises(BadInput) as caught:
        make()
    assert message in str(caught.value) and "\n" not in str(caught.value)


def test_a_lottery_cannot_be_changed() -> None:
    with pytest.raises(AttributeError, match="make a new one"):
        Lottery.certain(1).outcomes = ()  # type: ignore[misc]


def test_floats_may_miss_one_by_rounding_and_exact_numbers_may_not() -> None:
    tenth = Lottery([(0.1, prize) for prize in range(10)])
    assert not tenth.exact and tenth.exactly().exact
    assert tenth.exactly().expected_value() == Fraction(9, 2)
    assert Lottery.parse("[10%, 1; 90%, 0]").exact


@given(NESTED)
def test_text_reads_back(lottery: Lottery) -> None:
    assert Lottery.parse(str(lottery)) == lottery


@given(flat(st.text(st.characters(exclude_categories=["Cs"], exclude_characters='"'), min_size=1)))
def test_names_read_back(lottery: Lottery) -> None:
    assert Lottery.parse(str(lottery)).prizes == lottery.prizes


@given(NESTED, NESTED, st.fractions(0, 1))
def test_expected_utility_is_linear_in_mixtures(a: Lottery, b: Lottery, p: Fraction) -> None:
    def utility(prize: Any) -> Any:
        return prize**3 - 7 * prize

    mixed = a.mix(p, b).expected_utility(utility)
    assert mixed == p * a.expected_utility(utility) + (1 - p) * b.expected_utility(utility)


@given(NESTED)
def test_reduction_changes_no_expectation_and_no_chance(lottery: Lottery) -> None:
    reduced = lottery.reduce()
    assert sum(chance for chance, _ in reduced.outcomes) == 1
    assert reduced.expected_value() == lottery.expected_value()
    assert reduced.same_chances(lottery) and len(set(reduced.prizes)) == len(reduced.outcomes)


@given(LOTTERIES, st.lists(st.integers(0, 5), min_size=4, max_size=4))
def test_bayes_by_counting(lottery: Lottery, likelihoods: list[int]) -> None:
    table = {prize: Fraction(likelihoods[prize % 4], 5) for prize in lottery.prizes}
    joint = {prize: lottery.probability(prize) * table[prize] for prize in lottery.prizes}
    assume(sum(joint.values()) > 0)
    after = lottery.given(table)
    for prize, weight in joint.items():
        assert after.probability(prize) == weight / sum(joint.values())


# -- dominance -------------------------------------------------------------------------------------------------------


def test_dominance_by_hand() -> None:
    narrow, wide = Lottery.parse("[0.5, 9; 0.5, 1]"), Lottery.parse("[0.5, 10; 0.5, 0]")
    assert dominance(narrow, wide) == (narrow, 2) == dominance(wide, narrow)
    better = Lottery.parse("[0.5, 10; 0.5, 1]")
    assert dominance(wide, better) == (better, 1) and dominates(better, wide, 2)
    assert dominance(wide, wide) is None
    assert dominance(Lottery.parse("[0.5, 10; 0.5, 0]"), Lottery.certain(7)) == (Lottery.certain(7), 2)
    assert dominance(Lottery.parse("[0.9, 10; 0.1, 0]"), Lottery.certain(7)) is None


def average(lottery: Lottery, utility: Callable[[int], int]) -> Any:
    return lottery.expected_utility(utility)


@given(LOTTERIES, LOTTERIES)
def test_first_order_is_agreement_of_all_increasing_utilities(a: Lottery, b: Lottery) -> None:
    """Steps at each amount generate all increasing functions."""
    steps = [lambda x, at=at: int(x >= at) for at in range(-51, 52)]
    gains = [average(a, step) - average(b, step) for step in steps]
    assert dominates(a, b) == (min(gains) >= 0 and max(gains) > 0)


@given(LOTTERIES, LOTTERIES)
def test_second_order_is_agreement_of_all_concave_increasing_utilities(a: Lottery, b: Lottery) -> None:
    """Ramps that end at each amount generate all concave increasing functions."""
    ramps = [lambda x, at=at: min(x, at) for at in range(-50, 52)]
    gains = [average(a, ramp) - average(b, ramp) for ramp in ramps]
    assert dominates(a, b, 2) == (min(gains) >= 0 and max(gains) > 0)


@pytest.mark.parametrize("prize", [float("nan"), float("inf"), Decimal("NaN"), Decimal("sNaN"), Decimal("-Infinity")])
def test_a_prize_is_finite(prize: Any) -> None:
    with pytest.raises(BadInput, match="a prize must be a finite number"):
        Lottery([(1, prize)])
    assert Lottery([(1, Decimal("2.5"))]).expected_value() == Fraction(5, 2)
