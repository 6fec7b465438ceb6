"""A utility function through points, such as those that an elicitation found."""

from __future__ import annotations

import math
from collections.abc import Iterable
from itertools import pairwise
from typing import Any

from ..errors import BadInput
from ..number import Number, exactly, increasing_root, is_exact, number, number_text
from .functions import UtilityFunction


class Piecewise(UtilityFunction):
    """Through points (amount, utility) that both increase, by cubics that never turn (Fritsch and Carlson 1980).

    With `smooth=False` by straight lines, exactly where the points are exact.
    """

    def __init__(self, points: Iterable[tuple[Any, Any]], smooth: bool = True) -> None:
        pairs = [_point(point) for point in (points if isinstance(points, Iterable) else [points])]
        pairs.sort(key=lambda pair: pair[0])
        if len(pairs) < 2:
            raise BadInput("a curve needs at least two points")
        for (x, u), (y, v) in pairwise(pairs):
            if not (x < y and u < v):
                raise BadInput(
                    f"utilities must rise with the amounts, but {number_text(x)} has {number_text(u)} "
                    f"and {number_text(y)} has {number_text(v)}"
                )
        self.points, self.smooth = tuple(pairs), smooth
        self.spec = "piecewise:" + ",".join(f"{number_text(x)}={number_text(u)}" for x, u in pairs)
        self.domain = (float(pairs[0][0]), float(pairs[-1][0]))
        self.advice = f"its points reach from {number_text(pairs[0][0])} to {number_text(pairs[-1][0])}"
        try:
            self._slopes = _monotone_slopes([(float(x), float(u)) for x, u in pairs])
            bent = [number for place in range(len(pairs) - 1) for number in self._cubic(place)]
        except ArithmeticError:
            bent = [math.inf]
        if not all(map(math.isfinite, bent)):
            raise BadInput("the points of the curve are too close together: count in another unit")

    def at(self, x: float) -> Number:
        place = self._place(x)
        (left, low), (right, high) = self.points[place : place + 2]
        if x in (left, right):
            return low if x == left else high
        if not self.smooth:
            if all(map(is_exact, (x, left, low, right, high))):
                return exactly(low) + exactly(high - low) * exactly(x - left) / exactly(right - left)
            return float(low + (high - low) * (x - left) / (right - left))
        c0, c1, c2, c3 = self._cubic(place)
        t = float(x) - float(left)
        return min(max(((c3 * t + c2) * t + c1) * t + c0, float(low)), float(high))

    def slope(self, x: float) -> float:
        place = self._place(x)
        if not self.smooth:
            (left, low), (right, high) = self.points[place : place + 2]
            return float(high - low) / float(right - left)
        _, c1, c2, c3 = self._cubic(place)
        t = float(x) - float(self.points[place][0])
        return (3 * c3 * t + 2 * c2) * t + c1

    def bend(self, x: float) -> float:
        if not self.smooth:
            return 0.0
        place = self._place(x)
        _, _, c2, c3 = self._cubic(place)
        return 6 * c3 * (float(x) - float(self.points[place][0])) + 2 * c2

    def inverse(self, utility: float) -> float:
        if not self.points[0][1] <= utility <= self.points[-1][1]:
            raise BadInput(f"{self.spec} reaches no utility of {utility:g}")
        return increasing_root(lambda x: float(self.at(x)) - utility, *self.domain)

    def _place(self, x: float) -> int:
        """The number of the piece that holds x."""
        return next((n for n in range(len(self.points) - 2) if x <= self.points[n + 1][0]), len(self.points) - 2)

    def _cubic(self, place: int) -> tuple[float, float, float, float]:
        """Coefficients of the cubic on a piece, in the distance from its left end (Hermite)."""
        (left, low), (right, high) = self.points[place : place + 2]
        width, rise = float(right - left), float(high - low)
        first, last = self._slopes[place : place + 2]
        chord = rise / width
        return float(low), first, (3 * chord - 2 * first - last) / width, (first + last - 2 * chord) / width**2


def _point(point: Any) -> tuple[Number, Number]:
    if not isinstance(point, (tuple, list)) or len(point) != 2:
        raise BadInput(f"a curve goes through pairs (amount, utility), and {point!r} is none")
    return number(point[0], "an amount"), number(point[1], "a utility")


def _monotone_slopes(points: list[tuple[float, float]]) -> list[float]:
    """A slope at each point so that the cubics between do not turn: harmonic means, at most three chords."""
    chords = [(v - u) / (y - x) for (x, u), (y, v) in pairwise(points)]
    return [chords[0], *(2 / (1 / a + 1 / b) for a, b in pairwise(chords)), chords[-1]]
