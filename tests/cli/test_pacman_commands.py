"""`plywright pacman ...`: what it prints, writes and refuses."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from plywright.cli.app import run
from plywright.games.maze import layout_names


def test_layouts_with_thumbnails(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["pacman", "layouts"]) == 0
    text = capsys.readouterr().out
    assert all(f"{name}: " in text for name in layout_names())
    assert run(["pacman", "layouts", "corridor", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["layouts"][0]["rows"] == ["%%%%%%", "%. P %", "%%%%%%"]


def test_play_writes_what_is_asked_for(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    files = ["--svg", str(tmp_path / "end.svg"), "--html", str(tmp_path / "game.html")]
    assert run(["pacman", "play", "loop", "--agent", "minimax", "--depth", "2", "--rounds", "30", *files]) == 0
    assert "minimax:depth=2,evaluation=full v random" in capsys.readouterr().out
    assert (tmp_path / "end.svg").read_text().startswith("<svg")
    assert "<html" in (tmp_path / "game.html").read_text()


def test_the_same_seed_is_the_same_game_and_mystery_is_revealed(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["pacman", "play", "loop", "--agent", "mystery", "--rounds", "20", "--scatter", "--seed", "4", "--json"]
    assert run(words) == 0
    first = json.loads(capsys.readouterr().out)
    assert run(words) == 0
    assert json.loads(capsys.readouterr().out) == first
    assert first["secret"] and len(first["moves"]) <= 20


def test_assumptions_as_json_and_picture(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    words = ["pacman", "assumptions", "--layout", "starvation", "--games", "2", "--svg", str(tmp_path / "a.svg")]
    assert run([*words, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert {"pacman", "ghosts", "games", "wins", "mean_score", "interval"} <= set(found["rows"][0])
    assert [row["games"] for row in found["rows"]] == [2, 2, 2, 2] and not found["holds"]
    assert (tmp_path / "a.svg").read_text().startswith("<svg")


def test_a_demonstration_and_its_status(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["pacman", "demo", "starvation"]) == 0
    assert "as the lecture says" in capsys.readouterr().out
    assert run(["pacman", "demo", "trapped", "--games", "1", "--json"]) in (0, 1)
    assert json.loads(capsys.readouterr().out)["minimax"]["value"] == -501


def test_a_new_agent_can_be_graded(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(["pacman", "new", "mine.py"]) == 0
    assert run(["pacman", "grade", "mine.py", "--layouts", "tiny", "--games", "1", "--json"]) == 0
    text = capsys.readouterr().out
    found = json.loads(text[text.index("{") :])
    assert found["moves_right"] == found["moves_checked"] == 12 and found["total"]["games"] == 1
    assert run(["pacman", "new", "mine.py"]) == 2


@pytest.mark.parametrize(
    ("words", "error"),
    [
        (["layouts", "nowhere"], "there is no layout 'nowhere'"),
        (["play", "bad.lay"], "bad, row 2, column 3: '?'"),
        (["play", "loop", "--agent", "ghostly"], "there is no agent 'ghostly'"),
        (["play", "loop", "--agent", "keyboard", "--depth", "3"], "agents that search"),
        (["play", "loop", "--agent", "minimax", "--depth", "99"], "from 1 to 20"),
        (["play", "loop", "--ghosts", "friendly"], "there is no ghost 'friendly'"),
        (["play", "loop", "--rounds", "0"], "rounds must be"),
        (["play", "loop", "--html", "none/x.html"], "there is no folder"),
        (["demo", "magic"], "unknown demonstration"),
        (["assumptions", "--games", "0"], "games must be"),
        (["assumptions", "--jobs", "0"], "jobs must be"),
        (["grade", "none.py"], "there is no file"),
        (["grade", "bad.lay"], "must end in .py"),
        (["replay"], "--out"),
    ],
)
def test_mistakes_are_one_line(
    words: list[str], error: str, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("bad.lay").write_text("%%%%\n%P?%\n%%%%\n")
    assert run(["pacman", *words]) == 2
    message = capsys.readouterr().err.strip()
    assert error in message and "\n" not in message
