"""Generated trees: seeded, of the shape asked for, ordered as random trees are."""

from __future__ import annotations

import numpy as np
import pytest

from plywright.errors import BadInput
from plywright.game import CHANCE
from plywright.games.trees.generated_tree import LARGEST, generated_tree
from plywright.textbook import run


def test_equal_seeds_give_equal_trees_and_other_seeds_others() -> None:
    for kind in ("two-players", "chance", "three-players"):
        one, same, other = (generated_tree(2, 3, seed, kind=kind) for seed in (5, 5, 6))
        assert np.array_equal(one.payoff, same.payoff) and np.array_equal(one.likely, same.likely)
        assert not np.array_equal(one.payoff, other.payoff)


@pytest.mark.parametrize(("branching", "depth"), [(2, 3), (3, 2), (3, 4), (4, 3)])
def test_perfect_order_looks_at_the_fewest_leaves_and_worst_order_at_all(branching: int, depth: int) -> None:
    fewest = branching ** -(-depth // 2) + branching ** (depth // 2) - 1
    for ordering, leaves in (("perfect", fewest), ("worst", branching**depth)):
        trace = run("alphabeta", generated_tree(branching, depth, 3, ordering)).trace
        assert trace is not None and len(trace.examined) == leaves


def test_utilities_are_small_and_estimates_are_averages_of_leaves() -> None:
    tree = generated_tree(3, 4, 2)
    leaves = tree.payoff[tree.count == 0, 0]
    assert np.abs(leaves).max() <= LARGEST and np.all(leaves == np.round(leaves))
    assert tree.evaluate(0, 0) == round(leaves.mean())


def test_dice_are_in_tenths_between_the_players() -> None:
    tree = generated_tree(3, 4, 1, kind="chance")
    assert [int(tree.mover[state]) for state in (0, 1, 4)] == [0, CHANCE, 1]
    for state in np.flatnonzero(tree.mover == CHANCE):
        if tree.count[state]:
            odds = [p for _, p in tree.chance(int(state))]
            assert sum(odds) == pytest.approx(1) and all(round(10 * p, 9) == round(10 * p) >= 1 for p in odds)


def test_what_makes_no_sense_is_refused() -> None:
    for options in ({"kind": "x"}, {"kind": "chance", "ordering": "worst"}, {"kind": "chance", "branching": 11},
                    {"branching": 9, "depth": 9}, {"ordering": "x"}):  # fmt: skip
        with pytest.raises(BadInput):
            generated_tree(**options)  # type: ignore[arg-type]
