"""A smallest set of comparisons that contradict each other.

Every contradictory set shares a comparison with each set whose removal leaves the rest consistent (a
correction). So a smallest set that meets all corrections found so far is, once it is contradictory, a
smallest contradiction of all; as long as it is consistent, growing it as far as it goes gives one
correction more (Ignatiev, Previti, Liffiton & Marques-Silva 2015).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

from .feasibility import ZERO, Answer, Row

WORK = 60_000
"""How many numbers (comparisons times prizes) are put to the exact method before the search is given up."""
BRANCHES = 20_000
"""How many partial sets are looked at in the search of one that meets all corrections."""

Decide = Callable[[list[int]], Answer]
"""Answers for the rows of some numbers."""


class GivenUp(Exception):
    """The proof that no contradiction is smaller would take too long."""


def smallest_contradiction(
    rows: Sequence[Row], strict: Sequence[bool], start: Sequence[int], decide: Decide
) -> tuple[list[int], bool]:
    """The numbers of a smallest contradictory set of rows, and whether it is proved that none is smaller.

    `start` is a contradictory set. Where the proof is given up the set has at least nothing to spare.
    """
    best = _support(list(start), decide(list(start)))
    work, corrections = 0, list[frozenset[int]]()

    def within_reason(numbers: list[int]) -> Answer:
        nonlocal work
        work += len(numbers) * len(rows[0])
        if work > WORK:
            raise GivenUp
        return decide(numbers)

    try:
        while (chosen := _meeting(corrections, len(best) - 1)) is not None:
            answer = within_reason(chosen) if chosen else Answer([ZERO] * len(rows[0]), None)
            if answer.utilities is None:
                return chosen, True
            grown, met = _grown(rows, strict, chosen, answer.utilities, within_reason)
            corrections.append(frozenset(range(len(rows))) - grown)
            best = min([best, *met], key=len)
    except GivenUp:
        return best, False
    return best, True


def _support(numbers: list[int], answer: Answer) -> list[int]:
    """The rows of a contradictory set that its proof needs.

    They have nothing to spare: the weights are a basic solution, the only one over these rows, so no part
    of them has weights of its own.
    """
    assert answer.weights is not None
    return [number for number, weight in zip(numbers, answer.weights, strict=True) if weight]


def _grown(
    rows: Sequence[Row], strict: Sequence[bool], chosen: list[int], utilities: list[Fraction], decide: Decide
) -> tuple[frozenset[int], list[list[int]]]:
    """A consistent set that holds the chosen one and no further row fits in; and the contradictions met on the way."""
    inside, met = set(chosen), list[list[int]]()
    for number in range(len(rows)):
        if number in inside:
            continue
        if not _holds(rows[number], strict[number], utilities):
            numbers = [*sorted(inside), number]
            answer = decide(numbers)
            if answer.utilities is None:
                met.append(sorted(_support(numbers, answer)))
                continue
            utilities = answer.utilities
        inside.add(number)
    return frozenset(inside), met


def _holds(row: Row, strict: bool, utilities: list[Fraction]) -> bool:
    gap = sum((share * utility for share, utility in zip(row, utilities, strict=True) if share), ZERO)
    return gap > 0 if strict else gap == 0


def _meeting(corrections: list[frozenset[int]], most: int) -> list[int] | None:
    """A smallest set that shares a number with every correction; None where it has more than `most` of them."""
    seen = 0
    for size in range(most + 1):
        waiting = [frozenset[int]()]
        tried = set(waiting)
        while waiting:
            part = waiting.pop()
            unmet = next((correction for correction in corrections if not part & correction), None)
            if unmet is None:
                return sorted(part)
            if len(part) == size:
                continue
            for number in sorted(unmet, reverse=True):
                further = part | {number}
                if further not in tried:
                    tried.add(further)
                    waiting.append(further)
            seen += 1
            if seen > BRANCHES:
                raise GivenUp
    return None
