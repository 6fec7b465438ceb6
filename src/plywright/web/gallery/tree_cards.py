"""Cards on minimax and alpha-beta: the textbook's trees, each searched when its card is opened."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from urllib.parse import urlencode

from ...draw.tree import value_text, vector_text
from ...engine.alphabeta.leaf_counts import fewest_leaves
from ...games.trees.changes import changed, decisions
from ...games.trees.explicit_tree import FIGURES, ExplicitTree
from ...textbook import algorithm, run
from ...textbook.trace.picture import interval_text, window_text
from ...textbook.trace.trace import Trace
from .card import Card, Door, Figures

INCREASING = "2=0,3=1,4=5,5=6,6=8,8=100,12=200,14=1000"
EQUAL = "[[3, 5], [3, 7], [2, 9]]"


def traced(tree: str, name: str, **options: Any) -> Trace:
    game = ExplicitTree.figure(tree) if tree in FIGURES else ExplicitTree(tree, name="your tree")
    found = algorithm(name).run(game, **options).trace
    assert found is not None
    return found


def lab(tree: str, name: str = "", **more: Any) -> str:
    """The address of the lab with this tree; `name` is the algorithm, the usual one unless told."""
    fields = {"figure": tree} if tree in FIGURES else {"tree": tree}
    return "/lab?" + urlencode(fields | ({"algorithm": name} if name else {}) | more)


def leaves_of(trace: Trace) -> str:
    return ", ".join(vector_text(leaf.values) if leaf.values else value_text(leaf.value) for leaf in trace.examined)


def searched(tree: str, name: str, stated: Callable[[Trace], str]) -> Callable[[], Figures]:
    """What a search of the tree finds: value, move, leaves in their order, what is pruned and why."""

    def work() -> Figures:
        trace = traced(tree, name)
        root = trace.view()
        worth = vector_text(root.values) if root.values else value_text(root.value)
        pruned = [node for node in trace.pruned if not node.children]
        rows = [
            ("value of the root", worth),
            ("best line", " ".join(node.move for node in trace.line) or "chance moves first"),
            ("leaves in the order of the search", leaves_of(trace)),
        ]
        if trace.cuts:
            rows.append(("never looked at", ", ".join(value_text(node.value) for node in pruned)))
        rows += [(f"{cut.kind} cutoff at {trace.nodes[cut.node].path}", cut.reason) for cut in trace.cuts]
        return Figures(stated(trace), ("", ""), tuple(rows))

    return work


def value(trace: Trace) -> str:
    root = trace.view()
    return vector_text(root.values) if root.values else value_text(root.value)


def pruned(trace: Trace) -> str:
    return ", ".join(value_text(node.value) for node in trace.pruned if not node.children)


def drawn(tree: str, name: str, **options: Any) -> Callable[[], str]:
    return lambda: traced(tree, name, **options).svg()


def tree_card(figure: str, stated: Callable[[Trace], str], name: str = "alphabeta") -> Card:
    """A card on one of the named figures."""
    doors = [Door("Step through it", lab(figure, name))]
    if name == "alphabeta":
        doors.append(Door("Minimax beside it", lab(figure, name, beside="minimax")))
    return Card(
        figure,
        searched(figure, name, stated),
        tuple(doors),
        drawn(figure, name),
        f"plywright tree {figure} --algorithm {name}",
    )


def _windows() -> Figures:
    trace = traced("figure-6.2", "alphabeta")
    rows = [
        (
            path,
            " → ".join(window_text(one) for one in trace.windows(path)),
            " → ".join(map(interval_text, trace.intervals(path))),
        )
        for path in ("root", "a1", "a2", "a3")
    ]
    return Figures(
        ", ".join(map(interval_text, trace.intervals("root")[1:])), ("node", "windows", "intervals"), tuple(rows)
    )


def _bounds() -> Figures:
    tree = ExplicitTree.figure("figure-6.2")
    cut = algorithm("alphabeta").run(tree).trace
    assert cut is not None
    exact = run("alphabeta", tree, all_actions=True)
    values = [value_text(exact.actions[action]) for action in range(3)]
    signs = {"exact": "", "at most": "≤", "at least": "≥"}
    seen = [signs[view.bound] + value_text(view.value) for view in (cut.view(path) for path in ("a1", "a2", "a3"))]
    rows = tuple(zip(("a1", "a2", "a3"), seen, values, strict=True))
    return Figures(", ".join(values), ("move", "one search", "each asked for"), rows)


def _equal() -> Figures:
    tree = ExplicitTree(EQUAL, name="your tree")
    found = run("minimax", tree)
    tied = [tree.format_action(0, action) for action in run("minimax", tree, all_actions=True).tied]
    rows = (("chosen", tree.format_action(0, found.action or 0)), ("as good", ", ".join(tied)))
    return Figures(f"{tree.format_action(0, found.action or 0)} of {', '.join(tied)}", ("", ""), rows)


def _preliminary() -> Figures:
    trace = traced("preliminary-values", "minimax")
    second, seen = trace.node("a1").number, list[str]()
    for step in trace.steps:
        for node, view in step.changes:
            if node == second and view.value is not None and seen[-1:] != [value_text(view.value)]:
                seen.append(value_text(view.value))
    rows = (
        ("backed up to the first MIN node, in turn", ", ".join(seen)),
        ("leaves in the order of the search", leaves_of(trace)),
    )
    return Figures(", then ".join(seen), ("", ""), rows)


def _increasing() -> Figures:
    tree = ExplicitTree.figure("figure-6.2")
    rows, kept = [], set()
    for words, leaves in (("as it is", ""), ("2u + 1", "affine:2,1"), ("2→0, 3→1, 4→5 … 14→1000", INCREASING)):
        found = run("minimax", changed(tree, leaves=leaves))
        move = tree.format_action(0, found.action or 0)
        kept.add(move)
        rows.append((words, value_text(found.value), move))
    same = all(not one.differs for one in decisions(tree, changed(tree, leaves=INCREASING)))
    return Figures(
        " ".join(sorted(kept)) + (", always" if same else ""), ("map on the leaves", "root", "move"), tuple(rows)
    )


def _deepening() -> Figures:
    seconds, speed = 100, 10_000
    nodes = seconds * speed
    depth = max(plies for plies in range(1, 20) if fewest_leaves(35, plies) <= 4 * nodes)
    rows = (
        ("seconds per move", f"{seconds}"),
        ("nodes per second", f"{speed:,}"),
        ("nodes per move", f"{nodes:,}"),
        ("leaves of chess to depth 8 in perfect order", f"{fewest_leaves(35, 8):,}"),
        ("so about depth", str(depth)),
    )
    return Figures(f"{nodes:,}", ("", ""), rows)


CARDS = (
    tree_card(
        "figure-6.2",
        lambda trace: f"{value(trace)}; never {pruned(trace)}",
    ),
    Card(
        "windows",
        _windows,
        (Door("Watch both change", lab("figure-6.2", step=14)),),
        drawn("figure-6.2", "alphabeta"),
        "plywright tree figure-6.2 --steps",
    ),
    tree_card(
        "left-right",
        value,
    ),
    tree_card(
        "shallow-cutoff",
        lambda trace: f"{value(trace)}; never {pruned(trace)}",
    ),
    tree_card(
        "alpha-cutoff",
        lambda trace: f"never {pruned(trace)}",
    ),
    tree_card(
        "two-cutoffs",
        lambda trace: ", ".join(cut.kind for cut in trace.cuts),
    ),
    tree_card(
        "deep-cutoff",
        lambda trace: f"{value(trace)}; {'deep' if trace.cuts[0].deep else ''}",
    ),
    Card(
        "preliminary-values",
        _preliminary,
        (Door("Step through it", lab("preliminary-values", "minimax")),),
        drawn("preliminary-values", "minimax"),
        "plywright tree preliminary-values --algorithm minimax --steps",
    ),
    Card(
        "bounds",
        _bounds,
        (Door("In the lab", lab("figure-6.2")),),
        drawn("figure-6.2", "alphabeta"),
        "plywright tree figure-6.2",
    ),
    Card(
        "equal-moves",
        _equal,
        (Door("In the lab", lab(EQUAL, "minimax")),),
        drawn(EQUAL, "minimax"),
        f'plywright tree "{EQUAL}" --algorithm minimax',
    ),
    Card(
        "increasing-maps",
        _increasing,
        (Door("Try a map", lab("figure-6.2", "minimax", leaves=INCREASING)),),
        drawn("figure-6.2", "minimax"),
        f'plywright tree figure-6.2 --leaves "{INCREASING}"',
    ),
    Card(
        "deepening",
        _deepening,
        (Door("Iterative deepening", lab("figure-6.2", "iterative-deepening")),),
    ),
)
