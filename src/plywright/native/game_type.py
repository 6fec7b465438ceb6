"""A game as Numba sees it: a token whose type carries the name and the fingerprint, and costs nothing.

`game.result(...)` compiles the class's own method for that token; `self.width` is a constant of the
type; attributes declared as run-time data are arrays read through one pointer.
"""

from __future__ import annotations

import inspect
import types as pytypes
from typing import Any

import numba
import numpy as np
from llvmlite import ir
from numba.core import cgutils, errors, types
from numba.core.imputils import lower_builtin, lower_getattr_generic
from numba.core.typing.templates import AbstractTemplate, AttributeTemplate, infer_getattr
from numba.extending import NativeValue, models, register_model, typeof_impl, unbox

from ..game import Game
from ..identity import Identified
from .functions import native_function
from .rewriting import rule_of
from .states import canonical_state, cast_state, state_type
from .tables import as_table
from .words import ArrayKind, GameKind, is_checked, run_time_fields

_WORD = ir.IntType(64)
_TABLE = 16  # a flat tuple of numbers longer than this becomes a constant array: a tuple compiles to a switch


class GameType(types.Type):
    """The type of a game: equal for games whose compiled code is the same."""

    def __init__(self, name: str, fingerprint: str, checked: bool, fields: tuple[Any, ...]) -> None:
        self.game_name, self.fingerprint, self.checked, self.fields = name, fingerprint, checked, fields
        super().__init__(f"{name}#{fingerprint}{'!' if checked else ''}")

    @property
    def key(self) -> tuple[Any, ...]:
        return self.game_name, self.fingerprint, self.checked

    @property
    def subject(self) -> Identified:
        return live[self.fingerprint]

    def fact(self, name: str) -> bool | None:
        """The attribute of that name if it is a truth value that never changes, else None."""
        subject = self.subject
        if name not in subject._identity[2] or any(field == name for field, _, _ in self.fields):
            return None
        if isinstance(getattr(type(subject), name, None), pytypes.FunctionType):
            return None
        value = getattr(subject, name, None)
        return value if isinstance(value, bool) else None


class LoadedGameType(GameType):
    """The type of a game with run-time data: the token is the address of a block of pointers."""


live: dict[str, Identified] = {}
"""One game or knowledge for each fingerprint in use: where compilation looks methods and constants up."""


@register_model(GameType)
class _GameModel(models.StructModel):
    """The data model: an empty value, so that passing a game costs no register."""

    def __init__(self, manager: Any, fe_type: Any) -> None:
        super().__init__(manager, fe_type, [])


@register_model(LoadedGameType)
class _LoadedGameModel(models.PrimitiveModel):
    def __init__(self, manager: Any, fe_type: Any) -> None:
        super().__init__(manager, fe_type, _WORD)


def token(subject: Identified, checked: bool | None = None) -> GameType:
    """The type of a game or knowledge; `checked` compiles bounds checks in, by default where it is not shipped."""
    if checked is None:
        checked = is_checked(subject)
    kept = subject.__dict__.setdefault("_tokens", {})
    if checked not in kept:
        live.setdefault(subject.fingerprint, subject)
        fields = tuple((field.name, _field_type(field.kind), field.offset) for field in run_time_fields(subject))
        cls = LoadedGameType if fields else GameType
        for name in _method_names(type(subject)):
            _method_template(name)
        kept[checked] = cls(type(subject).__qualname__, subject.fingerprint, checked, fields)
    found: GameType = kept[checked]
    return found


def _field_type(kind: Any) -> Any:
    """The type of run-time data, which the rules may only read."""
    if isinstance(kind, ArrayKind):
        return types.Array(numba.from_dtype(np.dtype(kind.dtype)), kind.dimensions, "C", readonly=True)
    return token(live[kind.fingerprint], kind.checked) if isinstance(kind, GameKind) else state_type(kind)


@typeof_impl.register(Identified)
def _typeof_game(subject: Identified, context: Any) -> GameType:
    return token(subject)


@unbox(GameType)
def _unbox_game(typ: Any, obj: Any, c: Any) -> NativeValue:
    return NativeValue(cgutils.create_struct_proxy(typ)(c.context, c.builder)._getvalue())


@unbox(LoadedGameType)
def _unbox_loaded_game(typ: Any, obj: Any, c: Any) -> NativeValue:
    """The address of the run-time data, which the game keeps in `_address`."""
    address = c.pyapi.object_getattr_string(obj, "_address")
    value = c.pyapi.long_as_longlong(address)
    c.pyapi.decref(address)
    return NativeValue(value)


# -- attributes: constants of the type, or run-time data --------------------------------------------


def _method_names(cls: type) -> list[str]:
    return [name for name in dir(cls) if not name.startswith("__") and callable(getattr(cls, name, None))]


def _constant(typ: GameType, name: str) -> Any:
    """The attribute's value in the form that compiled code uses."""
    value = getattr(typ.subject, name)
    if isinstance(value, np.ndarray):
        return np.ascontiguousarray(value)
    value = as_table(value)
    if isinstance(value, tuple) and len(value) > _TABLE and all(isinstance(v, (int, float, np.generic)) for v in value):
        kind = float if any(isinstance(v, (float, np.floating)) for v in value) else type(value[0])
        return np.array(value, kind if kind is not int else np.int64)
    return value


@infer_getattr
class _GameAttributes(AttributeTemplate):
    key = GameType

    def generic_resolve(self, typ: GameType, name: str) -> Any:
        for field, kind, _ in typ.fields:
            if field == name:
                return kind
        subject = typ.subject
        found = rule_of(type(subject), name)
        if isinstance(found, pytypes.FunctionType):
            if isinstance(inspect.getattr_static(subject, name, None), staticmethod):
                return types.Dispatcher(native_function(found, typ.checked))
            return types.BoundFunction(_method_template(name), typ)
        if not hasattr(subject, name):
            raise errors.TypingError(f"{type(subject).__name__} has no attribute {name!r}")
        value = getattr(subject, name)
        if isinstance(value, Identified):  # the rules that a knowledge is of, without data of their own
            return token(value)
        if name not in subject._identity[2]:
            raise errors.TypingError(f"{name!r} is read in a way that the fingerprint cannot follow")
        try:
            kind = self.context.resolve_value_type(_constant(typ, name))
        except (errors.NumbaError, ValueError):
            raise errors.TypingError(
                f"attribute {name!r} is a {type(value).__name__}; compiled rules read numbers, strings, "
                f"tuples and arrays of numbers"
            ) from None
        return kind.copy(readonly=True) if isinstance(kind, types.Array) else types.unliteral(kind)


@lower_getattr_generic(GameType)
def _lower_attribute(context: Any, builder: Any, typ: GameType, value: Any, name: str) -> Any:
    for field, kind, offset in typ.fields:
        if field == name:
            return _load_field(context, builder, kind, value, offset)
    kind = context.typing_context.resolve_getattr(typ, name)
    if isinstance(kind, GameType):
        return ir.Constant(context.get_value_type(kind), None)
    if isinstance(kind, (types.BoundFunction, types.Dispatcher)):
        return value if isinstance(kind, types.BoundFunction) else context.get_dummy_value()
    return context.get_constant_generic(builder, kind, _constant(typ, name))


def _load_field(context: Any, builder: Any, kind: Any, address: Any, offset: int) -> Any:
    """One scalar or array of the run-time block."""

    def word(i: int) -> Any:
        return builder.load(builder.gep(builder.inttoptr(address, _WORD.as_pointer()), [_WORD(offset + i)]))

    if not isinstance(kind, types.Array):
        return builder.bitcast(word(0), context.get_value_type(kind))
    return array_value(context, builder, kind, [word(i) for i in range(1 + kind.ndim)])


def array_value(context: Any, builder: Any, kind: Any, words: list[Any]) -> Any:
    """An array, given its address and extents; it borrows its memory and owns nothing."""
    address, *shape = words
    itemsize = context.get_abi_sizeof(context.get_data_type(kind.dtype))
    strides, step = [], _WORD(itemsize)
    for extent in reversed(shape):
        strides.insert(0, step)
        step = builder.mul(step, extent)
    array = context.make_array(kind)(context, builder)
    context.populate_array(
        array,
        data=builder.inttoptr(address, context.get_data_type(kind.dtype).as_pointer()),
        shape=cgutils.pack_array(builder, shape, _WORD),
        strides=cgutils.pack_array(builder, strides, _WORD),
        itemsize=_WORD(itemsize),
        meminfo=None,
    )
    return array._getvalue()


# -- methods: the class's own functions, compiled for the token ---------------------------------------


def _game_of(subject: Any) -> Any:
    """The game whose states the methods are about."""
    return subject if isinstance(subject, Game) else subject.game


_templates: dict[str, type] = {}
STATE_RULES = (
    "initial",
    "result",
    "null_move",
    "canonical",
    "deal",
)  # their answers are states, in the state's own type


def _method_template(name: str) -> type:
    """The Numba template that resolves `game.name(...)` for whichever game is called."""
    if name in _templates:
        return _templates[name]

    def resolve(context: Any, typ: GameType, args: Any, kws: Any) -> tuple[Any, Any]:
        function = rule_of(type(typ.subject), name)
        dispatcher = native_function(function, typ.checked)
        if dispatcher.is_compiling and any(
            frame.func_id.func is dispatcher.py_func for frame in context.callstack._stack
        ):
            raise errors.TypingError(f"{name}() calls itself; write it as a loop to have it compiled")
        kind = types.Dispatcher(dispatcher)
        return kind, kind.get_call_type(context, (typ, *args), kws)

    class Method(AbstractTemplate):
        key = ("plywright", name)

        def generic(self, args: Any, kws: Any) -> Any:
            _, found = resolve(self.context, self.this, args, kws)
            if found is None:
                return None
            if name in STATE_RULES:
                found = found.replace(return_type=canonical_state(_game_of(self.this.subject), name, found.return_type))
            elif name == "to_move" and isinstance(found.return_type, (types.Integer, types.Boolean)):
                found = found.replace(return_type=types.int64)  # one type, or a kernel is compiled for two
            return found.as_method()

    @lower_builtin(Method.key, GameType, types.VarArg(types.Any))
    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        kind, found = resolve(context.typing_context, sig.args[0], sig.args[1:], {})
        call = context.get_function(kind, found)
        context.add_linking_libs(getattr(call, "libs", ()))
        value = call(builder, args)
        if name in STATE_RULES:
            state = cast_state(context, builder, value, found.return_type, sig.return_type)
            context.nrt.decref(builder, found.return_type, value)  # lists in it, which have been read
            value = state
        elif name == "to_move":
            value = context.cast(builder, value, found.return_type, sig.return_type)
        return value

    _templates[name] = Method
    return Method
