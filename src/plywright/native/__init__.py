"""The bridge to native code: how Numba sees a game, and how Python calls what comes of it.

The only package that imports Numba, and only to compile: code from the cache runs without it.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import partial
from typing import Any

from ..compiled import Kernel, Uncompilable
from ..game import Game
from ..identity import Identified
from . import codecache
from .machine_code import Function, Layout, Unloadable, loaded
from .numba_internals import bridge_fault, give_up
from .words import Kind, kind_of

__all__ = ["entry"]

_functions: dict[tuple[Kernel, tuple[Kind, ...]], Callable[..., Any]] = {}
_lock = threading.RLock()


def entry(kernel: Kernel, game: Game, args: tuple[Any, ...]) -> Callable[..., Any]:
    """The kernel as native code for these arguments; raises Uncompilable where the rules do not allow it."""
    kinds = tuple(kind_of(value) for value in (game, *args))
    key = kernel, kinds
    if key not in _functions:
        with _lock:
            if key not in _functions:
                _functions[key] = _kept(kernel, game, kinds) or _made(kernel, game, args, kinds)
    return _functions[key]


def _kept(kernel: Kernel, game: Game, kinds: tuple[Kind, ...]) -> Function | None:
    """The function from the cache; None where it is not there, or does not fit this process."""
    code = codecache.read(codecache.path_of(kernel, kinds), game)
    if code is None:
        return None
    try:
        return Function(Layout(kinds, code.result), loaded(code), partial(_other, kernel))
    except Unloadable:
        return None
    except (ImportError, AttributeError, TypeError) as error:  # llvmlite, or Numba's run-time library, is another
        give_up(("cache",), error)
        return None


def _made(kernel: Kernel, game: Game, args: tuple[Any, ...], kinds: tuple[Kind, ...]) -> Callable[..., Any]:
    """The function compiled now, and kept for the next process where that is possible."""
    path = codecache.path_of(kernel, kinds)
    if (known := codecache.read_refusal(path)) is not None:
        raise known
    if (missing := bridge_fault()) is not None:
        raise Uncompilable(f"Plywright does not know this version of Numba: {missing}")
    from .compilation import compiled

    subjects = [game, *(value for value in args if isinstance(value, Identified))]
    try:
        made = compiled(kernel, subjects, kinds, path.stem)
    except Uncompilable as reason:
        codecache.write_refusal(path, reason)  # to find out takes as long as to compile
        raise
    if not hasattr(made, "layout"):
        native: Callable[..., Any] = made  # Numba's own function, which Python calls directly
        return native
    if made.code is not None:
        codecache.write(path, made.code, game)
    return Function(made.layout, made.address, partial(_other, kernel))


def _other(kernel: Kernel, game: Game, *args: Any) -> Callable[..., Any]:
    return entry(kernel, game, args)
