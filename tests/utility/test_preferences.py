"""Preferences: Allais, money pumps, and the verdict against brute force on random sets."""

from __future__ import annotations

import itertools
import random
import sys
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plywright import BadInput, Unsuitable
from plywright.utility import AXIOMS, Comparison, Lottery, Preferences, Verdict, money_pump, parse_comparison
from plywright.utility.contradiction import _meeting
from plywright.utility.feasibility import decide

ALLAIS = {"A": "[0.8, $4k; 0.2, $0]", "B": "[1, $3k]", "C": "[0.2, $4k; 0.8, $0]", "D": "[0.25, $3k; 0.75, $0]"}


def explains(utilities: dict[object, object], comparisons: tuple[Comparison, ...]) -> bool:
    for c in comparisons:
        gap = c.better.exactly().expected_utility(utilities.__getitem__) - c.worse.exactly().expected_utility(  # type: ignore[arg-type]
            utilities.__getitem__  # type: ignore[arg-type]
        )
        if not (gap > 0 if c.strict else gap == 0):
            return False
    return True


def test_allais_fits_no_utility_function() -> None:
    """Allais, with the proof that C and D are A and B mixed with nothing at the same chance."""
    verdict = Preferences(["B > A", "C > D"], ALLAIS).check()
    assert not verdict and verdict.axiom == "substitutability" and verdict.smallest
    assert [str(c) for c in verdict.contradiction] == ["B > A", "C > D"] and verdict.weights == (1, 4)
    assert "C is [0.25, A; 0.75, 0] and D is [0.25, B; 0.75, 0]" in verdict.explanation
    for consistent in (["B > A", "D > C"], ["A > B", "C > D"], ["A ~ B", "C ~ D"]):
        preferences = Preferences(consistent, ALLAIS)
        found = preferences.check()
        assert found and found.utilities is not None
        assert explains(found.utilities, preferences.comparisons)
        assert min(found.utilities.values()) == 0 or consistent[0] == "A ~ B"


def test_a_circle_is_pumped_and_told() -> None:
    """A over B over C over A: each trade costs a cent, and the circle closes."""
    preferences = Preferences(["A > B", "B > C", "C > A", "D > A"])
    verdict = preferences.check()
    assert verdict.axiom == "transitivity" and len(verdict.contradiction) == 3
    assert verdict.explanation == "the preferences go in a circle: A > B > C > A"
    pump = money_pump(preferences)
    assert pump is not None and pump.cents == 3
    assert pump.summary == f"pays 1 cent three times and holds {pump.holding} again, 3 cents poorer"
    assert pump.lines()[0] == f"holds {pump.holding}" and len(pump.lines()) == 5
    here = pump.holding
    for trade in pump.trades:
        assert trade.gives == here and f"{trade.receives} > {here}" in ("A > B", "B > C", "C > A")
        here = trade.receives
    assert here == pump.holding
    assert money_pump(preferences, cents=5).cents == 15  # type: ignore[union-attr]


def test_a_round_with_an_indifference_is_pumped_too() -> None:
    pump = money_pump(Preferences(["A > B", "B ~ C", "C > A"]))
    assert pump is not None and pump.cents == 2 and "likes B as much as C: pays nothing to swap" in str(pump)
    assert money_pump(Preferences(["A > B", "B ~ C", "A > C"])) is None
    assert money_pump(Preferences(["A ~ B", "B ~ C", "C ~ A"])) is None
    assert money_pump(Preferences(["B > A", "C > D"], ALLAIS)) is None


@pytest.mark.parametrize(
    ("comparisons", "axiom", "size"),
    [
        (["A > A"], "orderability", 1),
        (["A > B", "B > A"], "orderability", 2),
        (["A > B", "C > D", "A ~ B"], "orderability", 2),
        (["A > B", "B ~ C", "C > A"], "transitivity", 3),
        (["A > B", "[0.4, A; 0.6, B] > [0.6, A; 0.4, B]"], "monotonicity", 2),
        (["A > B", "B > [0.5, A; 0.5, B]"], "monotonicity", 2),
        (["A > B", "[0.4, A; 0.6, B] ~ [0.6, A; 0.4, B]"], "monotonicity", 2),
        (["A ~ B", "[0.5, A; 0.5, Z] > [0.5, B; 0.5, Z]"], "substitutability", 2),
        (["A > B", "[0.5, B; 0.5, Z] > [0.5, A; 0.5, Z]"], "substitutability", 2),
        (["A > [0.5, B; 0.5, C]", "B > A", "C > A", "Q > A"], "substitutability", 3),
        (["A > B", "[0.5, A; 0.5, [0.5, B; 0.5, A]] < [0.25, B; 0.75, A]"], "orderability", 1),
        (["A > B", "B > [0.5, A; 0.5, C]", "C > A"], "monotonicity", 3),
        (["A > B", "B > C", "[0.4, A; 0.6, C] > X", "X ~ [0.6, A; 0.4, C]"], "monotonicity", 4),
        (["A > B", "B ~ C", "[0.5, C; 0.5, Z] > [0.5, A; 0.5, Z]"], "substitutability", 3),
        (["A > B", "X ~ [0.5, A; 0.5, Z]", "X ~ [0.5, B; 0.5, Z]"], "substitutability", 3),
    ],
)
def test_every_contradiction_has_its_axiom(comparisons: list[str], axiom: str, size: int) -> None:
    verdict = Preferences(comparisons).check()
    assert not verdict.consistent and verdict.axiom == axiom and axiom in AXIOMS
    assert len(verdict.contradiction) == size and verdict.smallest and verdict.explanation


def test_a_contradiction_over_several_steps_is_told_step_by_step() -> None:
    verdict = Preferences(["A > B", "B > [0.5, A; 0.5, C]", "C > A"]).check()
    assert verdict.explanation == (
        "C > A, so of two mixtures of C and A the one with more of C is better, but A > B > [0.5, A; 0.5, C] puts "
        "A, with 0 of C, above [0.5, A; 0.5, C], with 0.5 of it"
    )
    verdict = Preferences(["A > B", "B ~ C", "[0.5, C; 0.5, Z] > [0.5, A; 0.5, Z]"]).check()
    assert "so A > B ~ C decides between them" in verdict.explanation


def test_the_general_proof_names_the_lottery_that_is_better_than_itself() -> None:
    verdict = Preferences(["A > [0.5, B; 0.5, C]", "B > A", "C > A"]).check()
    assert verdict.explanation.endswith("but both are the lottery [0.5, A; 0.25, B; 0.25, C]")


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5), st.booleans()), min_size=1, max_size=10))
def test_a_pump_is_a_shortest_circle(pairs: list[tuple[int, int, bool]]) -> None:
    """Against every round of places, tried by hand from the shortest."""
    edges = {(b, a): True for a, b, strict in pairs if strict}  # from the worse to the better
    for a, b, strict in pairs:
        if not strict:
            edges.setdefault((a, b), False)
            edges.setdefault((b, a), False)

    def loses(places: tuple[int, ...]) -> bool:
        steps = list(zip(places, (*places[1:], places[0]), strict=True))
        return all(step in edges for step in steps) and any(edges[step] for step in steps)

    rounds = (places for size in range(1, 7) for places in itertools.permutations(range(6), size) if loses(places))
    shortest = next((len(places) for places in rounds), None)
    preferences = Preferences([f"p{a} {'>' if strict else '~'} p{b}" for a, b, strict in pairs])
    pump = money_pump(preferences)
    assert (None if pump is None else len(pump.trades)) == shortest
    if pump is not None:
        assert pump.trades[-1].receives == pump.holding and pump.cents >= 1
        assert len(preferences.check().contradiction) <= len(pump.trades)


def test_a_long_list_with_a_short_circle_gives_the_short_one() -> None:
    """Without scipy too: a circle needs no linear programming."""
    comparisons = [f"p{n} > p{n + 1}" for n in range(300)]
    verdict = Preferences([*comparisons, "p300 > p0", "p30 > p27"]).check()
    assert verdict.axiom == "transitivity" and len(verdict.contradiction) == 4
    assert verdict.explanation == "the preferences go in a circle: p27 > p28 > p29 > p30 > p27"


@given(st.lists(st.frozensets(st.integers(0, 6), min_size=1, max_size=4), max_size=7), st.integers(0, 4))
def test_what_meets_all_corrections_is_as_small_as_can_be(corrections: list[frozenset[int]], most: int) -> None:
    sets = (set(some) for size in range(8) for some in itertools.combinations(range(7), size))
    smallest = next(some for some in sets if all(some & correction for correction in corrections))
    found = _meeting(corrections, most)
    if len(smallest) > most:
        assert found is None
    else:
        assert found is not None and len(found) == len(smallest)
        assert all(correction & set(found) for correction in corrections)


def test_a_smallest_contradiction_is_proved_among_thirty_comparisons() -> None:
    """A contradiction of five hides in a list where trying all smaller sets would take 31,930 of them."""
    dice, names = random.Random(2), [f"p{n}" for n in range(8)]
    liking = {name: dice.random() for name in names}
    comparisons = []
    for number in range(30):
        a, b = (
            Lottery([("1/2", x), ("1/4", y), ("1/4", z)]) for x, y, z in (dice.sample(names, 3), dice.sample(names, 3))
        )
        first = a.expected_utility(liking.__getitem__) > b.expected_utility(liking.__getitem__)
        comparisons.append(Comparison(a, b) if first != (number % 10 == 9) else Comparison(b, a))
    verdict = Preferences(comparisons).check()
    assert not verdict and verdict.smallest and len(verdict.contradiction) == 5
    for some in itertools.combinations(verdict.contradiction, 4):
        assert Preferences(some).check()


# -- against brute force -------------------------------------------------------------------------------------------

SIDES = st.lists(st.integers(0, 3), min_size=3, max_size=3).filter(any)


def lottery(weights: list[int]) -> Lottery:
    return Lottery([(Fraction(w, sum(weights)), name) for w, name in zip(weights, "xyz", strict=True)])


COMPARISONS = st.lists(
    st.builds(lambda a, b, strict: Comparison(lottery(a), lottery(b), strict), SIDES, SIDES, st.booleans()),
    min_size=1,
    max_size=6,
)


def brute_force(comparisons: list[Comparison]) -> bool:
    """Three prizes up to scale and shift leave one free ratio: every sign pattern of the rows occurs at an edge,
    where some row is 0, or between two edges; so those directions are all there is to try.
    """
    rows = []
    for c in comparisons:
        gaps = [Fraction(c.better.probability(x)) - Fraction(c.worse.probability(x)) for x in "xyz"]
        rows.append((gaps[0], gaps[1]))  # with u(z) = 0, since the gaps sum to nothing
    edges = [(-b, a) for a, b in rows if a or b] + [(b, -a) for a, b in rows if a or b] + [(Fraction(1), Fraction(0))]
    edges.append((Fraction(0), Fraction(1)))  # with the axes no two neighbours are opposite
    edges += [(-x, -y) for x, y in edges]
    between = [(a[0] + b[0], a[1] + b[1]) for a, b in itertools.combinations(edges, 2)]
    unit = [(x / (abs(x) + abs(y)), y / (abs(x) + abs(y))) for x, y in edges]
    between += [(a[0] + b[0], a[1] + b[1]) for a, b in itertools.combinations(unit, 2)]
    for u in [(Fraction(0), Fraction(0)), *edges, *between]:
        values = [a * u[0] + b * u[1] for a, b in rows]
        if all(v > 0 if c.strict else v == 0 for v, c in zip(values, comparisons, strict=True)):
            return True
    return False


def proved(verdict: Verdict, comparisons: list[Comparison]) -> None:
    """Whatever the verdict says, its proof is checked by hand."""
    if verdict.consistent:
        assert verdict.utilities is not None
        assert explains(verdict.utilities, tuple(comparisons))
        return
    total: dict[str, Fraction] = {}
    for comparison, weight in zip(verdict.contradiction, verdict.weights, strict=True):
        assert weight > 0 or not comparison.strict
        for name in "xyz":
            gap = Fraction(comparison.better.probability(name)) - Fraction(comparison.worse.probability(name))
            total[name] = total.get(name, Fraction(0)) + gap * Fraction(weight)
    assert not any(total.values()) and any(c.strict for c in verdict.contradiction)
    assert verdict.axiom in AXIOMS


@given(COMPARISONS)
def test_the_verdict_agrees_with_brute_force_and_is_proved(comparisons: list[Comparison]) -> None:
    verdict = Preferences(comparisons).check()
    assert verdict.consistent == brute_force(comparisons)
    proved(verdict, comparisons)
    if not verdict:
        smaller = itertools.combinations(comparisons, len(verdict.contradiction) - 1)
        assert verdict.smallest and all(brute_force(list(some)) for some in smaller if some)


@given(COMPARISONS)
def test_scipy_and_fractions_agree(comparisons: list[Comparison]) -> None:
    pytest.importorskip("scipy")
    verdict = Preferences(comparisons).check(exact=False)
    assert verdict.consistent == Preferences(comparisons).check(exact=True).consistent
    proved(verdict, comparisons)


@pytest.mark.parametrize("exact", [True, False])
def test_a_larger_set_is_explained_and_one_lie_is_found(exact: bool) -> None:
    dice = random.Random(3)
    names = [f"p{n}" for n in range(12)]
    liking = {name: Fraction(dice.randint(0, 999), 1000) for name in names}
    comparisons = []
    for _ in range(30):
        a, b = (
            Lottery([("1/2", x), ("1/4", y), ("1/4", z)]) for x, y, z in (dice.sample(names, 3), dice.sample(names, 3))
        )
        gap = a.expected_utility(liking.__getitem__) - b.expected_utility(liking.__getitem__)
        comparisons.append(Comparison(a, b, bool(gap)) if gap >= 0 else Comparison(b, a))
    comparisons.append(Comparison(Lottery.certain("p0"), Lottery([("1/2", "p0"), ("1/2", "q")]), False))
    verdict = Preferences(comparisons).check(exact)
    assert verdict and explains(verdict.utilities or {}, tuple(comparisons))
    lie = Comparison(comparisons[4].worse, comparisons[4].better)
    verdict = Preferences([*comparisons, lie]).check(exact)
    assert not verdict and verdict.contradiction == (comparisons[4], lie) and verdict.axiom == "orderability"


def chain(length: int) -> list[Comparison]:
    """p0 better than p1 better than p2 ..., said twice over."""
    pairs = [(Lottery.certain(f"p{n}"), Lottery.certain(f"p{n + 1}")) for n in range(length)]
    return [Comparison(a, b) for a, b in [*pairs, *pairs]]


def test_large_lists_need_scipy_and_say_so(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("scipy")
    large = Preferences(chain(101))
    verdict = large.check()
    assert verdict and verdict.utilities is not None
    assert [verdict.utilities[f"p{n}"] for n in (0, 101)] == [1, 0]
    closed = Preferences([*chain(101), Comparison(Lottery.certain("p9"), Lottery.certain("p3"))]).check()
    assert closed.axiom == "transitivity" and len(closed.contradiction) == 7
    monkeypatch.setitem(sys.modules, "scipy.optimize", None)
    assert Preferences(chain(30)).check()
    with pytest.raises(Unsuitable, match=r"202 comparisons over 102 prizes need scipy"):
        large.check()


def test_weights_and_utilities_exclude_each_other() -> None:
    assert decide([[Fraction(1), Fraction(-1)]], [False]) == ([0, 0], None)


# -- mistakes -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("A", "'A' is no comparison: write A > B"),
        ("A > B > C", "is no comparison"),
        ("A >", "compares with nothing"),
        ("> B", "compares with nothing"),
        ("A > [0.2, 1; 0.75, 0]", "sum to 0.95, not to 1"),
        ("", "is no comparison"),
    ],
)
def test_comparisons_that_are_none(text: str, message: str) -> None:
    with pytest.raises(BadInput) as caught:
        parse_comparison(text)
    assert message in str(caught.value)


def test_definitions_are_checked() -> None:
    for names, message in (
        ({"A": "[0.5, 1]"}, "A: the probabilities sum to 0.5"),
        ({"5": "[1, 1]"}, "it is a number"),
        ({"": "[1, 1]"}, "defines no lottery"),
        ({"A": "[0.5, A; 0.5, 3]"}, "A is defined by itself"),
        ({"A": "[0.5, B; 0.5, 3]", "B": "[1, 4]"}, "A mentions B before B is defined: define B first"),
        ({"A": 3}, "A must name a lottery or a text"),
        ("A", "names are given as a mapping"),
    ):
        with pytest.raises(BadInput, match=message):
            Preferences(["A > B"], names)  # type: ignore[arg-type]
    with pytest.raises(BadInput, match="nothing to check"):
        Preferences([])
    with pytest.raises(BadInput, match="a list of comparisons"):
        Preferences(3)  # type: ignore[arg-type]
    with pytest.raises(BadInput, match="a comparison is a text such as 'A > B', not 3"):
        Preferences([3])  # type: ignore[list-item]
    with pytest.raises(BadInput, match="a lottery is needed"):
        Comparison(Lottery.certain(1), 2)  # type: ignore[arg-type]
    with pytest.raises(BadInput, match="works on preferences"):
        money_pump(["A > B"])  # type: ignore[arg-type]
    quoted = Preferences(["A > 1"], {"A": '[0.5, "A"; 0.5, 3]'})  # in quotes it is a prize of that name
    assert quoted.prizes == (1, 3, "A")
    with pytest.raises(BadInput, match="whole number of cents"):
        money_pump(Preferences(["A > B"]), cents=0)
    chained = Preferences(["E > 0"], {"A": "[0.5, 1; 0.5, 0]", "E": "[0.5, A; 0.5, 2]"})
    assert chained.prizes == (0, 1, 2)
    assert str(parse_comparison("B < A")) == "A > B" and str(parse_comparison('"x > y" ~ 3')) == '"x > y" ~ 3'


def test_utilities_rise_with_the_amounts_where_they_can() -> None:
    verdict = Preferences(["A > 10", "A > 5", "A > 7"]).check()
    assert verdict.increasing and verdict.utilities is not None
    assert verdict.utilities[5] < verdict.utilities[7] < verdict.utilities[10] < verdict.utilities["A"]
    verdict = Preferences(["5 > 10", "A > 7"]).check()
    assert verdict.consistent and verdict.increasing is False and "do not rise" in str(verdict)
    assert Preferences(["A > B"]).check().increasing is None


def test_the_explanation_does_not_say_that_a_thing_is_itself() -> None:
    verdict = Preferences(["A > B", "[0.5, B; 0.5, C] > [0.5, A; 0.5, C]"]).check()
    assert verdict.explanation.startswith("[0.5, B; 0.5, C] and [0.5, A; 0.5, C] differ only in B and A, so A > B")
    verdict = Preferences(["3000 > [0.8, 4000; 0.2, 0]", "[0.2, 4000; 0.8, 0] > [0.25, 3000; 0.75, 0]"]).check()
    assert "decides between it and [0.25, 3000; 0.75, 0]" in verdict.explanation
    assert "[0.25, 3000; 0.75, 0] is" not in verdict.explanation
