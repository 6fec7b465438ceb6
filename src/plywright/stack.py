"""How far down a thread's stack native code may go: rules that call themselves look before each call.

Each searching thread keeps the lowest address it may use in a slot of its own, which native code reads by the
number of the slot. A thread without one, and a system without POSIX threads, is not guarded.
"""

from __future__ import annotations

import ctypes
import functools
import threading

SYMBOL = "plywright_stack_slot"
"""The name by which native code finds the number of the slot."""
_MARGIN = 1 << 20  # bytes kept for what a rule calls at its deepest, and for the thread's own data


@functools.lru_cache(maxsize=1)
def slot() -> ctypes.c_uint64 | None:
    """The number of the slot; None where there is none."""
    try:
        number = ctypes.c_uint64(0)
        failed = _library().pthread_key_create(ctypes.byref(number), None)
    except (OSError, AttributeError, TypeError):
        return None
    return None if failed else number


def mark(size: int) -> None:
    """Called by a new thread: its stack has `size` bytes. The identity of a POSIX thread is the top of its stack."""
    if (number := slot()) is not None:
        lowest = ctypes.c_void_p(threading.get_ident() - size + _MARGIN)
        _library().pthread_setspecific(ctypes.c_uint(number.value), lowest)


@functools.lru_cache(maxsize=1)
def _library() -> ctypes.CDLL:
    return ctypes.CDLL(None)
