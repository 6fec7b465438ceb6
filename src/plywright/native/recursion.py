"""Rules that call themselves without an end raise RecursionError, as in Python, instead of ending the process."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba.core import cgutils

from ..fingerprint import code_names
from ..stack import SYMBOL, slot


def may_overflow(function: Any) -> bool:
    """Whether a function calls itself, directly or not, and this platform knows where the stack ends."""
    return slot() is not None and function in _called_by(function)


def _called_by(function: Any) -> set[Any]:
    """The plain functions that this one calls by name, and those that they call."""
    found: set[Any] = set()
    open_ = [function]
    while open_:
        code, scope = (each := open_.pop()).__code__, each.__globals__
        for name in code_names(code):
            called = getattr(scope.get(name), "py_func", None)
            if called is not None and called not in found:
                found.add(called)
                open_.append(called)
    return found


def guard_stack(context: Any, builder: Any, name: str) -> None:
    """Raise RecursionError where the stack of this thread has come to its end."""
    byte, word, module = ir.IntType(8).as_pointer(), ir.IntType(64), builder.module
    number = cgutils.add_global_variable(module, ir.IntType(32), SYMBOL) if SYMBOL not in module.globals else None
    number = number or module.globals[SYMBOL]
    get = cgutils.get_or_insert_function(module, ir.FunctionType(byte, [ir.IntType(32)]), "pthread_getspecific")
    frame = cgutils.get_or_insert_function(module, ir.FunctionType(byte, [ir.IntType(32)]), "llvm.frameaddress.p0")
    lowest = builder.ptrtoint(builder.call(get, [builder.load(number)]), word)
    here = builder.ptrtoint(builder.call(frame, [ir.IntType(32)(0)]), word)
    with builder.if_then(builder.icmp_unsigned("<", here, lowest), likely=False):
        context.call_conv.return_user_exc(builder, RecursionError, (f"{name}() calls itself without an end",))
