"""English checkers (draughts on 8x8): men step forward, kings both ways, and whoever can jump must.

Squares are numbered 1 to 32 as in every book: row by row from Black's side, dark squares only. Black moves first, from
1-12 towards 32. Moves are `11-15`, jumps `15x22`, and a jump of several men is one move with its whole path,
`22x15x8`. A state is written as PDN writes positions, `B:W21,22,K30:B1,2,K7`, with `:H5` behind it where five plies
have gone without a capture or a man's move.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np

from ...bits import lowest_bit, mix, popcount
from ...draw import Picture
from ...draw.board import Piece, board
from ...errors import BadInput, shown
from ...game import Game
from ..notation import split_tagged, whole_number
from .board import (
    BITS,
    BLACK,
    BLACK_START,
    BOARD,
    COUNT_SHIFT,
    DOWN,
    FIRST_ROW,
    LAST_ROW,
    MEN,
    ONE,
    PATH_SHIFT,
    SQUARES,
    WHITE,
    WHITE_START,
    ZERO,
    Position,
    can_move,
    jumpers,
    jumps,
    movers,
    shifted,
    travelled,
)
from .fitted import FittedKnowledge
from .knowledge import MAN, CheckersKnowledge
from .pdn import FOREIGN, looks_like_pdn, read_pdn, write_pdn


class Checkers(Game):
    """Who cannot move has lost. Drawn when a position comes up for the third time, or after `limit` moves of
    each side without a capture or a man's move."""

    how_to_play = (
        "Black begins. Men move one dark square diagonally forward and jump over an adjacent enemy onto the empty "
        "square behind it, which takes that piece. Whoever can jump must, and goes on with the same piece as long "
        "as it can. A man that reaches the far row becomes a king, and stops there; kings move and jump backward "
        "as well.\n\n"
        "Whoever cannot move has lost. It is a draw when a position comes up for the third time, or when nothing "
        "was taken and no man moved for 40 moves of each side."
    )

    player_names = ("Black", "White")
    max_actions = 64
    repetition = ("draw", 3)
    notations = ("text", "pdn")
    knowledge = FittedKnowledge
    knowledges = MappingProxyType({"fitted": FittedKnowledge, "hand": CheckersKnowledge})
    evaluation_unit = (1 / MAN, "men")
    evaluation_digits = 2

    def __init__(self, limit: int = 40) -> None:
        self.limit = whole_number("limit", limit, 1, 1000)
        self.quiet_plies = 2 * self.limit

    # -- rules -------------------------------------------------------------------------------------

    def initial(self) -> Position:
        return Position(BLACK_START, WHITE_START, ZERO, BLACK, 0)

    def to_move(self, state: Position) -> int:
        return state.mover

    def actions(self, state: Position) -> Iterator[int]:
        mine, theirs = (state.black, state.white) if state.mover == BLACK else (state.white, state.black)
        empty = BOARD & ~(mine | theirs)
        jumping = jumpers(mine, theirs, empty, state.kings, state.mover)
        if jumping == ZERO:
            for direction in range(4):
                stepping = movers(mine, state.kings, state.mover, direction) & shifted(empty, direction ^ 2)
                while stepping != ZERO:
                    yield lowest_bit(stepping) | direction << PATH_SHIFT
                    stepping &= stepping - ONE
        while jumping != ZERO:
            # All longest paths of one piece, depth first: `way` is the direction to try next from `here`.
            origin = lowest_bit(jumping)
            jumping &= jumping - ONE
            here = ONE << np.uint64(origin)
            king = state.kings & here != ZERO
            free, left = empty | here, theirs
            first, last = (0, 4) if king else (2 * state.mover, 2 * state.mover + 2)
            path, count, way, ended = 0, 0, first, True
            while True:
                if way < last:
                    over = shifted(here, way) & left
                    landing = shifted(over, way) & free
                    if landing == ZERO:
                        way += 1
                        continue
                    path |= way << 2 * count
                    count += 1
                    left ^= over
                    here, way, ended = landing, first, True
                    continue
                if count == 0:
                    break
                if ended:
                    yield origin | count << COUNT_SHIFT | path << PATH_SHIFT
                count -= 1
                way = path >> 2 * count
                path &= (1 << 2 * count) - 1
                over = shifted(here, way ^ 2)
                left |= over
                here, way, ended = shifted(over, way ^ 2), way + 1, False

    def result(self, state: Position, action: int) -> Position:
        mine, theirs = (state.black, state.white) if state.mover == BLACK else (state.white, state.black)
        origin = ONE << np.uint64(action & 63)
        target, taken = travelled(action)
        king = state.kings & origin
        kings = state.kings & ~(origin | taken)
        crowned = target & (LAST_ROW if state.mover == BLACK else FIRST_ROW)
        if king | crowned != ZERO:
            kings |= target
        mine ^= origin ^ target
        theirs &= ~taken
        quiet = 0 if king == ZERO or taken != ZERO else state.quiet + 1
        if state.mover == BLACK:
            return Position(mine, theirs, kings, WHITE, quiet)
        return Position(theirs, mine, kings, BLACK, quiet)

    def is_terminal(self, state: Position) -> bool:
        return state.quiet >= self.quiet_plies or not can_move(state)

    def utility(self, state: Position, player: int) -> float:
        """Who cannot move has lost, even where the forty moves are over with that."""
        if can_move(state):
            return 0
        return -1 if player == state.mover else 1

    def repetition_key(self, state: Position) -> int:
        """Without the plies that are counted: they are what goes on while a position repeats itself."""
        return mix((state.black, state.white, state.kings, state.mover))

    # -- moves as text ---------------------------------------------------------------------------------

    def format_action(self, state: Any, action: int) -> str:
        return ("x" if jumps(int(action)) else "-").join(str(number) for number in path(int(action)))

    def parse_action(self, state: Any, text: str) -> int:
        """Also `11 15`, `15:22`, and the two ends of a jump where only one path joins them."""
        if not re.fullmatch(MOVE, text.strip().lower()):
            raise self.unknown_move(state, text)
        numbers = [int(word) for word in re.findall("[0-9]+", text)]
        paths = {tuple(path(action)): action for action in self.choices(state)}
        if tuple(numbers) in paths:
            return paths[tuple(numbers)]
        meant = [way for way in paths if in_order(numbers, way)]
        if len(meant) > 1:
            ways = " or ".join("x".join(map(str, way)) for way in meant)
            raise BadInput(f"{shown(text.strip())} can be played in several ways; write the whole path: {ways}")
        if not meant:
            raise self.unknown_move(state, text)
        return paths[meant[0]]

    def split_moves(self, text: str) -> list[str]:
        return re.sub(r"\b[0-9]+\.+(?=\s|[0-9]|$)", " ", text).replace(",", " ").replace(";", " ").split()

    def write_record(self, start: Any, actions: Any, notation: str, names: Any, payoffs: Any, notes: Any) -> str:
        return write_pdn(self, start, actions, names, payoffs, notes)

    def parse_record(self, text: str) -> tuple[Any, list[int]] | None:
        return read_pdn(self, text)[:2] if looks_like_pdn(text) else None

    def is_foreign(self, text: str) -> bool:
        return FOREIGN.search(text) is not None

    def record_names(self, text: str) -> tuple[str, ...]:
        tags = read_pdn(self, text).tags
        return tags.get("Black", ""), tags.get("White", "")

    def split_records(self, text: str) -> list[str]:
        return split_tagged(text)

    # -- positions as text -------------------------------------------------------------------------------

    def format_state(self, state: Any) -> str:
        white, black = (",".join(numbered(pieces, state.kings)) for pieces in (state.white, state.black))
        return f"{'BW'[state.mover]}:W{white}:B{black}" + (f":H{state.quiet}" if state.quiet else "")

    def parse_state(self, text: str) -> Any:
        """Also in lower case, with ranges (`B1-12`), the colours in either order, blanks, a full stop at the end."""
        mover, *fields = re.sub(r"\s", "", text).strip("'\".").lower().split(":")
        given: dict[str, str] = {}
        for field in fields:
            if field[:1] not in ("w", "b", "h", "f") or field[0] in given:
                raise BadInput(f"{shown(text)} is not a state of {self.name}: {STATE_HELP}")
            given[field[0]] = field[1:]
        if mover not in ("b", "w") or not {"w", "b"} <= set(given) or not given.get("h", "0").isdecimal():
            raise BadInput(f"{shown(text)} is not a state of {self.name}: {STATE_HELP}")
        black, black_kings = read_pieces(given["b"], "Black")
        white, white_kings = read_pieces(given["w"], "White")
        state = Position(black, white, black_kings | white_kings, "bw".index(mover), int(given.get("h", "0")))
        return self.checked(state)

    def check_state(self, state: Any) -> str:
        black, white, kings = state.black, state.white, state.kings
        if (black | white | kings) & ~BOARD != ZERO:
            return "there is a piece outside the board"
        if black & white != ZERO:
            return f"square {numbered(black & white)[0]} has a piece of each side"
        if kings & ~(black | white) != ZERO:
            return f"square {numbered(kings & ~(black | white))[0]} has a king of no side"
        if state.mover not in (BLACK, WHITE):
            return f"the player to move would be {state.mover}: Black is 0, White is 1"
        for pieces, player, far in ((black, "Black", LAST_ROW), (white, "White", FIRST_ROW)):
            if popcount(pieces) > MEN:
                return f"{player} has {popcount(pieces)} pieces, but began with {MEN}"
            if pieces & ~kings & far != ZERO:
                return f"the man on {numbered(pieces & ~kings & far)[0]} would be a king"
        moved, waiting = (white, "White") if state.mover == BLACK else (black, "Black")
        if moved == ZERO:
            return f"{waiting} has no piece left, and yet is the one who moved last"
        if not 0 <= state.quiet <= self.quiet_plies:
            return f"{state.quiet} plies without a capture or a man's move; the game is drawn at {self.quiet_plies}"
        for ago, (pieces, player) in enumerate(
            ((white, "White"), (black, "Black"))[:: 1 if state.mover == BLACK else -1]
        ):
            if state.quiet > ago and pieces & kings == ZERO:
                return f"{state.quiet} plies without a capture or a man's move, but {player} has no king to move"
        return ""

    # -- picture -----------------------------------------------------------------------------------

    def picture(self, state: Any, last: int | None = None) -> Picture:
        caption = f"{self.player_name(int(state.mover))} to move"
        if not can_move(state):
            caption = f"{self.player_name(1 - int(state.mover))} has won"
        elif self.is_terminal(state):
            caption = "drawn"
        signs = {**dict.fromkeys(CELLS, "."), **signs_of(state)}
        return board(
            "".join(signs.get(place, " ") for place in range(64)),
            8,
            {
                "b": Piece("disc", "black"),
                "w": Piece("disc", "white"),
                "B": Piece("king", "black"),
                "W": Piece("king", "white"),
            },
            look="wood",
            upward=True,
            column_names=[" "] * 8,
            row_names=[str(29 - 4 * row) for row in range(8)],
            last=() if last is None else [CELLS[number - 1] for number in path(int(last))],
            places=PLACES,
            corners=PLACES,
            caption=caption,
        )


# -- what people read and write ------------------------------------------------------------------------------

MOVE = r"[0-9]{1,2}(?:\s*[-x:*\s]\s*[0-9]{1,2})+"
STATE_HELP = "write who moves and the squares, such as B:W21,22,K30:B1,2,K7 (K before a king; :H5 for quiet plies)"
CELLS = tuple((7 - number // 4) * 8 + 2 * (number % 4) + (number // 4 + 1) % 2 for number in range(SQUARES))
"""[squares] the cell of each square in a picture, row by row from the lower left corner."""
PLACES = tuple(str(CELLS.index(cell) + 1) if cell in CELLS else "" for cell in range(64))


def square_number(bit: int) -> int:
    return bit - bit // 9 + 1


def path(action: int) -> list[int]:
    """The numbers of the squares that a move touches, from the first to the last."""
    bit, ways = action & 63, action >> PATH_SHIFT
    found = [square_number(bit)]
    for number in range(max(jumps(action), 1)):
        way = ways >> 2 * number & 3
        step = (4 + (way & 1)) * (1 if way < DOWN else -1)
        bit += 2 * step if jumps(action) else step
        found.append(square_number(bit))
    return found


def in_order(numbers: list[int], way: Sequence[int]) -> bool:
    """Whether numbers begin and end as a path does and name squares of it in their order."""
    rest = iter(way)
    return numbers[0] == way[0] and numbers[-1] == way[-1] and all(number in rest for number in numbers)


def numbered(pieces: np.uint64, kings: np.uint64 = ZERO) -> list[str]:
    """The squares of pieces by number, with K before a king."""
    return [
        f"{'K' if int(kings) >> bit & 1 else ''}{number}"
        for number, bit in enumerate(BITS, 1)
        if int(pieces) >> bit & 1
    ]


def read_pieces(text: str, player: str) -> tuple[np.uint64, np.uint64]:
    """All pieces, and the kings among them, of a list such as 1-4,k7."""
    pieces = kings = 0
    for word in filter(None, text.split(",")):
        found = re.fullmatch(r"(k?)([0-9]{1,2})(?:-(?:k?)([0-9]{1,2}))?", word)
        first, last = (int(found[2]), int(found[3] or found[2])) if found else (0, 0)
        if found is None or not 1 <= first <= last <= SQUARES:
            raise BadInput(
                f"{shown(word)} among {player}'s pieces is no square: they are numbered 1 to {SQUARES}, K7 for a king"
            )
        for number in range(first, last + 1):
            bit = 1 << BITS[number - 1]
            if pieces & bit:
                raise BadInput(f"{player} has square {number} twice")
            pieces |= bit
            kings |= bit if found[1] else 0
    return np.uint64(pieces), np.uint64(kings)


def signs_of(state: Any) -> dict[int, str]:
    """The pieces by their cells in a picture: b and w, capital letters for kings."""
    found = {}
    for number, bit in enumerate(BITS):
        sign = "b" if int(state.black) >> bit & 1 else "w" if int(state.white) >> bit & 1 else ""
        if sign:
            found[CELLS[number]] = sign.upper() if int(state.kings) >> bit & 1 else sign
    return found
