"""Plain Python functions as Numba dispatchers, together with the plain functions they call."""

from __future__ import annotations

import types as pytypes
from typing import Any

import numba

from ..compiled import Kernel, rebind
from ..fingerprint import is_foreign
from . import lookup  # noqa: F401 - tells Numba about tables
from .numba_internals import COMPILER, in_use
from .rewriting import plainly
from .tables import as_table
from .twins import TWINS
from .vector_twins import VECTOR_TWINS

_REPLACED = TWINS | VECTOR_TWINS
_native: dict[tuple[Any, bool, bool, Any], Any] = {}  # (function, checked, called from Python, compiler) -> dispatcher


def native_function(function: Any, checked: bool, from_python: bool = False) -> Any:
    """A plain Python function as a Numba dispatcher, with the plain functions it calls.

    Functions that are not called `from_python` get no Python wrapper; wrappers are half of the compile time.
    """
    return _dispatcher(function, function, checked, from_python)


def native_kernel(kernel: Kernel, from_python: bool = False) -> Any:
    """The dispatcher of a kernel, which other code mentions by the kernel; Python usually calls an entry to it."""
    return _dispatcher(kernel.function, kernel, checked=False, from_python=from_python)


def _dispatcher(function: Any, alias: Any, checked: bool, from_python: bool) -> Any:
    """Make or find the dispatcher of a function, which other code may mention by `alias`."""
    compiler = _compiler()
    key = (function, checked, from_python, compiler)
    if key not in _native:

        def made(copy: Any) -> None:
            copy.__module__ = __name__  # cached code names the module: this one can always be imported
            model = "python" if checked else "numpy"
            inline = function.__name__ == "evaluate"  # called at every leaf; too long for LLVM to inline by default
            options = {"nogil": True, "error_model": model, "boundscheck": checked}
            if in_use("wrappers"):
                options |= {"forceinline": inline, "no_cfunc_wrapper": True, "no_cpython_wrapper": not from_python}
            _native[key] = numba.njit(pipeline_class=compiler, **options)(copy)

        rebind(plainly(function), lambda value: _native[key] if value is alias else _visible(value, checked), made)
    return _native[key]


def _compiler() -> Any:
    """The compiler of rules and kernels: ours, or Numba's own where what ours assumes does not hold."""
    if in_use(*COMPILER):
        from .pipeline import RuleCompiler

        return RuleCompiler
    from .ordinary import OrdinaryCompiler

    return OrdinaryCompiler


def _visible(value: Any, checked: bool) -> Any:
    """What a compiled function should see for a global: plain functions become compiled ones."""
    if isinstance(value, Kernel):
        return native_kernel(value)
    if isinstance(value, pytypes.FunctionType) and value not in _REPLACED and not is_foreign(value.__module__ or ""):
        return native_function(value, checked)
    if isinstance(value, pytypes.ModuleType) and not is_foreign(value.__name__):
        shadow = pytypes.ModuleType(value.__name__)
        for name, member in vars(value).items():
            if isinstance(member, pytypes.FunctionType) and member.__module__ == value.__name__:
                setattr(shadow, name, _visible(member, checked))
            elif not name.startswith("__"):
                setattr(shadow, name, as_table(member))
        return shadow
    return as_table(value)
