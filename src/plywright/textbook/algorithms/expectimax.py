"""Expectimax: the value of a game against chance alone, by averaging where chance moves.

Where chance moves, the size of a value matters and not only its order: an order-preserving change of
the utilities can change the decision, and only a positive affine one never does.
"""

from __future__ import annotations

import math
from typing import Any

from ...game import CHANCE, Game
from ..trace.note import Note
from .h_minimax import is_cutoff
from .minimax import Found
from .sides import evaluation, outcomes

PSEUDOCODE = """
function EXPECTIMAX-SEARCH(state, depth) returns a move
    v, move ← VALUE(state, depth)
    return move                                      @end

function VALUE(state, depth) returns (utility, move)
    if IS-CUTOFF(state, depth) then
        return EVAL(state), none                     @leaf @estimate
    if TO-MOVE(state) = CHANCE then
        return CHANCE-VALUE(state, depth)            @enter.chance
    else return MAX-VALUE(state, depth)              @enter.max

function MAX-VALUE(state, depth) returns (utility, move)
    v, move ← -∞, none
    for each a in ACTIONS(state) do
        v2, _ ← VALUE(RESULT(state, a), depth - 1)
        if v2 > v then v, move ← v2, a               @back-up.max
    return v, move                                   @return.max

function CHANCE-VALUE(state, depth) returns (utility, none)
    v ← 0
    for each (r, p) in CHANCE(state) do
        v2, _ ← VALUE(RESULT(state, r), depth)
        v ← v + p · v2                               @back-up.chance
    return v, none                                   @return.chance
"""


def expectimax_search(game: Game, state: Any, depth: float, note: Note) -> Found:
    """The expected utility of the best choices from `state`, and the first move that secures it."""
    return value(game, state, depth, note)


def value(game: Game, state: Any, depth: float, note: Note) -> Found:
    note.enter(state)
    if is_cutoff(game, state, depth):
        return note.last(evaluation(game, state), game.is_terminal(state)), None
    if game.to_move(state) == CHANCE:
        return chance_value(game, state, depth, note)
    return max_value(game, state, depth, note)


def max_value(game: Game, state: Any, depth: float, note: Note) -> Found:
    best, move = -math.inf, None
    for action in game.actions(state):
        reply, _ = value(game, game.result(state, action), depth - 1, note)
        if reply > best or move is None:
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


def total(parts: list[float]) -> float:
    """The sum, rounded once; infinities are allowed."""
    return math.fsum(parts) if all(map(math.isfinite, parts)) else float(sum(parts))
