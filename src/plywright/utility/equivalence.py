"""Whether two utility functions are the same person: behaviour is unchanged by u' = scale * u + shift.

With certain prizes only, any increasing map is the same behaviour; with lotteries only a positive
affine one is. So the answer is either the two constants or a choice in which the two differ.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from math import inf
from numbers import Real

from ..errors import BadInput
from ..number import Number, exactly, is_exact, number_text, tidy
from .functions import Scaled, SShaped, Table, UtilityFunction
from .lottery import Lottery, Prize, valued
from .piecewise import Piecewise
from .risk import Utility

POINTS = 33
"""Amounts that are compared where a range is given."""
CLOSE = 1e-9
NEAR = (-1000, -100, -10, -1, 0, 1, 10, 100, 1000)
"""How far from a kink the functions are compared."""


@dataclass(frozen=True)
class Behaviour:
    """The answer of `same_behaviour`; true when the two behave alike on every lottery over the prizes."""

    same: bool
    scale: Number | None = None  # v = scale * u + shift
    shift: Number | None = None
    prize: Prize = None  # where they differ: one likes this better than the lottery, the other does not
    lottery: Lottery | None = None
    prizes: tuple[Prize, ...] = ()  # what they were compared on

    def __bool__(self) -> bool:
        return self.same

    def __str__(self) -> str:
        if self.same:
            scale, shift = number_text(self.scale or 0), number_text(self.shift or 0)
            return f"the same behaviour: v = {scale} * u + {shift} (compared on {_extent(self.prizes)})"
        return f"they differ on {self.prize} against {self.lottery}"


def same_behaviour(u: Utility, v: Utility, prizes: Iterable[Prize] | None = None) -> Behaviour:
    """Whether u and v choose alike among all lotteries over the prizes.

    Without prizes they are compared on amounts spread over what both functions accept, gains and losses
    up to 1000 and the neighbourhood of every kink; tables are compared on what both list. The answer's
    `prizes` are those amounts: what lies between them was not looked at.
    """
    if prizes is not None and (isinstance(prizes, str) or not isinstance(prizes, Iterable)):
        raise BadInput(f"the prizes to compare on are a list such as [0, 10, 100], not {prizes!r}")
    rounds = _rounds(u, v) if prizes is None else [list(dict.fromkeys(prizes))]
    rounds = [listed for listed in (_comparable(u, v, listed, prizes is not None) for listed in rounds) if listed]
    if not rounds:
        raise BadInput("there is no prize on which the two functions could be compared")
    found = [_compared(u, v, listed) for listed in rounds]
    seen = tuple(dict.fromkeys(x for listed in rounds for x in listed))
    telling = [answer for answer, listed in zip(found, rounds, strict=True) if len({valued(u, x) for x in listed}) > 1]
    answer = next((answer for answer in found if not answer.same), (telling or found)[0])
    return replace(answer, prizes=seen)


def _comparable(u: Utility, v: Utility, listed: list[Prize], asked: bool) -> list[Prize]:
    """The prizes to which both give a finite utility; those that the user `asked` for must all be such."""
    fit = []
    for x in listed:
        try:
            bottomless = -inf in (valued(u, x), valued(v, x))
        except BadInput:
            if asked or isinstance(x, str):
                raise
            continue
        if bottomless and asked:
            raise BadInput(f"a utility of minus infinity, at {x}, cannot be compared: leave that prize out")
        if not bottomless:
            fit.append(x)
    return fit


def _compared(u: Utility, v: Utility, listed: list[Prize]) -> Behaviour:
    of_u, of_v = {x: valued(u, x) for x in listed}, {x: valued(v, x) for x in listed}
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


def _rounds(u: Utility, v: Utility) -> list[list[Prize]]:
    """The prizes of each comparison: gains, what lies round each kink, and all of these with losses.

    The rounds are apart because a steep stretch of a function hides what it does elsewhere.
    """
    tables = [f for f in (u, v) if isinstance(f, Table)]
    if tables:
        return [[prize for prize in tables[0].utilities if all(prize in table.utilities for table in tables)]]
    functions = [f for f in (u, v) if isinstance(f, UtilityFunction)]
    low, high = max([-inf, *(f.domain[0] for f in functions)]), min([inf, *(f.domain[1] for f in functions)])
    gains = _amounts(u, v)
    near = [[kink + step for step in NEAR] for f in functions for kink in kinks(f)]
    bottom = max(low, -1000.0)
    losses = [bottom * (POINTS - 1 - n) / (POINTS - 1) for n in range(POINTS)] if bottom < 0 else []
    rounds = [gains, *near, sorted({*losses, *gains, *(x for listed in near for x in listed)})]
    return [[int(x) if x == int(x) else x for x in listed if low <= x <= high] for listed in rounds]


def kinks(function: UtilityFunction) -> list[float]:
    """The amounts at which a function changes its manner."""
    if isinstance(function, Scaled):
        return kinks(function.inner)
    if isinstance(function, Piecewise):
        return [float(x) for x, _ in function.points]
    return [function.reference] if isinstance(function, SShaped) else []


def _extent(prizes: tuple[Prize, ...]) -> str:
    """What was compared, in words."""
    if any(isinstance(x, str) or not isinstance(x, Real) for x in prizes):
        return ", ".join(map(str, prizes))
    return f"{len(prizes)} amounts from {number_text(min(prizes))} to {number_text(max(prizes))}"


def _amounts(u: Utility, v: Utility) -> list[float]:
    domains = [f.domain for f in (u, v) if isinstance(f, UtilityFunction)]
    low = max([1.0, *(domain[0] for domain in domains)])
    high = min([max(1000.0, 2 * low), *(domain[1] for domain in domains)])
    if low >= high:
        low = max([high - 1000.0, *(domain[0] for domain in domains)])
    if low >= high:
        raise BadInput("the two functions have no amounts in common")
    return [low + (high - low) * n / (POINTS - 1) for n in range(POINTS)]


def _equal(a: Number, b: Number, size: float) -> bool:
    return a == b if is_exact(a) and is_exact(b) else abs(float(a) - float(b)) <= CLOSE * size


def _difference(a: Number, b: Number) -> Number:
    return tidy(exactly(a) - exactly(b)) if is_exact(a) and is_exact(b) else float(a) - float(b)


def _ratio(a: Number, b: Number) -> Number:
    return tidy(exactly(a) / exactly(b)) if is_exact(a) and is_exact(b) else float(a) / float(b)
