"""Which level is in force, and what of the disk a program is shown."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from plywright import BadInput
from plywright.programs import isolation
from plywright.programs.isolation import Isolation, own_folders
from plywright.programs.process import resolve_command
from plywright.programs.program_player import fingerprint


def shown(tmp_path: Path, *files: str) -> list[Path]:
    """The folders shown for a command of these files in a home, less the interpreter's."""
    for name in files:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("#!/bin/sh\n")
        (tmp_path / name).chmod(0o755)
    found = own_folders([str(tmp_path / name) for name in files])
    return [path for path in found if tmp_path in path.parents or path == tmp_path]


def test_a_script_has_its_interpreter(tmp_path: Path) -> None:
    """A command in a virtual environment: its first line names a link to an interpreter elsewhere."""
    real, linked, script = (tmp_path / place / "bin" / "run" for place in ("real", "linked", "own"))
    for path in (real, linked, script):
        path.parent.mkdir(parents=True)
    real.write_bytes(b"\x7fELF")
    linked.symlink_to(real)
    script.write_text(f"#!{linked} -I\n")
    found = own_folders([str(script)])
    assert {tmp_path / "real", tmp_path / "linked", tmp_path / "own"} <= set(found)


def test_of_a_home_only_the_program_is_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    assert shown(tmp_path, "bot") == [tmp_path / "bot"]
    assert shown(tmp_path, "bin/bot") == [tmp_path / "bin"]
    assert shown(tmp_path, "bots/othello/bot") == [tmp_path / "bots" / "othello"]
    assert shown(tmp_path, "tools/bin/run", "bot.py") == [tmp_path / "bot.py", tmp_path / "tools"]


def test_words_that_are_no_files_show_nothing(tmp_path: Path) -> None:
    plain = own_folders([sys.executable])
    assert own_folders([sys.executable, "-c", "print(1)", "/", "/no/such/file", "bot.py"]) == plain
    assert own_folders([sys.executable, str(tmp_path)]) == sorted({*plain, tmp_path})


def test_a_command_is_found_where_the_user_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bot.py").write_text("")
    (tmp_path / "run.sh").write_text("#!/bin/sh\n")
    assert resolve_command("python bot.py --fast") == [sys.executable, str(tmp_path / "bot.py"), "--fast"]
    with pytest.raises(BadInput, match="not executable"):
        resolve_command("./run.sh")
    (tmp_path / "run.sh").chmod(0o755)
    assert resolve_command("./run.sh") == [str(tmp_path / "run.sh")]


def test_the_level_is_the_one_that_works(monkeypatch: pytest.MonkeyPatch) -> None:
    for bubble in (True, False):
        for groups in (True, False):
            monkeypatch.setattr(isolation, "bubblewrap_works", lambda works=bubble: works)
            monkeypatch.setattr(isolation, "groups_work", lambda works=groups: works)
            found = isolation.isolation("auto")
            assert (found.bubble, found.groups) == (bubble, groups)
            assert isolation.isolation("limits") == Isolation(False, groups)
    with pytest.raises(BadInput, match="isolation=limits does without"):
        isolation.isolation("bubblewrap")
    names = [str(Isolation(bubble, groups)) for bubble in (True, False) for groups in (True, False)]
    both = ["bubblewrap + control groups + limits", "bubblewrap + limits"]
    assert names == [*both, "control groups + limits", "limits"]


def test_the_report_says_which_bounds_do_not_hold() -> None:
    assert isolation.unbounded("in process") == isolation.unbounded("bubblewrap + control groups + limits") == ""
    assert "not bounded" in isolation.unbounded("bubblewrap + limits; in process")


def test_words_that_no_file_can_have_are_words() -> None:
    """A path that is too long, or behind a closed door, is an argument like any other."""
    word = "x" * 5000
    words = resolve_command(f"python {word}")
    assert words[1:] == [word] and len(fingerprint(words)) == 16
    assert own_folders([*words, f"/{word}"])


def test_a_program_that_is_plywright_finds_this_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A user's own packages and PYTHONPATH are not in a program's environment."""
    monkeypatch.setattr(isolation, "getsitepackages", lambda: [str(tmp_path)])
    assert isolation.clean_environment("/private")["PYTHONPATH"] == str(isolation.PLYWRIGHT)
    monkeypatch.setattr(isolation, "getsitepackages", lambda: [str(isolation.PLYWRIGHT)])
    assert "PYTHONPATH" not in isolation.clean_environment("/private")


def test_java_has_its_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    """They lie beside the system on many machines, and without them nothing is compiled."""
    monkeypatch.setattr(isolation, "java_settings", lambda: ["/etc/java-99-openjdk"])
    words = isolation.bubble(["/bin/true"], isolation.Limits())
    at = words.index("/etc/java-99-openjdk")
    assert words[at - 1 : at + 2] == ["--ro-bind-try", "/etc/java-99-openjdk", "/etc/java-99-openjdk"]
