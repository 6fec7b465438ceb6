"""Rules as people write them first: lists, slices and tables. Compiled, and the same as interpreted."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import pytest

from plywright import Game, load_game, perft, replaced, search
from plywright.compiled import interpreted, kernel

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


NAMED = {"first": 0}
LOOSE = [(0, 1), 2, (3, 4, 5)]
HOMES = {3, 4, 5}


class NamedDict(ByList):
    def result(self, state: Board, action: int) -> Board:
        return Board(replaced(state.cells, action + NAMED["first"], state.player + 1), 1 - state.player)


class LooseRows(ByList):
    def result(self, state: Board, action: int) -> Board:
        return Board(replaced(state.cells, LOOSE[action][0], state.player + 1), 1 - state.player)


class ThroughASet(ByList):
    def actions(self, state: Board) -> Iterable[int]:
        return [home for home in HOMES if state.cells[home] == 0]


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        (NamedDict, "a constant dict is compiled if its keys are whole numbers"),
        (LooseRows, "rows of different kinds are not compiled"),
        (ThroughASet, "to go through it, write a tuple or a list"),
    ],
)
def test_what_cannot_be_compiled_says_what_to_write(kind: type[Game], words: str) -> None:
    game = kind()
    with pytest.warns(UserWarning, match=words):
        asked.entry(game, game.start_state)


@kernel
def asked(game, state):
    for action in game.actions(state):
        if game.to_move(game.result(state, action)) == 1:
            return action
    return -1


class YieldsFromAList(ByList):
    def actions(self, state: Board) -> Iterable[int]:
        cells = list(state.cells)
        for place in range(9):
            if cells[place] == 0:
                yield place


class YieldsFromASet(ByList):
    def actions(self, state: Board) -> Iterable[int]:
        free = {place for place in range(9) if state.cells[place] == 0}
        if not free:
            return
        for place in range(9):
            if place in free:
                yield place


class YieldsFromAHelper(ByList):
    """A generator that goes through a generator that holds a list, by `yield from`."""

    def free(self, state: Board) -> Iterable[int]:
        cells = list(state.cells)
        for place in range(9):
            if cells[place] == 0:
                yield place

    def actions(self, state: Board) -> Iterable[int]:
        yield from self.free(state)


class ByGeneratorExpressions(ByList):
    """any, all, sum, tuple and sorted over generator expressions; a set of constants."""

    def actions(self, state: Board) -> Iterable[int]:
        yield from sorted(place for place in range(9) if state.cells[place] == 0)

    def result(self, state: Board, action: int) -> Board:
        mark = state.player + 1
        return Board(tuple(mark if i == action else cell for i, cell in enumerate(state.cells)), 1 - state.player)

    def is_terminal(self, state: Board) -> bool:
        cells = state.cells
        for player in range(1, 3):
            if any(all(cells[place] == player for place in line) for line in LINES):
                return True
        return sum(cell != 0 for cell in cells) in {9, 10}


NATURAL_ACTIONS = [YieldsFromAList, YieldsFromASet, YieldsFromAHelper, ByGeneratorExpressions]


@pytest.mark.parametrize("kind", NATURAL_ACTIONS)
def test_generators_that_hold_lists_and_generator_expressions_are_compiled(kind: type[Game]) -> None:
    game = kind()
    found = search(game, depth=9, algorithm="alphabeta")
    assert found.compiled and (found.value, found.nodes) == (0, 18297)
    lines = perft(game, 4)
    with interpreted():
        assert lines == perft(game, 4) == 3024


def test_a_generator_left_early_gives_its_list_back() -> None:
    """Numba alone never frees the list of a generator that is left before its end, as searches do at every cutoff."""
    import resource

    game = YieldsFromAList()
    search(game, depth=9, algorithm="alphabeta")
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for _ in range(10):
        search(game, depth=9, algorithm="alphabeta")  # 80,000 cutoffs of some hundred bytes
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 4096


def test_any_stops_where_python_stops() -> None:
    """any() and all() over a generator expression read nothing behind the item that decides."""
    game = Guarded()
    assert search(game, depth=2, algorithm="alphabeta").compiled
    with interpreted():
        assert perft(game, 2) == 72
    assert perft(game, 2) == 72


class Guarded(ByList):
    def is_terminal(self, state: Board) -> bool:
        seven = [0, 1, 2, 3, 4, 5, 6]
        full = sum(cell != 0 for cell in state.cells) == 9
        return any(i == 6 or seven[i] > 6 for i in range(20)) and (full or all(seven[i] < 1 for i in range(20)))


def without_source() -> type[Game]:
    """The same rules, typed in rather than read from a file."""
    scope = {"ByList": ByList}
    exec(  # our own text
        "class Typed(ByList):\n"
        "    def actions(self, state):\n"
        "        cells = list(state.cells)\n"
        "        for place in range(9):\n"
        "            if cells[place] == 0:\n"
        "                yield place\n",
        scope,
    )
    return scope["Typed"]


def test_a_generator_whose_source_is_gone_is_refused_with_a_remedy() -> None:
    with pytest.warns(UserWarning, match=r"actions\(\) yields while it holds a list.*return a list instead"):
        search(without_source()(), depth=1, algorithm="alphabeta")


NEXT_TO = {0: [1], 1: [0, 2], 2: [1, 3], 3: [2, 4], 4: [3]}


class Nothing(Game):
    """Five cells in a row; nobody sets beside the other. Where the game is over `actions` returns an empty list."""

    def initial(self) -> Board:
        return Board((0,) * 5, 0)

    def to_move(self, state: Board) -> int:
        return state.player

    def free(self, state: Board) -> list[int]:
        cells, other = state.cells, 2 - state.player
        return [i for i in range(5) if cells[i] == 0 and not any(cells[j] == other for j in NEXT_TO[i])]

    def actions(self, state: Board) -> Iterable[int]:
        if sum(state.cells) > 4:
            return []
        return self.free(state)

    def result(self, state: Board, action: int) -> Board:
        return Board(replaced(state.cells, action, state.player + 1), 1 - state.player)

    def utility(self, state: Board, player: int) -> float:
        return -1 if player == state.player else 1


class NothingInALine(Nothing):
    def actions(self, state: Board) -> Iterable[int]:
        return self.free(state) if sum(state.cells) <= 4 else []


class NothingCalled(Nothing):
    def actions(self, state: Board) -> Iterable[int]:
        for cell in state.cells:
            if sum(state.cells) > 4 and cell == 0:
                return list()  # noqa: C408
        return self.free(state)


class NothingInATuple(Nothing):
    def actions(self, state: Board) -> Iterable[int]:
        if state.cells[2] == 0:
            return (2,)
        if state.cells[0] == 0 and state.cells[1] == 0 and state.player == 0:
            return range(2)
        return ()


class NothingByAHelper(Nothing):
    def free(self, state: Board) -> list[int]:
        if sum(state.cells) > 3:
            return []
        return sorted({i for i in range(5) if state.cells[i] == 0})


@pytest.mark.parametrize(
    "rules", [Nothing, NothingInALine, NothingCalled, NothingInATuple, NothingByAHelper], ids=lambda each: each.__name__
)
def test_an_empty_list_is_returned_where_there_is_nothing_to_do(rules: type[Game]) -> None:
    found = search(rules(), depth=6, algorithm="minimax", compiled=True)
    with interpreted():
        plain = search(rules(), depth=6, algorithm="minimax")
    assert found.compiled and not plain.compiled
    assert (found.value, found.nodes, found.actions) == (plain.value, plain.nodes, plain.actions)


def test_starred_arguments_in_a_shipped_game_are_compiled() -> None:
    """Numba puts them together from an empty tuple, whose type counts as false."""
    assert search(load_game("2048"), depth=1).compiled
