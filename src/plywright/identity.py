"""What rules and knowledge have in common: attributes that freeze when they are first used, and a fingerprint.

Compiled code is made from the class's methods and from the attributes that they read. `Identified` walks both once,
keeps the sha256 of all that (see `fingerprint.py`), and refuses changes from then on: compiled code would not see them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from .fingerprint import Owner, fingerprint

LARGE_TABLE = 1 << 14
"""An array attribute of more bytes than this travels as data instead of being compiled in."""
WORKED_OUT = frozenset(
    {"_address", "_block", "_checked", "_facts_checked", "_frozen", "_identity", "_kind", "_knowledge", "_layout"}
    | {"_learned", "_learned_files"}
    | {
        "_opened",
        "_past_keys",
        "_smoke_tested",
        "_rules_print",
        "_small_workspaces",
        "_start",
        "_survey",
        "_tokens",
        "_curves",
    }
)
"""Attributes that hold what was worked out of a game or a knowledge in this process."""


class Freezing(type):
    """Refuses changes to a class that is in use."""

    def __setattr__(cls, name: str, value: object) -> None:
        if not name.startswith("_") and cls.__dict__.get("_used", False):
            raise AttributeError(
                f"{cls.__name__}.{name} cannot be changed: a {cls.__name__} is in use and its rules are frozen; "
                f"change the class before the first search, or make a subclass"
            )
        super().__setattr__(name, value)


class Identified(metaclass=Freezing):
    """The base of `Game` and `Knowledge`: what compiled code is made from, as one fingerprint."""

    runtime: tuple[str, ...] = ()
    """Names of attributes that travel as data at run time, so that all their values share one compilation."""
    name: str = ""
    """What people call it."""

    never_compiled: ClassVar[frozenset[str]] = frozenset()
    """Members for people: whatever rules mention a member of such a name, they do not mean this one."""

    _protocol: ClassVar[bool] = True
    """Whether the class is ours and no author's: subclasses of a protocol class are the author's."""
    __defaults__: ClassVar[dict[str, Any]] = {}
    """What a protocol class has, by name: what an author's class has instead is an override."""
    _surveyed: ClassVar[tuple[str, ...]] = ()
    """Facts that only play shows: no part of a fingerprint, for which no rule but initial() is run."""

    def __init_subclass__(cls) -> None:
        type.__setattr__(cls, "_protocol", vars(cls).get("_protocol", False))
        if cls._protocol:
            names = [name for name in dir(cls) if not name.startswith("__")]
            type.__setattr__(cls, "__defaults__", {name: getattr(cls, name) for name in names})

    # -- what a subclass says of itself -------------------------------------------------------------

    def _roots(self) -> Iterable[str]:
        """The methods by which compiled code enters."""
        raise NotImplementedError

    def _facts(self) -> Iterable[str]:
        """The attributes that kernels read as constants."""
        raise NotImplementedError

    def _base(self) -> str:
        """What else the compiled code depends on, such as the type of the states."""
        raise NotImplementedError

    def _named_parts(self) -> tuple[tuple[str, Identified], ...]:
        """Attributes that are rules or knowledge themselves, which the code reads through this one."""
        return ()

    def overrides(self, name: str) -> bool:
        """Whether the author's class has a member of its own of that name, and not only the toolkit's default."""
        cls = type(self)
        return getattr(cls, name, None) is not cls.__defaults__.get(name)

    # -- identity -----------------------------------------------------------------------------------

    def runtime_names(self) -> tuple[str, ...]:
        """Names of the attributes that travel as data: those declared, and large arrays."""
        large = [k for k, v in vars(self).items() if isinstance(v, np.ndarray) and v.nbytes > LARGE_TABLE]
        return tuple(dict.fromkeys((*self.runtime, *sorted(large))))

    def _constants(self) -> Callable[[str], Any]:
        """What an attribute counts in the fingerprint: its value, its type where it is data, or nothing."""
        data = self.runtime_names()

        def constant(name: str) -> Any:
            if name in self._surveyed:
                return "surveyed"
            if name in WORKED_OUT:
                return NotImplemented
            if name in data:
                value = getattr(self, name)
                kind = (str(value.dtype), value.ndim) if isinstance(value, np.ndarray) else (type(value),)
                return ("data", *kind)
            is_property = isinstance(getattr(type(self), name, None), (property, cached_property))
            if name in self._facts() or name in vars(self) or is_property:
                value = getattr(self, name, NotImplemented)
                return ("identified", value.fingerprint) if isinstance(value, Identified) else value
            return NotImplemented

        return constant

    @cached_property
    def _identity(self) -> tuple[str, list[type], set[str]]:
        """Reads every attribute once and freezes them: the fingerprint, the tuple classes built, the names read."""
        parts = [part for _, part in self._named_parts()]
        owners = [Owner(type(self), self._constants()), *(Owner(type(part), part._constants()) for part in parts)]
        facts = [*self._facts(), *self.runtime_names()]
        found, classes, members = fingerprint(owners, self._roots(), facts, self._base())
        for part, names in zip(parts, members[1:], strict=True):
            part._identity[2].update(names)  # frozen as they are, they may be read from here, too
        self.__dict__["_frozen"] = True
        for cls in type(self).__mro__:
            if issubclass(cls, Identified) and not vars(cls)["_protocol"]:
                type.__setattr__(cls, "_used", True)
        return found, classes, members[0]

    @property
    def fingerprint(self) -> str:
        """The sha256, shortened, of the code and the values that compiled code is made from."""
        return self._identity[0]

    def __getstate__(self) -> dict[str, Any]:
        """What goes to another process: its own attributes, without what is worked out from them."""
        return {name: value for name, value in self.__dict__.items() if name not in WORKED_OUT}

    def __setattr__(self, name: str, value: object) -> None:
        if not name.startswith("_") and self.__dict__.get("_frozen", False):
            raise AttributeError(
                f"{self.name or type(self).__name__}.{name} cannot be changed: it has been used and is frozen; "
                f"make a new {type(self).__name__} instead"
            )
        object.__setattr__(self, name, value)


def is_shipped(subject: Identified) -> bool:
    """Whether this is ours, and tested here: what others wrote is looked at before it is relied on."""
    return type(subject).__module__.startswith("plywright.")
