"""The course project's folder: its bots play legally in every language, its script tells good bots from bad ones."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from plywright.cli import main

BOTS = {
    "python": (sys.executable, None, f"{sys.executable} python/bot.py"),
    "c": ("cc", "cc -O2 -Wall -Werror -o c/bot c/bot.c", "./c/bot"),
    "javascript": ("node", None, "node javascript/bot.js"),
    "java": ("jar", "javac -d . java/Bot.java", "java -jar java/bot.jar"),
}


@pytest.fixture
def kit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "project"
    assert main(["new", "othello-project", str(folder)]) == 0
    monkeypatch.chdir(folder)
    return folder


@pytest.mark.parametrize("language", BOTS)
def test_every_bot_plays_legally(language: str, kit: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tool, build, command = BOTS[language]
    if shutil.which(tool) is None:
        pytest.skip(f"no {tool} here")
    if build:
        subprocess.run(build.split(), check=True, capture_output=True)
    if language == "java":
        subprocess.run(["jar", "cfe", "java/bot.jar", "Bot", "Bot.class"], check=True)
    capsys.readouterr()
    for size, games in ((4, "4"), (8, "2")):
        players = [f"xy:{command} {size}?start=20", "random"]
        options = ["--game", f"othello:size={size}", "--games", games, "--mode", "depth:1", "--openings", "random:2"]
        status = main(["match", *players, *options, "--record", f"run-{size}.plywright", "--json"])
        captured = capsys.readouterr()
        assert status == 0, captured.err
        assert all(set(causes) == {"normal"} for causes in json.loads(captured.out)["terminations"].values())


def test_a_bot_is_shown_the_folder_that_the_assignment_tells_of(kit: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert 'check_bot.py "python bot.py?folder=python"' in (kit / "ASSIGNMENT.md").read_text()
    (kit / "python" / "book.txt").write_text("f5")
    bot = kit / "python" / "bot.py"
    bot.write_text("open('book.txt').close()\n" + bot.read_text())
    capsys.readouterr()
    for command, cause in (("python python/bot.py 4", "crashed"), ("python bot.py 4?folder=python", "normal")):
        options = ["--game", "othello:size=4", "--games", "2", "--mode", "depth:1", "--json"]
        assert main(["match", f"xy:{command}", "random", *options]) == 0
        causes = json.loads(capsys.readouterr().out)["terminations"][f"xy:{command}"]
        assert set(causes) == {cause}, command


def checked(kit: Path, command: str) -> subprocess.CompletedProcess[str]:
    arguments = [sys.executable, "check_bot.py", command, "--size", "4"]
    return subprocess.run(arguments, cwd=kit, capture_output=True, text=True, timeout=600)


@pytest.mark.slow
def test_the_script_passes_a_good_bot_and_names_what_a_bad_one_did(kit: Path) -> None:
    good = checked(kit, f"{sys.executable} python/bot.py 4")
    assert good.returncode == 0 and good.stdout.count("passed") == 4, good.stdout + good.stderr
    (kit / "bad.py").write_text("import sys\nfor line in sys.stdin:\n    print('1 1', flush=True)\n")
    bad = checked(kit, f"{sys.executable} bad.py")
    assert bad.returncode == 1 and "FAILED" in bad.stdout and "illegal" in bad.stdout, bad.stdout + bad.stderr
    told = re.findall(r"game (\d): (.+); `plywright replay \S+ (\d)` shows it", bad.stdout)
    assert {number for number, _, _ in told} == {"1", "2"}
    assert all(
        number == again and "wrote '1 1' (a4), which is not legal; legal: " in reason for number, reason, again in told
    ), bad.stdout
    absent = checked(kit, "./no-such-bot")
    assert absent.returncode == 1 and "no such program" in absent.stderr and "Traceback" not in absent.stderr


def test_a_kit_is_written_whole_or_not_at_all(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "kd"
    folder.mkdir()
    (folder / "c").write_text("mine")
    (tmp_path / "dangling").symlink_to(tmp_path / "nowhere")
    linked = tmp_path / "linked"
    linked.mkdir()
    (linked / "java").symlink_to(folder)
    for place, told in ((folder, "is no folder"), (tmp_path / "dangling", "is no folder"), (linked, "is a link")):
        assert main(["new", "othello-project", str(place)]) == 2
        assert told in capsys.readouterr().err
    assert [one.name for one in folder.iterdir()] == ["c"] and not (linked / "ASSIGNMENT.md").exists()


def test_nothing_is_overwritten_unasked(kit: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (kit / "python" / "bot.py").write_text("mine")
    assert main(["new", "othello-project", str(kit)]) == 2
    assert "--force" in capsys.readouterr().err and (kit / "python" / "bot.py").read_text() == "mine"
    assert main(["new", "othello-project", str(kit), "--force"]) == 0
    assert (kit / "python" / "bot.py").read_text() != "mine"
    assert main(["new", "othello-project", ""]) == 2
    assert "a folder has a name" in capsys.readouterr().err
    assert main(["new", "othelo-project", str(kit)]) == 2
    assert "othello-project" in capsys.readouterr().err
