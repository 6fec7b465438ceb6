"""Whether two utility functions are the same person: behaviour is unchanged by u' = scale * u + shift.

With certain prizes only, any increasing map is the same behaviour; with lotteries only a positive
affine one is. So the answer is either the two constants or a choice in which the two differ.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from math import inf
from typing import Any

from ..errors import BadInput
from .functions import Table, UtilityFunction
from .lottery import Lottery, Prize, valued
from .number import Number, exactly, is_exact, number_text, tidy
from .risk import Utility

POINTS = 33
"""Amounts that are compared where a range is given."""
CLOSE = 1e-9


@dataclass(frozen=True)
class Behaviour:
    """The answer of `same_behaviour`; true when the two behave alike on every lottery over the prizes."""

    same: bool
    scale: Number | None = None  # v = scale * u + shift
    shift: Number | None = None
    prize: Prize = None  # where they differ: one likes this better than the lottery, the other does not
    lottery: Lottery | None = None

    def __bool__(self) -> bool:
        return self.same

    def __str__(self) -> str:
        if self.same:
            scale, shift = number_text(self.scale or 0), number_text(self.shift or 0)
            return f"the same behaviour: v = {scale} * u + {shift}"
        return f"they differ on {self.prize} against {self.lottery}"


def same_behaviour(u: Utility, v: Utility, prizes: Iterable[Prize] | None = None) -> Behaviour:
    """Whether u and v choose alike among all lotteries over the prizes.

    Without prizes they are compared on amounts spread over what both functions accept, from 1 to 1000
    where they accept everything; tables are compared on what both list.
    """
    listed = list(dict.fromkeys(_prizes(u, v) if prizes is None else prizes))
    if not listed:
        raise BadInput("there is no prize on which the two functions could be compared")
    of_u, of_v = {x: valued(u, x) for x in listed}, {x: valued(v, x) for x in listed}
    bottomless = [x for x in listed if of_u[x] == -inf or of_v[x] == -inf]
    if bottomless and prizes is not None:
        raise BadInput(f"a utility of minus infinity, at {bottomless[0]}, cannot be compared: leave that prize out")
    listed = [x for x in listed if x not in bottomless]
    worst, best = min(listed, key=of_u.__getitem__), max(listed, key=of_u.__getitem__)
    if of_u[worst] == of_u[best]:
        odd = next((x for x in listed if not _equal(of_v[x], of_v[worst], 1)), None)
        if odd is None:
            return Behaviour(True, 1, _difference(of_v[worst], of_u[worst]))
        return Behaviour(False, prize=odd, lottery=Lottery.certain(worst))
    span_u, span_v = _difference(of_u[best], of_u[worst]), _difference(of_v[best], of_v[worst])
    if span_v <= 0:
        return Behaviour(False, prize=worst, lottery=Lottery.certain(best))
    scale = _ratio(span_v, span_u)
    shift = _difference(of_v[worst], scale * of_u[worst])
    for x in listed:
        share_u = _ratio(_difference(of_u[x], of_u[worst]), span_u)
        share_v = _ratio(_difference(of_v[x], of_v[worst]), span_v)
        if not _equal(share_u, share_v, 1):
            chance = _between(exactly(share_u), exactly(min(max(share_v, 0), 1)))
            return Behaviour(False, prize=x, lottery=Lottery([(chance, best), (1 - chance, worst)]))
    return Behaviour(True, scale, shift)


def _between(a: Fraction, b: Fraction) -> Fraction:
    """A number strictly between two (or the two, where they are one) in few decimals."""
    middle = (a + b) / 2
    shorter = (Fraction(round(middle, digits)) for digits in range(1, 12))
    return next((chance for chance in shorter if min(a, b) < chance < max(a, b)), middle)


def _prizes(u: Utility, v: Utility) -> list[Prize]:
    tables = [f for f in (u, v) if isinstance(f, Table)]
    if tables:
        return [prize for prize in tables[0].utilities if all(prize in table.utilities for table in tables)]
    domains = [f.domain for f in (u, v) if isinstance(f, UtilityFunction)]
    low = max([1.0, *(domain[0] for domain in domains)])
    high = min([max(1000.0, 2 * low), *(domain[1] for domain in domains)])
    if low >= high:
        low = max([high - 1000.0, *(domain[0] for domain in domains)])
    if low >= high:
        raise BadInput("the two functions have no amounts in common")
    amounts: list[Any] = [low + (high - low) * n / (POINTS - 1) for n in range(POINTS)]
    return [int(x) if x == int(x) else x for x in amounts]


def _equal(a: Number, b: Number, size: float) -> bool:
    return a == b if is_exact(a) and is_exact(b) else abs(float(a) - float(b)) <= CLOSE * size


def _difference(a: Number, b: Number) -> Number:
    return tidy(exactly(a) - exactly(b)) if is_exact(a) and is_exact(b) else float(a) - float(b)


def _ratio(a: Number, b: Number) -> Number:
    return tidy(exactly(a) / exactly(b)) if is_exact(a) and is_exact(b) else float(a) / float(b)
