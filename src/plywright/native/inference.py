"""Types of variables and calls, each worked out once.

For every use of an operator Numba goes through all the implementations it has of it, twice, and does so again
whenever it goes over the function. Within one compilation the answer never changes, and is remembered here.
"""

from __future__ import annotations

from typing import Any

from numba.core import errors, types, typing
from numba.core.compiler_machinery import register_pass
from numba.core.typed_passes import NopythonTypeInference
from numba.core.typeinfer import TypeInferer

from .generators import refuse_held_memory
from .sequences import unified

_OPEN = (types.RecursiveCall, types.Undefined)


class RuleTyping(typing.Context):  # type: ignore[misc]
    """Numba's typing context, with a memory. There is one for each set of compiler flags.

    All that Numba knows is shared with the context it was made of; the memory is its own.
    """

    __slots__ = ("_attribute_types", "_call_types")

    def __init__(self, context: Any) -> None:
        self.__dict__ = context.__dict__
        self.forget()

    def forget(self) -> None:
        """Forget everything: a compilation has ended."""
        self._call_types: dict[Any, Any] = {}
        self._attribute_types: dict[Any, Any] = {}

    def refresh(self) -> None:
        """Take in what was registered while compiling."""
        for registry in list(self._registries):
            self.install_registry(registry)

    def unify_pairs(self, first: Any, second: Any) -> Any:
        """The type of a variable that is one of two in turn; of tuples with and without a length, that with one."""
        found = super().unify_pairs(first, second)
        return unified(self, first, second) if found is None else found  # the type of () is false

    def resolve_function_type(self, func: Any, args: Any, kws: Any) -> Any:
        key = func, args
        try:
            found = None if kws else self._call_types.get(key)
        except TypeError:  # among the arguments is an index that cannot be hashed
            return super().resolve_function_type(func, args, kws)
        if found is None:
            found = super().resolve_function_type(func, args, kws)
            if found is not None and not kws and not isinstance(func, _OPEN):
                self._call_types[key] = found
        return found

    def resolve_getattr(self, typ: Any, attr: str) -> Any:
        key = typ, attr
        found = self._attribute_types.get(key)
        if found is None:
            found = super().resolve_getattr(typ, attr)
            if found is not None:
                self._attribute_types[key] = found
        return found


class RuleInferer(TypeInferer):  # type: ignore[misc]
    """The return type of a recursive function is guessed once and confirmed at the end.

    Numba infers the whole function anew at each such call, as far as it goes without knowing the answer.
    """

    _guess: Any = None

    def return_types_from_partial(self) -> Any:
        if self._guess is None:
            self._guess = super().return_types_from_partial()
        return self._guess

    def infer(self) -> tuple[Any, Any, Any]:
        """Types of the variables, of the result and of the calls."""
        self.build_constraint()
        self.propagate()
        if self._guess is not None and super().return_types_from_partial() != self._guess:
            self.return_types_from_partial = super().return_types_from_partial
            self.propagate()
        found: tuple[Any, Any, Any] = self.unify()
        return found


@register_pass(mutates_CFG=True, analysis_only=False)  # type: ignore[untyped-decorator]
class RuleInference(NopythonTypeInference):  # type: ignore[misc]
    """Finds the types of one function."""

    _name = "plywright_type_inference"

    def run_pass(self, state: Any) -> bool:
        warnings = errors.WarningsFixer(errors.NumbaWarning)
        inferer = RuleInferer(state.typingctx, state.func_ir, warnings)
        frame = (state.targetctx.target, inferer, state.func_ir.func_id, state.args)
        with state.typingctx.callstack.register(*frame), warnings:
            for index, (name, kind) in enumerate(zip(state.func_ir.arg_names, state.args, strict=True)):
                inferer.seed_argument(name, index, kind)
            if state.return_type is not None:
                inferer.seed_return(state.return_type)
            for name, kind in state.locals.items():
                inferer.seed_type(name, kind)
            state.typemap, state.return_type, state.calltypes = inferer.infer()
        state.typing_errors = None
        if state.func_ir.is_generator:
            refuse_held_memory(state.func_id.func_name, state.typemap.values(), state.func_ir.loc)
        if isinstance(state.return_type, (types.Function, types.Phantom)):
            raise errors.NumbaTypeError(f"Can't return function object ({state.return_type}) in nopython mode")
        return True
