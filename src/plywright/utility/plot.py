"""A utility function as a curve, with what a lottery is worth on it."""

from __future__ import annotations

import math

from ..draw import Picture
from ..draw.curve import Series, curve_picture
from ..errors import BadInput
from ..number import number
from .equivalence import kinks
from .functions import Table, UtilityFunction
from .lottery import Lottery, a_lottery

POINTS = 80
DEPTH = 4
"""A curve without a bottom is drawn down to so many times its rise over the upper nine tenths of the amounts."""


def utility_picture(
    utility: UtilityFunction, lottery: Lottery | None = None, low: float | None = None, high: float | None = None
) -> Picture:
    """The curve from `low` to `high` (by default the lottery's prizes, or the function's own ends).

    With a lottery the expected value, the certainty equivalent and the premium between them are marked.
    """
    if not isinstance(utility, UtilityFunction) or isinstance(utility, Table):
        raise BadInput(f"only a utility function of amounts can be drawn, such as CARA(0.01), not {utility!r}")
    if lottery is not None:
        a_lottery(lottery)
    low = float(lottery.worst) if low is None and lottery is not None else low
    high = float(lottery.best) if high is None and lottery is not None else high
    low = utility.domain[0] if low is None else float(number(low, "the lower end"))
    high = utility.domain[1] if high is None else float(number(high, "the upper end"))
    if low == high and lottery is not None:
        low, high = low - max(1.0, abs(low) / 10), high + max(1.0, abs(high) / 10)
    low, high = max(low, utility.domain[0]), min(high, utility.domain[1])
    if not (low < high and abs(low) != float("inf") and abs(high) != float("inf")):
        raise BadInput("a curve needs a range of amounts: say from where to where it goes")
    amounts = _amounts(utility, low, high)
    series = [Series(f"utility {utility}", [(x, float(utility(x))) for x in amounts], False)]
    if lottery is not None:
        series += _marks(utility, lottery, series[0].points[0][1])
    try:
        return curve_picture(series, title=f"{lottery or utility}", x_label="amount", y_label="utility")
    except (ArithmeticError, ValueError):
        raise BadInput(f"{utility} cannot be drawn over these amounts: count in another unit") from None


def _amounts(utility: UtilityFunction, low: float, high: float) -> list[float]:
    """Where the curve is drawn: evenly, and at its kinks; where it falls without end, closer together the deeper."""
    if utility(low) > -math.inf:
        even = [low + (high - low) * n / (POINTS - 1) for n in range(POINTS - 1)]
        return sorted({*even, high, *(kink for kink in kinks(utility) if low < kink < high)})
    top, near = float(utility(high)), float(utility(low + (high - low) / 10))
    start = utility.inverse(top - DEPTH * (top - near))  # further down there is only a wall
    return [start + (high - start) * (n / (POINTS - 1)) ** 2 for n in range(POINTS - 1)] + [high]


def _marks(utility: UtilityFunction, lottery: Lottery, floor: float) -> list[Series]:
    """Lines down to the axis at both amounts, and the premium between them."""
    mean, sure = float(lottery.expected_value()), utility.certainty_equivalent(lottery)
    expected = float(lottery.expected_utility(utility))
    level = max(expected, floor)
    texts = [f"{value + 0.0:,.6g}" for value in (sure, mean, mean - sure)]
    bottomless = " (utility -∞)" if expected == -math.inf else ""
    return [
        Series(f"certainty equivalent {texts[0]}{bottomless}", [(sure, floor), (sure, level)]),
        Series(f"expected value {texts[1]}", [(mean, floor), (mean, float(utility(mean)))]),
        Series(f"premium {texts[2]}", [(sure, level), (mean, level)]),
    ]
