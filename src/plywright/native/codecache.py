"""Compiled code on disk: one folder a fingerprint, one file a kernel and signature.

Files hold pickles, as Numba's own cache does, so they are read only from a folder that belongs to
the user and that nobody else can write to. Each file begins with its sha256: a torn or damaged
file is a miss, never an error. Classes of the author's module are stored as references into the
living game, so a file never depends on how that module was imported.
"""

from __future__ import annotations

import hashlib
import io
import os
import pickle
import stat
from pathlib import Path
from typing import Any

import numba
from numba.core.caching import _Cache
from numba.core.compiler import CompileResult
from numba.core.registry import cpu_target
from numba.core.runtime import rtsys
from numba.core.serialize import NumbaPickler

from ..compiled import Kernel, cache_folder
from ..files import write_whole
from ..fingerprint import kernel_stamp


class CodeCache(_Cache):  # type: ignore[misc]
    """Stands where Numba expects a function's cache."""

    def __init__(self, kernel: Kernel) -> None:
        self._open: list[tuple[Any, ...]] = []  # argument types being compiled, outermost first
        self._tangled = False
        self._name = f"{kernel.function.__module__.rpartition('.')[2]}.{kernel.function.__name__}"
        self._stamp = kernel_stamp(kernel.function)

    @property
    def cache_path(self) -> str:
        return str(cache_folder())

    def enable(self) -> None: ...
    def disable(self) -> None: ...
    def flush(self) -> None: ...

    def path(self, args: tuple[Any, ...]) -> Path | None:
        """Where code for these argument types belongs; None where nothing may be kept."""
        owner = _owner(args)
        folder = own_folder()
        if owner is None or folder is None:
            return None
        machine = cpu_target.target_context.codegen().magic_tuple()
        text = repr((numba.__version__, machine, self._stamp, [str(arg) for arg in args]))
        return folder / owner[0] / f"{self._name}-{hashlib.sha256(text.encode()).hexdigest()[:16]}.code"

    def has(self, args: tuple[Any, ...]) -> bool:
        """Whether whole code for these argument types is there."""
        return self._read(args) is not None

    def _read(self, args: tuple[Any, ...]) -> bytes | None:
        """The file's content after its checksum; None if it is missing or damaged."""
        path = self.path(args)
        try:
            data = path.read_bytes() if path is not None else b""
        except OSError:
            return None
        return data[32:] if data and hashlib.sha256(data[32:]).digest() == data[:32] else None

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        args = getattr(sig, "args", sig)
        data = self._read(args)
        if data is None:
            self._open.append(args)
            return None
        owner = _owner(args)
        assert owner is not None
        try:
            needs_runtime, parts = _Reader(io.BytesIO(data), owner[1]).load()
            if needs_runtime:  # not target_context.refresh(): all of Numba's registries take longer than the rest
                rtsys.initialize(target_context)
            return CompileResult._rebuild(target_context, *parts)
        except Exception:  # a cache may fail in any way at all and then is simply not there
            self._open.append(args)
            return None

    def forget_open(self) -> None:
        """A compilation failed: nothing is open any more."""
        self._open.clear()
        self._tangled = False

    def _within_another(self, args: tuple[Any, ...]) -> bool:
        """Whether this compilation ran inside another one of the same kernel, or had one inside it."""
        if args in self._open:
            del self._open[self._open.index(args) :]
        self._tangled = self._tangled or bool(self._open)
        tangled, self._tangled = self._tangled, self._tangled and bool(self._open)
        return tangled

    def save_overload(self, sig: Any, result: Any) -> None:
        args = getattr(sig, "args", sig)
        path = self.path(args)
        if self._within_another(args):
            return  # two specialisations of one kernel call each other: that does not survive loading
        if path is None or result.library.has_dynamic_globals or any(not x.can_cache for x in result.lifted):
            return
        code = result.library.get_llvm_str()
        if ".numba.unresolved$" in code:
            return  # pointers between mutually recursive functions are not mended on loading
        owner = _owner(args)
        assert owner is not None
        buffer = io.BytesIO()
        try:
            _Writer(buffer, owner[1]).dump(("NRT_" in code, result._reduce()))
            path.parent.mkdir(exist_ok=True, mode=0o700)
            write_whole(path, hashlib.sha256(buffer.getvalue()).digest() + buffer.getvalue())
        except (OSError, pickle.PicklingError, TypeError):
            return  # not kept: the next process compiles again


def _owner(args: tuple[Any, ...]) -> tuple[str, list[type]] | None:
    """The fingerprint of the game among the argument types, and the tuple classes its rules build."""
    for arg in args:
        if fingerprint := getattr(arg, "fingerprint", None):
            return fingerprint, arg.game._identity[1]
    return None


class _Writer(NumbaPickler):  # type: ignore[misc]
    def __init__(self, file: io.BytesIO, classes: list[type]) -> None:
        super().__init__(file)
        self._places = {id(cls): place for place, cls in enumerate(classes)}

    def persistent_id(self, obj: Any) -> int | None:
        return self._places.get(id(obj)) if isinstance(obj, type) else None


class _Reader(pickle.Unpickler):
    def __init__(self, file: io.BytesIO, classes: list[type]) -> None:
        super().__init__(file)
        self._classes = classes

    def persistent_load(self, place: Any) -> type:
        found: type = self._classes[place]
        return found


def own_folder() -> Path | None:
    """The cache folder, made if need be; None if it is not ours alone to write."""
    folder = cache_folder()
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        status = folder.stat()
    except OSError:
        return None
    if hasattr(os, "getuid") and (status.st_uid != os.getuid() or status.st_mode & (stat.S_IWGRP | stat.S_IWOTH)):
        return None
    return folder  # it may be read-only: what cannot be kept is compiled again
