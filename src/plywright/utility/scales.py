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
    phrase: str  # how people say so many units of it
    micromorts: int
    amount: int = 1

    def words(self, count: str, single: bool) -> str:
        """So many units as people say it, such as `230 miles by car`."""
        return f"{count} {self.phrase.format(self.unit if single else self.units)}"


ACTIVITIES: dict[str, Activity] = {
    activity.name: activity
    for activity in (
        Activity("scuba", "dive", "dives", "scuba {}", 5),
        Activity("skydiving", "jump", "jumps", "skydiving {}", 7),
        Activity("base-jumping", "jump", "jumps", "base-jumping {}", 430),
        Activity("everest", "ascent", "ascents", "{} of Everest", 38_000),
        Activity("train", "mile", "miles", "{} by train", 1, 6000),
        Activity("jet", "mile", "miles", "{} by jet", 1, 1000),
        Activity("car", "mile", "miles", "{} by car", 1, 230),
        Activity("foot", "mile", "miles", "{} on foot", 1, 17),
        Activity("bicycle", "mile", "miles", "{} by bicycle", 1, 10),
        Activity("motorbike", "mile", "miles", "{} by motorbike", 1, 6),
    )
}


def activity(name: str) -> Activity:
    """The activity of this name, in capitals or not; raises BadInput with the nearest ones where there is none."""
    wanted = name.strip().lower() if isinstance(name, str) else ""
    if wanted in ACTIVITIES:
        return ACTIVITIES[wanted]
    close = difflib.get_close_matches(wanted, ACTIVITIES, n=2)
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
    if not isinstance(utility, UtilityFunction):
        raise BadInput(f"only a utility function of this package can be put on another scale, not {utility!r}")
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
    for period in periods if isinstance(periods, Iterable) else [periods]:
        if not isinstance(period, (tuple, list)) or len(period) != 2:
            raise BadInput(f"life years are a list of pairs (years, quality), and {period!r} is none")
        years, quality = period
        length, weight = number(years, "a number of years"), number(quality, "a quality")
        if length < 0 or not 0 <= weight <= 1:
            raise BadInput(f"years cannot be negative and a quality is from 0 to 1: ({years}, {quality}) is wrong")
        total += length * weight
    return tidy(total) if isinstance(total, Fraction) else total
