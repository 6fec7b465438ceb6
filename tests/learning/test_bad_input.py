"""What goes wrong while learning is one clear line, and the last good file stays."""

from __future__ import annotations

import errno
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import plywright.learning.learn as learning_module
import plywright.models.model_file as model_file
from plywright import CHANCE, BadInput, Game, GameError, Knowledge, learn, load_game
from plywright.cli import main
from plywright.cli.knowledge.learn import line
from plywright.compiled import interpreted
from plywright.games.mnk import MNK
from plywright.learning import self_play
from plywright.learning.self_play import LONGEST
from plywright.learning.strength import measure
from plywright.learning.trainer import Trainer
from plywright.models.loading import make_model, open_model

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


@pytest.mark.parametrize(
    "options",
    [{"minutes": 0.0}, {"minutes": float("nan")}, {"games": 0}, {"games": 10**26}, {"minutes": 1, "games": 1}],
)
def test_a_training_of_no_length_or_of_more_games_than_can_be_counted_is_refused(options: dict[str, Any]) -> None:
    with pytest.raises(BadInput, match="minutes"):
        learn(SMALL, **options)


class Round(Game):
    """A game that goes round for ever; with `dice` chance alone does, after the first move."""

    def __init__(self, dice: int = 0) -> None:
        self.dice = dice

    def initial(self) -> tuple[int, int]:
        return 0, 0

    def to_move(self, state: Any) -> int:
        return CHANCE if self.dice and state[0] else int(state[1])

    def actions(self, state: Any) -> Any:
        yield 0
        yield 1

    def chance(self, state: Any) -> Any:
        yield 1, 1.0

    def result(self, state: Any, action: int) -> Any:
        return 1 + (state[0] + action) % 7, 1 - state[1]

    def is_terminal(self, state: Any) -> bool:
        return bool(state[0] > 7)

    def utility(self, state: Any, player: int) -> float:
        return 0


@pytest.mark.parametrize("dice", [0, 1])
def test_games_without_an_end_are_broken_off_and_counted(dice: int, monkeypatch: pytest.MonkeyPatch) -> None:
    trainer = Trainer(make_model(Round(dice)))
    work = trainer.crew[0]
    work.info[LONGEST] = 8
    monkeypatch.setattr(self_play, "ROLLS", 50)
    before = trainer.counts()
    with interpreted():  # in this thread: what another one calls is compiled
        self_play.self_play(trainer.game, trainer.model, trainer.game.start_state, 3, work)
    progress = trainer._progress(before, trainer.counts(), 1.0)
    assert (progress.games, progress.unfinished) == (3, 1.0)
    assert "3 games, 100% of them broken off as too long" in line(progress)


class Infinite(Knowledge):
    feature_names = ("one",)

    def features(self, state: Any, player: int) -> tuple[float, ...]:
        return (float("inf"),)


class InfiniteGame(MNK):
    knowledge = Infinite


def test_features_that_are_not_finite_are_the_authors() -> None:
    with pytest.raises(GameError, match=r"features\(\) gives 1 values \(\[inf\]\).*each is a finite number"):
        learn(InfiniteGame(3, 3, 3), model="linear", games=5, pairs=0)


def given(**hooks: Any) -> MNK:
    """Tic-tac-toe with a knowledge that is made of these hooks."""
    known = type("Given", (Knowledge,), {"__module__": __name__, **hooks})
    return type("GivenGame", (MNK,), {"__module__": __name__, "knowledge": known})(3, 3, 3)


@pytest.mark.parametrize(
    ("model", "hooks", "words"),
    [
        ("linear", {"feature_names": ("a",), "features": lambda *_: None}, r"features\(\) gives None"),
        ("linear", {"feature_names": ("a",), "features": lambda *_: ("x",)}, "a number for each of feature_names"),
        ("linear", {"feature_names": 5, "features": lambda *_: (1.0,)}, "feature_names is a tuple of names"),
        ("linear", {"feature_names": "abc", "features": lambda *_: (1.0,) * 3}, "feature_names is a tuple of names"),
        ("linear", {"feature_names": ("a", "a"), "features": lambda *_: (1.0,) * 2}, "each one once"),
        ("tuples", {"cells": lambda *_: 7}, r"cells\(\) gives 7; cells are whole numbers"),
        ("network", {"input_count": "many", "inputs": lambda *_: 0}, "input_count is the number of inputs"),
        (
            "network",
            {"input_count": 3, "inputs": lambda *_: 0, "phase": lambda *_: 0, "phases": 0},
            "phases is how many",
        ),
    ],
)
def test_hooks_that_make_no_sense_are_the_authors(model: str, hooks: dict[str, Any], words: str) -> None:
    with pytest.raises(GameError, match=words):
        make_model(given(**hooks), model)


class Wavering(Knowledge):
    """Features and cells whose number changes on one board in many, which no sample of states shows."""

    feature_names = ("one", "two")
    more = 5

    def features(self, state: Any, player: int) -> list[float]:
        rare = state[0] == 0b100_000_010 and state[1] == 0b000_010_101
        return [1.0 * n for n in range(self.more if rare else 2)]

    def cells(self, state: Any) -> list[int]:
        rare = state[0] == 0b100_000_010 and state[1] == 0b000_010_101
        return [state[0] >> n & 1 for n in range(self.more if rare else 9)]


class Overflowing(Wavering):
    more = 100_000


class WaveringGame(MNK):
    knowledge = Wavering


class OverflowingGame(MNK):
    knowledge = Overflowing


@pytest.mark.slow
@pytest.mark.parametrize("model", ["linear", "tuples"])
@pytest.mark.parametrize("kind", [WaveringGame, OverflowingGame])
def test_what_changes_in_number_is_found_by_compiled_code(model: str, kind: type[MNK]) -> None:
    with pytest.raises(GameError, match=r"more or fewer|index is out of bounds"):
        learn(kind(3, 3, 3), model=model, games=20_000, pairs=0, random=0.3)


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
