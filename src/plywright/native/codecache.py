"""Compiled code on disk: one folder per fingerprint, one file per kernel and kinds of its arguments.

Files hold machine code, so they are read only from a folder that belongs to the user and that nobody else can
write to. Each begins with its sha256: a torn or damaged file is a miss, never an error, and so is one that was
made for another machine, by another Numba, or for another game or kernel. Nothing here imports Numba.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
import os
import stat
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import llvmlite

from ..compiled import Kernel, Uncompilable, cache_folder
from ..files import write_whole
from ..fingerprint import kernel_stamp
from ..game import Game
from ..state import BOOL, FLOAT64, INT64, UINT64, Shape
from .machine_code import Code, machine
from .words import GameKind, Kind, described

_DIGEST = 32
_REFUSAL = ".refused"


def path_of(kernel: Kernel, kinds: tuple[Kind, ...]) -> Path:
    """Where code of this kernel for these kinds of arguments belongs."""
    owner = kinds[0]
    assert isinstance(owner, GameKind)
    switches = sorted(item for item in os.environ.items() if item[0].startswith("NUMBA_"))
    made_by = (_numba_version(), llvmlite.__version__, machine(), switches)
    text = repr((made_by, _stamp(kernel), [described(kind) for kind in kinds]))
    name = f"{kernel.function.__module__.rpartition('.')[2]}.{kernel.function.__name__}"
    return cache_folder() / owner.fingerprint / f"{name}-{hashlib.sha256(text.encode()).hexdigest()[:16]}.code"


@cache
def _stamp(kernel: Kernel) -> str:
    return kernel_stamp(kernel.function)


@lru_cache(maxsize=1)
def _numba_version() -> str:
    """The file that names Numba's version: reading it is faster than importing anything of Numba."""
    found = importlib.util.find_spec("numba")
    assert found is not None and found.origin is not None
    try:
        return Path(found.origin).with_name("_version.py").read_text()
    except OSError:
        return f"of {Path(found.origin).stat().st_mtime_ns}"


def read(path: Path, game: Game) -> Code | None:
    """The code in a file; None if it is missing, damaged or writable by others."""
    if not own_folder():
        return None
    try:
        data = path.read_bytes()
        if hashlib.sha256(data[_DIGEST:]).digest() != data[:_DIGEST]:
            return None
        head, _, machine_code = data[_DIGEST:].partition(b"\n")
        facts = json.loads(head)
        if facts["place"] != _place(path):
            return None
        shape = _shape(facts["result"], game._identity[1])
        return Code(facts["name"], shape, tuple(facts["symbols"]), tuple(facts["constants"]), machine_code)
    except (OSError, ValueError, LookupError, TypeError):
        return None


def write(path: Path, code: Code, game: Game) -> None:
    """Keep the code for the next process, if there is a place for it."""
    if not own_folder():
        return
    try:
        facts = code._asdict() | {"result": _spelled(code.result, game._identity[1]), "place": _place(path)}
        machine_code = facts.pop("machine_code")
        data = json.dumps(facts).encode() + b"\n" + machine_code
        path.parent.mkdir(exist_ok=True, mode=0o700)
        write_whole(path, hashlib.sha256(data).digest(), data)
    except (OSError, ValueError):
        return  # not kept: the next process compiles again


def read_refusal(path: Path) -> Uncompilable | None:
    """Why this kernel could not be compiled, if an earlier process found out and the line it named is unchanged."""
    if not own_folder():
        return None
    try:
        data = path.with_suffix(_REFUSAL).read_bytes()
        if hashlib.sha256(data[_DIGEST:]).digest() != data[:_DIGEST]:
            return None
        facts = json.loads(data[_DIGEST:])
        if facts["source"] != _source(facts["file"]):
            return None
        return Uncompilable(facts["reason"], facts["file"], facts["line"])
    except (OSError, ValueError, LookupError, TypeError):
        return None


def write_refusal(path: Path, reason: Uncompilable) -> None:
    """Remember for later processes that compiling this kernel fails."""
    if not own_folder():
        return
    try:
        facts = {"reason": reason.reason, "file": reason.file, "line": reason.line, "source": _source(reason.file)}
        data = json.dumps(facts).encode()
        path.parent.mkdir(exist_ok=True, mode=0o700)
        write_whole(path.with_suffix(_REFUSAL), hashlib.sha256(data).digest(), data)
    except (OSError, ValueError):
        return


def _source(file: str | None) -> str | None:
    """The hash of a source: a comment moves its lines, though not the fingerprint."""
    return None if file is None else hashlib.sha256(Path(file).read_bytes()).hexdigest()


def _place(path: Path) -> str:
    """What a file is for, the game's fingerprint and the kernel with its arguments: written into it, so that one that
    was put in another's place is a miss, although it is whole."""
    return f"{path.parent.name}/{path.name}"


def _spelled(shape: Shape, classes: list[type]) -> Any:
    """An answer's shape as JSON: a leaf is its kind, None is null, a tuple a list that begins with its class's place.

    Classes of an author's module are named by their place among those that the game's rules build, so that a file
    does not depend on how that module was imported; raises ValueError for a class of another origin.
    """
    if shape.kind is not None:
        return shape.kind
    if shape.cls is type(None):
        return None
    place = -1 if shape.cls is tuple else next(i for i, cls in enumerate([*classes, shape.cls]) if cls is shape.cls)
    if place == len(classes):
        raise ValueError(f"{shape.cls} is not among the game's classes")
    return [place, *(_spelled(item, classes) for item in shape.items)]


def _shape(spelled: Any, classes: list[type]) -> Shape:
    if spelled in (INT64, UINT64, FLOAT64, BOOL):
        return Shape(kind=spelled)
    if spelled is None:
        return Shape(cls=type(None))
    place, *items = spelled
    return Shape(items=tuple(_shape(item, classes) for item in items), cls=tuple if place < 0 else classes[place])


def own_folder() -> bool:
    """Whether nobody else can write to the cache folder, which is made if need be; it may be read-only even to us."""
    folder = cache_folder()
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        status = folder.stat()
    except OSError:
        return False
    if not hasattr(os, "getuid"):
        return True
    return status.st_uid == os.getuid() and not status.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
