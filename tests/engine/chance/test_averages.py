"""Averages over outcomes in small games that are worked out by hand: utilities, risk, outcomes drawn as a sample."""

from __future__ import annotations

from typing import Any

import pytest
from chance_trees import Hog, trees, value_of

from plywright import CHANCE, BadInput, Game, load_game, search
from plywright.rng import below
from plywright.utility import utility_function


class Lotteries(Game):
    """One player chooses between lotteries; each is a tuple of (probability, prize) pairs in `odds` and `prizes`."""

    players = 1
    runtime = ("odds", "prizes")
    utility_range = (-1000, 1000)
    step = 1

    def __init__(self, *lotteries: list[tuple[float, float]]) -> None:
        import numpy as np

        size = max(len(lottery) for lottery in lotteries)
        self.odds = np.zeros((len(lotteries), size))
        self.prizes = np.zeros((len(lotteries), size))
        for row, lottery in enumerate(lotteries):
            for place, (probability, prize) in enumerate(lottery):
                self.odds[row, place], self.prizes[row, place] = probability, prize
        self.__dict__["_smoke_tested"] = True

    def initial(self) -> tuple[int, int]:
        return (-1, -1)

    def to_move(self, state: tuple[int, int]) -> int:
        return 0 if state[0] < 0 else CHANCE

    def actions(self, state: tuple[int, int]) -> Any:
        if state[0] < 0:
            for row in range(self.odds.shape[0]):
                yield row

    def chance(self, state: tuple[int, int]) -> Any:
        for place in range(self.odds.shape[1]):
            if self.odds[state[0], place] != 0:
                yield place, self.odds[state[0], place]

    def result(self, state: tuple[int, int], action: int) -> tuple[int, int]:
        return (action, -1) if state[0] < 0 else (state[0], action)

    def is_terminal(self, state: tuple[int, int]) -> bool:
        return state[1] >= 0

    def utility(self, state: tuple[int, int], player: int) -> float:
        return self.prizes[state[0], state[1]]


def test_outcomes_are_averaged() -> None:
    """8, 24 and -12 with 1/2, 1/3 and 1/6 are worth 10."""
    game = Lotteries([(1 / 2, 8), (1 / 3, 24), (1 / 6, -12)])
    assert search(game, compiled=False, depth=2).value == pytest.approx(10)
    assert search(game, compiled=False, depth=2).algorithm == "expectimax"


STRETCH = {1: 1.0, 2: 20.0, 3: 30.0, 4: 400.0}


def test_an_order_preserving_map_can_change_the_choice_and_an_affine_one_never() -> None:
    """An order-preserving map changes the decision, through the utility function that a search is given."""
    game = Lotteries([(0.9, 2), (0.1, 3)], [(0.9, 1), (0.1, 4)])
    plain = search(game, compiled=False, depth=2, all_actions=True)
    assert plain.action == 0 and list(plain.actions.values()) == pytest.approx([2.1, 1.3])
    bent = search(game, compiled=False, depth=2, all_actions=True, utility=lambda x: STRETCH[int(x)])
    assert bent.action == 1 and list(bent.actions.values()) == pytest.approx([21, 40.9])
    affine = search(game, compiled=False, depth=2, all_actions=True, utility=lambda x: 3 * x - 7)
    assert affine.action == 0 and affine.value == pytest.approx(3 * 2.1 - 7)


def test_a_utility_function_in_compiled_code_is_the_definition_s() -> None:
    for tree in trees(40):
        hero = int(tree.to_move(tree.start_state))
        for worth in (lambda x: x**3, lambda x: -(2.0**-x), lambda x: x * x, abs):  # not all of them increase
            expected = value_of(tree, tree.start_state, 12, hero, worth=worth)
            found = search(tree, depth=12, utility=worth)
            assert found.compiled and found.value == pytest.approx(expected, abs=1e-9)
            assert found.value == search(tree, depth=12, utility=worth, pruning="none").value


def test_a_function_without_a_value_there_says_so_itself() -> None:
    game = Lotteries([(0.5, 4), (0.5, 9)], [(1.0, 6)])
    root = search(game, compiled=False, depth=2, utility=utility_function("crra:0.5"), all_actions=True)
    assert root.action == 0 or root.actions[0] < root.actions[1]
    debt = Lotteries([(0.5, -4), (0.5, 9)], [(1.0, 6)])
    with pytest.raises(BadInput, match="no utility for -4"):
        search(debt, compiled=False, depth=2, utility=utility_function("crra:0.5"))
    with pytest.raises(BadInput, match="not a number"):
        search(game, compiled=False, depth=2, utility=lambda x: float("nan"))
    with pytest.raises(BadInput, match="something to call"):
        search(game, compiled=False, depth=2, utility=3)


def test_utilities_that_cannot_be_listed_are_valued_one_by_one() -> None:
    class Fine(Lotteries):
        step = None

    game = Fine([(0.5, 0.25), (0.5, 9.75)], [(1.0, 4.5)])
    assert search(game, compiled=False, depth=2).action == 0
    averse = search(game, compiled=False, depth=2, utility=lambda x: x**0.5 if x >= 0 else x)
    assert averse.action == 1 and not averse.compiled and averse.value == pytest.approx(4.5**0.5)


def test_a_risk_averse_player_holds_sooner() -> None:
    """Rolling at s points is worth 5/6 (s + 4): a neutral player holds at 20, where both are equal; at 19 it rolls."""
    game = Hog()

    def holds_at(utility: Any) -> int:
        for points in (8, 9, 10, 18, 19, 20):
            found = search(game, (points, 0, 0), compiled=False, depth=20, utility=utility, all_actions=True)
            assert found.proved
            if found.actions[1] >= found.actions[0] - 1e-9:
                return points
        raise AssertionError("never holds")

    assert holds_at(None) == 20
    # With sqrt: at 9 a roll is worth (sqrt 11 + ... + sqrt 15) / 6 = 3.0002, more than 3; at 10 3.114, less than 3.162.
    assert holds_at(utility_function("crra:0.5")) == 10
    assert search(game, (12, 0, 0), compiled=False, depth=20).action == 0
    assert search(game, (12, 0, 0), compiled=False, depth=20, utility=utility_function("crra:0.5")).action == 1


def test_in_pig_they_part_at_ten_points() -> None:
    """The shipped game, one turn for points: from 10 to 19 the neutral player rolls and the averse one holds."""
    pig = load_game("pig:players=1,turns=1,payoff=points,target=40")
    roll, hold = pig.parse_action(pig.start_state._replace(pot=5), "roll"), 1
    chosen: dict[int, list[int | None]] = {}
    for points in (9, 10, 19, 21):
        state = pig.start_state._replace(pot=points)
        found = [search(pig, state, depth=25, utility=u, compiled=False) for u in (None, utility_function("crra:0.5"))]
        assert all(result.proved for result in found)
        chosen[points] = [result.action for result in found]
    assert chosen == {9: [roll, roll], 10: [roll, hold], 19: [roll, hold], 21: [hold, hold]}


class Draws(Game):
    """A die of a thousand faces, listed or only drawn; the player may take 500 instead."""

    players = 1
    max_actions = 1000
    utility_range = (0, 999)

    def initial(self) -> tuple[int, int]:
        return (-1, -1)

    def to_move(self, state: tuple[int, int]) -> int:
        return 0 if state[0] < 0 else CHANCE

    def actions(self, state: tuple[int, int]) -> Any:
        if state[0] < 0:
            yield 0
            yield 1

    def result(self, state: tuple[int, int], action: int) -> tuple[int, int]:
        if state[0] < 0:
            return (action, 500 if action == 1 else -1)
        return (state[0], action)

    def is_terminal(self, state: tuple[int, int]) -> bool:
        return state[1] >= 0

    def utility(self, state: tuple[int, int], player: int) -> float:
        return state[1]


class OnlyDrawn(Draws):
    def sample(self, state: tuple[int, int], rng: Any) -> int:
        return below(rng, 1000)


class Listed(Draws):
    def chance(self, state: tuple[int, int]) -> Any:
        for face in range(1000):
            yield face, 0.001


@pytest.mark.parametrize("game", [OnlyDrawn(), Listed()])
def test_a_sample_of_outcomes_is_told_with_its_standard_error(game: Game) -> None:
    mode = None if isinstance(game, OnlyDrawn) else False  # one compilation will do
    found = [search(game, (0, -1), depth=1, outcomes=64, seed=seed, compiled=mode) for seed in range(60)]
    for result in found:
        assert result.bound == "heuristic" and not result.proved and result.action is None
        assert result.error is not None and 20 < result.error < 55  # 999 / sqrt(12 * 64) = 36
    inside = sum(abs(result.value - 499.5) <= 2 * (result.error or 0) for result in found)
    assert inside >= 51  # about 95 % of them
    mean = sum(result.value for result in found) / len(found)
    assert abs(mean - 499.5) < 4 * 36 / 60**0.5
    assert found[3].value == search(game, (0, -1), depth=1, outcomes=64, seed=3, compiled=False).value


def test_only_too_many_outcomes_are_sampled() -> None:
    whole = search(Listed(), compiled=False, depth=2, outcomes=1000, all_actions=True)
    assert whole.actions == pytest.approx({0: 499.5, 1: 500}) and whole.proved and whole.error == 0
    assert search(Listed(), compiled=False, depth=2).error is None
    assert search(OnlyDrawn(), depth=2, compiled=False).error is not None  # there is no other way
