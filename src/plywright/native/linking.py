"""Machine code for kernels only: the rules and helpers they call are linked into them, not made executable.

By itself Numba optimises every function together with all that it calls and turns it into machine code, then
does the same again for its caller, and so on up to the kernel. What a kernel calls is never run by itself, so
it stays as it was lowered until the kernel's own code is made, once, with everything in it.
"""

from __future__ import annotations

from typing import Any

from llvmlite.binding import Linkage
from numba.core.codegen import JITCodeLibrary, RuntimeLinker
from numba.core.compiler_machinery import FunctionPass, register_pass
from numba.core.environment import lookup_environment

_ENVIRONMENT = "_ZN08NumbaEnv"  # how Numba's names of a function's constants begin


class RuleLibrary(JITCodeLibrary):  # type: ignore[misc]
    """The code of a function that only compiled code calls."""

    def _optimize_final_module(self) -> None:
        if _is_tangled(self._final_module):
            super()._optimize_final_module()

    def _finalize_final_module(self) -> None:
        if _is_tangled(self._final_module):
            super()._finalize_final_module()
        else:
            self._finalize_dynamic_globals()
            self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        self._ensure_finalized()
        return 0

    @property
    def codegen(self) -> Any:
        return _NoEnvironments(self._codegen)


def _is_tangled(module: Any) -> bool:
    """Whether functions here call one another in a circle: Numba needs their names and machine code to close it."""
    return any(value.name.startswith(RuntimeLinker.PREFIX) for value in module.global_variables)


class _NoEnvironments:
    """The code generator, as far as a library without machine code may use it."""

    def __init__(self, codegen: Any) -> None:
        self._codegen = codegen

    def __getattr__(self, name: str) -> Any:
        return getattr(self._codegen, name)

    def set_env(self, name: str, environment: Any) -> None:
        """Left to the kernel: its machine code is where the name gets an address."""


class KernelLibrary(JITCodeLibrary):  # type: ignore[misc]
    """The code of a kernel and of all that it calls."""

    def _optimize_final_module(self) -> None:
        """What was linked in belongs to this kernel alone: LLVM may then inline whatever is called in one place."""
        if not _is_tangled(self._final_module):
            for function in self._final_module.functions:
                if not function.is_declaration and function.linkage == Linkage.linkonce_odr:
                    function.linkage = Linkage.internal
        super()._optimize_final_module()

    def _finalize_specific(self) -> None:
        super()._finalize_specific()
        for value in self._final_module.global_variables:
            environment = lookup_environment(value.name) if value.name.startswith(_ENVIRONMENT) else None
            if environment is not None:
                self._codegen.set_env(value.name, environment)


@register_pass(mutates_CFG=False, analysis_only=False)  # type: ignore[untyped-decorator]
class ChooseLibrary(FunctionPass):  # type: ignore[misc]
    """Says where the lowered code goes, by whether Python calls the function."""

    _name = "plywright_choose_library"

    def __init__(self) -> None:
        super().__init__()

    def run_pass(self, state: Any) -> bool:
        kind = RuleLibrary if state.flags.no_cpython_wrapper else KernelLibrary
        state.library = kind(state.targetctx.codegen(), state.func_id.func_qualname)
        state.library.enable_object_caching()
        return False
