"""Scales on which risks and lives are counted: 0 to 1, micromorts, quality-adjusted life years.

A micromort is a chance of one in a million of dying. The table is the usual one of the textbooks; it
describes averages over many people, not anybody in particular.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from fractions import Fraction
from typing import Any, NamedTuple

from ..errors import BadInput
from ..number import Number, exactly, is_exact, number, tidy
from .functions import Scaled, UtilityFunction


class Activity(NamedTuple):
    """What so much of an activity costs: `micromorts` for every `amount` of its units."""

    name: str
    unit: str
    units: str
    micromorts: int
    amount: int = 1


ACTIVITIES: dict[str, Activity] = {
    activity.name: activity
    for activity in (
        Activity("scuba", "dive", "dives", 5),
        Activity("skydiving", "jump", "jumps", 7),
        Activity("base-jumping", "jump", "jumps", 430),
        Activity("everest", "ascent", "ascents", 38_000),
        Activity("train", "mile", "miles", 1, 6000),
        Activity("jet", "mile", "miles", 1, 1000),
        Activity("car", "mile", "miles", 1, 230),
        Activity("foot", "mile", "miles", 1, 17),
        Activity("bicycle", "mile", "miles", 1, 10),
        Activity("motorbike", "mile", "miles", 1, 6),
    )
}


def activity(name: str) -> Activity:
    """The activity of this name; raises BadInput with the nearest ones where there is none."""
    if name in ACTIVITIES:
        return ACTIVITIES[name]
    close = difflib.get_close_matches(str(name), ACTIVITIES, n=2)
    hint = f"did you mean {' or '.join(close)}?" if close else f"there are {', '.join(ACTIVITIES)}"
    raise BadInput(f"there are no micromorts for {name!r}; {hint}")


def micromorts(name: str, amount: Any = 1) -> Number:
    """The micromorts of so many dives, jumps, ascents or miles."""
    found = activity(name)
    count = number(amount, f"the number of {found.units}")
    if count < 0:
        raise BadInput(f"the number of {found.units} cannot be negative, and {amount} is")
    risk = Fraction(found.micromorts, found.amount)
    return tidy(risk * exactly(count)) if is_exact(count) else float(risk) * float(count)


def equal_risk(name: str, amount: Any, other: str) -> Number:
    """How much of another activity costs the same: one dive is as risky as 1,150 miles by car."""
    found = activity(other)
    risk = micromorts(name, amount)
    share = Fraction(found.amount, found.micromorts)
    return tidy(exactly(risk) * share) if is_exact(risk) else float(risk) * float(share)


def normalised(utility: UtilityFunction, worst: Any, best: Any) -> Scaled:
    """The same person on a scale where the worst prize has 0 and the best 1."""
    low, high = utility(worst), utility(best)
    if not low < high or low == float("-inf"):
        raise BadInput(f"{utility} cannot be put on a scale from {worst} to {best}: it must rise between them")
    if is_exact(low) and is_exact(high):
        scale: Any = 1 / (exactly(high) - exactly(low))
        return Scaled(utility, tidy(scale), tidy(-exactly(low) * scale))
    scale = 1 / (float(high) - float(low))
    return Scaled(utility, scale, -float(low) * scale)


def qalys(periods: Iterable[tuple[Any, Any]]) -> Number:
    """Quality-adjusted life years: years, each stretch of them weighed by its quality from 0 (dead) to 1 (well)."""
    total: Number = 0
    for years, quality in periods:
        length, weight = number(years, "a number of years"), number(quality, "a quality")
        if length < 0 or not 0 <= weight <= 1:
            raise BadInput(f"years cannot be negative and a quality is from 0 to 1: ({years}, {quality}) is wrong")
        total += length * weight
    return tidy(total) if isinstance(total, Fraction) else total
