"""Programs of a class that mean harm: to each other's folders, to the machine, to the referee."""

from __future__ import annotations

import re
import shutil
import textwrap
import time
from pathlib import Path

import pytest
from bots import bot, hand_in, needs_bubblewrap

from plywright.classroom.check import Check, Examination, check_submission
from plywright.classroom.submissions import find_submissions
from plywright.programs.build import build
from plywright.programs.home import home_command
from plywright.programs.isolation import isolation

pytestmark = needs_bubblewrap

SPY = """
    import os
    def reachable(paths):
        found = []
        for path in paths:
            try:
                found.append(os.listdir(path) if os.path.isdir(path) else open(path).read())
            except OSError:
                pass
        return [what for what in map(str, found) if "ben" in what or "json" in what or "secret" in what]
"""


def checked(folder: Path, name: str) -> Check:
    programs = folder.parent / "programs"
    programs.mkdir(exist_ok=True)
    by = Examination("tic-tac-toe", ("move:1s",), "bubblewrap", str(programs))
    found = {each.name: each for each in find_submissions(folder, "tic-tac-toe", "json")}
    return check_submission(found[name], by)


def test_programs_cannot_read_each_others_folders(tmp_path: Path) -> None:
    submissions = tmp_path / "submissions"
    hand_in(submissions, "ben", "legal[0]")
    assert checked(submissions, "ben").passed
    placed = next((tmp_path / "programs").iterdir())
    record = tmp_path / "games.plywright"
    record.write_text("secret")
    targets = [tmp_path, submissions, submissions / "ben" / "bot.py", placed, placed / "bot.py", record]
    spying = f"legal[0] if not reachable({list(map(str, targets))!r}) else 'z9'"
    place = hand_in(submissions, "ann", spying, spy__py=SPY)
    (place / "bot.py").write_text("from spy import reachable\n" + bot(spying))
    (place / "peek").symlink_to(placed)
    # A first line that names an interpreter opens no folder, nor does a student whose name is `bin`.
    script = hand_in(submissions, "bin", "", run="./start", start=f"#!{placed}/bot.py\n")
    (script / "start").chmod(0o755)
    assert checked(submissions, "ann").passed
    assert not checked(submissions, "bin").fit
    hand_in(submissions, "eve", "", run=f"python {placed / 'bot.py'}")
    assert not checked(submissions, "eve").fit  # the file is not there for it


def test_a_command_runs_what_is_in_the_folder_or_the_system(tmp_path: Path) -> None:
    home = hand_in(tmp_path, "ann", "legal[0]")
    (home / "tool").write_text("#!/bin/sh\n")
    (home / "link").symlink_to("/bin/sh")
    assert home_command("python bot.py --fast", home)[1:] == ["bot.py", "--fast"]
    for command, said in (
        ("./tool", "not executable"),
        ("tool", "./tool"),
        ("../ann/../../bin/sh", "own folder"),
        ("/bin/sh -c x", "own folder"),
        ("./link", "own folder"),
        ("python other.py", "no file"),
        ("no-such-program", "no such program"),
        ("'", "cannot be read"),
        (f"./{'x' * 5000}", "no such program"),
    ):
        with pytest.raises(Exception, match=said):
            home_command(command, home)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("step", "said"),
    [
        ("while :; do :; done", "more than 3 s"),
        ("sleep 1000", "more than 3 s"),
        ("head -c 200M /dev/zero > big", "status"),
        ("for i in 1 2 3 4 5 6 7 8 9; do head -c 60M /dev/zero > big$i; done", "status|MB"),
        ("truncate -s 1T hole", "status|MB"),
        ("truncate -s 60M a; truncate -s 60M b", "more than 64 MB"),
        ("i=0; while [ $i -lt 6000 ]; do : > f$i; i=$((i+1)); done", "more than 5,000 files"),
        ("f() { f | f & }; f; sleep 2; exit 1", "status|processes|more than 3 s"),
        ("cat /dev/zero", "more than 3 s|status|memory"),
        ("python3 -c 'x = bytearray(4 << 30)'", "status|memory|more than 3 s"),
        ("kill -9 -1; kill -9 $PPID; sleep 5", "SIGKILL|status|more than 3 s"),
        ("exec 1>&-; exit 7", "status 7"),
        ("exit 3", "status 3"),
    ],
)
def test_a_build_step_is_bounded(step: str, said: str, tmp_path: Path) -> None:
    home = hand_in(tmp_path, "ann", "legal[0]")
    before = sorted(path.name for path in home.iterdir())
    began = time.monotonic()
    seconds = 3.0 if "3 s" in said else 50.0  # a busy machine may need longer for what ends by itself
    built = build(home, step, isolation("bubblewrap"), seconds=seconds)

    assert re.search(said, built.fault), built
    assert not built.files and time.monotonic() - began < 60
    assert sorted(path.name for path in home.iterdir()) == before


@pytest.mark.slow
def test_a_build_step_reaches_nothing_and_leaves_only_plain_files(tmp_path: Path) -> None:
    home = hand_in(tmp_path, "ann", "legal[0]")
    other = hand_in(tmp_path, "ben", "legal[0]")
    probes = "; ".join(
        f"! {probe} 2>/dev/null"
        for probe in (
            f"cat {other}/bot.py",
            f"ls {tmp_path}/ben",
            f"touch {home}/mark",
            "cat /etc/passwd",
            "ls /root /home",
            "python3 -c 'import socket; socket.create_connection((\"127.0.0.1\", 22), 1)'",
            "touch /usr/mark",
        )
    )
    step = f"{probes}; ln -s /etc/passwd link; mkfifo pipe; mkdir -p a/b; echo hi > a/b/c; chmod 4755 a/b/c; echo done"
    built = build(home, step, isolation("bubblewrap"))
    assert built.fault == "" and built.log.endswith("done")
    assert set(built.files) == {"bot.py", "a/b/c"} and built.files["a/b/c"] == (b"hi\n", True)
    hand_in(tmp_path / "submissions", "cat", "legal[0]", build="echo extra > made; ln -s / root")
    assert checked(tmp_path / "submissions", "cat").passed
    placed = next((tmp_path / "programs").iterdir())
    assert sorted(path.name for path in placed.iterdir()) == ["bot.py", "build", "made"]


@pytest.mark.slow
def test_an_archive_of_ones_own_leads_nowhere_else(tmp_path: Path) -> None:
    """A step may write whatever it likes into the archive: it is taken for files below its folder, or for nothing."""
    home = hand_in(tmp_path, "ann", "legal[0]")
    script = """
        import io, sys, tarfile
        out = open("/proc/%s/fd/1" % sys.argv[1], "wb")
        with tarfile.open(fileobj=out, mode="w|") as archive:
            names = {"../out": b"0", "/tmp/out": b"0", "dir": b"5", "link": b"2", "dev": b"3", "ok": b"0"}
            for name, kind in names.items():
                info = tarfile.TarInfo(name)
                info.type, info.linkname, info.size, info.mode = kind, "/etc/passwd", 2 if kind == b"0" else 0, 0o7777
                archive.addfile(info, io.BytesIO(b"hi"))
    """
    (home / "forge.py").write_text(textwrap.dedent(script))
    built = build(home, "python3 forge.py $PPID; kill -9 $PPID", isolation("bubblewrap"))
    assert built.fault or set(built.files) <= {"ok", "bot.py", "forge.py"}
    built = build(home, "python3 forge.py $PPID", isolation("bubblewrap"))
    assert built.fault or set(built.files) <= {"ok", "bot.py", "forge.py"}


def test_a_tool_that_the_sandbox_does_not_see_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """rustup and nvm install into the home of whoever ran them: `not found` alone was no help to anybody."""
    tool = tmp_path / "home" / "own-compiler"
    tool.parent.mkdir()
    tool.write_text("#!/bin/sh\n")
    tool.chmod(0o755)
    monkeypatch.setenv("PATH", str(tool.parent), prepend=":")
    hand_in(tmp_path / "submissions", "ann", "legal[0]", build="own-compiler bot.py\n", run="python bot.py")
    hand_in(tmp_path / "submissions", "ben", "legal[0]", run="own-compiler bot.py")
    hand_in(tmp_path / "submissions", "cy", "legal[0]", build="no-such-tool\n", run="python bot.py")
    words = f"own-compiler is {tool} here, which the sandbox does not see: install it for the whole system"
    assert words in checked(tmp_path / "submissions", "ann").first_fault
    assert words in checked(tmp_path / "submissions", "ben").first_fault
    assert "not found" in (fault := checked(tmp_path / "submissions", "cy").first_fault) and "sandbox" not in fault


def test_a_folder_of_links_is_told_from_an_empty_one(tmp_path: Path) -> None:
    (tmp_path / "submissions" / "ann").mkdir(parents=True)
    (tmp_path / "submissions" / "ann" / "bot.py").symlink_to("/etc/passwd")
    assert "links are not followed" in checked(tmp_path / "submissions", "ann").first_fault


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("javac") is None, reason="no Java compiler here")
def test_a_program_in_java_is_built_in_the_sandbox(tmp_path: Path) -> None:
    """The compiler reads settings that many systems keep beside their programs."""
    source = "public class Bot { public static void main(String[] a) { System.out.println(new java.util.Random()); } }"
    hand_in(tmp_path / "submissions", "ann", "", Bot__java=source)
    steps = {step.name: step for step in checked(tmp_path / "submissions", "ann").steps}
    assert steps["builds"].passed, steps["builds"]
