"""Max^n, paranoid and best-reply search: vectors, ties, and what each assumes of the others."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from chance_trees import ThreeTree, value_of, vector_of

from plywright import BadInput, Game, GameError, Unsuitable, load_game, search
from plywright.engine.chance.opponent_models import Uniform
from plywright.games.trees.explicit_tree import ExplicitTree
from plywright.textbook import run


class Vectors(Game):
    """A binary tree of three players in turn over a list of vectors."""

    players = 3
    utility_range = (0, 10)
    runtime = ("payoff", "levels")

    def __init__(self, vectors: list[tuple[float, ...]]) -> None:
        self.payoff = np.array(vectors, float)
        self.levels = int(math.log2(len(vectors)))
        self.__dict__["_smoke_tested"] = True

    def initial(self) -> tuple[int, int]:
        return (0, 0)

    def to_move(self, state: tuple[int, int]) -> int:
        return state[0] % self.players

    def actions(self, state: tuple[int, int]) -> Any:
        if state[0] < self.levels:
            yield 0
            yield 1

    def result(self, state: tuple[int, int], action: int) -> tuple[int, int]:
        return (state[0] + 1, 2 * state[1] + action)

    def is_terminal(self, state: tuple[int, int]) -> bool:
        return state[0] == self.levels

    def utility(self, state: tuple[int, int], player: int) -> float:
        return self.payoff[state[1], player]


THREE_PLAYERS = [(1, 2, 6), (4, 2, 3), (6, 1, 2), (7, 4, 1), (5, 1, 1), (1, 5, 2), (7, 7, 1), (5, 4, 5)]


def test_three_players_and_the_tie_at_the_root() -> None:
    """The root is worth (1, 2, 6), and A gets 1 either way."""
    game = Vectors(THREE_PLAYERS)
    found = search(game, depth=3, compiled=False)
    assert found.algorithm == "maxn" and found.proved
    assert found.values == (1, 2, 6) and found.value == 1 and found.line == (0, 0, 0)
    assert found.tied == (0, 1)
    backed_up = [search(game, (2, n), depth=1, compiled=False).values for n in range(4)]
    assert backed_up == [(1, 2, 6), (6, 1, 2), (1, 5, 2), (5, 4, 5)]
    assert [search(game, (1, n), depth=2, compiled=False).values for n in range(2)] == [(1, 2, 6), (1, 5, 2)]


def test_max_n_is_its_definition_with_and_without_pruning() -> None:
    pruned = 0
    for seed in range(60):
        chance = 0.3 * (seed % 3)
        tree = ThreeTree(seed, 3 + seed % 3, 2 + seed % 3, chance=chance)
        free = ThreeTree(seed, 3 + seed % 3, 2 + seed % 3, chance=chance, bounded=False)
        for depth in (1, 2, 9):
            expected = vector_of(tree, tree.start_state, depth)
            found = search(tree, depth=depth)
            every = search(tree, depth=depth, all_actions=True)
            whole = search(free, depth=depth)
            assert found.values == pytest.approx(expected, abs=1e-9) and found.compiled
            assert found.values == every.values == whole.values and found.tied == every.tied == whole.tied
            assert every.value == max(every.actions.values())
            pruned += found.nodes < whole.nodes
    assert pruned > 10


def test_paranoid_is_everybody_against_the_mover() -> None:
    for seed in range(30):
        tree = ThreeTree(seed, 4, 3, chance=0.2 * (seed % 3))
        hero = int(tree.to_move(tree.start_state))
        found = search(tree, depth=4, algorithm="paranoid")
        assert found.value == pytest.approx(value_of(tree, tree.start_state, 4, hero), abs=1e-9)
        assert found.values[hero] == found.value
        if tree.has_chance and seed % 3:  # averages are known of the hero alone
            assert all(math.isnan(value) for player, value in enumerate(found.values) if player != hero)


@pytest.mark.parametrize("algorithm", ["paranoid", "best-reply"])
def test_without_chance_the_whole_vector_at_the_end_of_the_line_is_reported(algorithm: str) -> None:
    game = load_game("three-players")
    found = search(game, depth=3, algorithm=algorithm, compiled=False)
    assert found.values == run(algorithm, game).values == (1, 2, 6)
    model = search(game, depth=3, algorithm="paranoid", opponents={1: Uniform()}, compiled=False)
    assert [math.isnan(value) for value in model.values] == [False, True, True]


def test_one_opponent_replies_freely_also_where_the_hero_has_moved_or_not_yet_moved() -> None:
    game = load_game("three-players")
    every = search(game, depth=3, algorithm="best-reply", all_actions=True, compiled=False)
    assert every.actions == {0: 1, 1: 1}
    tree = ExplicitTree("players(A, B, C) (1/2: B(<1, 0, 0>, <0, 1, 0>), 1/2: <1, 1, 1>)")
    assert search(tree, depth=2, algorithm="best-reply", compiled=False).value == run("best-reply", tree).value == 0.5


def test_best_reply_proves_nothing_where_it_left_moves_out() -> None:
    twice = ExplicitTree("players(A, B) A(B(B(<2, -2>, <-2, 2>), B(<1, -1>, <3, -3>)))")  # two moves of B in a row
    once = ExplicitTree("players(A, B) A(B(A(<2, -2>, <-2, 2>), <1, -1>))")
    for tree, proved in ((twice, False), (once, True)):
        for found in (search(tree, depth=9, algorithm="best-reply", compiled=False), run("best-reply", tree)):
            assert found.proved is proved and found.bound == ("exact" if proved else "heuristic")
    assert search(twice, depth=9, compiled=False).value == -2


def test_a_policy_stands_for_others_only() -> None:
    with pytest.raises(BadInput, match="player 0 is to move here"):
        search(load_game("three-players"), depth=2, algorithm="maxn", opponents={0: Uniform()})


def test_without_an_evaluation_a_state_counts_as_something_that_is_possible() -> None:
    class Dear(Game):
        """One player, two steps, at least 5."""

        players = 1
        utility_range = (5, 9)

        def initial(self) -> int:
            return 0

        def to_move(self, state: int) -> int:
            return 0

        def actions(self, state: int) -> Any:
            if state < 2:
                yield 1

        def result(self, state: int, action: int) -> int:
            return state + action

        def utility(self, state: int, player: int) -> float:
            return 9

    assert search(Dear(), depth=1, compiled=False).value == 5
    assert search(Dear(), depth=2, compiled=False).value == 9
    assert search(load_game("order-preserving"), compiled=False).value == pytest.approx(2.1)
    assert search(load_game("three-players"), depth=1, algorithm="paranoid", compiled=False).values == (1, 1, 1)


def best_reply(game: Game, state: Any, depth: int, hero: int, choice: bool = True) -> float:
    """Of the opponents between two moves of the hero one chooses; the others play what looks best to them."""
    if game.is_terminal(state):
        return float(game.utility(state, hero))
    if depth == 0:
        return float(game.evaluate(state, hero))
    mover = int(game.to_move(state))
    children = [game.result(state, action) for action in game.actions(state)]
    if mover == -1:
        return math.fsum(
            p * best_reply(game, game.result(state, o), depth, hero, choice) for o, p in game.chance(state)
        )
    if mover == hero:
        return max(best_reply(game, child, depth - 1, hero, True) for child in children)

    def looks(child: Any) -> float:
        rule = game.utility if game.is_terminal(child) else game.evaluate
        return float(rule(child, mover))

    usual = max(children, key=looks)
    answers = [best_reply(game, usual, depth - 1, hero, choice)]
    if choice:
        answers += [best_reply(game, child, depth - 1, hero, False) for child in children]
    return min(answers)


def test_best_reply_lets_one_opponent_choose() -> None:
    differs = 0
    for seed in range(40):
        tree = ThreeTree(seed, 5, 3, chance=0.2 * (seed % 3))
        hero = int(tree.to_move(tree.start_state))
        for depth in (2, 5):
            expected = best_reply(tree, tree.start_state, depth, hero)
            for pruning in ("none", "star2"):
                found = search(tree, depth=depth, algorithm="best-reply", pruning=pruning)
                assert found.value == pytest.approx(expected, abs=1e-9)
            differs += found.value > search(tree, depth=depth, algorithm="paranoid").value
    assert differs > 0


def test_partners_and_single_players_are_cases() -> None:
    together = Vectors([(a, a, a) for a in (3, 1, 4, 1, 5, 9, 2, 6)])
    assert search(together, depth=3, compiled=False).values == (9, 9, 9)

    class Alone(Vectors):
        players = 1

    alone = Alone([(a,) for a in (3, 1, 4, 1)])
    assert search(alone, depth=2, compiled=False).algorithm == "expectimax"
    assert search(alone, depth=2, compiled=False, algorithm="maxn").values == (4,)
    assert search(alone, depth=2, compiled=False).values == (4,)

    class Pair(Vectors):
        players = 2
        zero_sum = False

    dilemma = Pair([(3, 3), (0, 5), (5, 0), (1, 1)])
    found = search(dilemma, depth=2, compiled=False)
    assert found.algorithm == "maxn" and found.values == (1, 1) and found.action == 1


def test_a_modelled_player_among_three() -> None:
    game = Vectors(THREE_PLAYERS)
    found = search(game, depth=3, opponents={2: Uniform()}, compiled=False)
    assert found.algorithm == "maxn"
    # C's pairs average (2.5, 2, 4.5), (6.5, 2.5, 1.5) on the left and (3, 3, 1.5), (6, 5.5, 3) on the right.
    assert found.values == pytest.approx((6.5, 2.5, 1.5))
    both = search(game, depth=3, opponents={1: Uniform(), 2: Uniform()}, compiled=False)
    assert both.algorithm == "expectimax" and both.value == pytest.approx(4.5)


def test_what_cannot_be_searched_is_refused() -> None:
    game = Vectors(THREE_PLAYERS)
    with pytest.raises(Unsuitable, match="needs maxn"):
        search(game, depth=2, algorithm="expectimax")
    with pytest.raises(Unsuitable, match="maxn does not"):
        search(game, depth=2, algorithm="alphabeta")
    broken = Vectors([(1, 2, math.nan), *THREE_PLAYERS[1:]])
    with pytest.raises(GameError, match="not a number"):
        search(broken, depth=3, compiled=False)


def test_the_textbook_says_the_same() -> None:
    for seed in range(30):
        tree = ThreeTree(seed, 4, 3, chance=0.2 * (seed % 3))
        hero = int(tree.to_move(tree.start_state))
        assert search(tree, depth=9).values == pytest.approx(run("maxn", tree, trace=False).values, abs=1e-9)
        textbook = run("paranoid", tree, trace=False)
        assert search(tree, depth=9, algorithm="paranoid").value == pytest.approx(textbook.values[hero], abs=1e-9)
