"""How a function is taken through Numba's compiler: the passes that it needs, and no more."""

from __future__ import annotations

from typing import Any

import numba
from numba.core import errors, ir, types
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import PassManager
from numba.core.postproc import PostProcessor
from numba.core.target_extension import CPU, dispatcher_registry, jit_registry, target_registry
from numba.core.typed_passes import NativeLowering, NopythonRewrites, NopythonTypeInference
from numba.core.untyped_passes import InlineClosureLikes, RewriteSemanticConstants

from .folding import FoldFacts
from .lowering import RuleLowering
from .typing_memory import RuleTyping


class RuleTarget(CPU):  # type: ignore[misc]
    """The processor, as far as Numba is concerned; what rules call of Numba's own library is compiled as they are."""


def _jit(*args: Any, **options: Any) -> Any:
    return numba.jit(*args, pipeline_class=RuleCompiler, **{**options, "no_cfunc_wrapper": True})


target_registry["plywright"] = RuleTarget
jit_registry[RuleTarget] = _jit
dispatcher_registry[RuleTarget] = dispatcher_registry[CPU]

_typing: dict[str, RuleTyping] = {}  # a set of flags, as text -> the context for it


class RuleCompiler(CompilerBase):  # type: ignore[misc]
    """Numba's usual pipeline with the facts folded first, and machine code for kernels only."""

    def __init__(self, typing: Any, target: Any, library: Any, args: Any, result: Any, flags: Any, names: Any) -> None:
        super().__init__(typing, target, library, args, result, flags, names)
        if not typing.callstack:
            for memory in _typing.values():
                memory.forget()
        kind = str(flags)
        if kind not in _typing:
            _typing[kind] = RuleTyping(typing)
        self.state.typingctx = _typing[kind]
        self.state.targetctx = self.state.targetctx.subtarget(typing_context=_typing[kind], target=RuleTarget)

    def define_pipelines(self) -> list[Any]:
        usual = DefaultPassBuilder.define_nopython_pipeline(self.state)
        usual.add_pass_after(FoldFacts, RewriteSemanticConstants)
        passes = RulePasses(usual.pipeline_name)
        passes.passes = [(_OURS.get(work, work), description) for work, description in usual.passes]
        passes.finalize()
        return [passes]


class RulePasses(PassManager):  # type: ignore[misc]
    """Runs passes without reports on each, and without what they have nothing to do for."""

    def _runPass(self, index: int, work: Any, state: Any) -> None:
        needed = _NEEDED.get(type(work))
        if needed is not None and not needed(state):
            return
        if isinstance(work, NopythonTypeInference):
            PostProcessor(state.func_ir).run()
        work.analysis = self._analysis
        with errors.new_error_context("Pass {name}", name=work.name()):
            work.run_initialization(state)
            work.run_pass(state)
            work.run_finalizer(state)


def _has_closures(state: Any) -> bool:
    """Whether there is a function within the function, or a list to be built, whose loops Numba may draw together."""
    for block in state.func_ir.blocks.values():
        for statement in block.find_insts(ir.Assign):
            value = statement.value
            if isinstance(value, ir.Expr) and value.op in ("make_function", "build_list"):
                return True
            if isinstance(value, (ir.Global, ir.FreeVar)) and not isinstance(value.value, (int, float, tuple)):
                if getattr(value.value, "__name__", "") in ("reduce", "stencil"):
                    return True
    return False


def _has_arrays(state: Any) -> bool:
    return any(isinstance(kind, (types.Array, types.StringLiteral)) for kind in state.typemap.values())


_NEEDED = {InlineClosureLikes: _has_closures, NopythonRewrites: _has_arrays}
_OURS = {NativeLowering: RuleLowering}
