"""Large preference problems: scipy's HiGHS points to the answer, fractions prove it."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from .feasibility import ZERO, Answer, Row

SLACK = 1e-7
"""A smaller margin is left to the exact method."""
DENOMINATOR = 10**6


def decide_large(rows: Sequence[Row], strict: Sequence[bool]) -> Answer | None:
    """The answer where HiGHS finds one that holds exactly; None leaves it to the exact method."""
    try:
        from scipy.optimize import linprog  # type: ignore[import-untyped,unused-ignore]
    except ImportError:
        return None
    if not any(strict):
        return None
    equations = [list(row) for row, is_strict in zip(rows, strict, strict=True) if not is_strict]
    lines, pivots = _eliminated(equations, len(rows[0]))
    free = [column for column in range(len(rows[0])) if column not in pivots]
    if not free:
        return None
    wanted = [row for row, is_strict in zip(rows, strict, strict=True) if is_strict]
    reduced = [_reduced(row, lines, pivots, free) for row in wanted]
    matrix = np.array([[float(value) for value in row] for row in reduced])
    found = linprog(  # the largest margin t with d.z >= t on strict rows, in a bounded box
        np.append(np.zeros(len(free)), -1.0),
        A_ub=np.hstack([-matrix, np.ones((len(wanted), 1))]),
        b_ub=np.zeros(len(wanted)),
        bounds=[(-1, 1)] * len(free) + [(None, 1)],
        method="highs",
    )
    if not found.success:
        return None
    if found.x[-1] > SLACK:
        place = [Fraction(float(x)).limit_denominator(DENOMINATOR) for x in found.x[:-1]]
        if any(_dot(row, place) <= 0 for row in reduced):
            return None
        utilities = [ZERO] * len(rows[0])
        for column, value in zip(free, place, strict=True):
            utilities[column] = value
        for line, pivot in zip(lines, pivots, strict=True):
            utilities[pivot] = -_dot([line[column] for column in free], place)
        return Answer(utilities, None)
    support = [number for number, weight in enumerate(found.ineqlin.marginals) if abs(weight) > SLACK]
    return _proof(rows, strict, support)


def _reduced(row: Row, lines: list[list[Fraction]], pivots: list[int], free: list[int]) -> list[Fraction]:
    """A row over the free columns alone, the others expressed by them through the equations."""
    found = [row[column] for column in free]
    for line, pivot in zip(lines, pivots, strict=True):
        if share := row[pivot]:
            found = [value - share * line[column] for value, column in zip(found, free, strict=True)]
    return found


def _proof(rows: Sequence[Row], strict: Sequence[bool], support: list[int]) -> Answer | None:
    """Exact weights on the strict rows of the support (and any equal ones) under which everything cancels."""
    strict_rows = [number for number, is_strict in enumerate(strict) if is_strict]
    chosen = [strict_rows[n] for n in support] + [number for number, is_strict in enumerate(strict) if not is_strict]
    height = len(rows[0])
    lines = [[rows[n][place] for n in chosen] + [ZERO] for place in range(height)]
    lines.append([Fraction(int(strict[n])) for n in chosen] + [Fraction(1)])
    solved, pivots = _eliminated(lines, len(chosen) + 1)
    if len(chosen) in pivots:  # the last line says 0 = 1
        return None
    weights = [ZERO] * len(rows)
    for line, pivot in zip(solved, pivots, strict=True):
        weights[chosen[pivot]] = line[-1]
    if any(weight < 0 for weight, is_strict in zip(weights, strict, strict=True) if is_strict):
        return None
    return Answer(None, weights)


def _eliminated(lines: list[list[Fraction]], width: int) -> tuple[list[list[Fraction]], list[int]]:
    """Gauss and Jordan: the lines that remain, each with a 1 in its pivot column, and those columns."""
    done, pivots = list[list[Fraction]](), list[int]()
    for column in range(width):
        line = next((other for other in lines if other[column]), None)
        if line is None:
            continue
        lines = [other for other in lines if other is not line]
        line = [value / line[column] for value in line]
        for group in (lines, done):
            for place, other in enumerate(group):
                if share := other[column]:
                    group[place] = [a - share * b if b else a for a, b in zip(other, line, strict=True)]
        done.append(line)
        pivots.append(column)
    return done, pivots


def _dot(a: Row, b: Row) -> Fraction:
    return sum((x * y for x, y in zip(a, b, strict=True) if x and y), ZERO)
