"""Alpha-beta to a limited depth: the value and the move of H-minimax with fewer evaluations."""

from __future__ import annotations

import math
from typing import Any

from ...game import Game
from ..trace.note import Note
from .h_minimax import is_cutoff
from .minimax import Found
from .sides import evaluation, is_max

PSEUDOCODE = """
function H-ALPHA-BETA-SEARCH(state, depth) returns a move
    v, move ← VALUE(state, depth, -∞, +∞)
    return move                                      @end

function IS-CUTOFF(state, depth) returns true or false
    return depth = 0 or IS-TERMINAL(state)

function VALUE(state, depth, α, β) returns (estimate, move)
    if IS-CUTOFF(state, depth) then
        return EVAL(state, MAX), none                @leaf @estimate
    if TO-MOVE(state) = MAX then
        return MAX-VALUE(state, depth, α, β)         @enter.max
    else return MIN-VALUE(state, depth, α, β)        @enter.min

function MAX-VALUE(state, depth, α, β) returns (estimate, move)
    v, move ← -∞, none
    for each a in ACTIONS(state) do
        v2, _ ← VALUE(RESULT(state, a), depth - 1, α, β)
        if v2 > v then v, move ← v2, a               @back-up.max
        α ← max(α, v)                                @back-up.max
        if v ≥ β then return v, move                 @cut.max
    return v, move                                   @return.max

function MIN-VALUE(state, depth, α, β) returns (estimate, move)
    v, move ← +∞, none
    for each a in ACTIONS(state) do
        v2, _ ← VALUE(RESULT(state, a), depth - 1, α, β)
        if v2 < v then v, move ← v2, a               @back-up.min
        β ← min(β, v)                                @back-up.min
        if v ≤ α then return v, move                 @cut.min
    return v, move                                   @return.min
"""


def h_alphabeta_search(game: Game, state: Any, depth: int, note: Note) -> Found:
    """The minimax value of the tree of `depth` plies under `state`, and the first move that secures it."""
    return value(game, state, depth, -math.inf, math.inf, note)


def value(game: Game, state: Any, depth: int, alpha: float, beta: float, note: Note) -> Found:
    note.enter(state, alpha, beta)
    if is_cutoff(game, state, depth):
        return note.last(evaluation(game, state), game.is_terminal(state)), None
    if is_max(game, state):
        return max_value(game, state, depth, alpha, beta, note)
    return min_value(game, state, depth, alpha, beta, note)


def max_value(game: Game, state: Any, depth: int, alpha: float, beta: float, note: Note) -> Found:
    best, move = -math.inf, None
    for action in game.actions(state):
        reply, _ = value(game, game.result(state, action), depth - 1, alpha, beta, note)
        if reply > best:
            best, move = reply, action
        alpha = max(alpha, best)
        note.back_up(best, move, alpha, beta)
        if best >= beta:
            return note.cut(best), move
    return note.leave(best), move


def min_value(game: Game, state: Any, depth: int, alpha: float, beta: float, note: Note) -> Found:
    best, move = math.inf, None
    for action in game.actions(state):
        reply, _ = value(game, game.result(state, action), depth - 1, alpha, beta, note)
        if reply < best:
            best, move = reply, action
        beta = min(beta, best)
        note.back_up(best, move, alpha, beta)
        if best <= alpha:
            return note.cut(best), move
    return note.leave(best), move
