"""What lies around the rules, and whether it is still as it was: attributes, class attributes, globals."""

from __future__ import annotations

import types
from functools import cached_property
from typing import Any

import numpy as np

from ..fingerprint import code_names, is_foreign
from ..game import RULES, Game, is_shipped

INTERNAL = ("_start", "_identity", "_frozen", "_tokens", "_block", "_address", "_layout", "_checked", "_smoke_tested")
"""Attributes that the toolkit itself keeps on a game."""

_ATOMS = (int, bool, str, bytes, complex, type(None), np.generic)


class Surroundings:
    """Everything outside the state that the rules could change: the game, its classes, the globals they mention."""

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
        self.before = self.snapshot()

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

    def changed(self) -> str:
        """The name of something that is no longer as it was when this was last asked; empty when all is."""
        before, self.before = self.before, self.snapshot()
        for name in {**before, **self.before}:
            if name not in before or name not in self.before or before[name] != self.before[name]:
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
        if function.__module__.startswith("plywright.") and not is_shipped(game):
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
