"""The bridge to native code: how Numba sees a game. The only module that touches `numba.extending`.

A game is a token: a Numba type that carries its name and fingerprint, and costs nothing at run time.
`game.result(...)` in a kernel compiles the class's own method for that token; `self.width` is a
constant of the type; attributes declared as run-time data are arrays read through one pointer.
"""

from __future__ import annotations

import inspect
import operator
import re
import types as pytypes
import warnings
from collections.abc import Callable
from typing import Any

import numba
import numpy as np
from llvmlite import ir
from numba.core import cgutils, errors, types
from numba.core.imputils import lower_builtin, lower_getattr_generic
from numba.core.registry import cpu_target
from numba.core.typing.templates import AbstractTemplate, AttributeTemplate, infer_getattr, infer_global, signature
from numba.extending import NativeValue, intrinsic, models, overload, register_model, typeof_impl, unbox

from . import bits, codecache
from . import rng as random_bits
from .compiled import Kernel, Uncompilable, Workspace, rebind, settings
from .fingerprint import is_foreign
from .game import Game
from .state import BOOL, FLOAT64, INT64, UINT64, Shape

_WORD = ir.IntType(64)
_SCALARS = {INT64: types.int64, UINT64: types.uint64, FLOAT64: types.float64, BOOL: types.boolean}
_TABLE = 16  # a flat tuple of numbers longer than this becomes a constant array: a tuple compiles to a switch


# -- the token ------------------------------------------------------------------------------------


class GameType(types.Opaque):
    """The type of a game: equal for games whose compiled code is the same."""

    def __init__(self, name: str, fingerprint: str, checked: bool, fields: tuple[Any, ...]) -> None:
        self.game_name, self.fingerprint, self.checked, self.fields = name, fingerprint, checked, fields
        super().__init__(f"{name}#{fingerprint}{'!' if checked else ''}")

    @property
    def key(self) -> tuple[Any, ...]:
        return self.game_name, self.fingerprint, self.checked

    @property
    def game(self) -> Game:
        return live[self.fingerprint]


class LoadedGameType(GameType):
    """The type of a game with run-time data: the token is the address of a block of pointers."""


live: dict[str, Game] = {}
"""One game for each fingerprint in use: where compilation looks rules and constants up."""

register_model(GameType)(models.OpaqueModel)


@register_model(LoadedGameType)
class _LoadedGameModel(models.PrimitiveModel):  # type: ignore[misc]
    def __init__(self, manager: Any, fe_type: Any) -> None:
        super().__init__(manager, fe_type, _WORD)


def token(game: Game, checked: bool | None = None) -> GameType:
    """The game's type; `checked` compiles bounds checks in, by default for games not shipped with us."""
    if checked is None:
        checked = not type(game).__module__.startswith("plywright.")
    kept = game.__dict__.setdefault("_tokens", {})
    if checked not in kept:
        live.setdefault(game.fingerprint, game)
        fields, block = _run_time_block(game)
        game.__dict__["_block"] = block  # kept alive: compiled code reads it through the address
        game.__dict__["_address"] = int(block.ctypes.data)
        cls = LoadedGameType if fields else GameType
        for name in _method_names(type(game)):
            _method_template(name)
        kept[checked] = cls(type(game).__qualname__, game.fingerprint, checked, fields)
    found: GameType = kept[checked]
    return found


def _run_time_block(game: Game) -> tuple[tuple[Any, ...], np.ndarray]:
    """(name, type, word offset) of each run-time attribute, and the words: a scalar, or address and shape."""
    fields, words = [], []
    for name in game.runtime_names():
        value = getattr(game, name)
        if isinstance(value, np.ndarray):
            if not value.flags.c_contiguous:
                raise Uncompilable(f"run-time data {name!r} must be a contiguous array")
            fields.append(
                (name, types.Array(numba.from_dtype(value.dtype), value.ndim, "C", readonly=True), len(words))
            )
            words += [value.ctypes.data, *value.shape]
        elif isinstance(value, (int, np.integer)):
            fields.append((name, types.int64, len(words)))
            words.append(int(value))
        elif isinstance(value, float):
            fields.append((name, types.float64, len(words)))
            words.append(int(np.float64(value).view(np.int64)))
        else:
            raise Uncompilable(f"run-time data {name!r} must be an array, an int or a float, not {value!r}")
    return tuple(fields), np.array(words or [0], np.int64)


@typeof_impl.register(Game)
def _typeof_game(game: Game, context: Any) -> GameType:
    checked = game.__dict__.get("_checked")
    return token(game, checked)


@unbox(GameType)
def _unbox_game(typ: Any, obj: Any, c: Any) -> NativeValue:
    return NativeValue(c.context.get_dummy_value())


def _unbox_address(typ: Any, obj: Any, c: Any) -> NativeValue:
    address = c.pyapi.object_getattr_string(obj, "_address")
    value = c.pyapi.long_as_longlong(address)
    c.pyapi.decref(address)
    return NativeValue(value)


unbox(LoadedGameType)(_unbox_address)


# -- attributes: constants of the type, or run-time data --------------------------------------------


def _method_names(cls: type) -> list[str]:
    return [name for name in dir(cls) if not name.startswith("__") and callable(getattr(cls, name, None))]


def _constant(typ: GameType, name: str) -> Any:
    """The attribute's value in the form that compiled code uses."""
    value = getattr(typ.game, name)
    if isinstance(value, np.ndarray):
        return np.ascontiguousarray(value)
    if isinstance(value, list):
        value = tuple(value)
    if isinstance(value, tuple) and len(value) > _TABLE and all(isinstance(v, (int, float, np.generic)) for v in value):
        kind = float if any(isinstance(v, (float, np.floating)) for v in value) else type(value[0])
        return np.array(value, kind if kind is not int else np.int64)
    return value


@infer_getattr
class _GameAttributes(AttributeTemplate):  # type: ignore[misc]
    key = GameType

    def generic_resolve(self, typ: GameType, name: str) -> Any:
        for field, kind, _ in typ.fields:
            if field == name:
                return kind
        game = typ.game
        found = getattr(type(game), name, None)
        if isinstance(found, pytypes.FunctionType):
            if isinstance(inspect.getattr_static(game, name), staticmethod):
                return types.Dispatcher(native_function(found, typ.checked))
            return types.BoundFunction(_method_template(name), typ)
        if not hasattr(game, name):
            raise errors.TypingError(f"{type(game).__name__} has no attribute {name!r}")
        if name not in game._identity[2]:
            raise errors.TypingError(f"{name!r} is read in a way that the fingerprint cannot follow")
        kind = self.context.resolve_value_type(_constant(typ, name))
        return kind.copy(readonly=True) if isinstance(kind, types.Array) else types.unliteral(kind)


@lower_getattr_generic(GameType)
def _lower_attribute(context: Any, builder: Any, typ: GameType, value: Any, name: str) -> Any:
    for field, kind, offset in typ.fields:
        if field == name:
            return _load_field(context, builder, kind, value, offset)
    kind = context.typing_context.resolve_getattr(typ, name)
    if isinstance(kind, (types.BoundFunction, types.Dispatcher)):
        return value if isinstance(kind, types.BoundFunction) else context.get_dummy_value()
    return context.get_constant_generic(builder, kind, _constant(typ, name))


def _load_field(context: Any, builder: Any, kind: Any, address: Any, offset: int) -> Any:
    """One scalar or array of the run-time block; the array borrows its memory and owns nothing."""

    def word(i: int) -> Any:
        return builder.load(builder.gep(builder.inttoptr(address, _WORD.as_pointer()), [_WORD(offset + i)]))

    if not isinstance(kind, types.Array):
        return builder.bitcast(word(0), context.get_value_type(kind))
    shape = [word(1 + i) for i in range(kind.ndim)]
    itemsize = context.get_abi_sizeof(context.get_data_type(kind.dtype))
    strides, step = [], _WORD(itemsize)
    for extent in reversed(shape):
        strides.insert(0, step)
        step = builder.mul(step, extent)
    array = context.make_array(kind)(context, builder)
    context.populate_array(
        array,
        data=builder.inttoptr(word(0), context.get_data_type(kind.dtype).as_pointer()),
        shape=cgutils.pack_array(builder, shape, _WORD),
        strides=cgutils.pack_array(builder, strides, _WORD),
        itemsize=_WORD(itemsize),
        meminfo=None,
    )
    return array._getvalue()


# -- methods: the class's own functions, compiled for the token ---------------------------------------

_native: dict[tuple[Any, bool], Any] = {}
_templates: dict[str, type] = {}


def native_function(function: Any, checked: bool) -> Any:
    """A plain Python function as a Numba dispatcher, with the plain functions it calls."""
    return _dispatcher(function, function, checked)


def native_kernel(kernel: Kernel) -> Any:
    """The dispatcher of a kernel; its results are kept in the cache on disk."""
    dispatcher = _dispatcher(kernel.function, kernel, checked=False)
    if not isinstance(dispatcher._cache, codecache.CodeCache):
        dispatcher._cache = codecache.CodeCache(kernel, _fingerprint_of)
    return dispatcher


def _dispatcher(function: Any, alias: Any, checked: bool) -> Any:
    """Make or find the dispatcher of a function, which other code may mention by `alias`."""
    key = (function, checked)
    if key not in _native:

        def made(copy: Any) -> None:
            copy.__module__ = __name__  # caches name the module: ours can always be imported again
            model = "python" if checked else "numpy"
            _native[key] = numba.njit(nogil=True, error_model=model, boundscheck=checked)(copy)

        rebind(function, lambda value: _native[key] if value is alias else _visible(value, checked), made)
    return _native[key]


def _visible(value: Any, checked: bool) -> Any:
    """What a compiled function should see for a global: plain functions become compiled ones."""
    if isinstance(value, Kernel):
        return native_kernel(value)
    if isinstance(value, pytypes.FunctionType) and not is_foreign(value.__module__ or ""):
        try:
            cpu_target.typing_context.resolve_value_type(value)
        except (errors.NumbaError, ValueError):
            return native_function(value, checked)
    if isinstance(value, pytypes.ModuleType) and not is_foreign(value.__name__):
        shadow = pytypes.ModuleType(value.__name__)
        for name, member in vars(value).items():
            if isinstance(member, pytypes.FunctionType) and member.__module__ == value.__name__:
                setattr(shadow, name, _visible(member, checked))
            elif not name.startswith("__"):
                setattr(shadow, name, member)
        return shadow
    return value


def _fingerprint_of(args: tuple[Any, ...]) -> tuple[str, list[type]] | None:
    for arg in args:
        if isinstance(arg, GameType):
            return arg.fingerprint, arg.game._identity[1]
    return None


def _method_template(name: str) -> type:
    """The Numba template that resolves `game.name(...)` for whichever game is called."""
    if name in _templates:
        return _templates[name]

    def resolve(context: Any, typ: GameType, args: Any, kws: Any) -> tuple[Any, Any]:
        function = getattr(type(typ.game), name)
        dispatcher = native_function(function, typ.checked)
        if dispatcher.is_compiling and any(
            frame.func_id.func is dispatcher.py_func for frame in context.callstack._stack
        ):
            raise errors.TypingError(f"{name}() calls itself; write it as a loop to have it compiled")
        kind = types.Dispatcher(dispatcher)
        return kind, kind.get_call_type(context, (typ, *args), kws)

    class Method(AbstractTemplate):  # type: ignore[misc]
        key = ("plywright", name)

        def generic(self, args: Any, kws: Any) -> Any:
            _, found = resolve(self.context, self.this, args, kws)
            if found is None:
                return None
            if name in ("initial", "result"):
                found = found.replace(return_type=_canonical_state(self.this, name, found.return_type))
            return found.as_method()

    @lower_builtin(Method.key, GameType, types.VarArg(types.Any))
    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        kind, found = resolve(context.typing_context, sig.args[0], sig.args[1:], {})
        call = context.get_function(kind, found)
        context.add_linking_libs(getattr(call, "libs", ()))
        value = call(builder, args)
        if name in ("initial", "result"):
            value = _cast(context, builder, value, found.return_type, sig.return_type)
        return value

    _templates[name] = Method
    return Method


# -- states: whatever arithmetic the rules did, the fields keep initial()'s types --------------------


def state_type(shape: Shape) -> Any:
    """The Numba type of a state of this shape."""
    if shape.kind is not None:
        return _SCALARS[shape.kind]
    items = [state_type(item) for item in shape.items]
    return types.BaseTuple.from_types(items, shape.cls if hasattr(shape.cls, "_fields") else None)


def _canonical_state(typ: GameType, rule: str, found: Any) -> Any:
    shape = typ.game.state_shape
    assert shape is not None
    wanted = state_type(shape)
    _check_convertible(found, wanted, rule, "the state")
    return wanted


def _check_convertible(found: Any, wanted: Any, rule: str, path: str) -> None:
    """Refuse, naming the field, a state that arithmetic has turned into another type."""
    found = types.unliteral(found)
    if isinstance(wanted, types.BaseTuple):
        if not isinstance(found, types.BaseTuple) or len(found) != len(wanted):
            raise errors.TypingError(f"{rule}() returns {found} where initial() returns {wanted}")
        names = getattr(wanted, "fields", range(len(wanted)))
        for name, a, b in zip(names, found, wanted, strict=True):
            _check_convertible(a, b, rule, f"field {name!r}")
        return
    fine = (
        found == wanted
        or (wanted in (types.int64, types.float64, types.uint64) and isinstance(found, (types.Integer, types.Boolean)))
        or (wanted == types.float64 and isinstance(found, types.Float))
    )
    if fine and wanted == types.int64 and found == types.uint64:
        fine = False
    if not fine:
        raise errors.TypingError(
            f"{rule}() makes {path} a {found} where initial() makes it a {wanted}; give both the same type "
            f"(for 64-cell boards np.uint64(0) in initial())"
        )


def _cast(context: Any, builder: Any, value: Any, found: Any, wanted: Any) -> Any:
    if not isinstance(wanted, types.BaseTuple):
        return context.cast(builder, value, found, wanted)
    parts = [
        _cast(context, builder, builder.extract_value(value, i), a, b)
        for i, (a, b) in enumerate(zip(found, wanted, strict=True))
    ]
    return context.make_tuple(builder, wanted, parts)


@infer_getattr
class _Replace(AttributeTemplate):  # type: ignore[misc]
    """`state._replace(field=value)`: values are cast to the fields' types."""

    key = types.BaseTuple

    def generic_resolve(self, typ: Any, name: str) -> Any:
        if name != "_replace" or not isinstance(typ, types.BaseNamedTuple):
            return None

        class Replace(AbstractTemplate):  # type: ignore[misc]
            key = "plywright._replace"

            def generic(self, args: Any, kws: Any) -> Any:
                unknown = [field for field in kws if field not in typ.fields]
                if args or unknown:
                    raise errors.TypingError(
                        f"{typ.instance_class.__name__} has no field {unknown[0] if unknown else ''!r}; "
                        f"it has {', '.join(typ.fields)}"
                    )
                parameters = [
                    inspect.Parameter(field, inspect.Parameter.POSITIONAL_OR_KEYWORD, default=None)
                    for field in typ.fields
                ]
                given = [typ[i] if field in kws else types.Omitted(None) for i, field in enumerate(typ.fields)]
                return signature(typ, *given, recvr=self.this).replace(pysig=inspect.Signature(parameters))

        return types.BoundFunction(Replace, typ)


@lower_builtin("plywright._replace", types.BaseNamedTuple, types.VarArg(types.Any))
def _lower_replace(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    state = args[0]
    for index, (kind, value) in enumerate(zip(sig.args[1:], args[1:], strict=True)):
        if not isinstance(kind, types.Omitted):
            state = builder.insert_value(state, value, index)
    return state


# -- workspace: one pointer to many arrays -------------------------------------------------------------


class WorkspaceType(types.Type):
    def __init__(self, fields: tuple[tuple[str, Any], ...]) -> None:
        self.fields = fields
        super().__init__(f"Workspace{fields}")


class ViewType(types.Type):
    """An array of the workspace: a bare pointer, unchecked."""

    def __init__(self, dtype: Any) -> None:
        self.dtype = dtype
        super().__init__(f"View({dtype})")


@register_model(WorkspaceType)
@register_model(ViewType)
class _AddressModel(models.PrimitiveModel):  # type: ignore[misc]
    def __init__(self, manager: Any, fe_type: Any) -> None:
        super().__init__(manager, fe_type, _WORD)


@typeof_impl.register(Workspace)
def _typeof_workspace(work: Workspace, context: Any) -> WorkspaceType:
    return WorkspaceType(tuple((name, numba.from_dtype(array.dtype)) for name, array in work._arrays))


unbox(WorkspaceType)(_unbox_address)


@infer_getattr
class _WorkspaceAttributes(AttributeTemplate):  # type: ignore[misc]
    key = WorkspaceType

    def generic_resolve(self, typ: WorkspaceType, name: str) -> Any:
        return next((ViewType(dtype) for field, dtype in typ.fields if field == name), None)


@lower_getattr_generic(WorkspaceType)
def _lower_workspace(context: Any, builder: Any, typ: WorkspaceType, value: Any, name: str) -> Any:
    index = [field for field, _ in typ.fields].index(name)
    return builder.load(builder.gep(builder.inttoptr(value, _WORD.as_pointer()), [_WORD(index)]))


@infer_global(operator.getitem)
class _ViewGet(AbstractTemplate):  # type: ignore[misc]
    def generic(self, args: Any, kws: Any) -> Any:
        view, index = args
        if isinstance(view, ViewType) and isinstance(index, types.Integer):
            return signature(view.dtype, view, types.int64)
        return None


@infer_global(operator.setitem)
class _ViewSet(AbstractTemplate):  # type: ignore[misc]
    def generic(self, args: Any, kws: Any) -> Any:
        view, index, _ = args
        if isinstance(view, ViewType) and isinstance(index, types.Integer):
            return signature(types.void, view, types.int64, view.dtype)
        return None


def _item_pointer(context: Any, builder: Any, view: Any, address: Any, index: Any) -> Any:
    return builder.gep(builder.inttoptr(address, context.get_value_type(view.dtype).as_pointer()), [index])


@lower_builtin(operator.getitem, ViewType, types.Integer)
def _lower_view_get(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return builder.load(_item_pointer(context, builder, sig.args[0], args[0], args[1]))


@lower_builtin(operator.setitem, ViewType, types.Integer, types.Any)
def _lower_view_set(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    builder.store(args[2], _item_pointer(context, builder, sig.args[0], args[0], args[1]))
    return context.get_dummy_value()


# -- native twins of bits.py and rng.py ------------------------------------------------------------------


@intrinsic  # type: ignore[misc]
def _ctpop(context: Any, board: Any) -> Any:
    return types.int64(types.uint64), lambda ctx, builder, sig, args: builder.ctpop(args[0])


@intrinsic  # type: ignore[misc]
def _cttz(context: Any, board: Any) -> Any:
    return types.int64(types.uint64), lambda ctx, builder, sig, args: builder.cttz(args[0], ir.IntType(1)(0))


@overload(bits.popcount)
def _popcount(board):  # type: ignore[no-untyped-def]
    return lambda board: _ctpop(np.uint64(board))


@overload(bits.lowest_bit)
def _lowest_bit(board):  # type: ignore[no-untyped-def]
    return lambda board: _cttz(np.uint64(board))


@overload(random_bits.scramble)
def _scramble(number):  # type: ignore[no-untyped-def]
    def scramble(number):  # type: ignore[no-untyped-def]
        z = np.uint64(number)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return z ^ (z >> np.uint64(31))

    return scramble


@overload(random_bits.draw64)
def _draw64(rng):  # type: ignore[no-untyped-def]
    def draw64(rng):  # type: ignore[no-untyped-def]
        word = rng[0] + np.uint64(0x9E3779B97F4A7C15)
        rng[0] = word
        return random_bits.scramble(word)

    return draw64


@overload(random_bits.below)
def _below(rng, count):  # type: ignore[no-untyped-def]
    def below(rng, count):  # type: ignore[no-untyped-def]
        return np.int64(((random_bits.draw64(rng) >> np.uint64(32)) * np.uint64(count)) >> np.uint64(32))

    return below


# -- compiling a kernel for a game ---------------------------------------------------------------------------


def entry(kernel: Kernel, game: Game, args: tuple[Any, ...]) -> Callable[..., Any]:
    """The kernel compiled for these arguments; raises Uncompilable where the rules do not allow it."""
    dispatcher = native_kernel(kernel)
    try:
        kinds = tuple(numba.typeof(arg) for arg in (game, *args))
        if kinds not in dispatcher.overloads:
            if dispatcher._cache.has(kinds):
                dispatcher.compile(kinds)
            else:
                with settings.announce(type(game).__name__), warnings.catch_warnings():
                    warnings.simplefilter("ignore", errors.NumbaWarning)
                    dispatcher.compile(kinds)
    except (errors.NumbaError, ValueError, AssertionError, KeyError, NotImplementedError, TypeError) as error:
        raise explain(error, game) from error
    return dispatcher  # type: ignore[no-any-return]


_LOCATION = re.compile(r'File "([^"]+)", line (\d+)')
_NOISE = re.compile(
    r"^(Failed in|- Resolution failure|Invalid use of|Known signatures|During:|There are|Overload|File |"
    r"raised from|Enable|This error|- |\^|\*|<source|def |$)"
)


def explain(error: Exception, game: Game) -> Uncompilable:
    """Numba's message, boiled down to a place in the author's file and one reason."""
    text = re.sub(r"\x1b\[[0-9;]*m", "", str(error))
    own = {inspect.getsourcefile(cls) for cls in type(game).__mro__ if issubclass(cls, Game) and cls is not Game}
    file = line = None
    for match in _LOCATION.finditer(text):
        for candidate in own:
            if candidate and (candidate.endswith(match[1].lstrip("./")) or match[1] == candidate):
                file, line = file or candidate, line or int(match[2])
    reason = next((row.strip() for row in text.splitlines() if not _NOISE.match(row.strip())), type(error).__name__)
    if "uint64" in text and "float64" in text:
        reason += " (np.uint64 mixed with plain ints gives floats: write np.uint64(1) for 1)"
    return Uncompilable(reason[:300], file, line)
