"""States in compiled code: whatever arithmetic the rules did, the fields keep initial()'s types."""

from __future__ import annotations

import inspect
from typing import Any

from numba.core import errors, types
from numba.core.imputils import lower_builtin
from numba.core.typing.templates import AbstractTemplate, AttributeTemplate, infer_getattr, signature

from ..game import Game
from ..state import BOOL, FLOAT64, INT64, UINT64, Shape
from .sequences import LooseTuple

_SCALARS = {INT64: types.int64, UINT64: types.uint64, FLOAT64: types.float64, BOOL: types.boolean}


def state_type(shape: Shape) -> Any:
    """The Numba type of a state of this shape."""
    if shape.kind is not None:
        return _SCALARS[shape.kind]
    items = [state_type(item) for item in shape.items]
    return types.BaseTuple.from_types(items, shape.cls if hasattr(shape.cls, "_fields") else None)


def canonical_state(game: Game, rule: str, found: Any) -> Any:
    """The state's type as initial() sets it; raises TypingError where a rule's answer cannot become it."""
    shape = game.state_shape
    assert shape is not None
    wanted = state_type(shape)
    _check_convertible(found, wanted, rule, "the state")
    return wanted


def _check_convertible(found: Any, wanted: Any, rule: str, path: str) -> None:
    """Refuse, naming the field, a state that arithmetic has turned into another type."""
    found = types.unliteral(found)
    if isinstance(wanted, types.BaseTuple):
        if isinstance(found, LooseTuple) and not isinstance(wanted, types.BaseNamedTuple):
            for i, kind in enumerate(wanted):  # its length is looked at when the rule runs
                _check_convertible(found.dtype, kind, rule, f"{path}, item {i},")
            return
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


def cast_state(context: Any, builder: Any, value: Any, found: Any, wanted: Any) -> Any:
    if not isinstance(wanted, types.BaseTuple) or isinstance(found, LooseTuple):
        return context.cast(builder, value, found, wanted)
    parts = [
        cast_state(context, builder, builder.extract_value(value, i), a, b)
        for i, (a, b) in enumerate(zip(found, wanted, strict=True))
    ]
    return context.make_tuple(builder, wanted, parts)


@infer_getattr
class _Replace(AttributeTemplate):
    """`state._replace(field=value)`: values are cast to the fields' types."""

    key = types.BaseTuple

    def generic_resolve(self, typ: Any, name: str) -> Any:
        if name != "_replace" or not isinstance(typ, types.BaseNamedTuple):
            return None

        class Replace(AbstractTemplate):
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
