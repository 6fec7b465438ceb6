"""The bridge to native code: how Numba sees a game. The only package that imports Numba."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numba
from numba.core import errors

from ..compiled import Kernel, settings
from ..game import Game
from .functions import native_kernel
from .game_type import GameType, live, token
from .refusal import explain

__all__ = ["GameType", "entry", "token"]


def entry(kernel: Kernel, game: Game, args: tuple[Any, ...]) -> Callable[..., Any]:
    """The kernel compiled for these arguments; raises Uncompilable where the rules do not allow it."""
    dispatcher = native_kernel(kernel)
    try:
        kinds = tuple(numba.typeof(arg) for arg in (game, *args))
        live[game.fingerprint] = game  # of equal games made of two definitions, each compiles with its own classes
        if kinds not in dispatcher.overloads:
            if dispatcher._cache.has(kinds):
                dispatcher.compile(kinds)
            else:
                with settings.announce(type(game).__name__), warnings.catch_warnings():
                    warnings.simplefilter("ignore", errors.NumbaWarning)
                    dispatcher.compile(kinds)
    except Exception as error:  # Numba's own errors are of many kinds, and some are Python's
        dispatcher._cache.forget_open()
        raise explain(error, game) from error
    return dispatcher  # type: ignore[no-any-return]
