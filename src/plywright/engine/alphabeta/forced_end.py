"""Forced wins and losses of long games, proved ply by ply: mate in one, in two, in three, ...

No estimate is as good as a win, nothing is left out, and a state that repeats another or that a move rule ends is
a draw: so a value at the end of the range is proved as soon as a depth finds it, whatever the horizon hid. A game
that neither side can force within the depth is proved drawn only if no line reached the horizon.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from ...errors import BadInput
from ...game import Game
from ...knowledge import Knowledge
from ...result import AT_LEAST, SearchResult
from ..limits import Limit
from .pvs_counters import HORIZON, INFINITY, PROOF, WIN
from .pvs_search import EngineSearch

MOST_PLIES = 128


def forced_end(
    game: Game,
    state: Any = None,
    *,
    plies: int = MOST_PLIES,
    table_megabytes: float = 64.0,
    threads: int = 1,
    compiled: bool | None = None,
    knowledge: Knowledge | None = None,
    progress: Callable[[int, int], None] | None = None,
    time: float | None = None,
    history: Sequence[Any] = (),
) -> SearchResult:
    """The shortest forced win or loss within so many plies, proved; or a draw, where a game pays nothing else.

    `progress` is told each depth that is finished, and the nodes so far. Where nothing could be proved, or Ctrl-C or
    the limit of time came first, the result says so: it is then not proved. `history` is the states before this one.
    """
    if not isinstance(plies, int) or plies < 1:
        raise BadInput(f"plies must be a whole number of at least 1, not {plies!r}")
    task = EngineSearch(
        game,
        state,
        Limit(depth=min(plies, MOST_PLIES), time=time),
        all_actions=False,
        compiled=compiled,
        exact=True,
        table=table_megabytes,
        threads=threads,
        knowledge=knowledge,
        history=history,
    )
    win = int(task.work.info[WIN])
    for depth in range(1, min(plies, MOST_PLIES) + 1):
        sure = True
        for low, high in ((win - 1, INFINITY), (-INFINITY, 1 - win)):  # is it won, is it lost
            value = task._run(task.state, depth, low, high, PROOF)
            if task.stopped:
                return replace(task.unfinished(), bound=AT_LEAST, nodes=task.nodes)
            sure = sure and not task.work.info[HORIZON]
            if abs(value) >= win and low < value < high:
                utility, distance = task.surface(value)
                return task.report(utility, task._line() or (task.choices[0],), True, depth, {}, distance)
        if progress is not None:
            progress(depth, task.nodes)
        if sure and game.only_draws_between:
            return task.report(0.0, task._line() or (task.choices[0],), True, depth, {}, None)
    return replace(task.unfinished(), depth=min(plies, MOST_PLIES), nodes=task.nodes)
