"""Pickling of games that come from files, their states and whatever else the files define, for other processes.

A file is imported under a name that no other process can import. So its values are pickled as the file's path, the
hash of its text and the name of the class; where they arrive the file is imported first, and another text is refused.
"""

from __future__ import annotations

import copyreg
import hashlib
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

from ..errors import GameError

PREFIX = "plywright_file_"


def module_name(path: Path) -> str:
    """The name under which a file is imported: its own, so that it never shadows another module."""
    return f"{PREFIX}{path.stem}_{hashlib.sha256(str(path).encode()).hexdigest()[:8]}"


def register(module: ModuleType, path: Path) -> None:
    """Have the values of all classes of an imported file pickled by path and text."""
    module.__dict__["__plywright_text__"] = _text_hash(path)
    for cls in list(vars(module).values()):
        if isinstance(cls, type) and cls.__module__ == module.__name__:
            copyreg.pickle(cls, _reduced)


def _reduced(value: Any) -> tuple[Any, ...]:
    """How pickle writes a value of such a class."""
    cls = type(value)
    made: Any = value.__reduce_ex__(2)
    function, given, *more = made
    module = sys.modules[cls.__module__]
    place = str(module.__file__), module.__dict__["__plywright_text__"], cls.__qualname__
    if function is copyreg.__newobj__:  # type: ignore[attr-defined]
        return restored, (*place, True, tuple(given[1:])), more[0] if more else None
    if function is cls:
        return restored, (*place, False, tuple(given)), more[0] if more else None
    return tuple(made)


def restored(path: str, text: str, qualname: str, bare: bool, given: tuple[Any, ...]) -> Any:
    """The value where it arrives, still without its attributes where it is `bare`."""
    from .registry import import_file

    file = Path(path)
    module = sys.modules.get(module_name(file))
    if module is None:
        if not file.is_file():
            raise GameError(f"the game's file {file.name} is not there in this process")
        module = import_file(file)
    if module.__dict__["__plywright_text__"] != text:
        raise GameError(f"{file.name} is another one than where the value comes from: start anew with one text")
    cls: Any = module
    for part in qualname.split("."):
        cls = getattr(cls, part)
    return cls.__new__(cls, *given) if bare else cls(*given)


def _text_hash(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()[:16]
