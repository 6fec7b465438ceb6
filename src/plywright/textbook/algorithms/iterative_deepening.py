"""Iterative deepening: depth 1, 2, 3, ... until the game is resolved or the nodes are used up.

There is an answer from the first round on, and each round's answer is better founded than the last:
that makes a search anytime. The early rounds cost little, since every round is several times larger
than the one before.
"""

from __future__ import annotations

from typing import Any

from ...game import Game
from ..trace.note import Note, OutOfNodes
from .h_alphabeta import h_alphabeta_search
from .minimax import Found

PSEUDOCODE = """
function ITERATIVE-DEEPENING-SEARCH(state, limit) returns a move
    for depth ← 1 to limit do
        v, a ← VALUE(state, depth, -∞, +∞)           @begin
        if the nodes are used up then break          @stop
        move ← a
        if no state was cut off by depth then break
    return move                                      @end

function VALUE(state, depth, α, β) returns (estimate, move)
    if IS-CUTOFF(state, depth) then
        return EVAL(state, MAX), none                @leaf @estimate
    if TO-MOVE(state) = MAX then
        return MAX-VALUE(state, depth, α, β)         @enter.max
    else return MIN-VALUE(state, depth, α, β)        @enter.min

function MAX-VALUE(state, depth, α, β) returns (estimate, move)
    v, move ← -∞, none
    for each a in ACTIONS(state) do
        v2, _ ← VALUE(RESULT(state, a), depth - 1, α, β)
        if v2 > v then v, move ← v2, a               @back-up.max
        α ← max(α, v)                                @back-up.max
        if v ≥ β then return v, move                 @cut.max
    return v, move                                   @return.max

function MIN-VALUE(state, depth, α, β) returns (estimate, move)
    v, move ← +∞, none
    for each a in ACTIONS(state) do
        v2, _ ← VALUE(RESULT(state, a), depth - 1, α, β)
        if v2 < v then v, move ← v2, a               @back-up.min
        β ← min(β, v)                                @back-up.min
        if v ≤ α then return v, move                 @cut.min
    return v, move                                   @return.min
"""


def iterative_deepening_search(game: Game, state: Any, limit: int, note: Note) -> Found:
    """What the deepest finished round found; the first round is always finished."""
    found = h_alphabeta_search(game, state, 0, Note())
    for depth in range(1, limit + 1):
        note.begin(depth)
        try:
            value, move = h_alphabeta_search(game, state, depth, note)
        except OutOfNodes:
            note.stop(depth)
            break
        found = value, move
        note.finish(depth)
        if note.estimates == 0:
            break
    return found
