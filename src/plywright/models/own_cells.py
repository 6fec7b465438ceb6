"""Cells that an author gives: `cells(state)` in a Knowledge, a row of small whole numbers as the mover sees them.

    class MyKnowledge(Knowledge):
        cell_places = ((0, 0), (0, 1), (1, 0), (1, 1))      # optional: row and column of each

        def cells(self, state):
            return tuple(...)                               # 0 empty, 1 mine, 2 theirs, say

Since they are as the player to move sees them, both players share all weights.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..errors import BadInput, GameError, shown
from ..rule_guard import Guard
from ..weighted import listed, many
from .cells import read_places, sample_states
from .symmetries import Board, Cells, Symmetry

MOST = 400
"""Cells that may be given."""
LARGEST = 1 << 12
"""Numbers in a cell lie within plus or minus this."""


def cells_of(knowledge: Any, state: Any) -> list[Any]:
    """What `cells(state)` gives; raises GameError where that is no row of small whole numbers."""
    given = listed(knowledge.cells(state))
    if wrong := cells_fault(given):
        raise GameError(f"{knowledge.game.name}: cells() {wrong}")
    return given  # type: ignore[no-any-return]


def cells_fault(given: Any, count: int | None = None) -> str:
    """What is wrong with the cells of a state, as the end of a sentence; empty where nothing is."""
    if not isinstance(given, list):
        return f"gives {shown(given)}; cells are whole numbers, small ones, in a row"
    if count is not None and len(given) != count:
        return f"gives {many(given)} cells, and {count} at the start: there must always be as many"
    for cell in given:
        if not hasattr(cell, "__index__"):
            return f"gives {shown(cell)} in {shown(given)}; cells are whole numbers, small ones, in a row"
        if abs(int(cell)) > LARGEST:
            return f"gives {shown(int(cell))}; a cell lies within plus or minus {LARGEST}"
    return ""


def examine_cells(knowledge: Any, count: int | None, guard: Guard, state: Any) -> int:
    """Ask `cells(state)` as Python; raises Fault where that is no row of (so many) small whole numbers. How many."""
    with guard.calling("cells"):
        given = listed(knowledge.cells(state))
    if wrong := cells_fault(given, count):
        raise guard.fault("cells", wrong)
    return len(given)


def given_cells(knowledge: Any) -> Cells:
    """What `cells(state)` says of the states of random play; raises GameError where that is no row of small numbers."""
    game = knowledge.game
    rows: list[list[int]] = []
    for state in sample_states(game):
        found = cells_of(knowledge, state)
        if rows and len(found) != len(rows[0]):
            raise GameError(
                f"{game.name}: cells() gives {len(rows[0])} cells at first and {len(found)} later: "
                "there must always be as many"
            )
        rows.append([int(cell) for cell in found])
    count = len(rows[0])
    if not 1 <= count <= MOST:
        raise GameError(f"{game.name}: cells() gives {count} cells; there may be 1 to {MOST}")
    numbers = np.array(rows, np.int64)
    board = Board((), tuple(range(count)), _places(knowledge, count), int(numbers.min()), int(numbers.max()))
    same = Symmetry((tuple(range(count)),))
    return Cells([board], symmetries=[same], swap=same._replace(swap=True), sample=np.zeros((0, 0), np.int64))


def _places(knowledge: Any, count: int) -> tuple[tuple[int, int], ...]:
    """Row and column of each cell, where the author says so."""
    given = getattr(knowledge, "cell_places", None)
    if given is None:
        return tuple((0, n) for n in range(count))
    places = read_places(knowledge.game.name, given)
    if len(places) != count or len(set(places)) != count:
        raise BadInput(
            f"{knowledge.game.name}: cell_places has {len(set(places))} places, and cells() gives {count} cells"
        )
    return places
