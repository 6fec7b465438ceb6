"""Standard-lottery questions: simulated persons are found out, contradictions are noticed, talks resume."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plywright import BadInput
from plywright.utility import CRRA, Elicitation, Inconsistent, Linear, Log, Person, Table, interview
from plywright.utility.scales import ACTIVITIES, equal_risk, micromorts, normalised, qalys


def test_a_question_reads_like_one_and_bisects() -> None:
    """A prize against [p, best; 1 - p, worst]: p is bisected until both are equally good."""
    talk = Elicitation(worst=0, best=1000, prizes=[400], precision="1/100", checks=False)
    assert str(talk.question) == "400 for certain, or the lottery [0.5, 1000; 0.5, 0]?"
    talk.answer("prize")
    assert talk.question is not None and talk.question.probability == Fraction(3, 4)
    talk.answer("lottery")
    assert talk.interval(400) == (Fraction(1, 2), Fraction(3, 4)) and not talk.finished
    talk.answer("same")
    assert talk.finished and talk.utilities == {0: 0, 400: Fraction(5, 8), 1000: 1}
    assert talk.curve()(400) == Fraction(5, 8)
    with pytest.raises(BadInput, match="no question left"):
        talk.answer("same")


@given(st.sampled_from([Linear(), Log(wealth=50), CRRA(0.5), CRRA(3, wealth=500)]), st.integers(2, 9))
def test_a_steady_person_s_utilities_are_found(utility: Any, bits: int) -> None:
    talk = Elicitation(0, 1000, [100, 400, 700], precision=Fraction(1, 1 << bits))
    assert interview(talk, Person(utility)) == []
    span = float(utility(1000) - utility(0))
    for prize, found in talk.utilities.items():
        truth = float(utility(prize) - utility(0)) / span
        assert abs(float(found) - truth) <= 1 / (1 << bits)
        low, high = (0, 0) if prize == 0 else (1, 1) if prize == 1000 else talk.interval(prize)
        assert low - 1e-9 <= truth <= high + 1e-9


def test_prizes_with_names() -> None:
    person = Person(Table({"rain": 0, "clouds": "0.3", "sun": 1}))
    talk = Elicitation("rain", "sun", ["clouds"], precision="1/64")
    assert interview(talk, person) == [] and abs(float(talk.utilities["clouds"]) - 0.3) < 1 / 64
    with pytest.raises(BadInput, match="amounts as prizes"):
        talk.curve()


def test_an_unsteady_person_is_noticed_and_the_talk_still_ends() -> None:
    noticed = 0
    for seed in range(12):
        talk = Elicitation(0, 1000, [250, 500, 750], precision="1/16")
        noticed += bool(interview(talk, Person(CRRA(0.5), noise=0.3, seed=seed)))
        assert talk.finished
    assert noticed >= 6


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ((500, "0.6", "prize"), (500, "0.6", "lottery")),
        ((500, "0.6", "prize"), (500, "0.5", "lottery")),
        ((500, "0.6", "prize"), (500, "0.6", "same")),
        ((500, "0.6", "same"), (500, "0.7", "same")),
        ((500, "0.6", "lottery"), (500, "0.7", "same")),
        ((250, "0.6", "prize"), (500, "0.5", "lottery")),
        ((250, "0.6", "same"), (500, "0.6", "same")),
    ],
)
def test_answers_that_exclude_each_other(first: tuple[Any, ...], second: tuple[Any, ...]) -> None:
    for one, other in ((first, second), (second, first)):
        talk = Elicitation(0, 1000, [250, 500])
        talk.tell(*one)
        before = talk.to_json()
        with pytest.raises(Inconsistent, match="contradicts an earlier answer") as caught:
            talk.tell(*other)
        assert talk.to_json() == before and len(caught.value.earlier) == 1
        talk.tell(*other, insist=True)
        assert [tuple(map(str, reply)) for reply in talk.replies] == [
            tuple(map(str, (other[0], Fraction(other[1]), other[2])))
        ]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ((500, "0.6", "prize"), (500, "0.7", "lottery")),
        ((500, "0.6", "same"), (500, "0.7", "lottery")),
        ((500, "0.6", "same"), (500, "0.5", "prize")),
        ((250, "0.6", "lottery"), (500, "0.5", "lottery")),
        ((250, "0.5", "same"), (500, "0.6", "same")),
    ],
)
def test_answers_that_go_together(first: tuple[Any, ...], second: tuple[Any, ...]) -> None:
    talk = Elicitation(0, 1000, [250, 500])
    talk.tell(*first)
    talk.tell(*second)
    assert len(talk.replies) == 2


def test_more_is_better_so_one_amount_limits_the_others() -> None:
    talk = Elicitation(0, 1000, [250, 500, 750])
    talk.tell(500, "1/4", "prize")
    talk.tell(500, "3/4", "lottery")
    zero, one = Fraction(0), Fraction(1)
    assert talk.interval(250) == (zero, Fraction(3, 4)) and talk.interval(750) == (Fraction(1, 4), one)
    named = Elicitation("rain", "sun", ["clouds", "wind"])
    named.tell("clouds", "1/4", "prize")
    assert named.interval("wind") == (zero, one)


@given(st.lists(st.sampled_from(["prize", "lottery", "same"]), min_size=1, max_size=40))
def test_a_talk_that_keeps_its_old_answers_ends(choices: list[str]) -> None:
    """Whatever is answered: what the old answers imply is always a possible answer."""
    talk = Elicitation(0, 1000, [250, 500, 750], precision="1/8")
    for number in range(60):
        question = talk.question
        if question is None:
            break
        try:
            talk.answer(choices[number % len(choices)])
        except Inconsistent:
            talk.answer("prize" if question.probability <= talk.interval(question.prize)[0] else "lottery")
    assert talk.finished and list(talk.utilities.values()) == sorted(talk.utilities.values())


@given(st.lists(st.sampled_from(["prize", "lottery", "same"]), max_size=40))
def test_a_curve_always_fits_between_the_answers(choices: list[str]) -> None:
    talk = Elicitation(0, 1000, [250, 500, 600, 750], precision="1/8")
    for choice in choices:
        if talk.question is None:
            break
        try:
            talk.answer(choice)
        except Inconsistent:
            continue
    curve = talk.curve()
    for prize in talk.prizes:
        low, high = talk.interval(prize)
        assert low <= curve(prize) <= high


@pytest.mark.parametrize(("choice", "level"), [("lottery", Fraction(1, 64)), ("prize", Fraction(63, 64))])
def test_one_answer_every_time_is_remarked_on(choice: str, level: Fraction) -> None:
    talk = Elicitation(0, 1000, [250, 500, 750])
    assert talk.remarks == []
    while talk.question is not None:
        talk.answer(choice)
    assert {talk.utilities[prize] for prize in talk.prizes} == {level}
    assert talk.remarks[0].startswith("250, 500 and 750 come out level at ")
    assert talk.remarks[1] == f"the {choice} was preferred all {len(talk.replies)} times: was every question read?"
    steady = Elicitation(0, 1000, [250, 500, 750])
    interview(steady, Person(CRRA(0.5)))
    assert steady.finished and steady.remarks == []
    named = Elicitation("rain", "sun", ["clouds", "wind"])  # nobody said that these must differ
    interview(named, Person(Table({"rain": 0, "clouds": "0.3", "wind": "0.3", "sun": 1})))
    assert named.utilities["clouds"] == named.utilities["wind"] and named.remarks == []


def test_a_talk_is_kept_and_goes_on() -> None:
    whole, parted = (Elicitation(0, 1000, [250, Fraction(1, 3)], precision=0.1) for _ in range(2))
    person = Person(CRRA(0.5))
    while whole.question is not None:
        whole.answer(person.choose(whole.question))
    while parted.question is not None:
        parted.answer(person.choose(parted.question))
        parted = Elicitation.from_json(parted.to_json())
    assert parted.to_json() == whole.to_json() and parted.utilities == whole.utilities
    count = len(parted.replies)
    parted.undo()
    assert len(parted.replies) == count - 1


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Elicitation(0, 10, []), "nothing to ask about"),
        (lambda: Elicitation(5, 5, [5]), "the best prize must be better than the worst"),
        (lambda: Elicitation(10, 0, [5]), "the best prize must be better than the worst"),
        (lambda: Elicitation(0, 10, [11]), "the prize 11 must lie between"),
        (lambda: Elicitation(0, 10, [float("nan")]), "finite number"),
        (lambda: Elicitation(0, 10, [5], precision=0), "precision must be between 0 and 1"),
        (lambda: Elicitation(0, 10, [5]).answer("maybe"), "prize, lottery or same, not 'maybe'"),
        (lambda: Elicitation(0, 10, [5]).tell(6, 0.5, "same"), "the prize 6 is unknown here"),
        (lambda: Elicitation(0, 10, [5]).tell(5, 1.5, "same"), "from 0 to 1"),
        (lambda: Elicitation(0, 10, [5]).undo(), "no answer to take back"),
        (lambda: Elicitation.from_json("{"), "this is no elicitation"),
        (lambda: Elicitation.from_json("[]"), "this is no elicitation"),
        (lambda: Elicitation.from_json('{"format": "plywright-elicitation", "version": 1}'), "this is no elicitation"),
        (lambda: Elicitation(0, 10, "5"), "a list such as [250, 500], not '5'"),
        (lambda: Elicitation(0, 10, [5]).tell(5, 0, "lottery"), "cannot be: 0 is the worst prize and 10 the best"),
        (lambda: Elicitation(0, 10, [5]).tell(5, 1, "prize"), "cannot be: 0 is the worst prize"),
        (lambda: Elicitation(0, 10, [5]).tell(5, 1, "same"), "cannot be: 0 is the worst prize"),
        (lambda: Person(Linear(), noise=2), "the noise is the chance of a wrong answer"),
        (lambda: interview(Elicitation(0, 10, [5]), Person(3)), "something to call"),  # type: ignore[arg-type]
        (lambda: qalys([5]), "pairs (years, quality), and 5 is none"),  # type: ignore[list-item]
        (lambda: normalised(float, 0, 1), "only a utility function of this package"),  # type: ignore[arg-type]
        (lambda: micromorts("scubba"), "did you mean scuba?"),
        (lambda: micromorts("car", -1), "cannot be negative"),
        (lambda: qalys([(5, 2)]), "a quality is from 0 to 1"),
        (lambda: normalised(Linear(), 5, 5), "must rise between them"),
    ],
)
def test_mistakes_are_one_sentence(make: Callable[[], Any], message: str) -> None:
    with pytest.raises(BadInput) as caught:
        make()
    assert message in str(caught.value) and "\n" not in str(caught.value)


# -- scales ----------------------------------------------------------------------------------------------------------


def test_micromorts() -> None:
    """Published risks, and how many miles by car equal one dive."""
    table = {"scuba": 5, "skydiving": 7, "base-jumping": 430, "everest": 38_000}
    assert {name: micromorts(name) for name in table} == table
    miles = {"train": 6000, "jet": 1000, "car": 230, "foot": 17, "bicycle": 10, "motorbike": 6}
    assert {name: equal_risk("scuba", "1/5", name) for name in miles} == miles
    assert set(ACTIVITIES) == {*table, *miles}
    assert equal_risk("scuba", 1, "car") == 1150 and equal_risk("motorbike", 60, "train") == 60_000
    assert equal_risk("base-jumping", 1, "skydiving") == Fraction(430, 7)
    assert equal_risk(" Scuba", 1, "CAR") == 1150
    assert ACTIVITIES["foot"].words("17", False) == "17 miles on foot"
    assert ACTIVITIES["everest"].words("1", True) == "1 ascent of Everest"


def test_normalised_utilities_are_the_same_person() -> None:
    scale = normalised(Linear(), -500, 1500)
    assert (scale(-500), scale(500), scale(1500)) == (0, Fraction(1, 2), 1)
    log = normalised(Log(wealth=10), 0, 90)
    assert log(0) == pytest.approx(0) and log(90) == pytest.approx(1)


def test_life_years() -> None:
    assert qalys([(10, "0.8"), (5, "1/2")]) == Fraction(21, 2)
