"""How sure a search is that has reached the end of the game by guessing on the way (multi-ProbCut).

Once every line is searched to its end, going deeper means to guess less: each further depth is as sure as the next of
`probcut.CONFIDENCES`. Then it is proved who wins, and at last the value. A search that is stopped in between has
the answer of the step before.

Lines that are guessed do not say how far they are from the end, and where all others end early (a wipe-out in Othello)
none is left to say it. So the depth must also be that of usual games from here (`is_usual_end`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from ...result import SearchResult
from .probcut import deviations, levels_from
from .pvs_counters import ESTIMATES, HORIZON


class Sureness:
    """The steps of one search; of a knowledge without a table of ProbCut the proof follows at once.

    Who wins is asked before the proof of one line; where several are followed, their values are compared instead.
    """

    def __init__(
        self,
        crew: list[Any],
        confidence: float,
        last_depth: int | None,
        one_line: bool,
        is_usual_end: Callable[[int], bool],
    ) -> None:
        self.crew, self.last_depth, self.is_usual_end = crew, last_depth, is_usual_end
        self.levels = levels_from(confidence)
        self.one_line = one_line
        self.proof = len(self.levels) + one_line  # after the step that proves who wins
        self.level = 0 if self.levels else self.proof
        self.at_end, self.is_last, self.end = False, False, 0
        self.before: SearchResult | None = None

    def begin(self, depth: int) -> None:
        """Begin a depth, surer than the last if that reached the end. The last allowed depth is proved at once."""
        if self.at_end and self.level < self.proof:
            self.level += 1
        self.is_last = depth == self.last_depth
        sure = self.levels[min(self.level, len(self.levels) - 1)] if self.levels else 1.0
        for work in self.crew:
            work.units[1] = deviations(sure)

    @property
    def proves(self) -> bool:
        """Whether a search to the end is to be proved now."""
        return self.is_last or self.level >= self.proof

    @property
    def asks_outcome(self) -> bool:
        """Whether this step is to prove who wins."""
        return self.one_line and self.level == self.proof - 1 and not self.is_last

    def told(self, found: SearchResult, depth: int, info: Any) -> SearchResult:
        """The answer of a depth with how sure it is."""
        if self.proves or not info[HORIZON] or info[ESTIMATES]:
            return found
        if not self.at_end:
            if not self.is_usual_end(depth):
                return found
            self.at_end, self.end = True, depth
        sure = f"searched to the end of the game, {self.levels[self.level]:.0%} sure"
        self.before = replace(found, depth=self.end, note=sure)
        return self.before

    def outcome(self, value_above: Callable[[int], bool | None], line: Callable[[], tuple[int, ...]]) -> SearchResult:
        """The last answer with who wins proved, by two questions at most; unchanged where they remain open."""
        before = self.before
        assert before is not None
        won = value_above(0)
        if won is None:
            return before
        if won:
            better = before if before.value > 0 else _along(before, line())
            return replace(better, note=f"a win is proved; by how much, {self.levels[-1]:.0%} sure")
        drawn = value_above(-1)
        if drawn is None:
            return before
        if drawn:  # the move of the guesses may lose
            level = _along(before, line())
            return replace(level, value=0.0, values=tuple(0.0 for _ in before.values), note="a draw is proved")
        return replace(before, note=f"a loss is proved; by how much, {self.levels[-1]:.0%} sure")


def _along(found: SearchResult, line: tuple[int, ...]) -> SearchResult:
    """The same answer with the line of a later search, if there is one."""
    return replace(found, action=line[0], line=line) if line else found
