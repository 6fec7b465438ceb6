"""Minimax: the value of a game when both sides play their best, by looking at all of it."""

from __future__ import annotations

import math
from typing import Any

from ...game import Game
from ..trace.note import Note
from .sides import is_max, max_utility

PSEUDOCODE = """
function MINIMAX-SEARCH(state) returns a move
    v, move ← VALUE(state)
    return move                                      @end

function VALUE(state) returns (utility, move)
    if IS-TERMINAL(state) then
        return UTILITY(state, MAX), none             @leaf
    if TO-MOVE(state) = MAX then
        return MAX-VALUE(state)                      @enter.max
    else return MIN-VALUE(state)                     @enter.min

function MAX-VALUE(state) returns (utility, move)
    v, move ← -∞, none
    for each a in ACTIONS(state) do
        v2, _ ← VALUE(RESULT(state, a))
        if v2 > v then v, move ← v2, a               @back-up.max
    return v, move                                   @return.max

function MIN-VALUE(state) returns (utility, move)
    v, move ← +∞, none
    for each a in ACTIONS(state) do
        v2, _ ← VALUE(RESULT(state, a))
        if v2 < v then v, move ← v2, a               @back-up.min
    return v, move                                   @return.min
"""

Found = tuple[float, int | None]
"""A value from the perspective of MAX and the move that secures it; no move where the game is over."""


def minimax_search(game: Game, state: Any, depth: None, note: Note) -> Found:
    """The minimax value of `state` and the first move that secures it."""
    return value(game, state, note)


def value(game: Game, state: Any, note: Note) -> Found:
    note.enter(state)
    if game.is_terminal(state):
        return note.leaf(max_utility(game, state)), None
    if is_max(game, state):
        return max_value(game, state, note)
    return min_value(game, state, note)


def max_value(game: Game, state: Any, note: Note) -> Found:
    best, move = -math.inf, None
    for action in game.actions(state):
        reply, _ = value(game, game.result(state, action), note)
        if reply > best:
            best, move = reply, action
        note.back_up(best, move)
    return note.leave(best), move


def min_value(game: Game, state: Any, note: Note) -> Found:
    best, move = math.inf, None
    for action in game.actions(state):
        reply, _ = value(game, game.result(state, action), note)
        if reply < best:
            best, move = reply, action
        note.back_up(best, move)
    return note.leave(best), move
