"""Expectiminimax: minimax for games with dice. MAX and MIN choose, chance nodes are averaged."""

from __future__ import annotations

import math
from typing import Any

from ...game import CHANCE, Game
from ..trace.note import Note
from .expectimax import total
from .minimax import Found
from .sides import is_max, max_utility, outcomes

PSEUDOCODE = """
function EXPECTIMINIMAX-SEARCH(state) returns a move
    v, move ← VALUE(state)
    return move                                      @end

function VALUE(state) returns (utility, move)
    if IS-TERMINAL(state) then
        return UTILITY(state, MAX), none             @leaf
    if TO-MOVE(state) = CHANCE then
        return CHANCE-VALUE(state)                   @enter.chance
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

function CHANCE-VALUE(state) returns (utility, none)
    v ← 0
    for each (r, p) in CHANCE(state) do
        v2, _ ← VALUE(RESULT(state, r))
        v ← v + p · v2                               @back-up.chance
    return v, none                                   @return.chance
"""


def expectiminimax_search(game: Game, state: Any, depth: None, note: Note) -> Found:
    """The expected utility for MAX when both sides play their best, and the first move that secures it."""
    return value(game, state, note)


def value(game: Game, state: Any, note: Note) -> Found:
    note.enter(state)
    if game.is_terminal(state):
        return note.leaf(max_utility(game, state)), None
    if game.to_move(state) == CHANCE:
        return chance_value(game, state, note)
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


def chance_value(game: Game, state: Any, note: Note) -> Found:
    parts = []
    for outcome, probability in outcomes(game, state):
        reply, _ = value(game, game.result(state, outcome), note)
        parts.append(probability * reply)
        note.weigh(total(parts), outcome, probability)
    return note.leave(total(parts)), None
