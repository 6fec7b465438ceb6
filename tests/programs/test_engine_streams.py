"""`plywright engine` where standard input or output is closed, full, or has nobody at its other end."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

COMMAND = f"exec {sys.executable} -m plywright engine chess --protocol uci"


def run(redirections: str, text: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["sh", "-c", f"{COMMAND} {redirections}"], input=text, capture_output=True, text=True, timeout=60, check=False
    )


@pytest.mark.parametrize(("redirection", "name"), [("<&-", "input"), (">&-", "output")])
def test_a_closed_stream_is_named(redirection: str, name: str) -> None:
    done = run(redirection)
    assert done.returncode == 2 and f"standard {name} is closed" in done.stderr and "bug" not in done.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
def test_a_full_output_is_said_in_one_line() -> None:
    done = run(">/dev/full", "go depth 3\n")
    assert done.returncode == 2 and done.stderr == "plywright: No space left on device: standard output\n"


def test_a_reader_that_goes_ends_the_engine() -> None:
    """Also while the input is open, and quietly."""
    engine = subprocess.Popen(
        [*COMMAND.split()[1:]], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0
    )
    assert engine.stdin is not None and engine.stdout is not None and engine.stderr is not None
    with engine.stdin, engine.stderr:
        engine.stdin.write(b"go depth 99\n")
        assert os.read(engine.stdout.fileno(), 4)
        engine.stdout.close()
        began = time.monotonic()
        assert engine.wait(30) not in (0, None) and time.monotonic() - began < 20
        assert engine.stderr.read() == b""
