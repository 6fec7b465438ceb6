"""A kernel and a game as one native function: compiled by Numba, entered through a block of words."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

import numba
import numpy as np
from numba.core import errors, types

from ..compiled import NO_GAME, Kernel, Uncompilable, settings
from ..identity import Identified
from ..working_clock import compiling
from . import numba_internals
from .functions import native_kernel
from .game_type import live, token
from .refusal import explain
from .states import state_type
from .words import NOTHING, ArrayKind, GameKind, Kind, WorkspaceKind
from .workspace import WorkspaceType


def compiled(kernel: Kernel, subjects: Sequence[Identified], kinds: tuple[Kind, ...], name: str) -> Any:
    """The kernel for arguments of these kinds: an Entry, or what Python calls as it would call the kernel.

    Raises Uncompilable where the rules do not allow it.
    """
    for subject in subjects:  # of equal games made of two definitions, each compiles with its own classes
        live[subject.fingerprint] = subject
    try:
        with compiling(), settings.announce(name_of(subjects[0])), warnings.catch_warnings():
            warnings.simplefilter("ignore", errors.NumbaWarning)
            signature = tuple(map(_type, kinds))
            return numba_internals.by_either_way(lambda: _made(kernel, signature, kinds, name))
    except Uncompilable:
        raise
    except Exception as error:  # Numba's own errors are of many kinds, and some are Python's
        raise explain(error, subjects) from error


def name_of(subject: Identified) -> str:
    """What is being compiled, in words: a game, or kernels that need no game."""
    return "parts of Plywright itself" if subject is NO_GAME else type(subject).__name__


def _made(kernel: Kernel, signature: tuple[Any, ...], kinds: tuple[Kind, ...], name: str) -> Any:
    """The kernel with an entry of ours; with Numba's own where what ours assumes does not hold."""
    if numba_internals.in_use(*numba_internals.ENTRY):
        result = _overload(native_kernel(kernel), signature)
        try:
            from .block_entry import entered

            return entered(result, kinds, name)
        except Uncompilable:
            raise
        except Exception as error:  # the kernel itself has been compiled, so its author is not at fault
            numba_internals.give_up(("entry",), error)
    dispatcher = native_kernel(kernel, from_python=True)
    _overload(dispatcher, signature)
    return dispatcher


def _overload(dispatcher: Any, signature: tuple[Any, ...]) -> Any:
    dispatcher.compile(signature)
    return dispatcher.overloads[signature]


def _type(kind: Kind) -> Any:
    """How Numba sees an argument of this kind."""
    if isinstance(kind, GameKind):
        return token(live[kind.fingerprint], kind.checked)
    if isinstance(kind, WorkspaceKind):
        return WorkspaceType(tuple((name, numba.from_dtype(np.dtype(dtype))) for name, dtype in kind.fields))
    if isinstance(kind, ArrayKind):
        return types.Array(numba.from_dtype(np.dtype(kind.dtype)), kind.dimensions, "C", readonly=not kind.writeable)
    return types.none if kind == NOTHING else state_type(kind)
