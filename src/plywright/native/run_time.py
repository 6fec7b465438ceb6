"""What machine code needs of Numba while it runs: its run-time library, and how an error becomes Python's.

Most rules need neither, and a process that runs them from the cache never imports this module.
"""

from __future__ import annotations

import ctypes
from typing import Any

import llvmlite.binding as llvm
from numba import _helperlib
from numba.core.environment import Environment
from numba.core.registry import cpu_target
from numba.core.runtime import rtsys
from numba.core.serialize import _numba_unpickle, runtime_build_excinfo_struct

_DIGEST = 20  # bytes of the checksum that Numba keeps with a serialised exception
_STOP_ITERATION = -3  # Numba's status of an exhausted iterator
_NO_CONSTANTS = Environment({})


def provide(symbols: tuple[str, ...]) -> dict[str, int | None]:
    """The addresses of these symbols in Numba's run-time library and the rest of the process; None for a stranger's."""
    rtsys.initialize(cpu_target.target_context)
    return {name: llvm.address_of_symbol(name) for name in symbols}


def fill(addresses: list[int]) -> None:
    """Give functions the table of Python objects that Numba's code asks for; kept code uses none of its entries."""
    for address in addresses:
        ctypes.c_void_p.from_address(address).value = id(_NO_CONSTANTS)


class _Fault(ctypes.Structure):
    """What was raised, as Numba's code describes it: a class, arguments and a place, pickled by the compiler.

    Where `count` arguments are known only at run time, `details` points at them and `unwrap` makes them Python's;
    otherwise `details` is a checksum.
    """

    _fields_ = (
        ("data", ctypes.c_void_p),
        ("size", ctypes.c_int32),
        ("details", ctypes.c_void_p),
        ("unwrap", ctypes.c_void_p),
        ("count", ctypes.c_int32),
    )


def raised(status: int, address: int) -> BaseException:
    """The Python exception of a call that ended with this status, with the line of the rule in its traceback."""
    if status == _STOP_ITERATION:
        return StopIteration()
    if status < 0 or not address:
        return SystemError("unknown error when calling native function")
    fault = _Fault.from_address(address)
    data = ctypes.string_at(fault.data, fault.size)
    try:
        if fault.count > 0:
            arguments = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.c_void_p)(fault.unwrap)(fault.details)
            packed: Any = runtime_build_excinfo_struct(data, arguments)
            ctypes.CFUNCTYPE(None, ctypes.c_void_p)(llvm.address_of_symbol("NRT_Free"))(address)
        else:
            packed = _numba_unpickle(fault.data, data, ctypes.string_at(fault.details, _DIGEST))
        ctypes.pythonapi.Py_IncRef(ctypes.py_object(packed))  # the next call consumes a reference
        ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.py_object)(_helperlib.c_helpers["do_raise"])(packed)
    except BaseException as error:
        place = error.__traceback__
        return error.with_traceback(None if place is None else place.tb_next)  # without this frame
    return SystemError("unknown error when calling native function")
