"""Whether strict inequalities and equations over unknown utilities can hold together, decided exactly.

Rows are vectors d; the question is whether some u has d.u > 0 for every strict row and d.u = 0 for
every equal one. By Motzkin's theorem exactly one of two things exists: such a u, or weights, none
negative on strict rows and not all of those 0, under which the rows sum to nothing. The simplex method
(first phase, in whole numbers) finds whichever it is, so either answer comes with its proof.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import lcm
from typing import NamedTuple

Row = Sequence[Fraction]
ZERO = Fraction(0)
PATIENCE = 12
"""Steps without progress after which Bland's rule takes over, which cannot go in a circle."""


class Answer(NamedTuple):
    """Either `utilities`, one for each column, or `weights`, one for each row; the other is None."""

    utilities: list[Fraction] | None
    weights: list[Fraction] | None


def decide(rows: Sequence[Row], strict: Sequence[bool]) -> Answer:
    """A solution of the rows, or the weights that show there is none."""
    width = len(rows[0]) if rows else 0
    if not any(strict):
        return Answer([ZERO] * width, None)
    places = [place for place in range(width) if any(row[place] for row in rows)]  # the others are free
    scales = [lcm(*(value.denominator for value in row)) for row in rows]
    columns, owners = list[list[int]](), list[tuple[int, int]]()  # (row, sign) of each weight
    for number, (row, scale, is_strict) in enumerate(zip(rows, scales, strict, strict=True)):
        whole = [int(row[place] * scale) for place in places]
        columns.append([*whole, int(is_strict)])
        owners.append((number, 1))
        if not is_strict:  # a weight of either sign is the difference of two
            columns.append([*(-value for value in whole), 0])
            owners.append((number, -1))
    solution, prices = _first_phase(columns, len(places) + 1)
    if solution is None:
        found = [ZERO] * width
        for place, price in zip(places, prices, strict=False):
            found[place] = -price
        return Answer(found, None)
    weights = [ZERO] * len(rows)
    for (number, sign), weight in zip(owners, solution, strict=True):
        weights[number] += sign * weight * scales[number]
    return Answer(None, weights)


def _first_phase(columns: list[list[int]], height: int) -> tuple[list[Fraction] | None, list[Fraction]]:
    """Weights of at least 0 under which the columns sum to (0, ..., 0, 1), or None and the prices that forbid them.

    One artificial variable a line starts as the basis, and their sum is driven down. The table holds
    whole numbers over one common denominator, the last pivot (Edmonds 1967), so nothing is rounded and
    no fraction is ever reduced. The prices y satisfy y.column <= 0 for every column, and their last is above 0.
    """
    count, denominator, stalled = len(columns), 1, 0
    table = [
        [
            *(column[line] for column in columns),
            *(int(line == other) for other in range(height)),
            int(line == height - 1),
        ]
        for line in range(height)
    ]
    basis = [count + line for line in range(height)]
    costs = [-sum(column) for column in columns] + [0] * height + [-1]
    while True:
        worst = min(range(count), key=costs.__getitem__)
        if costs[worst] >= 0:
            break
        entering = worst if stalled < PATIENCE else next(place for place in range(count) if costs[place] < 0)
        # Some line always limits the step: the sum of the artificial variables cannot fall below 0.
        _, _, leaving = min(
            (Fraction(table[n][-1], table[n][entering]), basis[n], n) for n in range(height) if table[n][entering] > 0
        )
        stalled = stalled + 1 if table[leaving][-1] == 0 else 0
        pivot, line = table[leaving][entering], table[leaving]
        for other in (*table[:leaving], *table[leaving + 1 :], costs):
            share = other[entering]
            other[:] = [
                (value * pivot - share * along) // denominator for value, along in zip(other, line, strict=True)
            ]
        denominator, basis[leaving] = pivot, entering
    prices = [1 - Fraction(cost, denominator) for cost in costs[count : count + height]]
    if costs[-1] != 0:
        return None, prices
    solution = [ZERO] * count
    for number, place in enumerate(basis):
        if place < count:
            solution[place] = Fraction(table[number][-1], denominator)
    return solution, prices
