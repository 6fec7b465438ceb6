"""The words of `work.info` that the engine's kernel counts and decides by, and what they may hold."""

from __future__ import annotations

from ..budget import NODE_LIMIT, NODES, STOPPED

__all__ = ["NODES", "NODE_LIMIT", "STOPPED", "fault"]

# info: [27]; the first four words are budget.py's
HORIZON, FAULT, MASK, AGE, TABLE_DEPTH, MODE, DISTANCE, WIDTH, WIN, ESTIMATES = range(4, 14)
SHARE, STEP, PATH, PAST_MASK, NULL_PLY, WHOLE, MOST_ACTIONS, TO_THE_END = range(14, 22)
# states found in an endgame table; whether a state of the past may not come up again without a draw
TABLE_HITS, REPEATED = range(22, 24)
ROOT_DEPTH, DEEPEST_PLY, LEFT_OUT = range(24, 27)
INFO = 27
# modes: rely on nothing unproved; search everything to the depth asked for; reduce what looks unpromising
PROOF, EXACT_DEPTH, SELECTIVE = range(3)

INFINITY = 1 << 30
MAX_PLY = 256
WIN_BONUS = 1 << 10  # above any distance


def fault(info, kind):
    """The rules broke the protocol: stop and say how."""
    info[STOPPED] = 1
    info[FAULT] = kind
    return 0
