"""Numba's lowering to LLVM without what plain numbers have no need of."""

from __future__ import annotations

from typing import Any

from llvmlite import ir as llvm
from numba.core import cgutils, ir
from numba.core.compiler_machinery import register_pass
from numba.core.lowering import Lower
from numba.core.typed_passes import NativeLowering

from ..fingerprint import code_names
from ..stack import SYMBOL, slot
from .linking import KernelLibrary, RuleLibrary


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
            if slot() is not None and function in _called_by(function):
                _guard_stack(self.context, self.builder, function.__name__)

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


def _called_by(function: Any) -> set[Any]:
    """The plain functions that this one calls by name, and those that they call."""
    found: set[Any] = set()
    open_ = [function]
    while open_:
        code, scope = (each := open_.pop()).__code__, each.__globals__
        for name in code_names(code):
            called = getattr(scope.get(name), "py_func", None)
            if called is not None and called not in found:
                found.add(called)
                open_.append(called)
    return found


def _guard_stack(context: Any, builder: Any, name: str) -> None:
    """Raise RecursionError where the stack of this thread has come to its end."""
    byte, word, module = llvm.IntType(8).as_pointer(), llvm.IntType(64), builder.module
    number = cgutils.add_global_variable(module, llvm.IntType(32), SYMBOL) if SYMBOL not in module.globals else None
    number = number or module.globals[SYMBOL]
    get = cgutils.get_or_insert_function(module, llvm.FunctionType(byte, [llvm.IntType(32)]), "pthread_getspecific")
    frame = cgutils.get_or_insert_function(module, llvm.FunctionType(byte, [llvm.IntType(32)]), "llvm.frameaddress.p0")
    lowest = builder.ptrtoint(builder.call(get, [builder.load(number)]), word)
    here = builder.ptrtoint(builder.call(frame, [llvm.IntType(32)(0)]), word)
    with builder.if_then(builder.icmp_unsigned("<", here, lowest), likely=False):
        context.call_conv.return_user_exc(builder, RecursionError, (f"{name}() calls itself without an end",))


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
