"""Rules as people write them first: lists, slices and tables. Compiled, and the same as interpreted."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import pytest

from plywright import Game, perft, replaced, search
from plywright.compiled import interpreted

LINES = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]]


class Board(NamedTuple):
    cells: tuple[int, ...]
    player: int


def line_owner(cells: tuple[int, ...]) -> int:
    for a, b, c in LINES:
        if cells[a] != 0 and cells[a] == cells[b] and cells[b] == cells[c]:
            return cells[a]
    return 0


class ByList(Game):
    """A list copy, changed and made a tuple again; actions in a list; a table of lists."""

    def initial(self) -> Board:
        return Board((0,) * 9, 0)

    def to_move(self, state: Board) -> int:
        return state.player

    def actions(self, state: Board) -> Iterable[int]:
        return [place for place, cell in enumerate(state.cells) if cell == 0]

    def result(self, state: Board, action: int) -> Board:
        cells = list(state.cells)
        cells[action] = state.player + 1
        return Board(tuple(cells), 1 - state.player)

    def is_terminal(self, state: Board) -> bool:
        return line_owner(state.cells) != 0 or all([cell != 0 for cell in state.cells])  # noqa: C419

    def utility(self, state: Board, player: int) -> float:
        owner = line_owner(state.cells)
        return 0 if owner == 0 else 1 if owner == player + 1 else -1


class BySlices(ByList):
    def result(self, state: Board, action: int) -> Board:
        cells = state.cells[:action] + (state.player + 1,) + state.cells[action + 1 :]  # noqa: RUF005
        return Board(cells, 1 - state.player)


class InALoop(ByList):
    """The same variable holds the state's tuple and joined slices in turn."""

    def result(self, state: Board, action: int) -> Board:
        cells = state.cells
        for place in range(9):
            if place == action:
                cells = cells[:place] + (state.player + 1,) + cells[place + 1 :]  # noqa: RUF005
        if cells == state.cells:
            return state
        return Board(cells, 1 - state.player)


class ByReplaced(ByList):
    def result(self, state: Board, action: int) -> Board:
        return Board(replaced(state.cells, action, state.player + 1), 1 - state.player)


@pytest.mark.parametrize("kind", [ByList, BySlices, InALoop, ByReplaced])
def test_natural_ways_to_change_a_tuple_are_compiled(kind: type[Game]) -> None:
    game = kind()
    found = search(game, depth=9, algorithm="alphabeta")
    assert found.compiled and (found.value, found.nodes) == (0, 18297)
    lines = perft(game, 4)
    with interpreted():
        assert lines == perft(game, 4) == 3024


class SometimesLonger(ByList):
    def result(self, state: Board, action: int) -> Board:
        cells = list(state.cells)
        if action == 99:
            cells.append(0)
        return Board(tuple(cells), 1 - state.player)


def test_a_tuple_of_another_length_is_an_error_with_words() -> None:
    from plywright.doctor.native_rules import NativeRules

    game = SometimesLonger()
    with pytest.raises(ValueError, match="a tuple of 9 values is needed here"):
        NativeRules(game).call("result", game.start_state, 99)


class WithDict(ByList):
    def result(self, state: Board, action: int) -> Board:
        return Board(replaced(state.cells, NEXT[action], state.player + 1), 1 - state.player)


NEXT: dict[int, Any] = {place: place for place in range(9)}


def test_what_cannot_be_compiled_says_what_to_write() -> None:
    with pytest.warns(UserWarning, match="write a dict as a tuple or list"):
        search(WithDict(), depth=1, algorithm="alphabeta")


class YieldsFromAList(ByList):
    def actions(self, state: Board) -> Iterable[int]:
        cells = list(state.cells)
        for place in range(9):
            if cells[place] == 0:
                yield place


def test_a_generator_that_holds_a_list_is_refused_with_a_remedy() -> None:
    """Numba never frees the list of a generator that is left before its end, as searches do at every cutoff."""
    with pytest.warns(UserWarning, match=r"actions\(\) yields while it holds a list.*return a list instead"):
        search(YieldsFromAList(), depth=1, algorithm="alphabeta")
