"""Connect Four on any board of up to 64 bits: stones fall, four in a row win.

Moves are columns from 1, `4`, and a line of them, `4453`, also names the state it leads to. A state
may also be written as its rows from the top, X for the first player and O for the second:
`......./......./......./......./...O.../..XXO..`; that form is used where no line of moves is found.

With `score=speed` a win counts the stones that its winner has left, plus one: on 7x6 that is 22 less
the stones it took, as solvers score it. Otherwise a win is a win.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from ...bits import lowest_bit, popcount
from ...draw import Picture
from ...draw.board import Piece, board, row_of
from ...errors import BadInput
from ...game import Game
from ..notation import flipped, in_rows, legal_action, read_cells, whole_number
from .knowledge import WEIGHTS, ConnectFourKnowledge, weighed

START = "start"
SCORES = ("plain", "speed")
PATIENCE = 100_000  # partial boards looked at in search of a line of moves that leads to a state


class Stones(NamedTuple):
    """A position from the perspective of the player to move.

    Bit `column * (rows + 1) + row`, row 0 at the bottom: the bit above each column stays empty, so
    that no line of four runs from the top of one column into the next.
    """

    mine: int
    theirs: int


class ConnectFour(Game):
    """Four stones in a row, column or diagonal win; a full board is a draw."""

    how_to_play = (
        "Red and Yellow take turns to drop a stone into a column, where it falls onto the lowest free place. The "
        "first to have four of its stones in an unbroken row, column or diagonal wins; a full board without one "
        "is a draw."
    )

    player_names = ("Red", "Yellow")
    knowledge = ConnectFourKnowledge

    def __init__(self, columns: int = 7, rows: int = 6, score: str = "plain") -> None:
        self.columns = whole_number("columns", columns, 1, 32)
        self.rows = whole_number("rows", rows, 1, 19)
        height = rows + 1
        if columns * height > 64:
            raise BadInput(
                f"connect-four needs columns * (rows + 1) <= 64, one spare bit a column; "
                f"{columns} * ({rows} + 1) is {columns * height}"
            )
        if score not in SCORES:
            raise BadInput(f"score must be {' or '.join(SCORES)}, not {score!r}")
        self.speed = score == "speed"
        most = max((columns * rows - 7) // 2 + 1, 1) if self.speed else 1  # the seventh stone is the first that can win
        self.utility_range = (-most, most)
        self.max_actions = columns
        self.height = height
        self.column = (1 << rows) - 1
        self.feet = sum(1 << height * column for column in range(columns))
        self.board = self.column * self.feet
        middle = {(columns - 1) // 2, columns // 2}
        self.centre = sum(self.column << height * column for column in middle)
        # From the middle outwards: better moves first make alpha-beta cut sooner.
        self.order = tuple(sorted(range(columns), key=lambda column: (abs(2 * column - columns + 1), column)))

    # -- rules -------------------------------------------------------------------------------------

    def initial(self) -> Stones:
        return Stones(0, 0)

    def to_move(self, state: Stones) -> int:
        return popcount(state.mine | state.theirs) & 1

    def actions(self, state: Stones) -> Iterator[int]:
        occupied = state.mine | state.theirs
        for column in self.order:
            if not occupied >> column * self.height + self.rows - 1 & 1:
                yield column

    def result(self, state: Stones, action: int) -> Stones:
        # Adding one at the foot of a column carries into its lowest empty cell.
        occupied = state.mine | state.theirs
        foot = action * self.height
        placed = occupied + (1 << foot) & self.column << foot
        return Stones(state.theirs, state.mine | placed)

    def is_terminal(self, state: Stones) -> bool:
        return self.has_four(state.theirs) or state.mine | state.theirs == self.board

    def utility(self, state: Stones, player: int) -> float:
        if not self.has_four(state.theirs):
            return 0
        won = self.win_with(self.board & ~(state.mine | state.theirs), 0)
        return -won if player == self.to_move(state) else won

    def win_with(self, empty: int, further: int) -> int:
        """What a win is worth that needs `further` of the empty cells; 0 where there are not so many."""
        left = popcount(empty) - further
        if left < 0:
            return 0
        return left // 2 + 1 if self.speed else 1

    def evaluate(self, state: Stones, player: int) -> float:
        """Threats and stones in the middle, weighed; the utility where the game is over."""
        return weighed(self, WEIGHTS, state, player)

    def has_four(self, stones: int) -> bool:
        height = self.height
        return (four(stones, 1) | four(stones, height) | four(stones, height - 1) | four(stones, height + 1)) != 0

    def completing(self, stones: int) -> int:
        """The cells that would make four of these stones, occupied or off the board included."""
        height = self.height
        upright = stones << 1 & stones << 2 & stones << 3
        return upright | gaps(stones, height) | gaps(stones, height - 1) | gaps(stones, height + 1)

    # -- notation ----------------------------------------------------------------------------------

    def format_action(self, state: Any, action: int) -> str:
        return str(int(action) + 1)

    def parse_action(self, state: Any, text: str) -> int:
        word = text.strip()
        return legal_action(self, state, int(word) - 1 if re.fullmatch(r"[0-9]{1,2}", word) else None, text)

    def split_moves(self, text: str) -> list[str]:
        words = re.split(r"[\s,;-]+", text.strip())
        if self.columns > 9:
            return [word for word in words if word]
        return [move for word in words if word for move in (word if word.isdigit() else [word])]

    def join_moves(self, moves: list[str]) -> str:
        return ("" if self.columns <= 9 else ",").join(moves)

    def format_state(self, state: Any) -> str:
        """The moves of some game that leads here, or the board where none is found."""
        moves = self._moves_to(state)
        if moves is None:
            return in_rows(flipped(self._cells(state), self.columns), self.columns)
        return self.join_moves([str(column + 1) for column in moves]) or START

    def parse_state(self, text: str) -> Any:
        word = text.strip()
        if word.lower() in ("", START):
            return self.start_state
        if "/" in word or set("".join(word.split())) <= set(SIGNS):
            cells = flipped(read_cells(word, self.columns, self.rows, SIGNS, self.name), self.columns)
            first, second = (self._stones(cells, sign) for sign in "XO")
            return self.checked(Stones(second, first) if len(cells.replace(".", "")) % 2 else Stones(first, second))
        return self.play_moves(self.start_state, word)

    def _stones(self, cells: str, sign: str) -> int:
        """The stones of a sign, the cells row by row from the bottom."""
        places = (divmod(cell, self.columns) for cell, found in enumerate(cells) if found == sign)
        return sum(1 << column * self.height + row for row, column in places)

    def check_state(self, state: Any) -> str:
        occupied = state.mine | state.theirs
        if occupied & ~self.board:
            return "there is a stone outside the board"
        if state.mine & state.theirs:
            return "two stones are in the same cell"
        hanging = occupied & ~(occupied << 1 | self.feet)
        if hanging:
            column, row = divmod(lowest_bit(hanging), self.height)
            return f"the stone in column {column + 1}, row {row + 1} hangs in the air"
        mover = self.to_move(state)
        crosses, rings = (popcount(stones) for stones in (state if mover == 0 else state[::-1]))
        if crosses - rings != mover:
            return f"X has {crosses} stones and O {rings}; X moves first, so it has as many or one more"
        if self.has_four(state.mine) and self.has_four(state.theirs):
            return "both players have four in a row, but the first four ends the game"
        if self.has_four(state.mine):
            return f"{'XO'[mover]} has four in a row already and cannot be to move"
        return ""

    def _cells(self, state: Any) -> str:
        """The cells row by row from the bottom."""
        first, second = (state.mine, state.theirs) if self.to_move(state) == 0 else (state.theirs, state.mine)
        signs = []
        for row in range(self.rows):
            for column in range(self.columns):
                bit = column * self.height + row
                signs.append("X" if first >> bit & 1 else "O" if second >> bit & 1 else ".")
        return "".join(signs)

    def _moves_to(self, state: Any) -> list[int] | None:
        """Columns of a game that ends in this state: stones are taken back from the top, depth first."""
        cells = self._cells(state)
        stacks = [cells[column :: self.columns].rstrip(".") for column in range(self.columns)]
        heights = [len(stack) for stack in stacks]
        moves: list[int] = []
        tried: list[int] = [0]  # for each stone taken back, the next column to try
        dead: set[tuple[int, ...]] = set()
        won = self.has_four(state.theirs)
        while any(heights):
            sign = "XO"[(sum(heights) - 1) % 2]
            column = tried[-1]
            while column < self.columns and not (
                heights[column]
                and stacks[column][heights[column] - 1] == sign
                and (moves or not won or self._wins(state, column, heights[column] - 1))
            ):
                column += 1
            if column == self.columns or tuple(heights) in dead:
                dead.add(tuple(heights))
                if not moves or len(dead) > PATIENCE:
                    return None
                tried.pop()
                heights[moves.pop()] += 1
            else:
                tried[-1] = column + 1
                tried.append(0)
                moves.append(column)
                heights[column] -= 1
        return moves[::-1]

    def _wins(self, state: Any, column: int, row: int) -> bool:
        """Whether taking this stone away leaves no four: then it can have been the last one."""
        return not self.has_four(state.theirs & ~(1 << column * self.height + row))

    # -- picture -----------------------------------------------------------------------------------

    def picture(self, state: Any, last: int | None = None) -> Picture:
        cells = self._cells(state)
        marked = []
        if last is not None:
            column = cells[int(last) :: self.columns].rstrip(".")
            marked = [(len(column) - 1) * self.columns + int(last)]
        mover = self.to_move(state)
        if self.has_four(state.theirs):
            caption = f"{self.player_name(1 - mover)} has four in a row"
        elif "." not in cells:
            caption = "a draw"
        else:
            caption = f"{self.player_name(mover)} ({'XO'[mover]}) to move"
        return board(
            cells,
            self.columns,
            {"X": Piece("chip", "red"), "O": Piece("chip", "yellow")},
            look="rack",
            upward=True,
            column_names=[str(column + 1) for column in range(self.columns)],
            row_names=(),
            last=marked,
            won=row_of(cells, self.columns, 4),
            caption=caption,
        )


def four(stones: int, shift: int) -> int:
    """Where four stones lie one shift apart, as the lowest of each four; 0 where nowhere."""
    pairs = stones & stones >> shift
    return pairs & pairs >> 2 * shift


def gaps(stones: int, shift: int) -> int:
    """The cells that complete a four in this direction, at its ends or inside it."""
    below = stones << shift & stones << 2 * shift
    above = stones >> shift & stones >> 2 * shift
    ends = below & stones << 3 * shift | above & stones >> 3 * shift
    return ends | below & stones >> shift | above & stones << shift


"""Up to so many stones a position and its mirror image share a key."""
SIGNS = {"X": "X", "x": "X", "O": "O", "o": "O", ".": ".", "_": ".", "-": "."}
