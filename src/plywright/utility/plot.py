"""A utility function as a curve, with what a lottery is worth on it."""

from __future__ import annotations

from ..draw import Picture
from ..draw.curve import Series, curve_picture
from ..errors import BadInput
from ..number import number_text
from .functions import UtilityFunction
from .lottery import Lottery

POINTS = 80


def utility_picture(
    utility: UtilityFunction, lottery: Lottery | None = None, low: float | None = None, high: float | None = None
) -> Picture:
    """The curve from `low` to `high` (by default the lottery's prizes, or the function's own ends).

    With a lottery the expected value, the certainty equivalent and the premium between them are marked.
    """
    low = float(lottery.worst) if low is None and lottery is not None else low
    high = float(lottery.best) if high is None and lottery is not None else high
    low = utility.domain[0] if low is None else float(low)
    high = utility.domain[1] if high is None else float(high)
    if low == high and lottery is not None:
        low, high = low - max(1.0, abs(low) / 10), high + max(1.0, abs(high) / 10)
    low, high = max(low, utility.domain[0]), min(high, utility.domain[1])
    if not (low < high and abs(low) != float("inf") and abs(high) != float("inf")):
        raise BadInput("a curve needs a range of amounts: say from where to where it goes")
    if utility(low) == -float("inf"):
        low += (high - low) / 50  # as near as it can be drawn
    amounts = [low + (high - low) * n / (POINTS - 1) for n in range(POINTS - 1)] + [high]
    series = [Series(f"utility {utility}", [(x, float(utility(x))) for x in amounts], False)]
    if lottery is not None:
        series += _marks(utility, lottery, series[0].points[0][1])
    try:
        return curve_picture(series, title=f"{lottery or utility}", x_label="amount", y_label="utility")
    except (ArithmeticError, ValueError):
        raise BadInput(f"{utility} cannot be drawn over these amounts: count in another unit") from None


def _marks(utility: UtilityFunction, lottery: Lottery, floor: float) -> list[Series]:
    """Lines down to the axis at both amounts, and the premium between them."""
    mean, sure = float(lottery.expected_value()), utility.certainty_equivalent(lottery)
    level = max(float(lottery.expected_utility(utility)), floor)
    texts = [number_text(round(value, 6)) for value in (sure, mean, mean - sure)]
    return [
        Series(f"certainty equivalent {texts[0]}", [(sure, floor), (sure, level)]),
        Series(f"expected value {texts[1]}", [(mean, floor), (mean, float(utility(mean)))]),
        Series(f"premium {texts[2]}", [(sure, level), (mean, level)]),
    ]
