"""Workspaces of expectation searches are used again by the next search of the game."""

from __future__ import annotations

import contextlib
import time

import pytest

from plywright import load_game, search
from plywright.compiled import interpreted


@pytest.mark.parametrize("compiled", [True, False])
def test_a_search_that_takes_over_a_workspace_keeps_to_its_time(compiled: bool) -> None:
    """It once had no deadline of its own, and went on for ever."""
    game = load_game("pig")
    with contextlib.nullcontext() if compiled else interpreted():
        search(game, depth=3)  # few places of the table: its workspace is kept
        assert game.__dict__["_workspaces"]
        for _ in range(2):
            began = time.monotonic()
            found = search(game, time=0.1)
            assert time.monotonic() - began < 3 and found.seconds < 2
