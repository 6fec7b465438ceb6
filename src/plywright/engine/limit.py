"""How long to search: depth, time, nodes, in any combination; the first one reached ends the search."""

from __future__ import annotations

import math
from dataclasses import dataclass

from ..errors import BadInput

MAX_DEPTH = 512
"""Plies a search can look ahead; a deeper request is cut here, and then nothing is called proved."""


@dataclass(frozen=True)
class Limit:
    """Limits of one search; None means no limit of that kind."""

    depth: int | None = None
    time: float | None = None
    nodes: int | None = None

    def __post_init__(self) -> None:
        if self.depth is not None and (not _whole(self.depth) or self.depth < 1):
            raise BadInput(f"depth must be a whole number of at least 1, not {self.depth!r}")
        if self.nodes is not None and (not _whole(self.nodes) or self.nodes < 1):
            raise BadInput(f"nodes must be a whole number of at least 1, not {self.nodes!r}")
        if self.time is not None and not (_number(self.time) and 0 < self.time < math.inf):
            raise BadInput(f"time must be a number of seconds above 0, not {self.time!r}")

    @property
    def fixed_depth(self) -> bool:
        """Only a depth is given: one search to that depth, no deepening."""
        return self.depth is not None and self.time is None and self.nodes is None


def _whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)
