"""Expectimax: the value of a game against chance alone, by averaging where chance moves.

The `utility` that may be given is applied to what the game pays at its end. Where chance moves, its
shape matters and not only its order: averages of changed values are not changed averages.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from typing import Any, NamedTuple

from ..errors import GameError, Unsuitable
from ..game import CHANCE, Game
from ..rehearsal import rehearse
from ..result import EXACT, SearchResult
from ..utility.lottery import valued
from .minimax import Found
from .sides import max_utility

PSEUDOCODE = """
function EXPECTIMAX-SEARCH(state) returns a move
    v, move ← VALUE(state)
    return move

function VALUE(state) returns (utility, move)
    if IS-TERMINAL(state) then
        return U(UTILITY(state)), none
    if TO-MOVE(state) = CHANCE then
        return CHANCE-VALUE(state)
    else return MAX-VALUE(state)

function MAX-VALUE(state) returns (utility, move)
    v, move ← -∞, none
    for each a in ACTIONS(state) do
        v2, _ ← VALUE(RESULT(state, a))
        if v2 > v then v, move ← v2, a
    return v, move

function CHANCE-VALUE(state) returns (utility, none)
    v ← 0
    for each (r, p) in CHANCE(state) do
        v2, _ ← VALUE(RESULT(state, r))
        v ← v + p · v2
    return v, none
"""


class Working(NamedTuple):
    """What was worked out at one node: its ways on as (action, probability or None, value)."""

    state: Any
    kind: str  # leaf, max or chance
    ways: tuple[tuple[int, float | None, float], ...]
    value: float
    move: int | None
    ply: int


Utility = Callable[[Any], Any]
Watch = Callable[[Working], None]


class _Search(NamedTuple):
    game: Game
    utility: Utility | None
    watch: Watch


def expectimax(
    game: Game, state: Any = None, utility: Utility | None = None, watch: Watch | None = None
) -> SearchResult:
    """The best choice and its expected utility; `watch` is told what was worked out at each node, children first."""
    check(game)
    rehearse(game)
    state = game.start_state if state is None else game.coerce_state(state)
    began, seen = time.perf_counter(), list[Working]()

    def note(working: Working) -> None:
        seen.append(working)
        if watch is not None:
            watch(working)

    try:
        found, move = value(_Search(game, utility, note), state, 0)
    except RecursionError:
        raise Unsuitable(f"{game.name} has lines too long for expectimax, which calls itself once a ply") from None
    root = seen[-1]
    values = {action: worth for action, _, worth in root.ways} if root.kind == "max" else {}
    return SearchResult(
        action=None if move is None else int(move),
        value=found,
        values=(found,),
        bound=EXACT,
        proved=True,
        line=() if move is None else (int(move),),
        depth=max(working.ply for working in seen),
        nodes=len(seen),
        seconds=time.perf_counter() - began,
        algorithm="expectimax",
        tied=tuple(action for action, worth in values.items() if worth == found),
        actions=values,
    )


def check(game: Game) -> None:
    """Refuse, in one sentence, what expectimax cannot search."""
    if game.players != 1:
        count = game.players
        raise Unsuitable(f"expectimax cannot search {game.name}: it has {count} players, which need expectiminimax")
    if game.hidden:
        raise Unsuitable(f"expectimax cannot search {game.name}: the player does not see the whole state; it needs cfr")
    if game.has_chance and not hasattr(game, "chance"):
        raise Unsuitable(f"expectimax cannot search {game.name}: it must list its outcomes in chance(), not draw them")


def value(search: _Search, state: Any, ply: int) -> Found:
    game = search.game
    if game.is_terminal(state):
        return leaf_value(search, state, ply), None
    if game.to_move(state) == CHANCE:
        return chance_value(search, state, ply), None
    return max_value(search, state, ply)


def leaf_value(search: _Search, state: Any, ply: int) -> float:
    paid = max_utility(search.game, state)
    if math.isnan(paid):
        raise GameError(f"{search.game.name}: utility() is not a number (NaN)")
    worth = float(paid if search.utility is None else valued(search.utility, paid))
    search.watch(Working(state, "leaf", (), worth, None, ply))
    return worth


def max_value(search: _Search, state: Any, ply: int) -> Found:
    best, move = -math.inf, None
    ways = []
    for action in search.game.actions(state):
        reply, _ = value(search, search.game.result(state, action), ply + 1)
        ways.append((int(action), None, reply))
        if reply > best or move is None:
            best, move = reply, action
    if move is None:
        raise GameError(f"{search.game.name}: actions() yields nothing in a state that is_terminal() calls unfinished")
    search.watch(Working(state, "max", tuple(ways), best, int(move), ply))
    return best, move


def chance_value(search: _Search, state: Any, ply: int) -> float:
    ways = []
    for outcome, probability in search.game.chance(state):  # type: ignore[attr-defined]
        reply, _ = value(search, search.game.result(state, outcome), ply + 1)
        ways.append((int(outcome), float(probability), reply))
    if not math.isclose(math.fsum(p for _, p, _ in ways), 1, abs_tol=1e-9):
        raise GameError(f"{search.game.name}: the probabilities of chance() do not sum to 1")
    parts = [p * reply for _, p, reply in ways]
    expected = math.fsum(parts) if all(map(math.isfinite, parts)) else float(sum(parts))
    search.watch(Working(state, "chance", tuple(ways), expected, None, ply))
    return expected
