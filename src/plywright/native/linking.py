"""Machine code for kernels only: the rules and helpers they call are linked into them, not made executable.

By itself Numba optimises every function together with all that it calls and turns it into machine code, then
does the same again for its caller, and so on up to the kernel. What a kernel calls is never run by itself, so
it is only simplified by itself, which pays in faster code, until the kernel's own is made, once, with everything in it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from llvmlite.binding import Linkage
from numba.core.codegen import JITCodeLibrary, RuntimeLinker
from numba.core.environment import lookup_environment
from numba.core.runtime import rtsys

_ENVIRONMENT = "_ZN08NumbaEnv"  # how Numba's names of a function's constants begin


class RuleLibrary(JITCodeLibrary):  # type: ignore[misc]
    """The code of a function that only compiled code calls: its own and nothing else."""

    tangled = False

    def finalize(self) -> None:
        self.tangled = _is_tangled(self)
        if self.tangled:
            super().finalize()
            return
        self._raise_if_finalized()
        self._finalize_dynamic_globals()
        self._finalized = True

    def _get_module_for_linking(self) -> Any:
        """Its code with all that it calls, for the libraries that Numba makes itself."""
        if self._shared_module is None and not self.tangled:
            whole = self._final_module.clone()
            for part in _parts(self):
                if part is not self:
                    whole.link_in(_own_module(part), preserve=True)
            for function in whole.functions:
                if not function.is_declaration and function.linkage == Linkage.external:
                    function.linkage = Linkage.linkonce_odr
            self._shared_module = whole
        return super()._get_module_for_linking()

    def get_pointer_to_function(self, name: str) -> int:
        self._ensure_finalized()
        return 0

    @property
    def codegen(self) -> Any:
        return _NoEnvironments(self._codegen)


class _NoEnvironments:
    """The code generator, as far as a library without machine code may use it."""

    def __init__(self, codegen: Any) -> None:
        self._codegen = codegen

    def __getattr__(self, name: str) -> Any:
        return getattr(self._codegen, name)

    def set_env(self, name: str, environment: Any) -> None:
        """Nothing to do here: the name gets its address when the kernel's machine code is made."""


class KernelLibrary(JITCodeLibrary):  # type: ignore[misc]
    """The code of a kernel and of all that it calls."""

    tangled = False

    def finalize(self) -> None:
        self._own_names = {function.name for function in self._final_module.functions if not function.is_declaration}
        self.tangled = _is_tangled(self)
        if not self.tangled:
            self._linking_libraries = [_Part(library) for library in _parts(self) if library is not self]
            self._linking_libraries.append(
                _Part(rtsys.library)
            )  # reference counting; linked last, since only needed symbols are pulled in
        super().finalize()

    def _optimize_final_module(self) -> None:
        """What was linked in belongs to this kernel alone: LLVM may then inline whatever is called in one place."""
        if not self.tangled:
            for function in self._final_module.functions:
                if not function.is_declaration and function.name not in self._own_names:
                    function.linkage = Linkage.internal
        super()._optimize_final_module()

    def _finalize_specific(self) -> None:
        super()._finalize_specific()
        for value in self._final_module.global_variables:
            environment = lookup_environment(value.name) if value.name.startswith(_ENVIRONMENT) else None
            if environment is not None:
                self._codegen.set_env(value.name, environment)


class _Part:
    """A library as the kernel links it: each function once, and not again with everyone that calls it."""

    def __init__(self, library: Any) -> None:
        self._reload_init = getattr(library, "_reload_init", ())
        self._get_module_for_linking = lambda: _own_module(library)


def _own_module(library: Any) -> Any:
    return library._final_module if isinstance(library, RuleLibrary) else library._get_module_for_linking()


def _parts(library: Any) -> Iterator[Any]:
    """The library and the libraries it needs, directly or not, each once."""
    seen, open_ = {library}, [library]
    while open_:
        part = open_.pop()
        yield part
        if part is library or isinstance(part, RuleLibrary):
            for other in part._linking_libraries:
                if other not in seen:
                    seen.add(other)
                    open_.append(other)


def _is_tangled(library: Any) -> bool:
    """Whether functions here call one another in a circle: Numba needs their names and machine code to close it."""
    if any(value.name.startswith(RuntimeLinker.PREFIX) for value in library._final_module.global_variables):
        return True
    return any(
        other.tangled if isinstance(other, (RuleLibrary, KernelLibrary)) else _is_tangled(other)
        for other in library._linking_libraries
    )
