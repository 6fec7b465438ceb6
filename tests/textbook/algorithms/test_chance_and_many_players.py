"""Searches with chance nodes and with many players: section 2 of docs/facts.md, enumeration, traces, refusals."""

from __future__ import annotations

import copy
import itertools
import math
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plywright import CHANCE, Game, GameError, Unsuitable, load_game, search
from plywright.games.trees.explicit_tree import ExplicitTree
from plywright.textbook import ALGORITHMS, Trace, run, usual
from plywright.textbook.decisions import decisions_under
from plywright.textbook.trace.picture import interval_text

DICE = ("expectiminimax", "star1", "star2")
CROWD = ("maxn", "paranoid", "best-reply")


def nodes(leaf: st.SearchStrategy[Any], players: list[str], most: int = 20) -> st.SearchStrategy[Any]:
    """Trees of these players and chance, with estimates, as dicts."""

    def inner(below: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
        moves = st.lists(below, min_size=1, max_size=3)
        weights = st.lists(st.tuples(st.integers(1, 3), below), min_size=1, max_size=3)
        choice = st.fixed_dictionaries({"player": st.sampled_from(players), "moves": moves})
        chance = weights.map(lambda b: {"chance": [[f"{w}/{sum(v for v, _ in b)}", x] for w, x in b]})
        return st.one_of(choice, chance)

    return st.recursive(leaf, inner, max_leaves=most).filter(lambda node: "utility" not in node)


OPPOSED = nodes(st.integers(-4, 4).map(lambda n: {"utility": n}), ["MAX", "MIN"]).map(
    lambda node: ExplicitTree({"players": ["MAX", "MIN"], "tree": node})
)
THREE = nodes(st.tuples(*[st.integers(0, 4)] * 3).map(lambda v: {"utility": list(v)}), ["A", "B", "C"], 24).map(
    lambda node: ExplicitTree({"players": ["A", "B", "C"], "tree": node})
)


def by_definition(tree: ExplicitTree, state: int, view: str) -> tuple[float, ...]:
    """The vector that max^n, or with view "0", "1", ... that player against the rest, comes to."""
    if tree.is_terminal(state):
        return tuple(float(tree.utility(state, player)) for player in range(tree.players))
    below = [by_definition(tree, tree.result(state, way), view) for way in tree.choices(state)]
    mover = int(tree.to_move(state))
    if mover == CHANCE:
        odds = [p for _, p in tree.chance(state)]
        return tuple(math.fsum(p * v[i] for p, v in zip(odds, below, strict=True)) for i in range(tree.players))
    if view == "own":
        return max(below, key=lambda v: v[mover])
    player = int(view)
    return max(below, key=lambda v: v[player]) if mover == player else min(below, key=lambda v: v[player])


# -- section 2 of docs/facts.md ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["expectimax", *DICE])
def test_fact_2_1_the_average(name: str) -> None:
    result = run(name, load_game("expected-value"))
    assert result.value == pytest.approx(10, abs=1e-12) and result.values == (result.value,)
    assert result.action is None and result.proved and result.distance is None
    typed = ExplicitTree("(0.5: 8, 0.333: 24, 0.167: -12)")
    assert run(name, typed).value == pytest.approx(0.5 * 8 + 0.333 * 24 - 0.167 * 12)


def test_fact_2_2_utility_max_min_and_the_weighted_sum() -> None:
    tree = ExplicitTree("max((1/4: min(3, 5), 3/4: max(2, 7)), min(6, 9))")
    for name in DICE:
        result = run(name, tree, all_actions=True)
        assert (result.value, result.action) == (6, 0) and result.values == (6, -6)
        assert result.actions == {0: 6, 1: 6} and result.tied == (0, 1)
    assert run("expectiminimax", tree, tree.parse_state("a1")).value == 0.25 * 3 + 0.75 * 7


def test_fact_2_3_the_size_of_values_matters_where_chance_moves() -> None:
    tree = load_game("order-preserving")
    maps = {"plain": float, "order kept": {1: 1, 2: 20, 3: 30, 4: 400}.__getitem__, "affine": lambda x: 3 * x + 7}
    for name in ("expectimax", "expectiminimax"):
        found = decisions_under(lambda game, name=name: run(name, game, trace=False), tree, maps)  # type: ignore[misc]
        assert {key: move for key, (move, _) in found.items()} == {"plain": "a1", "order kept": "a2", "affine": "a1"}
        assert [found[key][1] for key in maps] == pytest.approx([2.1, 40.9, 3 * 2.1 + 7])
    assert run("expectimax", tree, all_actions=True).actions == pytest.approx({0: 2.1, 1: 1.3})


def test_fact_2_4_bounds_on_the_leaves_prune_chance_nodes_and_change_nothing() -> None:
    tree = ExplicitTree("max(a1: (1/2: 6, 1/2: 8), a2: (1/2: 0, 1/4: 9, 1/4: 7), a3: 5)")
    full, star = run("expectiminimax", tree), run("star1", tree)
    assert full.value == star.value == 7 and full.action == star.action == 0
    assert full.trace is not None and star.trace is not None
    assert not full.trace.cuts and [node.value for node in star.trace.pruned] == [9, 7]
    cut = star.trace.cuts[0]
    assert (cut.kind, cut.by, cut.value, cut.bound) == ("alpha", 0, 4.5, 7)
    assert cut.reason == (
        "even if the rest is worth the maximum, 9, the average stays at or below 4.5, and α is 7, "
        "which MAX has at the root"
    )
    assert star.trace.intervals("a2") == [(-math.inf, math.inf), (0, 9), (0, 4.5)], "the range, then what is left of it"

    class Unbounded(ExplicitTree):
        def _bound(self, shared: bool) -> None:
            super()._bound(shared)
            self.utility_range = (-1e9, 1e9)

    without = run("star1", Unbounded("max(a1: (1/2: 6, 1/2: 8), a2: (1/2: 0, 1/4: 9, 1/4: 7), a3: 5)"))
    assert without.value == 7 and without.trace is not None and not without.trace.cuts


def test_fact_2_6_three_players() -> None:
    tree = load_game("three-players")
    result = run("maxn", tree)
    assert result.values == (1, 2, 6) and result.value == 1 and result.action == 0
    assert result.tied == (0, 1), "A gets 1 either way"
    trace = result.trace
    assert trace is not None
    assert [trace.view(p).values for p in ("a1 b1", "a1 b2", "a2 b1")] == [(1, 2, 6), (6, 1, 2), (1, 5, 2)]
    assert [trace.view(path).values for path in ("a1", "a2")] == [(1, 2, 6), (1, 5, 2)]
    assert trace.view("a2 b2").values in ((5, 4, 5), ()), "the last one may be pruned"
    free = ExplicitTree(tree.root and {"players": ["A", "B", "C"], "tree": as_dict(tree, 0)})
    free.sum_bound = None
    whole = run("maxn", free).trace
    assert whole is not None and whole.view("a2 b2").values == (5, 4, 5) and not whole.cuts
    assert trace.view().ties == (1, 2) and "a tie" in trace.steps_text() and "tie" in trace.text()


def as_dict(tree: ExplicitTree, state: int) -> Any:
    if tree.is_terminal(state):
        return {"utility": [float(tree.utility(state, player)) for player in range(tree.players)]}
    return {"moves": [as_dict(tree, tree.result(state, action)) for action in tree.actions(state)]}


class Corridor(Game):
    """One pellet two steps to the west, -1 a step, +10 the pellet; after four steps it is over."""

    players = 1
    utility_range = (-10, 10)

    def initial(self) -> tuple[int, int]:
        return (2, 0)

    def to_move(self, state: tuple[int, int]) -> int:
        return 0

    def actions(self, state: tuple[int, int]) -> Iterator[int]:
        yield 0
        yield 1

    def result(self, state: tuple[int, int], action: int) -> tuple[int, int]:
        return (state[0] - 1 if action == 0 else min(state[0] + 1, 4), state[1] + 1)

    def is_terminal(self, state: tuple[int, int]) -> bool:
        return state[0] == 0 or state[1] == 4

    def utility(self, state: tuple[int, int], player: int) -> float:
        return (10 if state[0] == 0 else 0) - state[1]


@pytest.mark.parametrize("name", ["expectimax", *DICE, *CROWD])
def test_fact_2_8_one_player_is_a_case_of_it(name: str) -> None:
    result = run(name, Corridor())
    assert result.value == 8 and result.values == (8,) and result.action == 0 and result.line == (0, 0)
    assert usual(Corridor()) == "expectimax"


# -- against enumeration ------------------------------------------------------------------------------------------


@settings(max_examples=50)
@given(OPPOSED)
def test_pruned_is_unpruned_is_enumeration(tree: ExplicitTree) -> None:
    expected = by_definition(tree, 0, "0")
    full = run("expectiminimax", tree)
    assert full.values == pytest.approx(expected)
    for name in DICE[1:]:
        result = run(name, tree)
        assert result.values == pytest.approx(expected) and result.proved
        assert result.trace is not None and full.trace is not None
        assert run(name, tree, trace=False).values == pytest.approx(expected)
        if name == "star1":
            assert len(result.trace.examined) <= len(full.trace.examined)
    for name in CROWD[:2]:
        if not tree.at_chance(0):
            assert run(name, tree).values == pytest.approx(expected), "of two opposed players each is the other's worst"


@settings(max_examples=30)
@given(OPPOSED, st.integers(1, 4))
def test_limited_searches_agree(tree: ExplicitTree, depth: int) -> None:
    limited = run("h-expectiminimax", tree, depth=depth)
    for name in ("star1", "star2"):
        assert run(name, tree, depth=depth).value == pytest.approx(limited.value)
    assert run("h-expectiminimax", tree, depth=20).value == pytest.approx(run("expectiminimax", tree).value)


@settings(max_examples=50)
@given(THREE)
def test_max_n_is_its_definition_with_and_without_shallow_pruning(tree: ExplicitTree) -> None:
    expected = by_definition(tree, 0, "own")
    pruned = run("maxn", tree)
    assert pruned.values == pytest.approx(expected) and tree.sum_bound is not None
    plain = copy.copy(tree)
    plain.__dict__["sum_bound"] = None
    whole = run("maxn", plain)
    assert whole.values == pytest.approx(expected) and whole.action == pruned.action and whole.tied == pruned.tied
    assert whole.nodes >= pruned.nodes
    if not tree.at_chance(0):
        against = run("paranoid", tree)
        mover = int(tree.to_move(0))
        assert against.value == pytest.approx(by_definition(tree, 0, str(mover))[mover])
        assert run("best-reply", tree).value >= against.value - 1e-9, "one free reply hurts less than all of them"


def test_max_n_prunes_what_is_too_little_for_the_player_above() -> None:
    tree = ExplicitTree("players(A, B, C) A(a: <6, 2, 1>, b: B(x: <1, 7, 1>, y: C(<9, 0, 0>, <0, 0, 9>)))")
    result = run("maxn", tree)
    assert result.values == (6, 2, 1) and result.trace is not None
    assert [node.path for node in result.trace.pruned] == ["b y", "b y c1", "b y c2"]
    cut = result.trace.cuts[0]
    assert (
        cut.kind == "sum"
        and cut.reason == "B already has 7 here, which leaves A at most 2, less than the 6 it has at the root"
    )
    assert "cut by root's share" in result.trace.text()


def test_best_reply_lets_one_opponent_reply() -> None:
    text = "players(A, B, C) A(B(C(<5, 0, 0>, <4, 0, 0>), C(<3, 0, 0>, <0, 9, 9>)), <2, 0, 0>)"
    tree = ExplicitTree(text)
    assert run("best-reply", tree).value == 3 and run("best-reply", tree).action == 0
    assert run("paranoid", tree).value == 2 and run("paranoid", tree).action == 1
    trace = run("best-reply", tree).trace
    assert trace is not None and len(trace.node("a1 b2").children) == 1, "B has replied: C makes its first move"


def test_the_player_at_the_root_is_max() -> None:
    tree = ExplicitTree("players(A, B, C) B(C(<1, 5, 0>, <2, 3, 9>), A(<0, 4, 7>, <9, 4, 1>))")
    result = run("paranoid", tree)
    assert (result.value, result.action, result.values) == (4, 1, (0, 4, 7))
    assert result.trace is not None and result.trace.players == ("B", "A and C")
    assert run("maxn", tree).values == (9, 4, 1)


# -- traces and pictures ---------------------------------------------------------------------------------------------


@settings(max_examples=25)
@given(st.one_of(OPPOSED, THREE), st.randoms())
def test_traces_replay_draw_and_are_kept(tree: ExplicitTree, rng: Any) -> None:
    names = [*DICE, *CROWD] if tree.opposed else CROWD
    name = rng.choice(names)
    trace = run(name, tree).trace
    assert trace is not None and Trace.from_json(trace.to_json()) == trace
    frames = list(trace.forwards())
    assert frames == list(trace.backwards())[::-1]
    root = ElementTree.fromstring(trace.svg())
    assert len([e for e in root.iter() if e.get("id")]) == 2 * len(trace.nodes) - 1
    assert trace.text().count("\n") == len(trace.nodes) - 1
    assert all(step.lines and step.words.endswith(".") for step in trace.steps)
    for path in [node.path for node in trace.nodes if node.side == "chance"]:
        intervals = trace.intervals(path)[1:]
        assert all(a <= c and d <= b for (a, b), (c, d) in itertools.pairwise(intervals))


def test_chance_nodes_are_circles_with_probabilities_at_the_branches() -> None:
    trace = run("star1", ExplicitTree("max(a: chance(rain 0.3: 1, sun 0.7: 2), b: (1/3: 4, 2/3: 0))")).trace
    assert trace is not None
    text = trace.text()
    assert "a CHANCE 1.7" in text and "rain 0.3 1" in text and "1/3 4" in text and "2/3 0" in text
    svg = trace.svg()
    assert svg.count('class="pw-chance') == 2 and ">rain 0.3<" in svg and ">1/3<" in svg
    assert "○ chance" in trace.html() and "▼ MIN" not in trace.html()


def test_vectors_stand_at_the_nodes() -> None:
    trace = run("maxn", load_game("three-players")).trace
    assert trace is not None
    assert "MAX (1, 2, 6) A tie" in trace.text() and "c2 (4, 2, 3)" in trace.text()
    assert ">(1, 2, 6)<" in trace.svg() and "each for itself" in trace.steps_text()


def test_star2_looks_first_and_says_so() -> None:
    tree = ExplicitTree("max(a1: 5, a2: (1/2: min(1, 9, 8), 1/4: min(2, 9), 1/4: min(3, 9)))")
    one, two = run("star1", tree).trace, run("star2", tree).trace
    assert one is not None and two is not None
    assert [leaf.value for leaf in two.examined] == [5, 1] and [leaf.value for leaf in one.examined] == [5, 1]
    deeper = ExplicitTree("max(a1: 5, a2: (1/2: min(6, 9, 8), 1/4: min(2, 9), 1/4: min(3, 9)))")
    one, two = run("star1", deeper).trace, run("star2", deeper).trace
    assert one is not None and two is not None
    assert len(two.examined) < len(one.examined)
    assert "A quick look at the first move after a2 0.5: it is worth at most 6." in two.steps_text()
    assert "even if the rest is worth as much as it can be, the average stays at or below 4.25" in two.steps_text()
    assert sorted(node.value or 0 for node in two.pruned) == [8, 9, 9, 9], "what no look has reached"


# -- refusals ----------------------------------------------------------------------------------------------------------


class Die(Corridor):
    """One throw with whatever odds."""

    odds: Any = ((0, 0.5), (1, 0.5))

    def to_move(self, state: tuple[int, int]) -> int:
        return CHANCE

    def chance(self, state: tuple[int, int]) -> Any:
        return iter(self.odds)


ODDS = [
    (((0, 0.5), (1, 0.45)), r"chance\(\) yields probabilities that do not sum to 1 but to 0.95"),
    (((0, 1.5), (1, -0.5)), r"chance\(\) gives outcome 0 the probability 1.5; it must lie above 0"),
    (((0, math.nan), (1, 0.5)), r"chance\(\) gives outcome 0 a probability that is not a number \(NaN\)"),
    ((), r"chance\(\) yields no outcomes at a chance state"),
    (((0, 0.5), (0, 0.5)), r"chance\(\) yields the outcome 0 twice"),
    ((0, 1), r"chance\(\) yields 0; it must be a pair"),
]


@pytest.mark.parametrize(("odds", "sentence"), ODDS, ids=range(len(ODDS)))
@pytest.mark.parametrize("rehearsed", [True, False])
def test_impossible_odds_are_told_in_a_sentence(odds: Any, sentence: str, rehearsed: bool) -> None:
    for name in ("expectimax", "star1", "maxn"):
        game = Die()
        game.odds = odds
        game.__dict__.update({} if rehearsed else {"_smoke_tested": True})
        with pytest.raises(GameError, match=sentence):
            run(name, game)


class OnlyDrawn(Corridor):
    def sample(self, state: tuple[int, int], rng: Any) -> int:
        return 0


class NoEnd(Die):
    is_terminal = Game.is_terminal


def test_other_kinds_of_games_are_refused_with_the_algorithm_to_use() -> None:
    with pytest.raises(Unsuitable, match=r"expectimax cannot search .* 2 players, which need expectiminimax"):
        run("expectimax", ExplicitTree([1, 2]))
    with pytest.raises(Unsuitable, match=r"expectimax cannot search .* 3 players, which need maxn"):
        run("expectimax", load_game("three-players"))
    with pytest.raises(Unsuitable, match=r"star1 cannot search .* maxn \(max\^n\) takes any number of players"):
        run("star1", load_game("three-players"))
    with pytest.raises(Unsuitable, match=r"minimax cannot search .* chance nodes, which need expectimax"):
        run("minimax", load_game("expected-value"))
    with pytest.raises(Unsuitable, match=r"list its outcomes in chance\(\), not draw them"):
        run("expectimax", OnlyDrawn())
    with pytest.raises(GameError, match="has chance but no method 'is_terminal'"):
        run("expectimax", NoEnd())
    assert [usual(load_game(name)) for name in ("othello", "coins", "three-players")] == [
        "alphabeta", "expectiminimax", "maxn",
    ]  # fmt: skip
    for name in ("othello", "nim"):
        assert ALGORITHMS[usual(load_game(name))].takes


def test_a_value_outside_the_range_would_make_star_cuts_wrong() -> None:
    class TooRich(Corridor):
        utility_range = (-1, 1)

    with pytest.raises(GameError, match=r"a value of 8 lies outside utility_range, -1 to 1: widen it"):
        run("star1", TooRich())
    assert search(ExplicitTree([1, 2]), depth=1).value == 2


def test_max_n_to_a_depth_is_drawn_as_max_n() -> None:
    found = run("maxn", load_game("dice-race"), depth=1)
    assert found.trace is not None and found.trace.each_for_itself
    assert "[" not in found.trace.text() and "α" not in found.trace.text()
    alone = run("paranoid", load_game("three-players"), depth=1)
    assert alone.trace is not None and not alone.trace.each_for_itself


def test_intervals_of_large_values_keep_their_digits() -> None:
    assert interval_text((4023036.667, 4023036.667)) == "[4023037, 4023037]"
    assert interval_text((1 / 3, 12.3456)) == "[0.3333, 12.35]"
