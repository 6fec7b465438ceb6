"""From a state to places: which entry of its table each tuple of cells points at.

A board is covered by tuples of cells (`tuple_shapes`). The numbers in a tuple's cells make an index; symmetries of the
rules share tables (`cells`). Everything that says which cells and which tables is data, so that one compilation serves
every set of weights of a game.

A board of up to 64 cells is read as planes: word p has bit p of the digit of each cell. An index is then one machine
instruction for each plane, and one load that weighs its bits.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..bits import SCRATCH, gather, popcount, scratch, write_state
from ..errors import BadInput
from ..game import CHANCE
from ..rule_guard import Guard
from .cells import WORD, find_cells
from .model import Model
from .own_cells import LARGEST, cells_of, examine_cells, given_cells
from .symmetries import Cells


class Indexed(Model):
    """A model over tuples of cells."""

    feature_names = ()  # its weights are not those of the features that the game's own knowledge lists

    def __init__(self, game: Any, arrays: Any = None, **options: Any) -> None:
        self.own_cells = self.overrides("cells")
        super().__init__(game, arrays, **options)
        self.own_count = len(cells_of(self, game.start_state)) if self.own_cells else 0

    def examine(self, guard: Guard, state: Any) -> None:
        if self.own_cells:
            examine_cells(self, self.own_count, guard, state)

    layout: Any
    stage_of: Any
    filled: Any
    board_tuples: Any
    board_planes: Any
    word_plane: Any
    word_leaf: Any
    cell_leaf: Any
    cell_lut: Any
    cell_planes: Any
    piece_leaf: Any
    pieces: Any
    times: Any
    masks: Any
    tuple_lut: Any
    tuple_table: Any
    luts: Any
    number_table: Any
    first_slot: Any
    slot_leaf: Any
    slot_lut: Any
    slot_low: Any
    slot_span: Any

    def all_cells(self) -> Cells:
        """The cells, as the game's knowledge gives them or as they are found."""
        return given_cells(self) if self.own_cells else find_cells(self.game)

    def lay_out(self) -> None:
        """Constants of the compiled code, once the arrays are there."""
        game = self.game
        self.staged = len(set(self.stage_of.tolist())) > 1
        self.plane_boards, self.plane_tuples = len(self.board_planes) // 2, len(self.times)
        self.plane_count = int(self.board_planes.reshape(-1, 2)[:, 1].sum())
        self.from_words, self.from_cells = int(self.layout[2]), int(self.layout[3])
        self.piece_count = len(self.pieces) // 3
        self.number_tuples = len(self.first_slot) - 1
        self.used = self.plane_tuples + self.number_tuples
        if self.used > SCRATCH:
            raise BadInput(f"{game.name}: a model of {self.used} tuples is too large; there may be {SCRATCH}")

    def read(self, state: Any, words: Any) -> Any:
        """Write the numbers of a state down; returns the player in whose view they are."""
        if self.own_cells:
            count = 0
            for cell in self.cells(state):  # type: ignore[attr-defined]
                if not -LARGEST <= cell <= LARGEST:
                    raise ValueError("cells() gives a number that is too large for a cell")
                words[count] = cell
                count += 1
            if count != self.own_count:
                raise ValueError("cells() gives more or fewer cells than at the start of the game")
            return self.viewer(state)
        write_state(words, 0, state)
        turn = self.game.to_move(state)
        if self.chancy and turn == CHANCE:
            turn = 0
            if self.layout[0] >= 0:
                turn = 1 if words[self.layout[0]] == 1 else 0
        return turn

    def stage(self, words: Any) -> Any:
        """Where the tables of the stage begin: by how many cells of the boards of bits are filled."""
        if not self.staged:
            return 0
        count = 0
        for n in range(len(self.filled)):
            count += popcount(words[self.filled[n]])
        return self.stage_of[min(count, len(self.stage_of) - 1)] * self.layout[1]

    def read_planes(self, view: int, words: Any, planes: Any) -> None:
        """Bring the boards into planes."""
        for n in range(self.plane_count):
            planes[n] = 0
        first = view * self.from_words
        for n in range(first, first + self.from_words):
            planes[self.word_plane[np.uint64(n)]] |= words[self.word_leaf[np.uint64(n)]]
        first = view * self.from_cells
        for n in range(self.from_cells):
            low, span = self.cell_planes[np.uint64(4 * n)], self.cell_planes[np.uint64(4 * n + 1)]
            bit, plane = self.cell_planes[np.uint64(4 * n + 2)], self.cell_planes[np.uint64(4 * n + 3)]
            number = min(max(words[self.cell_leaf[np.uint64(first + n)]] - low, 0), span)
            digit = np.int64(self.luts[np.uint64(self.cell_lut[np.uint64(first + n)] + number)])
            while digit != 0:
                planes[plane] |= (digit & 1) << bit
                digit >>= 1
                plane += 1
        for n in range(self.piece_count):
            place = words[self.piece_leaf[np.uint64(view * self.piece_count + n)]]
            if 0 <= place < WORD:
                kind, low = self.pieces[np.uint64(3 * n)], self.pieces[np.uint64(3 * n + 1)]
                for k in range(self.pieces[np.uint64(3 * n + 2)]):
                    cleared = planes[low + k] & ~(np.int64(1) << place)
                    planes[low + k] = cleared | (kind >> k & 1) << place

    def plane_index(self, n: int, first: int, count: int, planes: Any) -> Any:
        """The place of the weight of a tuple, number `n` of all views, of a board with so many planes."""
        index = self.tuple_table[np.uint64(n)]
        lut, mask = self.tuple_lut[np.uint64(n)], self.masks[np.uint64(n)]
        for plane in range(count):
            index += np.int64(self.luts[np.uint64(lut + gather(planes[first + plane], mask))]) << plane
        return index

    def number_index(self, n: int, view: int, words: Any) -> Any:
        """The place of the weight of a tuple of numbers."""
        index = self.number_table[np.uint64(view * self.number_tuples + n)]
        slots = view * self.layout[4]
        for slot in range(self.first_slot[np.uint64(n)], self.first_slot[np.uint64(n + 1)]):
            here = np.uint64(slots + slot)
            number = words[self.slot_leaf[here]] - self.slot_low[np.uint64(slot)]
            number = min(max(number, 0), self.slot_span[np.uint64(slot)])
            index += self.luts[np.uint64(self.slot_lut[here] + number)]
        return index

    def indices(self, state: Any, found: Any) -> Any:
        """Write the place of each tuple's weight; returns the player in whose view they are."""
        words, planes = scratch(), scratch()
        view = self.read(state, words)
        shift = self.stage(words)
        self.read_planes(view, words, planes)
        row = view * self.plane_tuples
        for board in range(self.plane_boards):
            first, count = self.board_planes[2 * board], self.board_planes[2 * board + 1]
            for n in range(self.board_tuples[3 * board], self.board_tuples[3 * board + 2]):
                found[n] = self.plane_index(row + n, first, count, planes) + shift
        for n in range(self.number_tuples):
            found[self.plane_tuples + n] = self.number_index(n, view, words) + shift
        return view
