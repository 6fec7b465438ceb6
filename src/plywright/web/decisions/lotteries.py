"""What lotteries are worth under a utility function, alone and beside each other."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from ...draw import Picture
from ...draw.bars import Bar, bar_picture
from ...draw.curve import Series, curve_picture
from ...number import Number, number_text
from ...utility import (
    Lottery,
    Table,
    UtilityFunction,
    attitude,
    bargain,
    certainty_equivalent,
    dominance,
    utility_picture,
)
from ...utility.risk import indistinct
from .figures import figure, has_amounts, prize_text

ROWS = 6
"""Lines of the form in which a lottery is put together."""


class Worth(NamedTuple):
    """The figures of a lottery; None for those that need amounts where the prizes have only names."""

    lottery: Lottery
    expected_value: Number | None
    expected_utility: Number
    sure: float | None
    premium: float | None
    deviation: float | None
    attitude: str | None

    @property
    def sentence(self) -> str:
        """What the certainty equivalent means."""
        if self.sure is None or self.premium is None or self.expected_value is None:
            return "The prizes have only names, so there is no amount that is worth as much."
        sure, mean = figure(float(f"{self.sure:.6g}")), figure(self.expected_value)
        same = f"{sure} for certain is worth as much to this person as the lottery, whose average is {mean}"
        if self.attitude == "risk-averse":
            return f"{same}: to be rid of the risk the person gives up {figure(float(f'{self.premium:.6g}'))}."
        if self.attitude == "risk-prone":
            return f"{same}: the person likes the risk and would have to be paid to give it up."
        return f"{same}: the person is neutral to this risk."


def worth(lottery: Lottery, function: UtilityFunction) -> Worth:
    amounts = has_amounts(lottery)
    mean = lottery.expected_value() if amounts else None
    deviation = lottery.standard_deviation() if amounts else None
    expected = lottery.expected_utility(function)
    if mean is None or isinstance(function, Table):
        return Worth(lottery, mean, expected, None, None, deviation, None)
    sure = certainty_equivalent(lottery, function)
    return Worth(lottery, mean, expected, sure, float(mean) - sure, deviation, attitude(lottery, function))


def curve(lottery: Lottery, function: UtilityFunction) -> Picture | None:
    """The risk curve with certainty equivalent and premium; None where there are no amounts."""
    if isinstance(function, Table) or not has_amounts(lottery):
        return None
    return utility_picture(function, lottery)


def insurance(lottery: Lottery, function: UtilityFunction) -> str:
    """What an insurer and the person could agree on, in a sentence; empty where there is nothing to insure."""
    if isinstance(function, Table) or not has_amounts(lottery) or lottery.is_certain:
        return ""
    return bargain(lottery, function).words()


def chances(lottery: Lottery) -> Picture:
    """The probabilities of the prizes as bars, amounts in their order."""
    pairs = [(prize, chance) for chance, prize in lottery.reduce().outcomes]
    if has_amounts(lottery):
        pairs = list(lottery.ladder())
    bars = [
        Bar(prize_text(prize), float(chance), 1.0, f"with probability {number_text(chance)}") for prize, chance in pairs
    ]
    return bar_picture(
        bars, label=f"the chances of {lottery}", x_label="prize", y_label="probability", width=420, height=240
    )


class Comparison(NamedTuple):
    """Two lotteries side by side: which is better (first, second, same), and whether anybody could disagree."""

    better: str
    dominance: str
    picture: Picture | None


def compare(first: Worth, second: Worth, function: UtilityFunction) -> Comparison:
    lotteries = first.lottery, second.lottery
    if first.lottery.same_chances(second.lottery):
        return Comparison("same", "They are the same lottery.", None)
    amounts = all(map(has_amounts, lotteries))
    return Comparison(_better(first, second, function), _dominance(*lotteries) if amounts else "", _ladders(*lotteries))


def _better(first: Worth, second: Worth, function: UtilityFunction) -> str:
    if isinstance(function, Table):
        utilities = [float(value) for value in function.utilities.values()]
        gap = float(first.expected_utility) - float(second.expected_utility)
        level = 1e-9 * (max(utilities) - min(utilities))
    else:
        assert first.sure is not None and second.sure is not None
        gap, level = first.sure - second.sure, indistinct(first.lottery, second.lottery)
    return "same" if abs(gap) <= level else "first" if gap > 0 else "second"


def _dominance(first: Lottery, second: Lottery) -> str:
    found = dominance(first, second)
    if found is None:
        return "Neither dominates the other: it is a matter of taste."
    which = "first" if found[0] is first else "second"
    if found[1] == 1:
        return f"The {which} dominates to the first order: everybody who likes more prefers it."
    return f"The {which} dominates to the second order: everybody who also dislikes risk prefers it."


def _ladders(first: Lottery, second: Lottery) -> Picture | None:
    """The chance of getting at most each amount under both: a curve that lies lower everywhere dominates."""
    if not (has_amounts(first) and has_amounts(second)):
        return None
    amounts = [float(prize) for lottery in (first, second) for prize in lottery.prizes]
    low, high = min(amounts), max(amounts)
    room = (high - low or 1.0) / 20
    series = [
        Series(name, _stairs(lottery, low - room, high + room), False)
        for name, lottery in (("first", first), ("second", second))
    ]
    return curve_picture(
        series,
        title="the lower the better: the chance of getting no more than this",
        x_label="amount",
        y_label="chance of at most this",
        height=300,
    )


def _stairs(lottery: Lottery, low: float, high: float) -> list[tuple[float, float]]:
    points, reached = [(low, 0.0)], Fraction(0)
    for prize, chance in lottery.exactly().ladder():
        points.append((float(prize), float(reached)))
        reached += Fraction(chance)
        points.append((float(prize), float(reached)))
    return [*points, (high, 1.0)]


def rows(lottery: Lottery) -> list[tuple[str, str]]:
    """The lines of the form for a lottery: probability and prize, with empty ones at the end."""
    plain = lottery.reduce().outcomes[:ROWS]
    filled = [(number_text(chance), prize_text(prize)) for chance, prize in plain]
    return filled + [("", "")] * (ROWS - len(filled))
