"""What a proof is likely to find: selective searches before it, which leave their moves in its table.

They are depth by depth (multi-ProbCut), and cost a small share of a long proof. Where they end the questions of the
proof begin, and its first moves are theirs. Nothing that they guessed counts: a proof looks at resolved entries alone.
"""

from __future__ import annotations

from typing import Any

from ...counters import FAULT, NODE_LIMIT, NODES, STOPPED
from .probcut import SURE, deviations
from .pvs_counters import ESTIMATES, HORIZON, MODE, PROOF, ROOT_DEPTH, SELECTIVE, TO_THE_END

NODES_AHEAD = 20_000  # in about a hundredth of a second
CONFIDENCE = 0.7  # surer guesses take more nodes and foretell the value no better
FIRST_DEPTH, LAST_DEPTH = 4, 60


def foreseen(
    function: Any, game: Any, knowledge: Any, state: Any, player: int, work: Any, guess: int, most: int
) -> int:
    """The value that selective searches find, in steps, from `-most` to `most`; the guess where no depth is finished.

    The caller must have a workspace of a proof, and gets it back as it was; info[FAULT] says that the rules failed.
    """
    info = work.info
    info[MODE], info[TO_THE_END] = SELECTIVE, 0
    info[NODE_LIMIT] = info[NODES] + NODES_AHEAD
    work.units[1] = deviations(CONFIDENCE)
    for depth in range(FIRST_DEPTH, LAST_DEPTH):
        info[ROOT_DEPTH] = depth
        found = _at_depth(function, (game, knowledge, state, player, depth), work, guess, most)
        if found is None:
            break
        guess = found
    info[MODE], info[TO_THE_END], info[HORIZON], info[ESTIMATES] = PROOF, 1, 0, 0
    work.units[1] = SURE
    return guess


def _at_depth(function: Any, question: tuple[Any, ...], work: Any, guess: int, most: int) -> int | None:
    """The value of one depth by null windows, beginning at the guess; None where nodes or time ran out."""
    info, low, high = work.info, -most, most
    while low < high:
        beta = guess + 1 if guess == low else guess
        info[STOPPED] = info[HORIZON] = info[ESTIMATES] = 0
        value = int(function(*question, 0, beta - 1, beta, work))
        if info[STOPPED] or info[FAULT]:
            return None
        if value < beta:
            high = guess = max(value, low)
        else:
            low = guess = min(value, high)
    return guess
