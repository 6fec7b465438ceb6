"""Check that rules are functions: the same answer every time, and nothing changed by asking."""

from __future__ import annotations

import itertools
import types
from collections.abc import Iterator
from functools import cached_property
from typing import Any

import numpy as np

from ..fingerprint import code_names, is_foreign
from ..game import CHANCE, RULES, Game
from .patient import Patient, Seen, Verdict, passed

STATES = 400
"""How many states the rules are asked about twice."""

_ATOMS = (int, bool, str, bytes, complex, type(None), np.generic)
INTERNAL = ("_start", "_identity", "_frozen", "_tokens", "_block", "_address", "_checked", "_rehearsed")


def purity(patient: Patient) -> Verdict:
    """Every rule asked twice in every state: the answers of play, and state, game and globals untouched."""
    things = Surroundings(patient.game)
    count = 0
    for seen in patient.visits(STATES):
        count += 1
        for rule, arguments in calls(patient.game, seen):
            if rule not in patient.guard.muted and (fault := _ask_twice(patient, things, rule, arguments, seen)):
                return fault
    return passed(f"every rule answered the same twice in {count:,} states and changed nothing")


def _ask_twice(
    patient: Patient, things: Surroundings, rule: str, arguments: tuple[Any, ...], seen: Seen
) -> Verdict | None:
    state = seen.visit.state
    before, state_before = things.snapshot(), snapshot(state)
    answers = _answer_in_play(rule, arguments, seen)
    for _ in range(2):
        answer = patient.guard.call(rule, state, *arguments)
        answer = bool(answer) if rule == "is_terminal" else answer
        answers.append((answer, snapshot(answer)))
    if snapshot(state) != state_before:
        return patient.fail(f"{rule}() changes the state it is given, now {state!r}", "build a new state instead")
    if changed := things.changed(before):
        remedy = "rules only read: what changes during play belongs in the state"
        return patient.fail(f"{rule}() changes {changed}", remedy)
    for (one, one_then), (other, other_then) in itertools.pairwise(answers):
        if one_then != other_then and not equal(one, other):
            return patient.fail(
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
        if hasattr(game, "chance"):
            yield "chance", ()
    else:
        yield "actions", ()
    yield "result", (visit.action,)
    if game.evaluates:
        for player in range(game.players):
            yield "evaluate", (player,)


class Surroundings:
    """Everything outside the state that the rules could change: the game, its class, the globals they mention."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.classes = [cls for cls in type(game).__mro__ if issubclass(cls, Game) and cls is not Game]
        self.lazy = {
            name
            for cls in type(game).__mro__
            for name, value in vars(cls).items()
            if isinstance(value, cached_property)
        }
        self.globals: list[tuple[dict[str, Any], str]] = []
        for function in reachable(game):
            for name in sorted(set(code_names(function.__code__))):
                place = (function.__globals__, name)
                if name in function.__globals__ and not any(p[0] is place[0] and p[1] == name for p in self.globals):
                    self.globals.append(place)

    def snapshot(self) -> dict[str, Any]:
        """What everything is now, by a name for people."""
        found = {}
        for name, value in vars(self.game).items():
            if name not in INTERNAL and name not in self.lazy:
                found[f"self.{name}"] = snapshot(value)
        for cls in self.classes:
            for name, value in vars(cls).items():
                if not name.startswith("__") and not isinstance(value, (types.FunctionType, type, property)):
                    found[f"the class attribute {cls.__name__}.{name}"] = snapshot(value)
        for scope, name in self.globals:
            value = scope.get(name)
            if not isinstance(value, (types.FunctionType, types.ModuleType, type)):
                found[f"the global {name}"] = snapshot(value)
        return found

    def changed(self, before: dict[str, Any]) -> str:
        """The name of something that is no longer as it was; empty when nothing changed."""
        now = self.snapshot()
        for name in {**before, **now}:
            if name not in before or name not in now or before[name] != now[name]:
                return name
        return ""


def reachable(game: Game) -> list[types.FunctionType]:
    """The functions that the rules are made of: methods and plain helpers, found by name."""
    found: dict[types.FunctionType, None] = {}
    waiting = [getattr(type(game), rule, None) for rule in RULES]
    while waiting:
        function = waiting.pop()
        if not isinstance(function, types.FunctionType) or function in found or is_foreign(function.__module__ or ""):
            continue
        if function.__module__.startswith("plywright.") and not type(game).__module__.startswith("plywright."):
            continue  # the toolkit's own defaults
        found[function] = None
        for name in sorted(set(code_names(function.__code__))):
            waiting += [function.__globals__.get(name), getattr(type(game), name, None)]
    return list(found)


def snapshot(value: Any, depth: int = 6) -> Any:
    """Something that compares equal for as long as the value has not changed."""
    if isinstance(value, float):
        return repr(value)  # a NaN is as it was, too
    if isinstance(value, _ATOMS):
        return value
    if isinstance(value, np.ndarray):
        return str(value.dtype), value.shape, value.tobytes()
    if depth == 0:
        return id(value)
    if isinstance(value, (tuple, list)):
        return type(value).__name__, [snapshot(item, depth - 1) for item in value]
    if isinstance(value, dict):
        return "dict", [(snapshot(key, depth - 1), snapshot(item, depth - 1)) for key, item in value.items()]
    if isinstance(value, (set, frozenset)):
        return "set", frozenset(repr(snapshot(item, depth - 1)) for item in value)
    if hasattr(value, "__dict__") and not callable(value):
        return type(value).__name__, snapshot(vars(value), depth - 1)
    return id(value)


def equal(one: Any, other: Any) -> bool:
    """Whether two answers compare equal; a comparison that raises or has no truth value says no."""
    try:
        return bool(one == other)
    except Exception:
        return False
