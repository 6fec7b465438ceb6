"""Check for indices that wrap: `table[square - 1]` with square 0 silently reads the last entry.

Python and native code agree on that, so no comparison finds it. Here the rules run over copies of
their tables that refuse a computed negative index; one written out, as in `table[-1]`, is meant.
"""

from __future__ import annotations

import itertools
import linecache
import re
import sys
import types
from typing import Any

import numpy as np

from ..compiled import rebind
from ..fingerprint import is_foreign
from ..game import Game
from ..rule_guard import Fault, Guard
from .purity import calls
from .subject import Subject, Verdict, passed, skipped
from .surroundings import INTERNAL

STATES = 400
_WRITTEN_OUT = re.compile(r"[\[,]\s*-\s*\d[\d_]*\s*[\],]")


class NegativeIndex(IndexError):
    """A computed index below zero."""


def indices(subject: Subject) -> Verdict:
    """The rules read no table or tuple at a computed negative index."""
    try:
        twin = careful_twin(subject.game)
    except Exception as error:  # classes may refuse to be copied in any way at all
        return skipped(f"the rules could not be traced: {type(error).__name__}: {error}")
    guard = Guard(twin, subject.guard.patience)
    count = 0
    for seen in subject.visits(STATES):
        count += 1
        state = careful(seen.visit.state)
        for rule, arguments in calls(subject.game, seen):
            subject.guard.enter(rule)
            try:
                guard.call(rule, state, *arguments)
            except Fault as fault:
                if isinstance(fault.__cause__, NegativeIndex):
                    line = guard.line_of(fault.__cause__)
                    return subject.fail(
                        f"{rule}() {line}reads {fault.__cause__}",
                        "a negative index counts from the end: check the bounds first, or write len(...) - n",
                    )
                return skipped(f"the rules could not be traced: {fault.rule}() {fault.what}")
            finally:
                subject.guard.leave()
    return passed(f"no negative index was computed in {count:,} states")


def careful_twin(game: Game) -> Game:
    """The same game, its functions and tables replaced by ones that refuse computed negative indices."""
    made: dict[types.FunctionType, types.FunctionType] = {}

    def replace(value: Any) -> Any:
        if isinstance(value, types.FunctionType) and not is_foreign(value.__module__ or ""):
            if value not in made:
                rebind(value, replace, lambda copy: made.setdefault(value, copy))
            return made[value]
        return careful(value) if type(value) in (tuple, list, np.ndarray) else value

    members: dict[str, Any] = {}
    for cls in reversed(type(game).__mro__):
        if issubclass(cls, Game) and cls is not Game:
            for name, value in vars(cls).items():
                if not name.startswith("__"):
                    members[name] = replace(value)
    twin_class = types.new_class(type(game).__name__, (type(game),), exec_body=lambda scope: scope.update(members))
    twin: Game = object.__new__(twin_class)
    twin.__dict__.update({name: replace(value) for name, value in vars(game).items() if name not in INTERNAL})
    return twin


def careful(value: Any) -> Any:
    """The value with every table and tuple in it replaced by one that refuses."""
    if type(value) is tuple:
        return CarefulTuple(careful(item) for item in value)
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return type(value)(*(careful(item) for item in value))
    if type(value) is list:
        return CarefulList(careful(item) for item in value)
    if type(value) is np.ndarray:
        return value.view(CarefulArray)
    return value


class CarefulTuple(tuple):  # type: ignore[type-arg]
    def __getitem__(self, index: Any) -> Any:
        refuse(index)
        return super().__getitem__(index)


class CarefulList(list):  # type: ignore[type-arg]
    def __getitem__(self, index: Any) -> Any:
        refuse(index)
        return super().__getitem__(index)


class CarefulArray(np.ndarray):
    def __getitem__(self, index: Any) -> Any:
        refuse(index)
        return super().__getitem__(index)


def refuse(index: Any) -> None:
    """Raise NegativeIndex for a computed index below zero; slices and masks are not looked at."""
    for one in index if isinstance(index, tuple) else (index,):
        if isinstance(one, (int, np.integer)) and one < 0:
            frame = sys._getframe(2)
            source = _expression(frame)
            if source and not _WRITTEN_OUT.search(source) and not is_foreign(frame.f_globals.get("__name__", "")):
                raise NegativeIndex(f"{source} with index {int(one)}")


def _expression(frame: types.FrameType) -> str:
    """The source of the expression that a frame is evaluating, in one line; empty where it is not known."""
    code = frame.f_code
    first, last, start, end = next(itertools.islice(code.co_positions(), frame.f_lasti // 2, None))
    if first is None or last is None or start is None or end is None:
        return ""
    lines = [linecache.getline(code.co_filename, number).encode() for number in range(first, last + 1)]
    if first == last:
        end -= start
    lines[0] = lines[0][start:]
    lines[-1] = lines[-1][:end]
    return " ".join(b" ".join(lines).decode(errors="replace").split())
