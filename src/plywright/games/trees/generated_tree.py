"""Random trees to look at: small whole utilities, with dice or with three players if wanted, and estimates.

    generated_tree(branching=3, depth=2, seed=1, ordering="perfect")
    generated_tree(kind="chance"), generated_tree(kind="one-player"), generated_tree(kind="three-players")

Of two players the utilities are those of `RandomTree`, so that every ordering means the same there and
here. An inner node's estimate is the average of the leaves below it, for searches that stop early.
"""

from __future__ import annotations

from math import fsum
from typing import Any

from ...errors import BadInput
from ...rng import below, seeded
from .explicit_tree import ExplicitTree
from .random_tree import ORDERINGS, RandomTree

KINDS = ("two-players", "chance", "one-player", "three-players")
WITH_DICE = ("chance", "one-player")
MOST_NODES = 20_000
LARGEST = 20
"""Utilities are from -20 to 20; where each leaf needs one of its own, as large as that takes."""
EACH = 9
"""Utilities of three players are from 0 to 9."""
TENTHS = 10


def generated_tree(
    branching: int = 3, depth: int = 2, seed: int = 1, ordering: str = "random", kind: str = "two-players"
) -> ExplicitTree:
    """A tree in which every inner node has `branching` ways on; equal arguments give equal trees."""
    if kind not in KINDS:
        raise BadInput(f"a tree is of one of the kinds {', '.join(KINDS)}, not {kind!r}")
    if kind != "two-players" and ordering != "random":
        raise BadInput(f"only trees of two players are ordered {ordering}; of the kind {kind} they are random")
    largest = LARGEST if ordering == "random" else max(LARGEST, branching**depth // 2 + 1)
    leaves = RandomTree(branching, depth, seed, ordering, largest)
    if kind in WITH_DICE and branching > TENTHS:
        raise BadInput(f"dice here have at most {TENTHS} outcomes, not {branching}")
    if (size := sum(branching**level for level in range(depth + 1))) > MOST_NODES:
        raise BadInput(
            f"branching {branching} and depth {depth} make {size:,} nodes, more than {MOST_NODES:,}; lower one of them"
        )
    tree, _ = _Grower(leaves, kind).node(leaves.start_state)
    words = "" if kind == "two-players" else f" with {kind.replace('-', ' ')}"
    order = "" if ordering == "random" else f", {ordering} order"
    name = f"a random tree{words} (branching {branching}, depth {depth}{order}, seed {seed})"
    return ExplicitTree({"tree": tree, "players": ["A", "B", "C"]} if kind == "three-players" else tree, name=name)


class _Grower:
    """From the nodes of a RandomTree to those of an explicit one."""

    def __init__(self, leaves: RandomTree, kind: str) -> None:
        self.leaves, self.kind = leaves, kind
        self.rng = seeded(leaves.seed)

    def node(self, place: Any) -> tuple[Any, list[tuple[float, ...]]]:
        """The tree under a place, and the utilities of its leaves."""
        if self.leaves.is_terminal(place):
            return self.leaf(place)
        below_here, values = [], list[tuple[float, ...]]()
        for action in self.leaves.actions(place):
            child, found = self.node(self.leaves.result(place, action))
            below_here.append(child)
            values += found
        estimate = [round(fsum(column) / len(column)) for column in zip(*values, strict=True)]
        node: dict[str, Any] = {"estimate": estimate if len(estimate) > 1 else estimate[0]}
        if self.kind not in WITH_DICE:
            return node | {"moves": below_here}, values
        if place.ply % 2:
            return node | {"chance": [list(pair) for pair in zip(self.odds(), below_here, strict=True)]}, values
        alone = self.kind == "one-player"
        return node | {"moves": below_here, "player": "MIN" if place.ply % 4 and not alone else "MAX"}, values

    def leaf(self, place: Any) -> tuple[Any, list[tuple[float, ...]]]:
        if self.kind == "three-players":
            utilities = tuple(below(self.rng, EACH + 1) for _ in range(3))
            return {"utility": list(utilities)}, [utilities]
        value = int(self.leaves.utility(place, 0))
        return value, [(value,)]

    def odds(self) -> list[str]:
        """Probabilities in tenths, none of them 0: ten dealt out at random."""
        tenths = [1] * self.leaves.branching
        for _ in range(TENTHS - len(tenths)):
            tenths[below(self.rng, len(tenths))] += 1
        return [f"{share}/{TENTHS}" for share in tenths]


__all__ = ["KINDS", "ORDERINGS", "generated_tree"]
