"""What Monte Carlo trees know of Go: playouts with captures and shapes, priors for moves, whose a point will be."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ...bits import mix, popcount, read_state, scratch
from ...knowledge import Knowledge
from ...rng import draw64
from .board import BLACK, CHAIN, FREE, HALF, MINE, NOWHERE, OTHER, THEIRS, WHITE, Stones, liberties, reach, unpack
from .playouts import COUNTERS, EDGE, KO, LAST, NOBODY, anywhere, put, shaped, urgent
from .playouts import FREE as FREE_CELLS
from .shapes import EYES, SHAPE, shape_table

if TYPE_CHECKING:
    from .rules import Go

TENTH = 0x1999999999999999
"""Of the numbers of 64 bits, those below are a tenth."""
LONGEST = 3
"""A playout ends after so many moves for each point of the board."""
# What a feature of a move multiplies its prior by.
EYE_FILLED, INTO_ATARI, SHAPED, ATARI, ESCAPE, CAPTURE, CAPTURED_STONE = 0.001, 0.1, 2.5, 1.5, 5.0, 5.0, 1.5
PASSING, PASSING_BACK = 0.02, 2.0
NEARNESS = (1.0, 1.0, 3.5, 3.0, 2.2, 1.9, 1.5, 1.3)
"""By the distance to the last move: rows and columns between, the larger counted twice."""
LINES = (0.25, 0.6, 1.2, 1.3)
"""By the distance from the edge, where no stone is around."""
ROWS, COLUMNS = (1, -1, 0, 0, 1, 1, -1, -1), (0, 0, 1, -1, 1, -1, 1, -1)
"""The ways to the eight points around one, in the order of the codes of `shapes`."""


class GoKnowledge(Knowledge):
    """Simulations that answer atari and local shapes, RAVE, and priors for captures, shapes and what is near."""

    name = "shapes"
    game: Go
    scale = 1.0
    rave = 1500.0
    exploration: float | None = 0.7
    ripe = 4
    heavy = True

    def __init__(self, game: Go) -> None:
        self.game = game
        self.across = across = game.size + 1
        self.cells = (game.size + 3) * across + 1
        self.places = game.points
        self.shapes = shape_table()
        cells = np.full(self.cells, EDGE, np.int64)
        rows, columns = np.divmod(np.arange(game.points), game.size)
        cells[(rows + 2) * across + columns] = NOBODY
        self.blank = cells  # [cells] the colours of an empty board
        ways = (across, -across, 1, -1, across + 1, across - 1, 1 - across, -1 - across)
        padded = np.full(self.cells + 2 * across + 4, EDGE, np.int64)
        padded[across + 2 : across + 2 + self.cells] = cells
        codes = np.zeros(self.cells, np.int64)
        for n, way in enumerate(ways):
            codes |= padded[across + 2 + way : across + 2 + way + self.cells] << 2 * n
        self.codes = codes  # [cells] what the cells of an empty board have around them

    def chance(self, value: float, state: Any) -> float:
        """A share of simulations won is a winning chance as it is; points are logistic."""
        if self.game.by_points:
            return super().chance(value, state)
        return min(max((1.0 + value) / 2.0, 0.0), 1.0)

    def key(self, state: Stones) -> int:
        """The last move changes no value."""
        return mix((state.rows, state.ko, state.passes, state.mover))

    # -- playouts ----------------------------------------------------------------------------------

    def playout(self, state: Stones, rng: Any) -> Any:
        return self.played(state, rng, scratch(), False)

    def playout_moves(self, state: Stones, rng: Any, moves: Any) -> Any:
        return self.played(state, rng, moves, True)

    def played(self, state: Stones, rng: Any, moves: Any, noting: bool) -> Any:
        """The end of a game from here: what is urgent first, then a shape near the last move, or anywhere."""
        size, across = self.game.size, self.across
        colour, head, link, air, around = scratch(), scratch(), scratch(), scratch(), scratch()
        free, place, counts = scratch(), scratch(), scratch()
        self.lay(state, colour, head, link, air, around, free, place, counts)
        stone = 1 + state.mover
        passes = state.passes
        noted = 0
        for _ in range(LONGEST * self.game.points):
            cell = 0
            if self.heavy and counts[LAST] != 0:
                if draw64(rng) > TENTH:
                    cell = urgent(colour, head, link, air, counts, stone, across)
                if cell == 0 and draw64(rng) > TENTH:
                    cell = shaped(colour, head, air, around, counts, self.shapes, rng, stone, across)
            if cell == 0:
                cell = anywhere(colour, head, air, around, free, counts, self.shapes, rng, stone, across, self.heavy)
            if noting:
                moves[noted] = stone - 1
                moves[noted + 1] = self.game.points if cell == 0 else (cell // across - 2) * size + cell % across
                noted += 2
            if cell == 0:
                passes += 1
                counts[LAST] = counts[KO] = 0
                if passes >= 2:
                    break
            else:
                passes = 0
                put(colour, head, link, air, around, free, place, counts, cell, stone, across)
            stone = 3 - stone
        if noting:
            moves[noted] = -1
        return self.finished(state, colour, stone - 1)

    def lay(
        self, state: Stones, colour: Any, head: Any, link: Any, air: Any, around: Any, free: Any, place: Any,
        counts: Any,
    ) -> None:  # fmt: skip
        """Set a position up on the board of playouts."""
        size, across = self.game.size, self.across
        for cell in range(self.cells):
            colour[cell] = self.blank[cell]
            around[cell] = self.codes[cell]
        count = 0
        for row in range(size):
            for column in range(size):
                cell = (row + 2) * across + column
                free[count] = cell
                place[cell] = count
                count += 1
        for index in range(COUNTERS):
            counts[index] = 0
        counts[FREE_CELLS] = count
        for row in range(size):
            word = state.rows[row]
            for column in range(size):
                bits = word >> column
                if bits & 1 != 0:
                    put(colour, head, link, air, around, free, place, counts, (row + 2) * across + column, 1, across)
                elif bits >> HALF & 1 != 0:
                    put(colour, head, link, air, around, free, place, counts, (row + 2) * across + column, 2, across)
        counts[LAST] = self.cell_of(state.last)
        counts[KO] = self.cell_of(state.ko)

    def cell_of(self, point: int) -> int:
        """The cell of a point, 0 for none."""
        return 0 if point < 0 else (point // self.game.size + 2) * self.across + point % self.game.size

    def finished(self, state: Stones, colour: Any, mover: int) -> Any:
        """The state with these stones after two passes."""
        size = self.game.size
        rows = scratch()
        for row in range(size):
            word = 0
            for column in range(size):
                stone = colour[(row + 2) * self.across + column]
                if stone == 1:
                    word |= 1 << column
                elif stone == 2:
                    word |= 1 << column + HALF
            rows[row] = word
        return Stones(read_state(rows, 0, state.rows), NOWHERE, NOWHERE, 2, mover)

    # -- priors ------------------------------------------------------------------------------------

    def prior(self, state: Stones, action: int) -> float:
        size = self.game.size
        if action == self.game.pass_action:
            return PASSING_BACK if state.passes > 0 else PASSING
        board = scratch()
        unpack(board, state.rows, state.mover, size)
        row, column = action // size + 1, action % size
        code = code_around(board, row, column, state.mover, size)
        seen = self.shapes[code]
        if seen & EYES[state.mover] != 0:
            return EYE_FILLED
        weight = SHAPED if seen & SHAPE != 0 else 1.0
        if state.last != NOWHERE:
            down, across = abs(state.last // size + 1 - row), abs(state.last % size - column)
            distance = down + across + max(down, across)
            if distance < len(NEARNESS):
                weight *= NEARNESS[distance]
        if (code ^ code >> 1) & 0x5555 == 0:
            edge = min(min(row - 1, size - row), min(column, size - 1 - column))
            weight *= LINES[min(edge, len(LINES) - 1)]
        return weight * tactics(board, row, 1 << column, size)

    # -- whose a point is --------------------------------------------------------------------------

    def owner(self, state: Stones, place: int) -> int:
        size = self.game.size
        board, span = scratch(), size + 2
        unpack(board, state.rows, BLACK, size)
        reach(board, MINE, CHAIN, size)
        reach(board, THEIRS, OTHER, size)
        row, bit = place // size + 1, 1 << place % size
        black, white = board[CHAIN * span + row] & bit != 0, board[OTHER * span + row] & bit != 0
        return NOWHERE if black == white else BLACK if black else WHITE


class UniformKnowledge(GoKnowledge):
    """Simulations that play anywhere, their own eyes left out, and nothing else: plain UCT."""

    name = "uniform"
    rave = 0.0
    exploration = None
    ripe = 1
    heavy = False

    def playout_moves(self, state: Stones, rng: Any, moves: Any) -> Any:
        return self.played(state, rng, moves, True)

    @property
    def has_prior(self) -> bool:
        return False


def code_around(board: Any, row: int, column: int, mover: int, size: int) -> int:
    """The colours of the eight points around one, as `shapes` has them."""
    span = size + 2
    code = 0
    for way in range(8):
        line, place = row + ROWS[way], column + COLUMNS[way]
        colour = EDGE
        if 1 <= line <= size and 0 <= place < size:
            bit = 1 << place
            colour = NOBODY
            if board[MINE * span + line] & bit != 0:
                colour = 1 + mover
            elif board[THEIRS * span + line] & bit != 0:
                colour = 2 - mover
        code |= colour << 2 * way
    return code


def tactics(board: Any, row: int, bit: int, size: int) -> float:
    """What captures, escapes and atari make of the prior of a move; the board is not as it was afterwards."""
    span = size + 2
    weight = 1.0
    threatened = False
    takes = False
    for side in range(4):
        line, place = row, bit
        if side < 2:
            line = row - 1 if side == 0 else row + 1
        else:
            place = bit >> 1 if side == 2 else bit << 1
        if board[THEIRS * span + line] & place != 0:
            left = liberties(board, THEIRS, line, place, size, 3)
            if left == 1:
                takes = True
                stones = 0
                for each in range(1, size + 1):
                    stones += popcount(board[CHAIN * span + each])
                weight *= CAPTURE + CAPTURED_STONE * (stones - 1)
            elif left == 2:
                weight *= ATARI
        elif board[MINE * span + line] & place != 0 and liberties(board, MINE, line, place, size, 2) == 1:
            threatened = True
    if takes:
        return weight
    board[FREE * span + row] ^= bit
    board[MINE * span + row] |= bit
    left = liberties(board, MINE, row, bit, size, 3)
    if left <= 1:
        return weight * INTO_ATARI
    return weight * ESCAPE if threatened else weight
