"""Check of what values rest on: proofs that share entries among many states find what minimax finds.

One table serves the proofs of all states that minimax has solved, the smallest first. So an entry that covers a state
for which it does not hold, a move that was spared and was the best, or a bound with the wrong grounds makes a proof
come out wrong, here as in a long search.
"""

from __future__ import annotations

import time
from typing import Any

from ..contracts import TOLERANCE
from ..engine.alphabeta.solve import Solver
from ..rule_guard import Guard

PROVED = 400
"""States that are proved at most."""
EACH = 3
"""States of one shape and one value that are proved."""
MEGABYTES = 4.0
PATTERNS = ("shape", "pattern", "pattern_bits", "needed_for", "relied", "spares", "grounds", "banked")
"""The hooks that say what a value rests on."""


def wrong_proof(guard: Guard, values: dict[Any, float], seconds: float) -> tuple[Any, float, float] | None:
    """The first state whose proof is not worth what minimax finds: it, and both values for its mover; None: all are."""
    game, ended = guard.game, time.monotonic() + seconds
    solver = Solver(game, table_megabytes=MEGABYTES, compiled=False, knowledge=guard.knowledge)
    worth = {}
    for state, value in values.items():
        if not game.is_terminal(state):
            worth[state] = value if game.team_of[int(game.to_move(state))] == game.team_of[0] else -value
    states = list(worth)
    few = states[:: max(2 * len(states) // PROVED, 1)]  # small ones, which fill the table
    for state in (*few, *alike(guard, worth), *states[-PROVED // 2 :]):
        with guard.calling("a proof"):
            found = float(solver.value(state))
        if abs(found - worth[state]) > TOLERANCE:
            return state, found, worth[state]
        if time.monotonic() > ended:
            break
    return None


def alike(guard: Guard, worth: dict[Any, float]) -> list[Any]:
    """States of one shape that are not worth the same from there on: what an entry must tell apart."""
    groups: dict[int, dict[float, list[Any]]] = {}
    for state, value in worth.items():
        shape, banked = (int(guard.call(hook, state)) for hook in ("shape", "banked"))
        groups.setdefault(shape, {}).setdefault(value - banked * (guard.game.step or 1), []).append(state)
    found = []
    for group in groups.values():
        if len(group) > 1:
            found += [state for some in group.values() for state in some[:EACH]]
    return found[:: max(len(found) // PROVED, 1)]
