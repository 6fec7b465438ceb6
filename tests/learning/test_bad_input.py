"""What goes wrong while learning is one clear line, and the last good file stays."""

from __future__ import annotations

import errno
import itertools
import math
import os
import warnings
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import plywright.learning.learn as learning_module
import plywright.learning.trainer as trainer_module
import plywright.models.model_file as model_file
from plywright import CHANCE, BadInput, Game, GameError, Knowledge, learn, load_game
from plywright.cli import main
from plywright.cli.knowledge.learn import line
from plywright.compiled import interpreted
from plywright.files import write_whole
from plywright.games.mnk import MNK
from plywright.learning import self_play
from plywright.learning.culprit import raise_culprit
from plywright.learning.learn import begin
from plywright.learning.self_play import LONGEST
from plywright.learning.trainer import Diverged, Trainer
from plywright.models.loading import make_model, open_model
from plywright.models.model_file import save_model
from plywright.rule_guard import Guard

SMALL = "breakthrough:columns=4,rows=5"


@pytest.mark.parametrize("what", ["weights", "curve"])
def test_a_full_disk_is_told_and_the_last_good_file_stays(
    what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "b.knowledge"
    before = learn(SMALL, games=50, save=path, pairs=0).arrays["weights"].copy()

    def full(place: Path, *parts: bytes) -> None:
        if what == "curve" and place.suffix == ".knowledge":  # what was there before has been kept beside it
            return write_whole(place, *parts)
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(model_file if what == "weights" else learning_module, "write_whole", full)
    with pytest.raises(BadInput, match="No space left on device"):
        learn(SMALL, games=80, save=path, pairs=0)
    monkeypatch.undo()
    kept = open_model(path, load_game(SMALL)).arrays["weights"]
    assert np.array_equal(kept, before) == (what == "weights") and np.all(np.isfinite(kept))


@pytest.mark.parametrize(
    "options",
    [
        {"minutes": 0.0},
        {"minutes": float("nan")},
        {"minutes": math.inf},
        {"minutes": 1e9},
        {"games": 0},
        {"games": 10**26},
        {"minutes": 1, "games": 1},
    ],
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
    with pytest.raises(GameError, match=r"features\(\) gives inf for 'one'.*finite number \(at the start\)"):
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
        (
            "linear",
            {"feature_names": ("a", "b"), "features": lambda *_: itertools.count()},
            r"features\(\) gives 1,048,576 or more values .*, and feature_names lists 2 \(at the start\)",
        ),
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


def test_more_features_than_a_model_has_room_for_are_refused() -> None:
    game = given(feature_names=tuple(f"f{n}" for n in range(600)), features=lambda *_: (1.0,) * 600)
    with pytest.raises(BadInput, match="given-game lists 600 features, and a linear model has weights for 512"):
        make_model(game, "linear")


def test_features_that_never_come_back_are_told_when_a_model_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    def endless(self: Any, state: Any, player: int) -> Any:
        while True:
            pass

    monkeypatch.setattr(Guard.__init__, "__defaults__", (0.2, None))
    with pytest.raises(GameError, match=r"features\(\) .*has not come back for 0.2 s"):
        make_model(given(feature_names=("a",), features=endless), "linear")


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


class RarelyInfinite(Wavering):
    def features(self, state: Any, player: int) -> list[float]:
        rare = state[0] == 0b100_000_010 and state[1] == 0b000_010_101
        return [1.0, math.inf if rare else 2.0]

    def cells(self, state: Any) -> list[int]:
        rare = state[0] == 0b100_000_010 and state[1] == 0b000_010_101
        return [-100_000_000 if rare else state[0] >> n & 1 for n in range(9)]


class InfiniteRarely(MNK):
    knowledge = RarelyInfinite


def unexamined(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if the states that are looked at before training had shown nothing."""
    for name in ("examine_at_random", "smoke_test"):
        monkeypatch.setattr(trainer_module, name, lambda *_: None)


RARELY = {"games": 20_000, "pairs": 0, "random": 0.3, "depth": 1}
"""A training that comes across one board in many."""


@pytest.mark.parametrize(
    ("model", "kind", "words"),
    [
        ("linear", InfiniteRarely, r"features\(\) gives inf for 'two': each feature is a finite number \(after "),
        ("linear", WaveringGame, r"features\(\) gives 5 values .* and feature_names lists 2 \(after "),
        ("tuples", InfiniteRarely, r"cells\(\) gives -100000000; a cell lies within plus or minus 4096 \(after "),
        ("tuples", OverflowingGame, r"cells\(\) gives 100000 cells, and 9 at the start: .* \(after "),
    ],
)
def test_a_hook_that_goes_wrong_rarely_is_told_with_the_moves_that_lead_there(
    model: str, kind: type[MNK], words: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    unexamined(monkeypatch)
    with pytest.raises(GameError, match=words) as caught:
        learn(kind(3, 3, 3), model=model, save=tmp_path / "t.knowledge", **RARELY)
    assert "knowledge" not in str(caught.value) and not list(tmp_path.iterdir())


def test_the_moves_that_are_told_lead_to_the_state() -> None:
    game: Any = InfiniteRarely(3, 3, 3)
    line = [0, 8, 2, 1, 4]  # to the one board
    state = game.start_state
    for action in line:
        state = game.result(state, action)
    with pytest.raises(GameError, match="inf") as caught:
        raise_culprit(make_model(game, "linear"), [line[:3]], 2)  # two plies below what was played
    moves = str(caught.value).partition("(after ")[2].rstrip(")").split()
    assert sorted(moves) == sorted(game.format_action(game.start_state, action) for action in line)


@pytest.mark.parametrize(
    ("features", "words"),
    [
        (lambda state: 1.0 / (state[0] - 16), r"features\(\) in test_bad_input.py, line \d+, raised ZeroDivision"),
        (lambda state: math.nan if state[0] == 16 else 1.0, r"features\(\) gives nan for 'a'"),
        (lambda state: 1e300, r"features\(\) gives 1e\+300 for 'a': a feature lies within plus or minus 1e\+15"),
    ],
)
def test_features_are_blamed_and_not_the_evaluation_made_of_them(features: Any, words: str) -> None:
    game = given(feature_names=("a",), features=lambda self, state, player: (features(state),))
    with warnings.catch_warnings(), pytest.raises(GameError, match=words):
        warnings.simplefilter("error")
        Trainer(make_model(game, "linear"))


def test_weights_that_go_wrong_are_told_without_a_file_that_is_not_there(tmp_path: Path) -> None:
    path = tmp_path / "b.knowledge"
    training = begin(SMALL, save=path)
    assert str(path) not in str(training._diverged(Diverged("no number")))
    learn(SMALL, games=5, pairs=0, save=path)
    assert f"{path} is as it was" in str(training._diverged(Diverged("no number")))


@pytest.mark.parametrize("late", [5.0, -1, math.nan])
def test_a_stage_beyond_the_end_is_refused(late: float) -> None:
    hooks: dict[str, Any] = {"feature_names": ("a",), "features": lambda self, state, player: (1.0,)}
    with pytest.raises(GameError, match=rf"stage\(\) is {late}; it is a number from 0, the beginning, to 1, the end"):
        make_model(given(**hooks, stage=lambda self, state: late), "linear")
    rarely = given(**hooks, stage=lambda self, state: late if state[0] == 16 else 1.0 + 1e-9)
    with pytest.raises(GameError, match=r"stage\(\) is .* \(after "):
        Trainer(make_model(rarely, "linear"))
    with pytest.raises(ValueError, match="stage"):  # as compiled code has it
        make_model(rarely, "linear").evaluate(rarely.result(rarely.result(rarely.start_state, 4), 0), 0)


class NoNumber(MNK):
    def evaluate(self, state: Any, player: int) -> float:
        return math.nan


def test_an_evaluation_that_the_match_needs_is_looked_at_before_training(tmp_path: Path) -> None:
    with pytest.raises(GameError, match=r"evaluate\(\) is not a number \(NaN\)"):
        begin(NoNumber(3, 3, 3), pairs=1)
    assert begin(NoNumber(3, 3, 3), pairs=0).schedule.depth == 3  # nothing will ask for it
    with pytest.raises(GameError, match=r"evaluate\(\) is not a number \(NaN\)"):
        Trainer(make_model(NoNumber(3, 3, 3), "tuples", base=True))


def test_a_match_that_fails_says_where_the_weights_are(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def broken(*_: Any, **__: Any) -> None:
        raise GameError("evaluate() is not a number (NaN)")

    monkeypatch.setattr(learning_module, "measure", broken)
    path = tmp_path / "b.knowledge"
    with pytest.raises(GameError, match=f"the match .*NaN.*the weights are saved in {path}"):
        learn(SMALL, games=20, pairs=1, save=path)
    assert open_model(path, load_game(SMALL)).training["games"] == 20


@pytest.mark.slow
@pytest.mark.parametrize("model", ["linear", "tuples"])
@pytest.mark.parametrize("kind", [WaveringGame, OverflowingGame])
def test_what_changes_in_number_is_found_by_compiled_code(model: str, kind: type[MNK]) -> None:
    with pytest.raises(GameError, match=r"(features|cells)\(\) gives .* \(after "):
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


@pytest.mark.parametrize("game", [5, None, ["tic-tac-toe"]])
def test_what_is_no_game_is_refused(game: Any) -> None:
    with pytest.raises(BadInput, match="learn takes a game, or its name or path"):
        learn(game, games=1)


def test_a_place_that_is_no_file_is_refused_beforehand(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.knowledge"
    os.mkfifo(pipe)
    with pytest.raises(BadInput, match="is no ordinary file"):
        learn("tic-tac-toe", games=1, save=pipe)
    with pytest.raises(BadInput, match="no zero byte"):
        learn("tic-tac-toe", games=1, save="x\0.knowledge")


def test_what_a_file_says_of_itself_is_refused_in_a_line_of_moderate_length(tmp_path: Path) -> None:
    path, game = tmp_path / "big.knowledge", load_game("tic-tac-toe")
    file = make_model(game).as_file()
    for changed in ({"parameters": {"k": "x" * 900_000}}, {"game": "y" * 10_000, "rules": ""}, {"game": "\x1b[2J"}):
        save_model(path, replace(file, **{"parameters": {"k": 4}, **changed}))
        with pytest.raises(BadInput, match="was not learned for this tic-tac-toe") as refused:
            open_model(path, game)
        assert len(str(refused.value)) < 800 and str(refused.value).isprintable()


@pytest.mark.parametrize(
    "changed", [{"options": {"x" * 900_000: 1}}, {"model": "x" * 900_000}, {"game": "x\x1b" * 9_000}]
)
def test_names_from_a_file_are_quoted_in_part(
    changed: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "big.knowledge"
    save_model(path, replace(make_model(load_game("tic-tac-toe")).as_file(), **changed))
    assert main(["knowledge", "show", str(path)]) == 2
    error = capsys.readouterr().err
    assert len(error) < 1500 and error.count("\n") == 1 and error.strip().isprintable()
