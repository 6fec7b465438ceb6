"""What travels to a worker: a function of Plywright's, its arguments, and the files that those name.

A worker unpacks files into a folder that is named by their content, and tells the arguments where they are now. It does
nothing for code other than its own: a parcel carries the stamp of the code that sent it.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import platform
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib import metadata
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

from ..errors import BadInput

LARGEST = 32 << 20
"""Bytes of a file that travels; a larger one must be on every machine, at the same path."""


@runtime_checkable
class Portable(Protocol):
    """An argument that names files."""

    def paths(self) -> list[Path]:
        """The files that it needs."""

    def moved(self, places: Mapping[str, str]) -> Any:
        """The same with files at other places: by full path where each one is."""


@dataclass(frozen=True)
class Parcel:
    """Something to be done elsewhere."""

    stamp: str
    function: Callable[..., Any]
    arguments: tuple[Any, ...]
    files: dict[str, tuple[bytes, bool]]
    """By full path: the content, and whether it may be executed."""


@dataclass(frozen=True)
class Refused:
    """Why a worker does not do what it was sent."""

    why: str


def pack(function: Callable[..., Any], arguments: tuple[Any, ...]) -> bytes:
    """A parcel, as bytes."""
    files: dict[str, tuple[bytes, bool]] = {}
    for argument in arguments:
        for path in argument.paths() if isinstance(argument, Portable) else ():
            place = Path(os.path.normpath(path.absolute()))
            if place.is_file() and place.stat().st_size <= LARGEST:
                files[str(place)] = place.read_bytes(), os.access(place, os.X_OK)
    return pickle.dumps(Parcel(code_stamp(), function, arguments, files))


def open_parcel(data: bytes) -> Any:
    """Do what a parcel asks for; Refused where it was sent by other code."""
    parcel = pickle.loads(data)
    if parcel.stamp != code_stamp():
        return Refused(f"it has other code: {code_words()}")
    places = _unpacked(parcel.files)
    arguments = [each.moved(places) if isinstance(each, Portable) else each for each in parcel.arguments]
    return parcel.function(*arguments)


def _unpacked(files: Mapping[str, tuple[bytes, bool]]) -> dict[str, str]:
    """Where the files are now: below a folder of this user that is named by their content, written once."""
    places: dict[str, str] = {}
    root = Path(tempfile.gettempdir()) / f"plywright-cluster-{os.getuid() if hasattr(os, 'getuid') else 0}"
    root.mkdir(mode=0o700, exist_ok=True)
    if root.is_symlink() or (hasattr(os, "getuid") and root.stat().st_uid != os.getuid()):
        raise BadInput(f"{root} belongs to somebody else: set TMPDIR for the workers")
    bundle = root / _digest(files)
    for place, (content, executable) in files.items():
        path = bundle / place.lstrip("/")
        places[place] = str(path)
        if path.is_file() and path.stat().st_size == len(content) and path.read_bytes() == content:
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=path.parent, prefix=".new-", delete=False) as file:
            file.write(content)
        Path(file.name).chmod(0o755 if executable else 0o644)
        Path(file.name).replace(path)
    return places


def _digest(files: Mapping[str, tuple[bytes, bool]]) -> str:
    total = hashlib.sha256()
    for place, (content, executable) in sorted(files.items()):
        total.update(f"{place}\0{int(executable)}\0".encode("utf-8", "surrogateescape"))
        total.update(hashlib.sha256(content).digest())
    return total.hexdigest()[:16]


@lru_cache(maxsize=1)
def code_stamp() -> str:
    """The hash of Plywright's own files, of Python's version and of the compiler's: equal where games are equal."""
    total = hashlib.sha256(code_words().encode())
    package = Path(__file__).parents[1]
    for path in sorted(package.rglob("*.py")):
        total.update(path.relative_to(package).as_posix().encode() + b"\0" + path.read_bytes())
    return total.hexdigest()[:16]


def code_words() -> str:
    """What this machine runs, for people."""
    return f"plywright {metadata.version('plywright')}, Python {platform.python_version()}, numba {_numba()}"


def _numba() -> str:
    try:
        return metadata.version("numba")
    except metadata.PackageNotFoundError:
        return "none"
