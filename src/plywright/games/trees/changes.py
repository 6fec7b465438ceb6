"""The same tree with one thing changed: MIN's nodes as chance nodes, or a map on the leaves.

    turned(tree)                          # "optimal against a perfect player; otherwise?"
    with_leaves(tree, "affine:2,1")       # every utility u becomes 2u + 1
    with_leaves(tree, "square")
    with_leaves(tree, "1=1,2=20,3=30,4=400")

A map that keeps the order of the utilities leaves every decision of minimax; only a positive affine one leaves
every decision of expectimax.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

from ...errors import BadInput
from ...game import CHANCE
from ...number import Number, number
from .explicit_tree import ExplicitTree, level_by_level
from .outline import Branch, Outline, Script

MIN = 1
MIN_AS = ("min", "chance", "uniform")
"""Who moves at MIN's nodes: MIN, or somebody who moves at random (two words for it)."""

LeafMap = Callable[[Number], Number]


def changed(tree: ExplicitTree, *, min_as: str = "min", leaves: str = "") -> ExplicitTree:
    """The tree with what is asked for changed; itself where nothing is."""
    if min_as not in MIN_AS:
        raise BadInput(f"MIN's nodes may be taken as {', '.join(MIN_AS)}, not {min_as!r}")
    if leaves:
        tree = with_leaves(tree, leaves)
    return turned(tree) if min_as != "min" else tree


def turned(tree: ExplicitTree) -> ExplicitTree:
    """The tree in which MIN's nodes are chance nodes with equal probabilities: an opponent who moves at random."""
    if tree.players > 2 or not any(
        mover == MIN and ways for mover, ways in zip(tree.mover.tolist(), tree.count.tolist(), strict=True)
    ):
        raise BadInput(f"{tree.name} has no MIN nodes that could be taken as chance nodes")

    def turn(place: int, node: Outline) -> Outline:
        if int(tree.mover[place]) != MIN or not node.branches:
            return node
        share = Fraction(1, len(node.branches))
        named = (
            Branch(tree.moves[int(tree.first[place]) + index], share, branch.node)
            for index, branch in enumerate(node.branches)
        )
        return replace(node, player=CHANCE, branches=tuple(named))

    return _rebuilt(tree, turn)


def with_leaves(tree: ExplicitTree, text: str) -> ExplicitTree:
    """The tree with a map on its utilities (of two players: on MAX's) and on its estimates."""
    mapped = leaf_map(text)

    def change(place: int, node: Outline) -> Outline:
        values = tuple(mapped(item) for item in node.values)
        return replace(node, values=values, estimate=tuple(mapped(item) for item in node.estimate))

    return _rebuilt(tree, change)


def leaf_map(text: str) -> LeafMap:
    """The map that a text means: affine:A,B, square, or what each utility becomes."""
    kind, _, rest = text.strip().partition(":")
    if kind == "square" and not rest:
        return lambda item: item * item
    if kind == "affine":
        parts = rest.split(",")
        if len(parts) == 2:
            factor, offset = (number(part.strip(), f"a number of {text!r}") for part in parts)
            return lambda item: factor * item + offset
    pairs: dict[Fraction, Number] = {}
    for part in text.split(","):
        left, equals, right = part.partition("=")
        if not equals:
            raise BadInput(
                f"{text!r} is no map of leaves: write affine:2,1 (2u + 1), square, or what each becomes: 1=1,2=20,3=30"
            )
        pairs[Fraction(number(left.strip(), "a leaf"))] = number(right.strip(), f"what {left.strip()} becomes")

    def listed(item: Number) -> Number:
        if Fraction(item) not in pairs:
            raise BadInput(f"the map {text!r} does not say what the leaf {float(item):g} becomes")
        return pairs[Fraction(item)]

    return listed


def _rebuilt(tree: ExplicitTree, change: Callable[[int, Outline], Outline]) -> ExplicitTree:
    """The tree with every node changed, whoever moves there being said at each."""
    nodes, _ = level_by_level(tree.root)
    made: dict[int, Outline] = {}
    for place in reversed(range(len(nodes))):  # children have higher numbers
        node, first = nodes[place], int(tree.first[place])
        branches = tuple(branch._replace(node=made.pop(first + index)) for index, branch in enumerate(node.branches))
        mover = int(tree.mover[place]) if node.branches else None
        made[place] = change(place, replace(node, branches=branches, player=mover))
    return ExplicitTree(Script(made[0], tree.declared, tree.title), name=tree.name, title=tree.title)
