"""The same tree with one thing changed: MIN's nodes as chance nodes, or a map on the leaves.

    turned(tree)                          # "optimal against a perfect player; otherwise?"
    turned(tree, "chance:0.9,0.1")        # an opponent with habits: each of its nodes has these probabilities
    turned(tree, "model:0.8")             # one who plays best with 0.8, and at random otherwise
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
from typing import NamedTuple

from ...errors import BadInput
from ...game import CHANCE
from ...number import Number, check_sum, number, probability
from .backward import solved
from .explicit_tree import ExplicitTree, level_by_level
from .outline import Branch, Outline, Script

MIN = 1
MIN_AS = ("min", "chance", "uniform", "chance:P,P,...", "model:P")
"""Who moves at MIN's nodes: MIN, somebody who moves at random (two words for it), somebody with given probabilities, or
somebody who plays best with probability P and at random otherwise."""

LeafMap = Callable[[Number], Number]


def changed(tree: ExplicitTree, *, min_as: str = "min", leaves: str = "") -> ExplicitTree:
    """The tree with what is asked for changed; itself where nothing is."""
    opponent = Opponent.read(min_as)
    if leaves:
        tree = with_leaves(tree, leaves)
    return turned(tree, min_as) if opponent is not None else tree


class Opponent(NamedTuple):
    """Who moves at MIN's nodes instead: `odds` of the moves in their order (none: all equal), and how often the best
    move is made whatever they are."""

    odds: tuple[Number, ...] = ()
    best: Number = 0

    @classmethod
    def read(cls, text: str) -> Opponent | None:
        """What a text such as `chance` or `model:0.8` means; None is MIN itself."""
        kind, colon, rest = text.strip().partition(":")
        if kind == "min" and not colon:
            return None
        if kind in ("chance", "uniform") and not colon:
            return cls()
        if kind == "chance":
            odds = tuple(probability(part.strip(), "a probability") for part in rest.split(","))
            check_sum(list(odds))
            return cls(odds)
        if kind == "model":
            return cls(best=probability(rest.strip(), "how often the opponent plays best"))
        raise BadInput(f"MIN's nodes may be taken as {', '.join(MIN_AS)}, not {text!r}")

    def shares(self, count: int, best: int, where: str) -> list[Number]:
        """The probability of each of `count` moves, of which number `best` is MIN's choice."""
        if self.odds and len(self.odds) != count:
            raise BadInput(f"{where} has {count} moves, and {len(self.odds)} probabilities are given for MIN's nodes")
        if self.odds:
            return list(self.odds)
        often = Fraction(self.best)
        return [(1 - often) / count + (often if move == best else 0) for move in range(count)]


def turned(tree: ExplicitTree, min_as: str = "chance") -> ExplicitTree:
    """The tree in which MIN's nodes are chance nodes: an opponent who moves at random, has habits, or errs."""
    opponent = Opponent.read(min_as)
    if opponent is None:
        return tree
    if tree.players > 2 or not any(
        mover == MIN and ways for mover, ways in zip(tree.mover.tolist(), tree.count.tolist(), strict=True)
    ):
        raise BadInput(f"{tree.name} has no MIN nodes that could be taken as chance nodes")
    _, choice = solved(tree)

    def turn(place: int, node: Outline) -> Outline:
        if int(tree.mover[place]) != MIN or not node.branches:
            return node
        first = int(tree.first[place])
        shares = opponent.shares(len(node.branches), int(choice[place]) - first, tree.format_state(place))
        named = (
            Branch(tree.moves[first + index], shares[index], branch.node) for index, branch in enumerate(node.branches)
        )
        return replace(node, player=CHANCE, branches=tuple(named))

    return rebuilt(tree, turn)


class Decision(NamedTuple):
    """What a player chooses at a node of two trees that differ in one thing."""

    path: str
    before: str
    worth_before: tuple[float, ...]
    after: str
    worth_after: tuple[float, ...]

    @property
    def differs(self) -> bool:
        return self.before != self.after


def decisions(before: ExplicitTree, after: ExplicitTree) -> list[Decision]:
    """The choices in both trees wherever somebody chooses in both, from the root on; they have the same moves."""
    (worth, choice), (other_worth, other_choice) = solved(before), solved(after)
    return [
        Decision(
            before.format_state(place),
            before.moves[int(choice[place])],
            tuple(worth[place].tolist()),
            after.moves[int(other_choice[place])],
            tuple(other_worth[place].tolist()),
        )
        for place in range(len(before.parents))
        if choice[place] >= 0 and other_choice[place] >= 0
    ]


def with_leaves(tree: ExplicitTree, text: str) -> ExplicitTree:
    """The tree with a map on its utilities (of two players: on MAX's) and on its estimates."""
    mapped = leaf_map(text)

    def change(place: int, node: Outline) -> Outline:
        values = tuple(mapped(item) for item in node.values)
        return replace(node, values=values, estimate=tuple(mapped(item) for item in node.estimate))

    return rebuilt(tree, change)


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
        leaf = Fraction(number(left.strip(), "a leaf"))
        if leaf in pairs:
            raise BadInput(f"the map {text!r} says twice what the leaf {left.strip()} becomes")
        pairs[leaf] = number(right.strip(), f"what {left.strip()} becomes")

    def listed(item: Number) -> Number:
        if Fraction(item) not in pairs:
            raise BadInput(f"the map {text!r} does not say what the leaf {float(item):g} becomes")
        return pairs[Fraction(item)]

    return listed


def rebuilt(tree: ExplicitTree, change: Callable[[int, Outline], Outline]) -> ExplicitTree:
    """The tree with every node changed, whoever moves there being said at each."""
    nodes, _ = level_by_level(tree.root)
    made: dict[int, Outline] = {}
    for place in reversed(range(len(nodes))):  # children have higher numbers
        node, first = nodes[place], int(tree.first[place])
        branches = tuple(branch._replace(node=made.pop(first + index)) for index, branch in enumerate(node.branches))
        mover = int(tree.mover[place]) if node.branches else None
        made[place] = change(place, replace(node, branches=branches, player=mover))
    return ExplicitTree(Script(made[0], tree.declared, tree.title), name=tree.name, title=tree.title)
