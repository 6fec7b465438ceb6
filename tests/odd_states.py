"""Tic-tac-toe with states of every hashable kind: what the docs allow, and what the default key must keep apart.

`BOARD` says which kinds there are. All of them have the value 0 and the same line of play.
"""

from __future__ import annotations

import enum
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from plywright import Game

LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))


class Board(Game):
    """The rules over nine cells (0 free, 1 and 2 the players'); subclasses say how a state holds them."""

    max_actions = 9

    def initial(self) -> Any:
        return self.pack((0,) * 9)

    def to_move(self, state: Any) -> int:
        return sum(1 for cell in self.cells(state) if cell) % 2

    def actions(self, state: Any) -> Iterator[int]:
        for place, cell in enumerate(self.cells(state)):
            if not cell:
                yield place

    def result(self, state: Any, action: int) -> Any:
        cells = list(self.cells(state))
        cells[action] = self.to_move(state) + 1
        return self.pack(tuple(cells))

    def is_terminal(self, state: Any) -> bool:
        return 0 not in self.cells(state) or self.winner(state) != 0

    def utility(self, state: Any, player: int) -> float:
        winner = self.winner(state)
        return 0 if not winner else 1 if winner == player + 1 else -1

    def winner(self, state: Any) -> int:
        cells = self.cells(state)
        for a, b, c in LINES:
            if cells[a] and cells[a] == cells[b] == cells[c]:
                return int(cells[a])
        return 0

    def pack(self, cells: tuple[int, ...]) -> Any:
        raise NotImplementedError

    def cells(self, state: Any) -> tuple[int, ...]:
        raise NotImplementedError


class TextBoard(Board):
    """A text such as `XO.......`."""

    def pack(self, cells: tuple[int, ...]) -> str:
        return "".join(".XO"[cell] for cell in cells)

    def cells(self, state: str) -> tuple[int, ...]:
        return tuple(".XO".index(cell) for cell in state)


class DigitsBoard(Board):
    """81 digits, of which the first 9 say everything: as a number they are all alike modulo 2^64 but for luck."""

    def pack(self, cells: tuple[int, ...]) -> str:
        return "".join(map(str, cells)) + "0" * 72

    def cells(self, state: str) -> tuple[int, ...]:
        return tuple(map(int, state[:9]))


class SetBoard(Board):
    """A frozenset of the stones, each a pair of place and player."""

    def pack(self, cells: tuple[int, ...]) -> frozenset[tuple[int, int]]:
        return frozenset((place, cell) for place, cell in enumerate(cells) if cell)

    def cells(self, state: frozenset[tuple[int, int]]) -> tuple[int, ...]:
        stones = dict(state)
        return tuple(stones.get(place, 0) for place in range(9))


class NoneBoard(Board):
    """A tuple in which free cells are None."""

    def pack(self, cells: tuple[int, ...]) -> tuple[int | None, ...]:
        return tuple(cell or None for cell in cells)

    def cells(self, state: tuple[int | None, ...]) -> tuple[int, ...]:
        return tuple(cell or 0 for cell in state)


@dataclass(frozen=True)
class Position:
    cells: tuple[int, ...]
    moves: int = 0


class RecordBoard(Board):
    """A frozen dataclass."""

    def pack(self, cells: tuple[int, ...]) -> Position:
        return Position(cells, sum(1 for cell in cells if cell))

    def cells(self, state: Position) -> tuple[int, ...]:
        return state.cells


class ListsBoard(Board):
    """Two tuples, of the places that each player has: their lengths change."""

    def pack(self, cells: tuple[int, ...]) -> tuple[tuple[int, ...], tuple[int, ...]]:
        first, second = (tuple(i for i, cell in enumerate(cells) if cell == player) for player in (1, 2))
        return first, second

    def cells(self, state: tuple[tuple[int, ...], tuple[int, ...]]) -> tuple[int, ...]:
        return tuple(1 if i in state[0] else 2 if i in state[1] else 0 for i in range(9))


class WideBoard(Board):
    """One whole number of up to 180 bits."""

    def pack(self, cells: tuple[int, ...]) -> int:
        return sum(cell << 20 * place for place, cell in enumerate(cells))

    def cells(self, state: int) -> tuple[int, ...]:
        return tuple(state >> 20 * place & 3 for place in range(9))


class Cell(enum.Enum):
    FREE = 0
    CROSS = 1
    NOUGHT = 2


class EnumBoard(Board):
    """A tuple of members of an enumeration."""

    def pack(self, cells: tuple[int, ...]) -> tuple[Cell, ...]:
        return tuple(map(Cell, cells))

    def cells(self, state: tuple[Cell, ...]) -> tuple[int, ...]:
        return tuple(cell.value for cell in state)


class Own:
    """A class with an `__eq__` of its own, of which nothing else is known."""

    def __init__(self, cells: tuple[int, ...]) -> None:
        self.cells = cells

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Own) and self.cells == other.cells

    def __hash__(self) -> int:
        return hash(self.cells) & 7  # poor, but allowed

    def __repr__(self) -> str:
        return f"Own({''.join(map(str, self.cells))})"


class OwnBoard(Board):
    def pack(self, cells: tuple[int, ...]) -> Own:
        return Own(cells)

    def cells(self, state: Own) -> tuple[int, ...]:
        return state.cells


BOARDS = (
    *(TextBoard, DigitsBoard, SetBoard, NoneBoard, RecordBoard),
    *(ListsBoard, WideBoard, EnumBoard, OwnBoard),
)
