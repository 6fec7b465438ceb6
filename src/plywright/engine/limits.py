"""How long to search: depth, time, nodes, in any combination; the first one reached ends the search."""

from __future__ import annotations

import math
from dataclasses import dataclass

from ..errors import BadInput, shown
from ..number import is_real, is_whole

MAX_DEPTH = 512
"""Plies a search can look ahead; a deeper request is cut here, and then nothing is called proved."""

MOST_NODES = 1 << 62
MOST_SECONDS = 1e9
"""Kernels count in 64 bits."""

USUAL_MOVES = 30
"""How many more moves a game is assumed to last where the caller does not say."""
MARGIN = 0.05
"""Safety margin of clocks, in seconds, for starting, stopping and reporting a search: a search leaves it unused, and
whoever keeps the clock tolerates an overrun of as much."""


@dataclass(frozen=True)
class Limit:
    """Limits of one search; None means no limit of that kind."""

    depth: int | None = None
    """Plies to look ahead."""
    time: float | None = None
    """Seconds; the engine finishes a first depth in any case where that takes no more than MARGIN."""
    nodes: int | None = None
    """States to visit; of a Monte Carlo search, simulations."""
    soft: float | None = None
    """Seconds after which no further depth is begun, since it would hardly be finished in `time`."""

    def __post_init__(self) -> None:
        if self.depth is not None and (not is_whole(self.depth) or self.depth < 1):
            raise BadInput(f"depth must be a whole number of at least 1, not {self.depth!r}")
        if self.nodes is not None and (not is_whole(self.nodes) or self.nodes < 1):
            raise BadInput(f"nodes must be a whole number of at least 1, not {self.nodes!r}")
        if self.nodes is not None and self.nodes > MOST_NODES:
            raise BadInput(f"nodes must be at most 2^62, not {self.nodes!r}: leave it out for no limit")
        if self.time is not None and not (is_real(self.time) and 0 < self.time < math.inf):
            raise BadInput(f"time must be a number of seconds above 0, not {self.time!r}")
        if self.time is not None and self.time > MOST_SECONDS:
            raise BadInput(f"time must be at most 10^9 seconds, not {shown(self.time)}: leave it out for no limit")
        if self.soft is not None and not (is_real(self.soft) and 0 <= self.soft <= MOST_SECONDS):
            raise BadInput(f"soft must be a number of seconds of at least 0, not {shown(self.soft)}")

    @classmethod
    def for_clock(
        cls, left: float, increment: float = 0.0, moves_to_go: int | None = None, moves_left: int | None = None
    ) -> Limit:
        """Limits for one move of a game with a clock: seconds left, seconds added a move, moves to the next control,
        and where there is none how many moves the game is likely to last.

        The hard limit never takes more than is left less a margin, so that the clock is not overrun.
        """
        if not is_real(left) or not 0 < left < math.inf or not is_real(increment) or not 0 <= increment < math.inf:
            raise BadInput(
                f"a clock needs seconds left above 0 and an increment of at least 0, not {left!r}, {increment!r}"
            )
        if moves_to_go is not None and (not is_whole(moves_to_go) or moves_to_go < 1):
            raise BadInput(f"moves to go must be a whole number of at least 1, not {moves_to_go!r}")
        usable = left - min(MARGIN, left / (8 if moves_to_go == 1 else 2))  # of one move alone little can go wrong
        share = usable / (moves_to_go or moves_left or USUAL_MOVES) + 0.8 * increment
        hard = min(4 * share, usable if moves_to_go == 1 else 0.6 * usable)
        return cls(time=hard, soft=min(0.5 * share, hard))

    @property
    def fixed_depth(self) -> bool:
        """Whether depth is the only limit: one search to that depth instead of iterative deepening."""
        return self.depth is not None and self.time is None and self.nodes is None
