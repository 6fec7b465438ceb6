"""2048: one player slides numbered tiles; equal ones merge, and after every move a new one appears.

The board is four rows of sixteen bits, four bits per cell from the left: n stands for the tile 2^n. What
becomes of a row is looked up in tables that travel as data. The utility is what the tiles on the last
board are worth, (n - 1) 2^n for the tile 2^n: the usual score if every tile had appeared as a 2.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...bits import lowest_bit, popcount
from ...draw import Picture
from ...draw.cells import TONES, Cell, cells
from ...errors import BadInput
from ...game import CHANCE, Game
from ..notation import legal_action, square_cell, square_name
from .knowledge import TilesKnowledge, TilesTables

LEFT, UP, RIGHT, DOWN = range(4)
MOVES = ("left", "up", "right", "down")
WORDS = {word: move for move, name in enumerate(MOVES) for word in (name, name[0])}
ROWS = 1 << 16
LARGEST = 15  # the exponent that four bits hold: tiles of 32768 no longer merge
TO_COME = ("move", "tile", "tiles")

# The evaluation: what a live board promises, more than any finished one is worth. Found by trying weights
# on 150 games each with a search of one move, a tile and a move.
ALIVE = 4_000_000.0  # to be able to go on at all
EMPTY = 800.0  # an empty cell, counted in its row and in its column
MERGE = 1000.0  # two equal neighbours
DISORDER = 100.0  # going up and down in one line, by the cubes of the exponents
CROWD = 20.0  # tiles that have not been merged yet, by the cubes of their exponents
LINE_RANGE = 450_000.0  # the promise of a line stays within this


class Tiles(NamedTuple):
    """The four rows from the top, and how many tiles are to appear before the next move."""

    row0: int
    row1: int
    row2: int
    row3: int
    to_come: int


class TwentyFortyEight(Game):
    """Slide and merge until nothing moves; a new tile is a 2 nine times out of ten, otherwise a 4."""

    how_to_play = (
        "A move slides all tiles as far as they go in one direction; two equal tiles that meet merge into one of "
        "twice the number, which is also what they score. After each move a new tile appears on a free square: a "
        "2 nine times out of ten, otherwise a 4. The game is over when no move changes anything."
    )

    name = "2048"
    players = 1
    player_names = ("player",)
    utility_range = (0, 8_000_000)
    step = 4
    max_actions = 32  # outcomes: two tiles on sixteen cells
    knowledge = TilesTables
    knowledges = MappingProxyType({"hand": TilesKnowledge, "tables": TilesTables})

    def __init__(self) -> None:
        tables = _tables()
        self.to_left, self.to_right = tables.to_left, tables.to_right  # [rows] what becomes of a row
        self.worth, self.promise = tables.worth, tables.promise  # [rows] its tiles and its order

    # -- rules -------------------------------------------------------------------------------------

    def initial(self) -> Tiles:
        return Tiles(0, 0, 0, 0, 2)

    def to_move(self, state: Tiles) -> int:
        return CHANCE if state.to_come > 0 else 0

    def chance(self, state: Tiles) -> Iterator[tuple[int, float]]:
        """Outcome 2 * cell for a 2 and 2 * cell + 1 for a 4; cells are counted row by row from the top."""
        left = empty_cells(state)
        empty = popcount(left)
        while left != 0:
            cell = lowest_bit(left) >> 2
            left &= left - 1
            yield 2 * cell, 0.9 / empty
            yield 2 * cell + 1, 0.1 / empty

    def slides(self, state: Tiles, move: int) -> bool:
        """Whether a move changes anything."""
        after = self.slid(state, move)
        rows = after.row0 != state.row0 or after.row1 != state.row1
        return rows or after.row2 != state.row2 or after.row3 != state.row3

    def actions(self, state: Tiles) -> Iterator[int]:
        if state.to_come == 0:
            for move in range(4):
                if self.slides(state, move):
                    yield move

    def result(self, state: Tiles, action: int) -> Tiles:
        if state.to_come == 0:
            return self.slid(state, action)
        cell = action >> 1
        tile = (1 + (action & 1)) << 4 * (cell & 3)
        row = cell >> 2
        return Tiles(
            state.row0 | (tile if row == 0 else 0),
            state.row1 | (tile if row == 1 else 0),
            state.row2 | (tile if row == 2 else 0),
            state.row3 | (tile if row == 3 else 0),
            state.to_come - 1,
        )

    def is_terminal(self, state: Tiles) -> bool:
        if state.to_come > 0 or self.slides(state, 0) or self.slides(state, 1):
            return False
        return not (self.slides(state, 2) or self.slides(state, 3))

    def utility(self, state: Tiles, player: int) -> float:
        worth = self.worth
        value: float = worth[state.row0] + worth[state.row1] + worth[state.row2] + worth[state.row3]
        return value

    def evaluate(self, state: Tiles, player: int) -> float:
        """What room, order and equal neighbours in rows and columns promise."""
        if self.is_terminal(state):
            return self.utility(state, player)
        columns, promise = turned(state), self.promise
        value: float = ALIVE + promise[state.row0] + promise[state.row1] + promise[state.row2] + promise[state.row3]
        value += promise[columns[0]] + promise[columns[1]] + promise[columns[2]] + promise[columns[3]]
        return value

    def slid(self, state: Tiles, move: int) -> Tiles:
        """The board after a slide, with a tile to come."""
        if move == LEFT:
            table = self.to_left
            return Tiles(table[state.row0], table[state.row1], table[state.row2], table[state.row3], 1)
        if move == RIGHT:
            table = self.to_right
            return Tiles(table[state.row0], table[state.row1], table[state.row2], table[state.row3], 1)
        table = self.to_left if move == UP else self.to_right
        columns = turned(state)
        return Tiles(*turned(Tiles(table[columns[0]], table[columns[1]], table[columns[2]], table[columns[3]], 1)), 1)

    # -- notation ----------------------------------------------------------------------------------

    def format_action(self, state: Any, action: int) -> str:
        """`left`, `up`, `right`, `down`; at a chance node the new tile, such as `c2=4`."""
        if state.to_come == 0:
            return MOVES[int(action)]
        return f"{square_name(flipped_cell(int(action) >> 1), 4)}={2 + 2 * (int(action) & 1)}"

    def parse_action(self, state: Any, text: str) -> int:
        word = text.strip().lower()
        action = None
        if state.to_come == 0:
            action = WORDS.get(word)
        elif found := re.fullmatch(r"([a-d][1-4])\s*[=:@ ]?\s*([24])", word):
            cell = square_cell(found[1], 4, 4)
            assert cell is not None
            action = 2 * flipped_cell(cell) + (found[2] == "4")
        return legal_action(self, state, action, text)

    def format_state(self, state: Any) -> str:
        """Rows from the top, `2,0,0,4/...`, and what comes: a `move`, a `tile` or (at the start) two `tiles`."""
        rows = [",".join(str(_tile(exponent(state, 4 * row + column))) for column in range(4)) for row in range(4)]
        return f"{'/'.join(rows)} {TO_COME[int(state.to_come)]}"

    def parse_state(self, text: str) -> Any:
        board, _, word = text.strip().partition(" ")
        rows = [row.replace(".", "0").split(",") for row in board.split("/")]
        if len(rows) != 4 or any(len(row) != 4 for row in rows) or (word or "move") not in TO_COME:
            raise BadInput(
                f"{text!r} is not a state of 2048: write rows from the top and what comes, such as "
                f"'{self.format_state(self.start_state)}' or '2,0,0,4/0,0,0,0/0,0,0,0/0,0,0,0 move'"
            )
        packed = [sum(_exponent(tile) << 4 * column for column, tile in enumerate(row)) for row in rows]
        return self.checked(Tiles(packed[0], packed[1], packed[2], packed[3], TO_COME.index(word or "move")))

    def check_state(self, state: Any) -> str:
        if not all(0 <= row < ROWS for row in state[:4]) or state.to_come not in range(len(TO_COME)):
            return f"a row is a number below {ROWS}, and 0, 1 or 2 tiles are to come"
        if state.to_come > sum(exponent(state, cell) == 0 for cell in range(16)):
            return f"there is no room for the {TO_COME[state.to_come]} to come"
        return ""

    # -- picture -----------------------------------------------------------------------------------

    def picture(self, state: Any, last: int | None = None) -> Picture:
        content = []
        for cell in range(16):
            found = int(exponent(state, cell))
            content.append(Cell(str(_tile(found)) if found else "", f"tone-{min(found, TONES)}" if found else "empty"))
        new = last is not None and state.to_come == 0 and last < 32 and exponent(state, last >> 1) == 1 + (last & 1)
        return cells(content, 4, last={last >> 1} if new and last is not None else (), caption=self._caption(state))

    def _caption(self, state: Any) -> str:
        worth = f"{int(self.utility(state, 0)):,} points"
        if self.is_terminal(state):
            return f"nothing moves: the end, {worth}"
        return f"{worth}, {'your move' if state.to_come == 0 else 'a tile is to come'}"


# -- rows and columns --------------------------------------------------------------------------------------


def exponent(state: Tiles, cell: int) -> int:
    """n where the cell holds the tile 2^n, 0 where it is empty."""
    row = state.row0 if cell < 4 else state.row1 if cell < 8 else state.row2 if cell < 12 else state.row3
    return row >> 4 * (cell & 3) & 15


def empty_cells(state: Tiles) -> int:
    """A word with the lowest of the four bits of each empty cell."""
    board = state.row0 | state.row1 << 16 | state.row2 << 32 | state.row3 << 48
    return ~(board | board >> 1 | board >> 2 | board >> 3) & 0x1111111111111111


def turned(state: Tiles) -> tuple[int, int, int, int]:
    """The columns as rows."""
    a, b, c, d = state.row0, state.row1, state.row2, state.row3
    return (
        a & 15 | (b & 15) << 4 | (c & 15) << 8 | (d & 15) << 12,
        a >> 4 & 15 | b & 0xF0 | (c & 0xF0) << 4 | (d & 0xF0) << 8,
        a >> 8 & 15 | b >> 4 & 0xF0 | c & 0xF00 | (d & 0xF00) << 4,
        a >> 12 & 15 | b >> 8 & 0xF0 | c >> 4 & 0xF00 | d & 0xF000,
    )


def flipped_cell(cell: int) -> int:
    """Cells counted from the top row as squares counted from the bottom row, or back."""
    return 4 * (3 - cell // 4) + cell % 4


def _tile(found: int) -> int:
    return 1 << int(found) if found else 0


def _exponent(text: str) -> int:
    number = int(text) if re.fullmatch(r"[0-9]{1,5}", text) else -1
    if number == 0:
        return 0
    if number < 2 or number & (number - 1) or number > 1 << LARGEST:
        raise BadInput(f"{text!r} is not a tile: tiles are 0 (empty), 2, 4, 8 and so on up to {1 << LARGEST}")
    return number.bit_length() - 1


class _Tables(NamedTuple):
    to_left: NDArray[np.int64]
    to_right: NDArray[np.int64]
    worth: NDArray[np.float64]
    promise: NDArray[np.float64]


@functools.cache
def _tables() -> _Tables:
    """What becomes of each of the 65,536 rows, and what each is worth and promises."""
    rows = np.arange(ROWS, dtype=np.int64)
    found = np.stack([rows >> 4 * column & 15 for column in range(4)])  # [columns, rows] exponents
    joined = np.array([1, 16, 256, 4096], np.int64)
    to_left, to_right = joined @ _merged(found), joined @ _merged(found[::-1])[::-1]
    worth = np.where(found > 0, (found - 1) * (1 << found), 0).sum(0).astype(float)
    ranks = found.astype(float)
    rises = (ranks[1:] ** 3 - ranks[:-1] ** 3).clip(0).sum(0)
    falls = (ranks[:-1] ** 3 - ranks[1:] ** 3).clip(0).sum(0)
    pairs = ((found[1:] == found[:-1]) & (found[1:] > 0)).sum(0)
    promise = EMPTY * (found == 0).sum(0) + MERGE * pairs - DISORDER * np.minimum(rises, falls)
    promise -= CROWD * (ranks**3).sum(0)
    return _Tables(to_left, to_right, worth, promise.clip(-LINE_RANGE, LINE_RANGE))


def _merged(found: NDArray[np.int64]) -> NDArray[np.int64]:
    """All rows slid to the left: no tile merges twice."""
    row = _pushed(found.copy())
    for column in range(3):
        same = (row[column] == row[column + 1]) & (row[column] > 0) & (row[column] < LARGEST)
        row[column] += same
        row[column + 1][same] = 0
    return _pushed(row)


def _pushed(row: NDArray[np.int64]) -> NDArray[np.int64]:
    for _ in range(3):
        for column in range(3):
            gap = row[column] == 0
            row[column][gap] = row[column + 1][gap]
            row[column + 1][gap] = 0
    return row
