"""Weighted features: learned, told apart by name, and shown as a table."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from plywright import learn, load_game, search
from plywright.compiled import interpreted
from plywright.errors import BadInput, GameError
from plywright.models.loading import make_model

RULES = """
from plywright import Game, Knowledge

class SticksKnowledge(Knowledge):
    feature_names = ("sticks", "good remainder")

    def features(self, state, player):
        return state[0] / 21, 1.0 * (state[0] % 4 != 0) if player == state[1] else 0.0

class Sticks(Game):
    knowledge = SticksKnowledge
    def initial(self): return (21, 0)
    def to_move(self, state): return state[1]
    def actions(self, state):
        for n in (1, 2, 3):
            if n <= state[0]: yield n
    def result(self, state, action): return (state[0] - action, 1 - state[1])
    def utility(self, state, player): return -1 if player == state[1] else 1
"""


@pytest.fixture
def game(tmp_path: Path) -> Any:
    (tmp_path / "sticks.py").write_text(RULES)
    return load_game(str(tmp_path / "sticks.py"))


def test_the_feature_that_decides_gets_the_weight_and_the_move_follows(game: Any) -> None:
    model: Any = learn(game, model="linear", games=2_000, pairs=0, random=0.2)
    assert model.weights[1] > 0.2
    assert search(game, depth=1, knowledge=model).action == 1
    sticks, remainder = model.evaluation_terms(game.start_state)
    assert remainder.name == "good remainder" and remainder.counts == (1.0, 0.0)
    assert remainder.worth == pytest.approx((float(model.weights[1]), 0)) and sticks.worth[0] == sticks.worth[1]


def test_the_table_says_in_plain_words_what_becomes_of_the_sum(game: Any) -> None:
    model = make_model(game, "linear", good_remainder=1.0)
    assert model.terms_unit == "part of the sum" and "between -1 and 1 by 1 * tanh(sum)" in model.terms_note


def test_other_weights_choose_another_move(game: Any) -> None:
    good, bad = (make_model(game, "linear", good_remainder=weight) for weight in (1.0, -1.0))
    assert search(game, depth=1, knowledge=good).action == 1
    assert search(game, depth=1, knowledge=bad).action != 1


def test_a_feature_that_is_not_there_and_games_without_any_are_named(game: Any) -> None:
    with pytest.raises(BadInput, match="has no feature 'mobility'; it has sticks, good remainder"):
        make_model(game, "linear", mobility=1.0)
    with pytest.raises(
        BadInput, match=r"takes no stages \(it has two where the knowledge has stage\(state\), and one here"
    ):
        make_model(game, "linear", stages=3)
    for name in ("hidden", "second", "base", "optimism"):
        with pytest.raises(BadInput, match=f"^a linear model takes no {name}: leave {name} out$"):
            make_model(game, "linear", **{name: 1})
    with pytest.raises(BadInput, match="nim lists no features"):
        make_model(load_game("nim"), "linear")


def test_features_of_the_wrong_length_are_named(tmp_path: Path) -> None:
    (tmp_path / "short.py").write_text(RULES.replace('("sticks", "good remainder")', '("sticks",)'))
    with pytest.raises(GameError, match=r"features\(\) gives 2 values"):
        make_model(load_game(str(tmp_path / "short.py")), "linear")


@pytest.mark.filterwarnings("error::plywright.InterpretedWarning")
@pytest.mark.parametrize("features", ["state[0], state[0] % 4 == 1", "state[0] > 4, state[0] == 1", "0.5, state[1]"])
def test_features_of_several_kinds_are_compiled_and_booleans_count_as_numbers(tmp_path: Path, features: str) -> None:
    kept = "state[0] / 21, 1.0 * (state[0] % 4 != 0) if player == state[1] else 0.0"
    (tmp_path / "kinds.py").write_text(RULES.replace(kept, features))
    game = load_game(str(tmp_path / "kinds.py"))
    with interpreted():
        slowly = learn(game, model="linear", games=20, pairs=0, seed=3)
    assert np.array_equal(learn(game, model="linear", games=20, pairs=0, seed=3).weights, slowly.weights)  # type: ignore[attr-defined]
