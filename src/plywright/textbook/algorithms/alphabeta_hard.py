"""Alpha-beta, fail-hard: as Knuth and Moore (1975) write it. No inner node answers outside its window.

It looks at the leaves that fail-soft looks at and finds the same value and move; a node that turns
out not to matter answers with the bound it failed to beat, and so says less about itself.
"""

from __future__ import annotations

import math
from typing import Any

from ...game import Game
from ..trace.note import Note
from .minimax import Found
from .sides import is_max, max_utility

PSEUDOCODE = """
function ALPHA-BETA-SEARCH(state) returns a move
    v, move ← VALUE(state, -∞, +∞)
    return move                                      @end

function VALUE(state, α, β) returns (utility, move)
    if IS-TERMINAL(state) then
        return UTILITY(state, MAX), none             @leaf
    if TO-MOVE(state) = MAX then
        return MAX-VALUE(state, α, β)                @enter.max
    else return MIN-VALUE(state, α, β)               @enter.min

function MAX-VALUE(state, α, β) returns (utility, move)
    move ← none
    for each a in ACTIONS(state) do
        v2, _ ← VALUE(RESULT(state, a), α, β)
        if v2 > α then α, move ← v2, a               @back-up.max
        if α ≥ β then return β, move                 @cut.max
    return α, move                                   @return.max

function MIN-VALUE(state, α, β) returns (utility, move)
    move ← none
    for each a in ACTIONS(state) do
        v2, _ ← VALUE(RESULT(state, a), α, β)
        if v2 < β then β, move ← v2, a               @back-up.min
        if β ≤ α then return α, move                 @cut.min
    return β, move                                   @return.min
"""


def alphabeta_hard_search(game: Game, state: Any, depth: None, note: Note) -> Found:
    """The minimax value of `state` and the first move that secures it."""
    return value(game, state, -math.inf, math.inf, note)


def value(game: Game, state: Any, alpha: float, beta: float, note: Note) -> Found:
    note.enter(state, alpha, beta)
    if game.is_terminal(state):
        return note.leaf(max_utility(game, state)), None
    if is_max(game, state):
        return max_value(game, state, alpha, beta, note)
    return min_value(game, state, alpha, beta, note)


def max_value(game: Game, state: Any, alpha: float, beta: float, note: Note) -> Found:
    move = None
    for action in game.actions(state):
        reply, _ = value(game, game.result(state, action), alpha, beta, note)
        if reply > alpha:
            alpha, move = reply, action
        note.back_up(alpha, move, alpha, beta)
        if alpha >= beta:
            return note.cut(beta), move
    return note.leave(alpha), move


def min_value(game: Game, state: Any, alpha: float, beta: float, note: Note) -> Found:
    move = None
    for action in game.actions(state):
        reply, _ = value(game, game.result(state, action), alpha, beta, note)
        if reply < beta:
            beta, move = reply, action
        note.back_up(beta, move, alpha, beta)
        if beta <= alpha:
            return note.cut(alpha), move
    return note.leave(beta), move
