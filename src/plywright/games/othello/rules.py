"""Othello (Reversi) on 8x8, 6x6 or 4x4: outflank discs and turn them; the most discs win.

Moves are squares, `f5`, with a1 at the upper left; a line of moves may be glued, `f5d6c3`, and may
leave out forced passes. A state is its squares row by row from a1, X for Black, O for White, - for
empty, then the side to move: `---------------------------OX------XO--------------------------- X`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ...bits import lowest_bit, popcount
from ...draw import Picture
from ...draw.board import Piece, board
from ...errors import BadInput, shown
from ...game import Game
from ...vectors import behind_runs, outflanked
from ..notation import bits_of, legal_action, read_cells, split_glued, square_cell, square_name
from .board import images, neighbours, quadrants, rays, square_order
from .ggf import SIZES, ggf_size, looks_like_ggf, read_ggf, split_ggf, write_ggf
from .knowledge import HandKnowledge
from .openings import opening_of
from .pattern_knowledge import PatternKnowledge
from .patterns import SIZE

ZERO, ONE = np.uint64(0), np.uint64(1)
BLACK, WHITE = 0, 1
BOOK = Path(__file__).with_name("opening.book")


class Discs(NamedTuple):
    """A position from the perspective of the player to move.

    `moves` follows from the discs and is kept because everything asks for it: the end of the game,
    the actions and the evaluation. `Othello.position` makes a state from discs alone.
    """

    mine: np.uint64
    theirs: np.uint64
    moves: np.uint64
    mover: int


class Othello(Game):
    """Utility is the difference in discs; squares left empty go to the winner or to nobody."""

    how_to_play = (
        "Black begins. A move places a disc so that it encloses one or more straight rows of the other's discs "
        "between itself and another disc of the mover's colour; all enclosed discs are turned over. Whoever has "
        "no such move passes.\n\n"
        "When neither side can move, the game is over, and whoever has more discs wins. The result is the "
        "difference in discs; squares left empty count for the winner."
    )

    player_names = ("Black", "White")
    evaluation_unit = (1.0, "discs")
    evaluation_digits = 2

    def __init__(self, size: int = 8, empties: str = "winner") -> None:
        if not isinstance(size, int) or size not in SIZES:
            raise BadInput(f"othello is played on size=4, 6 or 8, not {size!r}")
        if empties not in ("winner", "none"):
            raise BadInput(f"empties go to the 'winner' or to 'none', not {empties!r}")
        self.size, self.empties = size, empties
        self.knowledge, self.knowledges = HandKnowledge, {"hand": HandKnowledge}
        if size == SIZE:
            self.knowledge, self.knowledges = PatternKnowledge, {"patterns": PatternKnowledge, "hand": HandKnowledge}
        self.squares = self.pass_action = self.max_actions = size * size
        self.winner_takes_empties = empties == "winner"
        self.utility_range = (-self.squares, self.squares)
        # The four directions as shifts; a run of discs that may be turned never lies on the edge
        # columns in a direction that leaves its row or changes column, so `inner` stops wrapping.
        self.across, self.rising = np.uint64(1), np.uint64(size - 1)
        self.down, self.falling = np.uint64(size), np.uint64(size + 1)
        row = (1 << size) - 2 - (1 << size - 1)
        self.inner = np.uint64(sum(row << size * line for line in range(size)))
        self.board = np.uint64((1 << self.squares) - 1)
        last = self.squares - 1
        self.corners = np.uint64(1 | 1 << size - 1 | 1 << last - size + 1 | 1 << last)
        file, rank = sum(1 << size * line for line in range(size)), (1 << size) - 1
        self.first_file, self.last_file = np.uint64(file), np.uint64(file << size - 1)
        self.sides, self.ends = self.first_file | self.last_file, np.uint64(rank | rank << size * (size - 1))
        self.rim = self.sides | self.ends
        self.square_order, self.quadrant = square_order(size), quadrants(size)
        self.around, self.rays = neighbours(size), rays(size)
        self.images = images(size)
        middle = size // 2 * (size + 1)  # the lower right one of four
        self.centre = np.uint64(3 << middle - size - 1 | 3 << middle - 1)

    # -- rules -------------------------------------------------------------------------------------

    def initial(self) -> Discs:
        half = self.size // 2
        centre = half * self.size + half
        black = np.uint64(1 << centre - self.size | 1 << centre - 1)
        white = np.uint64(1 << centre - self.size - 1 | 1 << centre)
        return self.position(black, white, BLACK)

    def to_move(self, state: Discs) -> int:
        return state.mover

    def actions(self, state: Discs) -> Iterator[int]:
        moves = state.moves
        if moves == ZERO and not self.is_terminal(state):
            yield self.pass_action
        while moves != ZERO:
            yield lowest_bit(moves)
            moves &= moves - ONE

    def count_actions(self, state: Discs) -> int:
        if state.moves == ZERO:
            return 0 if self.is_terminal(state) else 1
        return popcount(state.moves)

    def result(self, state: Discs, action: int) -> Discs:
        placed = turned = ZERO
        if action != self.pass_action:
            placed = ONE << np.uint64(action)
            turned = self.turned(action, state.mine, state.theirs)
        return self.position(state.theirs & ~turned, state.mine | turned | placed, 1 - state.mover)

    def is_terminal(self, state: Discs) -> bool:
        return bool(state.moves == ZERO and self.legal(state.theirs, state.mine) == ZERO)

    def utility(self, state: Discs, player: int) -> float:
        mine, theirs = popcount(state.mine), popcount(state.theirs)
        margin = mine - theirs
        if self.winner_takes_empties:
            if margin > 0:
                margin = self.squares - 2 * theirs
            elif margin < 0:
                margin = 2 * mine - self.squares
        return margin if player == state.mover else -margin

    def position(self, mine: np.uint64, theirs: np.uint64, mover: int) -> Discs:
        """The state with these discs: the mover's, the opponent's, and who the mover is."""
        return Discs(mine, theirs, self.legal(mine, theirs), mover)

    def legal(self, mine: np.uint64, theirs: np.uint64) -> np.uint64:
        """The squares where the owner of `mine` may play."""
        inner = theirs & self.inner
        shifts = self.across, self.down, self.rising, self.falling
        return behind_runs(mine, (inner, theirs, inner, inner), shifts) & ~(mine | theirs) & self.board

    def turned(self, square: int, mine: np.uint64, theirs: np.uint64) -> np.uint64:
        """The discs that a disc placed there turns."""
        return outflanked(self.rays, 8 * square, mine, theirs)

    def canonical(self, state: Discs) -> Discs:
        """The least of the positions that turning and mirroring the board make of this one."""
        least_mine, least_theirs = state.mine, state.theirs
        for symmetry in range(8):
            mine = theirs = ZERO
            for square in range(self.squares):
                bit = ONE << np.uint64(square)
                image = ONE << np.uint64(self.images[symmetry * self.squares + square])
                if state.mine & bit != ZERO:
                    mine |= image
                if state.theirs & bit != ZERO:
                    theirs |= image
            if mine < least_mine or (mine == least_mine and theirs < least_theirs):
                least_mine, least_theirs = mine, theirs
        return self.position(least_mine, least_theirs, state.mover)

    # -- notation ----------------------------------------------------------------------------------

    def opening_name(self, start: Any, actions: Sequence[int]) -> str:
        """The opening that a game on 8x8 has come to, such as Tiger."""
        return opening_of(actions) if self.size == SIZE and start == self.start_state else ""

    def opening_book(self) -> Path | None:
        """The book that comes with Plywright is of the usual board."""
        return BOOK if self.size == SIZE and self.winner_takes_empties else None

    def format_action(self, state: Any, action: int) -> str:
        return "pass" if action == self.pass_action else square_name(int(action), self.size)

    def parse_action(self, state: Any, text: str) -> int:
        action = self.pass_action if _is_pass(text) else square_cell(text, self.size, self.size)
        return legal_action(self, state, action, text)

    def split_moves(self, text: str) -> list[str]:
        return split_glued(text, f"{PASSES}|[a-z][1-9]")

    def join_moves(self, moves: list[str]) -> str:
        return "".join(moves)

    def play_moves(self, state: Any, moves: str | Iterable[str | int]) -> Any:
        """The state after a transcript, in which a pass need not be written."""
        for number, move in enumerate(self.split_moves(moves) if isinstance(moves, str) else moves, 1):
            passes = _is_pass(move) if isinstance(move, str) else move == self.pass_action
            if state.moves == ZERO and not self.is_terminal(state) and not passes:
                state = self.state_after(state, self.pass_action)
            try:
                state = self.state_after(state, self.move_meant(state, move))
            except BadInput as error:
                raise BadInput(f"move {number}: {error}") from None
        return state

    notations = ("text", "ggf")

    def write_record(self, start: Any, actions: Any, notation: str, names: Any, payoffs: Any, notes: Any) -> str:
        return write_ggf(self, start, actions, names, payoffs, notes)

    def parse_record(self, text: str) -> tuple[Any, list[int]] | None:
        return read_ggf(self, text)[:2] if looks_like_ggf(text) else None

    def record_rules(self, text: str) -> str:
        size = ggf_size(text)
        return "" if size in (None, self.size) else f"othello:size={size}"

    def record_names(self, text: str) -> tuple[str, ...]:
        fields = read_ggf(self, text).fields
        return fields.get("PB", ""), fields.get("PW", "")

    def split_records(self, text: str) -> list[str]:
        return split_ggf(text)

    def format_state(self, state: Any) -> str:
        cells = self._cells(state).replace(".", "-")
        return f"{cells} {'XO'[int(state.mover)]}"

    def parse_state(self, text: str) -> Any:
        """A state from text; also in lower case, with * or . signs, in rows, glued, or before a `; comment`."""
        *rows, side = text.partition(";")[0].split() or [""]
        if not rows and len(side) == self.squares + 1:
            rows, side = [side[:-1]], side[-1]
        mover = SIDES.get(side.lower())
        if mover is None or not rows:
            raise BadInput(
                f"{shown(text)} is not a state of {self.name}: write its {self.squares} squares from a1 with X, O "
                "and -, then a space and who moves, X or O"
            )
        cells = read_cells(" ".join(rows), self.size, self.size, SIGNS, "othello")
        discs = np.uint64(bits_of(cells, "X")), np.uint64(bits_of(cells, "O"))
        return self.checked(self.position(discs[mover], discs[1 - mover], mover))

    def check_state(self, state: Any) -> str:
        if (state.mine | state.theirs) & ~self.board != ZERO:
            return "there is a disc outside the board"
        if state.mine & state.theirs != ZERO:
            return "two discs are on the same square"
        if state.mine | state.theirs == ZERO:
            return "a board without a single disc is not a position of the game"
        if ~(state.mine | state.theirs) & self.centre != ZERO:
            return "the four squares in the middle hold discs from the first move on, and here one of them is empty"
        if state.mover not in (BLACK, WHITE):
            return f"the player to move would be {state.mover}: Black is 0, White is 1"
        return "" if state.moves == self.legal(state.mine, state.theirs) else "its moves are not those of its discs"

    def _cells(self, state: Any) -> str:
        black, white = (state.mine, state.theirs) if state.mover == BLACK else (state.theirs, state.mine)
        return "".join(
            "X" if int(black) >> cell & 1 else "O" if int(white) >> cell & 1 else "." for cell in range(self.squares)
        )

    # -- picture -----------------------------------------------------------------------------------

    def picture(self, state: Any, last: int | None = None, targets: bool = True) -> Picture:
        """The board with the last move marked and, with `targets`, where the mover may play."""
        cells = self._cells(state)
        score = f"Black {cells.count('X')}, White {cells.count('O')}"
        turn = "game over" if self.is_terminal(state) else f"{self.player_name(int(state.mover))} to move"
        return board(
            cells,
            self.size,
            {"X": Piece("disc", "black"), "O": Piece("disc", "white")},
            look="felt",
            last=() if last is None or last == self.pass_action else (int(last),),
            targets=[cell for cell in range(self.squares) if targets and int(state.moves) >> cell & 1],
            caption=f"{score}; {turn}",
        )


# -- what people write -------------------------------------------------------------------------------

PASSES = "pass|pa|ps|--"
SIGNS = {"X": "X", "x": "X", "*": "X", "b": "X", "B": "X", "●": "X"}
SIGNS |= {"O": "O", "o": "O", "w": "O", "W": "O", "○": "O", "-": ".", ".": ".", "_": "."}
SIDES = {"x": BLACK, "*": BLACK, "b": BLACK, "black": BLACK, "●": BLACK}
SIDES |= {"o": WHITE, "w": WHITE, "white": WHITE, "○": WHITE}


def _is_pass(text: str) -> bool:
    return text.strip().lower() in PASSES.split("|")
