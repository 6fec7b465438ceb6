"""Numba's lowering to LLVM without what plain numbers have no need of."""

from __future__ import annotations

from typing import Any

from numba.core import cgutils, ir
from numba.core.compiler_machinery import register_pass
from numba.core.lowering import Lower
from numba.core.typed_passes import NativeLowering

from .linking import KernelLibrary, RuleLibrary
from .recursion import guard_stack, may_overflow


def owns_memory(context: Any, kind: Any) -> bool:
    """Whether values of this type hold memory that is counted and released, or may do so."""
    try:
        found: bool = context.data_model_manager[kind].contains_nrt_meminfo()
    except KeyError:
        return True
    return found


class RuleLower(Lower):  # type: ignore[misc]
    """Numbers and tuples of numbers own no memory: nothing is released when a variable changes or ends.

    Functions that call themselves, directly or not, look whether the stack has room for one call more.
    """

    def pre_block(self, block: Any) -> None:
        super().pre_block(block)
        if block is self.blocks[min(self.blocks)] and self.context.error_model.raise_on_fp_zero_division:
            function = self.func_ir.func_id.func
            if may_overflow(function):
                guard_stack(self.context, self.builder, function.__name__)

    def storevar(self, value: Any, name: str, argidx: int | None = None) -> None:
        if self._is_plain(name) and name not in self._singly_assigned_vars:
            self._alloca_var(name, self.typeof(name))
            self.builder.store(value, self.getvar(name))
        else:
            super().storevar(value, name, argidx)

    def delvar(self, name: str) -> None:
        if not self._is_plain(name):
            super().delvar(name)

    def alloca_lltype(self, name: str, lltype: Any, datamodel: Any = None) -> Any:
        return cgutils.alloca_once(self.builder, lltype, name=name, zfill=False)

    def lower_binop(self, resty: Any, expr: Any, op: Any) -> Any:
        if expr.static_lhs is not ir.UNDEFINED or expr.static_rhs is not ir.UNDEFINED:
            return super().lower_binop(resty, expr, op)
        typing = self.context.typing_context
        wanted = self.fndesc.calltypes[expr]
        values = [
            self.context.cast(self.builder, self.loadvar(side.name), self.typeof(side.name), kind)
            for side, kind in zip((expr.lhs, expr.rhs), wanted.args, strict=True)
        ]
        function = typing.resolve_value_type(op)
        found = typing.resolve_function_type(function, wanted.args, {})
        result = self.context.get_function(function, found)(self.builder, values)
        return self.context.cast(self.builder, result, wanted.return_type, resty)

    def _is_plain(self, name: str) -> bool:
        return not owns_memory(self.context, self.typeof(name))


@register_pass(mutates_CFG=True, analysis_only=False)  # type: ignore[untyped-decorator]
class RuleLowering(NativeLowering):  # type: ignore[misc]
    """Lowers a function into the library that suits it, by whether Python calls the function."""

    _name = "plywright_lowering"

    @property
    def lowering_class(self) -> Any:
        return RuleLower

    def run_pass(self, state: Any) -> bool:
        kind = RuleLibrary if state.flags.no_cpython_wrapper else KernelLibrary
        state.library = kind(state.targetctx.codegen(), state.func_id.func_qualname)
        state.library.enable_object_caching()
        done: bool = super().run_pass(state)
        return done
