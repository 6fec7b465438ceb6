"""Values as one line of text and back, without running any code: what states that are not plain numbers read like.

Numbers, texts, bytes, None, tuples and frozensets are written as Python writes them (a set in a fixed order), named
tuples, dataclasses and enumerations with the names of their classes. A text by itself stands without quotes.
"""

from __future__ import annotations

import ast
import dataclasses
import enum
from typing import Any


def written(value: Any) -> str:
    """The value as one line; other classes as their `repr` has them, which `read` does not take."""
    if isinstance(value, str) and type(value) is str and value.isprintable() and value.strip() == value != "":
        return value if value[0] not in "'\"" else repr(value)
    return _written(value)


def _written(value: Any) -> str:
    if isinstance(value, enum.Enum):
        return f"{type(value).__name__}.{value.name}"
    if isinstance(value, frozenset):
        return f"{{{', '.join(sorted(map(_written, value)))}}}" if value else "frozenset()"
    if isinstance(value, tuple):
        parts = [_written(part) for part in value]
        if hasattr(value, "_fields"):
            return f"{type(value).__name__}({', '.join(parts)})"
        return f"({', '.join(parts)}{',' if len(parts) == 1 else ''})"
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        fields = [f for f in dataclasses.fields(value) if f.init]
        return f"{type(value).__name__}({', '.join(f'{f.name}={_written(getattr(value, f.name))}' for f in fields)})"
    if hasattr(value, "item"):  # a number of NumPy's
        return _written(value.item())
    return " ".join(repr(value).split("\n"))


def read(text: str, like: Any) -> Any:
    """The value that `written` wrote; `like` is one of its kind. Raises ValueError where the text means nothing."""
    text = text.strip()
    if isinstance(like, str) and text[:1] not in ("'", '"'):
        return text
    try:
        tree = ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError, MemoryError, RecursionError) as error:
        raise ValueError(f"it is not written like {written(like)}") from error
    return _value(tree, _classes(like))


def _classes(value: Any) -> dict[str, type]:
    """The classes of a value and of its parts, by name."""
    found: dict[str, type] = {}
    parts: Any = value if isinstance(value, (tuple, frozenset)) else ()
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        parts = [getattr(value, field.name) for field in dataclasses.fields(value)]
        found[type(value).__name__] = type(value)
    if isinstance(value, enum.Enum) or hasattr(value, "_fields"):
        found[type(value).__name__] = type(value)
    for part in parts:
        found |= _classes(part)
    return found


def _value(node: ast.expr, classes: dict[str, type]) -> Any:
    if isinstance(node, ast.Tuple):
        return tuple(_value(part, classes) for part in node.elts)
    if isinstance(node, ast.Set):
        return frozenset(_value(part, classes) for part in node.elts)
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        cls = classes.get(node.value.id)
        if cls is not None and issubclass(cls, enum.Enum) and node.attr in cls.__members__:
            return cls[node.attr]
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        if node.func.id == "frozenset" and not node.args and not node.keywords:
            return frozenset()
        cls = classes.get(node.func.id)
        if cls is not None and not issubclass(cls, enum.Enum):
            given = {word.arg: _value(word.value, classes) for word in node.keywords if word.arg}
            try:
                return cls(*(_value(part, classes) for part in node.args), **given)
            except TypeError as error:
                raise ValueError(str(error)) from None
    try:
        return ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError):
        raise ValueError(f"{ast.unparse(node)} cannot be read") from None
