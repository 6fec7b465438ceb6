"""Utility functions of money (or years, or points), by name: `utility_function("crra:2")`.

Each is increasing on its `domain`, can be inverted, and knows how it bends. Outside the domain, such as
the logarithm of a debt, it raises BadInput. Only behaviour matters: any positive multiple plus any
constant of a function is the same person.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping
from typing import Any

from ..errors import BadInput
from ..number import Number, number, number_text
from .lottery import Lottery, Prize, a_lottery, amount, prize_name


class UtilityFunction:
    """An increasing function of an amount; subclasses say what it is, its slope and its bend."""

    spec = ""
    """How `utility_function` writes it."""
    domain: tuple[float, float] = (-math.inf, math.inf)
    advice = ""
    """What to do about an amount outside the domain."""

    def at(self, x: float) -> Number:
        """The utility of an amount inside the domain."""
        raise NotImplementedError

    def slope(self, x: float) -> float:
        """The first derivative."""
        raise NotImplementedError

    def bend(self, x: float) -> float:
        """The second derivative: negative where the function is averse to risk."""
        raise NotImplementedError

    def inverse(self, utility: float) -> float:
        """The amount that has this utility."""
        raise NotImplementedError

    def __call__(self, prize: Prize) -> Number:
        x = amount(prize)
        if not math.isfinite(x):
            raise BadInput(f"an amount must be a finite number, not {float(x)}")
        low, high = self.domain
        if not low <= x <= high:
            raise BadInput(f"{self.spec} has no utility for {number_text(x)}: {self.advice}")
        try:
            found = self.at(x)  # type: ignore[arg-type]
        except OverflowError:
            found = math.inf
        if found != found or found == math.inf:
            raise BadInput(f"{self.spec} of {number_text(x)} is too large to compute: count in a larger unit")
        return found

    def certainty_equivalent(self, lottery: Lottery) -> float:
        """The sure amount that is worth as much as the lottery."""
        expected = float(a_lottery(lottery).expected_utility(self))
        found = self.domain[0] if expected == -math.inf else self.inverse(expected)
        return min(max(found, float(lottery.worst)), float(lottery.best))

    def absolute_risk_aversion(self, x: float) -> float:
        """Arrow and Pratt's -u''/u': above 0 where averse to risk, below where prone to it."""
        self(x)  # refuses what is no amount, or lies outside the domain
        try:
            found = -self.bend(x) / self.slope(x) + 0.0
        except ArithmeticError:  # flat, or steeper than floats can tell
            found = math.nan
        if math.isnan(found):
            raise BadInput(f"the risk aversion of {self.spec} is not defined at {number_text(x)}")
        return found

    def relative_risk_aversion(self, x: float) -> float:
        """The same in proportion to the amount: -x u''/u'."""
        return x * self.absolute_risk_aversion(x) + 0.0

    def __str__(self) -> str:
        return self.spec

    def __repr__(self) -> str:
        return f"<utility {self.spec}>"


class Linear(UtilityFunction):
    """Money is its own utility: neutral to risk, and exact where the lottery is."""

    spec = "linear"

    def at(self, x: float) -> Number:
        return x

    def slope(self, x: float) -> float:
        return 1.0

    def bend(self, x: float) -> float:
        return 0.0

    def inverse(self, utility: float) -> float:
        return utility


class CRRA(UtilityFunction):
    """Constant relative risk aversion `gamma` in what one owns, `wealth` plus the prize.

    For an owned w it is (w^(1 - gamma) - 1) / (1 - gamma), and the logarithm for gamma 1. With
    a gamma of at least 1 owning nothing at all has utility minus infinity.
    """

    def __init__(self, gamma: float, wealth: float = 0) -> None:
        self.gamma, self.wealth = float(number(gamma, "gamma")), float(number(wealth, "wealth"))
        if self.gamma < 0:
            raise BadInput(f"crra needs a gamma of at least 0, not {number_text(self.gamma)}")
        owned = f",wealth={number_text(self.wealth)}" if self.wealth else ""
        self.spec = f"crra:{number_text(self.gamma)}{owned}"
        self.domain = (-self.wealth, math.inf)
        self.advice = "it would leave a debt; say what is owned besides with wealth=..., or use cara or s-shaped"

    def at(self, x: float) -> Number:
        owned = float(x) + self.wealth
        power = 1 - self.gamma
        if owned <= 0:
            return -1 / power if power > 0 else -math.inf
        return math.log(owned) if power == 0 else math.expm1(power * math.log(owned)) / power

    def slope(self, x: float) -> float:
        owned = float(x) + self.wealth
        return math.inf if owned <= 0 and self.gamma else float(owned**-self.gamma)

    def bend(self, x: float) -> float:
        return float(-self.gamma * (float(x) + self.wealth) ** (-self.gamma - 1))

    def inverse(self, utility: float) -> float:
        power = 1 - self.gamma
        if power == 0:
            return math.exp(utility) - self.wealth
        if utility * power <= -1:
            if utility * power == -1 and power > 0:
                return -self.wealth
            raise BadInput(f"{self.spec} reaches no utility of {utility:g}")
        return math.exp(math.log1p(utility * power) / power) - self.wealth

    def certainty_equivalent(self, lottery: Lottery) -> float:
        """By a mean of powers relative to the largest (or smallest) amount, which cannot overflow."""
        owned = [(float(x) + self.wealth, float(p)) for x, p in a_lottery(lottery).ladder()]
        self(lottery.worst)
        if owned[0][0] <= 0 and self.gamma >= 1:
            return float(lottery.worst)
        power = 1 - self.gamma
        unit = owned[0][0] if power < 0 else owned[-1][0]
        if unit == 0:
            return float(lottery.worst)
        if abs(power) < 1e-8 and owned[0][0] > 0:
            mean = math.exp(math.fsum(p * math.log(w / unit) for w, p in owned))
        else:
            mean = math.fsum(p * (w / unit) ** power for w, p in owned) ** (1 / power)
        return min(max(mean * unit - self.wealth, float(lottery.worst)), float(lottery.best))

    def absolute_risk_aversion(self, x: float) -> float:
        self(x)
        if not float(x) + self.wealth > 0:
            raise BadInput(f"{self.spec} has no risk aversion at {number_text(x)}: it needs something owned")
        return self.gamma / (float(x) + self.wealth)


class Log(CRRA):
    """Bernoulli's logarithm of what one owns."""

    def __init__(self, wealth: float = 0) -> None:
        super().__init__(1, wealth)
        self.spec = "log" + (f":wealth={number_text(self.wealth)}" if self.wealth else "")


class CARA(UtilityFunction):
    """Constant absolute risk aversion `a`: (1 - exp(-a x)) / a. What one owns makes no difference."""

    def __init__(self, aversion: float) -> None:
        self.aversion = float(number(aversion, "the aversion of cara"))
        if self.aversion == 0:
            raise BadInput("cara needs an aversion other than 0; with 0 it is linear")
        self.spec = f"cara:{number_text(self.aversion)}"

    def at(self, x: float) -> Number:
        return -math.expm1(-self.aversion * float(x)) / self.aversion

    def slope(self, x: float) -> float:
        return math.exp(-self.aversion * float(x))

    def bend(self, x: float) -> float:
        return -self.aversion * math.exp(-self.aversion * float(x))

    def inverse(self, utility: float) -> float:
        if self.aversion * utility >= 1:
            raise BadInput(f"{self.spec} reaches no utility of {utility:g}")
        return -math.log1p(-self.aversion * utility) / self.aversion

    def certainty_equivalent(self, lottery: Lottery) -> float:
        """By a sum of exponentials relative to the largest, which neither overflows nor vanishes."""
        pairs = [(-self.aversion * float(x), float(p)) for x, p in a_lottery(lottery).ladder()]
        top = max(power for power, _ in pairs)
        total = top + math.log(math.fsum(p * math.exp(power - top) for power, p in pairs))
        return min(max(-total / self.aversion, float(lottery.worst)), float(lottery.best))

    def absolute_risk_aversion(self, x: float) -> float:
        self(x)
        return self.aversion


class Quadratic(UtilityFunction):
    """x - b x^2 / 2, increasing up to 1 / b, where there is nothing left to want."""

    def __init__(self, b: float) -> None:
        self.b = float(number(b, "the b of quadratic"))
        if self.b <= 0:
            raise BadInput(f"quadratic needs a b above 0, not {number_text(self.b)}")
        self.spec = f"quadratic:{number_text(self.b)}"
        self.domain = (-math.inf, 1 / self.b)
        self.advice = f"it increases only up to {1 / self.b:g}; choose a smaller b"

    def at(self, x: float) -> Number:
        return float(x) - self.b * float(x) ** 2 / 2

    def slope(self, x: float) -> float:
        return 1 - self.b * float(x)

    def bend(self, x: float) -> float:
        return -self.b

    def inverse(self, utility: float) -> float:
        rest = 1 - 2 * self.b * utility
        if rest < -1e-9:
            raise BadInput(f"{self.spec} reaches no utility of {utility:g}")
        return 2 * utility / (1 + math.sqrt(max(rest, 0.0)))  # the root written so that nothing cancels


class SShaped(UtilityFunction):
    """Averse to risk above a reference and prone to it below, as people deep in debt are.

    Gains count to a power below 1, losses likewise times `loss` (Kahneman and Tversky 1979).
    """

    def __init__(self, reference: float = 0, power: float = 0.88, loss: float = 2.25) -> None:
        self.reference = float(number(reference, "the reference"))
        self.power, self.loss = float(number(power, "the power")), float(number(loss, "the loss"))
        if not 0 < self.power <= 1:
            raise BadInput(f"s-shaped needs a power above 0 and up to 1, not {number_text(self.power)}")
        if self.loss <= 0:
            raise BadInput(f"s-shaped needs a loss above 0, not {number_text(self.loss)}")
        given = (("reference", self.reference), ("power", self.power), ("loss", self.loss))
        self.spec = "s-shaped:" + ",".join(f"{name}={number_text(value)}" for name, value in given)

    def at(self, x: float) -> Number:
        gain = float(x) - self.reference
        return float(gain**self.power if gain >= 0 else -self.loss * (-gain) ** self.power)

    def slope(self, x: float) -> float:
        gain = float(x) - self.reference
        if gain == 0:
            return math.inf if self.power < 1 else 1.0
        return float((1 if gain > 0 else self.loss) * self.power * abs(gain) ** (self.power - 1))

    def bend(self, x: float) -> float:
        gain = float(x) - self.reference
        if gain == 0:
            return math.nan
        size = float(self.power * (self.power - 1) * abs(gain) ** (self.power - 2))
        return size if gain > 0 else -self.loss * size

    def inverse(self, utility: float) -> float:
        if utility >= 0:
            return float(self.reference + utility ** (1 / self.power))
        return float(self.reference - (-utility / self.loss) ** (1 / self.power))

    def absolute_risk_aversion(self, x: float) -> float:
        self(x)
        if float(x) == self.reference and self.power < 1:
            raise BadInput(f"{self.spec} has a kink at {number_text(x)}: its risk aversion is not defined there")
        return super().absolute_risk_aversion(x)


class Scaled(UtilityFunction):
    """`scale` times another function plus `shift`: the same person on another scale."""

    def __init__(self, inner: UtilityFunction, scale: Number, shift: Number = 0) -> None:
        if not isinstance(inner, UtilityFunction):
            raise BadInput(f"only a utility function of this package can be put on another scale, not {inner!r}")
        self.inner, self.scale, self.shift = inner, number(scale, "the scale"), number(shift, "the shift")
        if self.scale <= 0:
            raise BadInput(f"a scale must be above 0 to leave behaviour as it is, not {number_text(self.scale)}")
        self.spec = f"{number_text(self.scale)} * {inner.spec} + {number_text(self.shift)}"
        self.domain, self.advice = inner.domain, inner.advice

    def at(self, x: float) -> Number:
        return self.scale * self.inner.at(x) + self.shift

    def slope(self, x: float) -> float:
        return float(self.scale) * self.inner.slope(x)

    def bend(self, x: float) -> float:
        return float(self.scale) * self.inner.bend(x)

    def inverse(self, utility: float) -> float:
        return self.inner.inverse(float((utility - self.shift) / self.scale))

    def certainty_equivalent(self, lottery: Lottery) -> float:
        return self.inner.certainty_equivalent(lottery)

    def absolute_risk_aversion(self, x: float) -> float:
        return self.inner.absolute_risk_aversion(x)


class Table(UtilityFunction):
    """Utilities written down prize by prize, for things that have only names."""

    def __init__(self, utilities: Mapping[Prize, Any]) -> None:
        if not isinstance(utilities, Mapping):
            raise BadInput(f"a table of utilities is a mapping such as {{'ticket': 1}}, not {utilities!r}")
        self.utilities = {prize: number(value, f"the utility of {prize}") for prize, value in utilities.items()}
        if not self.utilities:
            raise BadInput("a table of utilities needs at least one prize")
        self.spec = "table:" + ",".join(
            f"{prize_name(prize)}={number_text(value)}" for prize, value in self.utilities.items()
        )

    def __call__(self, prize: Prize) -> Number:
        if not isinstance(prize, Hashable) or prize not in self.utilities:
            known = ", ".join(map(prize_name, self.utilities))
            raise BadInput(f"the prize {prize_name(prize)} is unknown: there are utilities for {known}")
        return self.utilities[prize]

    def inverse(self, utility: float) -> float:
        raise BadInput("a table of utilities has no certainty equivalents: its prizes are not amounts")

    def certainty_equivalent(self, lottery: Lottery) -> float:
        return self.inverse(0.0)

    def absolute_risk_aversion(self, x: float) -> float:
        raise BadInput("a table of utilities has no risk aversion: its prizes are not amounts")
