"""A position of Breakthrough."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

ZERO, ONE = np.uint64(0), np.uint64(1)
WHITE, BLACK = 0, 1


class Pawns(NamedTuple):
    """Two bitboards, bit n for the n-th square counted from a1, and who moves."""

    white: np.uint64
    black: np.uint64
    mover: int
