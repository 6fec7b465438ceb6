"""Alpha-beta, fail-soft: the value and the move of minimax without looking at what cannot matter.

alpha is the best that MAX has so far on the way from the root, beta the best that MIN has. A MIN node
whose value falls to alpha, or a MAX node whose value reaches beta, is left: its other moves can only
make it less attractive to the side that could avoid it further up. What `value` returns is the
minimax value if it lies strictly inside the window; outside it is a bound (Fishburn 1983).
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
    v, move ← -∞, none
    for each a in ACTIONS(state) do
        v2, _ ← VALUE(RESULT(state, a), α, β)
        if v2 > v then v, move ← v2, a               @back-up.max
        α ← max(α, v)                                @back-up.max
        if v ≥ β then return v, move                 @cut.max
    return v, move                                   @return.max

function MIN-VALUE(state, α, β) returns (utility, move)
    v, move ← +∞, none
    for each a in ACTIONS(state) do
        v2, _ ← VALUE(RESULT(state, a), α, β)
        if v2 < v then v, move ← v2, a               @back-up.min
        β ← min(β, v)                                @back-up.min
        if v ≤ α then return v, move                 @cut.min
    return v, move                                   @return.min
"""


def alphabeta_search(game: Game, state: Any, depth: None, note: Note) -> Found:
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
    best, move = -math.inf, None
    for action in game.actions(state):
        reply, _ = value(game, game.result(state, action), alpha, beta, note)
        if reply > best:
            best, move = reply, action
        alpha = max(alpha, best)
        note.back_up(best, move, alpha, beta)
        if best >= beta:
            return note.cut(best), move
    return note.leave(best), move


def min_value(game: Game, state: Any, alpha: float, beta: float, note: Note) -> Found:
    best, move = math.inf, None
    for action in game.actions(state):
        reply, _ = value(game, game.result(state, action), alpha, beta, note)
        if reply < best:
            best, move = reply, action
        beta = min(beta, best)
        note.back_up(best, move, alpha, beta)
        if best <= alpha:
            return note.cut(best), move
    return note.leave(best), move
