"""`plywright learn`: what it says of its files, and that it loses none."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import plywright.learning.earlier as earlier_module
import plywright.learning.learn as learning_module
from plywright import BadInput, learn, load_game
from plywright.cli import main
from plywright.learning.ladder import ladder
from plywright.models.loading import open_model

STICKS = """
from plywright import Game, Knowledge

class Sticks(Game):
    def initial(self): return (9, 0)
    def to_move(self, state): return state[1]
    def actions(self, state):
        for n in (1, 2):
            if n <= state[0]: yield n
    def result(self, state, action): return (state[0] - action, 1 - state[1])
    def utility(self, state, player): return -1 if player == state[1] else 1

class Taught(Sticks):
    knowledge = Knowledge
    knowledges = {"hand": Knowledge}
"""


def trained_games(path: Path) -> int:
    return int(open_model(path, load_game("tic-tac-toe")).training["games"])


def test_checkpoints_stay_with_the_training_that_kept_them(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "t.knowledge"
    shared = ["--games", "10", "--pairs", "0", "--workers", "1", "--save", str(path)]
    assert main(["learn", "tic-tac-toe", *shared, "--keep"]) == 0
    (tmp_path / "t-02.knowledge").write_bytes((tmp_path / "t-01.knowledge").read_bytes())
    assert main(["learn", "tic-tac-toe", *shared]) == 0
    assert not list(tmp_path.glob("t-*.knowledge")), "the new training kept none"
    assert [rung.path.name for rung in ladder(tmp_path / "t.before.knowledge")] == [
        "t.before-01.knowledge",
        "t.before-02.knowledge",
    ]
    assert (tmp_path / "t.before.jsonl").exists() and (tmp_path / "t.before.svg").exists()
    with pytest.raises(BadInput, match="no checkpoints beside"):
        ladder(path)
    capsys.readouterr()


def test_what_was_learned_before_is_kept_beside(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "t.knowledge"
    command = ["learn", "tic-tac-toe", "--pairs", "0", "--workers", "1", "--save", str(path)]
    assert main([*command, "--games", "30"]) == 0
    assert "is kept" not in capsys.readouterr().out
    for count, kept in (("20", "t.before.knowledge"), ("10", "t.before2.knowledge")):
        assert main([*command, "--games", count]) == 0
        assert f"is kept as {tmp_path / kept}" in capsys.readouterr().out.replace("\n", "")
    assert [trained_games(tmp_path / f"t{name}.knowledge") for name in (".before", ".before2", "")] == [30, 20, 10]
    assert main([*command, "--games", "5", "--from", str(path)]) == 0  # the same training, which goes on
    assert trained_games(path) == 5 and len(list(tmp_path.glob("*.knowledge"))) == 3


def test_a_training_that_ends_early_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Until the new file is there, whole, the old one is: it is copied first, not moved."""
    path = tmp_path / "t.knowledge"
    learn("tic-tac-toe", games=30, pairs=0, save=path)

    def killed(*_: object) -> None:
        raise SystemExit(137)

    with monkeypatch.context() as patch:
        patch.setattr(learning_module, "keep_model", killed)
        with pytest.raises(SystemExit):
            learn("tic-tac-toe", games=10, pairs=0, save=path)
    assert trained_games(path) == trained_games(tmp_path / "t.before.knowledge") == 30

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(earlier_module, "write_whole", full)
    with pytest.raises(BadInput, match=r"cannot be kept as .*: No space left on device; it stays as it was"):
        learn("tic-tac-toe", games=10, pairs=0, save=path)
    assert trained_games(path) == 30


def test_the_last_line_names_only_knowledge_that_there_is(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "sticks.py").write_text(STICKS)
    for name, words in (("Sticks", "none"), ("Taught", "none or hand")):
        game = f"{tmp_path / 'sticks.py'}:{name}"
        assert main(["learn", game, "--games", "5", "--pairs", "0", "--workers", "1"]) == 0
        said = " ".join(capsys.readouterr().out.split())
        assert f"--knowledge {words} leaves it out" in said


@pytest.mark.parametrize("games", [0, 20])
def test_a_training_that_is_stopped_says_where_the_weights_are(
    games: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path, whole = tmp_path / "t.knowledge", learning_module.Trainer.run

    def stopped(self: Any, **asked: Any) -> Iterator[Any]:
        if games:
            yield from whole(self, games=games, seconds=None)
        raise KeyboardInterrupt

    monkeypatch.setattr(learning_module.Trainer, "run", stopped)
    command = ["learn", "tic-tac-toe", "--pairs", "0", "--workers", "1", "--save", str(path), "--games", "1000"]
    assert main(command) == 130
    error = " ".join(capsys.readouterr().err.split())
    if games:
        assert "stopped after 20 games; the weights are saved in" in error and trained_games(path) == 20
    else:
        assert "stopped before anything was saved" in error and not path.exists()
