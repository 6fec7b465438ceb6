"""Tuples whose length is known only at run time, and what rules do with lists and tuples beyond Numba's own.

Numba knows a tuple by its length. `tuple(cells)` of a list and `board[:i]` have none that a compiler could see;
here they are *loose* tuples, lists inside. Where a state, or a variable that holds a tuple elsewhere, has a
length, a loose tuple is brought to it, and one of another length is a ValueError.
"""

from __future__ import annotations

import operator
from typing import Any

from numba.core import cgutils, types
from numba.core.datamodel.models import ListModel
from numba.core.imputils import impl_ret_borrowed, impl_ret_new_ref, lower_cast
from numba.cpython.listobj import ListInstance
from numba.extending import intrinsic, overload, overload_method, register_model


class LooseTuple(types.List):  # type: ignore[misc]
    """A tuple of equal items, as many as there are."""

    def __init__(self, dtype: Any) -> None:
        super().__init__(dtype)
        self.name = f"tuple({self.dtype}, ...)"

    @property
    def key(self) -> Any:
        return "loose", self.dtype

    def copy(self, dtype: Any = None, reflected: Any = None) -> Any:
        return LooseTuple(dtype or self.dtype)

    def __unliteral__(self) -> Any:
        return self

    def unify(self, typingctx: Any, other: Any) -> Any:
        return unified(typingctx, self, other)


register_model(LooseTuple)(ListModel)


def unified(context: Any, first: Any, second: Any) -> Any:
    """The type of a variable that is one of these two in turn; None where this module has no word on it."""
    if isinstance(second, LooseTuple) and not isinstance(first, LooseTuple):
        first, second = second, first
    if isinstance(first, LooseTuple):
        if isinstance(second, LooseTuple):
            dtype = context.unify_pairs(first.dtype, second.dtype)
            return None if dtype is None else LooseTuple(dtype)
        if isinstance(second, types.BaseTuple) and len(second) and not isinstance(second, types.BaseNamedTuple):
            return _elementwise(context, [first.dtype] * len(second), second)
    elif all(isinstance(kind, types.BaseNamedTuple) for kind in (first, second)) and (
        first.instance_class is second.instance_class
    ):
        return _elementwise(context, first, second)
    return None


def _elementwise(context: Any, first: Any, second: Any) -> Any:
    items = [context.unify_pairs(a, b) for a, b in zip(first, second, strict=True)]
    return None if None in items else types.BaseTuple.from_types(items, getattr(second, "instance_class", None))


@lower_cast(LooseTuple, types.BaseTuple)
def _fixed(context: Any, builder: Any, found: Any, wanted: Any, value: Any) -> Any:
    """The items, if there are as many as the tuple has."""
    items = ListInstance(context, builder, found, value)
    with builder.if_then(builder.icmp_signed("!=", items.size, items.size.type(len(wanted))), likely=False):
        message = f"a tuple of {len(wanted)} values is needed here, and this one has more or fewer"
        context.call_conv.return_user_exc(builder, ValueError, (message,))
    parts = [
        context.cast(builder, items.getitem(context.get_constant(types.intp, i)), found.dtype, kind)
        for i, kind in enumerate(wanted)
    ]
    return context.make_tuple(builder, wanted, parts)


@lower_cast(LooseTuple, LooseTuple)
def _loose(context: Any, builder: Any, found: Any, wanted: Any, value: Any) -> Any:
    return value


@lower_cast(types.NamedTuple, types.NamedTuple)
@lower_cast(types.NamedTuple, types.NamedUniTuple)
@lower_cast(types.NamedUniTuple, types.NamedTuple)
@lower_cast(types.NamedUniTuple, types.NamedUniTuple)
def _named(context: Any, builder: Any, found: Any, wanted: Any, value: Any) -> Any:
    parts = [
        context.cast(builder, builder.extract_value(value, i), a, b)
        for i, (a, b) in enumerate(zip(found, wanted, strict=True))
    ]
    return context.make_tuple(builder, wanted, parts)


# -- making them ---------------------------------------------------------------------------------------------


@intrinsic
def _as_loose(context: Any, items: Any) -> Any:
    """A list that nobody else holds, from now on a tuple."""
    wanted = LooseTuple(items.dtype)

    def generate(ctx: Any, builder: Any, sig: Any, args: Any) -> Any:
        return impl_ret_borrowed(ctx, builder, wanted, args[0])

    return wanted(items), generate


@intrinsic
def _as_list(context: Any, items: Any) -> Any:
    """The items of a tuple in a list of their own."""
    wanted = types.List(items.dtype)

    def generate(ctx: Any, builder: Any, sig: Any, args: Any) -> Any:
        size = ctx.get_constant(types.intp, len(items))
        made = ListInstance.allocate(ctx, builder, wanted, size)
        made.size = size
        for i, part in enumerate(cgutils.unpack_tuple(builder, args[0], len(items))):
            made.inititem(ctx.get_constant(types.intp, i), part, incref=True)
        return impl_ret_new_ref(ctx, builder, wanted, made.value)

    return wanted(items), generate


@overload(tuple)
def _native_tuple(items):
    if isinstance(items, LooseTuple):
        return lambda items: items
    if isinstance(items, types.BaseTuple) or not isinstance(items, types.IterableType):
        return None
    return lambda items: _as_loose([item for item in items])  # noqa: C416


def _is_homogeneous(kind: Any) -> bool:
    return isinstance(kind, types.UniTuple) and not isinstance(kind, types.BaseNamedTuple)


@overload(operator.getitem)
def _native_slice(items, place):
    if not _is_homogeneous(items) or not isinstance(place, types.SliceType):
        return None
    size = len(items)

    def part(items, place):
        cells = _as_list(items)
        first, last, step = place.indices(size)
        return _as_loose([cells[i] for i in range(first, last, step)])

    return part


@overload(operator.add)
def _native_join(first, second):
    kinds = first, second
    if not any(isinstance(kind, LooseTuple) for kind in kinds):
        return None
    if not all(isinstance(kind, LooseTuple) or _is_homogeneous(kind) or kind == types.Tuple(()) for kind in kinds):
        return None
    if types.Tuple(()) in kinds:
        return (lambda first, second: second) if first == types.Tuple(()) else (lambda first, second: first)

    def join(first, second):
        cells = [item for item in first]  # noqa: C416
        for item in second:
            cells.append(item)  # noqa: PERF402
        return _as_loose(cells)

    return join


def _compares(first: Any, second: Any) -> bool:
    kinds = first, second
    return any(isinstance(kind, LooseTuple) for kind in kinds) and all(
        isinstance(kind, LooseTuple) or _is_homogeneous(kind) for kind in kinds
    )


@overload(operator.eq)
def _native_equal(first, second):
    if not _compares(first, second):
        return None

    def equal(first, second):
        if len(first) != len(second):
            return False
        for i in range(len(first)):  # noqa: SIM110
            if first[i] != second[i]:
                return False
        return True

    return equal


@overload(operator.ne)
def _native_unequal(first, second):
    if not _compares(first, second):
        return None
    return lambda first, second: not (first == second)  # noqa: SIM201


# -- what Numba leaves out -----------------------------------------------------------------------------------


@overload(any)
def _native_any(items):
    def some(items):
        for item in items:  # noqa: SIM110
            if item:
                return True
        return False

    return some if isinstance(items, types.IterableType) else None


@overload(all)
def _native_all(items):
    def every(items):
        for item in items:  # noqa: SIM110
            if not item:
                return False
        return True

    return every if isinstance(items, types.IterableType) else None


@overload_method(types.UniTuple, "count")
def _native_count(items, wanted):
    def count(items, wanted):
        found = 0
        for item in items:
            if item == wanted:
                found += 1
        return found

    return count


@overload(operator.not_)
def _native_not(items):
    if isinstance(items, (types.List, types.Set)):
        return lambda items: len(items) == 0
    return None
