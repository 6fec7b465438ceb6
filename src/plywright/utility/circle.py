"""Preferences that go in a circle: the shortest round of comparisons that comes back to where it began."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from .lottery import Lottery
    from .preferences import Comparison


class Step(NamedTuple):
    """From something to something liked more, or, where the comparison is not strict, as much."""

    comparison: Comparison
    turned: bool = False  # an equality read from its better side to its worse one

    @property
    def start(self) -> Lottery:
        return self.comparison.better if self.turned else self.comparison.worse

    @property
    def end(self) -> Lottery:
        return self.comparison.worse if self.turned else self.comparison.better

    @property
    def names(self) -> tuple[str, str]:
        """What the start and the end were called."""
        names = self.comparison.name_of(False), self.comparison.name_of(True)
        return names[::-1] if self.turned else names


def shortest_circle(comparisons: Sequence[Comparison]) -> list[Step] | None:
    """The fewest steps, one of them strict and first, that lead back to their beginning; None if nothing does."""
    places: dict[object, int] = {}  # lotteries with the same chances are one place
    ways: list[list[tuple[int, Step]]] = []
    strict = list[tuple[int, int, Step]]()
    for comparison in comparisons:
        for step in (Step(comparison), Step(comparison, True))[: 1 if comparison.strict else 2]:
            start, end = (places.setdefault(side.key(), len(places)) for side in (step.start, step.end))
            ways.extend([] for _ in range(len(places) - len(ways)))
            ways[start].append((end, step))
            if comparison.strict:
                strict.append((start, end, step))
    best: list[Step] | None = None
    for start, end, step in strict:
        back = _way(ways, end, start, len(ways) if best is None else len(best) - 2)
        if back is not None:
            best = [step, *back]
    return best


def _way(ways: list[list[tuple[int, Step]]], start: int, goal: int, most: int) -> list[Step] | None:
    """The fewest steps from one place to another, if they are no more than `most`; level by level."""
    came: dict[int, tuple[int, Step] | None] = {start: None}
    level = [start]
    for _ in range(most + 1):
        if goal in came:
            found, at = list[Step](), goal
            while (arrival := came[at]) is not None:
                at, step = arrival
                found.append(step)
            return found[::-1]
        after = []
        for place in level:
            for end, step in ways[place]:
                if end not in came:
                    came[end] = (place, step)
                    after.append(end)
        level = after
    return None
