"""Whatever text a command is given: one sentence and exit status 2, or an answer; never a traceback or "a bug"."""

from __future__ import annotations

import io
import random
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType

import pytest
from mangled import DECISION, arguments, mangled, places

from plywright.cli.app import run
from plywright.compiled import interpreted

SECONDS = 60
"""No text may keep a command longer."""


def overdue(number: int, frame: FrameType | None) -> None:
    raise TimeoutError(f"a command has not come back for {SECONDS} s")


@pytest.fixture
def call(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Callable[[list[str]], None]:
    signal.signal(signal.SIGALRM, overdue)

    def call(words: list[str]) -> None:
        monkeypatch.setattr(sys, "stdin", io.StringIO(""))
        signal.alarm(SECONDS)
        try:
            with interpreted():  # texts are read alike, and nothing waits for a compiler
                status = run(words)
        finally:
            signal.alarm(0)
        told = capfd.readouterr()
        shown = [word if len(word) < 200 else f"{word[:200]}... ({len(word)})" for word in words]
        assert status in (0, 2), (shown, status, told.err[-500:])
        assert "a bug in Plywright" not in told.err and "Traceback" not in told.err, (shown, told.err[-800:])
        if status == 2:
            assert told.err.strip() and len(told.err) < 30_000, (shown, told.err[:500])

    return call


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: Callable[[list[str]], None]) -> Path:
    monkeypatch.chdir(tmp_path)
    match = ["match", "random", "random", "--game", "nim:heaps=1-2", "--games", "2"]
    call([*match, "--record", str(tmp_path / "run.db")])
    (tmp_path / "good.json").write_text(DECISION)
    return tmp_path


@pytest.mark.parametrize("rounds", [1, pytest.param(60, marks=pytest.mark.slow)])
def test_no_text_breaks_a_command(rounds: int, folder: Path, call: Callable[[list[str]], None]) -> None:
    rng = random.Random(rounds)
    for place in places(folder):
        for _ in range(rounds):
            call(arguments(place, rng))


@pytest.mark.parametrize("rounds", [20, pytest.param(600, marks=pytest.mark.slow)])
def test_no_file_breaks_a_command(rounds: int, folder: Path, call: Callable[[list[str]], None]) -> None:
    rng, path = random.Random(rounds), folder / "mangled.json"
    for _ in range(rounds):
        path.write_text(mangled(DECISION, rng))
        call(["utility", "decide", str(path)])
        call(["tree", str(path)])
