"""Perft: how many lines of a given length the rules allow. The first test of any rules.

Where chance decides, every outcome is a way on: a roll is a ply like a move, whatever its probability.
Two conventions are in use for games that end early: a finished game counts as a leaf at every
remaining depth (`finished=True`), or only lines of exactly that length count (`finished=False`).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..compiled import Workspace, kernel
from ..counters import FAULT, HEADER, NO_ACTIONS, NODES, STOPPED, stop_word
from ..errors import BadInput, GameError, Unsuitable
from ..game import CHANCE, Game
from ..games import as_game
from ..smoke_test import smoke_test
from .kernel_runner import run

ENDED = HEADER
"""The word of `work.info` that counts the lines which end before their full length."""
DEEPEST = 4096
"""Plies of a line: a searching thread has a stack of 64 kB for each."""


@kernel
def count_lines(game, state, depth, finished, work):
    """Leaves of the tree of `depth` plies under `state`; `finished` is 1 or 0."""
    info = work.info
    info[NODES] += 1
    if depth == 0:
        return 1
    if game.counts_actions and depth == 1:
        count = game.count_actions(state)
        return count if count > 0 else ended(finished, info)
    if game.rules_end and game.is_terminal(state):
        return ended(finished, info)
    if work.stop[0] != 0:
        info[STOPPED] = 1
    if info[STOPPED] != 0:
        return 0
    lines = 0
    moves = 0
    for action in game.actions(state):
        moves += 1
        lines += count_lines(game, game.result(state, action), depth - 1, finished, work)
    if moves == 0:
        if not game.rules_end:
            return ended(finished, info)
        info[FAULT] = NO_ACTIONS
        info[STOPPED] = 1
    return lines


@kernel
def count_lines_by_chance(game, state, depth, finished, work):
    """The same for games with chance nodes, whose outcomes are plies."""
    info = work.info
    info[NODES] += 1
    if depth == 0:
        return 1
    if game.is_terminal(state):
        return ended(finished, info)
    if work.stop[0] != 0:
        info[STOPPED] = 1
    if info[STOPPED] != 0:
        return 0
    lines = 0
    ways = 0
    if game.to_move(state) == CHANCE:
        for outcome, _ in game.chance(state):
            ways += 1
            lines += count_lines_by_chance(game, game.result(state, outcome), depth - 1, finished, work)
    else:
        for action in game.actions(state):
            ways += 1
            lines += count_lines_by_chance(game, game.result(state, action), depth - 1, finished, work)
    if ways == 0:
        info[FAULT] = NO_ACTIONS
        info[STOPPED] = 1
    return lines


def ended(finished, info):
    """How many lines a game that is over before the full length counts as."""
    info[ENDED] += finished
    return finished


def perft(game: Game | str, depth: int, state: Any = None, *, finished: bool = True) -> int:
    """The number of lines of `depth` plies, moves and outcomes of chance, from `state` (default: the start).

    Games that end before count as lines, too, unless `finished` is False, as in published tables of chess.
    """
    lines, _ = perft_counts(as_game(game), depth, state, finished=finished)
    return lines


def perft_counts(game: Game, depth: int, state: Any, *, finished: bool) -> tuple[int, int]:
    """The number of lines, and how many of them end before their full length."""
    if not isinstance(depth, int) or depth < 0:
        raise BadInput(f"perft depth must be a whole number of at least 0, not {depth!r}")
    if depth > DEEPEST:
        raise BadInput(f"perft counts lines of at most {DEEPEST:,} plies, not {depth:,}")
    if game.has_chance and not game.lists_chance:
        raise Unsuitable(f"perft counts outcomes of chance, but {game.name} only draws them: it needs chance()")
    smoke_test(game)
    state = game.start_state if state is None else game.vouched(state)
    work: Any = Workspace(info=np.zeros(ENDED + 1, np.int64), stop=stop_word())
    kernel = count_lines_by_chance if game.has_chance else count_lines
    lines, _ = run(kernel, game, (state, depth, int(finished), work), work)
    if work.info[FAULT] == NO_ACTIONS:
        rules = "actions() or chance() yields" if game.has_chance else "actions() yields"
        raise GameError(f"{game.name}: {rules} nothing in a state that is_terminal() calls unfinished")
    if work.info[STOPPED]:
        raise KeyboardInterrupt
    return int(lines), int(work.info[ENDED])
