"""Lotteries: prizes, or further lotteries, with probabilities.

    gamble = Lottery([(0.8, 4000), (0.2, 0)])
    gamble.expected_value()                       # 3200.0
    Lottery.parse("[1/2, 1000; 1/2, [0.5, 10; 0.5, ticket]]").reduce()

A prize is a finite number (money, years, points) or anything hashable with a name. Probabilities that
are whole numbers, fractions or texts are kept exactly and must sum to exactly 1; floats may miss it by
their rounding. What is computed from an exact lottery with exact prizes is exact.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Mapping
from decimal import Decimal
from fractions import Fraction
from numbers import Real
from typing import Any, cast

from ..errors import BadInput
from ..number import (
    ROUNDING,
    Number,
    check_sum,
    exactly,
    is_exact,
    is_whole,
    number,
    number_text,
    probability,
    tidy,
    total,
)
from ..rng import uniform

MAX_LEVELS = 100
"""Lotteries nested more deeply than this are refused."""

Prize = Any
"""A number or a hashable thing with a name; inside a lottery also a lottery."""


class Lottery:
    """A probability for each of some prizes; immutable. `str()` writes it as the books do."""

    __slots__ = ("levels", "outcomes")

    outcomes: tuple[tuple[Number, Prize], ...]
    """The pairs (probability, prize) as they were given."""
    levels: int
    """1 for plain prizes, more where lotteries are nested."""

    def __init__(self, outcomes: Iterable[tuple[Any, Prize]]) -> None:
        pairs = tuple(_pair(item) for item in _listed(outcomes))
        if not pairs:
            raise BadInput("a lottery needs at least one prize: [1, prize] is the certain one")
        check_sum([probability for probability, _ in pairs])
        levels = 1 + max((prize.levels for _, prize in pairs if isinstance(prize, Lottery)), default=0)
        if levels > MAX_LEVELS:
            raise BadInput(f"the lottery is nested more than {MAX_LEVELS} levels deep")
        object.__setattr__(self, "outcomes", pairs)
        object.__setattr__(self, "levels", levels)

    @classmethod
    def parse(cls, text: str, names: Mapping[str, Lottery] | None = None) -> Lottery:
        """The lottery in a text such as `[0.8, 4000; 0.2, 0]`; `names` are lotteries it may mention."""
        from .notation import parse_lottery

        return parse_lottery(text, names)

    @classmethod
    def certain(cls, prize: Prize) -> Lottery:
        """The prize for sure; a lottery is itself."""
        return prize if isinstance(prize, Lottery) else cls([(1, prize)])

    # -- structure ----------------------------------------------------------------------------------------

    def reduce(self) -> Lottery:
        """The same chances without nesting: each prize once, in order of appearance, none of chance 0."""
        found: dict[Prize, Number] = {}
        _collect(self, 1, found)
        return _made((probability, prize) for prize, probability in found.items() if probability > 0)

    @property
    def prizes(self) -> tuple[Prize, ...]:
        """The prizes that can come out."""
        return tuple(prize for _, prize in self.reduce().outcomes)

    def probability(self, prize: Prize) -> Number:
        """How likely a prize is; 0 for one that is not in the lottery."""
        return {other: chance for chance, other in self.reduce().outcomes}.get(prize, 0)

    @property
    def is_certain(self) -> bool:
        return len(self.prizes) == 1

    @property
    def exact(self) -> bool:
        """Whether every probability is exact."""
        return all(is_exact(p) and (not isinstance(x, Lottery) or x.exact) for p, x in self.outcomes)

    def exactly(self) -> Lottery:
        """The reduced lottery in fractions: a float counts as the decimal it prints as, the sum is made 1."""
        reduced = self.reduce()
        chances = [exactly(probability) for probability, _ in reduced.outcomes]
        whole = sum(chances)
        return _made((tidy(p / whole), prize) for p, (_, prize) in zip(chances, reduced.outcomes, strict=True))

    def mix(self, probability: Any, other: Lottery | Prize) -> Lottery:
        """The compound lottery [probability, self; the rest, other]."""
        share = number(probability, "a probability")
        return Lottery([(share, self), (1 - share, Lottery.certain(other))])

    def map(self, change: Callable[[Prize], Prize]) -> Lottery:
        """The lottery with every prize changed, such as a fee taken off."""
        if not callable(change):
            raise BadInput(f"map needs a function that changes a prize, not {change!r}")
        return Lottery([(p, x.map(change) if isinstance(x, Lottery) else change(x)) for p, x in self.outcomes])

    def given(self, evidence: Callable[[Prize], Any] | Mapping[Prize, Any] | Collection[Prize]) -> Lottery:
        """What the chances are once something has been learned (Bayes' rule).

        `evidence` is a test of the prize, a collection of the prizes still possible, or a mapping from
        each prize to the probability of seeing the evidence if that prize is the true one.
        """
        if isinstance(evidence, (str, bytes)) or not (callable(evidence) or isinstance(evidence, Collection)):
            raise BadInput(
                f"evidence is a test, a mapping or a collection of prizes such as {{'heavy'}}, not {evidence!r}"
            )
        weighed = []
        for chance, prize in self.reduce().outcomes:
            if callable(evidence):
                likelihood: Any = evidence(prize)
                likelihood = int(likelihood) if isinstance(likelihood, bool) else likelihood
            elif isinstance(evidence, Mapping):
                if prize not in evidence:
                    raise BadInput(
                        f"the evidence gives no likelihood for {prize_name(prize)}; it needs one for every prize"
                    )
                likelihood = evidence[prize]
            else:
                likelihood = int(prize in evidence)
            weight = number(likelihood, f"the likelihood of the evidence given {prize_name(prize)}")
            if not 0 <= weight <= 1:
                raise BadInput(f"the likelihood of the evidence given {prize_name(prize)} is {weight}, not from 0 to 1")
            weighed.append((chance * weight, prize))
        whole = total(weight for weight, _ in weighed)
        if whole <= 0:
            raise BadInput("the evidence is impossible under this lottery: nothing is left to believe")
        return _made((_ratio(weight, whole), prize) for weight, prize in weighed if weight > 0)

    # -- numbers ------------------------------------------------------------------------------------------

    def expected_utility(self, utility: Callable[[Prize], Number]) -> Number:
        """The sum of probability times utility over all prizes."""
        return total(p * valued(utility, x) for p, x in self.reduce().outcomes)

    def expected_value(self) -> Number:
        """The expected monetary value: prizes must be numbers."""
        return self.expected_utility(amount)

    def variance(self) -> Number:
        """The expected squared distance from the expected value."""
        mean = self.expected_value()
        return self.expected_utility(lambda prize: (amount(prize) - mean) ** 2)

    def standard_deviation(self) -> float:
        return math.sqrt(self.variance())

    def quantile(self, share: Any) -> Number:
        """The smallest prize that, with all below it, has at least this probability; 0.5 gives a median."""
        wanted = number(share, "a quantile")
        if not 0 <= wanted <= 1:
            raise BadInput(f"a quantile is asked for a share from 0 to 1, not {share}")
        slack = 0 if self.exact and is_exact(wanted) else ROUNDING
        below: Number = 0
        steps = self.ladder()
        for prize, chance in steps:
            below += chance
            if below >= wanted - slack:
                return prize
        return steps[-1][0]

    def ladder(self) -> list[tuple[Number, Number]]:
        """The prizes, which must be numbers, from the smallest to the largest, with their probabilities."""
        return sorted((amount(prize), chance) for chance, prize in self.reduce().outcomes)

    @property
    def worst(self) -> Number:
        return self.ladder()[0][0]

    @property
    def best(self) -> Number:
        return self.ladder()[-1][0]

    def sample(self, rng: Any) -> Prize:
        """A prize drawn with `plywright.rng`: equal generators draw equal prizes."""
        return self.reduce()._drawn(rng)

    def samples(self, rng: Any, count: int) -> list[Prize]:
        """So many prizes, drawn one after the other."""
        if not is_whole(count) or count < 0:
            raise BadInput(f"the number of samples is a whole number from 0, not {count!r}")
        reduced = self.reduce()
        return [reduced._drawn(rng) for _ in range(count)]

    def _drawn(self, rng: Any) -> Prize:
        """The prize at a random height of the stacked probabilities, to 53 bits."""
        try:
            height = Fraction(uniform(rng))
        except (TypeError, ValueError, LookupError, OverflowError):
            raise BadInput(
                f"samples are drawn with a generator, such as plywright.rng.seeded(7), not {rng!r}"
            ) from None
        for chance, prize in self.outcomes:
            height -= Fraction(chance)
            if height < 0:
                return prize
        return self.outcomes[-1][1]

    # -- as a value ---------------------------------------------------------------------------------------

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("a lottery cannot be changed: make a new one")

    def __eq__(self, other: object) -> bool:
        """Equal as written; lotteries that are equal once reduced are `same_chances`."""
        return isinstance(other, Lottery) and self.outcomes == other.outcomes

    def __hash__(self) -> int:
        return hash(self.outcomes)

    def same_chances(self, other: Lottery) -> bool:
        """Whether both give every prize with the same probability, however they are written."""
        return self.key() == a_lottery(other).key()

    def key(self) -> frozenset[tuple[Prize, Fraction]]:
        """Equal for lotteries with the same chances."""
        return frozenset((prize, Fraction(chance)) for chance, prize in self.exactly().outcomes)

    def __str__(self) -> str:
        return f"[{'; '.join(f'{number_text(p)}, {prize_name(x)}' for p, x in self.outcomes)}]"

    def __repr__(self) -> str:
        return f"Lottery({list(self.outcomes)!r})"


def a_lottery(thing: Any) -> Lottery:
    """The thing itself, where it is a lottery; otherwise BadInput."""
    if not isinstance(thing, Lottery):
        raise BadInput(f"a lottery is needed, such as Lottery.parse('[0.5, 1000; 0.5, 0]'), not {thing!r}")
    return thing


def amount(prize: Prize) -> Number:
    """A prize as a number; raises BadInput for one that has only a name."""
    if isinstance(prize, bool) or not isinstance(prize, Real):
        name = prize_name(prize)
        raise BadInput(f"the prize {name} is not a number: give it a utility of its own, as table:{name}=1 does")
    return cast(Number, prize)


def valued(utility: Callable[[Prize], Any], prize: Prize) -> Number:
    """The utility of a prize; raises BadInput where the function has none."""
    if not callable(utility):
        raise BadInput(f"a utility function is something to call with a prize, not {utility!r}")
    try:
        found = utility(prize)
    except (ArithmeticError, ValueError, LookupError, TypeError) as error:
        reason = f"{type(error).__name__}: {error}"
        raise BadInput(f"the utility function has no value for {prize_name(prize)} ({reason})") from None
    if isinstance(found, bool) or not isinstance(found, Real) or found != found:
        raise BadInput(f"the utility function gives {found!r} for {prize_name(prize)}, not a number")
    return cast(Number, found)


# -- checks -------------------------------------------------------------------------------------------------


def _listed(outcomes: Any) -> list[Any]:
    if isinstance(outcomes, str):
        raise BadInput("a lottery is a list of pairs (probability, prize); Lottery.parse reads one from a text")
    if isinstance(outcomes, Mapping) or not isinstance(outcomes, Iterable):
        raise BadInput(f"a lottery is a list of pairs (probability, prize), not {outcomes!r}")
    return list(outcomes)


def _pair(item: Any) -> tuple[Number, Prize]:
    if not isinstance(item, (tuple, list)) or len(item) != 2:
        raise BadInput(f"a lottery is made of pairs (probability, prize), and {item!r} is none")
    prize = item[1]
    chance = probability(item[0], f"the probability of {prize_name(prize)}")
    if isinstance(prize, (Real, Decimal)) and not isinstance(prize, bool):
        prize = number(prize, "a prize")
    elif not isinstance(prize, Lottery):
        try:
            hash(prize)
        except TypeError:
            raise BadInput(f"a prize must be a number, a name or a lottery, not {prize!r}") from None
    return chance, prize


def _ratio(part: Number, whole: Number) -> Number:
    return tidy(Fraction(part) / Fraction(whole)) if is_exact(part) and is_exact(whole) else float(part / whole)


def _collect(lottery: Lottery, share: Number, found: dict[Prize, Number]) -> None:
    for chance, prize in lottery.outcomes:
        if isinstance(prize, Lottery):
            _collect(prize, share * chance, found)
        else:
            found[prize] = found.get(prize, 0) + share * chance


def _made(pairs: Iterable[tuple[Number, Prize]]) -> Lottery:
    """A lottery from probabilities that are known to sum to 1 up to the rounding of many products."""
    lottery = object.__new__(Lottery)
    tidied = ((tidy(p) if isinstance(p, Fraction) else p, prize) for p, prize in pairs)
    object.__setattr__(lottery, "outcomes", tuple(tidied))
    object.__setattr__(lottery, "levels", 1)
    return lottery


def prize_name(prize: Prize) -> str:
    """A prize as `Lottery.parse` reads it back."""
    if isinstance(prize, Lottery):
        return str(prize)
    if isinstance(prize, Real) and not isinstance(prize, bool):
        return number_text(cast(Number, prize))
    from .notation import quoted

    return quoted(str(prize))
