"""What is inside a model, in words: no two patterns are told alike."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import pytest

from plywright import Game
from plywright.models.cells import find_cells
from plywright.models.inside import content_name, look_inside
from plywright.models.loading import make_model


class Marks(NamedTuple):
    mine: int
    theirs: int
    turn: int


class Painters(Game):
    """Both may paint the same cells, each on a board of its own; who has painted all of it has won."""

    columns = 2

    def initial(self) -> Any:
        return Marks(0, 0, 0)

    def to_move(self, state: Any) -> int:
        return int(state.turn)

    def actions(self, state: Any) -> Iterator[int]:
        own = state.mine if state.turn == 0 else state.theirs
        for cell in range(10):
            if not own >> cell & 1:
                yield cell

    def result(self, state: Any, action: int) -> Any:
        if state.turn == 0:
            return Marks(state.mine | 1 << action, state.theirs, 1)
        return Marks(state.mine, state.theirs | 1 << action, 0)

    def is_terminal(self, state: Any) -> bool:
        return 1023 in (state.mine, state.theirs)

    def utility(self, state: Any, player: int) -> int:
        return 1 if (state.mine == 1023) == (player == 0) else -1


class Rows(NamedTuple):
    top: tuple[int, int, int, int]
    bottom: tuple[int, int, int, int]
    turn: int


class TwoRows(Painters):
    """The same on two tuples of numbers."""

    def initial(self) -> Any:
        return Rows((0, 0, 0, 0), (0, 0, 0, 0), 0)

    def actions(self, state: Any) -> Iterator[int]:
        for cell in range(4):
            if not state[state.turn][cell]:
                yield cell

    def result(self, state: Any, action: int) -> Any:
        rows = [list(state.top), list(state.bottom)]
        rows[state.turn][action] = 1
        return Rows(tuple(rows[0]), tuple(rows[1]), 1 - state.turn)  # type: ignore[arg-type]

    def is_terminal(self, state: Any) -> bool:
        return 0 not in state.top or 0 not in state.bottom

    def utility(self, state: Any, player: int) -> int:
        return 1 if (0 not in state.top) == (player == 0) else -1


@pytest.mark.parametrize(
    ("kind", "names"),
    [
        (Painters, [["no mine", "mine"], ["no theirs", "theirs"]]),
        (TwoRows, [["top 0", "top 1"], ["bottom 0", "bottom 1"]]),
    ],
)
def test_what_a_cell_holds_is_told_with_the_board_where_there_are_several(
    kind: type[Game], names: list[list[str]]
) -> None:
    game = kind()
    cells = find_cells(game)
    model: Any = make_model(game)
    assert [[content_name(model, cells, board, content) for content in (0, 1)] for board in (0, 1)] == names
    model.weights[:] = np.linspace(0.1, 0.9, len(model.weights))
    told = [feature.words for feature in look_inside(model, 1000).largest]
    assert len(told) >= 8 and len(set(told)) == len(told)
