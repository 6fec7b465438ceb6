"""Max^n: any number of players, each for itself (Luckhardt & Irani 1986).

A value is a vector with a component for each player, and whoever moves takes the move with the
largest own component. Equal ones are a tie: the first is taken, and what the others get may depend on
it, so ties are told. Where the game declares a `sum_bound` S on all components together (each being
at least L), a branch can be left: if the player to move there already has so much that too little is
left for the player above (shallow pruning, Korf 1991). Only what is strictly worse is left, so that
neither values nor ties change.
"""

from __future__ import annotations

import math
from typing import Any

from ...errors import GameError
from ...game import CHANCE, Game
from ..trace.note import Note
from .h_minimax import is_cutoff
from .sides import Vector, evaluations, outcomes

PSEUDOCODE = """
function MAXN-SEARCH(state, depth) returns a move
    v, move ← VALUE(state, depth, +∞)
    return move                                      @end

function VALUE(state, depth, most) returns (vector, move)
    if IS-CUTOFF(state, depth) then
        return EVAL(state), none                     @leaf @estimate
    if TO-MOVE(state) = CHANCE then
        return CHANCE-VALUE(state, depth)            @enter.chance
    i ← TO-MOVE(state)
    v, move ← none, none                             @enter.max
    for each a in ACTIONS(state) do
        left ← S - (n - 2) · L - v[i], or +∞ where there is no v or no S
        v2, _ ← VALUE(RESULT(state, a), depth - 1, left)
        if v2[i] > v[i] then v, move ← v2, a         @back-up.max
        if v[i] > most then return v, move           @cut.max
    return v, move                                   @return.max

function CHANCE-VALUE(state, depth) returns (vector, none)
    v ← (0, ..., 0)
    for each (r, p) in CHANCE(state) do
        v2, _ ← VALUE(RESULT(state, r), depth, +∞)
        v ← v + p · v2                               @back-up.chance
    return v, none                                   @return.chance
"""

FoundVector = tuple[Vector, int | None]
"""A value for each player and the move that leads to it; no move where the game is over or chance moves."""

ROUNDING = 1e-9


def maxn_search(game: Game, state: Any, depth: float, note: Note) -> FoundVector:
    """The vector when every player takes what is best for itself, and the first such move."""
    return value(game, state, depth, math.inf, note)


def value(game: Game, state: Any, depth: float, most: float, note: Note) -> FoundVector:
    note.enter(state, -math.inf, most)
    if is_cutoff(game, state, depth):
        return note.last(evaluations(game, state), game.is_terminal(state)), None
    mover = int(game.to_move(state))
    if mover == CHANCE:
        return chance_value(game, state, depth, note)
    best: Vector = ()
    move, equal = None, list[int]()
    for action in game.actions(state):
        child = game.result(state, action)
        reply, _ = value(game, child, depth - 1, left_over(game, child, mover, best), note)
        if not best or reply[mover] > best[mover]:
            best, move, equal = reply, action, []
        if reply[mover] == best[mover]:
            equal.append(int(action))
        note.back_up(best, move, -math.inf, most)
        if best[mover] > most + ROUNDING:
            return note.cut(best), move
    note.tied(equal)
    return note.leave(best), move


def chance_value(game: Game, state: Any, depth: float, note: Note) -> FoundVector:
    parts: list[Vector] = []
    for outcome, probability in outcomes(game, state):
        reply, _ = value(game, game.result(state, outcome), depth, math.inf, note)
        parts.append(tuple(probability * worth for worth in reply))
        note.weigh(vector_sum(parts), outcome, probability)
    return note.leave(vector_sum(parts)), None


def left_over(game: Game, child: Any, mover: int, best: Vector) -> float:
    """The most that the player who moves at `child` may have while the mover above can still gain there."""
    if not best or game.sum_bound is None or game.is_terminal(child) or int(game.to_move(child)) in (mover, CHANCE):
        return math.inf
    return float(game.sum_bound - (game.players - 2) * game.utility_range[0] - best[mover])


def vector_sum(parts: list[Vector]) -> Vector:
    if not parts:
        raise GameError("chance() yields no outcomes at a chance state")
    return tuple(math.fsum(column) for column in zip(*parts, strict=True))
