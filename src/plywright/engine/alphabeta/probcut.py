"""Multi-ProbCut (Buro 1997): what a deep search will say of a state is guessed from a shallow one.

How far the two differ has been measured beforehand, for pairs of depths and by stage of the game, and a knowledge
states it as a table (`Knowledge.probcut`, which `benchmarks/probcut.py` fits for any game). Where the shallow value
lies further outside the window than the likely difference, the deep search is left out. `pvs` asks, in selective
searches only; how sure a guess must be is the task's choice.
"""

from __future__ import annotations

import math
from typing import Any

from ...errors import BadInput
from ...number import is_real
from ...probcut_table import DEPTHS, SHALLOW, SIGMA

CONFIDENCES = (0.8, 0.95, 0.99)
"""How sure the guesses are: of every search with a limit, then of one that has reached the end of the game."""
SURE = 1e6
"""Standard deviations that no value has: nothing is guessed."""


def check_confidence(confidence: Any) -> float:
    if not is_real(confidence) or not 0.5 < confidence <= 1:
        raise BadInput(f"confidence must be a number above 0.5 and at most 1, not {confidence!r}")
    return float(confidence)


def levels_from(confidence: float) -> tuple[float, ...]:
    """How sure the guesses are, step by step, of a search that begins with that; empty where it guesses nothing."""
    return () if confidence == 1 else (confidence, *(level for level in CONFIDENCES if level > confidence))


def deviations(confidence: float) -> float:
    """How many standard deviations a shallow value must lie outside the window, on one side, to be that sure."""
    if confidence >= 1:
        return SURE
    low, high = 0.0, 8.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if 0.5 * (1 + math.erf(middle / math.sqrt(2))) < confidence else (low, middle)
    return low


# -- compiled -----------------------------------------------------------------------------------------------------


def row_of(knowledge: Any, state: Any, depth: int) -> int:
    """Where the table speaks of such a search."""
    stages = knowledge.probcut.size // (2 * DEPTHS)
    stage = min(max(int(knowledge.probcut_row(state)), 0), int(stages) - 1)
    return 2 * (DEPTHS * stage + min(depth, DEPTHS - 1))


def shallow_depth(knowledge: Any, row: int) -> int:
    """How deep to look first; 0 where nothing was measured."""
    return int(knowledge.probcut[row + SHALLOW])


def doubt(knowledge: Any, row: int, work: Any) -> int:
    """How far outside the window, in units, the shallow value must lie."""
    return int(knowledge.probcut[row + SIGMA] * work.units[0] * work.units[1]) + 1
