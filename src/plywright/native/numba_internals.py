"""What Plywright assumes about the inside of Numba: stated here, and checked before anything leans on it.

Games compile with Numba's documented way of extending it. The short cuts of this package go further: they call,
override or replace functions that are private to Numba and may change in any release. Each short cut
is listed here with the places it depends on. Where one of them is gone, is called differently, or does something else
than the text that was replaced, the short cut is not taken: the game compiles by Numba's ordinary way (`ordinary.py`),
which takes longer and gives the same answers. `plywright doctor --environment` shows what is in use.

A line of a list names one place, `module:object.attribute`, and may add
- `(names)`: how it is called, by the names of its parameters;
- `== text`: what it is, as text;
- `# digests`: the versions of its source that this package knows, because it replaces or skips the function.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib
import inspect
import re
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, NamedTuple, TypeVar

from ..compiled import Uncompilable

T = TypeVar("T")


class ShortCut(NamedTuple):
    """Something that this package does with Numba's internals: what for, what happens without it, what it needs."""

    gain: str
    otherwise: str
    needs: str


SHORT_CUTS = {
    "passes": ShortCut(
        "ordinary functions skip the compiler passes they do not need",
        "every function takes all of Numba's passes",
        """
        numba.core.compiler:CompilerBase.__init__(self, typingctx, targetctx, library, args, return_type, flags, locals)
        numba.core.compiler:CompilerBase.compile_extra(self, func)
        numba.core.compiler:CompilerBase._compile_core(self)
        numba.core.compiler:DefaultPassBuilder.define_nopython_pipeline(state, name)
        numba.core.compiler_machinery:PassManager.__init__(self, pipeline_name)
        numba.core.compiler_machinery:PassManager.add_pass_after(self, pass_cls, location)
        numba.core.compiler_machinery:PassManager._runPass(self, index, pss, internal_state) # 0c519aab 9cb3f7d3
        numba.core.errors:new_error_context(fmt_, args, kwargs)
        numba.core.ir_utils:build_definitions(blocks, definitions)
        numba.core.rewrites:rewrite_registry
        numba.core.rewrites.registry:RewriteRegistry.apply # a89e51c2
        numba.core.ssa:reconstruct_ssa(func_ir)
        numba.core.typed_passes:DumpParforDiagnostics.run_pass # 48d50c46
        numba.core.typed_passes:IRLegalization.run_pass # 480afd01
        numba.core.typed_passes:NativeLowering
        numba.core.typed_passes:NopythonRewrites.run_pass # 1815055c
        numba.core.typed_passes:NopythonTypeInference
        numba.core.typed_passes:PreLowerStripPhis.run_pass # 912dba98
        numba.core.typed_passes:PreLowerStripPhis._strip_phi_nodes(self, func_ir)
        numba.core.untyped_passes:GenericRewrites.run_pass # 12b4a5f9
        numba.core.untyped_passes:IRProcessing.run_pass # 422859ce
        numba.core.untyped_passes:InlineClosureLikes.run_pass # 8374a1c2
        numba.core.untyped_passes:LiteralUnroll.run_pass # ea1f8470
        numba.core.untyped_passes:MakeFunctionToJitFunction.run_pass # d954254c
        numba.core.untyped_passes:ReconstructSSA.run_pass # ce657371
        numba.core.untyped_passes:ReconstructSSA._patch_locals(self, state)
        numba.core.untyped_passes:WithLifting.run_pass # 47e64e62
        """,
    ),
    "folding": ShortCut(
        "branches that a game's facts decide are dropped in Numba's own form of the function",
        "they are dropped in the source, which is read again for that",
        """
        numba.core.compiler_machinery:FunctionPass.run_pass(self, args, kwargs)
        numba.core.compiler_machinery:register_pass(mutates_CFG, analysis_only)
        numba.core.ir:Arg
        numba.core.ir:Assign
        numba.core.ir:Const.__init__(self, value, loc, use_literal_type)
        numba.core.ir:Expr.getattr(value, attr, loc)
        numba.core.ir_utils:get_definition(func_ir, name, kwargs)
        numba.core.ir_utils:guard(func, args, kwargs)
        numba.core.untyped_passes:RewriteSemanticConstants.run_pass(self, state)
        """,
    ),
    "inference": ShortCut(
        "the type of each call is worked out once in a compilation",
        "Numba works it out at every use",
        """
        numba.core.base:BaseContext.install_registry(self, registry)
        numba.core.base:BaseContext.refresh(self) # 2452791c
        numba.core.base:BaseContext.subtarget(self, kws) # aee497f8
        numba.core.compiler_machinery:register_pass(mutates_CFG, analysis_only)
        numba.core.errors:WarningsFixer.__init__(self, category)
        numba.core.typed_passes:NopythonTypeInference.run_pass # eac373d1
        numba.core.typed_passes:type_inference_stage # 52cfe375 203b1d28
        numba.core.typeinfer:TypeInferer.__init__(self, context, func_ir, warnings)
        numba.core.typeinfer:TypeInferer.build_constraint(self)
        numba.core.typeinfer:TypeInferer.propagate(self, raise_errors)
        numba.core.typeinfer:TypeInferer.return_types_from_partial(self) # 5d3fc1d6
        numba.core.typeinfer:TypeInferer.seed_argument(self, name, index, typ)
        numba.core.typeinfer:TypeInferer.seed_return(self, typ)
        numba.core.typeinfer:TypeInferer.seed_type(self, name, typ)
        numba.core.typeinfer:TypeInferer.unify(self, raise_errors)
        numba.core.typing:Context
        numba.core.typing.context:BaseContext.install_registry(self, registry)
        numba.core.typing.context:BaseContext.refresh(self) # 8a2de9b0
        numba.core.typing.context:BaseContext.resolve_function_type(self, func, args, kws)
        numba.core.typing.context:BaseContext.resolve_getattr(self, typ, attr)
        numba.core.typing.context:BaseContext.unify_pairs(self, first, second)
        numba.core.typing.context:CallStack.register(self, target, typeinfer, func_id, args)
        """,
    ),
    "lowering": ShortCut(
        "nothing is emitted to release numbers, which own no memory",
        "LLVM finds that out by itself",
        """
        numba.core.compiler_machinery:register_pass(mutates_CFG, analysis_only)
        numba.core.lowering:Lower._alloca_var(self, name, fetype)
        numba.core.lowering:Lower.alloca_lltype(self, name, lltype, datamodel) # 49a23a00
        numba.core.lowering:Lower.delvar(self, name) # a70a776b
        numba.core.lowering:Lower.getvar(self, name)
        numba.core.lowering:Lower.loadvar(self, name)
        numba.core.lowering:Lower.lower_binop(self, resty, expr, op) # 56a3dc1b
        numba.core.lowering:Lower.pre_block(self, block)
        numba.core.lowering:Lower.storevar(self, value, name, argidx) # 3dd79dd4
        numba.core.typed_passes:NativeLowering.lowering_class
        numba.core.typed_passes:NativeLowering.run_pass(self, state)
        """,
    ),
    "linking": ShortCut(
        "rules are linked into a kernel, which alone becomes machine code",
        "each rule and helper becomes machine code by itself, and again within all that call it",
        """
        numba.core.codegen:CPUCodeLibrary._finalize_dynamic_globals(self)
        numba.core.codegen:CPUCodeLibrary._get_module_for_linking(self) # ae256004
        numba.core.codegen:CPUCodeLibrary._optimize_final_module(self)
        numba.core.codegen:CPUCodeLibrary._raise_if_finalized(self)
        numba.core.codegen:CPUCodeLibrary.finalize(self) # 1e6b06bf b93f1bde
        numba.core.codegen:JITCodeLibrary._finalize_specific(self)
        numba.core.codegen:JITCodeLibrary.get_pointer_to_function(self, name)
        numba.core.codegen:RuntimeLinker.PREFIX == .numba.unresolved$
        numba.core.environment:lookup_environment(env_name)
        numba.core.funcdesc:FunctionDescriptor.env_name
        numba.core.itanium_mangler:prepend_namespace(mangled, ns) # a3692beb
        numba.core.runtime:rtsys
        numba.core.target_extension:CPU
        numba.core.target_extension:dispatcher_registry
        numba.core.target_extension:jit_registry
        numba.core.target_extension:target_registry
        """,
    ),
    "wrappers": ShortCut(
        "functions that Python never calls get no wrapper for it, and evaluate() is compiled into its caller",
        "Numba makes wrappers for all functions, which are half of the time to compile",
        """
        numba.core.options:DefaultOptions.forceinline
        numba.core.options:DefaultOptions.no_cfunc_wrapper
        numba.core.options:DefaultOptions.no_cpython_wrapper
        """,
    ),
    "entry": ShortCut(
        "a kernel is called with a block of words",
        "Numba's own wrapper turns Python's objects into numbers and back",
        """
        numba.core.callconv:CPUCallConv.call_function(self, builder, callee, resty, argtys, args, attrs)
        numba.core.callconv:Status.code
        numba.core.callconv:Status.excinfoptr
        numba.core.callconv:Status.is_ok
        numba.core.callconv:Status.is_user_exc
        numba.core.codegen:CodeLibrary.add_ir_module(self, ir_module)
        numba.core.codegen:CodeLibrary.add_linking_library(self, library)
        numba.core.codegen:CodeLibrary.create_ir_module(self, name)
        numba.core.codegen:CodeLibrary.enable_object_caching(self)
        numba.core.codegen:RuntimeLinker.PREFIX == .numba.unresolved$
        numba.core.compiler:CompileResult.fndesc
        numba.core.compiler:CompileResult.library
        numba.core.compiler:CompileResult.target_context
        numba.core.compiler_lock:global_compiler_lock
        numba.core.environment:lookup_environment(env_name)
        numba.core.runtime:rtsys
        """,
    ),
    "errors": ShortCut(
        "what a rule raised is read from where native code describes it",
        "Numba's own wrapper raises it",
        """
        numba:_helperlib.c_helpers
        numba.core.callconv:FIRST_USEREXC == 1
        numba.core.callconv:RETCODE_STOPIT == i32 -3
        numba.core.callconv:excinfo_t == {i8*, i32, i8*, i8*, i32}
        numba.core.environment:Environment
        numba.core.registry:cpu_target
        numba.core.runtime:rtsys
        numba.core.serialize:_numba_unpickle(address, bytedata, hashed)
        numba.core.serialize:runtime_build_excinfo_struct(static_exc, exc_args)
        """,
    ),
    "cache": ShortCut(
        "machine code is kept on disk for the next process",
        "every process compiles anew",
        """
        numba.core.codegen:CodeLibrary.get_llvm_str(self)
        numba.core.codegen:CPUCodeLibrary._get_compiled_object(self)
        numba.core.codegen:CPUCodeLibrary.has_dynamic_globals
        """,
    ),
}

BRIDGE = """
    numba.core:cgutils.create_struct_proxy
    numba.core.compiler:Compiler.compile_extra
    numba.core.datamodel.models:ListModel
    numba.core.imputils:RefType.BORROWED
    numba.core.imputils:impl_ret_borrowed
    numba.core.imputils:impl_ret_new_ref
    numba.core.imputils:iternext_impl
    numba.core.imputils:lower_builtin
    numba.core.imputils:lower_cast
    numba.core.imputils:lower_constant
    numba.core.imputils:lower_getattr_generic
    numba.core.typing.templates:AbstractTemplate
    numba.core.typing.templates:AttributeTemplate
    numba.core.typing.templates:infer_getattr
    numba.core.typing.templates:infer_global
    numba.core.typing.templates:signature
    numba.cpython.listobj:ListInstance.allocate
    numba.cpython.listobj:ListInstance.getitem
    numba.cpython.listobj:ListInstance.inititem
    numba.cpython.unsafe.tuple:tuple_setitem
"""
"""What games, states and tables need to be known to Numba at all: the interface for those who extend it."""

COMPILER = ("passes", "folding", "inference", "lowering", "linking")
"""The short cuts of one compiler: it is used where all of them hold."""
ENTRY = ("linking", "entry", "errors")
"""What it takes to call a kernel with a block of words."""

OLDEST, NEWEST = (0, 61), (0, 68)
"""The versions of Numba with which the short cuts were tried."""

_LINE = re.compile(r"(numba[\w.]*):([\w.]+)(?:\((.*?)\))?(?: == (.+?))?(?: # ([\da-f ]+))?")
_wanted: set[str] = set()
_given_up: dict[str, str] = {}  # short cut -> what went wrong when it was taken


class Need(NamedTuple):
    """One line of a list: a place in Numba, and what is assumed about it."""

    module: str
    path: str
    parameters: str | None
    text: str | None
    digests: str | None

    @property
    def place(self) -> str:
        return f"{self.module}.{self.path}"

    def fault(self) -> str | None:
        """What is different here; None where all is as assumed."""
        try:
            found: Any = importlib.import_module(self.module)
            for name in self.path.split("."):
                kept = inspect.getattr_static(found, name) if inspect.isclass(found) else None
                found = kept if isinstance(kept, property) else getattr(found, name)
        except (ImportError, AttributeError):
            return f"{self.place} is not there"
        if self.parameters is not None and (called := _parameters(found)) != self.parameters:
            return f"{self.place} is called with ({called}) and not with ({self.parameters})"
        if self.text is not None and str(found) != self.text:
            return f"{self.place} is {found} and not {self.text}"
        if self.digests is not None and (text := digest(found)) not in self.digests.split():
            return f"{self.place} is written in another way than any that is known here ({text})"
        return None


def needs(lines: str) -> list[Need]:
    """The lines of a list, one place each."""
    found = []
    for line in filter(None, map(str.strip, lines.splitlines())):
        match = _LINE.fullmatch(line)
        assert match is not None, line
        found.append(Need(*match.groups()))
    return found


def _parameters(function: Any) -> str:
    try:
        return ", ".join(inspect.signature(function).parameters)
    except (TypeError, ValueError):
        return "?"


def digest(function: Any) -> str:
    """The hash of a function's source, without blank lines, comments and indents; a question mark if it has none."""
    function = inspect.unwrap(getattr(function, "__func__", function))
    try:
        lines = [line.strip() for line in inspect.getsource(function).splitlines()]
    except (OSError, TypeError):
        return "?"
    return hashlib.sha256("\n".join(line for line in lines if line and line[0] != "#").encode()).hexdigest()[:8]


@cache
def _checked(name: str) -> str | None:
    return next((fault for need in needs(SHORT_CUTS[name].needs) if (fault := need.fault())), None)


def fault(name: str) -> str | None:
    """Why this short cut is not taken; None where it is."""
    return _given_up.get(name) or _checked(name)


def in_use(*names: str) -> bool:
    """Whether all these short cuts are taken."""
    _wanted.update(names)
    return all(fault(name) is None for name in names)


def notes() -> list[str]:
    """One sentence for each short cut that was wanted in this process and is not taken."""
    wanted = [name for name in SHORT_CUTS if name in _given_up or name in _wanted]
    return [f"{name}: {SHORT_CUTS[name].otherwise}, because {reason}" for name in wanted if (reason := fault(name))]


def give_up(names: tuple[str, ...], error: Exception) -> None:
    """Take these short cuts no longer in this process: one of them has just failed where Numba's own way did not."""
    reason = " ".join(f"failed with {type(error).__name__}: {error}".split())
    for name in names:
        _given_up.setdefault(name, reason[:300])


@cache
def bridge_fault() -> str | None:
    """Why no game can be compiled with the installed Numba, whichever way; None where games can be."""
    return next((fault for need in needs(BRIDGE) if (fault := need.fault())), None)


def by_either_way(work: Callable[[], T]) -> T:
    """Do this work of compiling; where only Numba's ordinary way goes well, the short way is given up.

    So rules are refused only where Numba itself refuses them; a Numba of a known version is taken at its word.
    """
    try:
        return work()
    except Uncompilable:
        raise
    except Exception as error:
        if not in_use(*COMPILER) or _is_refusal(error):
            raise
        with _ordinarily(error):
            return work()


def _is_refusal(error: Exception) -> bool:
    """Whether a Numba with which the tests were run says of rules that it does not compile them."""
    import numba
    from numba.core import errors

    version = tuple(int(part) for part in re.findall(r"\d+", numba.__version__)[:2])
    plain = (
        isinstance(error, (errors.TypingError, errors.UnsupportedError)) and "internal error" not in str(error).lower()
    )
    return plain and OLDEST <= version <= NEWEST


@contextlib.contextmanager
def _ordinarily(error: Exception) -> Iterator[None]:
    """Within this block, and after it if it goes well, no short way; if it does not, all is as before."""
    before = dict(_given_up)
    give_up(COMPILER, error)
    try:
        yield
    except Exception:
        _given_up.clear()
        _given_up.update(before)
        raise error from None
