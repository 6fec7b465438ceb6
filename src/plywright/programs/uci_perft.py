"""`go perft N`, which is no word of UCI's and which people ask for all the same: the lines under each move."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from ..engine.perft import perft
from ..game import Game

DEEPEST = 100
"""Plies that are counted: nobody will see the end of more."""
AT_ONCE = 4
"""Plies that are counted in one go: in between it can be stopped."""


def divided(game: Game, state: Any, depth: int, stopped: Callable[[], bool]) -> Iterator[tuple[int, int]]:
    """Each action with the lines of `depth` plies that begin with it, until it is stopped."""
    for action in game.actions(state):
        lines = _lines(game, game.state_after(state, action), min(depth, DEEPEST) - 1, stopped)
        if stopped():
            return
        yield int(action), lines


def _lines(game: Game, state: Any, depth: int, stopped: Callable[[], bool]) -> int:
    if depth <= AT_ONCE or game.is_terminal(state):
        return perft(game, depth, state, finished=False)
    after = (game.state_after(state, action) for action in game.actions(state) if not stopped())
    return sum(_lines(game, each, depth - 1, stopped) for each in after)
