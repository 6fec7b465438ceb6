"""What a risk is worth: certainty equivalents, premiums, and the bargain between a person and an insurer."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ..errors import BadInput
from ..number import Number, increasing_root, number, number_text
from .functions import Linear, UtilityFunction
from .lottery import Lottery, a_lottery, valued

Utility = Callable[[Any], Number]
"""A utility function of this package, or any increasing function of an amount."""

AVERSE, NEUTRAL, PRONE = "risk-averse", "risk-neutral", "risk-prone"
CLOSE = 1e-9
"""Difference, relative to the spread of a lottery, below which two amounts count as equal."""
DUST = 64 * 2.0**-52
"""Difference, relative to the amounts themselves, that rounding may make."""


def certainty_equivalent(lottery: Lottery, utility: Utility) -> float:
    """The sure amount that the person likes as much as the lottery; between its worst and best prize."""
    a_lottery(lottery)
    if isinstance(utility, UtilityFunction):
        try:
            found = utility.certainty_equivalent(lottery)
        except (ArithmeticError, ValueError):
            found = math.nan
        if math.isnan(found):
            raise BadInput(f"{utility} is too extreme for these amounts: count in another unit")
        return found
    worst, best = float(lottery.worst), float(lottery.best)
    expected = lottery.expected_utility(utility)
    if not valued(utility, worst) <= expected <= valued(utility, best):
        raise BadInput("the utility function does not rise from the worst prize to the best")
    return increasing_root(lambda x: float(valued(utility, x) - expected), worst, best)


def risk_premium(lottery: Lottery, utility: Utility) -> float:
    """What the person gives up to be rid of the risk: expected value less certainty equivalent.

    This is the insurance premium of the books; below 0 for one who likes the risk.
    """
    return float(a_lottery(lottery).expected_value()) - certainty_equivalent(lottery, utility)


def attitude(lottery: Lottery, utility: Utility) -> str:
    """risk-averse, risk-neutral or risk-prone, as the person shows it in this lottery."""
    premium = risk_premium(lottery, utility)
    if abs(premium) <= indistinct(lottery):
        return NEUTRAL
    return AVERSE if premium > 0 else PRONE


def indistinct(*lotteries: Lottery) -> float:
    """How far apart two amounts between the prizes of the lotteries may be and still count as equal.

    It goes by the spread of the prizes: a risk of 1 on top of a million is a risk of 1.
    """
    low = min(float(lottery.worst) for lottery in lotteries)
    high = max(float(lottery.best) for lottery in lotteries)
    return CLOSE * (high - low) + DUST * max(abs(low), abs(high))


def approximate_premium(lottery: Lottery, utility: UtilityFunction) -> float:
    """Arrow and Pratt's estimate for small risks: half the risk aversion at the mean, times the variance."""
    mean = float(a_lottery(lottery).expected_value())
    if not isinstance(utility, UtilityFunction):
        raise BadInput(
            f"the estimate needs a utility function that knows how it bends, such as CARA(0.01), not {utility!r}"
        )
    return utility.absolute_risk_aversion(mean) * float(lottery.variance()) / 2


@dataclass(frozen=True)
class Bargain:
    """A person sheds a risk: pays a price and has `safe`, the best prize, whatever happens.

    The person pays at most `most_paid`, the insurer asks at least `least_asked`; in between both gain.
    """

    lottery: Lottery
    expected_value: float
    certainty_equivalent: float
    safe: float
    most_paid: float
    least_asked: float

    @property
    def room(self) -> float:
        """How far apart the two limits are; where the insurer is neutral to risk this is the premium."""
        return self.most_paid - self.least_asked

    @property
    def possible(self) -> bool:
        return self.room > indistinct(self.lottery)

    def insurer_gain(self, price: float) -> float:
        """What the insurer gains on average by one policy at this price."""
        return price - (self.safe - self.expected_value)

    def insurer_risk(self, policies: int = 1) -> float:
        """The standard deviation of the insurer's gain per policy: it falls with the root of their number."""
        if not isinstance(policies, int) or policies < 1:
            raise BadInput(f"an insurer has a whole number of policies, at least one, not {policies!r}")
        return self.lottery.standard_deviation() / math.sqrt(policies)

    def words(self) -> str:
        """The bargain in a sentence."""
        paid, asked = number_text(round(self.most_paid, 6)), number_text(round(self.least_asked, 6))
        sure = number_text(self.safe)
        if not self.possible:
            return f"no bargain: to have {sure} for certain the person pays at most {paid}, the insurer asks {asked}"
        return f"to have {sure} for certain the person pays up to {paid}; the insurer asks at least {asked}: both gain"


def bargain(lottery: Lottery, utility: Utility, insurer: Utility | None = None, insurer_wealth: Any = 0) -> Bargain:
    """Both sides of insuring a person who holds the lottery; the insurer is linear unless told."""
    mean, sure, safe = (
        float(a_lottery(lottery).expected_value()),
        certainty_equivalent(lottery, utility),
        float(lottery.best),
    )
    wealth = float(number(insurer_wealth, "the insurer's wealth"))
    fair = safe - mean
    if insurer is None or isinstance(insurer, Linear):
        return Bargain(lottery, mean, sure, safe, safe - sure, fair)

    def gain(price: float) -> float:
        return float(lottery.expected_utility(lambda prize: insurer(wealth + price - (safe - prize))) - before)

    worst_case = safe - float(lottery.worst)
    try:
        before = valued(insurer, wealth)
        asked = increasing_root(gain, 0.0, worst_case) if worst_case else 0.0
    except BadInput as error:
        raise BadInput(f"the insurer cannot carry this risk: {error}") from None
    return Bargain(lottery, mean, sure, safe, safe - sure, asked)
