"""Lays the tuples of a board, their tables and what leads from one to the other out in arrays, for `indexing`."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..bits import popcount
from .cells import WORD
from .symmetries import KINDS, Board, Cells, Symmetry
from .tuple_shapes import DIGITS, MOST, share, single_counts

COUNTS = 64
"""Kinds of numbers that a count is told apart into."""


class Places:
    """All of it for one game: `made` are the arrays, `entries` the weights that its tables have together."""

    def __init__(
        self,
        cells: Cells,
        players: int,
        stages: int,
        shapes: Callable[[Board, int], Sequence[tuple[int, ...]]],
        together: Callable[[Sequence[int]], Sequence[tuple[int, ...]]] = single_counts,
    ) -> None:
        self.cells, self.players, self.shapes = cells, players, shapes
        self.views = max(players, 1)
        self.shares = players == 2 and cells.swap is not None
        self.size, self.largest = 0, 1
        self.luts: list[int] = []
        self.kept: dict[tuple[int, ...], int] = {}
        self.boards: list[list[int]] = []  # first tuple, first that is read again, end; first plane, planes
        self.times: list[float] = []
        self.tuples: list[list[tuple[int, int, int]]] = [[] for _ in range(self.views)]  # mask, lut, table
        self.words: list[list[tuple[int, int]]] = [[] for _ in range(self.views)]  # plane, leaf
        self.cell_leaves: list[list[tuple[int, int]]] = [[] for _ in range(self.views)]  # leaf, lut
        self.cell_planes: list[tuple[int, int, int, int]] = []  # least number, span, bit, first plane
        self.piece_leaves: list[list[int]] = [[] for _ in range(self.views)]
        self.pieces: list[tuple[int, int, int]] = []  # digit, first plane, planes
        self.planes = 0
        self.first_slot = [0]
        self.numbers: list[list[int]] = [[] for _ in range(self.views)]
        self.slots: list[list[tuple[int, int]]] = [[] for _ in range(self.views)]  # leaf, lut
        self.ranges: list[tuple[int, int]] = []
        room = MOST // max(len(cells.boards), 1)
        for number, board in enumerate(cells.boards):
            if board.is_bits:
                self._bit_board(number, board, room)
            else:
                self._number_board(number, board, room)
        self._counts(together)
        filled = self._filled()
        stage_of = [min(n * stages // (max(filled) + 1), stages - 1) for n in range(max(filled) + 2)]
        self.made = self._made(stage_of)
        beyond = 2 * self.largest  # where words that never met in the sample have a bit in common after all
        self.entries = self.size * stages + beyond

    def _made(self, stage_of: list[int]) -> dict[str, NDArray[Any]]:
        def flat(rows: list[list[Any]], kind: Any, part: int | None = None) -> NDArray[Any]:
            return np.array([item if part is None else item[part] for row in rows for item in row], kind)

        mover = -1 if self.cells.mover is None else self.cells.mover
        filled = [word for board in self.cells.boards for word in board.words]
        sizes = [mover, self.size, len(self.words[0]), len(self.cell_planes), len(self.slots[0])]
        return {
            "layout": np.array(sizes, np.int64),
            "stage_of": np.array(stage_of, np.int64),
            "filled": np.array(filled, np.int64),
            "board_tuples": np.array([part for board in self.boards for part in board[:3]], np.int64),
            "board_planes": np.array([part for board in self.boards for part in board[3:]], np.int64),
            "times": np.array(self.times, np.float32),
            "word_plane": flat(self.words, np.int64, 0),
            "word_leaf": flat(self.words, np.int64, 1),
            "cell_leaf": flat(self.cell_leaves, np.int64, 0),
            "cell_lut": flat(self.cell_leaves, np.int64, 1),
            "cell_planes": np.array([part for cell in self.cell_planes for part in cell], np.int64),
            "piece_leaf": flat(self.piece_leaves, np.int64),
            "pieces": np.array([part for piece in self.pieces for part in piece], np.int64),
            "masks": flat(self.tuples, np.uint64, 0),
            "tuple_lut": flat(self.tuples, np.int64, 1),
            "tuple_table": flat(self.tuples, np.int64, 2),
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

    def _bit_board(self, number: int, board: Board, room: int) -> None:
        """A board of bits: the digit of a cell is the number of the word that has its bit."""
        radix = len(board.words) + 1 + len(board.pieces)
        first = self._new_board(radix)
        self._pieces(board, len(board.words) + 1)
        for view in range(self.views):
            order = list(board.words)
            swap = self._swapped(view)
            if swap is not None and swap.values and len(order) >= 2:
                order[0], order[1] = order[1], order[0]
            for digit, leaf in enumerate(order, 1):
                self.words[view] += [(first + n, leaf) for n in range(digit.bit_length()) if digit >> n & 1]
        self._tuples(number, board.cells, radix, self.shapes(board, radix)[:room])

    def _number_board(self, number: int, board: Board, room: int) -> None:
        """A board of numbers; one too large for a word is read cell by cell."""
        kinds = board.high - board.low < KINDS
        few = _buckets(board.low, board.high, KINDS if kinds else DIGITS)
        radix = max(few) + 1 + len(board.pieces)
        tuples = self.shapes(board, radix)[:room]
        if len(board.cells) <= WORD:
            first = self._new_board(radix)
            self._pieces(board, max(few) + 1)
            span = board.high - board.low
            self.cell_planes += [(board.low, span, bit, first) for bit in range(len(board.cells))]
            for view in range(self.views):
                trade = self._traded(view)
                values = [trade.get(value, value) for value in range(board.low, board.high + 1)]
                lut = self._lut(tuple(few[min(max(value - board.low, 0), span)] for value in values))
                self.cell_leaves[view] += [(leaf, lut) for leaf in board.cells]
            self._tuples(number, range(len(board.cells)), radix, tuples)
        else:
            self._slow_tuples(number, board, tuples, few)
        if len(few) > max(few) + 1:  # what buckets lose, cell by cell
            single = [(n,) for n in range(len(board.cells))]
            self._slow_tuples(number, board, single, _buckets(board.low, board.high, COUNTS))

    def _new_board(self, radix: int) -> int:
        """Room for the planes of a board whose cells have so many digits; the first of them."""
        first, count = self.planes, (radix - 1).bit_length()
        self.boards.append([0, 0, 0, first, count])
        self.planes += count
        return first

    def _pieces(self, board: Board, digit: int) -> None:
        """The pieces on the board that was begun last: each has a digit of its own, in the place of what lies there."""
        first, count = self.boards[-1][3:]
        self.pieces += [(digit + n, first, count) for n in range(len(board.pieces))]
        for view in range(self.views):
            swap = self._swapped(view)
            trade = {} if swap is None else dict(swap.pieces) | {b: a for a, b in swap.pieces}
            self.piece_leaves[view] += [trade.get(leaf, leaf) for leaf in board.pieces]

    def _tuples(self, number: int, bits: Sequence[int], radix: int, tuples: Sequence[tuple[int, ...]]) -> None:
        """The tuples of the board that was begun last, whose cells are these bits of its planes.

        A tuple that a symmetry maps onto itself is learned in each of its readings, so that they always weigh the same;
        whoever adds up reads it in one of them, so many `times`. The other readings stand behind all tuples.
        """
        first, again = len(self.tuples[0]), list[tuple[tuple[int, ...], list[int]]]()
        for shared in share(self.cells, number, tuples):
            tables = self._tables(radix ** len(shared.images[0]))
            read: dict[frozenset[int], int] = {}
            for image in shared.images:
                if frozenset(image) in read:
                    self.times[read[frozenset(image)]] += 1
                    again.append((image, tables))
                    continue
                read[frozenset(image)] = len(self.times)
                self._one_tuple(number, bits, radix, image, tables, 1.0)
        end = len(self.tuples[0])
        for image, tables in again:
            self._one_tuple(number, bits, radix, image, tables, 0.0)
        self.boards[-1][:3] = first, end, len(self.tuples[0])

    def _one_tuple(
        self, number: int, bits: Sequence[int], radix: int, image: tuple[int, ...], tables: list[int], times: float
    ) -> None:
        self.times.append(times)
        for view in range(self.views):
            swap = self._swapped(view)
            cells = image if swap is None else tuple(swap.cells[number].index(cell) for cell in image)
            places = [bits[cell] for cell in cells]
            order = sorted(range(len(places)), key=places.__getitem__)
            powers = [radix**slot for slot in order]  # of the lowest bit first, as gather brings them
            lut = tuple(
                sum(power for n, power in enumerate(powers) if index >> n & 1) for index in range(1 << len(places))
            )
            self.tuples[view].append((sum(1 << bit for bit in places), self._lut(lut), tables[view]))

    def _slow_tuples(self, number: int, board: Board, tuples: Sequence[tuple[int, ...]], buckets: list[int]) -> None:
        for shared in share(self.cells, number, tuples):
            tables = self._tables((max(buckets) + 1) ** len(shared.images[0]))
            for image in shared.images:
                self._numbers(number, board, image, tables, buckets)

    def _traded(self, view: int) -> dict[int, int]:
        """The numbers in cells that stand for each other where the players change places."""
        swap = self._swapped(view)
        return {} if swap is None else dict(swap.values) | {b: a for a, b in swap.values}

    def _numbers(
        self, number: int, board: Board, image: tuple[int, ...], tables: list[int], buckets: list[int]
    ) -> None:
        radix = max(buckets) + 1
        self.first_slot.append(self.first_slot[-1] + len(image))
        self.ranges += [(board.low, board.high - board.low)] * len(image)
        for view in range(self.views):
            swap = self._swapped(view)
            cells = image if swap is None else tuple(swap.cells[number].index(cell) for cell in image)
            trade = self._traded(view)
            self.numbers[view].append(tables[view])
            for slot, cell in enumerate(cells):
                values = [trade.get(value, value) for value in range(board.low, board.high + 1)]
                lut = tuple(buckets[min(max(value - board.low, 0), len(buckets) - 1)] * radix**slot for value in values)
                self.slots[view].append((board.cells[cell], self._lut(lut)))

    def _counts(self, together: Callable[[Sequence[int]], Sequence[tuple[int, ...]]]) -> None:
        """Tables over the counts: of each alone and, where there is no board, of those that are looked at together."""
        buckets = [_buckets(low, high, COUNTS) for _, low, high in self.cells.counts]
        kinds = [max(found) + 1 for found in buckets]
        for group in single_counts(kinds) if self.cells.boards else together(kinds):
            tables = self._tables(math.prod(kinds[n] for n in group))
            self.first_slot.append(self.first_slot[-1] + len(group))
            self.ranges += [(low, high - low) for _, low, high in (self.cells.counts[n] for n in group)]
            for view in range(self.views):
                self.numbers[view].append(tables[view])
                radix = 1
                for n in group:
                    lut = self._lut(tuple(radix * kind for kind in buckets[n]))
                    self.slots[view].append((self._count_read(n, view), lut))
                    radix *= kinds[n]

    def _count_read(self, number: int, view: int) -> int:
        """The leaf that a count is read from: the first two change places where the players do."""
        swap = self._swapped(view)
        if swap is not None and swap.counts and number < 2:
            number = 1 - number
        return self.cells.counts[number][0]


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
