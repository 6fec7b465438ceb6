"""The workspace in compiled code: one pointer to many arrays, each a bare view."""

from __future__ import annotations

import operator
from typing import Any

import numba
from llvmlite import ir
from numba.core import cgutils, types
from numba.core.imputils import lower_builtin, lower_getattr_generic
from numba.core.typing.templates import AbstractTemplate, AttributeTemplate, infer_getattr, infer_global, signature
from numba.extending import NativeValue, models, register_model, typeof_impl, unbox

from ..bits import SCRATCH
from ..compiled import LENT, Workspace

_WORD = ir.IntType(64)


class WorkspaceType(types.Type):
    def __init__(self, fields: tuple[tuple[str, Any], ...]) -> None:
        self.fields = fields
        super().__init__(f"Workspace{fields}")


class ViewType(types.Type):
    """An array of the workspace: a bare pointer, unchecked."""

    def __init__(self, dtype: Any) -> None:
        self.dtype = dtype
        super().__init__(f"View({dtype})")


class ScratchType(ViewType):
    """An array on the stack, or one that is lent, of `SCRATCH` items: checked in what strangers wrote, who are given
    some to fill."""

    def __init__(self, dtype: Any) -> None:
        super().__init__(dtype)
        self.name = f"Scratch({dtype})"


@register_model(WorkspaceType)
@register_model(ViewType)
@register_model(ScratchType)
class _AddressModel(models.PrimitiveModel):
    def __init__(self, manager: Any, fe_type: Any) -> None:
        super().__init__(manager, fe_type, _WORD)


# -- as an argument from Python, where Numba's own wrapper takes it -------------------------------------------


@typeof_impl.register(Workspace)
def _typeof_workspace(work: Workspace, context: Any) -> WorkspaceType:
    return WorkspaceType(tuple((name, numba.from_dtype(array.dtype)) for name, array in work._arrays))


@unbox(WorkspaceType)
def _unbox_workspace(typ: Any, obj: Any, c: Any) -> NativeValue:
    """The address of the block, which the workspace keeps in `_address`."""
    address = c.pyapi.object_getattr_string(obj, "_address")
    value = c.pyapi.long_as_longlong(address)
    c.pyapi.decref(address)
    return NativeValue(value)


# -- in compiled code ---------------------------------------------------------------------------------------


@infer_getattr
class _WorkspaceAttributes(AttributeTemplate):
    key = WorkspaceType

    def generic_resolve(self, typ: WorkspaceType, name: str) -> Any:
        view = ScratchType if name in LENT else ViewType
        return next((view(dtype) for field, dtype in typ.fields if field == name), None)


@lower_getattr_generic(WorkspaceType)
def _lower_workspace(context: Any, builder: Any, typ: WorkspaceType, value: Any, name: str) -> Any:
    index = [field for field, _ in typ.fields].index(name)
    pointer = builder.load(builder.gep(builder.inttoptr(value, _WORD.as_pointer()), [_WORD(index)]))
    # The block of addresses never changes: loads of it may be merged across the kernel's own stores.
    pointer.set_metadata("invariant.load", builder.module.add_metadata([]))
    return pointer


@infer_global(operator.getitem)
class _ViewGet(AbstractTemplate):
    def generic(self, args: Any, kws: Any) -> Any:
        view, index = args
        if isinstance(view, ViewType) and isinstance(index, types.Integer):
            return signature(view.dtype, view, types.int64)
        return None


@infer_global(operator.setitem)
class _ViewSet(AbstractTemplate):
    def generic(self, args: Any, kws: Any) -> Any:
        view, index, _ = args
        if isinstance(view, ViewType) and isinstance(index, types.Integer):
            return signature(types.void, view, types.int64, view.dtype)
        return None


def item_pointer(context: Any, builder: Any, view: Any, address: Any, index: Any) -> Any:
    if isinstance(view, ScratchType) and context.enable_boundscheck:
        cgutils.do_boundscheck(context, builder, index, _WORD(SCRATCH))
    return builder.gep(builder.inttoptr(address, context.get_value_type(view.dtype).as_pointer()), [index])


@lower_builtin(operator.getitem, ViewType, types.Integer)
def _lower_view_get(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return builder.load(item_pointer(context, builder, sig.args[0], args[0], args[1]))


@lower_builtin(operator.setitem, ViewType, types.Integer, types.Any)
def _lower_view_set(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    builder.store(args[2], item_pointer(context, builder, sig.args[0], args[0], args[1]))
    return context.get_dummy_value()
