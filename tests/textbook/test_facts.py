"""Section 1 of docs/facts.md: the worked examples of minimax and alpha-beta, on values and on traces."""

from __future__ import annotations

import math

import pytest

from plywright.games.trees.explicit_tree import ExplicitTree
from plywright.textbook import run
from plywright.textbook.algorithms.sides import evaluation
from plywright.textbook.trace.trace import Trace

INF = math.inf
EXACT_SEARCHES = ("minimax", "alphabeta", "alphabeta-hard")


def trace_of(name: str, tree: str = "figure-6.2") -> Trace:
    trace = run(name, ExplicitTree.figure(tree)).trace
    assert trace is not None
    return trace


def examined(trace: Trace) -> list[float | None]:
    return [leaf.value for leaf in trace.examined]


def pruned_leaves(trace: Trace) -> list[float | None]:
    return [node.value for node in trace.pruned if node.side == "leaf"]


# -- 1.1: two plies -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", EXACT_SEARCHES)
def test_fact_1_1_value_and_best_move(name: str) -> None:
    tree = ExplicitTree.figure("figure-6.2")
    result = run(name, tree)
    assert result.value == 3 and result.values == (3, -3)
    assert result.line_text(tree, tree.start_state) == ["a1", "b1"]
    assert result.bound == "exact" and result.proved and result.distance == 2


def test_fact_1_1_minimax_values_of_all_nodes() -> None:
    trace = trace_of("minimax")
    assert [trace.view(path).value for path in ("root", "a1", "a2", "a3")] == [3, 3, 2, 2]
    assert examined(trace) == [3, 12, 8, 2, 4, 6, 14, 5, 2] and not trace.pruned and not trace.cuts


@pytest.mark.parametrize("name", ["alphabeta", "alphabeta-hard"])
def test_fact_1_1_alphabeta_prunes_exactly_4_and_6(name: str) -> None:
    trace = trace_of(name)
    assert examined(trace) == [3, 12, 8, 2, 14, 5, 2]
    assert [node.value for node in trace.pruned] == [4, 6]
    assert {node.path for node in trace.pruned} == {"a2 c2", "a2 c3"}


# -- 1.2: windows and intervals -----------------------------------------------------------------------------------


def test_fact_1_2_windows() -> None:
    trace = trace_of("alphabeta")
    assert trace.windows("a1") == [(-INF, INF), (-INF, 3), (-INF, 3), (-INF, 3)]
    assert trace.windows("a2") == [(3, INF), (3, 2)], "the first leaf, 2, is not above alpha: cut"
    assert trace.windows("a3") == [(3, INF), (3, 14), (3, 5), (3, 2)]
    assert trace.windows("root") == [(-INF, INF), (3, INF), (3, INF), (3, INF)]
    assert trace.view("a1").entry == (-INF, INF) and trace.view("a2").entry == trace.view("a3").entry == (3, INF)
    assert trace.view("a2").status == "cut" and trace.view("a3").status == "done"


def test_fact_1_2_intervals() -> None:
    trace = trace_of("alphabeta")
    unknown = (-INF, INF)
    assert trace.intervals("a1") == [unknown, (-INF, 3), (3, 3)]
    assert trace.intervals("a2") == [unknown, (-INF, 2)]
    assert trace.intervals("a3") == [unknown, (-INF, 14), (-INF, 5), (2, 2)]
    assert trace.intervals("root") == [unknown, (3, INF), (3, 14), (3, 5), (3, 3)]


def test_fact_1_2_intervals_of_root_and_child_at_the_same_moment() -> None:
    trace = trace_of("alphabeta")
    seen = []
    root, third = trace.node("root").number, trace.node("a3").number
    for frame in trace.forwards():
        pair = frame.views[third].interval, frame.views[root].interval
        if not seen or pair != seen[-1]:
            seen.append(pair)
    assert seen == [
        ((-INF, INF), (-INF, INF)),
        ((-INF, INF), (3, INF)),
        ((-INF, 14), (3, 14)),
        ((-INF, 5), (3, 5)),
        ((2, 2), (3, 3)),
    ]


# -- 1.3 to 1.6 ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", EXACT_SEARCHES)
def test_fact_1_3_left_3_right_minus_8(name: str) -> None:
    tree = ExplicitTree.figure("left-right")
    result = run(name, tree, all_actions=True)
    assert result.value == 3 and tree.format_action(0, result.action or 0) == "left"
    assert result.actions == {0: 3, 1: -8}
    assert 50 in tree.payoff[:, 0]


def test_fact_1_4_shallow_cutoff() -> None:
    trace = trace_of("alphabeta", "shallow-cutoff")
    assert trace.view("a1").value == 8 and trace.view("root").value == 8
    assert examined(trace) == [10, 8, 4]
    (cut,) = trace.cuts
    assert (trace.nodes[cut.node].path, cut.kind, cut.deep, cut.by) == ("a2", "alpha", False, 0)
    assert [trace.nodes[node].move for node in cut.pruned] == ["b2", "b3"]


def test_fact_1_5_values_of_other_root_moves_are_bounds_unless_asked_for() -> None:
    trace = trace_of("alphabeta")
    view = trace.view("a2")
    assert (view.value, view.bound, view.interval) == (2, "at most", (-INF, 2))
    result = run("alphabeta", ExplicitTree([[3, 12], [2, 1], [14, 0]]), all_actions=True)
    assert result.actions == {0: 3, 1: 1, 2: 0}, "exact, although the searches of the second and third were cut"


@pytest.mark.parametrize("name", EXACT_SEARCHES)
def test_fact_1_6_the_first_of_equal_moves_wins_and_all_are_told(name: str) -> None:
    tree = ExplicitTree([[2, 9], [5, 7], [5, 5], [4, 6], [8, 5]])
    result = run(name, tree, all_actions=True)
    assert result.action == 1 and result.tied == (1, 2, 4)
    upside_down = run(name, ExplicitTree("min(max(2, 1), max(1, 1), max(0, 1))"), all_actions=True)
    assert upside_down.action == 1 and upside_down.tied == (1, 2) and upside_down.value == -1


# -- 1.7b: names and reasons of cuts ------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["alphabeta", "alphabeta-hard"])
def test_fact_1_7b_a_beta_and_an_alpha_cutoff(name: str) -> None:
    trace = trace_of(name, "two-cutoffs")
    assert trace.view("root").value == 10 and examined(trace) == [10, 6, 100, 1, 2]
    beta, alpha = trace.cuts
    assert (beta.kind, trace.nodes[beta.node].path, trace.nodes[beta.by].path, beta.deep) == (
        "beta", "a1 b2", "a1", False,
    )  # fmt: skip
    assert [trace.nodes[node].value for node in beta.pruned] == [8]
    assert (alpha.kind, trace.nodes[alpha.node].path, trace.nodes[alpha.by].path) == ("alpha", "a2", "root")
    (whole,) = alpha.pruned
    assert trace.nodes[whole].side == "max" and pruned_leaves(trace) == [8, 20, 4]
    assert beta.reason == "MAX already has 100 here; MIN has 10 after a1"
    known = {"alphabeta": 2, "alphabeta-hard": 10}[name]  # fail-hard answers with the bound, not the value
    assert alpha.reason == f"MIN already has {known} here; MAX has 10 at the root"


def test_fact_1_7b_a_deep_cutoff() -> None:
    trace = trace_of("alphabeta", "deep-cutoff")
    assert trace.view("root").value == 5 and examined(trace) == [5, 4, 3]
    deep, shallow = trace.cuts
    assert (deep.kind, deep.deep, deep.by, trace.nodes[deep.node].path) == ("alpha", True, 0, "a2 b1 c1")
    assert [trace.nodes[node].value for node in deep.pruned] == [9]
    assert "Deep alpha cutoff after a2 b1 c1: MIN already has 4 here; MAX has 5 at the root" in trace.steps_text()
    assert (shallow.deep, trace.nodes[shallow.node].path, pruned_leaves(trace)) == (False, "a2", [7, 9])


def test_cutoffs_across_a_double_move() -> None:
    """Two MIN nodes in a row: the bound is still that of the nearest MAX node, so the cut is shallow."""
    trace = run("alphabeta", ExplicitTree("max(5, min(min(3, 9), 8))")).trace
    assert trace is not None
    assert [(trace.nodes[cut.node].path, cut.kind, cut.deep) for cut in trace.cuts] == [
        ("a2 b1", "alpha", False),
        ("a2", "alpha", False),
    ]


# -- 1.7c: preliminary values -------------------------------------------------------------------------------------


def test_fact_1_7c_preliminary_backed_up_values() -> None:
    trace = trace_of("minimax", "preliminary-values")
    history: dict[str, list[float]] = {path: [] for path in ("a1", "a1 b1", "a1 b2")}
    for frame in trace.forwards():
        for path, values in history.items():
            value = frame.views[trace.node(path).number].value
            if value is not None and values[-1:] != [value]:
                values.append(value)
    assert history["a1 b1"] == [8], "8 goes up one level"
    assert history["a1"] == [8, -3], "and the second; 9 is no better for the opponent, so it stays until -3 comes up"
    assert history["a1 b2"] == [2, 9], "2 is replaced by 9"


# -- 1.11 to 1.13 -------------------------------------------------------------------------------------------------

ESTIMATED = "max~1(a1: min~4(max~3(8, 5), max~9(2, 9)), a2: min~-2(max~7(4, 7), max~6(6, 3)))"


def test_fact_1_11_the_evaluation_of_a_finished_game_is_its_utility() -> None:
    tree = ExplicitTree(ESTIMATED)
    for state in range(len(tree.parents)):
        if tree.is_terminal(state):
            assert evaluation(tree, state) == tree.utility(state, 0)
        else:
            assert evaluation(tree, state) == tree.estimate[state, 0]
            assert tree.utility_range[0] < evaluation(tree, state) < tree.utility_range[1]


def test_fact_1_12_depth_limited_search_evaluates_where_it_stops() -> None:
    tree = ExplicitTree(ESTIMATED)
    found = {depth: run("h-minimax", tree, depth=depth) for depth in (1, 2, 3, 4)}
    assert {depth: result.value for depth, result in found.items()} == {1: 4, 2: 6, 3: 8, 4: 8}
    assert [found[depth].proved for depth in (1, 2, 3, 4)] == [False, False, True, True]
    assert found[2].bound == "heuristic" and found[3].bound == "exact"
    trace = found[1].trace
    assert trace is not None
    assert [trace.view(node.path).value for node in trace.examined] == [4, -2]
    assert {trace.view(node.path).status for node in trace.examined} == {"estimated"}


def test_fact_1_12_iterative_deepening_is_anytime() -> None:
    tree = ExplicitTree(ESTIMATED)
    answers = {}
    for nodes in (1, 3, 9, 10, 11, 21, 22, 50):
        result = run("iterative-deepening", tree, depth=5, nodes=nodes)
        answers[nodes] = (result.depth, result.value, result.action)
        assert result.nodes <= max(nodes, 3), "only the first round may exceed the budget"
        assert result.trace is not None and result.trace.line[0].action == result.action
    first, second, third = (1, 4, 0), (2, 6, 1), (3, 8, 0)
    assert answers == {1: first, 3: first, 9: first, 10: second, 11: second, 21: second, 22: third, 50: third}


def test_fact_1_13_increasing_maps_change_no_decision() -> None:
    def mapped(source: object, change: object) -> object:
        return [mapped(x, change) for x in source] if isinstance(source, list) else change(source)  # type: ignore[operator]

    trees = ([[3, 12, 8], [2, 4, 6], [14, 5, 2]], [[[10, 6], [100, 8]], [[1, 2], [20, 4]]], [5, [[[4, 9], 3], 7]])
    for tree in trees:
        for change in (lambda x: 2 * x + 1, lambda x: x**3 - 1000, math.exp, lambda x: -1 / (1 + abs(x))):
            for name in EXACT_SEARCHES:
                before, after = run(name, ExplicitTree(tree)), run(name, ExplicitTree(mapped(tree, change)))
                assert after.line == before.line
                assert after.value == pytest.approx(change(before.value))
