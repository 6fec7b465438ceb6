"""Questions about the next step: answers of the worked examples, and of every random tree's trace."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plywright.games.trees.explicit_tree import ExplicitTree
from plywright.games.trees.generated_tree import generated_tree
from plywright.textbook import run
from plywright.textbook.trace.prediction import Question, looked_at, pruned_next
from plywright.textbook.trace.trace import PRUNED, UNSEEN, Trace


def traced(name: str, tree: Any, **options: Any) -> Trace:
    trace = run(name, tree, **options).trace
    assert trace is not None
    return trace


def paths(trace: Trace, question: Question) -> list[str]:
    return [trace.nodes[node].path for node in question.right]


def test_the_figure_prunes_four_and_six_and_then_nothing() -> None:
    trace = traced("alphabeta", ExplicitTree.figure("figure-6.2"))
    first, second = pruned_next(trace)
    assert (first.at, first.words) == (0, "Which leaf is pruned first?")
    assert paths(trace, first) == ["a2 c2", "a2 c3"]
    assert "a2 c2 (4) and a2 c3 (6) are pruned" in first.why
    assert "MIN already has 2 here; MAX has 3 at the root" in first.why
    assert second.at == first.step and second.right == () and second.step == len(trace)


def test_the_next_move_is_pruned_exactly_once_in_the_figure() -> None:
    trace = traced("alphabeta", ExplicitTree.figure("figure-6.2"))
    asked = looked_at(trace)
    assert [trace.nodes[q.node].path for q in asked] == ["a1 b2", "a1 b3", "a2", "a2 c2", "a3", "a3 d2", "a3 d3"]
    assert [bool(q.right) for q in asked] == [True, True, True, False, True, True, True]


def test_minimax_prunes_nothing_and_says_so() -> None:
    trace = traced("minimax", ExplicitTree.figure("figure-6.2"))
    assert [(q.right, q.why) for q in pruned_next(trace)] == [((), "No leaf is pruned.")]
    assert all(question.right for question in looked_at(trace))


def test_a_search_that_deepens_asks_in_every_round() -> None:
    trace = traced("iterative-deepening", generated_tree(2, 3, 3), depth=3)
    begins = [number for number, step in enumerate(trace.steps, 1) if step.kind == "begin"]
    asked = pruned_next(trace)
    assert set(begins) <= {question.at for question in asked}
    assert all("in this round" in question.words for question in asked)


@pytest.mark.parametrize("name", ["alphabeta", "alphabeta-hard", "ordered-alphabeta"])
@settings(max_examples=25, deadline=None)
@given(st.integers(2, 4), st.integers(1, 4), st.integers(0, 10**6))
def test_answers_are_what_the_trace_does(name: str, branching: int, depth: int, seed: int) -> None:
    options = {"depth": depth} if name.startswith("ordered") else {}
    trace = traced(name, generated_tree(branching, depth, seed), **options)
    asked = pruned_next(trace)
    right = {node for question in asked for node in question.right}
    assert right == {node.number for node in trace.pruned if not node.children}
    for question in asked:
        before, after = trace.at(question.at).views, trace.at(question.step).views
        assert all(before[node].status == UNSEEN and after[node].status == PRUNED for node in question.right)
    for question in looked_at(trace):
        assert trace.at(question.at).views[question.node].status == UNSEEN
        assert (trace.at(question.step).views[question.node].status == PRUNED) is (question.right == ())
