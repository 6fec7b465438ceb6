"""Check of states that nobody has played to: what check_state() accepts must be playable.

States of the sample are changed a little (a number becomes an extreme one, a neighbour, one with another bit, or that
of another state) and offered to check_state(). Where it says nothing against one, the rules play on from there.
"""

from __future__ import annotations

import time
from typing import Any

from ..errors import GameError
from ..game import CHANCE
from ..rng import below, draw64, seeded
from ..rule_guard import ENDLESS, MEMORY, RAISED, Fault, named
from ..state import leaves, rebuild
from .report import FAILED
from .subject import Subject, Verdict, passed, skipped, warning

MUTANTS = 400
PLIES = 8
"""Plies played from each mutant that is accepted."""
SECONDS = 1.0
EXTREMES = (0, 1, -1, 2, 3, 7, 15, 64, 255, 1000, 65535, 1 << 31, 1 << 40, 1 << 62, (1 << 63) - 1, -(1 << 63))
REMEDY = "let check_state() say what is impossible about it"
OWN_REMEDY = "such a text from outside is then not refused: write check_state(), which says what is impossible about it"


class Unplayable(Exception):
    """A mutant that check_state() accepts and the rules cannot play; the message says what happened.

    A game without a check of its own cannot know what its numbers may be: there only rules that raise or do not come
    back are spoken of, and as a warning.
    """

    def __init__(self, message: str, kind: str) -> None:
        super().__init__(message, kind)
        self.grave = kind in (RAISED, ENDLESS, MEMORY)

    def __str__(self) -> str:
        return str(self.args[0])


def strange_states(subject: Subject) -> Verdict:
    """check_state() accepts all states of play, and of their mutants only those that can be played, as Python."""
    game, guard = subject.game, subject.guard
    if game.state_shape is None:
        return skipped("states are not plain numbers, which could be changed one by one")
    for seen in subject.visits():
        if why := guard.call("check_state", seen.visit.state):
            sentence = f"check_state() says of {seen.visit.state!r} that {why}, but play leads there"
            return subject.fail(sentence, "it may refuse only what play cannot reach")
    return _offered(subject, native=False)


def strange_states_compiled(subject: Subject) -> Verdict:
    """What check_state() accepts of mutants can be played as native code."""
    if subject.native is None:
        return skipped("the game is not compiled")
    if "strange states" in subject.failed:
        return skipped("not tried, since 'strange states' failed")
    if "strange states" in subject.warned:
        return skipped("not tried, since 'strange states' found one already")
    return _offered(subject, native=True)


def _offered(subject: Subject, native: bool) -> Verdict:
    rng, until = seeded(subject.seed), time.monotonic() + min(SECONDS, subject.seconds)
    offered = accepted = 0
    for _ in range(MUTANTS if subject.seen else 0):
        state = mutant(subject, rng)
        offered += 1
        try:
            if state is None or _refused(subject, state):
                continue
            accepted += 1
            _play(subject, state, rng, native)
        except Unplayable as error:
            if subject.game.checks_states:
                return Verdict(FAILED, f"{error}; {REMEDY}")
            if error.grave:
                return warning(f"{error}; {OWN_REMEDY}")
        if time.monotonic() > until:
            break
    how = " as native code" if native else ""
    return passed(f"of {offered:,} states that nobody played to {accepted:,} are accepted, and could be played{how}")


def mutant(subject: Subject, rng: Any) -> Any:
    """A state of the sample with one or two numbers changed; None where the result fits no state."""
    shape = subject.game.state_shape
    assert shape is not None
    state, other = (subject.seen[below(rng, len(subject.seen))].visit.state for _ in range(2))
    numbers, foreign = leaves(state), leaves(other)
    for _ in range(1 + below(rng, 2) if numbers else 0):
        place = below(rng, len(numbers))
        value, way = numbers[place], below(rng, 5)
        if way == 0 or not isinstance(value, int):
            value = EXTREMES[below(rng, len(EXTREMES))]
        elif way == 1:
            value += (-1, 1, -2, 2, 16)[below(rng, 5)]
        elif way == 2:
            value ^= 1 << below(rng, 63)
        elif way == 3:
            value = numbers[below(rng, len(numbers))]
        else:
            value = foreign[place] if below(rng, 2) else draw64(rng) >> 1 + below(rng, 62)
        numbers[place] = value
    try:
        return rebuild(shape, list(numbers))
    except GameError:
        return None


def _refused(subject: Subject, state: Any) -> bool:
    subject.guard.place_in(state)
    try:
        return bool(subject.guard.call("check_state", state))
    except Fault as fault:
        raise Unplayable(f"check_state() {fault.what} in {state!r}", fault.kind) from None


def _play(subject: Subject, state: Any, rng: Any, native: bool) -> None:
    """Play on at random; raises Unplayable at the first rule that has no answer."""
    guard, place = subject.guard, state
    try:
        for _ in range(PLIES):
            if native:
                _ask_native(subject, place)
            if guard.terminal(place):
                guard.values("utility", place)
                return
            mover = guard.mover(place)
            choices = guard.choices(place, mover, rng)
            if subject.guard.knowledge.evaluates:
                guard.values("evaluate", place)
            action = choices[below(rng, len(choices))]
            if native:
                _native(subject, "result", place, action)
            place = guard.settled("result", guard.call("result", place, action))
    except Fault as fault:
        raise Unplayable(f"check_state() accepts {state!r}, but {named(fault.rule)} {fault.what}", fault.kind) from None


def _ask_native(subject: Subject, state: Any) -> None:
    _native(subject, "to_move", state)
    if _native(subject, "is_terminal", state):
        for player in range(subject.game.players):
            _native(subject, "utility", state, player)
    elif subject.game.to_move(state) != CHANCE:
        _native(subject, "actions", state)
    elif subject.game.lists_chance:
        _native(subject, "chance", state)


def _native(subject: Subject, rule: str, state: Any, *arguments: Any) -> Any:
    assert subject.native is not None
    with subject.guard.calling(f"{rule}() as native code"):
        return subject.native.call(rule, state, *arguments)
