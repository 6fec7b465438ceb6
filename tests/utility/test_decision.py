"""Decision trees as data and as games, solved by expectimax; information, sensitivity, and which values matter."""

from __future__ import annotations

import itertools
import json
import math
import warnings
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plywright import CHANCE, BadInput, Game, GameError, Unsuitable, search
from plywright.games.trees.explicit_tree import ExplicitTree
from plywright.rng import seeded
from plywright.rule_guard import Guard, random_game
from plywright.textbook import run
from plywright.textbook.decisions import Decision, decisions_under, expectimax, sensitivity, solve, value_of_information
from plywright.utility import CARA, DecisionTree, Log, Lottery, Table, Valued, qalys, utility_function, utility_picture
from plywright.utility.decision import EXAMPLES, example

MAPS = {"plain": lambda x: x, "order kept": {1: 1, 2: 20, 3: 30, 4: 400}.__getitem__, "affine": lambda x: 3 * x + 7}
TWO_CHANCES = {"choose": {"a1": "[0.9, 2; 0.1, 3]", "a2": "[0.9, 1; 0.1, 4]"}}

NODES = st.recursive(
    st.integers(-9, 9),
    lambda below: st.one_of(
        st.lists(below, min_size=1, max_size=3).map(lambda b: {"choose": {f"w{n}": x for n, x in enumerate(b)}}),
        st.lists(st.tuples(st.integers(1, 5), below), min_size=1, max_size=3).map(
            lambda b: {"chance": {f"o{n}": [f"{w}/{sum(v for v, _ in b)}", x] for n, (w, x) in enumerate(b)}}
        ),
    ),
    max_leaves=15,
)


def by_definition(node: Any, utility: Callable[[Any], Any]) -> float:
    if not isinstance(node, dict):
        return float(utility(node))
    if "choose" in node:
        return max(by_definition(x, utility) for x in node["choose"].values())
    chances = Lottery([(p, n) for n, (p, _) in enumerate(node["chance"].values())])
    worth = [by_definition(x, utility) for _, x in node["chance"].values()]
    return float(sum(float(p) * worth[n] for p, n in chances.outcomes))


@given(NODES)
def test_expectimax_is_the_definition(node: Any) -> None:
    for utility in (None, CARA(0.1)):
        found = expectimax(DecisionTree(node), utility=utility)
        assert found.value == pytest.approx(by_definition(node, utility or (lambda x: x)))
        assert found.proved and found.bound == "exact" and found.algorithm == "expectimax"


@given(NODES, st.integers(1, 9), st.integers(-9, 9))
def test_positive_affine_maps_never_change_a_decision(node: Any, scale: int, shift: int) -> None:
    tree = DecisionTree(node)
    plain, mapped = expectimax(tree), expectimax(tree, utility=lambda x: scale * x + shift)
    assert mapped.value == pytest.approx(scale * plain.value + shift)
    if len({round(value, 9) for value in plain.actions.values()}) == len(plain.actions):
        assert mapped.action == plain.action


def test_outcomes_are_averaged() -> None:
    """8, 24 and -12 with 1/2, 1/3 and 1/6 are worth 10."""
    tree = DecisionTree({"chance": {"a": ["1/2", 8], "b": ["1/3", 24], "c": ["1/6", -12]}})
    assert expectimax(tree).value == pytest.approx(10)


def test_order_preserving_maps_can_change_an_expectimax_decision() -> None:
    """1, 2, 3, 4 become 1, 20, 30, 400, and the other lottery is better."""
    found = decisions_under(expectimax, DecisionTree(TWO_CHANCES), MAPS)
    assert {name: move for name, (move, _) in found.items()} == {"plain": "a1", "order kept": "a2", "affine": "a1"}
    assert found["plain"][1] == pytest.approx(2.1) and found["order kept"][1] == pytest.approx(40.9)
    values = {name: expectimax(DecisionTree(TWO_CHANCES), utility=change).actions for name, change in MAPS.items()}
    assert values["plain"] == pytest.approx({0: 2.1, 1: 1.3})
    assert values["order kept"] == pytest.approx({0: 21, 1: 40.9})


@given(st.lists(st.lists(st.integers(-9, 9), min_size=1, max_size=3), min_size=1, max_size=3))
def test_minimax_decisions_survive_every_increasing_map(tree: Any) -> None:
    """Minimax looks at the order of utilities only."""
    maps = {"plain": lambda x: x, "cubed": lambda x: x**3 + x, "exponential": lambda x: 2.0**x}
    found = decisions_under(lambda game: run("minimax", game, trace=False), ExplicitTree(tree), maps)
    assert len({move for move, _ in found.values()}) == 1
    for name, change in maps.items():
        assert found[name][1] == pytest.approx(change(found["plain"][1]))


def test_the_engine_takes_a_valued_game_too() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = search(Valued(ExplicitTree.figure("figure-6.2"), lambda x: x**3), depth=2, algorithm="alphabeta")
    assert found.value == 27 and found.action == 0


def test_a_valued_game_is_still_the_game() -> None:
    tree = ExplicitTree.figure("figure-6.2")
    valued = Valued(tree, lambda x: 2 * x)
    end = valued.play_moves(valued.start_state, "a1 b2")
    assert valued.utility(end, 0) == 24 == -valued.utility(end, 1)
    raised = Valued(tree, lambda x: x + 1)  # the function is MAX's; MIN gets the opposite
    assert raised.utility(end, 0) == 13 == -raised.utility(end, 1)
    assert valued.format_state(end) == "a1 b2" and valued.opposed and not valued.has_chance
    assert Valued(DecisionTree(TWO_CHANCES), Log()).has_chance
    with pytest.raises(BadInput, match="something to call"):
        Valued(tree, 3)  # type: ignore[arg-type]


# -- working, information, sensitivity ------------------------------------------------------------------------------


def test_the_working_is_what_one_would_write() -> None:
    decision = solve(example("oil"))
    assert decision.choice == "drill" and decision.value == pytest.approx(2)
    assert decision.working() == [
        "drill: 0.3 × 100 + 0.7 × (-40) = 2",
        "root: max(drill 2, walk away 0) = 2, by drill",
    ]
    assert solve(example("oil"), CARA(0.02)).choice == "walk away"
    assert solve(example("oil"), CARA(0.02)).certainty_equivalent == 0


def test_the_working_says_which_utilities_it_uses() -> None:
    decision = solve(example("oil"), CARA(0.01))
    assert decision.working()[:2] == [
        "u(100) = 63.2121, u(-40) = -49.1825, u(0) = 0",
        "drill: 0.3 × 63.2121 + 0.7 × (-49.1825) = -15.4641",
    ]
    assert "u(-40) = -49.1825" in decision.picture().svg and "u(" not in solve(example("oil")).picture().svg
    many = DecisionTree({"choose": {f"w{n}": n for n in range(20)}})
    assert solve(many, CARA(0.01)).working()[0].endswith(", ...")
    large = DecisionTree({"choose": {"a": 123456789, "b": 0}})
    assert solve(large).working() == ["root: max(a 123456789, b 0) = 123456789, by a"]


def test_a_table_decides_without_amounts() -> None:
    table = Table({100: 1, -40: 0, 0: "0.5"})
    decision = solve(example("oil"), table)
    assert decision.choice == "walk away" and decision.certainty_equivalent is None
    found = value_of_information(example("oil"), "oil", table)
    assert found.gain == pytest.approx(0.3 * 1 + 0.7 * 0.5 - 0.5) and found.price is None


def test_life_years_as_a_decision() -> None:
    """The ends are quality-adjusted life years, and the person may be averse to their risk."""
    tree = example("treatment")
    ends = {"operate / cured": [(20, 1)], "operate / improved": [(20, "0.6")], "medicine / helps": [(20, "0.8")]}
    ends |= {"medicine / does not": [(15, "0.6")], "neither": [(15, "0.6")], "operate / dies": []}
    for way, periods in ends.items():
        assert tree.utility(tree.parse_state(way), 0) == qalys(periods)
    assert solve(tree).choices == pytest.approx({"operate": 17, "medicine": 13.2, "neither": 9})
    assert solve(tree, CARA(1)).choice == "medicine"


def test_value_of_information() -> None:
    """Knowing the oil: drill only when wet, 0.3 x 100 = 30 instead of 2."""
    found = value_of_information(example("oil"), "oil")
    assert (found.without, found.knowing, found.gain, found.price) == pytest.approx((2, 30, 28, 28))
    assert value_of_information(example("umbrella"), "weather").gain == pytest.approx(0.3 * 70 + 0.7 * 100 - 77)
    averse = value_of_information(example("oil"), "oil", CARA(0.02))
    assert averse.without == 0
    paid = example("oil").knowing("oil").paying(averse.price)
    assert solve(paid, CARA(0.02)).value == pytest.approx(averse.without, abs=1e-9)


@given(st.lists(st.tuples(st.integers(-9, 9), st.integers(-9, 9)), min_size=1, max_size=4), st.fractions(0, 1))
def test_information_never_hurts_and_is_the_mean_of_the_best(ends: list[tuple[int, int]], p: Any) -> None:
    ways = {f"w{n}": {"name": "x", "chance": {"a": [p, a], "b": [1 - p, b]}} for n, (a, b) in enumerate(ends)}
    found = value_of_information(DecisionTree({"choose": ways}), "x")
    assert found.gain >= -1e-12
    best = p * max(a for a, _ in ends) + (1 - p) * max(b for _, b in ends)
    assert found.knowing == pytest.approx(float(best))


def test_sensitivity_finds_where_the_choice_changes() -> None:
    found = sensitivity(example("oil"), "oil=wet", 0, 1)
    assert [(a, b) for _, a, b in found.thresholds] == [("walk away", "drill")]
    assert found.thresholds[0][0] == pytest.approx(2 / 7)
    picture = found.picture()
    ElementTree.fromstring(picture.svg)
    assert "Sensitivity to the probability oil=wet" in picture.svg
    assert found.present == 0.3 and "now 0.3" in picture.svg and "0.285714: from walk away to drill" in picture.svg
    assert "now 0.3" in picture.text
    assert "now" not in sensitivity(example("oil"), "oil=wet", 0.5, 1).picture().svg
    ruin = sensitivity(example("oil"), "oil=wet", 0, 1, Log(wealth=40))  # drilling may leave nothing at all
    assert ruin.points[0][1]["drill"] == -math.inf and "walk away" in ruin.picture().svg
    assert example("oil").present("drill / wet") == 100
    amounts = sensitivity(example("oil"), "drill / dry", -100, 0)
    assert amounts.thresholds[0][0] == pytest.approx(-300 / 7)
    three = DecisionTree({"choose": {"x": {"name": "f", "chance": {"a": [0.5, 1], "b": [0.25, 2], "c": [0.25, 4]}}}})
    varied = three.varied("f=a", 0)
    assert [float(p) for p in varied.likely[2:]] == [0, 0.5, 0.5]
    assert expectimax(varied).value == 3


# -- as a game ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", EXAMPLES)
def test_a_decision_tree_is_a_game(name: str) -> None:
    tree = example(name)
    for _ in range(5):
        for visit in random_game(Guard(tree), seeded(3)):
            assert tree.parse_state(tree.format_state(visit.state)) == visit.state
            if visit.mover == CHANCE:
                assert sum(p for _, p in tree.chance(visit.state)) == pytest.approx(1)
    decision = solve(tree)
    picture = decision.picture()
    ElementTree.fromstring(picture.svg)
    assert "CHANCE" in picture.text and picture.svg.count("pw-chance") >= 1
    assert tree.picture(0).text


def test_a_tree_from_a_file_and_from_text(tmp_path: Path) -> None:
    path = tmp_path / "outing.json"
    path.write_text(json.dumps({"title": "an outing", "tree": {"choose": {"go": "[0.5, 10; 0.5, 0]", "stay": 4}}}))
    tree = DecisionTree.from_file(path)
    assert tree.name == "outing" and tree.title == "an outing" and solve(tree).choice == "go"
    assert solve(DecisionTree('{"choose": {"a": 1, "b": 2}}')).choice == "b"
    assert isinstance(solve(DecisionTree(5)), Decision) and solve(DecisionTree(5)).choice is None
    assert solve(DecisionTree("[0.5, 10; 0.5, 0]")).value == 5


class NotANumber(Game):
    players = 1

    def initial(self) -> int:
        return 0

    def to_move(self, state: int) -> int:
        return 0

    def actions(self, state: int) -> Any:
        return iter(())

    def result(self, state: int, action: int) -> int:
        return 0

    def utility(self, state: int, player: int) -> float:
        return float("nan")


class LoadedDie(NotANumber):
    def to_move(self, state: int) -> int:
        return CHANCE

    def chance(self, state: int) -> Any:
        yield 1, 0.5

    def result(self, state: int, action: int) -> int:
        return state + action

    def is_terminal(self, state: int) -> bool:
        return state > 0

    def utility(self, state: int, player: int) -> float:
        return 1.0


class Stuck(NotANumber):
    def is_terminal(self, state: int) -> bool:
        return False


def unequal() -> DecisionTree:
    """One name for two different chances."""
    ways = {way: {"name": "x", "chance": {"a": [p, 1], "b": [1 - p, 0]}} for way, p in (("u", 0), ("v", 1))}
    return DecisionTree({"choose": ways})


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: DecisionTree({"choose": {}}), "root: a node without moves"),
        (lambda: DecisionTree({"chose": {"a": 1}}), "must have either 'choose' or 'chance', and 'chose' means nothing"),
        (lambda: DecisionTree({"choose": {"a": 1}, "chance": {}}), "must have either 'choose' or 'chance'"),
        (lambda: DecisionTree({"chance": {"a": [0.2, 1], "b": [0.75, 0]}}), "root: the probabilities sum to 0.95"),
        (lambda: DecisionTree({"chance": {"a": 1}}), "a must be [probability, what follows]"),
        (lambda: DecisionTree({"choose": {"a": float("nan")}}), "root.a: a utility must be a finite number, not nan"),
        (lambda: DecisionTree({"choose": {"a": "ten"}}), "root.a: a utility must be a number"),
        (lambda: DecisionTree("{"), "this is not JSON"),
        (lambda: DecisionTree.from_file("nothing.json"), "nothing.json cannot be read"),
        (lambda: example("gold"), "there is no decision 'gold'; there are oil"),
        (lambda: value_of_information(example("oil"), "gold"), "nothing in oil is called 'gold'; there are oil"),
        (lambda: example("oil").varied("oil=damp", 0.5), "oil has no outcome 'damp': wet, dry"),
        (lambda: example("oil").varied("oil=wet", 1.5), "must be from 0 to 1, not 1.5"),
        (lambda: example("oil").varied("drill", 1), "does not end in an amount"),
        (lambda: example("oil").varied("fly", 1), "'fly' is not a legal move in oil here; legal: drill, walk away"),
        (lambda: sensitivity(example("oil"), "oil=wet", 1, 0), "a range goes upward"),
        (lambda: sensitivity(example("oil").knowing("oil"), "oil=wet", 0, 1), "begins with chance"),
        (lambda: solve(example("oil"), Log()), "log has no utility for -40: it would leave a debt"),
        (lambda: solve(example("oil"), Table({1: 1})), "is unknown"),
        (lambda: unequal().knowing("x"), "different chances in different places"),
        (lambda: utility_picture(Log()), "a curve needs a range of amounts"),
        (lambda: utility_picture(Log(), 3), "a lottery is needed"),
        (lambda: utility_picture(Table({1: 1})), "only a utility function of amounts can be drawn"),
        (lambda: utility_picture(Log(), low="x", high=1), "the lower end must be a number"),
        (lambda: solve(3), "a decision tree is needed"),
        (lambda: solve(example("oil"), Table({100: 1, -40: 0})), "the prize 0 is unknown"),
        (lambda: example("oil").varied(3, 1), "what to vary is a text such as 'oil=wet'"),
        (lambda: sensitivity(example("oil"), "oil=wet", 0, 1, steps=0), "at least one, not 0"),
        (lambda: Valued(3, Log()), "a game is needed"),
    ],
)
def test_mistakes_are_one_sentence(make: Callable[[], Any], message: str) -> None:
    with pytest.raises(BadInput) as caught:
        make()
    assert message in str(caught.value) and "\n" not in str(caught.value)


def test_expectimax_refuses_what_it_cannot_search() -> None:
    with pytest.raises(Unsuitable, match="2 players, which need expectiminimax"):
        expectimax(ExplicitTree([1, 2]))
    with pytest.raises(BadInput, match="gives nan for 5, not a number"):
        expectimax(DecisionTree(5), utility=lambda x: float("nan"))
    with pytest.raises(BadInput, match=r"has no value for -1 \(ValueError: .*\)"):
        expectimax(DecisionTree(-1), utility=math.log)
    with pytest.raises(GameError, match="utility\\(\\) is not a number"):
        expectimax(NotANumber())
    with pytest.raises(GameError, match="do not sum to 1"):
        expectimax(LoadedDie())
    with pytest.raises(GameError, match="yields nothing"):
        expectimax(Stuck())


def test_curves_mark_certainty_equivalent_and_premium() -> None:
    coin = Lottery.parse("[0.5, 1000; 0.5, 0]")
    for spec in ("piecewise:0=0,400=0.5,1000=1", "crra:2", "crra:2,wealth=100", "linear", "cara:0.01", "log"):
        picture = utility_picture(utility_function(spec), coin)
        ElementTree.fromstring(picture.svg)
        assert "certainty equivalent" in picture.svg and "expected value 500" in picture.svg
    svg = utility_picture(utility_function("piecewise:0=0,400=0.5,1000=1"), coin).svg
    assert "certainty equivalent 400" in svg and "premium 100" in svg
    bottomless = utility_picture(Log(), coin)
    assert "certainty equivalent 0 (utility -∞)" in bottomless.svg
    steep = utility_picture(utility_function("s-shaped:reference=333,power=0.5"), coin)
    assert any(line.split()[:2] == ["333", "0"] for line in steep.text.splitlines())  # the kink itself is drawn
    alone = utility_picture(Log(), low=1, high=10)
    values = [float(line.split()[1]) for line in alone.text.splitlines()[1:]]
    assert all(a < b for a, b in itertools.pairwise(values)) and "premium" not in alone.svg
