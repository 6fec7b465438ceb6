"""Trees changed by clicking: every edit, what is refused, and a text that reads back as the same tree."""

from __future__ import annotations

import numpy as np
import pytest

from plywright.errors import BadInput
from plywright.games.trees.changes import changed, decisions
from plywright.games.trees.edits import edited
from plywright.games.trees.explicit_tree import FIGURES, ExplicitTree
from plywright.games.trees.generated_tree import KINDS, generated_tree
from plywright.games.trees.writing import written

TWO = ExplicitTree.figure("figure-6.2")


def same(one: ExplicitTree, other: ExplicitTree) -> bool:
    arrays = ("mover", "count", "payoff", "estimate", "likely")
    return one.moves == other.moves and all(
        np.array_equal(
            np.where(one.count[:, None] > 0, 0, getattr(one, name)),
            np.where(other.count[:, None] > 0, 0, getattr(other, name)),
        )
        if name == "payoff"
        else np.array_equal(
            getattr(one, name)[one.count > 0] if name == "mover" else getattr(one, name),
            getattr(other, name)[other.count > 0] if name == "mover" else getattr(other, name),
        )
        for name in arrays
    )


@pytest.mark.parametrize("name", FIGURES)
def test_a_written_figure_is_read_as_the_same_tree(name: str) -> None:
    tree = ExplicitTree.figure(name)
    assert same(ExplicitTree(written(tree)), tree)


@pytest.mark.parametrize("kind", KINDS)
def test_a_written_tree_that_grew_is_the_same(kind: str) -> None:
    tree = generated_tree(3, 3, 5, "random", kind)
    assert same(ExplicitTree(written(tree)), tree)
    names = ExplicitTree('players(Anna, Ben) Anna("go on": 3, stop: Ben~1(2, 1/3, 0.25))')
    assert same(ExplicitTree(written(names)), names) and "1/3" in written(names)


def after(place: str, act: str, given: str = "", tree: ExplicitTree = TWO) -> str:
    return written(edited(tree, tree.parse_state(place), act, given))


def test_every_edit() -> None:
    assert "min(b1: 7, b2: 12" in after("a1 b1", "value", "7")
    assert "min(c1: 2, c2: 4, c3: 6, 0)" in after("a2", "add")
    assert "min(c1: 2, c2: 4, c3: 6, -5)" in after("a2", "add", "-5")
    assert "a1: min(b1: max(3, 3)," in after("a1 b1", "add"), "a leaf that is added to becomes a node"
    assert "min(c1: 2, c3: 6)" in after("a2 c2", "remove") and "a2" not in after("a2", "remove")
    assert "a2: chance(c1 1/3: 2, c2 1/3: 4, c3 1/3: 6)" in (dice := after("a2", "mover", "chance"))
    assert "a2: max(c1: 2" in after("a2", "mover", "MAX", ExplicitTree(dice)), "probabilities go with the dice"
    assert "a2: chance(c1 0.5: 2, c2 0.25: 4, c3 0.25: 6)" in after("a2 c1", "odds", "1/2", ExplicitTree(dice))
    assert "chance(c1 0.5: 2, c3 0.5: 6)" in after("a2 c2", "remove", tree=ExplicitTree(dice))
    assert "chance(c1 0.25: 2, c2 0.25: 4, c3 0.25: 6, 0.25: 0)" in after("a2", "add", tree=ExplicitTree(dice))
    assert "a2: 4.5," in after("a2", "leaf", "4.5") and "up: min(" in after("a1", "name", "up")
    three = ExplicitTree.figure("three-players")
    assert "<9, 9, 9>" in after("a1 b1 c1", "value", "9, 9, 9", three)
    assert written(TWO) == written(ExplicitTree.figure("figure-6.2")), "the tree itself is as it was"


@pytest.mark.parametrize(
    ("place", "act", "given", "why"),
    [
        ("a1", "value", "3", "is no leaf"), ("a1 b1", "value", "x", "must be a number"),
        ("a1 b1", "value", "1, 2", "one number"), ("root", "remove", "", "no move that leads to it"),
        ("root", "leaf", "1", "at least one"), ("a1 b1", "odds", "0.5", "not chance leads"),
        ("a1", "mover", "Otto", "unknown player"), ("a1", "name", "a2", "already"), ("a1", "paint", "", "not 'paint'"),
        ("a1 b1", "value", "inf", "must be a number"),
    ],
)  # fmt: skip
def test_what_makes_no_sense_is_said(place: str, act: str, given: str, why: str) -> None:
    with pytest.raises(BadInput, match=why):
        after(place, act, given)


def test_the_last_move_of_the_root_stays_and_that_of_a_node_leaves_a_leaf() -> None:
    small = ExplicitTree("max(a: min(b: 3))")
    with pytest.raises(BadInput, match="last move of the root"):
        after("a", "remove", tree=small)
    assert after("a b", "remove", tree=small) == "max(a: 0)"


def test_an_opponent_who_errs_and_one_with_habits() -> None:
    """0.8 best and random otherwise: 9 with 0.9 and 100 with 0.1 are worth 18.1."""
    tree = ExplicitTree.figure("otherwise")
    (found,) = decisions(tree, changed(tree, min_as="model:0.8"))
    assert (found.before, found.after) == ("left", "right") and found.worth_after == pytest.approx((18.1,))
    assert found.differs and found.worth_before[0] == 10
    (found,) = decisions(tree, changed(tree, min_as="chance:0.99,0.01"))
    assert found.after == "left" and found.worth_after == pytest.approx((10,)), "9.91 on the right"
    (found,) = decisions(tree, changed(tree, min_as="model:1"))
    assert not found.differs, "who always plays best is MIN"
    for text, why in (
        ("chance:1", "2 moves"),
        ("chance:0.5,0.6", "sum|1.1"),
        ("model:2", "0 to 1|between"),
        ("dice", "may be taken"),
    ):
        with pytest.raises(BadInput, match=why):
            changed(tree, min_as=text)


def test_a_map_on_the_leaves_says_which_decisions_change() -> None:
    tree = ExplicitTree.figure("order-preserving")
    (found,) = decisions(tree, changed(tree, leaves="1=1,2=20,3=30,4=400"))
    assert found.differs and found.worth_after == pytest.approx((40.9,))
    (found,) = decisions(tree, changed(tree, leaves="affine:2,1"))
    assert not found.differs
