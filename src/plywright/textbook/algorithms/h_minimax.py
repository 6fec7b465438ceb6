"""H-minimax: minimax to a limited depth. A cutoff test takes the place of the terminal test, and an
evaluation of the state that of its utility; the two agree where the game is over.
"""

from __future__ import annotations

import math
from typing import Any

from ...game import Game
from ..trace.note import Note
from .minimax import Found
from .sides import evaluation, is_max

PSEUDOCODE = """
function H-MINIMAX-SEARCH(state, depth) returns a move
    v, move ← VALUE(state, depth)
    return move                                      @end

function IS-CUTOFF(state, depth) returns true or false
    return depth = 0 or IS-TERMINAL(state)

function VALUE(state, depth) returns (estimate, move)
    if IS-CUTOFF(state, depth) then
        return EVAL(state, MAX), none                @leaf @estimate
    if TO-MOVE(state) = MAX then
        return MAX-VALUE(state, depth)               @enter.max
    else return MIN-VALUE(state, depth)              @enter.min

function MAX-VALUE(state, depth) returns (estimate, move)
    v, move ← -∞, none
    for each a in ACTIONS(state) do
        v2, _ ← VALUE(RESULT(state, a), depth - 1)
        if v2 > v then v, move ← v2, a               @back-up.max
    return v, move                                   @return.max

function MIN-VALUE(state, depth) returns (estimate, move)
    v, move ← +∞, none
    for each a in ACTIONS(state) do
        v2, _ ← VALUE(RESULT(state, a), depth - 1)
        if v2 < v then v, move ← v2, a               @back-up.min
    return v, move                                   @return.min
"""


def h_minimax_search(game: Game, state: Any, depth: int, note: Note) -> Found:
    """The minimax value of the tree of `depth` plies under `state`, and the first move that secures it."""
    return value(game, state, depth, note)


def is_cutoff(game: Game, state: Any, depth: float) -> bool:
    return depth == 0 or game.is_terminal(state)


def value(game: Game, state: Any, depth: int, note: Note) -> Found:
    note.enter(state)
    if is_cutoff(game, state, depth):
        return note.last(evaluation(game, state), game.is_terminal(state)), None
    if is_max(game, state):
        return max_value(game, state, depth, note)
    return min_value(game, state, depth, note)


def max_value(game: Game, state: Any, depth: int, note: Note) -> Found:
    best, move = -math.inf, None
    for action in game.actions(state):
        reply, _ = value(game, game.result(state, action), depth - 1, note)
        if reply > best:
            best, move = reply, action
        note.back_up(best, move)
    return note.leave(best), move


def min_value(game: Game, state: Any, depth: int, note: Note) -> Found:
    best, move = math.inf, None
    for action in game.actions(state):
        reply, _ = value(game, game.result(state, action), depth - 1, note)
        if reply < best:
            best, move = reply, action
        note.back_up(best, move)
    return note.leave(best), move
