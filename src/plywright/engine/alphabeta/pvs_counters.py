"""The words of `work.info` that the engine's kernel counts and decides by, and what they may hold."""

from __future__ import annotations

from ...counters import HEADER

HORIZON, MASK, AGE, TABLE_DEPTH, MODE, DISTANCE, WIDTH, WIN, ESTIMATES = range(HEADER, 13)
SHARE, STEP, PATH, PAST_MASK, NULL_PLY, WHOLE, MOST_ACTIONS, TO_THE_END = range(13, 21)
# states found in an endgame table; whether a state of the past may not come up again without a draw
TABLE_HITS, REPEATED = range(21, 23)
ROOT_DEPTH, DEEPEST_PLY, LEFT_OUT = range(23, 26)
PATTERNS = 26  # buckets of the table whose entries cover many states; 0 where there is none
ROOT_AGAIN = 27  # whether a line was drawn for coming back to the root
INFO = 28
# modes: rely on nothing unproved; search everything to the depth asked for; reduce what looks unpromising
PROOF, EXACT_DEPTH, SELECTIVE = range(3)

INFINITY = 1 << 30
MAX_PLY = 256
WIN_BONUS = 1 << 10  # above any distance
