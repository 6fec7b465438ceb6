"""One change of a tree as a person makes it by clicking: a value, a branch more or less, who moves, a probability.

    edited(tree, tree.parse_state("a2"), "chance")     # a2's node becomes a chance node with equal probabilities
    edited(tree, tree.parse_state("a1 b2"), "value", "7")

Every edit gives another tree; the first one stays as it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from ...errors import BadInput
from ...game import CHANCE
from ...number import Number, number, probability
from .changes import rebuilt
from .explicit_tree import ExplicitTree
from .outline import Branch, Outline, move_name, player_number

ACTS = {
    "value": "change a leaf's value",
    "add": "add a branch",
    "remove": "remove this node",
    "mover": "who moves here",
    "leaf": "make it a leaf",
    "odds": "its probability",
    "name": "the move's name",
}
"""What can be done to a node, and in words."""


def edited(tree: ExplicitTree, place: int, act: str, given: str = "") -> ExplicitTree:
    """The tree after one change at a node; raises BadInput where it makes no sense there."""
    if act not in ACTS:
        raise BadInput(f"a node can be edited by {', '.join(ACTS)}, not {act!r}")
    above, where = tree.parents[place], tree.format_state(place)
    if act in ("remove", "odds", "name"):
        if place == 0:
            raise BadInput("the root has no move that leads to it: choose another node")
        index = place - int(tree.first[above])
        return rebuilt(tree, lambda n, node: _among(tree, node, index, act, given, where) if n == above else node)
    return rebuilt(tree, lambda n, node: _at(tree, node, n, act, given, where) if n == place else node)


def _at(tree: ExplicitTree, node: Outline, place: int, act: str, given: str, where: str) -> Outline:
    """The node itself after a change."""
    if act == "value":
        if node.branches:
            raise BadInput(f"{where} is no leaf: its value is backed up; make it a leaf first, or choose a leaf")
        return replace(node, values=_values(tree, given, where))
    if act == "leaf":
        if place == 0:
            raise BadInput("the root stays a node with moves: a tree needs at least one")
        return Outline(node.where, values=_values(tree, given or "0", where))
    if act == "mover":
        mover = CHANCE if given.lower() == "chance" else player_number(given, where, _names(tree))
        return _moved_by(_grown(tree, node, place), mover)
    if not node.branches:
        return _grown(tree, node, place)
    values = _values(tree, given, where) if given else _like(node)
    share = Fraction(1, len(node.branches) + 1)
    kept = [_thinned(branch, 1 - share) for branch in node.branches]
    return replace(node, branches=(*kept, Branch("", share if node.is_chance else None, Outline(where, values=values))))


def _thinned(branch: Branch, factor: Number) -> Branch:
    return branch if branch.chance is None else branch._replace(chance=Fraction(branch.chance) * Fraction(factor))


def _grown(tree: ExplicitTree, node: Outline, place: int) -> Outline:
    """A node with moves; a leaf gets two, worth what it was worth, for the player whose turn it would be."""
    if node.branches:
        return node
    leaf = Outline(node.where, values=node.values)
    above = tree.parents[place]
    mover = int(tree.mover[above])
    after = 0 if mover == CHANCE else (mover + 1) % max(tree.players, 2 if not tree.declared else 1)
    return Outline(node.where, player=after, branches=(Branch("", None, leaf), Branch("", None, leaf)))


def _moved_by(node: Outline, mover: int) -> Outline:
    if mover != CHANCE:
        return replace(node, player=mover, branches=tuple(branch._replace(chance=None) for branch in node.branches))
    if node.is_chance:
        return node
    share = Fraction(1, len(node.branches))
    return replace(node, player=CHANCE, branches=tuple(branch._replace(chance=share) for branch in node.branches))


def _among(tree: ExplicitTree, node: Outline, index: int, act: str, given: str, where: str) -> Outline:
    """The node above after a change of one of its branches."""
    branch = node.branches[index]
    rest = [other for number, other in enumerate(node.branches) if number != index]
    if act == "name":
        branches = [*node.branches]
        branches[index] = branch._replace(name=move_name(given, where))
        if sum(other.name.lower() == branches[index].name.lower() for other in branches) > 1:
            raise BadInput(f"another move of this node is called {given!r} already")
        return replace(node, branches=tuple(branches))
    if act == "odds":
        if not node.is_chance:
            raise BadInput(f"not chance leads to {where}: make the node above it a chance node first")
        wanted = probability(given, "a probability")
        scaled = _rescaled(rest, 1 - Fraction(wanted))
        scaled.insert(index, branch._replace(chance=wanted))
        return replace(node, branches=tuple(scaled))
    if not rest and tree.parents[tree.parse_state(where)] == 0:
        raise BadInput("this is the last move of the root, and a tree needs at least one")
    if not rest:
        return Outline(node.where, values=_like(node))
    return replace(node, branches=tuple(_rescaled(rest, Fraction(1)) if node.is_chance else rest))


def _rescaled(branches: Sequence[Branch], total: Fraction) -> list[Branch]:
    """Probabilities that add up to `total`, in the proportion that they had."""
    before = sum(Fraction(branch.chance or 0) for branch in branches)
    if not before:
        return [branch._replace(chance=total / len(branches)) for branch in branches]
    return [branch._replace(chance=Fraction(branch.chance or 0) * total / before) for branch in branches]


def _like(node: Outline) -> tuple[Number, ...]:
    """A value such as a new leaf below a node has: 0 for every player that the tree's leaves count."""
    while node.branches:
        node = node.branches[0].node
    return tuple(0 for _ in node.values)


def _values(tree: ExplicitTree, given: str, where: str) -> tuple[Number, ...]:
    """One number, or one for each player with commas between."""
    parts = [part.strip() for part in given.strip().strip("<>()").split(",")]
    wanted = len(_like(tree.root))
    if len(parts) == 1 and parts[0] == "0":
        parts = ["0"] * wanted
    if len(parts) != wanted or not all(parts):
        much = "one number" if wanted == 1 else f"{wanted} numbers with commas between, one for each player"
        raise BadInput(f"the value of {where} is {much}, not {given!r}")
    return tuple(number(part, f"the value of {where}") for part in parts)


def _names(tree: ExplicitTree) -> tuple[str, ...]:
    """The players who may move: MIN too, where so far only MAX and chance do."""
    return tree.player_names if tree.declared or tree.players > 1 else ("MAX", "MIN")
