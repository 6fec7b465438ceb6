"""FEN and X-FEN: a position as six fields of text, and why a position cannot be.

Castling rights are KQkq for the outermost rook on that side, and the rook's file (Shredder's AHah) where another one
is meant; both are read. The square for taking in passing is written only where a pawn may legally take there.
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from ...bits import popcount, swap_bytes
from ...errors import BadInput, shown
from ..notation import square_cell, square_name

PIECES = "pnbrqk"
MOST_NUMBER = 999_999_999
"""Of a counter: more than any game comes to, even one without draws (`draws=none`)."""
CORNERS = (0, 7)
IN_A_CORNER = "in a corner, where none stands at the start of any game"


def read_fen(text: str) -> Any:
    """The position of a FEN of two to six fields; raises BadInput for one that cannot be read."""
    from .position import Position, settled

    fields = text.split()
    if not 2 <= len(fields) <= 6:
        raise BadInput(f"{shown(text)} is not a FEN: it has six fields, as in 'rnbq.../... w KQkq - 0 1'")
    rows, side, rights, passing, clock, number = [*fields, *("", "", "-", "-", "0", "1")[len(fields) :]]
    boards = _read_rows(rows)
    if side.lower() not in ("w", "b"):
        raise BadInput(f"the side to move in a FEN is w or b, not {shown(side)}")
    mover = "wb".index(side.lower())
    white, black = (sum(boards[piece] for piece in letters) for letters in (PIECES.upper(), PIECES))
    castling = 0
    for letter in "" if rights == "-" else rights:
        rook = 1 << _rook_meant(boards, letter, rights)
        if castling & rook:
            raise BadInput(f"{shown(rights)} names the same right to castle twice, the second time as {letter!r}")
        castling |= rook
    square = None if passing == "-" else square_cell(passing, 8, 8)
    if passing != "-" and (square is None or square // 8 != (2, 5)[1 - mover]):
        raise BadInput(
            f"a pawn can be taken in passing on rank {(6, 3)[mover]} or nowhere (-), not on {shown(passing)}"
        )
    kinds = {piece: boards[piece] | boards[piece.upper()] for piece in PIECES}
    words: list[int] = [
        *((black, white) if mover else (white, black)),
        *(kinds["p"], kinds["n"], kinds["b"] | kinds["q"], kinds["r"] | kinds["q"], kinds["k"]),
        *(castling, 0 if square is None else _behind_a_pawn(boards, square, mover)),
    ]
    turned: list[Any] = [swap_bytes(word) if mover else np.uint64(word) for word in words]
    for count, what in ((clock, "moves without a capture or pawn move"), (number, "moves")):
        if not re.fullmatch(r"[0-9]{1,9}", count) or int(count) > MOST_NUMBER:
            raise BadInput(f"a FEN counts the {what} from 0 to {MOST_NUMBER:,}, not {shown(count)}")
    state = Position._make([*turned, np.uint64(0), mover, int(clock), max(int(number), 1)])
    return settled(state) if state.mine & state.kings else state


def _read_rows(text: str) -> dict[str, int]:
    """A bitboard for each piece letter, in White's view."""
    boards = dict.fromkeys(PIECES + PIECES.upper(), 0)
    rows = text.split("/")
    if len(rows) != 8:
        raise BadInput(f"the board of a FEN has 8 rows; {shown(text)} has {len(rows)}")
    for rank, row in zip(range(7, -1, -1), rows, strict=True):
        file = 0
        for sign in row.replace("~", ""):
            if sign in boards:
                boards[sign] |= 1 << 8 * rank + file if file < 8 else 0
                file += 1
            elif sign in "12345678":
                file += int(sign)
            else:
                raise BadInput(f"{sign!r} means nothing on the board of a FEN; the pieces are pnbrqk and PNBRQK")
        if file != 8:
            raise BadInput(f"rank {rank + 1} of the FEN, {shown(row)}, has {file} squares, not 8")
    return boards


def _rook_meant(boards: dict[str, int], letter: str, rights: str) -> int:
    """The square of the rook that a letter of the castling field stands for."""
    rank, case = (0, str.upper) if letter.isupper() else (56, str.lower)
    player = "White" if letter.isupper() else "Black"
    king, rooks = boards[case("k")] >> rank & 255, boards[case("r")] >> rank & 255
    if letter.lower() not in "kqabcdefgh":
        raise BadInput(f"{letter!r} in {shown(rights)} is no right to castle: they are KQkq, letters of files, or -")
    if not king:
        raise BadInput(f"the FEN lets {player} castle ({letter}), but the king has left its first rank")
    place = king.bit_length() - 1
    if place in CORNERS:
        raise BadInput(f"the FEN lets {player} castle ({letter}), but the king stands {IN_A_CORNER}")
    if letter.lower() == "k":
        found = [file for file in range(7, place, -1) if rooks >> file & 1]
    elif letter.lower() == "q":
        found = [file for file in range(place) if rooks >> file & 1]
    else:
        found = [file for file in ["abcdefgh".index(letter.lower())] if rooks >> file & 1]
    if not found:
        raise BadInput(f"the FEN lets {player} castle ({letter}), but there is no rook for it")
    return rank + found[0]


def _behind_a_pawn(boards: dict[str, int], square: int, mover: int) -> int:
    """The square as a bit, if a pawn of the other side has just gone over it; raises BadInput otherwise."""
    pawn, origin = (square - 8, square + 8) if mover == 0 else (square + 8, square - 8)
    occupied = sum(boards.values())
    if not boards["p" if mover == 0 else "P"] >> pawn & 1 or occupied >> square & 1 or occupied >> origin & 1:
        raise BadInput(f"no pawn can be taken in passing on {square_name(square, 8)}: none has just gone over it")
    return 1 << square


def write_fen(state: Any) -> str:
    """The six fields of a position."""
    signs = signs_of(state)
    rows = []
    for rank in range(7, -1, -1):
        row = "".join(signs[8 * rank : 8 * rank + 8])
        rows.append(re.sub(r"\.+", lambda gap: str(len(gap[0])), row))
    passing = "-"
    if state.passant:
        passing = square_name(int(_white_view(state, state.passant)).bit_length() - 1, 8)
    rights = _rights(state, signs)
    return f"{'/'.join(rows)} {'wb'[int(state.mover)]} {rights} {passing} {int(state.clock)} {int(state.number)}"


def signs_of(state: Any) -> str:
    """The 64 squares from a1 on as the letters of their pieces, full stops for empty ones."""
    white, black = (state.mine, state.theirs) if state.mover == 0 else (state.theirs, state.mine)
    queens = state.diagonals & state.straights
    boards = (state.pawns, state.knights, state.diagonals & ~queens, state.straights & ~queens, queens, state.kings)
    signs = ["."] * 64
    for letter, board in zip(PIECES, boards, strict=True):
        for pieces, case in ((white, str.upper), (black, str.lower)):
            word = int(_white_view(state, board & pieces))
            while word:
                signs[(word & -word).bit_length() - 1] = case(letter)
                word &= word - 1
    return "".join(signs)


def _white_view(state: Any, board: Any) -> np.uint64:
    return swap_bytes(board) if state.mover else np.uint64(board)


def _rights(state: Any, signs: str) -> str:
    """The castling field: White's rights first, and the king's side first."""
    castling, text = int(_white_view(state, state.castling)), ""
    for rank, case in ((0, str.upper), (56, str.lower)):
        row = signs[rank : rank + 8]
        king = row.find(case("k"))
        for file in range(7, -1, -1):
            if castling >> rank + file & 1:
                outer = row.rfind(case("r")) if file > king else row.find(case("r"))
                text += case(("k" if file > king else "q") if file == outer else "abcdefgh"[file])
    return text or "-"


def castling_wings(state: Any) -> tuple[bool, ...]:
    """Who may castle where, whichever rook it is: White to the right and to the left, then Black."""
    castling, kings = (int(_white_view(state, board)) for board in (state.castling, state.kings))
    found = []
    for rank in (0, 56):
        rights, king = castling >> rank & 255, kings >> rank & 255
        found += [rights > king, bool(rights & king - 1)] if rights else [False, False]
    return tuple(found)


# -- what cannot be -------------------------------------------------------------------------------------


def why_impossible(state: Any) -> str:
    """What makes a position impossible, as a sentence without its full stop; empty where nothing does."""
    from .double_check import comes_of_a_move
    from .position import passing_pawns, settled

    if state.mover not in (0, 1):
        return f"the player to move would be {state.mover}: White is 0, Black is 1"
    if not 0 <= state.clock <= MOST_NUMBER or not 1 <= state.number <= MOST_NUMBER:
        return "its counters of moves are out of range"
    if why := _wrong_pieces(state):
        return why
    sides = (("White", "Black"), ("Black", "White"))[int(state.mover)]
    for name, pieces in zip(sides, (state.mine, state.theirs), strict=True):
        if why := _wrong_army(state, name, pieces):
            return why
    if why := _wrong_castling(state, sides):
        return why
    if _attacked_king(state):
        return f"{sides[1]} is in check, but {sides[0]} is to move"
    again = settled(state)
    if again.checkers != state.checkers:
        return "it names other pieces as giving check than those that do"
    if popcount(state.checkers) > 2:
        return f"{popcount(state.checkers)} pieces give check at once"
    if popcount(state.checkers) == 2 and not comes_of_a_move(state):
        return f"{_checkers_text(state)} give check at once, and no move can have led to that"
    if state.passant:
        square, king = int(state.passant), int(state.mine & state.kings).bit_length() - 1
        pawn = int(state.theirs & state.pawns) & square >> 8
        free = not int(state.mine | state.theirs) & (square | square << 8)
        if popcount(square) != 1 or not square >> 40 & 255 or not pawn or not free or not passing_pawns(state, king):
            return "no pawn can be taken in passing where it says so"
        if state.clock:
            return f"a pawn has just moved, but {state.clock} moves without a pawn's move are counted since"
    return ""


def _checkers_text(state: Any) -> str:
    """The pieces that give check, as letters with their squares."""
    signs, squares = signs_of(state), int(_white_view(state, state.checkers))
    return " and ".join(
        f"{signs[square].upper()}{square_name(square, 8)}" for square in range(64) if squares >> square & 1
    )


def _wrong_pieces(state: Any) -> str:
    """Squares that hold two things, or a piece of nobody."""
    if state.mine & state.theirs:
        return "two pieces are on the same square"
    queens = state.diagonals & state.straights
    kinds = [state.pawns, state.knights, state.diagonals, state.straights & ~queens, state.kings]
    if sum(int(board) for board in kinds) != int(state.mine | state.theirs) or sum(map(popcount, kinds)) != popcount(
        state.mine | state.theirs
    ):
        return "its boards do not agree on which piece stands where"
    return ""


def _wrong_army(state: Any, name: str, pieces: Any) -> str:
    kings, pawns = popcount(pieces & state.kings), popcount(pieces & state.pawns)
    if kings != 1:
        return f"{name} has {kings or 'no'} king{'s' if kings > 1 else ''}"
    if pieces & state.pawns & np.uint64(0xFF000000000000FF):
        return f"{name} has a pawn on the first or the last rank"
    if pawns > 8:
        return f"{name} has {pawns} pawns"
    if popcount(pieces) > 16:
        return f"{name} has {popcount(pieces)} pieces"
    queens = pieces & state.diagonals & state.straights
    counts = (popcount(pieces & state.knights), popcount(pieces & state.diagonals & ~queens))
    extra = sum(max(0, count - 2) for count in (*counts, popcount(pieces & state.straights & ~queens)))
    if extra + max(0, popcount(queens) - 1) > 8 - pawns:
        return f"{name} has more promoted pieces than pawns that are gone"
    return ""


def _wrong_castling(state: Any, sides: tuple[str, str]) -> str:
    rooks = state.straights & ~state.diagonals
    first = (np.uint64(0xFF), np.uint64(0xFF << 56))
    if state.castling & ~(rooks & (state.mine & first[0] | state.theirs & first[1])):
        return "a right to castle needs a rook on its first rank"
    for name, pieces, rank in zip(sides, (state.mine, state.theirs), first, strict=True):
        rights = int(state.castling & pieces)
        king = int(pieces & state.kings)
        if rights and not king & int(rank):
            return f"{name} may castle, but the king has left its first rank"
        if rights and king & int(rank) & 0x8100000000000081:
            return f"{name} may castle, but the king stands {IN_A_CORNER}"
        if popcount(rights & (king - 1)) > 1 or popcount(rights & ~(king - 1)) > 1:
            return f"{name} may castle with two rooks on the same side"
    return ""


def _attacked_king(state: Any) -> bool:
    """Whether the side that is not to move is in check."""
    from .position import attackers

    board = {name: swap_bytes(getattr(state, name)) for name in ("pawns", "knights", "diagonals", "straights", "kings")}
    other = state._replace(mine=swap_bytes(state.theirs), theirs=swap_bytes(state.mine), **board)
    king = int(other.mine & other.kings).bit_length() - 1
    return bool(attackers(other, king, other.mine | other.theirs, other.theirs))
