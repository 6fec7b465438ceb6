"""Preferences: whether any utility function explains them, decided exactly.

    verdict = Preferences(["B > A", "C > D"], {"A": "[0.8, 4000; 0.2, 0]", ...}).check()
    verdict.consistent, verdict.axiom           # False, 'substitutability'

By the theorem of von Neumann and Morgenstern preferences that keep the axioms have a utility function.
A finite list that has none breaks orderability, transitivity, monotonicity or substitutability, and the
verdict proves it: weights under which the things preferred and the things given up for them are one and
the same lottery. Continuity is about limits and cannot be broken by finitely many comparisons.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from ..errors import BadInput, Unsuitable
from ..number import Number, number_text, tidy
from .axioms import Breach, breach
from .circle import shortest_circle
from .contradiction import smallest_contradiction
from .feasibility import Answer, decide
from .lottery import Lottery, Prize, a_lottery
from .notation import parse_definitions, parse_lottery, quoted

SMALL = 1000
"""Comparisons times prizes up to which the exact method alone is used."""
LARGE = 20_000
"""More than this needs scipy."""

FALLING = "only utilities that do not rise with the amounts fit"

_SIGNS = {">": ">", "≻": ">", "~": "~", "∼": "~", "<": "<", "≺": "<"}


@dataclass(frozen=True)
class Comparison:
    """One thing a person said: `better` is preferred to `worse`, or both are equally good (`strict` False)."""

    better: Lottery
    worse: Lottery
    strict: bool = True
    better_name: str = ""
    worse_name: str = ""

    def __post_init__(self) -> None:
        a_lottery(self.better)
        a_lottery(self.worse)

    def __str__(self) -> str:
        return f"{self.name_of(True)} {'>' if self.strict else '~'} {self.name_of(False)}"

    def name_of(self, better: bool) -> str:
        """What a side was called, or the lottery itself where it had no name."""
        name, lottery = (self.better_name, self.better) if better else (self.worse_name, self.worse)
        return name or lottery_name(lottery)


@dataclass(frozen=True)
class Verdict:
    """What `Preferences.check` found: utilities that explain everything, or a contradiction with its proof."""

    consistent: bool
    utilities: dict[Prize, Number] | None = None  # from 0 for the worst to 1 for the best
    contradiction: tuple[Comparison, ...] = ()
    weights: tuple[Number, ...] = ()  # of the contradiction's comparisons
    axiom: str = ""
    explanation: str = ""
    smallest: bool = False  # no contradiction has fewer comparisons; otherwise it only has none to spare
    increasing: bool | None = (
        None  # whether utilities that rise with the amounts fit; None: fewer than two, or too many to tell
    )

    def __bool__(self) -> bool:
        return self.consistent

    def __str__(self) -> str:
        if self.consistent:
            listed = ", ".join(f"u({_prize_text(x)}) = {number_text(u)}" for x, u in (self.utilities or {}).items())
            falls = f" ({FALLING})" if self.increasing is False else ""
            return f"consistent{falls}: {listed}" if listed else f"consistent{falls}"
        return f"contradiction ({self.axiom}): {', '.join(map(str, self.contradiction))}. {self.explanation}"


class Preferences:
    """A list of comparisons over prizes and lotteries, each a `Comparison` or a text such as `A > B`."""

    def __init__(
        self, comparisons: Iterable[Comparison | str], names: Mapping[str, Lottery | str] | None = None
    ) -> None:
        self.names: dict[str, Lottery] = _definitions({} if names is None else names)
        if isinstance(comparisons, str):
            comparisons = [comparisons]
        if not isinstance(comparisons, Iterable):
            raise BadInput(f"preferences are a list of comparisons such as 'A > B', not {comparisons!r}")
        self.comparisons = tuple(
            c if isinstance(c, Comparison) else parse_comparison(c, self.names) for c in comparisons
        )
        if not self.comparisons:
            raise BadInput("there is nothing to check: give comparisons such as 'A > B'")

    @property
    def prizes(self) -> tuple[Prize, ...]:
        """Every prize that is mentioned, numbers in order first."""
        found = {x for c in self.comparisons for side in (c.better, c.worse) for x in side.prizes}
        return tuple(sorted(found, key=_prize_order))

    def check(self, exact: bool | None = None) -> Verdict:
        """Whether some utility function fits all comparisons; a large problem is put to scipy first.

        Either way the answer is proved in fractions. `exact=True` never asks scipy, `exact=False` always.
        """
        prizes = self.prizes
        rows = [_row(comparison, prizes) for comparison in self.comparisons]
        strict = [comparison.strict for comparison in self.comparisons]
        circle = shortest_circle(self.comparisons)
        if circle is None:
            answer = _decide(rows, strict, exact)
            if answer.utilities is not None:
                found, rises = _rising(rows, strict, prizes, answer.utilities, exact)
                return Verdict(True, _normalised(dict(zip(prizes, found, strict=True))), increasing=rises)
            assert answer.weights is not None
            starting = [n for n, weight in enumerate(answer.weights) if weight]
        else:  # a contradiction already, and the shortest of its kind
            numbers = {id(comparison): n for n, comparison in enumerate(self.comparisons)}
            starting = sorted(numbers[id(step.comparison)] for step in circle)

        def part(numbers: list[int]) -> Answer:
            return _decide([rows[n] for n in numbers], [strict[n] for n in numbers], exact or None)

        chosen, smallest = smallest_contradiction(rows, strict, starting, part)
        weights = part(chosen).weights
        assert weights is not None
        unit = next(weight for weight, n in zip(weights, chosen, strict=True) if strict[n])
        scaled = [weight / unit for weight in weights]
        broken: Breach = breach([self.comparisons[n] for n in chosen], scaled)
        return Verdict(
            False,
            contradiction=tuple(self.comparisons[n] for n in chosen),
            weights=tuple(tidy(weight) for weight in scaled),
            axiom=broken.axiom,
            explanation=broken.explanation,
            smallest=smallest,
        )


def _definitions(names: Mapping[str, Lottery | str]) -> dict[str, Lottery]:
    """Lotteries by their names; texts may mention the lotteries, and the texts before them."""
    if not isinstance(names, Mapping):
        raise BadInput(f"names are given as a mapping such as {{'A': '[0.8, 4000; 0.2, 0]'}}, not {names!r}")
    wrong = next((name for name, value in names.items() if not isinstance(value, (Lottery, str))), None)
    if wrong is not None:
        raise BadInput(f"{wrong} must name a lottery or a text such as '[0.5, 1000; 0.5, 0]', not {names[wrong]!r}")
    known = {name: value for name, value in names.items() if isinstance(value, Lottery)}
    return parse_definitions([f"{name}={value}" for name, value in names.items() if isinstance(value, str)], known)


def parse_comparison(text: str, names: Mapping[str, Lottery] | None = None) -> Comparison:
    """The comparison in a text: `A > B`, `B < A` or `A ~ B` over names, prizes and lotteries."""
    if not isinstance(text, str):
        raise BadInput(f"a comparison is a text such as 'A > B', not {text!r}")
    parts = re.split(rf'([{"".join(_SIGNS)}])(?=(?:[^"]*"[^"]*")*[^"]*$)', text)
    if len(parts) != 3:
        raise BadInput(f"{text!r} is no comparison: write A > B (A is better) or A ~ B (both are equally good)")
    left, sign, right = parts[0].strip(), _SIGNS[parts[1]], parts[2].strip()
    if left.endswith("=") or right.startswith("="):
        raise BadInput(f"{text!r} is no comparison: {_or_equal(left, parts[1], right)} says neither A > B nor A ~ B")
    sides = []
    for side in (left, right):
        if not side:
            raise BadInput(f"{text!r} compares with nothing: write A > B or A ~ B")
        try:
            sides.append((parse_lottery(side, names), side if names and side in names else ""))
        except BadInput as error:
            raise BadInput(f"{text!r}: {error}") from None
    if sign == "<":
        sides.reverse()
    (better, better_name), (worse, worse_name) = sides
    return Comparison(better, worse, sign != "~", better_name, worse_name)


def _or_equal(left: str, sign: str, right: str) -> str:
    """The sign with its equals signs, such as `>=`, as it was typed."""
    return "=" * left.endswith("=") + sign + "=" * right.startswith("=")


def lottery_name(lottery: Lottery) -> str:
    """A lottery as people mention it: a certain prize by itself."""
    return _prize_text(lottery.prizes[0]) if lottery.is_certain else str(lottery)


# -- linear algebra -------------------------------------------------------------------------------------------


def _row(comparison: Comparison, prizes: Sequence[Prize]) -> list[Fraction]:
    """The better side's chance of each prize less the worse side's."""
    gaps: dict[Prize, Fraction] = {}
    for side, sign in ((comparison.better, 1), (comparison.worse, -1)):
        for chance, prize in side.exactly().outcomes:
            gaps[prize] = gaps.get(prize, Fraction(0)) + sign * Fraction(chance)
    return [gaps.get(prize, Fraction(0)) for prize in prizes]


def _rising(
    rows: list[list[Fraction]],
    strict: list[bool],
    prizes: Sequence[Prize],
    utilities: list[Fraction],
    exact: bool | None,
) -> tuple[list[Fraction], bool | None]:
    """Utilities that fit and rise with the amounts where there are such, otherwise those given; and whether they rise.

    A person who has said nothing about two amounts most likely wants the larger one.
    """
    amounts = [n for n, prize in enumerate(prizes) if _is_amount(prize)]  # from the smallest to the largest
    if len(amounts) < 2:
        return utilities, None
    if all(utilities[x] < utilities[y] for x, y in pairwise(amounts)):
        return utilities, True
    more = [[Fraction((n == y) - (n == x)) for n in range(len(prizes))] for x, y in pairwise(amounts)]
    try:
        found = _decide(rows + more, strict + [True] * len(more), exact).utilities
    except Unsuitable:  # too large without scipy; the utilities that were found fit all the same
        return utilities, None
    return (utilities, False) if found is None else (found, True)


def _decide(rows: list[list[Fraction]], strict: list[bool], exact: bool | None) -> Answer:
    """By fractions alone where the problem is small (or `exact` says so), otherwise with the help of scipy."""
    size = len(rows) * len(rows[0])
    if exact is False or (exact is None and size > SMALL):
        from .highs import decide_large

        answer = decide_large(rows, strict)
        if answer is not None:
            return answer
        if exact is None and size > LARGE:
            raise Unsuitable(
                f"{len(rows)} comparisons over {len(rows[0])} prizes need scipy (pip install 'plywright[utility]')"
            )
    return decide(rows, strict)


def _normalised(utilities: dict[Prize, Fraction]) -> dict[Prize, Number]:
    low, high = min(utilities.values()), max(utilities.values())
    span = high - low or Fraction(1)
    return {prize: tidy((value - low) / span) for prize, value in utilities.items()}


def _prize_order(prize: Prize) -> tuple[int, float, str]:
    return (0, float(prize), "") if _is_amount(prize) else (1, 0.0, str(prize))


def _is_amount(prize: Prize) -> bool:
    return isinstance(prize, (int, float, Fraction)) and not isinstance(prize, bool)


def _prize_text(prize: Prize) -> str:
    if _is_amount(prize):
        return number_text(prize)
    return quoted(str(prize))
