"""Best-reply search: between two moves of MAX only one opponent replies freely (Schadd & Winands 2011).

The player to move at the root is MAX. Of all the others only one, whichever hurts MAX most, chooses
among its moves; the rest make the first move that the rules list (BRS+, Esser et al. 2013), so that
every line stays legal. The tree is far smaller than that of max^n or paranoid search, and MAX looks
further ahead in it.
"""

from __future__ import annotations

import math
from itertools import islice
from typing import Any

from ...game import CHANCE, Game
from ..trace.note import Note
from .h_minimax import is_cutoff
from .maxn import FoundVector, vector_sum
from .sides import Vector, evaluations, is_max, outcomes

PSEUDOCODE = """
function BEST-REPLY-SEARCH(state, depth) returns a move
    me ← TO-MOVE(state)
    v, move ← VALUE(state, depth, -∞, +∞, false)
    return move                                      @end

function VALUE(state, depth, α, β, replied) returns (vector, move)
    if IS-CUTOFF(state, depth) then
        return EVAL(state), none                     @leaf @estimate
    if TO-MOVE(state) = CHANCE then
        return CHANCE-VALUE(state, depth, replied)   @enter.chance
    if TO-MOVE(state) = me then
        return MAX-VALUE(state, depth, α, β)         @enter.max
    else return MIN-VALUE(state, depth, α, β, replied)           @enter.min

function MAX-VALUE(state, depth, α, β) returns (vector, move)
    for each a in ACTIONS(state) do
        v2, _ ← VALUE(RESULT(state, a), depth - 1, α, β, false)
        if v2[me] > v[me] then v, move ← v2, a       @back-up.max
        α ← max(α, v[me])                            @back-up.max
        if v[me] ≥ β then return v, move             @cut.max
    return v, move                                   @return.max

function MIN-VALUE(state, depth, α, β, replied) returns (vector, move)
    for each a in ACTIONS(state), only the first if replied, do
        now ← replied or a is not the first
        v2, _ ← VALUE(RESULT(state, a), depth - 1, α, β, now)
        if v2[me] < v[me] then v, move ← v2, a       @back-up.min
        β ← min(β, v[me])                            @back-up.min
        if v[me] ≤ α then return v, move             @cut.min
    return v, move                                   @return.min

function CHANCE-VALUE(state, depth, replied) returns (vector, none)
    v ← (0, ..., 0)
    for each (r, p) in CHANCE(state) do
        v2, _ ← VALUE(RESULT(state, r), depth, -∞, +∞, replied)
        v ← v + p · v2                               @back-up.chance
    return v, none                                   @return.chance
"""


def best_reply_search(game: Game, state: Any, depth: float, note: Note) -> FoundVector:
    """What `note.player` gets against the one reply that hurts it most, and the first move that secures it."""
    return value(game, state, depth, -math.inf, math.inf, False, note)


def value(game: Game, state: Any, depth: float, alpha: float, beta: float, replied: bool, note: Note) -> FoundVector:
    note.enter(state, alpha, beta)
    if is_cutoff(game, state, depth):
        return note.last(evaluations(game, state), game.is_terminal(state)), None
    if game.to_move(state) == CHANCE:
        return chance_value(game, state, depth, replied, note)
    if is_max(game, state, note.player):
        return max_value(game, state, depth, alpha, beta, note)
    return min_value(game, state, depth, alpha, beta, replied, note)


def max_value(game: Game, state: Any, depth: float, alpha: float, beta: float, note: Note) -> FoundVector:
    me, best, move = note.player, Vector(), None
    for action in game.actions(state):
        reply, _ = value(game, game.result(state, action), depth - 1, alpha, beta, False, note)
        if not best or reply[me] > best[me]:
            best, move = reply, action
        alpha = max(alpha, best[me])
        note.back_up(best, move, alpha, beta)
        if best[me] >= beta:
            return note.cut(best), move
    return note.leave(best), move


def min_value(
    game: Game, state: Any, depth: float, alpha: float, beta: float, replied: bool, note: Note
) -> FoundVector:
    me, best, move = note.player, Vector(), None
    actions = list(islice(game.actions(state), 2 if replied else None))
    if replied and len(actions) > 1:
        note.leave_out()
        actions.pop()
    for number, action in enumerate(note.order(actions)):
        now = replied or number > 0
        reply, _ = value(game, game.result(state, action), depth - 1, alpha, beta, now, note)
        if not best or reply[me] < best[me]:
            best, move = reply, action
        beta = min(beta, best[me])
        note.back_up(best, move, alpha, beta)
        if best[me] <= alpha:
            return note.cut(best), move
    return note.leave(best), move


def chance_value(game: Game, state: Any, depth: float, replied: bool, note: Note) -> FoundVector:
    parts: list[Vector] = []
    for outcome, probability in outcomes(game, state):
        reply, _ = value(game, game.result(state, outcome), depth, -math.inf, math.inf, replied, note)
        parts.append(tuple(probability * worth for worth in reply))
        note.weigh(vector_sum(parts), outcome, probability)
    return note.leave(vector_sum(parts)), None
