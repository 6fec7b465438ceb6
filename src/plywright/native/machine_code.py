"""Native functions that Python calls: a block of words in, a block of words out, without the GIL.

The machine code is either just made by Numba or read from the cache; it is called in the same way, and a
cached one needs nothing of Numba unless a rule raises, or calls on Numba's own run-time library.
"""

from __future__ import annotations

import ctypes
import functools
import importlib.machinery
import importlib.util
import itertools
import struct
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import llvmlite.binding as llvm

from ..stack import SYMBOL, slot
from ..state import Shape
from .words import Kind, Mismatch, answer, letters, words_of

WORD = 8
if (_slot := slot()) is not None:
    llvm.add_symbol(SYMBOL, ctypes.addressof(_slot))


class Code(NamedTuple):
    """A native function on disk: `symbols` are those outside of it, `constants` words that Numba fills."""

    name: str
    result: Shape
    symbols: tuple[str, ...]
    constants: tuple[str, ...]
    machine_code: bytes


class Layout:
    """Where in the block of words a call finds its arguments, its answer, and what was raised."""

    def __init__(self, kinds: tuple[Kind, ...], result: Shape) -> None:
        self.kinds, self.result = kinds, result
        parts = [letters(kind) for kind in kinds]
        self.counts = [_words(part) for part in parts]
        self.arguments = struct.Struct("=" + "".join(parts))
        self.answer = struct.Struct("=" + letters(result))
        self.answer_place = sum(self.counts)
        self.fault_place = self.answer_place + _words(letters(result))
        self.block = ctypes.c_int64 * (self.fault_place + 1)


def _words(letters: str) -> int:
    return struct.calcsize("=" + letters) // WORD


class Function:
    """A native function, called as the kernel is: with a game and the kernel's arguments."""

    def __init__(self, layout: Layout, address: int, other: Callable[..., Any]) -> None:
        self._layout = layout
        self._other = other  # finds the function for arguments of other kinds
        self._call = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p)(address)

    def __call__(self, *arguments: Any) -> Any:
        layout = self._layout
        block = layout.block()
        try:
            words = []
            for kind, count, value in zip(layout.kinds, layout.counts, arguments, strict=True):
                found = words_of(kind, value)
                if len(found) != count:
                    raise Mismatch
                words += found
            layout.arguments.pack_into(block, 0, *words)
        except (Mismatch, struct.error):
            function = self._other(*arguments)
            if function is self:
                raise TypeError("a number is too large for 64 bits") from None
            return function(*arguments)
        try:
            status = self._call(block)
        except SystemError as error:  # ctypes finds that the code has set a Python exception
            raise error.__cause__ or error from None
        if status:
            from .run_time import raised

            raise raised(status, block[layout.fault_place])
        return answer(layout.result, iter(layout.answer.unpack_from(block, layout.answer_place * WORD)))


# -- from the cache -------------------------------------------------------------------------------------------


class Unloadable(Exception):
    """The code of a file cannot be linked here: it is compiled again."""


def loaded(code: Code) -> int:
    """The address of a cached function, which stays in memory until the process ends; raises Unloadable."""
    addresses = {name: llvm.address_of_symbol(name) for name in code.symbols}
    if None in addresses.values():
        helpers = _memory()
        addresses = {name: found or helpers.get(name) for name, found in addresses.items()}
    if code.constants or None in addresses.values():
        from .run_time import provide

        addresses = provide(code.symbols)
    library = llvm.JITLibraryBuilder().add_object_img(code.machine_code).add_current_process()
    for name, address in addresses.items():
        if address is None:
            raise Unloadable(name)
        library.import_symbol(name, address)
    for name in (code.name, *code.constants):
        library.export_symbol(name)
    try:
        tracker = library.link(_linker(), f"{code.name}#{next(_numbers)}")
    except RuntimeError as error:
        raise Unloadable(str(error)) from None
    if code.constants:
        from .run_time import fill

        fill([tracker[name] for name in code.constants])
    tracker.detach()  # or the code would go when this object does
    return int(tracker[code.name])


_numbers = itertools.count()


@functools.lru_cache(maxsize=1)
def _memory() -> dict[str, int]:
    """How lists and sets get their memory: the one extension module of Numba's that does it, without the rest of it."""
    name = "numba.core.runtime._nrt_python"
    module = sys.modules.get(name)
    if module is None:
        numba = importlib.util.find_spec("numba")
        folder = Path(numba.origin or "").parent / "core" / "runtime" if numba else Path()
        paths = [folder / f"_nrt_python{suffix}" for suffix in importlib.machinery.EXTENSION_SUFFIXES]
        found = next((path for path in paths if path.is_file()), None)
        spec = importlib.util.spec_from_file_location(name, found) if found else None
        if spec is None:
            return {}  # a Numba that is built differently inside: it is imported as a whole
        module = importlib.util.module_from_spec(spec)
        sys.modules.pop(name, None)  # Numba imports it in its own way, where it is needed
    return {f"NRT_{helper}": address for helper, address in module.c_helpers.items()}


@functools.lru_cache(maxsize=1)
def _linker() -> Any:
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    return llvm.create_lljit_compiler(use_jit_link=sys.platform != "win32", suppress_errors=True)


@functools.lru_cache(maxsize=1)
def machine() -> tuple[str, ...]:
    """What machine code is made for: it is of no use on another."""
    try:
        features = llvm.get_host_cpu_features().flatten()
    except RuntimeError:  # where LLVM does not know them
        features = ""
    return llvm.get_process_triple(), llvm.get_host_cpu_name(), features
