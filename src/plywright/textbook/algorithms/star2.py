"""Star2: Star1 that first takes a quick look (Ballard 1983).

Before it searches the outcomes of a chance node one by one, it looks at the first move after each.
Where MAX moves there, that move is a lower bound of the outcome, where MIN moves an upper bound: often
the average is outside the window by these bounds alone. What the look has found is searched again
later; good first moves and a table of known positions make that cheap.
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
from .star1 import within_range

PSEUDOCODE = """
function STAR2-SEARCH(state, depth) returns a move
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

function MAX-VALUE and MIN-VALUE as in STAR1-SEARCH  @back-up.max @back-up.min @cut.max @cut.min @return.max @return.min

function CHANCE-VALUE(state, depth, α, β) returns (utility, none)
    low[r], high[r] ← L, U for each (r, p) in CHANCE(state)
    for each (r, p) in CHANCE(state) do
        low[r], high[r] ← PROBE(r, ...)              @back-up.chance
        if Σ p · high ≤ α then return Σ p · high     @cut-alpha.chance
        if Σ p · low ≥ β then return Σ p · low       @cut-beta.chance
    for each (r, p) in CHANCE(state) where low[r] < high[r] do
        α2 ← (α - Σ p · high of the others) / p
        β2 ← (β - Σ p · low of the others) / p
        v2, _ ← VALUE(RESULT(state, r), depth, max(α2, L), min(β2, U))
        low[r], high[r] ← v2, v2                     @back-up.chance
        if v2 ≤ α2 then return Σ p · high            @cut-alpha.chance
        if v2 ≥ β2 then return Σ p · low             @cut-beta.chance
    return Σ p · low, none                           @return.chance

function PROBE(state, ...) returns (low, high)
    if IS-CUTOFF(state, depth) then return EVAL(state, MAX) twice
    if TO-MOVE(state) = CHANCE then return L, U      @probe.chance
    a ← the first of ACTIONS(state)
    if TO-MOVE(state) = MAX then
        return VALUE(RESULT(state, a), depth - 1, L, β2), U      @probe.max
    else return L, VALUE(RESULT(state, a), depth - 1, α2, U)     @probe.min
"""

Bounds = dict[int, float]
"""By outcome."""


def star2_search(game: Game, state: Any, depth: float, note: Note) -> Found:
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
    odds = dict(outcomes(game, state))
    low = dict.fromkeys(odds, float(game.utility_range[0]))
    high = dict.fromkeys(odds, float(game.utility_range[1]))
    for look in (probe, search):
        for outcome, probability in odds.items():
            if low[outcome] == high[outcome]:
                continue  # the look has told all
            alpha_here = (alpha - average(odds, high, outcome)) / probability
            beta_here = (beta - average(odds, low, outcome)) / probability
            note.turn(outcome)
            child = game.result(state, outcome)
            low[outcome], high[outcome] = look(game, child, depth, alpha_here, beta_here, note)
            note.weigh(average(odds, low), outcome, probability)
            if high[outcome] <= alpha_here:
                return note.cut(average(odds, high), "alpha"), None
            if low[outcome] >= beta_here:
                return note.cut(average(odds, low), "beta"), None
    return note.leave(average(odds, low)), None


def probe(game: Game, state: Any, depth: float, alpha: float, beta: float, note: Note) -> tuple[float, float]:
    """Bounds of an outcome's value, from its first move alone."""
    low, high = map(float, game.utility_range)
    if is_cutoff(game, state, depth):
        return search(game, state, depth, alpha, beta, note)
    if game.to_move(state) == CHANCE:
        note.enter(state, low, high)
        note.probed(low)
        return low, high
    alpha, beta = (low, min(beta, high)) if is_max(game, state) else (max(alpha, low), high)
    note.enter(state, alpha, beta)
    action = next(iter(game.actions(state)))
    reply, _ = value(game, game.result(state, action), depth - 1, alpha, beta, note)
    note.probed(reply)
    return (reply, high) if is_max(game, state) else (low, reply)


def search(game: Game, state: Any, depth: float, alpha: float, beta: float, note: Note) -> tuple[float, float]:
    """The value of an outcome as both its bounds; outside (alpha, beta) it is only one of them."""
    low, high = map(float, game.utility_range)
    reply, _ = value(game, state, depth, max(alpha, low), min(beta, high), note)
    return reply, reply


def average(odds: dict[int, float], bounds: Bounds, without: int | None = None) -> float:
    return total([p * bounds[outcome] for outcome, p in odds.items() if outcome != without])
