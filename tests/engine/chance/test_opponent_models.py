"""Opponents who are not perfect: policies in the tree are averages over what they play."""

from __future__ import annotations

from typing import Any

import pytest
from chance_trees import ChanceTree, value_of

from plywright import BadInput, Game, GameError, search
from plywright.engine.chance.modelled_game import Modelled
from plywright.engine.chance.opponent_models import (
    Counts,
    Fixed,
    LevelK,
    Minimax,
    Mixture,
    Policy,
    Quantal,
    Softmax,
    Uniform,
    distribution,
    parse_policy,
)
from plywright.games.trees.explicit_tree import ExplicitTree


def trees(count: int) -> list[tuple[ChanceTree, int, int]]:
    """Trees with the player to move and the other one."""
    found = []
    for seed in range(count):
        tree = ChanceTree(seed, 3 + seed % 3, 2 + seed % 3, chance=0.3 * (seed % 3), fine=True)
        hero = int(tree.to_move(tree.start_state))
        found.append((tree, hero, 1 - hero))
    return found


COMPILED = [
    Uniform(),
    Minimax(1),
    Minimax(2),
    Softmax(2, 0.7),
    Mixture(0.8, Minimax(2), Uniform()),
    Mixture(0.3, Uniform(), Softmax(1, 2)),
    Mixture(0.5, Mixture(0.5, Minimax(1), Uniform()), Uniform()),
    LevelK(0),
]
PLAIN = [LevelK(1, 2), Fixed(lambda state: 0), Mixture(0.5, Minimax(1), Minimax(2)), Counts([], 1)]


@pytest.mark.parametrize("policy", [*COMPILED, *PLAIN], ids=repr)
def test_a_policy_in_the_tree_is_the_average_over_what_it_plays(policy: Policy) -> None:
    for tree, hero, other in trees(6 if policy in PLAIN else 20):
        for depth in (1, 2, 4):
            expected = value_of(tree, tree.start_state, depth, hero, {other: policy})
            found = search(tree, depth=depth, opponents={other: policy})
            assert found.value == pytest.approx(expected, abs=1e-9)
            assert found.algorithm == "expectimax" and found.compiled == (policy.code is not None)
            assert found.value == search(tree, depth=depth, opponents={other: policy}, pruning="none").value


def test_the_same_policies_as_plain_python_give_the_same_values() -> None:
    for policy in COMPILED:
        for tree, _, other in trees(4):
            seen = Modelled(tree, {other: policy})
            assert search(tree, depth=12, opponents={other: policy}).value == pytest.approx(
                search(seen, depth=24, compiled=False).value, abs=1e-9
            )


def test_depth_two_minimax_four_times_in_five() -> None:
    """MIN would take the left leaf of each pair; by chance it takes the other one time in ten."""
    tree = ExplicitTree([[3, 12], [2, 100]])
    slips = Mixture(0.8, Minimax(depth=2), Uniform())
    root = tree.start_state
    assert distribution(slips, tree, tree.result(root, 0)) == pytest.approx({0: 0.9, 1: 0.1})
    best = search(tree, depth=2, compiled=False)
    risky = search(tree, depth=2, opponents={1: slips}, all_actions=True, compiled=False)
    assert (best.action, best.value) == (0, 3)
    assert risky.action == 1 and risky.actions == pytest.approx({0: 3.9, 1: 11.8})


def test_levels_answer_the_level_below() -> None:
    """Against a random MIN the right-hand move is better, against one that answers it is not."""
    tree = ExplicitTree([[[1, 3], [4, 2]], [[9, 0], [0, 0]]])
    first = [LevelK(k, depth=3).probabilities(tree, tree.start_state) for k in range(4)]
    assert first[0] == {0: 0.5, 1: 0.5}
    assert first[1] == {0: 1.0} or first[1] == {1: 1.0}
    values = search(tree, depth=3, opponents={1: Uniform()}, all_actions=True, compiled=False).actions
    assert first[1] == {max(values, key=lambda action: values[action]): 1.0}
    assert first[3] == {int(search(tree, depth=3, compiled=False).action or 0): 1.0}  # the tower has collapsed


def test_each_state_is_asked_once() -> None:
    tree, hero, other = trees(3)[2]
    asked: list[Any] = []

    def rule(state: Any) -> int:
        asked.append(state)
        return 0

    assert hero != other
    search(tree, depth=6, opponents={other: Fixed(rule)})
    assert asked and len(asked) == len(set(asked))


def test_counts_of_recorded_games() -> None:
    tree = ExplicitTree([[3, 12], [2, 100]])
    left, right = tree.result(0, 0), tree.result(0, 1)
    seen = Counts([(left, 0), (left, 0), (left, 1)], smoothing=0)
    assert seen.probabilities(tree, left) == pytest.approx({0: 2 / 3, 1: 1 / 3})
    assert seen.probabilities(tree, right) == {0: 0.5, 1: 0.5}  # never seen
    assert Counts([(left, 0)], smoothing=1).probabilities(tree, left) == pytest.approx({0: 2 / 3, 1: 1 / 3})
    assert Counts([(left, 0)], smoothing=0).probabilities(tree, left) == {0: 1.0}
    assert search(tree, depth=2, opponents={1: seen}).value == pytest.approx(51)
    with pytest.raises(BadInput, match=r"pairs \(state, action\)"):
        Counts([3])  # type: ignore[list-item]


def test_fixed_rules() -> None:
    tree = ExplicitTree([[3, 12], [2, 100]])
    left, right = tree.result(0, 0), tree.result(0, 1)
    assert search(tree, depth=2, opponents={1: Fixed({left: 1, right: {0: 0.5, 1: 0.5}})}).value == pytest.approx(51)
    with pytest.raises(BadInput, match="says nothing of the state"):
        search(tree, depth=2, opponents={1: Fixed({left: 1})})


@pytest.mark.parametrize(
    ("policy", "message"),
    [
        (Fixed(lambda state: 7), "plays 7, which is not legal"),
        (Fixed(lambda state: {0: 0.5, 1: 0.4}), "sum to 0.9, not 1"),
        (Fixed(lambda state: {0: 1.5, 1: -0.5}), "with probability 1.5"),
        (Fixed(lambda state: {0: float("nan")}), "with probability nan"),
        (Fixed(lambda state: 1 // 0), "raised ZeroDivisionError"),
        (Fixed(lambda state: "left"), "plays 'left', which is not legal"),
    ],
)
def test_a_policy_that_makes_no_sense_is_named(policy: Policy, message: str) -> None:
    with pytest.raises(GameError, match=message):
        search(ExplicitTree([[3, 12], [2, 100]]), depth=2, opponents={1: policy})


def test_nonsense_is_refused() -> None:
    tree = ExplicitTree([[3, 12], [2, 100]])
    for make, message in (
        (lambda: Minimax(0), "Minimax needs a depth from 1"),
        (lambda: Softmax(1, -1), "rationality of at least 0"),
        (lambda: Mixture(1.2, Uniform(), Uniform()), "a probability from 0 to 1"),
        (lambda: Mixture(0.5, Uniform(), 3), "made of policies"),  # type: ignore[arg-type]
        (lambda: LevelK(-1), "whole number from 0"),
        (lambda: Fixed(3), "function of a state"),  # type: ignore[arg-type]
        (lambda: search(tree, depth=1, opponents={0: Uniform()}), "player 0 is to move here"),
        (lambda: search(tree, depth=1, opponents={1: "random"}), "needs a policy such as Uniform"),
        (lambda: parse_policy("clever"), "no opponent model; there are uniform"),
        (lambda: parse_policy("mixture:0.8"), "no opponent model"),
    ):
        with pytest.raises(BadInput, match=message):
            make()


def test_policies_as_text() -> None:
    assert repr(parse_policy("uniform")) == "Uniform()"
    assert repr(parse_policy("minimax:3")) == "Minimax(depth=3)"
    assert repr(parse_policy("quantal:2,0.5")) == "Softmax(depth=2, rationality=0.5)"
    assert repr(parse_policy("level:2,3")) == "LevelK(2, depth=3)"
    assert repr(parse_policy("mixture:0.8,2")) == "Mixture(0.8, Minimax(depth=2), Uniform())"
    assert Quantal is Softmax


def test_one_of_several_opponents_may_be_modelled() -> None:
    """Two hunters in one team: one plays at random, the other one as well as it can."""

    class Hunt(Game):
        players = 3
        teams = (0, 1, 1)
        step = 0.1

        def initial(self) -> tuple[int, int]:
            return (0, 0)

        def to_move(self, state: tuple[int, int]) -> int:
            return state[0] % 3

        def actions(self, state: tuple[int, int]) -> Any:
            yield 0
            yield 1

        def result(self, state: tuple[int, int], action: int) -> tuple[int, int]:
            return (state[0] + 1, state[1] * 2 + action)

        def is_terminal(self, state: tuple[int, int]) -> bool:
            return state[0] == 6

        def utility(self, state: tuple[int, int], player: int) -> float:
            value = (state[1] * 37 % 11) / 10 - 0.5
            return value if player == 0 else -value

    game = Hunt()
    for models in ({1: Uniform()}, {2: Uniform()}, {1: Uniform(), 2: Uniform()}, {1: Fixed(lambda s: s[1] % 2)}):
        expected = value_of(game, game.start_state, 6, 0, models)
        found = search(game, depth=6, opponents=models, compiled=False)
        assert found.value == pytest.approx(expected) and found.values == pytest.approx(
            (expected, -expected, -expected)
        )
        assert found.algorithm == ("expectimax" if len(models) == 2 else "expectiminimax")
