"""Check of `canonical`: a state and the one that stands for it are the same game."""

from __future__ import annotations

import itertools
from typing import Any

from .subject import Subject, Verdict, passed, skipped

STATES = 300
REMEDY = "canonical() must choose among states that differ by a symmetry of the rules only"


def symmetry(subject: Subject) -> Verdict:
    """canonical(state) is its own canonical state, with the same mover, end and utilities, and the same ways on."""
    game, guard = subject.game, subject.guard
    if not game.has_symmetry:
        return skipped("the game does not define canonical()")
    looked = 0
    for seen in itertools.islice(subject.visits(), STATES):
        subject.guard.place(seen.moves)
        state = seen.visit.state
        image = _canonical(guard, state)
        if _canonical(guard, image) != image:
            return subject.fail(f"canonical() of {image!r}, which stands for {state!r}, is another state", REMEDY)
        if (wrong := _differs(guard, game.players, state, image)) is not None:
            return subject.fail(f"canonical() makes {image!r} of {state!r}, but {wrong}", REMEDY)
        looked += 1
    return passed(f"canonical() keeps mover, end, utilities and ways on in {looked:,} states")


def _canonical(guard: Any, state: Any) -> Any:
    return guard.settled("canonical", guard.call("canonical", state))


def _differs(guard: Any, players: int, state: Any, image: Any) -> str | None:
    """What is not the same in two states, as the end of a sentence."""
    if bool(guard.call("is_terminal", state)) != bool(guard.call("is_terminal", image)):
        return "only one of them is finished"
    if guard.call("is_terminal", state):
        paid = [[float(guard.call("utility", s, player)) for player in range(players)] for s in (state, image)]
        return None if paid[0] == paid[1] else f"their utilities are {paid[0]} and {paid[1]}"
    if int(guard.call("to_move", state)) != int(guard.call("to_move", image)):
        return "different players are to move"
    if guard.game.at_chance(state):
        return None
    ways = [
        sorted(repr(_canonical(guard, guard.settled("result", guard.call("result", s, a)))) for a in guard.actions(s))
        for s in (state, image)
    ]
    return None if ways[0] == ways[1] else "their moves do not lead to the same states up to symmetry"
