"""Which axiom a contradictory set of comparisons breaks, and why, in a sentence."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations, product
from typing import TYPE_CHECKING, NamedTuple

from ..number import number_text, tidy
from .lottery import Lottery, Prize

if TYPE_CHECKING:
    from .preferences import Comparison

ORDERABILITY, TRANSITIVITY, CONTINUITY = "orderability", "transitivity", "continuity"
SUBSTITUTABILITY, MONOTONICITY = "substitutability", "monotonicity"

AXIOMS: dict[str, str] = {
    ORDERABILITY: "exactly one of A > B, B > A and A ~ B holds",
    TRANSITIVITY: "A > B and B > C imply A > C",
    CONTINUITY: "if A > B > C, some mixture of A and C is as good as B",
    SUBSTITUTABILITY: "A and B may be replaced for one another, at equal chances, without changing their order",
    MONOTONICITY: "of two mixtures of A and B, if A > B, the one with more of A is better",
}


class Breach(NamedTuple):
    """An axiom's name and why the comparisons break it."""

    axiom: str
    explanation: str


MOST_SPLIT = 8
"""Contradictions of more comparisons than this are not taken apart into two chains: there are 2^n ways to."""


class Chain(NamedTuple):
    """Comparisons that follow from one another, such as A > B ~ C: its ends, and whether any of them is strict."""

    better: Lottery
    worse: Lottery
    strict: bool
    names: tuple[str, ...]
    signs: tuple[str, ...]

    def name_of(self, better: bool) -> str:
        return self.names[0 if better else -1]

    def __str__(self) -> str:
        return self.names[0] + "".join(f" {sign} {name}" for sign, name in zip(self.signs, self.names[1:], strict=True))


def breach(comparisons: Sequence[Comparison], weights: Sequence[Fraction]) -> Breach:
    """The simplest axiom that a smallest contradictory set breaks; the weights are its proof."""
    found = _cycle(comparisons)
    for rule in (_two_mixtures, _replaced):
        if found is None:
            found = next(filter(None, (rule(*pair) for pair in _pairs(comparisons))), None)
    return found or Breach(SUBSTITUTABILITY, _mixture(comparisons, weights))


def _pairs(comparisons: Sequence[Comparison]) -> Iterator[tuple[Chain, Chain]]:
    """Every way to part the comparisons into two chains, those with a short first one before the others."""
    count = len(comparisons)
    for size in range(1, count if count <= MOST_SPLIT else 1):
        for numbers in combinations(range(count), size):
            firsts = _chains([comparisons[n] for n in numbers])
            seconds = _chains([comparisons[n] for n in range(count) if n not in numbers])
            yield from product(firsts, seconds)


def _chains(comparisons: Sequence[Comparison]) -> list[Chain]:
    """The chains that use all of the comparisons; one of equalities alone can be read from either end."""
    links = [[_link(c, turned) for turned in ((False,) if c.strict else (False, True))] for c in comparisons]
    found = list[Chain]()
    for start, ways in enumerate(links):
        for chain in ways:
            rest = [other for number, other in enumerate(links) if number != start]
            while rest:
                ahead = ((n, link) for n, other in enumerate(rest) for link in other)
                step = next(((n, link) for n, link in ahead if link.better.same_chances(chain.worse)), None)
                if step is None:
                    break
                del rest[step[0]]
                chain = _joined(chain, step[1])
            if not rest:
                found.append(chain)
    return found


def _link(comparison: Comparison, turned: bool) -> Chain:
    better, worse = comparison.better, comparison.worse
    names = comparison.name_of(True), comparison.name_of(False)
    if turned:
        better, worse, names = worse, better, names[::-1]
    return Chain(better, worse, comparison.strict, names, (">" if comparison.strict else "~",))


def _joined(chain: Chain, link: Chain) -> Chain:
    return Chain(
        chain.better, link.worse, chain.strict or link.strict, chain.names + link.names[1:], chain.signs + link.signs
    )


def _cycle(comparisons: Sequence[Comparison]) -> Breach | None:
    """A round of comparisons that comes back to where it began."""
    rest = list(comparisons)
    first = next((c for c in rest if c.strict), rest[0])
    rest.remove(first)
    way, at = [first.name_of(True), f"> {first.name_of(False)}"], first.worse
    while rest:
        step = next((c for c in rest if c.better.same_chances(at)), None)
        turned = step is None
        step = step or next((c for c in rest if not c.strict and c.worse.same_chances(at)), None)
        if step is None:
            return None
        rest.remove(step)
        at = step.better if turned else step.worse
        way.append(f"{'>' if step.strict else '~'} {step.name_of(turned)}")
    if not at.same_chances(first.better):
        return None
    if len(comparisons) == 1:
        return Breach(ORDERABILITY, f"{first.name_of(True)} cannot be better than itself")
    if len(comparisons) == 2:
        names = f"{first.name_of(True)} and {first.name_of(False)}"
        return Breach(ORDERABILITY, f"{names} are compared twice, with answers that exclude each other")
    return Breach(TRANSITIVITY, f"the preferences go in a circle: {' '.join(way)}")


def _two_mixtures(pure: Chain, mixed: Chain) -> Breach | None:
    """X > Y, and of two mixtures of X and Y the one with less of X is not worse."""
    if not pure.strict:
        return None
    shares = [_share(side, pure.better, pure.worse) for side in (mixed.better, mixed.worse)]
    if shares[0] is None or shares[1] is None or shares[0] == shares[1] or (mixed.strict and shares[0] > shares[1]):
        return None
    better, worse = pure.name_of(True), pure.name_of(False)
    parts = [number_text(tidy(share)) for share in shares if share is not None]
    said = "above" if mixed.strict else "level with"
    return Breach(
        MONOTONICITY,
        f"{pure}, so of two mixtures of {better} and {worse} the one with more of {better} is better, but {mixed} puts "
        f"{mixed.name_of(True)}, with {parts[0]} of {better}, {said} {mixed.name_of(False)}, with {parts[1]} of it",
    )


def _replaced(pure: Chain, mixed: Chain) -> Breach | None:
    """X against Y, and the opposite once both are mixed, at the same chance, with the same third lottery."""
    for x, y, names in (
        (pure.better, pure.worse, (pure.name_of(True), pure.name_of(False))),
        (pure.worse, pure.better, (pure.name_of(False), pure.name_of(True))),
    ):
        found = _common(mixed.better, mixed.worse, x, y)
        if found is None:
            continue
        chance, third = found[0], found[1].prizes[0] if found[1].is_certain else found[1]
        part, rest = number_text(tidy(chance)), number_text(tidy(1 - chance))
        made = [f"[{part}, {name}; {rest}, {third}]" for name in names]
        return Breach(SUBSTITUTABILITY, _replacement(pure, mixed, names, made))
    return None


def _replacement(pure: Chain, mixed: Chain, names: tuple[str, str], made: list[str]) -> str:
    """Why one comparison decides the other: its sides are `made` of the two `names`.

    A side without a name may be written so already, and then needs no telling what it is.
    """
    sides = [mixed.name_of(True), mixed.name_of(False)]
    told = [f"{side} is {how}" for side, how in zip(sides, made, strict=True) if side != how]
    plain = [side for side, how in zip(sides, made, strict=True) if side == how]
    if not told:
        why, between = f"{sides[0]} and {sides[1]} differ only in {names[0]} and {names[1]}", "between them"
    else:
        why, between = " and ".join(told), f"between it and {plain[0]}" if plain else "between them"
    return f"{why}, so {pure} decides {between}, and {mixed} says otherwise"


def _mixture(comparisons: Sequence[Comparison], weights: Sequence[Fraction]) -> str:
    """The general proof: mix what is preferred and what is given up in the same proportions."""
    total = sum(abs(weight) for weight in weights)
    preferred, given_up, mixed = [], [], dict[Prize, Fraction]()
    for comparison, weight in zip(comparisons, weights, strict=True):
        share = abs(weight) / total
        better, worse = (True, False) if weight > 0 else (False, True)
        preferred.append(f"{number_text(tidy(share))}, {comparison.name_of(better)}")
        given_up.append(f"{number_text(tidy(share))}, {comparison.name_of(worse)}")
        side = comparison.better if weight > 0 else comparison.worse
        for chance, prize in side.exactly().outcomes:
            mixed[prize] = mixed.get(prize, Fraction(0)) + share * Fraction(chance)
    same = Lottery([(chance, prize) for prize, chance in mixed.items()])
    return (
        f"by substitutability [{'; '.join(preferred)}] is preferred to [{'; '.join(given_up)}], "
        f"but both are the lottery {same}"
    )


# -- lotteries as mixtures of others --------------------------------------------------------------------------


def _chances(lottery: Lottery) -> dict[Prize, Fraction]:
    return {prize: Fraction(chance) for chance, prize in lottery.exactly().outcomes}


def _share(lottery: Lottery, x: Lottery, y: Lottery) -> Fraction | None:
    """The p with lottery = [p, x; 1-p, y]; None where there is none from 0 to 1."""
    of, of_x, of_y = _chances(lottery), _chances(x), _chances(y)
    prizes = {*of, *of_x, *of_y}
    zero = Fraction(0)
    apart = next((z for z in prizes if of_x.get(z, zero) != of_y.get(z, zero)), None)
    if apart is None:
        return None
    p = (of.get(apart, zero) - of_y.get(apart, zero)) / (of_x.get(apart, zero) - of_y.get(apart, zero))
    fits = all(of.get(z, zero) == p * of_x.get(z, zero) + (1 - p) * of_y.get(z, zero) for z in prizes)
    return p if fits and 0 <= p <= 1 else None


def _common(a: Lottery, b: Lottery, x: Lottery, y: Lottery) -> tuple[Fraction, Lottery] | None:
    """The p and z with a = [p, x; 1-p, z] and b = [p, y; 1-p, z]; None where there are none."""
    of_a, of_b, of_x, of_y = map(_chances, (a, b, x, y))
    prizes = list(dict.fromkeys([*of_a, *of_b, *of_x, *of_y]))
    zero = Fraction(0)
    apart = next((z for z in prizes if of_x.get(z, zero) != of_y.get(z, zero)), None)
    if apart is None:
        return None
    p = (of_a.get(apart, zero) - of_b.get(apart, zero)) / (of_x.get(apart, zero) - of_y.get(apart, zero))
    if not 0 < p < 1:
        return None
    third = {z: (of_a.get(z, zero) - p * of_x.get(z, zero)) / (1 - p) for z in prizes}
    if any(chance < 0 for chance in third.values()):
        return None
    if any(of_b.get(z, zero) != p * of_y.get(z, zero) + (1 - p) * third[z] for z in prizes):
        return None
    return p, Lottery([(tidy(chance), z) for z, chance in third.items() if chance])
