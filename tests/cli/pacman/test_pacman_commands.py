"""`plywright pacman ...`: what it prints, writes and refuses."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from plywright import load_game
from plywright.cli.app import run
from plywright.games.pacman.maze import layout_names


def test_layouts_with_thumbnails(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["pacman", "layouts"]) == 0
    text = capsys.readouterr().out
    assert all(f"{name}: " in text for name in layout_names())
    assert run(["pacman", "layouts", "corridor", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["layouts"][0]["rows"] == ["%%%%%%", "%. P %", "%%%%%%"]


def test_play_writes_what_is_asked_for(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    files = ["--svg", str(tmp_path / "end.svg"), "--html", str(tmp_path / "game.html")]
    assert run(["pacman", "play", "loop", "--agent", "minimax", "--depth", "2", "--rounds", "30", *files]) == 0
    assert "minimax:depth=2,evaluation=fitted v random" in capsys.readouterr().out
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
    assert "as expected" in capsys.readouterr().out
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


FIRST = "def choose(game, state):\n    return next(iter(game.actions(state)))\n"
NAMED = 'ALGORITHM, DEPTH, EVALUATION = "minimax", 1, "food"\n'


def test_a_file_plays_and_its_own_faults_are_named(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mine.py").write_text(FIRST)
    command = ["pacman", "play", "tiny", "--agent", "./mine.py", "--rounds", "5"]
    assert run([*command, "--json", "--html", "game.html"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["agent"] == "mine.py" and found["moves"] and Path("game.html").stat().st_size > 1000
    Path("mine.py").write_text("def choose(game, state):\n    return {}[state.score]\n")
    assert run(command) == 2
    told = capsys.readouterr().err
    assert "mine.py has failed" in told and "KeyError" in told and "return {}[state.score]" in told
    assert "pupil.py" not in told and "bug in Plywright" not in told
    Path("mine.py").write_text("x = 1\n")
    assert run(command) == 2
    assert "mine.py cannot be read: mine.py has nothing to grade" in capsys.readouterr().err
    assert run([*command[:-3], "./none.py"]) == 2
    assert "there is no file" in capsys.readouterr().err


def test_a_folder_is_graded_file_by_file_and_moves_that_are_not_best_are_named(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    folder = Path("class")
    folder.mkdir()
    (folder / "anna.py").write_text(NAMED + FIRST)
    (folder / "ben.py").write_text("x = 1\n")
    (folder / "_notes.py").write_text("raise SystemExit\n")
    command = ["pacman", "grade", "class", "--layouts", "tiny", "--games", "1"]
    assert run([*command, "--json", "--csv", "grades.csv"]) == 0
    found = json.loads(capsys.readouterr().out)
    anna, ben = found["files"]
    assert anna["file"].endswith("anna.py") and "nothing to grade" in ben["error"]
    missed = anna["moves_missed"]
    assert len(missed) == anna["moves_checked"] - anna["moves_right"] > 0
    game = load_game("pacman:layout=tiny")
    for each in missed:
        state = game.read_state(each["state"])
        assert game.format_action(state, next(iter(game.actions(state)))) == each["chosen"] not in each["best"]
    header, first, second = Path("grades.csv").read_text().splitlines()
    assert header.startswith("file,games,won,mean_score") and first.startswith("anna.py,1,")
    assert second.startswith("ben.py,,") and "nothing to grade" in second
    assert run(command) == 0
    told = capsys.readouterr().out
    name = f"anna.py, position {missed[0]['number']} on tiny: {missed[0]['chosen']} is not best, but "
    assert name in told and "ben.py has nothing to grade" in told and f"{anna['moves_right']}/12" in told
    assert run(["pacman", "grade", "class/anna.py", "--layouts", "tiny", "--games", "1"]) == 0
    assert missed[0]["picture"] in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "error"),
    [
        (["grade", "."], "there is no Python file to grade in the folder"),
        (["grade", "bad.lay", "--csv", "none/x.csv"], "there is no folder"),
        (["play", "loop", "--agent", "./mine.py", "--depth", "3"], "agents that search"),
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
