"""Star1: alpha-beta for games with dice (Ballard 1983).

Every value lies between L and U, the ends of the game's `utility_range`. After some outcomes of a
chance node its average is known to lie between what it is if all the rest are worth L and if they
are worth U; once that interval leaves the window (alpha, beta), the rest need no look. Turned round,
it is the window for the next outcome. Without bounds on the leaves nothing could be cut here.
"""

from __future__ import annotations

import math
from typing import Any

from ...errors import GameError
from ...game import CHANCE, Game
from ..trace.note import Note
from .expectimax import total
from .h_minimax import is_cutoff
from .minimax import Found
from .sides import evaluation, is_max, outcomes

PSEUDOCODE = """
function STAR1-SEARCH(state, depth) returns a move
    v, move ← VALUE(state, depth, -∞, +∞)
    return move                                      @end

function VALUE(state, depth, α, β) returns (utility, move)
    if IS-CUTOFF(state, depth) then
        return EVAL(state, MAX), none                @leaf @estimate
    if TO-MOVE(state) = CHANCE then
        return CHANCE-VALUE(state, depth, α, β)      @enter.chance
    if TO-MOVE(state) = MAX then
        return MAX-VALUE(state, depth, α, β)         @enter.max
    else return MIN-VALUE(state, depth, α, β)        @enter.min

function MAX-VALUE(state, depth, α, β) returns (utility, move)
    v, move ← -∞, none
    for each a in ACTIONS(state) do
        v2, _ ← VALUE(RESULT(state, a), depth - 1, α, β)
        if v2 > v then v, move ← v2, a               @back-up.max
        α ← max(α, v)                                @back-up.max
        if v ≥ β then return v, move                 @cut.max
    return v, move                                   @return.max

function MIN-VALUE(state, depth, α, β) returns (utility, move)
    v, move ← +∞, none
    for each a in ACTIONS(state) do
        v2, _ ← VALUE(RESULT(state, a), depth - 1, α, β)
        if v2 < v then v, move ← v2, a               @back-up.min
        β ← min(β, v)                                @back-up.min
        if v ≤ α then return v, move                 @cut.min
    return v, move                                   @return.min

function CHANCE-VALUE(state, depth, α, β) returns (utility, none)
    v, rest ← 0, 1
    for each (r, p) in CHANCE(state) do
        rest ← rest - p
        α2 ← (α - v - rest · U) / p
        β2 ← (β - v - rest · L) / p
        v2, _ ← VALUE(RESULT(state, r), depth, max(α2, L), min(β2, U))
        v ← v + p · v2                               @back-up.chance
        if v2 ≤ α2 then return v + rest · U, none    @cut-alpha.chance
        if v2 ≥ β2 then return v + rest · L, none    @cut-beta.chance
    return v, none                                   @return.chance
"""


def star1_search(game: Game, state: Any, depth: float, note: Note) -> Found:
    """The expectiminimax value of `state` and the first move that secures it."""
    return value(game, state, depth, -math.inf, math.inf, note)


def value(game: Game, state: Any, depth: float, alpha: float, beta: float, note: Note) -> Found:
    note.enter(state, alpha, beta)
    if is_cutoff(game, state, depth):
        return note.last(within_range(game, evaluation(game, state)), game.is_terminal(state)), None
    if game.to_move(state) == CHANCE:
        return chance_value(game, state, depth, alpha, beta, note)
    if is_max(game, state):
        return max_value(game, state, depth, alpha, beta, note)
    return min_value(game, state, depth, alpha, beta, note)


def max_value(game: Game, state: Any, depth: float, alpha: float, beta: float, note: Note) -> Found:
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


def min_value(game: Game, state: Any, depth: float, alpha: float, beta: float, note: Note) -> Found:
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


def chance_value(game: Game, state: Any, depth: float, alpha: float, beta: float, note: Note) -> Found:
    low, high = map(float, game.utility_range)
    parts: list[float] = []
    rest = 1.0
    for outcome, probability in outcomes(game, state):
        rest = max(rest - probability, 0.0)
        alpha_here = (alpha - total(parts) - rest * high) / probability
        beta_here = (beta - total(parts) - rest * low) / probability
        child = game.result(state, outcome)
        reply, _ = value(game, child, depth, max(alpha_here, low), min(beta_here, high), note)
        parts.append(probability * reply)
        note.weigh(total(parts), outcome, probability)
        if reply <= alpha_here:
            return note.cut(total([*parts, rest * high]), "alpha"), None
        if reply >= beta_here:
            return note.cut(total([*parts, rest * low]), "beta"), None
    return note.leave(total(parts)), None


def within_range(game: Game, worth: float) -> float:
    """The value itself; one outside `utility_range` would make the cuts wrong."""
    low, high = game.utility_range
    if not low - 1e-9 <= worth <= high + 1e-9 and not math.isnan(worth):
        raise GameError(f"a value of {worth:g} lies outside utility_range, {low:g} to {high:g}: widen it")
    return worth
