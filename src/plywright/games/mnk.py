"""m,n,k-games: k in a row on m columns by n rows, and tic-tac-toe, the one of three.

Squares are named as in chess, a1 at the lower left. A state is its rows from the top, X for the
first player and O for the second: `X.O/.X./...`; who moves follows from the counts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from ..bits import lowest_bit, popcount
from ..draw import Picture
from ..draw.board import Piece, board, row_of
from ..errors import BadInput
from ..game import Game
from ..knowledge import Knowledge
from .notation import (
    bits_of,
    flipped,
    in_rows,
    legal_action,
    read_cells,
    split_glued,
    square_cell,
    square_name,
    whole_number,
)

WEIGHTS = (1.0, 0.0, 0.0)
"""What a line is worth that is open, lacks one mark, lacks two."""
WIDEST = 0.99
"""Evaluations stay inside this, whatever the weights."""


class Marks(NamedTuple):
    """A position from the perspective of the player to move: bit n for the n-th cell, counted from a1.

    The fields are signed, so that a board of 64 cells fits: the last cell is the sign.
    """

    mine: int
    theirs: int


class MNKKnowledge(Knowledge):
    """Open lines, counted; and, where they are given a weight, lines that lack one mark or two."""

    name = "lines"
    feature_names = ("open lines", "one to go", "two to go")
    game: MNK

    def __init__(self, game: MNK, weights: Sequence[float] = WEIGHTS) -> None:
        self.game = game
        self.weights = np.array(weights, np.float64)

    def evaluate(self, state: Marks, player: int) -> float:
        """The weighted difference, scaled to lie inside a win; the utility where the game is over."""
        return weighed(self.game, self.weights, state, player)

    def features(self, state: Marks, player: int) -> tuple[float, ...]:
        """Lines that hold no mark of the other, and those among them that lack one or two marks."""
        game = self.game
        mine, theirs = state.mine, state.theirs
        if player != game.to_move(state):
            mine, theirs = theirs, mine
        return game.open_lines(theirs), game.lines_lacking(mine, theirs, 1), game.lines_lacking(mine, theirs, 2)


def weighed(game: MNK, weights: Any, state: Marks, player: int) -> float:
    """Lines of the player less those of the other, weighed."""
    if game.is_terminal(state):
        return game.utility(state, player)
    mine, theirs = state.mine, state.theirs
    lead = weights[0] * (game.open_lines(theirs) - game.open_lines(mine))
    if weights[1] != 0.0 or weights[2] != 0.0:
        lead += weights[1] * (game.lines_lacking(mine, theirs, 1) - game.lines_lacking(theirs, mine, 1))
        lead += weights[2] * (game.lines_lacking(mine, theirs, 2) - game.lines_lacking(theirs, mine, 2))
    value = min(max(game.line_weight * lead, -WIDEST), WIDEST)
    return float(value if player == game.to_move(state) else -value)


class MNK(Game):
    """The first player with k marks in a row, column or diagonal wins; a full board is a draw."""

    how_to_play = (
        "X and O take turns to mark an empty square. Whoever has k marks in an unbroken row, column or diagonal "
        "first wins (three in tic-tac-toe); when the board is full and nobody has, the game is a draw."
    )

    player_names = ("X", "O")
    knowledge = MNKKnowledge

    def __init__(self, m: int = 3, n: int = 3, k: int = 3) -> None:
        self.m, self.n = whole_number("m (columns)", m, 1, 26), whole_number("n (rows)", n, 1, 64)
        if m * n > 64:
            raise BadInput(f"an m,n,k-game has at most 64 cells; {m} by {n} has {m * n}")
        self.k = whole_number("k (in a row)", k, 1, max(m, n))
        self.cells = self.max_actions = m * n
        self.bits = tuple(_signed(1 << cell) for cell in range(m * n))
        self.board = _signed((1 << m * n) - 1)
        # For each direction that has room for a line: the distance between its cells, and where lines start.
        lines = [(right + up * m, _starts(m, n, k, right, up)) for right, up in ((1, 0), (0, 1), (1, 1), (-1, 1))]
        self.shifts = tuple(shift for shift, starts in lines if starts)
        self.starts = tuple(_signed(starts) for _, starts in lines if starts)
        count = sum(popcount(starts) for starts in self.starts)
        self.line_weight = 1 / (1 << count.bit_length())
        self.evaluation_unit = (self.line_weight, "open lines")
        self.images = tuple(cell for image in _images(m, n) for cell in image)  # [symmetries * cells]
        self.symmetries = len(self.images) // (m * n)

    # -- rules -------------------------------------------------------------------------------------

    def initial(self) -> Marks:
        return Marks(0, 0)

    def to_move(self, state: Marks) -> int:
        return popcount(state.mine | state.theirs) & 1

    def actions(self, state: Marks) -> Iterator[int]:
        free = self.board & ~(state.mine | state.theirs)
        while free != 0:
            cell = lowest_bit(free)
            yield cell
            free &= ~self.bits[cell]

    def result(self, state: Marks, action: int) -> Marks:
        return Marks(state.theirs, state.mine | self.bits[action])

    def is_terminal(self, state: Marks) -> bool:
        return state.mine | state.theirs == self.board or self.has_line(state.theirs)

    def utility(self, state: Marks, player: int) -> float:
        if not self.has_line(state.theirs):
            return 0
        return -1 if player == self.to_move(state) else 1

    def evaluate(self, state: Marks, player: int) -> float:
        """Lines still open for the player minus lines still open for the opponent, scaled to lie inside a win.

        Where the game is over it is the utility.
        """
        return weighed(self, WEIGHTS, state, player)

    def canonical(self, state: Marks) -> Marks:
        """The least of the positions that turning and mirroring the board make of this one."""
        least_mine, least_theirs = state.mine, state.theirs
        for symmetry in range(self.symmetries):
            mine, theirs = 0, 0
            for cell in range(self.cells):
                image = self.bits[self.images[symmetry * self.cells + cell]]
                if state.mine & self.bits[cell] != 0:
                    mine |= image
                if state.theirs & self.bits[cell] != 0:
                    theirs |= image
            if mine < least_mine or (mine == least_mine and theirs < least_theirs):
                least_mine, least_theirs = mine, theirs
        return Marks(least_mine, least_theirs)

    def has_line(self, marks: int) -> bool:
        found = 0
        for direction in range(len(self.shifts)):
            found |= self.lines(marks, direction)
        return found != 0

    def open_lines(self, against: int) -> int:
        """How many lines hold none of these marks."""
        count = 0
        for direction in range(len(self.shifts)):
            count += popcount(self.lines(~against, direction))
        return count

    def lines_lacking(self, mine: int, theirs: int, lacking: int) -> int:
        """How many lines hold all but so many of these marks, and none of theirs."""
        count = 0
        for direction in range(len(self.shifts)):
            starts = self.lines(~theirs, direction)
            while starts != 0:
                cell = lowest_bit(starts)
                starts &= ~self.bits[cell]
                held = 0
                for distance in range(self.k):
                    if mine & self.bits[cell + distance * self.shifts[direction]] != 0:
                        held += 1
                if held == self.k - lacking:
                    count += 1
        return count

    def lines(self, marks: int, direction: int) -> int:
        """The cells where lines of k marks in that direction start."""
        shift = self.shifts[direction]
        found = self.starts[direction]
        for distance in range(self.k):
            found &= marks >> distance * shift
        return found

    # -- notation ----------------------------------------------------------------------------------

    def format_action(self, state: Any, action: int) -> str:
        return square_name(int(action), self.m)

    def parse_action(self, state: Any, text: str) -> int:
        return legal_action(self, state, square_cell(text, self.m, self.n), text)

    def split_moves(self, text: str) -> list[str]:
        return split_glued(text, r"[a-z][0-9]+")

    def format_state(self, state: Any) -> str:
        return in_rows(flipped(self._signs(state), self.m), self.m)

    def parse_state(self, text: str) -> Any:
        """A state from its rows; also without the /, and with the side to move after it."""
        *rows, side = text.split() or [""]
        if not rows or side.lower() not in ("x", "o") or len("".join([*rows, side])) == self.cells:
            rows, side = [*rows, side], ""
        signs = flipped(read_cells(" ".join(rows), self.m, self.n, SIGNS, self.name), self.m)
        counts = signs.count("X"), signs.count("O")
        mover = sum(counts) % 2
        marks = [_signed(bits_of(signs, sign)) for sign in "XO"]
        state = self.checked(Marks(marks[mover], marks[1 - mover]))
        if side and side.upper() != "XO"[mover]:
            raise BadInput(
                f"{self.name}: with {counts[0]} X and {counts[1]} O it is {'XO'[mover]} to move, not {side.upper()}"
            )
        return state

    def check_state(self, state: Any) -> str:
        if (state.mine | state.theirs) & ~self.board:
            return "there is a mark outside the board"
        if state.mine & state.theirs:
            return "X and O are on the same cell"
        mover = self.to_move(state)
        crosses, rings = (popcount(marks) for marks in (state if mover == 0 else state[::-1]))
        if crosses - rings != mover:
            return f"there are {crosses} X and {rings} O; X moves first, so it has as many or one more"
        if self.has_line(state.mine) and self.has_line(state.theirs):
            return f"both X and O have {self.k} in a row, but the first line ends the game"
        if self.has_line(state.mine):
            return f"{'XO'[mover]} has {self.k} in a row already and cannot be to move"
        return ""

    def _signs(self, state: Any) -> str:
        """The cells row by row from row 1, as X, O and full stops."""
        mine, theirs = "XO" if self.to_move(state) == 0 else "OX"
        return "".join(
            mine if state.mine >> cell & 1 else theirs if state.theirs >> cell & 1 else "."
            for cell in range(self.cells)
        )

    # -- picture -----------------------------------------------------------------------------------

    def picture(self, state: Any, last: int | None = None) -> Picture:
        mover = self.to_move(state)
        caption = f"{'XO'[mover]} to move"
        if self.has_line(state.theirs):
            caption = f"{'XO'[1 - mover]} has {self.k} in a row"
        elif self.is_terminal(state):
            caption = "a draw"
        return board(
            self._signs(state),
            self.m,
            {"X": Piece("cross", "first-ink"), "O": Piece("ring", "second-ink")},
            look="paper",
            upward=True,
            last=() if last is None else (int(last),),
            won=row_of(self._signs(state), self.m, self.k),
            caption=caption,
        )


class TicTacToe(MNK):
    """Three in a row on three by three."""

    def __init__(self) -> None:
        super().__init__(3, 3, 3)


SIGNS = {"X": "X", "x": "X", "O": "O", "o": "O", ".": ".", "-": ".", "_": "."}


def _signed(word: int) -> int:
    """The 64 bits of a word as a signed number, which is what compiled code makes of them."""
    return word - (1 << 64) if word >> 63 else word


def _images(m: int, n: int) -> list[list[int]]:
    """Where each cell goes when the board is mirrored or turned: 4 ways, on a square board 8."""
    found = []
    for flip_column in (False, True):
        for flip_row in (False, True):
            for swap in (False, True) if m == n else (False,):
                image = []
                for cell in range(m * n):
                    row, column = divmod(cell, m)
                    column, row = m - 1 - column if flip_column else column, n - 1 - row if flip_row else row
                    image.append(column * m + row if swap else row * m + column)
                found.append(image)
    return found


def _starts(m: int, n: int, k: int, right: int, up: int) -> int:
    """The cells from which k cells in that direction stay on the board, as bits."""
    starts = 0
    for row in range(n):
        for column in range(m):
            if 0 <= column + (k - 1) * right < m and row + (k - 1) * up < n:
                starts |= 1 << row * m + column
    return starts
