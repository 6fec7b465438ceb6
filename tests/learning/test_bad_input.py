"""What goes wrong while learning is one clear line, and the last good file stays."""

from __future__ import annotations

import errno
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import plywright.learning.learn as learning_module
import plywright.models.model_file as model_file
from plywright import BadInput, GameError, Knowledge, learn, load_game
from plywright.cli import main
from plywright.games.mnk import MNK
from plywright.learning.strength import measure
from plywright.models.loading import open_model

SMALL = "breakthrough:columns=4,rows=5"


@pytest.mark.parametrize("what", ["weights", "curve"])
def test_a_full_disk_is_told_and_the_last_good_file_stays(
    what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "b.knowledge"
    before = learn(SMALL, games=50, save=path, pairs=0).arrays["weights"].copy()

    def full(*_: Any) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(model_file if what == "weights" else learning_module, "write_whole", full)
    with pytest.raises(BadInput, match="No space left on device"):
        learn(SMALL, games=80, save=path, pairs=0)
    monkeypatch.undo()
    kept = open_model(path, load_game(SMALL)).arrays["weights"]
    assert np.array_equal(kept, before) == (what == "weights") and np.all(np.isfinite(kept))


class Infinite(Knowledge):
    feature_names = ("one",)

    def features(self, state: Any, player: int) -> tuple[float, ...]:
        return (float("inf"),)


class InfiniteGame(MNK):
    knowledge = Infinite


def test_features_that_are_not_finite_are_the_authors() -> None:
    with pytest.raises(GameError, match=r"features\(\) gives 1 values \(\[inf\]\).*each is a finite number"):
        learn(InfiniteGame(3, 3, 3), model="linear", games=5, pairs=0)


def test_weights_for_other_parameters_are_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "b.knowledge"
    learn(SMALL, games=20, save=path, pairs=0)
    for command in (
        ["learn", "breakthrough:columns=5,rows=5", "--from", str(path), "--games", "5", "--save", str(path)],
        ["best", "breakthrough:columns=5,rows=5", "--knowledge", str(path)],
        ["learn", SMALL, "--games", "5", "--on", "hand", "--save", str(path)],
        ["learn", SMALL, "--games", "5", "--method", "guess", "--save", str(path)],
        ["learn", SMALL, "--games", "5", "--model", "network", "--second", "12", "--save", str(path)],
    ):
        assert main(command) == 2
        error = capsys.readouterr().err
        assert error.startswith("plywright: ") and error.count("\n") == 1
    assert open_model(path, load_game(SMALL)).training["games"] == 20


@pytest.mark.slow
def test_two_minutes_of_learning_are_worth_it() -> None:
    """What `plywright learn` does when it is told nothing, on the board of 6x6, against the evaluation by hand."""
    game = load_game("breakthrough:columns=6,rows=6")
    model = learn(game, minutes=2, pairs=0, workers=2)
    found = measure(game, model, None, pairs=40, mode="nodes:2000")
    assert found.elo.low > 0
