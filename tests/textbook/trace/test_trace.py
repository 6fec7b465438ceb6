"""Traces: replay in both directions, what they claim, JSON, pictures and words."""

from __future__ import annotations

import json
import math
import random
import xml.etree.ElementTree as ElementTree
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plywright import BadInput
from plywright.games.trees.explicit_tree import ExplicitTree
from plywright.games.trees.random_tree import RandomTree
from plywright.textbook import ALGORITHMS, Trace, run
from plywright.textbook.trace.trace import View
from plywright.textbook.trace.tree_note import WHOLE

NODES = st.recursive(
    st.integers(-4, 4),
    lambda below: st.fixed_dictionaries(
        {
            "player": st.sampled_from(["MAX", "MIN"]),
            "estimate": st.integers(-4, 4),
            "moves": st.lists(below, min_size=1, max_size=4),
        }
    ),
    max_leaves=16,
)
TREES = NODES.filter(lambda node: isinstance(node, dict)).map(ExplicitTree)
OPPOSED = [name for name in ALGORITHMS if name != "expectimax"]  # the algorithms for two opposed sides


def traced(name: str, tree: Any, **options: Any) -> Trace:
    if ALGORITHMS[name].limited:
        options.setdefault("depth", 3)
    trace = run(name, tree, **options).trace
    assert trace is not None
    return trace


@settings(max_examples=40)
@given(TREES, st.sampled_from(OPPOSED), st.randoms())
def test_backwards_is_forwards_reversed_and_any_jump_lands_right(
    tree: ExplicitTree, name: str, rng: random.Random
) -> None:
    trace = traced(name, tree)
    frames = list(trace.forwards())
    assert list(trace.backwards()) == frames[::-1]
    assert frames[0].views == (View(),) * len(trace.nodes) and frames[0].step is None
    for _ in range(10):
        number = rng.randrange(len(frames))
        assert trace.at(number) == frames[number]
    assert trace.at() == trace.at(-1) == frames[-1]


@settings(max_examples=40)
@given(TREES, st.sampled_from(OPPOSED))
def test_json_round_trip(tree: ExplicitTree, name: str) -> None:
    trace = traced(name, tree)
    text = trace.to_json()
    again = Trace.from_json(text)
    assert again == trace and again.to_json() == text
    assert list(again.forwards()) == list(trace.forwards())
    assert "Infinity" not in text and "NaN" not in text


def true_values(trace: Trace) -> list[float]:
    """The minimax value of every node of a trace that lists the whole tree."""
    values: list[float] = [0.0] * len(trace.nodes)
    for node in sorted(trace.nodes, key=lambda node: -node.number):
        if node.side == "leaf":
            assert node.value is not None
            values[node.number] = node.value
        else:
            values[node.number] = (max if node.side == "max" else min)(values[child] for child in node.children)
    return values


@settings(max_examples=60)
@given(TREES, st.sampled_from(["minimax", "alphabeta", "alphabeta-hard"]))
def test_every_interval_holds_the_true_value_and_every_bound_is_one(tree: ExplicitTree, name: str) -> None:
    trace = traced(name, tree)
    values = true_values(trace)
    for frame in trace.forwards():
        for number, view in enumerate(frame.views):
            assert view.low <= values[number] <= view.high
            if view.status in ("done", "cut"):
                assert view.value is not None
                assert {
                    "exact": view.value == values[number],
                    "at least": view.value <= values[number],
                    "at most": view.value >= values[number],
                }[view.bound]
    root = trace.view()
    assert root.low == root.high == root.value == values[0]


@settings(max_examples=60)
@given(TREES)
def test_every_cut_is_justified(tree: ExplicitTree) -> None:
    trace = traced("alphabeta", tree)
    parents = {node.number: node.parent for node in trace.nodes}
    for cut in trace.cuts:
        assert trace.nodes[cut.node].side == {"alpha": "min", "beta": "max"}[cut.kind]
        assert trace.nodes[cut.by].side == {"alpha": "max", "beta": "min"}[cut.kind]
        assert cut.value <= cut.bound if cut.kind == "alpha" else cut.value >= cut.bound
        above = parents[cut.node]
        sides_between = []
        while above != cut.by:
            sides_between.append(trace.nodes[above].side)
            above = parents[above]
            assert above >= 0, "the bound is an ancestor's"
        assert cut.deep is (trace.nodes[cut.by].side in sides_between)
        assert cut.pruned and all(parents[node] == cut.node for node in cut.pruned)
    unseen = {node.number for node in trace.pruned}
    roots = {node for cut in trace.cuts for node in cut.pruned}
    assert roots <= unseen and all(node in roots or parents[node] in unseen for node in unseen)


def test_counters_only_grow_and_name_what_happened() -> None:
    trace = traced("alphabeta", RandomTree(3, 4, 2))
    for before, after in zip(trace.steps, trace.steps[1:], strict=False):
        assert (before.nodes, before.leaves, before.cuts) <= (after.nodes, after.leaves, after.cuts)
    last = trace.steps[-1]
    assert last.leaves == len(trace.examined) and last.cuts == len(trace.cuts)
    assert last.nodes == sum(view.status in ("done", "cut") for view in trace.at().views)


def test_large_pruned_subtrees_are_stubs_and_small_ones_whole() -> None:
    small = traced("alphabeta", RandomTree(3, 4, 1, "perfect"))
    assert not any(node.more for node in small.nodes) and len(small.nodes) == (3**5 - 1) // 2
    large = traced("alphabeta", RandomTree(7, 4, 1, "perfect"))
    stubs = [node for node in large.nodes if node.more]
    assert stubs and all(node.more == f"more than {WHOLE} nodes" and not node.children for node in stubs)
    assert all(large.view(node.path).status == "pruned" for node in stubs)
    assert f"({stubs[0].more})" in large.text()


def test_iterative_deepening_starts_every_round_afresh() -> None:
    tree = ExplicitTree("max~1(min~4(max~3(8, 5), max~9(2, 9)), min~-2(max~7(4, 7), max~6(6, 3)))")
    trace = traced("iterative-deepening", tree)
    rounds = [number for number, step in enumerate(trace.steps, 1) if step.kind == "begin"]
    assert [trace.steps[number - 1].words for number in rounds] == [
        "Look 1 ply ahead.", "Look 2 plies ahead.", "Look 3 plies ahead.",
    ]  # fmt: skip
    for number in rounds:
        assert set(trace.at(number).views) == {View()}
    assert trace.windows("a2") == [(8, math.inf), (8, 7)] and trace.intervals("a2")[-1] == (-math.inf, 7)


# -- what is refused --------------------------------------------------------------------------------------------


def test_questions_about_what_is_not_there() -> None:
    trace = traced("alphabeta", ExplicitTree([[1, 2], 3]))
    with pytest.raises(BadInput, match="there is no step 99: this trace has steps 0 to"):
        trace.at(99)
    with pytest.raises(BadInput, match="no step 'x'"):
        trace.svg("x")  # type: ignore[arg-type]
    with pytest.raises(BadInput, match="the trace has no node 'b7'"):
        trace.view("b7")


def without(data: dict[str, Any], key: str) -> dict[str, Any]:
    return {name: value for name, value in data.items() if name != key}


def changed(data: Any, path: list[Any], value: Any) -> Any:
    copy = json.loads(json.dumps(data))
    place = copy
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    return copy


@pytest.mark.parametrize(
    ("path", "value", "sentence"),
    [
        (["format"], "other", "its 'format' should be 'plywright-trace'"),
        (["version"], 99, "this trace has version 99"),
        (["nodes"], {}, "the trace: 'nodes' must be a list of objects"),
        (["nodes"], [], "the trace has no nodes"),
        (["steps"], [], "the trace has no steps"),
        (["players"], [], "the trace must name its 'players'"),
        (["title"], 3, "the trace: 'title' must be a text, not 3"),
        (["pseudocode"], [1], "'pseudocode' must be a list of texts"),
        (["nodes", 1, "parent"], 7, "nodes[1]: 'parent' must be a whole number"),
        (["nodes", 1, "parent"], -1, "nodes[0]: its 'children' are not the nodes"),
        (["nodes", 0, "children"], [1], "nodes[0]: its 'children' are not"),
        (["nodes", 1, "side"], "dice", "nodes[1]: 'side' must be one of max, min, chance, leaf, not 'dice'"),
        (["nodes", 3, "value"], "many", "nodes[3]: 'value' must be a number, 'inf' or '-inf', not 'many'"),
        (["steps", 2, "kind"], "jump", "steps[2]: 'kind' must be one of"),
        (["steps", 2, "node"], 99, "steps[2]: 'node' must be a whole number of at least 0 and below"),
        (["steps", 2, "node"], True, "steps[2]: 'node' must be"),
        (["steps", 2, "lines"], [99], "steps[2]: 'lines' must be"),
        (["steps", 2, "lines"], 3, "steps[2]: 'lines' must be a list of whole numbers"),
        (["steps", 2, "changes"], [1], "steps[2]: 'changes' must be a list of pairs"),
        (["steps", 2, "changes", 0, 0], 99, "steps[2]: 'changes' must be"),
        (["steps", 2, "changes", 0, 1], 7, "steps[2].changes must be an object"),
        (["steps", 2, "changes", 0, 1, "status"], "lost", "'status' must be one of"),
        (["steps", 2, "changes", 0, 1, "interval"], [1], "'interval' must be two numbers"),
        (["steps", 2, "changes", 0, 1, "window"], "wide", "'window' must be two numbers"),
        (["steps", 2, "changes", 0, 1, "best"], "b", "'best' must be"),
        (["steps", 3, "changes", 0, 1, "best"], 1, "steps[3].changes: 'best' must be a child of node 1, not 1"),
        (["steps", 11, "cut", "deep"], 1, "steps[11].cut: 'deep' must be true or false"),
    ],
)
def test_malformed_json_is_refused_with_the_place(path: list[Any], value: Any, sentence: str) -> None:
    data = json.loads(traced("alphabeta", ExplicitTree([[3, 12], [2, 4]])).to_json())
    assert data["steps"][11]["cut"]
    with pytest.raises(BadInput) as refusal:
        Trace.from_json(json.dumps(changed(data, path, value)))
    assert sentence in str(refusal.value) and "\n" not in str(refusal.value)


def test_every_missing_field_and_every_broken_text_is_refused() -> None:
    data = json.loads(traced("alphabeta", ExplicitTree([[3, 12], [2, 4]])).to_json())
    for key in data:
        with pytest.raises(BadInput):
            Trace.from_json(json.dumps(without(data, key)))
    for part in ("nodes", "steps"):
        for key in set(data[part][1]) - {"value", "chance"} if part == "nodes" else without(data[part][1], "cut"):
            broken = changed(data, [part, 1], without(data[part][1], key))
            with pytest.raises(BadInput):
                Trace.from_json(json.dumps(broken))
    for text in ("", "{", "[]", "7", '{"format": NaN}', "[" * 5000, json.dumps(data)[:-9]):
        with pytest.raises(BadInput):
            Trace.from_json(text)


# -- faces --------------------------------------------------------------------------------------------------------


@settings(max_examples=15)
@given(TREES, st.sampled_from(OPPOSED))
def test_every_step_can_be_drawn(tree: ExplicitTree, name: str) -> None:
    trace = traced(name, tree)
    for number in {0, 1, len(trace) // 2, len(trace)}:
        root = ElementTree.fromstring(trace.svg(number))
        ids = [element.get("id") for element in root.iter() if element.get("id")]
        assert len(ids) == len(set(ids)) == 2 * len(trace.nodes) - 1
        assert len(trace.text(number).splitlines()) == len(trace.nodes)


def test_the_picture_shows_windows_intervals_and_what_was_cut() -> None:
    trace = traced("alphabeta", ExplicitTree.figure("figure-6.2"))
    assert trace.text().splitlines() == [
        "MAX 3 α=3 β=∞ [3, 3]",
        "├─ a1 MIN 3 α=-∞ β=3 [3, 3]",
        "│  ├─ b1 3",
        "│  ├─ b2 12",
        "│  └─ b3 8",
        "├─ a2 MIN ≤2 α=3 β=2 [-∞, 2] cut by root's α",
        "│  ├─ c1 2",
        "│  ├╌ c2 4 pruned",
        "│  └╌ c3 6 pruned",
        "└─ a3 MIN 2 α=3 β=2 [2, 2]",
        "   ├─ d1 14",
        "   ├─ d2 5",
        "   └─ d3 2",
    ]
    assert trace.text(3).splitlines()[2] == "│  ├─ b1 3 <", "the step's node is marked"
    svg = trace.svg()
    assert svg.count("pw-gate-severed") > 2 and "pw-edge-best" in svg
    assert trace._repr_svg_() == svg
    assert "pw-halo-current" in trace.svg(3) and "pw-halo-current" not in svg


def test_the_narration_names_every_step_its_line_and_the_result() -> None:
    trace = traced("alphabeta", ExplicitTree.figure("figure-6.2"))
    rows = trace.steps_text().splitlines()
    assert rows[0] == "Alpha-beta (fail-soft) on figure-6.2" and len(rows) == len(trace) + 2
    reason = "MIN already has 2 here; MAX has 3 at the root"
    assert rows[14] == f"14  line 27       Alpha cutoff after a2: {reason}, so c2 and c3 need no look."
    assert rows[-2].endswith("MAX plays a1, which is worth 3.")
    assert rows[-1] == "11 nodes, 7 leaves examined, 1 cutoff, 2 listed nodes never looked at"
    assert trace.pseudocode[26].strip() == "if v ≤ α then return v, move"
    named = traced("minimax", ExplicitTree("players(Anna, Ben) Ben(2, 1)"))
    assert named.steps_text().splitlines()[0] == "Minimax on explicit-tree: Anna is MAX, Ben is MIN"
    assert named.steps[-1].words == "MIN plays a2 and holds MAX to 1."


def test_a_large_trace_is_drawn_near_its_root() -> None:
    trace = traced("minimax", RandomTree(9, 4, 1))
    assert len(trace.nodes) > 7000
    assert len(trace.svg()) < 400_000
    assert "nodes)" in trace.text(5000)
