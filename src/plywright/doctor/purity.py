"""Check that rules are functions: the same answer every time, and nothing changed by asking."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

from ..game import CHANCE, Game
from ..knowledge import knowledge_of
from .subject import READ_ONLY, Seen, Subject, Verdict, passed
from .surroundings import Surroundings, equal, snapshot

STATES = 400
"""How many states the rules are asked about twice."""
STARTS = 8
"""How often initial() is asked."""


def purity(subject: Subject) -> Verdict:
    """Every rule asked twice in every state: the answers of play, and state, game and globals untouched."""
    if subject.guard.changed is not None:
        return subject.guard.changed
    subject.guard.place([])
    first, *others = [subject.guard.call("initial") for _ in range(STARTS)]
    for other in others:
        if snapshot(first) != snapshot(other) and not equal(first, other):
            remedy = "a random start is a state of chance: let to_move() be CHANCE there"
            return subject.fail(f"initial() gives {first!r} and, asked again, {other!r}", remedy)
    things = Surroundings(subject.game)
    count = 0
    for seen in subject.visits(STATES):
        count += 1
        for rule, arguments in calls(subject.game, seen):
            if rule not in subject.guard.muted and (fault := _ask_twice(subject, things, rule, arguments, seen)):
                return fault
    return passed(f"every rule answered the same twice in {count:,} states and changed nothing")


def _ask_twice(
    subject: Subject, things: Surroundings, rule: str, arguments: tuple[Any, ...], seen: Seen
) -> Verdict | None:
    state = seen.visit.state
    state_before = snapshot(state)
    answers = _answer_in_play(rule, arguments, seen)
    for _ in range(2):
        answer = subject.guard.call(rule, state, *arguments)
        answer = bool(answer) if rule == "is_terminal" else answer
        answers.append((answer, snapshot(answer)))
    if snapshot(state) != state_before:
        return subject.fail(f"{rule}() changes the state it is given, now {state!r}", "build a new state instead")
    if changed := things.changed():
        return subject.fail(f"{rule}() changes {changed}", READ_ONLY)
    for (one, one_then), (other, other_then) in itertools.pairwise(answers):
        if one_then != other_then and not equal(one, other):
            return subject.fail(
                f"{rule}() gives {one!r} and, asked again, {other!r}",
                "it must depend on nothing but its arguments: chance belongs in chance(), all else in the state",
            )
    return None


def _answer_in_play(rule: str, arguments: tuple[Any, ...], seen: Seen) -> list[tuple[Any, Any]]:
    """What the rule said in random play, with its snapshot; empty where that was not kept."""
    visit = seen.visit
    kept: dict[str, Any] = {"is_terminal": visit.mover is None, "to_move": visit.mover, "actions": visit.choices}
    if visit.values is not None and rule in ("utility", "evaluate"):
        kept[rule] = visit.values[arguments[0]]
    return [(kept[rule], snapshot(kept[rule]))] if rule in kept else []


def calls(game: Game, seen: Seen) -> Iterator[tuple[str, tuple[Any, ...]]]:
    """The rules that may be asked in a state, with their arguments after the state."""
    visit = seen.visit
    yield "is_terminal", ()
    if visit.mover is None:
        for player in range(game.players):
            yield "utility", (player,)
        return
    yield "to_move", ()
    if visit.mover == CHANCE:
        if game.lists_chance:
            yield "chance", ()
    else:
        yield "actions", ()
    yield "result", (visit.action,)
    if knowledge_of(game).evaluates:
        for player in range(game.players):
            yield "evaluate", (player,)
