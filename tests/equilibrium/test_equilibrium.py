"""Regret minimisation and best responses: published figures, brute force, refusals."""

from __future__ import annotations

import itertools
import json
from functools import cache
from typing import NamedTuple

import numpy as np
import pytest

from plywright import CHANCE, BadInput, Game, GameError
from plywright.compiled import interpreted
from plywright.equilibrium import (
    GameTree,
    RegretMinimizer,
    Strategy,
    exploitability,
    find_equilibrium,
    gains,
    respond,
    values_of,
)
from plywright.games.kuhn import Kuhn
from plywright.games.leduc import Leduc


@cache
def tree(name: str) -> GameTree:
    return GameTree.of({"kuhn": Kuhn, "leduc": Leduc, "kuhn3": lambda: Kuhn(3)}[name]())


def test_sizes_of_the_trees() -> None:
    assert (tree("kuhn").histories, tree("kuhn").sets, tree("kuhn").slots) == (58, 12, 24)
    assert (tree("kuhn3").histories, tree("kuhn3").sets) == (617, 48)
    assert tree("leduc").sets == 288  # with suits told apart, 936


@pytest.mark.parametrize(("name", "after", "expected"), [("kuhn", 100, 0.001194), ("leduc", 100, 0.013416)])
def test_cfr_plus_after_a_hundred_iterations(name: str, after: int, expected: float) -> None:
    minimizer = RegretMinimizer(tree(name))
    minimizer.run(after)
    assert minimizer.result().exploitability == pytest.approx(expected, abs=5e-7)


@pytest.mark.parametrize(
    ("name", "expected", "value", "within"), [("kuhn", 0.000087, -1 / 18, 1e-5), ("leduc", 0.000257, -0.0856, 1e-4)]
)
def test_cfr_plus_after_a_thousand(name: str, expected: float, value: float, within: float) -> None:
    """Rounding makes the path chaotic: within a tenth."""
    minimizer = RegretMinimizer(tree(name))
    minimizer.run(1000)
    found = minimizer.result()
    assert found.exploitability == pytest.approx(expected, rel=0.1)
    assert found.value == pytest.approx(value, abs=within)


@pytest.mark.parametrize("algorithm", ["cfr", "cfr+", "dcfr", "external", "outcome"])
def test_every_algorithm_goes_to_the_equilibrium(algorithm: str) -> None:
    minimizer = RegretMinimizer(tree("kuhn"), algorithm, seed=3)
    minimizer.run(60_000 if algorithm in ("external", "outcome") else 3_000)
    found = minimizer.result()
    assert found.exploitability < 0.01
    assert found.value == pytest.approx(-1 / 18, abs=0.004)
    assert found.two_player_zero_sum


def test_uniform_play_against_brute_force() -> None:
    """The best response is the best of all pure strategies, each valued exactly."""
    game_tree = tree("kuhn")
    uniform = game_tree.uniform
    for player in (0, 1):
        mine = np.flatnonzero(game_tree.owner == player)
        best = -np.inf
        for choice in itertools.product((0, 1), repeat=len(mine)):
            pure = uniform.copy()
            for which, action in zip(mine, choice, strict=True):
                start = game_tree.start[which]
                pure[start : start + 2] = (1 - action, action)
            best = max(best, values_of(game_tree, pure)[player])
        value, answer = respond(game_tree, uniform, player)
        assert value == pytest.approx(best, abs=1e-12)
        assert values_of(game_tree, answer)[player] == pytest.approx(best, abs=1e-12)
    assert exploitability(game_tree, uniform) == pytest.approx(sum(gains(game_tree, uniform)) / 2)


def test_three_players_are_reported_without_a_claim() -> None:
    minimizer = RegretMinimizer(tree("kuhn3"))
    minimizer.run(200)
    found = minimizer.result()
    assert not found.two_player_zero_sum
    assert len(found.gains) == 3
    assert sum(found.values) == pytest.approx(0, abs=1e-9)
    assert found.as_dict()["equilibrium"] is False


def test_a_locked_player_is_answered() -> None:
    game_tree = tree("kuhn")
    uniform = Strategy(game_tree, game_tree.uniform)
    minimizer = RegretMinimizer(game_tree, locked={1: uniform})
    minimizer.run(500)
    found = minimizer.result()
    best, _ = respond(game_tree, uniform.chances, 0)
    assert found.value == pytest.approx(best, abs=1e-3)
    second = np.repeat(game_tree.owner == 1, game_tree.widths)
    assert np.array_equal(found.strategy.chances[second], uniform.chances[second])


def test_a_strategy_is_saved_and_loaded(tmp_path) -> None:
    found = find_equilibrium(Kuhn(), iterations=300).strategy
    path = tmp_path / "kuhn.json"
    found.save(path)
    again = Strategy.load(path, Kuhn(), tree("kuhn"))
    assert np.allclose(again.chances, found.chances, atol=1e-12)
    game = found.game
    seen = game.parse_observation("1 b", 1)
    assert found.probabilities(seen, 1)[0] > 0.99  # the lowest card folds
    with pytest.raises(BadInput, match="strategy of 'kuhn', not of 'leduc'"):
        Strategy.load(path, Leduc())
    data = json.loads(path.read_text())
    data["sets"][0]["plays"] = {"check": 0.7, "bet": 0.7}
    path.write_text(json.dumps(data))
    with pytest.raises(BadInput, match="sum to 1"):
        Strategy.load(path, Kuhn(), tree("kuhn"))
    data["sets"][0] |= {"player": [1], "sees": {}}
    path.write_text(json.dumps(data))
    with pytest.raises(BadInput, match="does not say what"):
        Strategy.load(path, Kuhn(), tree("kuhn"))
    for text in ("{", "[" * 100_000):
        path.write_text(text)
        with pytest.raises(BadInput, match="not JSON"):
            Strategy.load(path, Kuhn())


def test_compiled_is_interpreted() -> None:
    with interpreted():
        slow_tree = GameTree.of(Kuhn())
        slow = RegretMinimizer(slow_tree)
        slow.run(20)
        slow_chances = slow.strategy().chances
    for name in ("player", "first", "count", "slot", "action", "probability", "utility"):
        assert np.array_equal(getattr(slow_tree, name), getattr(tree("kuhn"), name)), name
    fast = RegretMinimizer(tree("kuhn"))
    fast.run(20)
    assert np.array_equal(fast.strategy().chances, slow_chances)


class Coins(NamedTuple):
    coin: int
    acts: int
    step: int


class Forgetful(Game):
    """A coin nobody sees; the same player moves twice and forgets its first act."""

    players = 2
    zero_sum = True

    def initial(self) -> Coins:
        return Coins(0, 0, 0)

    def to_move(self, state: Coins) -> int:
        return CHANCE if state.step == 0 else 0

    def chance(self, state: Coins):
        yield 1, 0.5
        yield 2, 0.5

    def actions(self, state: Coins):
        if state.step in (1, 2):
            yield 0
            yield 1

    def result(self, state: Coins, action: int) -> Coins:
        if state.step == 0:
            return Coins(action, 0, 1)
        return Coins(state.coin, 2 * state.acts + action, state.step + 1)

    def is_terminal(self, state: Coins) -> bool:
        return state.step == 3

    def utility(self, state: Coins, player: int) -> float:
        return (1 if state.acts & 1 == state.coin & 1 else -1) * (1 - 2 * player)

    def observation(self, state: Coins, player: int) -> Coins:
        return Coins(0, 0, state.step)


class Leaky(Forgetful):
    """The number of actions depends on the hidden coin."""

    def actions(self, state: Coins):
        if state.step in (1, 2):
            yield 0
            if state.coin == 1:
                yield 1

    def observation(self, state: Coins, player: int) -> Coins:
        return Coins(0, state.acts, state.step)


def test_games_that_cfr_cannot_solve_are_named() -> None:
    with interpreted():
        with pytest.raises(GameError, match="perfect recall"):
            GameTree.of(Forgetful())
        with pytest.raises(GameError, match="other actions"):
            GameTree.of(Leaky())
    with pytest.raises(BadInput, match=r"no algorithm 'nash'"):
        RegretMinimizer(tree("kuhn"), "nash")
    with pytest.raises(BadInput, match="at least 1"):
        RegretMinimizer(tree("kuhn")).run(0)
