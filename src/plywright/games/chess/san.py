"""Moves as text: SAN out; SAN, long forms and UCI in, in every usual spelling.

Nf3  N1f3  Ng1-f3  exd5  ed5  ed  e8=Q  e8Q  e8(Q)  O-O  0-0-0  e2e4  e7e8q  nf3  ♘f3  Nf3+!?
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

from ...errors import BadInput
from ..notation import square_name

if TYPE_CHECKING:
    from .rules import Chess

LETTERS = "PNBRQK"
PROMOTIONS = " NBRQ"
FIGURINES = str.maketrans("♔♕♖♗♘♙♚♛♜♝♞♟", "KQRBNPKQRBNP")
MOVE = re.compile(r"([KQRBNP])?([a-h])?([1-8])?[-x:]?([a-h])([1-8])?(?:[=/(]?([QRBNqrbn])\)?)?")
CASTLING = re.compile(r"[o0]-?[o0](-?[o0])?", re.I)
LONGEST = 40
"""Characters of a move, with all its remarks."""
REMARKS = "+#!? \t\n\r\f\v"


class Meant(NamedTuple):
    """What a text says of a move; empty or negative where it says nothing."""

    piece: str
    from_file: int
    from_rank: int
    to_file: int
    to_rank: int
    promotion: int


def squares_of(state: Any, action: int) -> tuple[int, int]:
    """Origin and target of an action in White's view; castling goes to the rook's square."""
    turn = 56 if state.mover else 0
    return int(action) >> 6 & 63 ^ turn, int(action) & 63 ^ turn


def is_castling(state: Any, action: int) -> bool:
    return bool(int(state.mine) >> (int(action) & 63) & 1)


def piece_letter(state: Any, action: int) -> str:
    """The piece that moves, in capitals."""
    bit = 1 << (int(action) >> 6 & 63)
    if int(state.pawns) & bit:
        return "P"
    if int(state.knights) & bit:
        return "N"
    if int(state.kings) & bit:
        return "K"
    diagonal, straight = int(state.diagonals) & bit, int(state.straights) & bit
    return "Q" if diagonal and straight else "B" if diagonal else "R"


def write_san(game: Chess, state: Any, action: int) -> str:
    """The move in standard algebraic notation, with + or #."""
    from .position import can_move

    child = game.result(state, action)
    suffix = "" if not child.checkers else "+" if can_move(child) else "#"
    origin, target = squares_of(state, action)
    if is_castling(state, action):
        return ("O-O" if target > origin else "O-O-O") + suffix
    letter, goal = piece_letter(state, action), square_name(target, 8)
    takes = bool(int(state.theirs) >> (int(action) & 63) & 1) or (letter == "P" and origin % 8 != target % 8)
    cross = "x" if takes else ""
    if letter == "P":
        start = "abcdefgh"[origin % 8] if takes else ""
        promotion = f"={PROMOTIONS[int(action) >> 12]}" if int(action) >> 12 else ""
        return f"{start}{cross}{goal}{promotion}{suffix}"
    return f"{letter}{_told_apart(game, state, action, letter)}{cross}{goal}{suffix}"


def _told_apart(game: Chess, state: Any, action: int, letter: str) -> str:
    """File, rank or both of the origin, where another piece of the kind could go to the same square."""
    if letter == "K":
        return ""
    here = squares_of(state, action)[0]
    others = [
        squares_of(state, other)[0]
        for other in game.moves_to(state, int(action) & 63)
        if other != action and piece_letter(state, other) == letter
    ]
    name = square_name(here, 8)
    if not others:
        return ""
    if all(other % 8 != here % 8 for other in others):
        return name[0]
    return name[1] if all(other // 8 != here // 8 for other in others) else name


def write_uci(state: Any, action: int, chess960: bool = False) -> str:
    """The move as UCI has it; in Chess960 castling is the king taking its rook."""
    origin, target = squares_of(state, action)
    if is_castling(state, action) and not chess960:
        target = origin // 8 * 8 + (6 if target > origin else 2)
    promotion = PROMOTIONS[int(action) >> 12].lower() if int(action) >> 12 else ""
    return square_name(origin, 8) + square_name(target, 8) + promotion


def actions_meant(game: Chess, state: Any, text: str) -> list[int]:
    """The legal actions that a text may mean: one if it is a move, none or several if it is not."""
    if len(text) > LONGEST:
        raise BadInput(f"{game.unknown_move(state, text)}; a move is written with at most {LONGEST} characters")
    word = "".join(_without_remarks(text).translate(FIGURINES).split())
    legal = [int(action) for action in game.actions(state)]
    if found := CASTLING.fullmatch(word):
        long = found[1] is not None
        castling = [action for action in legal if is_castling(state, action)]
        return [action for action in castling if (action & 63 < action >> 6 & 63) == long]
    small, capital = word.lower(), word[:1].upper() + word[1:].lower()
    shouted = word != small and word[1:] != small[1:] and re.fullmatch(r"[^a-z]*", word)  # BXC3: case tells nothing
    if shouted:
        return list(dict.fromkeys(a for reading in (small, capital) for a in _matching(state, legal, reading)))
    for reading in (word, small, capital):
        if matching := _matching(state, legal, reading):
            return matching
    return []


def promotions_meant(game: Chess, state: Any, text: str) -> list[int]:
    """The promotions that a text may mean which names no piece, the queen's first; none where the game is over."""
    if game.is_terminal(state):
        return []
    word = text.rstrip(f"={REMARKS}")
    return [action for letter in "QRBN" for action in actions_meant(game, state, f"{word}={letter}")]


def _without_remarks(text: str) -> str:
    """A move without signs of check and of praise, and without the remark that it takes in passing."""
    bare = text.strip().rstrip(REMARKS)
    for remark in ("e.p.", "ep.", "e.p", "ep"):
        if bare.lower().endswith(remark):
            return bare[: -len(remark)].rstrip(REMARKS)
    return bare


def _matching(state: Any, legal: list[int], word: str) -> list[int]:
    found = MOVE.fullmatch(word)
    if found is None:
        return []
    piece, from_file, from_rank, to_file, to_rank, promotion = found.groups()
    mover = piece or ("" if from_file and from_rank else "P")
    column = to_file if mover == "P" and not from_file else from_file  # a pawn that takes says from where
    meant = Meant(
        mover,
        "abcdefgh".index(column) if column else -1,
        int(from_rank) - 1 if from_rank else -1,
        "abcdefgh".index(to_file),
        int(to_rank) - 1 if to_rank else -1,
        PROMOTIONS.index(promotion.upper()) if promotion else 0,
    )
    if meant.to_rank < 0 and (piece or not from_file or from_file == to_file):
        return []
    if not piece and from_file == to_file and not from_rank:  # "bb6", which is a bishop's move
        return []
    fitting = [action for action in legal if _fits(state, action, meant, squares_of(state, action)[1])]
    if not fitting and meant.piece in ("", "K"):  # castling written as the king's own move
        castling = [action for action in legal if is_castling(state, action)]
        fitting = [action for action in castling if _fits(state, action, meant, _king_goes(state, action))]
    return fitting


def _king_goes(state: Any, action: int) -> int:
    origin, target = squares_of(state, action)
    return origin // 8 * 8 + (6 if target > origin else 2)


def _fits(state: Any, action: int, meant: Meant, target: int) -> bool:
    origin, letter = squares_of(state, action)[0], piece_letter(state, action)
    if is_castling(state, action) and meant.from_rank < 0:
        return False
    return (
        meant.piece in ("", letter)
        and meant.from_file in (-1, origin % 8)
        and meant.from_rank in (-1, origin // 8)
        and meant.to_file == target % 8
        and meant.to_rank in (-1, target // 8)
        and meant.promotion == action >> 12
    )
