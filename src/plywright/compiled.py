"""Kernels: search functions written once, run as native code where a game allows it.

A kernel is an ordinary Python function whose first argument is a game. `@kernel` makes it run
compiled together with the rules of whichever game it is called with, one specialisation a game,
kept in a cache on disk. A game that cannot be compiled, and a Python without Numba, runs the same
source interpreted. Nothing here imports Numba until the first compiled call.
"""

from __future__ import annotations

import contextlib
import functools
import importlib.util
import os
import sys
import threading
import types
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .bits import SCRATCH
from .errors import InterpretedWarning
from .fingerprint import code_names
from .game import Game
from .identity import Identified

Announce = Callable[[str], contextlib.AbstractContextManager[Any]]


def available() -> bool:
    """Whether compiled code can be had at all."""
    return _numba_is_there() and os.environ.get("NUMBA_DISABLE_JIT", "0") in ("", "0")


@functools.cache
def _numba_is_there() -> bool:
    """Asked at every search, and looked for once: that takes as long as a search of some thousand nodes."""
    return importlib.util.find_spec("numba") is not None


def cache_folder() -> Path:
    """Where compiled code is kept: $PLYWRIGHT_CACHE, or the user's cache folder."""
    if given := os.environ.get("PLYWRIGHT_CACHE"):
        return Path(given)
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData" / "Local")) / "plywright" / "cache"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "plywright"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "plywright"


class Uncompilable(Exception):
    """The rules use something that native code cannot: where, and why."""

    def __init__(self, reason: str, file: str | None = None, line: int | None = None) -> None:
        self.reason, self.file, self.line = reason, file, line
        place = f"{Path(file).name}, line {line}: " if file and line else ""
        super().__init__(f"{place}{reason}")


@contextlib.contextmanager
def _announce_on_terminal(name: str) -> Iterator[None]:
    """The default announcement: one line on a terminal, nothing elsewhere."""
    if sys.stderr.isatty():
        print(f"compiling {name}, first run only", file=sys.stderr)
    yield


class _Settings:
    """What a face may change: how a compilation is announced."""

    announce: Announce = staticmethod(_announce_on_terminal)


settings = _Settings()

_refused: dict[tuple[str, ...], Uncompilable] = {}  # fingerprints of a game and of knowledge -> why interpreted
_warned: set[str] = set()
_local = threading.local()


@contextlib.contextmanager
def interpreted() -> Iterator[None]:
    """Within this block kernels run as ordinary Python, whatever the game."""
    before = getattr(_local, "interpreted", False)
    _local.interpreted = True
    try:
        yield
    finally:
        _local.interpreted = before


def refusal(game: Game) -> Uncompilable | None:
    """Why the game runs interpreted: its states, or that compiling it has been tried and failed."""
    return _shapeless(game) or next((reason for of, reason in _refused.items() if of[0] == game.fingerprint), None)


def _shapeless(game: Game) -> Uncompilable | None:
    """Why its states alone rule it out: with other data the same rules may make others."""
    return Uncompilable(game.shapeless) if game.shapeless else None


def _level_of_caller() -> int:
    """The stacklevel, for whoever calls this, of the first line that is not Plywright's."""
    level, frame = 1, sys._getframe(1)
    while frame.f_back is not None and frame.f_globals.get("__name__", "").partition(".")[0] == "plywright":
        level, frame = level + 1, frame.f_back
    return level


def rebind(
    function: types.FunctionType,
    replace: Callable[[Any], Any],
    made: Callable[[types.FunctionType], object] = lambda copy: None,
) -> types.FunctionType:
    """A copy of a function in which every global or captured value v that it mentions is replace(v).

    `made` gets the copy before its globals are filled in, so that a function may mention itself.
    """
    scope = dict(function.__globals__)
    cells = tuple(types.CellType() for _ in function.__closure__ or ())
    copy = types.FunctionType(function.__code__, scope, function.__name__, function.__defaults__, cells or None)
    copy.__kwdefaults__ = function.__kwdefaults__
    copy.__qualname__ = function.__qualname__
    made(copy)
    for name in set(code_names(function.__code__)):
        if name in scope:
            scope[name] = replace(scope[name])
    for cell, original in zip(cells, function.__closure__ or (), strict=True):
        cell.cell_contents = replace(original.cell_contents)
    return copy


class Kernel:
    """A search function that runs compiled with the game it is given; see `kernel`."""

    def __init__(self, function: types.FunctionType) -> None:
        self.function = function
        functools.update_wrapper(self, function)

    @functools.cached_property
    def plain(self) -> types.FunctionType:
        """The kernel as ordinary Python, calling other kernels as ordinary Python."""
        copies: list[types.FunctionType] = []

        def replace(value: Any) -> Any:
            if isinstance(value, Kernel):
                return copies[0] if value is self else value.plain
            return value

        return rebind(self.function, replace, copies.append)

    def entry(self, game: Game, *args: Any) -> tuple[Callable[..., Any], bool]:
        """What to call with these arguments, and whether it is native code; compiles when needed."""
        if getattr(_local, "interpreted", False) or not available():
            return self.plain, False
        subjects = game.fingerprint, *(value.fingerprint for value in args if isinstance(value, Identified))
        known = _shapeless(game) or _refused.get(subjects)
        if known is None:
            try:
                from . import native

                return native.entry(self, game, args), True
            except Uncompilable as reason:
                known = _refused[subjects] = reason
        about = f"{type(game).__module__}.{type(game).__qualname__}: {known}"  # whatever the parameters are
        if about not in _warned:
            _warned.add(about)
            message = f"{game.name} runs interpreted, and slowly: {known}"
            warnings.warn(message, InterpretedWarning, stacklevel=_level_of_caller())
        return self.plain, False

    def __call__(self, game: Game, *args: Any) -> Any:
        return self.entry(game, *args)[0](game, *args)


def kernel(function: Callable[..., Any]) -> Kernel:
    """Decorator: compile this function together with the rules of the game it is called with."""
    assert isinstance(function, types.FunctionType)
    return Kernel(function)


LENT = frozenset({"lent"})
"""Names of the arrays in a workspace that are lent to rules and knowledge, of `SCRATCH` items."""


class Workspace:
    """Named arrays behind one pointer: what a kernel reads and writes besides its arguments.

    In compiled code `work.name` is a bare view, one word to pass and unchecked: a kernel guards its
    own indices. One that is lent is checked like a `scratch()`, in what strangers wrote. Interpreted, it is the NumPy
    array itself, which checks every index.
    """

    def __init__(self, **arrays: NDArray[Any]) -> None:
        for name, array in arrays.items():
            if array.ndim != 1 or not array.flags.c_contiguous:
                raise ValueError(f"workspace array {name!r} must be one-dimensional and contiguous")
            if name in LENT and len(array) != SCRATCH:
                raise ValueError(f"workspace array {name!r} is lent: it must have {SCRATCH} items")
        self.__dict__.update(arrays)
        self._arrays = tuple(arrays.items())
        self._block = np.array([array.ctypes.data for array in arrays.values()], np.int64)
        self._address = int(self._block.ctypes.data)


class _NoGame(Game):
    def initial(self) -> int:
        return 0

    def to_move(self, state: int) -> int:
        return 0

    def actions(self, state: int) -> Iterator[int]:
        for action in range(0):
            yield action

    def result(self, state: int, action: int) -> int:
        return state

    def utility(self, state: int, player: int) -> float:
        return 0


NO_GAME = _NoGame()
"""The game of kernels that need none, such as sweeps over arrays: all their uses share one compilation."""
