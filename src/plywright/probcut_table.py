"""The table of multi-ProbCut that a knowledge may have: how far deep searches differ from shallow ones, by stage."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from .errors import BadInput

DEPTHS = 64
"""Depths in a table; deeper searches are judged like those of the last."""
SHALLOW, SIGMA = 0, 1
"""What a table has for each stage and depth."""


def is_probcut_table(value: object) -> bool:
    """Whether compiled code can read this as a table."""
    return (
        isinstance(value, np.ndarray)
        and value.dtype == np.float64
        and value.ndim == 1
        and value.size > 0
        and value.size % (2 * DEPTHS) == 0
    )


def probcut_table(pairs: Mapping[int, int], sigmas: Sequence[Mapping[int, float]]) -> NDArray[np.float64]:
    """[stages * DEPTHS * 2] a table for `Knowledge.probcut`: the depth of the shallow search, and the standard
    deviation of the difference, in utilities.

    `pairs` names for a depth the shallower one, `sigmas` for each stage the deviation by depth. A depth without either
    is searched as it is; beyond the last one the last counts, with a shallow depth of the same distance.
    """
    table = np.zeros((max(len(sigmas), 1), DEPTHS, 2))
    for depth, shallow in pairs.items():
        if not 0 < shallow < depth < DEPTHS:
            raise BadInput(
                f"depth {shallow} cannot tell of depth {depth}: the first must be less, and both from 1 to 63"
            )
    for stage, row in enumerate(sigmas):
        for depth, sigma in row.items():
            if not (sigma > 0 and math.isfinite(sigma)):
                raise BadInput(f"the deviation of depth {depth} must be a number above 0, not {sigma!r}")
            if depth in pairs:
                table[stage, depth] = pairs[depth], sigma
        known = np.flatnonzero(table[stage, :, SHALLOW])
        if len(known):
            last = int(known[-1])
            for depth in range(last + 1, DEPTHS):
                table[stage, depth] = table[stage, last, SHALLOW] + (depth - last), table[stage, last, SIGMA]
    return table.ravel()
