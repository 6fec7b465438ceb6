"""What is known of 2048's boards beyond the rules: how they turn, what is made already, and tables that were learned.

The tables were learned from games alone (`benchmarks/tiles_training.py`): each has a number for whatever may lie on six
cells, in any turn or mirror of the board, and their sum is the points that are still to come after a move.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from ...knowledge import Knowledge
from ...models.model import joined
from ...models.model_file import ModelFile, read_model
from ...models.packed import Packed

CELL, ROW, TWO = np.uint64(4), np.uint64(16), np.uint64(2)  # bits of each, and a factor
KEPT, UP = np.uint64(0xF0F00F0FF0F00F0F), np.uint64(0x0000F0F00000F0F0)  # cells inside blocks of two by two
KEPT_BLOCKS, UP_BLOCKS = np.uint64(0xFF00FF0000FF00FF), np.uint64(0x00000000FF00FF00)
EVEN_CELLS, EVEN_PAIRS = np.uint64(0x0F0F0F0F0F0F0F0F), np.uint64(0x00FF00FF00FF00FF)
EVEN_ROWS, EVEN_HALVES = np.uint64(0x0000FFFF0000FFFF), np.uint64(0x00000000FFFFFFFF)
SHIPPED = Path(__file__).with_name("tables.knowledge")


class TilesKnowledge(Knowledge):
    """The evaluation by hand, and what tables need to know: eight boards of the same worth, and the points so far."""

    name = "hand"
    packed_tuples = ((0, 1, 2, 4, 5, 6), (1, 2, 5, 6, 9, 13), (0, 1, 2, 3, 4, 5), (0, 1, 5, 6, 7, 10))
    cell_places = tuple((3 - cell // 4, cell % 4) for cell in range(16))  # counted from the bottom row, as squares are

    def cell_name(self, content: int) -> str:
        """The tile that a cell holds, for people."""
        return str(1 << content) if content else "empty"

    def boards(self, state: Any) -> tuple[Any, ...]:
        """The board as a word, four bits a cell, in its eight turns and mirrors."""
        low = np.uint64(state.row0 | state.row1 << 16)
        board = low | np.uint64(state.row2 | state.row3 << 16) << np.uint64(32)
        other = transposed(board)
        one, two = mirrored(board), mirrored(other)
        return board, other, one, two, upended(board), upended(other), upended(one), upended(two)

    def banked(self, state: Any) -> int:
        """What the tiles are worth, in fours."""
        return int(self.game.utility(state, 0)) >> 2


@cache
def shipped() -> ModelFile:
    """The file with the weights."""
    return read_model(SHIPPED)


class TilesTables(joined(Packed, TilesKnowledge)):  # type: ignore[misc]
    """The tables that ship: the points to come after a move, by what lies on six cells at a time."""

    name = "tables"

    def __init__(self, game: Any) -> None:
        file = shipped()
        super().__init__(game, file.arrays, **file.options)
        self._training = file.training


def transposed(board: Any) -> Any:
    """Rows as columns: first within blocks of two by two cells, then the blocks."""
    board = board & KEPT | traded(board, UP, ROW - CELL)
    return board & KEPT_BLOCKS | traded(board, UP_BLOCKS, TWO * (ROW - CELL))


def mirrored(board: Any) -> Any:
    """Each row the other way round."""
    return traded(traded(board, EVEN_PAIRS, TWO * CELL), EVEN_CELLS, CELL)


def upended(board: Any) -> Any:
    """The rows in the opposite order."""
    return traded(traded(board, EVEN_ROWS, ROW), EVEN_HALVES, TWO * ROW)


def traded(board: Any, cells: Any, by: Any) -> Any:
    """These cells moved up by so many bits, and those that were there moved down."""
    return (board & cells) << by | board >> by & cells
