"""How a function is taken through Numba's compiler: by the passes that it needs, and by no others.

Numba's pipeline is made for all that Python can say. Most rules are loops, numbers and tuples; they skip the
passes for closures, comprehensions, `with` and parallel loops, and the bookkeeping between passes that only
those need. Generators and whatever else is out of the ordinary take Numba's own way, step by step.
"""

from __future__ import annotations

import gc
from typing import Any

import numba
from numba.core import errors, ir, types
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import PassManager
from numba.core.ir_utils import build_definitions
from numba.core.rewrites import rewrite_registry
from numba.core.ssa import reconstruct_ssa
from numba.core.target_extension import CPU, dispatcher_registry, jit_registry, target_registry
from numba.core.typed_passes import (
    DumpParforDiagnostics,
    IRLegalization,
    NativeLowering,
    NopythonRewrites,
    NopythonTypeInference,
    PreLowerStripPhis,
)
from numba.core.untyped_passes import (
    GenericRewrites,
    InlineClosureLikes,
    IRProcessing,
    LiteralUnroll,
    MakeFunctionToJitFunction,
    ReconstructSSA,
    RewriteSemanticConstants,
    WithLifting,
)

from .folding import FoldFacts
from .generators import HoldsMemory
from .inference import RuleInference, RuleTyping
from .lowering import RuleLowering, owns_memory
from .rewriting import returning_list


class RuleTarget(CPU):  # type: ignore[misc]
    """The processor under another name: so what rules call of Numba's own library is compiled as the rules are."""


def _jit(*args: Any, **options: Any) -> Any:
    """Numba's decorator for the implementations in its library."""
    return numba.jit(*args, pipeline_class=RuleCompiler, **{**options, "no_cfunc_wrapper": True})


target_registry["plywright"] = RuleTarget
dispatcher_registry[RuleTarget] = dispatcher_registry[CPU]
jit_registry[RuleTarget] = _jit

_typing: dict[str, RuleTyping] = {}  # a set of flags, as text -> the context for it
_subroutines: dict[Any, Any] = {}  # of Numba's own, compiled to be linked into rules


class RuleCompiler(CompilerBase):  # type: ignore[misc]
    """Compiles one function; what it calls is compiled on the way, each by a compiler of its own."""

    def __init__(self, typing: Any, target: Any, library: Any, args: Any, result: Any, flags: Any, names: Any) -> None:
        self._outermost = not typing.callstack
        if self._outermost:  # nested compilations find everything up to date
            target.refresh()
        context = _typing.setdefault(str(flags), RuleTyping(typing))

        def refresh() -> None:
            """Take in what was registered while compiling."""
            for registry in list(target._registries):
                target.install_registry(registry)
            context.refresh()

        ours = {"typing_context": context, "target": RuleTarget, "cached_internal_func": _subroutines}
        super().__init__(context, target.subtarget(refresh=refresh, **ours), library, args, result, flags, names)
        self._given = typing, target, library, args, result, flags, names

    def compile_extra(self, func: Any) -> Any:
        """A generator that holds a list or a set is compiled as a function that returns its items."""
        try:
            return super().compile_extra(func)
        except HoldsMemory:
            if (listed := returning_list(func)) is None:
                raise
        return RuleCompiler(*self._given).compile_extra(listed)

    def _compile_core(self) -> Any:
        """Pause garbage collection: compiling makes millions of small objects, nearly all of which stay alive."""
        pause = self._outermost and gc.isenabled()
        if pause:
            gc.disable()
        try:
            return super()._compile_core()
        finally:
            if pause:
                gc.enable()
            if self._outermost:  # the same names may mean other classes in the next compilation
                for context in _typing.values():
                    context.forget()

    def define_pipelines(self) -> list[Any]:
        usual = DefaultPassBuilder.define_nopython_pipeline(self.state)
        usual.add_pass_after(FoldFacts, RewriteSemanticConstants)
        passes = RulePasses(usual.pipeline_name)
        passes.passes = [(_OURS.get(work, work), description) for work, description in usual.passes]
        passes.finalize()
        return [passes]


_OURS = {NopythonTypeInference: RuleInference, NativeLowering: RuleLowering}


class RulePasses(PassManager):  # type: ignore[misc]
    """Runs the passes over one function, the short way if it is an ordinary one."""

    _ordinary: bool | None = None

    def _runPass(self, index: int, work: Any, state: Any) -> None:  # noqa: N802
        if self._ordinary is None and state.func_ir is not None:
            self._ordinary = _is_ordinary(state.func_ir)
        if not self._ordinary:
            super()._runPass(index, work, state)
            return
        work.analysis = self._analysis
        with errors.new_error_context("Pass {name}", name=work.name()):
            short = _SHORT.get(type(work))
            if short is not None:
                short(work, state)
            else:
                work.run_initialization(state)
                work.run_pass(state)
                work.run_finalizer(state)


_UNUSUAL = (ir.EnterWith, ir.PopBlock, ir.TryRaise)
_UNUSUAL_CALLS = ("reduce", "literal_unroll", "StencilFunc")


def _is_ordinary(func_ir: Any) -> bool:
    """Whether the function has no generator, no function or list within it, no `try` and no `with`."""
    if func_ir.is_generator:
        return False
    for block in func_ir.blocks.values():
        for statement in block.body:
            if isinstance(statement, _UNUSUAL):
                return False
            value = statement.value if isinstance(statement, ir.Assign) else None
            if isinstance(value, ir.Expr) and value.op in ("make_function", "build_list"):
                return False
            if isinstance(value, (ir.Global, ir.FreeVar)) and _name(value.value) in _UNUSUAL_CALLS:
                return False
    return True


def _name(value: Any) -> str:
    return str(getattr(value, "__name__", type(value).__name__))


def _skip(work: Any, state: Any) -> None:
    """The pass is for functions out of the ordinary."""


def _rewrite(work: Any, state: Any) -> None:
    """GenericRewrites: constant indices and the like."""
    for kind in rewrite_registry.rewrites["before-inference"]:
        rewrite = kind(state)
        blocks = list(state.func_ir.blocks.items())
        while blocks:
            label, block = blocks.pop()
            if rewrite.match(state.func_ir, block, state.typemap, state.calltypes):
                state.func_ir.blocks[label] = rewrite.apply()
                blocks.append((label, state.func_ir.blocks[label]))


def _one_assignment_each(work: Any, state: Any) -> None:
    """ReconstructSSA: every assignment gets a variable of its own."""
    state.func_ir = reconstruct_ssa(state.func_ir)
    work._patch_locals(state)
    state.func_ir._definitions = build_definitions(state.func_ir.blocks)


def _join_variables(work: Any, state: Any) -> None:
    """PreLowerStripPhis: what a loop carries from round to round is one variable again."""
    state.func_ir = work._strip_phi_nodes(state.func_ir)
    state.func_ir._definitions = build_definitions(state.func_ir.blocks)


def _rewrite_arrays(work: Any, state: Any) -> None:
    """NopythonRewrites: arithmetic on whole arrays, and fields of records."""
    if any(isinstance(kind, (types.Array, types.StringLiteral)) for kind in state.typemap.values()):
        work.run_pass(state)


def _end_lifetimes(work: Any, state: Any) -> None:
    """IRLegalization: says where each variable ends, which matters to those that own memory."""
    if any(owns_memory(state.targetctx, kind) for kind in state.typemap.values()):
        work.run_pass(state)


_SHORT = {
    IRProcessing: _skip,
    WithLifting: _skip,
    InlineClosureLikes: _skip,
    MakeFunctionToJitFunction: _skip,
    LiteralUnroll: _skip,
    DumpParforDiagnostics: _skip,
    GenericRewrites: _rewrite,
    ReconstructSSA: _one_assignment_each,
    PreLowerStripPhis: _join_variables,
    NopythonRewrites: _rewrite_arrays,
    IRLegalization: _end_lifetimes,
}
