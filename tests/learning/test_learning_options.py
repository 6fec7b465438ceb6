"""Options of a training that are of another kind, or no whole number, are refused in a sentence before it begins."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from plywright import BadInput, learn, load_game
from plywright.learning.trainer import Schedule, Trainer
from plywright.models.loading import make_model

GAME = "tic-tac-toe"


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"games": 2.5}, "games are a whole number, not 2.5"),  # the last half was waited for without an end
        ({"games": "3"}, "games are a whole number, not '3'"),
        ({"games": True}, "games are a whole number, not True"),
        ({"games": None, "minutes": "1"}, "minutes are a number, not '1'"),
        ({"depth": 1.5}, "depth is a whole number, not 1.5"),
        ({"depth": "2"}, "depth is a number from 1 to 8, not '2'"),
        ({"opening": 2.5}, "opening is a whole number, not 2.5"),
        ({"passes": 1.5}, "passes is a whole number, not 1.5"),
        ({"rate": "fast"}, "rate is a number from 1e-06 to 10, not 'fast'"),
        ({"decay": [1]}, r"lambda \(decay\) is a number from 0 to 1, not \[1\]"),
        ({"seed": 1.5}, r"a seed is a whole number .*, not 1\.5"),
        ({"seed": "a"}, "a seed is a whole number .*, not 'a'"),
        ({"save": 5}, "learned knowledge is saved as FILE.knowledge, not as 5"),
        ({"workers": 1.5}, r"workers are a whole number, not 1\.5"),
        ({"workers": "2"}, "workers are a whole number, not '2'"),
        ({"pairs": 1.5}, r"0 to 10,000 pairs of games, not 1\.5"),
        ({"options": [1]}, r"options are what the model takes, by name, .*, not \[1\]"),
        ({"options": {"stages": 1.5}}, r"1 to 64 stages, not 1\.5"),
        ({"model": ["tuples"]}, r"model is the name of one, .*, not \['tuples'\]"),
        ({"model": "network", "options": {"seed": "x"}}, "seed is a whole number from 0 on, not 'x'"),
        ({"mode": 5}, "mode is how matches are timed, .*, not 5"),
        ({"mode": "soon"}, "'soon' is not a mode"),
        ({"executor": 3}, "executor is where games are played, .*, not 3"),
        ({"report": 3}, "report is a function .*, not 3"),
    ],
)
def test_options_of_another_kind_are_named(options: dict[str, Any], said: str) -> None:
    with pytest.raises(BadInput, match=said):
        learn(GAME, **{"games": 5, "pairs": 0, **options})


def test_a_trainer_counts_whole_games_and_workers() -> None:
    model = make_model(load_game(GAME))
    with pytest.raises(BadInput, match=r"games are a whole number, not 2\.5"):
        next(Trainer(model).run(games=2.5))  # type: ignore[arg-type]
    with pytest.raises(BadInput, match=r"workers are a whole number, not 1\.5"):
        Trainer(model, workers=1.5)  # type: ignore[arg-type]


def test_numbers_of_numpy_are_numbers_and_the_record_has_pythons(tmp_path: Path) -> None:
    options: dict[str, Any] = {"seed": np.int64(3), "opening": np.int32(2), "rate": np.float32(0.5)}
    model = learn(GAME, games=np.int64(5), pairs=np.int64(0), save=tmp_path / "t.knowledge", **options)  # type: ignore[arg-type]
    assert model.training["games"] == 5
    record = json.loads(json.dumps(model.training))
    assert (record["seed"], record["opening"], record["rate"]) == (3, 2, 0.5)
    Schedule(depth=np.int64(2)).check()  # type: ignore[arg-type]
