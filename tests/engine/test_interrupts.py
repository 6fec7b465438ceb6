"""Ctrl-C ends one search, which then answers; where a loop says so it ends the loop."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from plywright import load_game, search
from plywright.arena.worker import Inline
from plywright.engine import analyse
from plywright.engine.interrupts import interruptible

game = load_game("connect-four")


@contextmanager
def ctrl_c(after: float = 0.3) -> Iterator[None]:
    """A real Ctrl-C while the block runs, which must be over soon after it."""
    timer = threading.Timer(after, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    began = time.monotonic()
    yield
    timer.join()
    assert time.monotonic() - began < 20


@pytest.mark.parametrize("algorithm", ["pvs", "mcts"])
def test_a_loop_over_searches_ends(algorithm: str) -> None:
    done = 0
    search(game, nodes=1, algorithm=algorithm)
    with ctrl_c(), pytest.raises(KeyboardInterrupt), interruptible():
        while True:
            search(game, time=60, algorithm=algorithm)
            done += 1
    assert done == 0


def test_one_search_answers_before_the_block_and_after_it() -> None:
    with interruptible():
        search(game, nodes=100)
    with ctrl_c():
        assert search(game, time=60).depth >= 2


def test_improving_answers_come_before_the_interrupt() -> None:
    found = []
    with ctrl_c(), pytest.raises(KeyboardInterrupt), interruptible():
        found.extend(analyse(game, time=60))
    assert found and found[-1].depth >= 2


def test_what_is_played_in_this_process_ends() -> None:
    with ctrl_c(), pytest.raises(KeyboardInterrupt):
        Inline().submit(search, game, time=60)
