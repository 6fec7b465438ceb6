"""Ctrl-C ends a command that runs one search after another; each search takes it for its own end."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable
from typing import Any

import pytest

import plywright.engine as plywright_engine
from plywright import load_game, search

Invoke = Callable[..., tuple[int, str, str]]


@pytest.mark.parametrize(
    ("first", "game", "words"),
    [
        ("bench.search", "connect-four", ("bench", "connect-four", "--depth", "40")),
        ("suite.analyse", "chess", ("suite", "classics", "--time", "4")),
    ],
)
def test_it_ends_the_command_and_not_one_search(
    plywright: Invoke, monkeypatch: pytest.MonkeyPatch, first: str, game: str, words: tuple[str, ...]
) -> None:
    search(load_game(game), nodes=1, algorithm="alphabeta" if game == "connect-four" else None)  # compiled before
    real = getattr(plywright_engine, first.split(".")[1])
    timer = threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT))

    def begun(*given: Any, **more: Any) -> Any:
        monkeypatch.undo()
        timer.start()
        return real(*given, **more)

    monkeypatch.setattr(f"plywright.cli.search.{first}", begun)
    status, out, _ = plywright(*words)
    timer.join()
    assert (status, out) == (130, "")
