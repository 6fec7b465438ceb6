"""What compiled rules depend on, as one sha256: the code and the values the rules can reach.

Numba's own cache looks at the time stamp of one file. Rules live in several: the class, its bases,
helper functions, module constants, parameters. The walk below starts at the rules and follows every
name that their bytecode mentions, so that an edit anywhere it matters gives another fingerprint,
and an edit that cannot matter (a comment, a picture) does not.
"""

from __future__ import annotations

import hashlib
import sys
import types
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

_PACKAGE = Path(__file__).parent
_NEVER_COMPILED = ("plywright.digest", "plywright.literal")  # plain Python: in the toolkit's stamp, and not walked
_PURE = (int, float, complex, bool, str, bytes, type(None))


def code_names(code: types.CodeType) -> Iterator[str]:
    """Every global and attribute name that a function's code, or code nested in it, mentions."""
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from code_names(constant)


def is_foreign(module_name: str) -> bool:
    """Whether code of this module is the standard library's, NumPy's or Numba's: versioned elsewhere."""
    top = module_name.partition(".")[0]
    return (top in sys.stdlib_module_names and top != "__main__") or top in ("numpy", "numba", "llvmlite")


class Owner(NamedTuple):
    """A class whose methods and attributes are reached by name, and what an attribute of the instance counts.

    `constants(name)` is a value, or NotImplemented where the instance has nothing of that name; data that travels
    at run time answers with its type only.
    """

    cls: type
    constants: Callable[[str], Any]


class _Walk:
    """Feeds everything reachable into one hash, each object once and in a fixed order."""

    def __init__(self, owners: list[Owner]) -> None:
        self.owners = owners
        self.hash = hashlib.sha256()
        self.seen: dict[int, Any] = {}  # id -> object, which keeps the ids from being used again
        self.classes: list[type] = []  # named tuples the rules build: the types compiled code refers to
        self.members: list[set[str]] = [set() for _ in owners]  # names of each owner's that were reached

    def feed(self, *parts: object) -> None:
        for part in parts:
            data = part if isinstance(part, bytes) else repr(part).encode()
            self.hash.update(len(data).to_bytes(8, "little") + data)

    def value(self, value: Any) -> None:
        """Hash a constant: by content, never by address."""
        if isinstance(value, np.ndarray):
            self.feed("array", str(value.dtype), value.shape, value.tobytes())
        elif isinstance(value, np.generic):
            self.feed("scalar", str(value.dtype), value.item())
        elif isinstance(value, _PURE):
            self.feed(type(value).__name__, value)
        elif isinstance(value, (tuple, list)):
            self.feed(type(value).__name__, len(value))
            for item in value:
                self.value(item)
        elif isinstance(value, dict):
            self.feed("dict", len(value))
            for item in value.items():  # in its own order, by which rules may go through it
                self.value(item)
        elif isinstance(value, (set, frozenset)):
            self.feed(type(value).__name__, sorted(map(repr, value)))
        else:
            self.thing(value)

    def thing(self, value: Any) -> None:
        """Hash a function, class or module that the rules mention."""
        if id(value) in self.seen:
            return
        self.seen[id(value)] = value
        function = getattr(value, "py_func", getattr(value, "__wrapped__", value))  # dispatchers and kernels
        if isinstance(function, types.FunctionType):
            self.function(function)
        elif isinstance(value, type):
            self.class_(value)
        elif isinstance(value, types.ModuleType):
            self.feed("module", value.__name__)
        else:
            self.feed("object", type(value).__module__, type(value).__qualname__)

    def class_(self, cls: type) -> None:
        self.feed("class", cls.__qualname__)
        if hasattr(cls, "_fields"):
            self.classes.append(cls)
            self.feed(cls._fields, repr(sorted(getattr(cls, "__annotations__", {}).items(), key=lambda item: item[0])))

    def function(self, function: types.FunctionType) -> None:
        if is_foreign(function.__module__ or "") or function.__module__ in _NEVER_COMPILED:
            self.feed("foreign", function.__module__, function.__qualname__)
            return
        self.code(function.__code__)
        self.value(function.__defaults__ or ())
        for cell in function.__closure__ or ():
            self.value(cell.cell_contents)
        names = sorted(set(code_names(function.__code__)))
        for name in names:
            if name in function.__globals__:
                found = function.__globals__[name]
                self.feed("global", name)
                self.value(found)
                if isinstance(found, types.ModuleType) and not is_foreign(found.__name__):
                    for attribute in names:  # helpers.flips: both words are in co_names
                        if attribute != name and hasattr(found, attribute):
                            self.feed("member", attribute)
                            self.value(getattr(found, attribute))
        self.inherited(function, names)
        self.own(names)

    def inherited(self, function: types.FunctionType, names: Iterable[str]) -> None:
        """Follow `Base.rule(self, ...)` and `super().rule(...)`, whose class is in the cell `__class__`."""
        cells = zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)
        classes = [(name, function.__globals__[name]) for name in names if name in function.__globals__]
        for name, cls in classes + [(name, cell.cell_contents) for name, cell in cells]:
            if not (isinstance(cls, type) and hasattr(cls, "_protocol")):
                continue
            lines = [cls.__mro__]
            if name == "__class__":
                heirs = [owner.cls.__mro__ for owner in self.owners if cls in owner.cls.__mro__]
                lines = [line[line.index(cls) + 1 :] for line in heirs]
            for line in lines:
                for rule in names:
                    found = next((vars(base)[rule] for base in line if rule in vars(base)), None)
                    if isinstance(found, types.FunctionType):
                        self.feed("inherited", rule)
                        self.value(found)

    def own(self, names: Iterable[str]) -> None:
        """Follow the owners' own methods and class attributes by name, as `self.name` would."""
        for name in names:
            for owner, members in zip(self.owners, self.members, strict=True):
                if name in members or name.startswith("__") or name in getattr(owner.cls, "never_compiled", ()):
                    continue
                for base in owner.cls.__mro__[:-1]:
                    if name in vars(base):
                        members.add(name)
                        found = vars(base)[name]
                        found = getattr(found, "__func__", found)
                        if isinstance(found, (property, cached_property)):
                            found = found.fget if isinstance(found, property) else found.func
                        self.feed("own", name)
                        self.value(found)
                        break

    def code(self, code: types.CodeType) -> None:
        self.feed(code.co_code, code.co_varnames, code.co_names, code.co_freevars)
        for constant in code.co_consts:
            if isinstance(constant, types.CodeType):
                self.code(constant)
            elif isinstance(constant, frozenset):
                self.feed(sorted(map(repr, constant)))
            else:
                self.feed(constant)


def toolkit_sources() -> list[Path]:
    """The files of Plywright that are behind all compiled code; kernels have a stamp of their own, below."""
    names = (
        *("game/*", "identity", "knowledge/*", "compiled", "state", "survey", "digest", "literal"),
        *("bits", "vectors", "rng", "budget", "stack", "native/*"),
    )
    return sorted(path for name in names for path in _PACKAGE.glob(f"{name}.py"))


@lru_cache(maxsize=1)
def toolkit_stamp() -> bytes:
    """The hash of those files."""
    stamp = hashlib.sha256()
    for path in toolkit_sources():
        stamp.update(path.read_bytes())
    return stamp.digest()


def kernel_stamp(function: types.FunctionType) -> str:
    """The hash of a kernel and of every function and constant that it can reach."""
    walk = _Walk([])
    walk.thing(function)
    return walk.hash.hexdigest()[:16]


def fingerprint(
    owners: list[Owner], roots: Iterable[str], facts: Iterable[str], base: str
) -> tuple[str, list[type], list[set[str]]]:
    """The fingerprint of rules or knowledge, the tuple classes that they build, the names that they read of each owner.

    The first owner is what is fingerprinted, the others are read through it. `roots` are its methods to start
    from, `facts` the attributes that kernels read, `base` what else matters, such as the type of the states.
    """
    walk = _Walk(owners)
    walk.feed(toolkit_stamp(), owners[0].cls.__qualname__, base, sys.version_info[:2])
    walk.own(sorted(roots))
    mentioned = set(facts)
    for thing in list(walk.seen.values()):
        if isinstance(thing, types.FunctionType):
            mentioned.update(code_names(thing.__code__))
    for name in sorted(mentioned):
        for owner, members in zip(owners, walk.members, strict=True):
            value = owner.constants(name)
            if value is not NotImplemented:
                members.add(name)
                walk.feed("attribute", name)
                walk.value(value)
    return walk.hash.hexdigest()[:16], walk.classes, walk.members
