"""From a state to places: which entry of its table each tuple of cells points at.

A board is covered by tuples of cells (`tuple_shapes`). The numbers in a tuple's cells make an index; symmetries of the
rules share tables (`cells`). Everything that says which cells and which tables is data, so that one compilation serves
every set of weights of a game. On boards of bits an index is one machine instruction for each word of bits.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..bits import SCRATCH, gather, popcount, scratch, write_state
from ..errors import BadInput
from ..game import CHANCE
from .cells import Board, Cells, Symmetry, find_cells
from .model import Model
from .own_cells import given_cells
from .tuple_shapes import DIGITS, MOST, share

COUNTS = 64
"""Kinds of numbers that a count is told apart into."""


class Indexed(Model):
    """A model over tuples of cells."""

    feature_names = ()  # its weights are not those of the features that the game's own knowledge lists

    def __init__(self, game: Any, arrays: Any = None, **options: Any) -> None:
        self.own_cells, self.rolls = self.overrides("cells"), self.overrides("roller")
        super().__init__(game, arrays, **options)

    layout: Any
    stage_of: Any
    masks: Any
    bit_lut: Any
    bit_table: Any
    board_from: Any
    board_to: Any
    boards: Any
    digits: Any
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

    def viewer(self, state: Any) -> Any:
        """Who is to move, or to roll: the game's knowledge says the latter in `roller(state)`."""
        turn = self.game.to_move(state)
        if self.chancy and turn == CHANCE:
            turn = self.roller(state) if self.rolls else 0  # type: ignore[attr-defined]
        return turn

    def lay_out(self) -> None:
        """Constants of the compiled code, once the arrays are there."""
        game = self.game
        self.staged = len(set(self.stage_of.tolist())) > 1
        self.bit_tuples, self.number_tuples = len(self.board_from), len(self.first_slot) - 1
        self.paired = bool(self.bit_tuples) and self.layout[3] == 2 and bool(max(self.board_to - self.board_from) == 2)
        self.used = self.bit_tuples + self.number_tuples
        if self.used > SCRATCH:
            raise BadInput(f"{game.name}: a model of {self.used} tuples is too large; there may be {SCRATCH}")

    def read(self, state: Any, words: Any) -> Any:
        """Write the numbers of a state down; returns the player in whose view they are."""
        if self.own_cells:
            for place, cell in enumerate(self.cells(state)):  # type: ignore[attr-defined]
                words[place] = cell
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
        for board in range(self.layout[1]):
            count += popcount(words[self.boards[board]])
        return self.stage_of[min(count, len(self.stage_of) - 1)] * self.layout[2]

    def bit_index(self, row: int, n: int, view: int, words: Any) -> Any:
        """The place of the weight of a tuple of bits."""
        here = np.uint64(row + n)
        index = self.bit_table[here]
        lut, mask = self.bit_lut[here], self.masks[here]
        boards = view * self.layout[3]
        for board in range(self.board_from[np.uint64(n)], self.board_to[np.uint64(n)]):
            word = words[self.boards[np.uint64(boards + board)]]
            index += self.digits[np.uint64(board)] * self.luts[np.uint64(lut + gather(word, mask))]
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
        words = scratch()
        view = self.read(state, words)
        shift = self.stage(words)
        for n in range(self.bit_tuples):
            found[n] = self.bit_index(view * self.bit_tuples, n, view, words) + shift
        for n in range(self.number_tuples):
            found[self.bit_tuples + n] = self.number_index(n, view, words) + shift
        return view


class Places:
    """Lays tuples, tables and what leads from one to the other out in arrays."""

    def __init__(
        self,
        cells: Cells,
        players: int,
        stages: int,
        shapes: Callable[[Board, int], Sequence[tuple[int, ...]]],
    ) -> None:
        self.cells, self.players, self.shapes = cells, players, shapes
        self.views = max(players, 1)
        self.shares = players == 2 and cells.swap is not None
        self.size, self.largest = 0, 1
        self.luts: list[int] = []
        self.kept: dict[tuple[int, ...], int] = {}
        words: list[list[int]] = [[] for _ in range(self.views)]
        self.digits: list[int] = []
        self.bits: list[list[tuple[int, int, int]]] = [[] for _ in range(self.views)]  # mask, lut, table
        self.board_from: list[int] = []
        self.board_to: list[int] = []
        self.first_slot = [0]
        self.numbers: list[list[int]] = [[] for _ in range(self.views)]
        self.slots: list[list[tuple[int, int]]] = [[] for _ in range(self.views)]  # leaf, lut
        self.ranges: list[tuple[int, int]] = []
        room = MOST // max(len(cells.boards), 1)
        for number, board in enumerate(cells.boards):
            if board.is_bits:
                self._bit_board(number, board, room, words)
            else:
                self._number_board(number, board, room)
        for leaf, low, high in cells.counts:
            self._count(leaf, low, high)
        self.boards = words
        filled = self._filled()
        stage_of = [min(n * stages // (max(filled) + 1), stages - 1) for n in range(max(filled) + 2)]
        self.made = self._made(stage_of)
        beyond = 2 * self.largest  # where words that never met in the sample have a bit in common after all
        self.entries = self.size * stages + beyond

    def _made(self, stage_of: list[int]) -> dict[str, NDArray[Any]]:
        def flat(rows: list[list[Any]], kind: Any, part: int | None = None) -> NDArray[Any]:
            return np.array([item if part is None else item[part] for row in rows for item in row], kind)

        first = sum(1 for board in self.cells.boards for _ in board.words)
        mover = -1 if self.cells.mover is None else self.cells.mover
        return {
            "layout": np.array([mover, first, self.size, len(self.boards[0]), len(self.slots[0])], np.int64),
            "stage_of": np.array(stage_of, np.int64),
            "masks": flat(self.bits, np.uint64, 0),
            "bit_lut": flat(self.bits, np.int64, 1),
            "bit_table": flat(self.bits, np.int64, 2),
            "board_from": np.array(self.board_from, np.int64),
            "board_to": np.array(self.board_to, np.int64),
            "boards": flat(self.boards, np.int64),
            "digits": np.array(self.digits, np.int64),
            "luts": np.array(self.luts or [0], np.int32),
            "number_table": flat(self.numbers, np.int64),
            "first_slot": np.array(self.first_slot, np.int64),
            "slot_leaf": flat(self.slots, np.int64, 0),
            "slot_lut": flat(self.slots, np.int64, 1),
            "slot_low": np.array([low for low, _ in self.ranges], np.int64),
            "slot_span": np.array([span for _, span in self.ranges], np.int64),
        }

    def _filled(self) -> list[int]:
        words = [word for board in self.cells.boards for word in board.words]
        counts = [sum(popcount(int(row[word])) for word in words) for row in self.cells.sample]
        return counts or [0]

    def _tables(self, entries: int) -> list[int]:
        """A new table for each view, or one for all where the players can change places."""
        first = self.size
        self.largest = max(self.largest, entries)
        apart = 0 if self.shares else entries
        self.size += entries if self.shares else entries * self.views
        return [first + view * apart for view in range(self.views)]

    def _lut(self, values: tuple[int, ...]) -> int:
        if values not in self.kept:
            self.kept[values] = len(self.luts)
            self.luts += values
        return self.kept[values]

    def _swapped(self, view: int) -> Symmetry | None:
        return self.cells.swap if self.shares and view == 1 else None

    def _bit_board(self, number: int, board: Board, room: int, words: list[list[int]]) -> None:
        radix = len(board.words) + 1
        places = list(range(len(words[0]), len(words[0]) + len(board.words)))
        for view in range(self.views):
            order = list(board.words)
            swap = self._swapped(view)
            if swap is not None and swap.values and len(order) >= 2:
                order[0], order[1] = order[1], order[0]
            words[view] += order
        self.digits += [n + 1 for n in range(len(board.words))]
        for shared in share(self.cells, number, self.shapes(board, radix)[:room]):
            tables = self._tables(radix ** len(shared.images[0]))
            for image in shared.images:
                self.board_from.append(places[0])
                self.board_to.append(places[-1] + 1)
                for view in range(self.views):
                    swap = self._swapped(view)
                    cells = image if swap is None else tuple(swap.cells[number].index(cell) for cell in image)
                    bits = [board.cells[cell] for cell in cells]
                    order = sorted(range(len(bits)), key=bits.__getitem__)
                    powers = [radix**slot for slot in order]  # of the lowest bit first, as gather brings them
                    lut = tuple(
                        sum(power for n, power in enumerate(powers) if index >> n & 1)
                        for index in range(1 << len(bits))
                    )
                    self.bits[view].append((sum(1 << bit for bit in bits), self._lut(lut), tables[view]))

    def _number_board(self, number: int, board: Board, room: int) -> None:
        few = _buckets(board.low, board.high, DIGITS)
        radix = max(few) + 1
        for shared in share(self.cells, number, self.shapes(board, radix)[:room]):
            tables = self._tables(radix ** len(shared.images[0]))
            for image in shared.images:
                self._numbers(number, board, image, tables, few)
        if len(few) > radix:  # what buckets lose, cell by cell
            every = _buckets(board.low, board.high, COUNTS)
            for shared in share(self.cells, number, [(n,) for n in range(len(board.cells))]):
                tables = self._tables(max(every) + 1)
                for image in shared.images:
                    self._numbers(number, board, image, tables, every)

    def _numbers(
        self, number: int, board: Board, image: tuple[int, ...], tables: list[int], buckets: list[int]
    ) -> None:
        radix = max(buckets) + 1
        self.first_slot.append(self.first_slot[-1] + len(image))
        self.ranges += [(board.low, board.high - board.low)] * len(image)
        for view in range(self.views):
            swap = self._swapped(view)
            cells = image if swap is None else tuple(swap.cells[number].index(cell) for cell in image)
            trade = {} if swap is None else dict(swap.values) | {b: a for a, b in swap.values}
            self.numbers[view].append(tables[view])
            for slot, cell in enumerate(cells):
                values = [trade.get(value, value) for value in range(board.low, board.high + 1)]
                lut = tuple(buckets[min(max(value - board.low, 0), len(buckets) - 1)] * radix**slot for value in values)
                self.slots[view].append((board.cells[cell], self._lut(lut)))

    def _count(self, leaf: int, low: int, high: int) -> None:
        buckets = _buckets(low, high, COUNTS)
        tables = self._tables(max(buckets) + 1)
        self.first_slot.append(self.first_slot[-1] + 1)
        self.ranges.append((low, high - low))
        pair = [count[0] for count in self.cells.counts[:2]]
        for view in range(self.views):
            swap = self._swapped(view)
            read = pair[1 - pair.index(leaf)] if swap is not None and swap.counts and leaf in pair else leaf
            self.numbers[view].append(tables[view])
            self.slots[view].append((read, self._lut(tuple(buckets))))


def _buckets(low: int, high: int, most: int) -> list[int]:
    """For each number from low to high the kind that it counts as: all apart where there are few."""
    span = high - low + 1
    if span <= most:
        return list(range(span))
    exact = most // 2 if most <= DIGITS else most - 8
    ratio = (span / exact) ** (1 / (most - exact))
    found = []
    for n in range(span):
        extra = 0 if n < exact else 1 + int(math.log(max(n, 1) / exact) / math.log(ratio))
        found.append(n if n < exact else min(exact - 1 + extra, most - 1))
    return found
