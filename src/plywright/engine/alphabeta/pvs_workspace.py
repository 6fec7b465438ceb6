"""What a thread of the engine's search writes, and what of it the next search of a game is handed."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...bits import SCRATCH
from ...compiled import Workspace
from ...counters import NODE_LIMIT
from ...knowledge import Knowledge
from .ends import STRUCTURES
from .ordering import HISTORY, NO_SLOT, SLOTS
from .patterns import BUCKET, EVERYTHING
from .probcut import SURE
from .pvs_counters import (
    AGE,
    DISTANCE,
    EXACT_DEPTH,
    INFINITY,
    INFO,
    MASK,
    MAX_PLY,
    MODE,
    MOST_ACTIONS,
    NULL_PLY,
    PAST_MASK,
    PATH,
    PATTERNS,
    REPEATED,
    SHARE,
    STEP,
    TABLE_DEPTH,
    WHOLE,
    WIDTH,
    WIN,
)
from .repetition import NOWHERE, past_table
from .transposition import first_mask

NEVER = 1 << 30
NO_LIMIT = int(np.iinfo(np.int64).max)


def workspace(
    knowledge: Knowledge,
    table: NDArray[np.int64],
    stop: NDArray[np.int64],
    busy: NDArray[np.int64],
    history: NDArray[np.int64] | None = None,
    past: dict[int, int] | None = None,
    patterns: NDArray[np.int64] | None = None,
) -> Any:
    """Everything one searching thread writes; the table, the stop flag, the marks of busy positions and what was
    learned of moves are shared."""
    game, units = knowledge.game, knowledge.units
    info = np.zeros(INFO, np.int64)
    win = max(abs(bound) for bound in game.utility_range) * units
    info[NODE_LIMIT] = NO_LIMIT
    info[MASK], info[AGE], info[TABLE_DEPTH] = first_mask(table), 1, knowledge.kept_depth
    info[WIN] = info[DISTANCE] = round(win)
    info[WIDTH], info[SHARE], info[MODE] = MAX_PLY + 2, NEVER, EXACT_DEPTH
    info[STEP] = round(units * (game.step or 1))
    info[WHOLE], info[MOST_ACTIONS] = whole(units), game.max_actions
    info[PATTERNS] = 0 if patterns is None else len(patterns) // BUCKET
    before = past_table(past or {})
    info[REPEATED] = int(game.repetition_draws > 0 and max((past or {0: 0}).values()) >= game.repetition_draws - 1)
    info[PAST_MASK], info[PATH], info[NULL_PLY] = len(before) // 2 - 1, NOWHERE, -1
    room = 2 * (MAX_PLY + 2) * game.max_actions  # twice: an action may be put off once
    return Workspace(
        info=info,
        units=np.array([units, SURE]),
        stop=stop,
        table=table,
        busy=busy,
        killers=np.full(2 * (MAX_PLY + 2), -1, np.int64),
        history=np.zeros(2 * HISTORY, np.int64) if history is None else history,
        actions=np.zeros(room, np.int64),
        scores=np.zeros(room, np.int64),
        line=np.zeros((MAX_PLY + 2) ** 2, np.int64),
        length=np.zeros(MAX_PLY + 2, np.int64),
        path=np.full(MAX_PLY + 2, -1, np.int64),
        keys=np.zeros(MAX_PLY + 2, np.int64),
        past=before,
        slots=np.full(MAX_PLY + 4, NO_SLOT, np.int64),
        recent=np.zeros(2 * HISTORY, np.int16),
        answers=np.full(SLOTS + 1, -1, np.int64),
        sequels=np.zeros((SLOTS + 1) * SLOTS if knowledge.has_slot else 1, np.int16),
        statics=np.full(MAX_PLY + 4, -INFINITY, np.int64),
        structures=np.zeros(2 * STRUCTURES if knowledge.has_structure else 2, np.int64),
        lent=np.zeros(SCRATCH, np.int64),
        relied=np.full(MAX_PLY + 3 if knowledge.has_patterns else 1, EVERYTHING, np.int64),
        patterns=np.zeros(1, np.int64) if patterns is None else patterns,
        left_out=np.zeros(game.max_actions, np.int64),
        reductions=reductions() if knowledge.has_tactical else np.zeros(1, np.int64),
    )


def reductions() -> NDArray[np.int64]:
    """[64 * 64] by depth and number of a late action: how many plies shallower it is tried."""
    numbers = np.log(np.maximum(np.arange(64), 1))
    return np.floor(0.6 + np.outer(numbers, numbers) / 2.2).astype(np.int64).ravel()


def remind(work: Any, earlier: Any) -> None:
    """What an earlier search of the game learned of moves, at half its weight: some of it still holds."""
    work.recent[:] = earlier.recent >> 1
    work.sequels[:] = earlier.sequels >> 1
    work.answers[:] = earlier.answers


def whole(units: float) -> int:
    """The units of one utility where they are a whole number, else 0."""
    return int(units) if units == int(units) else 0
