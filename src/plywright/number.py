"""Numbers and probabilities as people give them: whole numbers, fractions and texts stay exact, floats stay floats."""

from __future__ import annotations

import math
import numbers
import re
from collections.abc import Callable, Iterable
from decimal import Decimal
from fractions import Fraction
from typing import Any, TypeGuard

from .errors import BadInput

Number = int | float | Fraction
"""An exact number (int, Fraction) or a float."""

LARGEST = 10**300
ROUNDING = 1e-9
"""How far the sum of probabilities that are floats may be from 1."""

GIVEN_ROUNDING = 1e-6
"""The same for probabilities that people or files give, written with a few digits."""

HALVINGS = 200
"""A bisection ends after so many steps, or where floats have nothing between."""

_SIZES = {"": 1, "k": 1_000, "m": 1_000_000}
_WRITTEN = re.compile(
    r"([+-]?)\s*\$?\s*(\d+/\d+|\d+\.?\d*(?:e[+-]?\d+)?|\.\d+(?:e[+-]?\d+)?)\s*([km%]?)", re.IGNORECASE
)


def is_whole(value: object) -> TypeGuard[int]:
    """Whether this is an int; True and False are none."""
    return isinstance(value, int) and not isinstance(value, bool)


def is_real(value: object) -> TypeGuard[float]:
    """Whether this is an int or a float, which may be infinite or NaN; True and False are none."""
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def finite(value: object) -> float | None:
    """A number that stands in somebody's file, as a float; None for what is no number, or none that floats can hold."""
    if not is_real(value):
        return None
    try:
        found = float(value)
    except OverflowError:
        return None
    return found if math.isfinite(found) else None


def sums_to_one(total: float, rounding: float = ROUNDING) -> bool:
    """Whether a sum of probabilities is 1 but for rounding; NaN is not."""
    return abs(total - 1.0) <= rounding


def number(value: Any, what: str) -> Number:
    """A finite number, exact unless it is a float; raises BadInput that calls it `what`."""
    if isinstance(value, str):
        found = written_number(value)
        if found is None:
            raise BadInput(f"{what} must be a number such as 0.25 or 1/4, not {value!r}")
        return _moderate(found, what)
    if isinstance(value, bool) or not isinstance(value, (numbers.Real, Decimal)):
        raise BadInput(f"{what} must be a number, not {value!r}")
    if isinstance(value, numbers.Rational):
        return _moderate(tidy(Fraction(int(value.numerator), int(value.denominator))), what)
    if not (value.is_finite() if isinstance(value, Decimal) else math.isfinite(value)):
        raise BadInput(f"{what} must be a finite number, not {str(value).lower()}")
    return _moderate(tidy(Fraction(value)), what) if isinstance(value, Decimal) else float(value)


def _moderate(value: Number, what: str) -> Number:
    """The number itself, unless it is beyond what floats can hold."""
    if abs(Fraction(value)) > LARGEST:
        raise BadInput(f"{what} is too large: count in a larger unit")
    return value


def written_number(text: str) -> Number | None:
    """The exact number a text means (`0.25`, `1/4`, `25%`, `$4k`); None where it means none."""
    found = _WRITTEN.fullmatch(text.strip())
    if found is None:
        return None
    sign, digits, size = found[1], found[2], found[3].lower()
    if re.search(r"e[+-]?\d{4,}", digits, re.IGNORECASE) or re.search(r"/0+$", digits):
        return None
    value = Fraction(digits) * (Fraction(1, 100) if size == "%" else _SIZES[size])
    return tidy(-value if sign == "-" else value)


def probability(value: Any, what: str) -> Number:
    """A number from 0 to 1; raises BadInput that calls it `what`."""
    chance = number(value, what)
    if chance < 0 or chance > 1:
        raise BadInput(f"{what} is {number_text(chance)}; it must be from 0 to 1")
    return chance


def check_sum(chances: list[Number]) -> None:
    """Raise BadInput unless the probabilities sum to 1: exactly, or to rounding where there are floats."""
    whole = total(chances)
    if whole != 1 and (is_exact(whole) or not sums_to_one(float(whole))):
        listed = " + ".join(map(number_text, chances)) if len(chances) <= 8 else f"{len(chances)} of them"
        raise BadInput(f"the probabilities sum to {number_text(whole)}, not to 1: {listed}")


def total(values: Iterable[Number]) -> Number:
    """An exact sum of exact numbers; of floats one that is rounded once."""
    listed = list(values)
    if all(map(is_exact, listed)):
        return tidy(Fraction(sum(listed)))
    if any(math.isinf(value) for value in listed):
        return float(sum(listed))
    return math.fsum(listed)


def tidy(value: Fraction) -> int | Fraction:
    """A fraction that is a whole number as an int."""
    return value.numerator if value.denominator == 1 else value


def is_exact(value: Number) -> bool:
    return not isinstance(value, float)


def exactly(value: Number) -> Fraction:
    """The fraction a number stands for; a float stands for the decimal that it prints as."""
    return Fraction(repr(float(value))) if isinstance(value, float) else Fraction(value)


def number_text(value: Number) -> str:
    """A number in as few characters as it needs: a decimal where that is exact, otherwise a fraction."""
    if isinstance(value, float):
        return f"{value:.10g}"
    value = Fraction(value)
    rest = value.denominator
    for prime in (2, 5):
        while rest % prime == 0:
            rest //= prime
    if rest != 1 or value.denominator > 10**9:
        return str(value)
    return f"{Decimal(value.numerator) / Decimal(value.denominator):f}"


def increasing_root(function: Callable[[float], float], low: float, high: float) -> float:
    """Where an increasing function passes 0, by bisection between two numbers; the nearer end where it does not."""
    for _ in range(HALVINGS):
        middle = low + (high - low) / 2
        if middle in (low, high):
            break
        if function(middle) < 0:
            low = middle
        else:
            high = middle
    return high if abs(function(high)) <= abs(function(low)) else low
