"""From text to a utility function: `linear`, `log:wealth=1000`, `crra:2`, `piecewise:0=0,400=0.5,1000=1`."""

from __future__ import annotations

import difflib
import inspect
import re
from collections.abc import Callable
from typing import Any

from ..errors import BadInput
from ..number import Number, written_number
from .functions import CARA, CRRA, Linear, Log, Quadratic, SShaped, Table, UtilityFunction
from .lottery import Prize
from .piecewise import Piecewise

FUNCTIONS: dict[str, tuple[Callable[..., UtilityFunction], str]] = {
    "linear": (Linear, "money itself: neutral to risk"),
    "log": (Log, "the logarithm of wealth plus prize: log:wealth=1000"),
    "crra": (CRRA, "constant relative risk aversion: crra:2 or crra:gamma=2,wealth=1000"),
    "cara": (CARA, "constant absolute risk aversion: cara:0.001"),
    "quadratic": (Quadratic, "x - b x^2 / 2 up to 1 / b: quadratic:0.0005"),
    "s-shaped": (SShaped, "prone to risk below a reference: s-shaped:reference=0,power=0.5,loss=2"),
    "piecewise": (Piecewise, "through points: piecewise:0=0,400=0.5,1000=1"),
    "table": (Table, "prize by prize: table:ticket=1,dinner=0.4"),
}
"""Each function by its name, and one line for people."""


def utility_function(text: str, wealth: Any = None) -> UtilityFunction:
    """The function a text means; `wealth` is what is owned besides the prizes, where that matters."""
    if not isinstance(text, str):
        raise BadInput(f"a utility function is written as a text such as 'crra:2', not as {text!r}")
    name, _, given = (part.strip() for part in text.partition(":"))
    if name not in FUNCTIONS:
        close = difflib.get_close_matches(name, FUNCTIONS, n=2)
        hint = f"did you mean {' or '.join(close)}?" if close else f"there are {', '.join(FUNCTIONS)}"
        raise BadInput(f"there is no utility function {name!r}; {hint}")
    parts = [part.strip() for part in re.split(r',(?=(?:[^"]*"[^"]*")*[^"]*$)', given) if part.strip()]
    make = FUNCTIONS[name][0]
    if make in (Piecewise, Table):
        if wealth is not None:
            raise BadInput(f"{name} takes no wealth; crra and log do")
        return Piecewise([_point(part) for part in parts]) if make is Piecewise else _table(parts)
    parameters = list(inspect.signature(make).parameters.values())
    found = _arguments(name, parts, [parameter.name for parameter in parameters])
    if wealth is not None:
        if "wealth" not in (parameter.name for parameter in parameters):
            raise BadInput(f"{name} takes no wealth; crra and log do")
        found.setdefault("wealth", _number(str(wealth), "wealth"))
    missing = [p.name for p in parameters if p.default is p.empty and p.name not in found]
    if missing:
        raise BadInput(f"{name} needs {missing[0]}, as in {FUNCTIONS[name][1].rpartition(': ')[2]!r}")
    return make(**found)


def _arguments(name: str, parts: list[str], known: list[str]) -> dict[str, Number]:
    found: dict[str, Number] = {}
    for place, part in enumerate(parts):
        key, equals, value = (word.strip() for word in part.rpartition("="))
        if not equals and place < len(known):
            key = known[place]
        if key not in known:
            listed = ", ".join(known) or "none"
            raise BadInput(f"{name} has no parameter {key or value!r}; it has: {listed}")
        if key in found:
            raise BadInput(f"{name} is given its {key} twice")
        found[key] = _number(value, key)
    return found


def _point(part: str) -> tuple[Number, Number]:
    amount, equals, value = part.partition("=")
    if not equals:
        raise BadInput(f"{part!r} is no point of a curve: write AMOUNT=UTILITY")
    return _number(amount, "an amount"), _number(value, "a utility")


def _table(parts: list[str]) -> Table:
    found: dict[Prize, Number] = {}
    for part in parts:
        written, equals, value = (word.strip() for word in part.rpartition("="))
        if not equals or not written:
            raise BadInput(f"{part!r} is no line of a table: write PRIZE=UTILITY")
        quoted = len(written) > 1 and written[0] == written[-1] == '"'
        amount = None if quoted else written_number(written)
        prize: Prize = written[1:-1] if quoted else written if amount is None else amount
        if prize in found:
            raise BadInput(f"the table gives {prize} twice")
        found[prize] = _number(value, f"the utility of {prize}")
    return Table(found)


def _number(text: str, what: str) -> Number:
    found = written_number(text)
    if found is None:
        raise BadInput(f"{what} must be a number, not {text.strip()!r}")
    return found
