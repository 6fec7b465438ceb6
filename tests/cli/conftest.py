"""What the tests of the command line share."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from plywright.cli import main


@pytest.fixture
def plywright(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Callable[..., tuple[int, str, str]]:
    """Run a command in an empty folder; returns exit status, standard output, standard error."""
    monkeypatch.chdir(tmp_path)

    def invoke(*arguments: str, typed: str = "") -> tuple[int, str, str]:
        if typed:
            lines = iter(typed.splitlines())

            def answer(prompt: str = "") -> str:
                print(prompt, end="")
                try:
                    return next(lines)
                except StopIteration:
                    raise EOFError from None

            monkeypatch.setattr("builtins.input", answer)
        status = main(list(arguments))
        captured = capsys.readouterr()
        return status, captured.out, captured.err

    return invoke
