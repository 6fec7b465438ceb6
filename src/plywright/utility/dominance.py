"""Stochastic dominance: which of two lotteries everybody, or everybody who is averse to risk, prefers.

A dominates B to the first order when for every amount x the chance of at most x is no larger under A
(every increasing utility agrees); to the second order when that holds for the chances summed up to
every x (every increasing utility that is also concave agrees). First order implies second.
"""

from __future__ import annotations

from fractions import Fraction

from ..errors import BadInput
from ..number import exactly
from .lottery import Lottery, a_lottery


def dominates(a: Lottery, b: Lottery, order: int = 1) -> bool:
    """Whether `a` dominates `b` strictly: never worse in the sense of the order, and somewhere better."""
    if order not in (1, 2):
        raise BadInput(f"dominance has order 1 or 2, not {order!r}")
    a, b = a_lottery(a), a_lottery(b)
    gaps = _gaps(a, b) if order == 1 else _area_gaps(a, b)
    slack = 0 if a.exact and b.exact else Fraction(1, 10**12) * _span(a, b) ** (order - 1)
    return all(gap >= -slack for gap in gaps) and any(gap > slack for gap in gaps)


def dominance(a: Lottery, b: Lottery) -> tuple[Lottery, int] | None:
    """The lottery that dominates the other and the lowest order in which it does; None if neither does."""
    for order in (1, 2):
        for one, other in ((a, b), (b, a)):
            if dominates(one, other, order):
                return one, order
    return None


def _steps(lottery: Lottery) -> dict[Fraction, Fraction]:
    return {exactly(prize): Fraction(chance) for prize, chance in lottery.exactly().ladder()}


def _amounts(a: Lottery, b: Lottery) -> list[Fraction]:
    return sorted({*_steps(a), *_steps(b)})


def _span(a: Lottery, b: Lottery) -> Fraction:
    amounts = _amounts(a, b)
    return amounts[-1] - amounts[0]


def _gaps(a: Lottery, b: Lottery) -> list[Fraction]:
    """At each amount x: the chance of at most x under b, less that under a."""
    of_a, of_b = _steps(a), _steps(b)
    gap, gaps = Fraction(0), []
    for x in _amounts(a, b):
        gap += of_b.get(x, Fraction(0)) - of_a.get(x, Fraction(0))
        gaps.append(gap)
    return gaps


def _area_gaps(a: Lottery, b: Lottery) -> list[Fraction]:
    """The same gaps summed from the smallest amount up to each x."""
    amounts, gaps = _amounts(a, b), _gaps(a, b)
    area, areas = Fraction(0), [Fraction(0)]
    for left, right, gap in zip(amounts, amounts[1:], gaps, strict=False):
        area += gap * (right - left)
        areas.append(area)
    return areas
