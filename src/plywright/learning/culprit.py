"""Which hook of an author's brought learning to a fault, and in which state: found by asking the hooks as Python.

A model asks features, cells and the like in compiled code, which can say that something is wrong, and not where. So the
hooks are asked in a moment of random play before training, and after a fault in the states around the game that was
being played.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator, Sequence
from typing import Any

from ..game import CHANCE, is_shipped
from ..models.model import Model
from ..rng import seeded
from ..rule_guard import Guard, random_game, watched
from ..smoke_test import TESTED

SECONDS = 0.2
"""How long hooks are asked before training, in random games."""
SEARCHED = 5.0
"""How long the culprit is looked for after a fault."""


def examine_at_random(model: Model) -> None:
    """Ask the hooks of a stranger's knowledge in random play; raises Fault at the first that gives what it must not."""
    if TESTED in model.__dict__ or (is_shipped(model.game) and is_shipped(model)):
        return
    guard = Guard(model.game, knowledge=model)
    guard.muted.add("evaluate")  # it would raise first, and say less

    def play() -> None:
        rng, until = seeded(1), time.monotonic() + SECONDS
        while time.monotonic() < until:
            for visit in random_game(guard, rng):
                if visit.mover is not None:
                    model.examine(guard, visit.state)
                if time.monotonic() >= until:
                    break

    watched(guard, play)


def raise_culprit(model: Model, lines: Sequence[Sequence[int]], depth: int) -> None:
    """Raise Fault for what a hook gives, in a state of these lines or up to `depth` plies beside one of them."""
    guard = Guard(model.game, knowledge=model)

    def look() -> None:
        until = time.monotonic() + SEARCHED
        for line in lines:
            for state, moves in reversed(list(_along(guard, line))):
                _below(guard, model, state, moves, depth, until)

    watched(guard, look)


def _along(guard: Guard, line: Sequence[int]) -> Iterator[tuple[Any, list[str]]]:
    """The states of a line, each with the moves that lead to it."""
    state, moves = guard.game.start_state, list[str]()
    yield state, moves
    for action in line:
        moves = [*moves, _text(guard, state, action)]
        state = guard.settled("result", guard.call("result", state, action))
        yield state, moves


def _below(guard: Guard, model: Model, state: Any, moves: list[str], depth: int, until: float) -> None:
    """Ask about a state and those that so many plies lead to."""
    if time.monotonic() >= until:
        return
    guard.place(moves)
    if guard.terminal(state):
        guard.values("utility", state)
        return
    model.examine(guard, state)
    if depth <= 0 or guard.mover(state) == CHANCE:
        return
    for action in guard.actions(state):
        child = guard.settled("result", guard.call("result", state, action))
        _below(guard, model, child, [*moves, _text(guard, state, action)], depth - 1, until)


def _text(guard: Guard, state: Any, action: int) -> str:
    """A move as the game writes it, an outcome of chance as [n]."""
    if guard.mover(state) != CHANCE:
        with contextlib.suppress(Exception):  # a fault of its own, which must not hide the one that is looked for
            return guard.text(state, action)
    return f"[{action}]"
