"""Constant tables in compiled code: how Numba reads what `tables.py` makes of lists, dicts and sets."""

from __future__ import annotations

import operator
from typing import Any

import numba
import numpy as np
from numba.core import cgutils, errors, types
from numba.core.imputils import RefType, iternext_impl, lower_builtin, lower_constant
from numba.extending import (
    intrinsic,
    make_attribute_wrapper,
    models,
    overload,
    overload_method,
    register_model,
    typeof_impl,
)

from .tables import Lookup, Table

_WORDS = types.Array(types.int64, 1, "C", readonly=True)


def _type_of_item(item: Any) -> Any:
    if isinstance(item, str):
        return numba.from_dtype(np.dtype(item))
    return types.BaseTuple.from_types([_type_of_item(part) for part in item])


class TableType(types.SimpleIterableType):  # type: ignore[misc]
    """A table, or a row of one: the items from `first` up to `last`."""

    def __init__(self, item: Any, columns: tuple[Any, ...], depth: int) -> None:
        self.item, self.columns, self.depth = item, columns, depth
        super().__init__(f"table({item}, {depth})", TableIterType(self))

    @property
    def entry(self) -> Any:
        """The type of what an index gives."""
        return TableType(self.item, self.columns, self.depth - 1) if self.depth else self.item


class TableIterType(types.SimpleIteratorType):  # type: ignore[misc]
    def __init__(self, table: TableType) -> None:
        self.table = table
        super().__init__(f"iter({table.item}, {table.depth})", table.entry)


class SetType(types.Type):  # type: ignore[misc]
    """A set of keys, for membership tests only: it has no order."""

    def __init__(self, keys: TableType, dense: bool) -> None:
        self.keys, self.dense = keys, dense
        super().__init__(f"constant set({keys.item}, {dense})")


class DictType(types.SimpleIterableType):  # type: ignore[misc]
    """A dict; to go through it gives its keys."""

    def __init__(self, keys: TableType, values: TableType, dense: bool) -> None:
        self.keys, self.values, self.dense = keys, values, dense
        super().__init__(f"constant dict({keys.item}, {values}, {dense})", keys.iterator_type)


_LOOKUPS = (SetType, DictType)


@register_model(TableType)
class _TableModel(models.StructModel):
    def __init__(self, manager: Any, fe_type: Any) -> None:
        columns = [(f"column{i}", kind) for i, kind in enumerate(fe_type.columns)]
        offsets = [(f"offsets{i}", _WORDS) for i in range(fe_type.depth)]
        super().__init__(manager, fe_type, [*columns, *offsets, ("first", types.int64), ("last", types.int64)])


@register_model(TableIterType)
class _TableIterModel(models.StructModel):
    def __init__(self, manager: Any, fe_type: Any) -> None:
        super().__init__(manager, fe_type, [("place", types.EphemeralPointer(types.int64)), ("table", fe_type.table)])


_FINDING = ("lows", "spans", "places", "order")


@register_model(SetType)
class _SetModel(models.StructModel):
    def __init__(self, manager: Any, fe_type: Any) -> None:
        super().__init__(manager, fe_type, [("table", fe_type.keys), *((name, _WORDS) for name in _FINDING)])


@register_model(DictType)
class _DictModel(models.StructModel):
    def __init__(self, manager: Any, fe_type: Any) -> None:
        words = [(name, _WORDS) for name in _FINDING]
        super().__init__(manager, fe_type, [("table", fe_type.keys), ("content", fe_type.values), *words])


for _name in ("first", "last", *(f"column{i}" for i in range(64)), *(f"offsets{i}" for i in range(16))):
    make_attribute_wrapper(TableType, _name, _name)
for _name in ("table", *_FINDING):
    make_attribute_wrapper(SetType, _name, _name)
    make_attribute_wrapper(DictType, _name, _name)
make_attribute_wrapper(DictType, "content", "content")


@typeof_impl.register(Table)
def _typeof_table(table: Table, context: Any) -> TableType:
    columns = tuple(types.Array(numba.from_dtype(c.dtype), 1, "C", readonly=True) for c in table.columns)
    return TableType(_type_of_item(table.item), columns, len(table.offsets))


@typeof_impl.register(Lookup)
def _typeof_lookup(lookup: Lookup, context: Any) -> SetType | DictType:
    keys, dense = _typeof_table(lookup.keys, context), len(lookup.places) > 0
    return (
        SetType(keys, dense) if lookup.values is None else DictType(keys, _typeof_table(lookup.values, context), dense)
    )


@lower_constant(TableType)
def _constant_table(context: Any, builder: Any, kind: TableType, table: Table) -> Any:
    made = cgutils.create_struct_proxy(kind)(context, builder)
    for i, (part, column) in enumerate(zip(kind.columns, table.columns, strict=True)):
        setattr(made, f"column{i}", context.get_constant_generic(builder, part, column))
    for i, offsets in enumerate(table.offsets):
        setattr(made, f"offsets{i}", context.get_constant_generic(builder, _WORDS, offsets))
    made.first = context.get_constant(types.int64, 0)
    made.last = context.get_constant(types.int64, table.size)
    return made._getvalue()


@lower_constant(SetType)
@lower_constant(DictType)
def _constant_lookup(context: Any, builder: Any, kind: Any, lookup: Lookup) -> Any:
    made = cgutils.create_struct_proxy(kind)(context, builder)
    made.table = _constant_table(context, builder, kind.keys, lookup.keys)
    if lookup.values is not None:
        made.content = _constant_table(context, builder, kind.values, lookup.values)
    for name in _FINDING:
        setattr(made, name, context.get_constant_generic(builder, _WORDS, getattr(lookup, name)))
    return made._getvalue()


# -- tables --------------------------------------------------------------------------------------------------


@intrinsic
def _row(context: Any, table: Any, place: Any) -> Any:
    """The row at this place of the level below; the columns and the other offsets are the same."""
    wanted = table.entry

    def generate(ctx: Any, builder: Any, sig: Any, args: Any) -> Any:
        whole = cgutils.create_struct_proxy(table)(ctx, builder, value=args[0])
        row = cgutils.create_struct_proxy(wanted)(ctx, builder)
        for i in range(len(table.columns)):
            setattr(row, f"column{i}", getattr(whole, f"column{i}"))
        for i in range(wanted.depth):
            setattr(row, f"offsets{i}", getattr(whole, f"offsets{i + 1}"))
        offsets = ctx.make_array(_WORDS)(ctx, builder, value=whole.offsets0)
        row.first = builder.load(builder.gep(offsets.data, [args[1]]))
        row.last = builder.load(builder.gep(offsets.data, [builder.add(args[1], args[1].type(1))]))
        return row._getvalue()

    return wanted(table, types.int64), generate


def _reader(kind: TableType) -> Any:
    """The function that reads the entry at a place, one expression for the item's own shape."""
    if kind.depth:
        return _row
    numbers = iter(range(len(kind.columns)))

    def reading(item: Any) -> str:
        if isinstance(item, types.BaseTuple):
            return f"({''.join(f'{reading(part)}, ' for part in item)})"
        return f"table.column{next(numbers)}[place]"

    scope: dict[str, Any] = {}
    exec(f"def read(table, place):\n    return {reading(kind.item)}\n", scope)  # our own text, made of types only
    return numba.njit(scope["read"])


@overload(operator.getitem)
def _table_item(table, index):
    if not isinstance(table, TableType) or not isinstance(index, types.Integer):
        return None
    read = _reader(table)

    def item(table, index):
        size = table.last - table.first
        place = np.int64(index)
        if place < 0:
            place += size
        if place < 0 or place >= size:
            raise IndexError("index outside the list")
        return read(table, table.first + place)

    return item


@overload(len)
def _table_len(table):
    if isinstance(table, TableType):
        return lambda table: table.last - table.first
    if isinstance(table, _LOOKUPS):
        return lambda table: table.table.last
    return None


@overload(operator.contains)
def _table_contains(table, wanted):
    if isinstance(table, _LOOKUPS):
        _checked(table, wanted)
        find = _finder(table)
        return lambda table, wanted: find(table, wanted) >= 0
    if not isinstance(table, TableType):
        return None

    def contains(table, wanted):
        for item in table:  # noqa: SIM110
            if item == wanted:
                return True
        return False

    return contains


@lower_builtin("getiter", TableType)
def _getiter(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    made = context.make_helper(builder, sig.return_type)
    made.table = args[0]
    first = cgutils.create_struct_proxy(sig.args[0])(context, builder, value=args[0]).first
    made.place = cgutils.alloca_once_value(builder, first)
    return made._getvalue()


@lower_builtin("getiter", DictType)
def _getiter_of_keys(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    keys = cgutils.create_struct_proxy(sig.args[0])(context, builder, value=args[0]).table
    return _getiter(context, builder, sig.return_type(sig.args[0].keys), [keys])


@lower_builtin("iternext", TableIterType)
@iternext_impl(RefType.BORROWED)
def _iternext(context: Any, builder: Any, sig: Any, args: Any, result: Any) -> None:
    kind = sig.args[0].table
    this = context.make_helper(builder, sig.args[0], value=args[0])
    place = builder.load(this.place)
    last = cgutils.create_struct_proxy(kind)(context, builder, value=this.table).last
    valid = builder.icmp_signed("<", place, last)
    result.set_valid(valid)
    with builder.if_then(valid):
        read = _reader(kind)
        call = (lambda table, place: read(table, place)) if kind.depth else read.py_func
        value = context.compile_internal(builder, call, kind.entry(kind, types.int64), [this.table, place])
        result.yield_(value)
        builder.store(builder.add(place, place.type(1)), this.place)


# -- dicts and sets ------------------------------------------------------------------------------------------


def _finder(kind: Any) -> Any:
    """The function that leads from a key to its place, or to -1."""
    key = kind.keys.item
    width = len(key) if isinstance(key, types.BaseTuple) else 1
    parts = [f"key[{i}]" for i in range(width)] if isinstance(key, types.BaseTuple) else ["key"]
    if not kind.dense:
        return _find_scattered
    lines = ["def find(table, key):", "    place = 0"]
    for i, part in enumerate(parts):
        lines += [
            f"    at = {part} - table.lows[{i}]",
            f"    if at < 0 or at >= table.spans[{i}]:",
            "        return -1",
            f"    place = place * table.spans[{i}] + at",
        ]
    lines.append("    return table.places[place]")
    scope: dict[str, Any] = {}
    exec("\n".join(lines), scope)  # our own text, made of types only
    return numba.njit(scope["find"])


@numba.njit
def _find_scattered(table, key):
    low, high = 0, len(table.order)
    while low < high:
        middle = (low + high) >> 1
        if table.table[table.order[middle]] < key:
            low = middle + 1
        else:
            high = middle
    if low < len(table.order) and table.table[table.order[low]] == key:
        return table.order[low]
    return -1


def _fits(kind: Any, key: Any) -> bool:
    """Whether a key of this type can be in the dict: whole numbers, or a tuple with as many of them."""
    wanted = kind.keys.item
    if isinstance(wanted, types.BaseTuple):
        return isinstance(key, types.BaseTuple) and len(key) == len(wanted)
    return isinstance(key, (types.Integer, types.Boolean))


def _checked(table: Any, key: Any) -> None:
    if not _fits(table, key):
        raise errors.TypingError(f"the keys of this dict or set are {table.keys.item}, and this one is {key}")


@overload(operator.getitem)
def _dict_item(table, key):
    if not isinstance(table, DictType):
        return None
    _checked(table, key)
    find = _finder(table)

    def item(table, key):
        place = find(table, key)
        if place < 0:
            raise KeyError("the dict has no such key")
        return table.content[place]

    return item


@overload_method(DictType, "get")
def _dict_get(table, key, default):
    if table.values.depth:
        return None
    _checked(table, key)
    find = _finder(table)

    def get(table, key, default):
        place = find(table, key)
        return table.content[place] if place >= 0 else default

    return get


@overload_method(DictType, "keys")
def _dict_keys(table):
    return lambda table: table.table


@overload_method(DictType, "values")
def _dict_values(table):
    return lambda table: table.content


@intrinsic
def _pairs(context: Any, keys: Any, values: Any) -> Any:
    """A table whose items are pairs of a key and its value."""
    wanted = TableType(types.Tuple((keys.item, values.item)), (*keys.columns, *values.columns), 0)

    def generate(ctx: Any, builder: Any, sig: Any, args: Any) -> Any:
        parts = [
            cgutils.create_struct_proxy(kind)(ctx, builder, value=v) for kind, v in zip(sig.args, args, strict=True)
        ]
        made = cgutils.create_struct_proxy(wanted)(ctx, builder)
        columns = [
            getattr(part, f"column{i}")
            for part, kind in zip(parts, sig.args, strict=True)
            for i in range(len(kind.columns))
        ]
        for i, column in enumerate(columns):
            setattr(made, f"column{i}", column)
        made.first, made.last = parts[0].first, parts[0].last
        return made._getvalue()

    return wanted(keys, values), generate


@overload_method(DictType, "items")
def _dict_items(table):
    if table.values.depth:
        raise errors.TypingError("items() of a dict of lists is not compiled: write for key in table: ... table[key]")
    return lambda table: _pairs(table.table, table.content)
