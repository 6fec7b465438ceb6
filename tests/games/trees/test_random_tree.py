"""Random trees: the orderings do what they promise, exactly, and all share one compilation."""

from __future__ import annotations

from statistics import mean

import pytest

from plywright import BadInput, load_game, search
from plywright.engine.alphabeta.leaf_counts import fewest_leaves, growth, leaves_examined, ordering_curves
from plywright.games.trees.random_tree import ORDERINGS, Place, RandomTree

SHAPES = [(1, 1), (1, 7), (2, 1), (2, 9), (3, 6), (4, 5), (7, 4), (35, 3)]


def leaves(tree: RandomTree) -> list[float]:
    states = [tree.start_state]
    for _ in range(tree.depth):
        states = [tree.result(state, action) for state in states for action in tree.actions(state)]
    return [tree.utility(state, 0) for state in states]


@pytest.mark.parametrize(("branching", "depth"), SHAPES)
def test_fact_1_7_perfect_order_examines_the_fewest_leaves(branching: int, depth: int) -> None:
    for seed in (1, 2):
        found = leaves_examined(RandomTree(branching, depth, seed, "perfect"), depth)
        assert found == branching ** -(-depth // 2) + branching ** (depth // 2) - 1 == fewest_leaves(branching, depth)


def test_fact_1_7_chess_like_numbers() -> None:
    assert leaves_examined(RandomTree(35, 8, 1, "perfect"), 8) == 3_001_249


@pytest.mark.parametrize(("branching", "depth"), SHAPES)
def test_fact_1_7_worst_order_examines_every_leaf(branching: int, depth: int) -> None:
    for seed in (1, 2):
        assert leaves_examined(RandomTree(branching, depth, seed, "worst"), depth) == branching**depth


@pytest.mark.parametrize(("branching", "depth"), [(3, 14), (4, 12), (5, 11)])
def test_fact_1_7_random_order_grows_as_pearl_says(branching: int, depth: int) -> None:
    curves = ordering_curves(branching, (depth - 4, depth), range(1, 21))
    assert growth(curves["random"], branching) == pytest.approx(0.70, abs=0.05)
    assert growth(curves["perfect"], branching) == pytest.approx(0.5, abs=0.02)
    assert curves["perfect"][depth] < curves["random"][depth] < curves["worst"][depth] == branching**depth


def test_leaves_are_counted_at_the_depth_limit_too() -> None:
    tree = RandomTree(3, 6, 1, "worst")
    assert leaves_examined(tree, 6, tree.parse_state("1 2")) == 3**4
    assert leaves_examined(tree, 1) == 3, "states evaluated at the limit count"
    for depth in (0, 513, 2.5):
        with pytest.raises(BadInput, match="depth must be a whole number from 1 to 512"):
            leaves_examined(tree, depth)  # type: ignore[arg-type]


@pytest.mark.parametrize("ordering", ORDERINGS)
def test_values_are_whole_true_to_the_range_and_those_of_the_seed(ordering: str) -> None:
    tree, again, other = (RandomTree(3, 5, seed, ordering) for seed in (4, 4, 5))
    values = leaves(tree)
    low, high = tree.utility_range
    assert low == -high
    assert all(low <= value <= high and value == int(value) for value in values)
    assert values == leaves(again) and values != leaves(other)
    assert all(tree.utility(Place(5, 7, 7), player) == sign * tree.utility(Place(5, 7, 7), 0)
               for player, sign in ((0, 1), (1, -1)))  # fmt: skip


def test_random_values_fill_their_range_evenly() -> None:
    values = leaves(RandomTree(6, 5, 3, largest=100))
    assert {min(values), max(values)} == {-100, 100}
    assert abs(mean(values)) < 3
    assert abs(mean(value > 0 for value in values) - 100 / 201) < 0.02


def test_ordered_values_are_all_different() -> None:
    for ordering in ("perfect", "worst"):
        values = leaves(RandomTree(3, 5, 1, ordering, largest=121))
        assert sorted(values) == list(range(-121, 122))


def test_compiled_values_are_the_plain_ones() -> None:
    for ordering in ORDERINGS:
        tree = RandomTree(4, 4, 9, ordering)
        native, plain = (
            search(tree, depth=4, algorithm="alphabeta"),
            search(tree, depth=4, algorithm="alphabeta", compiled=False),
        )
        assert native.compiled and not plain.compiled
        assert (native.value, native.line, native.nodes) == (plain.value, plain.line, plain.nodes)
    large = RandomTree(35, 8, 3, "random")
    state = large.play_moves(large.start_state, "35 1 17 2 9 30 4")
    assert search(large, state, depth=1, algorithm="alphabeta").value == max(
        -large.utility(large.result(state, a), 0) for a in large.actions(state)
    )


def test_all_random_trees_share_one_compilation(compilations: list[str]) -> None:
    trees = [RandomTree(b, d, seed, o) for b in (2, 3, 9) for d in (1, 4) for seed in (1, -5, 2**70) for o in ORDERINGS]
    assert len({tree.fingerprint for tree in trees}) == 1
    assert all(search(tree, depth=5, algorithm="alphabeta").compiled for tree in trees)
    assert len(compilations) <= 1


def test_states_round_trip_as_text() -> None:
    tree = load_game("random-tree:branching=12,depth=3,seed=2,ordering=worst")
    assert tree.format_state(tree.start_state) == "root"
    for text in ("root", "1", "12 3", "7 11 2"):
        assert tree.format_state(tree.parse_state(text)) == text
    with pytest.raises(BadInput, match="move 2: '13' is not a legal move"):
        tree.parse_state("1 13")
    assert "7 MIN <" in tree.picture(tree.parse_state("7")).text


@pytest.mark.parametrize(
    ("parameters", "sentence"),
    [
        ({"branching": 0}, "branching must be 1 to 256, not 0"),
        ({"branching": 300}, "branching must be 1 to 256"),
        ({"depth": 0}, "depth must be 1 to 256"),
        ({"branching": 10, "depth": 16}, "at most 2^51 leaves"),
        ({"branching": 2.5}, "branching must be a whole number, not 2.5"),
        ({"seed": "x"}, "seed must be a whole number, not 'x'"),
        ({"ordering": "best"}, "ordering must be random, perfect, worst, not 'best'"),
        ({"largest": 0}, "largest must be a whole number from 1"),
        ({"ordering": "perfect", "largest": 10}, "largest must be at least 40, not 10"),
    ],
)
def test_nonsense_parameters_are_refused(parameters: dict[str, object], sentence: str) -> None:
    with pytest.raises(BadInput) as refusal:
        RandomTree(**parameters)  # type: ignore[arg-type]
    assert sentence in str(refusal.value)
