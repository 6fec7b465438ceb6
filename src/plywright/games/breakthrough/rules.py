"""Breakthrough: pawns step forward, straight or diagonally, and take diagonally; the first across wins.

Squares are named as in chess, a1 at White's lower left. Moves are `a2a3`, `a2b3`, and `a2xb3` when
they take. A state is its rows from the top, then who moves: `bbbb/bbbb/..../wwww/wwww w`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from types import MappingProxyType
from typing import Any

import numpy as np

from ...bits import lowest_bit, popcount
from ...draw import Picture
from ...draw.board import Piece, board
from ...errors import BadInput
from ...game import Game
from ..notation import (
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
from .endings import BreakthroughEndings
from .knowledge import BreakthroughKnowledge, weighed
from .position import BLACK, ONE, WHITE, ZERO, Pawns

LEFT, AHEAD, RIGHT = range(3)


class Breakthrough(Game):
    """White goes up, Black down. A pawn on the far row wins, and so does taking the last enemy pawn.

    An action is 64 times the square a pawn leaves plus the square it goes to.
    """

    how_to_play = (
        "White moves up the board, Black down. A pawn moves one square forward or diagonally forward onto an "
        "empty square, and may take an enemy diagonally forward, never straight ahead. Whoever brings a pawn to "
        "the far row, or takes the last enemy pawn, wins."
    )

    player_names = ("White", "Black")
    knowledge = BreakthroughKnowledge
    knowledges = MappingProxyType({"advance": BreakthroughKnowledge, "endings": BreakthroughEndings})

    def __init__(self, columns: int = 8, rows: int = 8) -> None:
        self.columns, self.rows = whole_number("columns", columns, 2, 16), whole_number("rows", rows, 4, 32)
        self.squares = columns * rows
        if self.squares > 64:
            raise BadInput(f"a breakthrough board has at most 64 squares; {columns} by {rows} has {self.squares}")
        self.max_actions = 6 * columns
        row = (1 << columns) - 1
        self.board = np.uint64((1 << self.squares) - 1)
        self.first_row, self.last_row = np.uint64(row), np.uint64(row << columns * (rows - 1))
        column = sum(1 << columns * line for line in range(rows))
        self.not_left, self.not_right = (
            np.uint64(_without(self.squares, column)),
            np.uint64(_without(self.squares, column << columns - 1)),
        )
        self.ahead = np.uint64(columns)
        self.row_masks = tuple(np.uint64(row << columns * line) for line in range(rows))
        # The evaluation, in wins: of a pawn, and of the square of its steps; all pawns together stay inside a win.
        scale = 1 << (2 * columns * (4 + (rows - 1) ** 2)).bit_length()
        self.worth = (4 / scale, 1 / scale)

    # -- rules -------------------------------------------------------------------------------------

    def initial(self) -> Pawns:
        white = self.first_row | self.first_row << self.ahead
        return Pawns(white, self.last_row | self.last_row >> self.ahead, WHITE)

    def to_move(self, state: Pawns) -> int:
        return state.mover

    def actions(self, state: Pawns) -> Iterator[int]:
        for direction in range(3):
            targets = self.targets(state, direction)
            back = self.stride(state.mover, direction)
            while targets != ZERO:
                target = lowest_bit(targets)
                yield (target - back) * 64 + target
                targets &= targets - ONE

    def result(self, state: Pawns, action: int) -> Pawns:
        origin, target = ONE << np.uint64(action >> 6), ONE << np.uint64(action & 63)
        if state.mover == WHITE:
            return Pawns(state.white ^ origin ^ target, state.black & ~target, BLACK)
        return Pawns(state.white & ~target, state.black ^ origin ^ target, WHITE)

    def is_terminal(self, state: Pawns) -> bool:
        return self.white_wins(state) or self.black_wins(state)

    def utility(self, state: Pawns, player: int) -> float:
        return 1 if self.white_wins(state) == (player == WHITE) else -1

    def evaluate(self, state: Pawns, player: int) -> float:
        """Pawns weighed by how far they have come; the utility where the game is over."""
        return weighed(self, self.worth, state, player)

    def advance(self, pawns: np.uint64, player: int) -> int:
        """The squares of the steps that the pawns of a side have come, added up."""
        total = 0
        for row in range(1, self.rows):
            line = row if player == WHITE else self.rows - 1 - row
            total += row * row * popcount(pawns & self.row_masks[line])
        return total

    def white_wins(self, state: Pawns) -> bool:
        return bool(state.white & self.last_row != ZERO or state.black == ZERO)

    def black_wins(self, state: Pawns) -> bool:
        return bool(state.black & self.first_row != ZERO or state.white == ZERO)

    def targets(self, state: Pawns, direction: int) -> np.uint64:
        """The squares that the mover's pawns can reach in a direction, left and right as White sees them."""
        mine = state.white if state.mover == WHITE else state.black
        if direction == LEFT:
            mine &= self.not_left
        elif direction == RIGHT:
            mine &= self.not_right
        distance = np.uint64(abs(self.stride(state.mover, direction)))
        if state.mover == WHITE:
            moved = mine << distance & self.board & ~state.white
        else:
            moved = mine >> distance & ~state.black
        return moved & ~(state.white | state.black) if direction == AHEAD else moved

    def stride(self, mover: int, direction: int) -> int:
        """How far a step in that direction goes, in squares counted from a1."""
        return direction - 1 + (self.columns if mover == WHITE else -self.columns)

    # -- notation ----------------------------------------------------------------------------------

    def format_action(self, state: Any, action: int) -> str:
        origin, target = divmod(int(action), 64)
        taken = (state.black if state.mover == WHITE else state.white) & ONE << np.uint64(target)
        return square_name(origin, self.columns) + ("x" if taken else "") + square_name(target, self.columns)

    def parse_action(self, state: Any, text: str) -> int:
        """Also with - or : between the squares, and with or without the x."""
        found = re.fullmatch(MOVE, text.strip().lower())
        action = None
        if found is not None:
            origin, target = (square_cell(found[part], self.columns, self.rows) for part in (1, 2))
            action = None if origin is None or target is None else origin * 64 + target
        return legal_action(self, state, action, text)

    def split_moves(self, text: str) -> list[str]:
        return split_glued(text, MOVE)

    def format_state(self, state: Any) -> str:
        return f"{in_rows(flipped(self._signs(state), self.columns), self.columns)} {'wb'[int(state.mover)]}"

    def parse_state(self, text: str) -> Any:
        """A state from its rows and the side to move; also with P and p for the pawns, or numbers for gaps."""
        *rows, side = text.split() or [""]
        mover = SIDES.get(side.lower())
        if mover is None or not rows:
            raise BadInput(f"{text!r} is not a state of {self.name}: write rows from the top, then a space and w or b")
        signs = flipped(read_cells(" ".join(rows), self.columns, self.rows, SIGNS, self.name), self.columns)
        return self.checked(Pawns(np.uint64(bits_of(signs, "w")), np.uint64(bits_of(signs, "b")), mover))

    def check_state(self, state: Any) -> str:
        if (state.white | state.black) & ~self.board != ZERO:
            return "there is a pawn outside the board"
        if state.white & state.black != ZERO:
            return "two pawns are on the same square"
        if state.mover not in (WHITE, BLACK):
            return f"the player to move would be {state.mover}: White is 0, Black is 1"
        for pawns, player in ((state.white, "White"), (state.black, "Black")):
            if popcount(pawns) > 2 * self.columns:
                return f"{player} has {popcount(pawns)} pawns, but began with {2 * self.columns}"
        if self.white_wins(state) and self.black_wins(state):
            return "both players have won, but the first to win ends the game"
        if self.white_wins(state) if state.mover == WHITE else self.black_wins(state):
            return f"{self.player_name(state.mover)} has won already and cannot be to move"
        return ""

    def _signs(self, state: Any) -> str:
        """The squares row by row from row 1, as w, b and full stops."""
        white, black = int(state.white), int(state.black)
        return "".join(
            "w" if white >> square & 1 else "b" if black >> square & 1 else "." for square in range(self.squares)
        )

    # -- picture -----------------------------------------------------------------------------------

    def picture(self, state: Any, last: int | None = None) -> Picture:
        caption = f"{self.player_name(int(state.mover))} to move"
        if self.is_terminal(state):
            caption = f"{'White' if self.white_wins(state) else 'Black'} has won"
        return board(
            self._signs(state),
            self.columns,
            {"w": Piece("pawn", "white"), "b": Piece("pawn", "black")},
            look="wood",
            upward=True,
            last=() if last is None else divmod(int(last), 64),
            caption=caption,
        )


MOVE = r"([a-z][0-9]+)[-x:]?([a-z][0-9]+)"
SIGNS = {"w": "w", "W": "w", "P": "w", "b": "b", "B": "b", "p": "b", ".": ".", "-": ".", "_": "."}
SIDES = {"w": WHITE, "white": WHITE, "b": BLACK, "black": BLACK}


def _without(squares: int, column: int) -> int:
    return ((1 << squares) - 1) & ~column
