"""Pseudocode whose lines know which step of a search executes them.

A line may end in `@` and the steps it belongs to, as in

    if v >= beta then return v, move                 @cut.max

A step is `kind` or `kind.side`: begin, end, leaf, estimate, enter.max, back-up.min, cut.max ...
"""

from __future__ import annotations

import textwrap
from dataclasses import dataclass


@dataclass(frozen=True)
class Pseudocode:
    """Lines as they are shown, and for each step the numbers of its lines."""

    lines: tuple[str, ...]
    steps: dict[str, tuple[int, ...]]

    @classmethod
    def parse(cls, text: str) -> Pseudocode:
        lines, steps = [], dict[str, list[int]]()
        for number, line in enumerate(textwrap.dedent(text).strip("\n").splitlines()):
            words, _, marks = line.partition("@")
            lines.append(words.rstrip())
            for mark in marks.split():
                steps.setdefault(mark.lstrip("@"), []).append(number)
        return cls(tuple(lines), {step: tuple(numbers) for step, numbers in steps.items()})

    def lines_of(self, kind: str, side: str) -> tuple[int, ...]:
        """The lines that a step of this kind executes at a node of this side."""
        return self.steps.get(f"{kind}.{side}") or self.steps.get(kind, ())

    def __str__(self) -> str:
        return "\n".join(self.lines)
