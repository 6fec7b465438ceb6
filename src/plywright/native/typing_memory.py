"""Each call is typed once: what Numba found for a function and argument types is found at once the next time.

Numba goes through every implementation it has of an operator, twice, for every use of it, and again each
time that it goes over a function. In one compilation the answer is always the same.
"""

from __future__ import annotations

from typing import Any

from numba.core import types, typing

_RECURSIVE = (types.RecursiveCall, types.Undefined)


class RuleTyping(typing.Context):  # type: ignore[misc]
    """Numba's typing context, with a memory. There is one for each set of compiler flags.

    All that Numba knows is shared with the context it was made of; the memory is its own.
    """

    __slots__ = ("_attributes_found", "_calls_found")

    def __init__(self, context: Any) -> None:
        self.__dict__ = context.__dict__
        self.forget()

    def forget(self) -> None:
        """Another compilation begins: the same names may mean other classes."""
        self._calls_found: dict[Any, Any] = {}
        self._attributes_found: dict[Any, Any] = {}

    def resolve_function_type(self, func: Any, args: Any, kws: Any) -> Any:
        if kws or not isinstance(args, tuple) or isinstance(func, _RECURSIVE):
            return super().resolve_function_type(func, args, kws)
        key = func, args
        try:
            found = self._calls_found.get(key)
        except TypeError:  # an index that cannot be hashed
            return super().resolve_function_type(func, args, kws)
        if found is None:
            found = super().resolve_function_type(func, args, kws)
            if found is not None:
                self._calls_found[key] = found
        return found

    def resolve_getattr(self, typ: Any, attr: str) -> Any:
        key = typ, attr
        found = self._attributes_found.get(key)
        if found is None:
            found = super().resolve_getattr(typ, attr)
            if found is not None:
                self._attributes_found[key] = found
        return found
