"""H-expectiminimax: expectiminimax to a limited depth, with an evaluation where it stops.

The depth counts the moves of the players; an outcome of chance costs nothing, so that depth 2 in
backgammon is a move, the opponent's roll and the opponent's move.
"""

from __future__ import annotations

import math
from typing import Any

from ...game import CHANCE, Game
from ..trace.note import Note
from .expectimax import total
from .h_minimax import is_cutoff
from .minimax import Found
from .sides import evaluation, is_max, outcomes

PSEUDOCODE = """
function H-EXPECTIMINIMAX-SEARCH(state, depth) returns a move
    v, move ← VALUE(state, depth)
    return move                                      @end

function IS-CUTOFF(state, depth) returns true or false
    return depth = 0 or IS-TERMINAL(state)

function VALUE(state, depth) returns (estimate, move)
    if IS-CUTOFF(state, depth) then
        return EVAL(state, MAX), none                @leaf @estimate
    if TO-MOVE(state) = CHANCE then
        return CHANCE-VALUE(state, depth)            @enter.chance
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

function CHANCE-VALUE(state, depth) returns (estimate, none)
    v ← 0
    for each (r, p) in CHANCE(state) do
        v2, _ ← VALUE(RESULT(state, r), depth)
        v ← v + p · v2                               @back-up.chance
    return v, none                                   @return.chance
"""


def h_expectiminimax_search(game: Game, state: Any, depth: float, note: Note) -> Found:
    """The expectiminimax value of the tree of `depth` moves under `state`, and the first move that secures it."""
    return value(game, state, depth, note)


def value(game: Game, state: Any, depth: float, note: Note) -> Found:
    note.enter(state)
    if is_cutoff(game, state, depth):
        return note.last(evaluation(game, state), game.is_terminal(state)), None
    if game.to_move(state) == CHANCE:
        return chance_value(game, state, depth, note)
    if is_max(game, state):
        return max_value(game, state, depth, note)
    return min_value(game, state, depth, note)


def max_value(game: Game, state: Any, depth: float, note: Note) -> Found:
    best, move = -math.inf, None
    for action in game.actions(state):
        reply, _ = value(game, game.result(state, action), depth - 1, note)
        if reply > best:
            best, move = reply, action
        note.back_up(best, move)
    return note.leave(best), move


def min_value(game: Game, state: Any, depth: float, note: Note) -> Found:
    best, move = math.inf, None
    for action in game.actions(state):
        reply, _ = value(game, game.result(state, action), depth - 1, note)
        if reply < best:
            best, move = reply, action
        note.back_up(best, move)
    return note.leave(best), move


def chance_value(game: Game, state: Any, depth: float, note: Note) -> Found:
    parts = []
    for outcome, probability in outcomes(game, state):
        reply, _ = value(game, game.result(state, outcome), depth, note)
        parts.append(probability * reply)
        note.weigh(total(parts), outcome, probability)
    return note.leave(total(parts)), None
