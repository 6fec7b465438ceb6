"""Time for a move: the three modes of a match by name, and what a player sees of its clock."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass, field

from ..engine import Limit
from ..errors import BadInput

KINDS = ("depth", "nodes", "move", "budget")
LEAST = 0.001
"""Seconds that a search gets when the clock has run out: enough for a legal move."""


@dataclass(frozen=True)
class Mode:
    """How a match is timed: `depth:4`, `nodes:100000`, `move:5s`, `budget:150s`, `budget:60s+1s`."""

    kind: str
    amount: float
    increment: float = 0.0

    @classmethod
    def parse(cls, text: str) -> Mode:
        kind, _, rest = text.strip().partition(":")
        if kind in ("depth", "nodes") and re.fullmatch(r"[0-9]{1,12}", rest) and int(rest) > 0:
            return cls(kind, int(rest))
        first, plus, second = rest.partition("+")
        amount, increment = _seconds(first), _seconds(second) if plus else 0.0
        if kind in ("move", "budget") and amount and increment is not None and not (plus and kind == "move"):
            return cls(kind, amount, increment)
        raise BadInput(
            f"{text!r} is not a mode: write depth:4 (plies), nodes:100000, move:5s (a move), budget:150s (a game) "
            "or budget:60s+1s (with an increment)"
        )

    @classmethod
    def of(cls, limit: Limit) -> Mode:
        """The mode in which every move has this limit: its time where it has one, else its depth or nodes."""
        if limit.time is not None:
            return cls("move", limit.time)
        return cls("depth", limit.depth) if limit.depth is not None else cls("nodes", limit.nodes or 1)

    def __str__(self) -> str:
        if self.kind in ("depth", "nodes"):
            return f"{self.kind}:{int(self.amount)}"
        return f"{self.kind}:{self.amount:g}s" + (f"+{self.increment:g}s" if self.increment else "")

    @property
    def timed(self) -> bool:
        return self.kind in ("move", "budget")


@dataclass(frozen=True)
class Clock:
    """What a player sees when it is asked: the mode, and the seconds it has left (infinite where time is free)."""

    mode: Mode
    left: float = math.inf
    patience: float = math.inf
    """Seconds after which the referee stops waiting: what is left and a margin, or its patience where time is free."""
    lost: Callable[[float], float] = field(default=lambda since: 0.0, compare=False, repr=False)
    """Seconds lost to an overloaded machine since a moment of time.monotonic(); they are not charged to the player."""
    given: Limit | None = None
    """Limits of the move where somebody has worked them out already."""

    def limit(self, moves_left: int | None = None) -> Limit:
        """Limits of a search that keeps to this clock, with about so many moves of one's own to be made on it."""
        if self.given is not None:
            return self.given
        if self.mode.kind == "depth":
            return Limit(depth=int(self.mode.amount))
        if self.mode.kind == "nodes":
            return Limit(nodes=int(self.mode.amount))
        left = max(self.left, LEAST)
        if self.mode.kind == "move":
            return Limit(time=Limit.for_clock(left, moves_to_go=1).time)  # unused time is not carried over
        return Limit.for_clock(left, self.mode.increment, moves_left=moves_left)


def _seconds(text: str) -> float | None:
    """Seconds in "5s", "0.1", "200ms", "2m"; None for anything else."""
    found = re.fullmatch(r"([0-9]+(?:\.[0-9]+)?|\.[0-9]+)(ms|s|m|)", text.strip())
    if not found:
        return None
    return float(found[1]) * {"ms": 0.001, "s": 1.0, "": 1.0, "m": 60.0}[found[2]]
