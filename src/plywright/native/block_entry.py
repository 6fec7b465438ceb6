"""The entry to a kernel: a native function that takes the address of a block of words.

All that it assumes about Numba is listed in `numba_internals.py`, under "entry" and "cache".
"""

from __future__ import annotations

import itertools
from typing import Any, NamedTuple

from llvmlite import ir
from numba.core import types
from numba.core.codegen import RuntimeLinker
from numba.core.compiler_lock import global_compiler_lock
from numba.core.environment import lookup_environment
from numba.core.runtime import rtsys

from ..compiled import Uncompilable
from ..state import BOOL, FLOAT64, INT64, UINT64, Shape
from .game_type import array_value
from .linking import KernelLibrary
from .machine_code import Code, Layout
from .numba_internals import give_up, in_use
from .words import NOTHING, ArrayKind, GameKind, Kind, WorkspaceKind

_ENVIRONMENT = "_ZN08NumbaEnv"  # how the names of tables of Python objects begin, one for each function
_numbers = itertools.count(1)  # no two functions of one process have the same name
_WORD, _BYTE, _STATUS = ir.IntType(64), ir.IntType(8), ir.IntType(32)


class EntryLibrary(KernelLibrary):
    """The machine code of the entry, the kernel and everything it calls, and what of it may be kept on disk."""

    def __init__(self, codegen: Any, name: str) -> None:
        super().__init__(codegen, name)
        self.enable_object_caching()

    def code(self, result: Shape) -> Code | None:
        """What may be kept on disk: not code that refers to Python objects or to places in this process."""
        functions, values = list(self._final_module.functions), list(self._final_module.global_variables)
        environments = [value.name for value in values if value.name.startswith(_ENVIRONMENT)]
        objects = [found for name in environments if (found := lookup_environment(name)) and found.consts]
        tangled = any(value.name.startswith(RuntimeLinker.PREFIX) for value in values)
        if objects or self.has_dynamic_globals or tangled:
            return None
        outside = [value.name for value in (*functions, *values) if value.is_declaration]
        symbols = tuple(name for name in outside if not name.startswith("llvm."))
        text = self.get_llvm_str() if symbols else ""
        used = tuple(name for name in environments if text.count(name) > 1)  # a single occurrence is its definition
        return Code(self.name, result, symbols, used, self._get_compiled_object())


def _shape(kind: Any) -> Shape:
    """The shape of an answer of this Numba type."""
    kind = types.unliteral(kind)
    if isinstance(kind, types.BaseTuple):
        return Shape(items=tuple(map(_shape, kind)), cls=getattr(kind, "instance_class", tuple))
    if kind == types.none:
        return NOTHING
    if isinstance(kind, types.Boolean):
        return Shape(kind=BOOL)
    if isinstance(kind, types.Float):
        return Shape(kind=FLOAT64)
    if isinstance(kind, types.Integer):
        return Shape(kind=INT64 if kind.signed else UINT64)
    raise Uncompilable(f"a kernel answers with numbers and tuples of them, not {kind}")


class Entry(NamedTuple):
    """A native function made in this process; `code` is what may be kept, None where it makes sense only here."""

    layout: Layout
    address: int
    code: Code | None


def entered(result: Any, kinds: tuple[Kind, ...], name: str) -> Entry:
    """Machine code of the kernel behind a function that takes the address of a block of words."""
    name = f"{name}.{next(_numbers)}"
    layout = Layout(kinds, _shape(result.signature.return_type))
    context = result.target_context
    with global_compiler_lock:
        library = EntryLibrary(context.codegen(), name)
        module = library.create_ir_module(name)
        _write_entry(context, module, result, layout, name)
        library.add_ir_module(module)
        library.add_linking_library(result.library)
        rtsys.initialize(context)
        library.finalize()
        return Entry(layout, library.get_pointer_to_function(name), _keepable(library, layout.result))


def _keepable(library: EntryLibrary, result: Shape) -> Code | None:
    if not in_use("cache"):
        return None
    try:
        return library.code(result)
    except Exception as error:  # whatever went wrong with keeping it, the code itself can be run
        give_up(("cache",), error)
        return None


def _write_entry(context: Any, module: Any, result: Any, layout: Layout, name: str) -> None:
    """The entry as LLVM IR: read the arguments from their words, call the kernel, write the answer into its words."""
    function = ir.Function(module, ir.FunctionType(_STATUS, [_WORD.as_pointer()]), name)
    builder = ir.IRBuilder(function.append_basic_block())
    words = _Words(context, builder, function.args[0])
    arguments = [words.read(kind, typ) for kind, typ in zip(layout.kinds, result.signature.args, strict=True)]
    callee = context.declare_function(module, result.fndesc)
    answer_type = result.signature.return_type
    status, answer = context.call_conv.call_function(builder, callee, answer_type, result.signature.args, arguments)
    words.place = layout.answer_place
    words.write(layout.result, answer_type, answer)
    with builder.if_then(status.is_user_exc, likely=False):
        builder.store(builder.ptrtoint(status.excinfoptr, _WORD), words.pointer(layout.fault_place, _WORD))
    builder.ret(builder.select(status.is_ok, _STATUS(0), status.code))


class _Words:
    """The block of words in compiled code, read and written from left to right."""

    def __init__(self, context: Any, builder: Any, block: Any) -> None:
        self.context, self.builder, self.block, self.place = context, builder, block, 0

    def pointer(self, place: int, kind: Any) -> Any:
        return self.builder.bitcast(self.builder.gep(self.block, [_WORD(place)]), kind.as_pointer())

    def next(self, kind: Any = _WORD) -> Any:
        self.place += 1
        return self.pointer(self.place - 1, kind)

    def read(self, kind: Kind, typ: Any) -> Any:
        """An argument, of this Numba type."""
        context, builder = self.context, self.builder
        if isinstance(kind, ArrayKind):
            return array_value(context, builder, typ, [builder.load(self.next()) for _ in range(1 + kind.dimensions)])
        if isinstance(kind, GameKind) and not kind.loaded:
            return ir.Constant(context.get_value_type(typ), None)
        if isinstance(kind, (GameKind, WorkspaceKind)):
            return builder.load(self.next())
        if kind == NOTHING:
            return context.get_dummy_value()
        if kind.kind is None:
            return context.make_tuple(builder, typ, [self.read(*pair) for pair in zip(kind.items, typ, strict=True)])
        if kind.kind == BOOL:
            return builder.icmp_unsigned("!=", builder.load(self.next(_BYTE)), _BYTE(0))
        return builder.load(self.next(context.get_value_type(typ)))

    def write(self, shape: Shape, typ: Any, value: Any) -> None:
        """An answer, or a part of one, of this Numba type."""
        context, builder = self.context, self.builder
        typ = types.unliteral(typ)
        if shape == NOTHING:
            return
        if shape.kind is None:
            for place, (item, part) in enumerate(zip(shape.items, typ, strict=True)):
                self.write(item, part, builder.extract_value(value, place))
        elif shape.kind == BOOL:
            builder.store(builder.zext(value, _BYTE), self.next(_BYTE))
        else:
            wide = {INT64: types.int64, UINT64: types.uint64, FLOAT64: types.float64}[shape.kind]
            builder.store(context.cast(builder, value, typ, wide), self.next(context.get_value_type(wide)))
