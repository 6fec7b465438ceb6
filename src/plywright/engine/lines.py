"""Perft: how many lines of a given length the rules allow. The first test of any rules.

Two conventions are in use for games that end early: a finished game counts as a leaf at every
remaining depth (`finished=True`), or only lines of exactly that length count (`finished=False`).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..compiled import Workspace, kernel
from ..errors import BadInput, GameError, Unsuitable
from ..game import Game
from ..rehearsal import rehearse
from .alphabeta import FAULT, NODES, STOPPED
from .running import run
from .task import NO_ACTIONS


@kernel
def count_lines(game, state, depth, finished, work):
    """Leaves of the tree of `depth` plies under `state`; `finished` is 1 or 0."""
    counters = work.counters
    counters[NODES] += 1
    if depth == 0:
        return 1
    if game.rules_end and game.is_terminal(state):
        return finished
    if (counters[NODES] & 1023) == 0 and work.stop[0] != 0:
        counters[STOPPED] = 1
    if counters[STOPPED] != 0:
        return 0
    lines = 0
    moves = 0
    for action in game.actions(state):
        moves += 1
        lines += count_lines(game, game.result(state, action), depth - 1, finished, work)
    if moves == 0:
        if not game.rules_end:
            return finished
        counters[FAULT] = NO_ACTIONS
        counters[STOPPED] = 1
    return lines


def perft(game: Game, depth: int, state: Any = None, *, finished: bool = True) -> int:
    """The number of lines of `depth` plies from `state` (default: the start)."""
    if not isinstance(depth, int) or depth < 0:
        raise BadInput(f"perft depth must be a whole number of at least 0, not {depth!r}")
    if game.has_chance:
        raise Unsuitable(f"perft counts lines of games without chance; {game.name} has chance nodes")
    rehearse(game)
    state = game.start_state if state is None else game.coerce_state(state)
    work: Any = Workspace(counters=np.zeros(6, np.int64), stop=np.zeros(1, np.int64))
    lines, _ = run(count_lines, game, (state, depth, int(finished), work), work)
    if work.counters[FAULT] == NO_ACTIONS:
        raise GameError(f"{game.name}: actions() yields nothing in a state that is_terminal() calls unfinished")
    if work.counters[STOPPED]:
        raise KeyboardInterrupt
    return int(lines)
