"""Squares and boards as text: what every board game here reads and writes the same way.

A cell is a number, row by row from a1: cell 0 is a1, cell 1 is b1. Whether row 1 is drawn at the
top (Othello) or at the bottom (chess) is the game's own business.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import pairwise
from typing import Any

from ..errors import BadInput, shown
from ..game import Game

LETTERS = "abcdefghijklmnopqrstuvwxyz"
EMPTY = "."
MOST_TAGS = 1000
"""That a game in PGN or PDN may have: a million of them take half a minute, and none says anything."""
TAG_LINE = re.compile(r"\{[^}]*(?:\}|\Z)|^[ \t]*\[", re.MULTILINE)
"""A comment, which may lack its end, or the beginning of a line that begins with a tag."""
_SQUARE = re.compile(r"([a-z])([1-9][0-9]?)")


def square_name(cell: int, columns: int) -> str:
    """The name of a cell: 'a1', 'f5'."""
    return f"{LETTERS[cell % columns]}{cell // columns + 1}"


def square_cell(text: str, columns: int, rows: int) -> int | None:
    """The cell of that name in either case, or None where the board has none."""
    found = _SQUARE.fullmatch(text.strip().lower())
    if found is None:
        return None
    column, row = LETTERS.index(found[1]), int(found[2]) - 1
    return row * columns + column if column < columns and row < rows else None


def legal_action(game: Game, state: Any, action: int | None, text: str) -> int:
    """The action or outcome that a text was read as, if it is possible here; raises BadInput with some that are."""
    if action is None or action not in game.choices(state):
        raise game.unknown_move(state, text)
    return action


def split_glued(text: str, move: str) -> list[str]:
    """The moves of a transcript, whether they are glued together or apart.

    `move` is a pattern of one move in lower case. Numbers such as `12.` are left out; a word that is
    not made of moves stays whole, so that an error can quote it.
    """
    moves: list[str] = []
    for word in re.sub(r"\b[0-9]+\.+(?=\s|[a-zA-Z-]|$)", " ", text).replace(",", " ").replace(";", " ").split():
        glued = re.fullmatch(f"(?:{move})+", word.lower())
        moves += [found[0] for found in re.finditer(move, word.lower())] if glued else [word]
    return moves


def read_cells(text: str, columns: int, rows: int, signs: Mapping[str, str], game: str) -> str:
    """The cells of a written board in the order of the text, each as the sign that `signs` gives it.

    Rows may be set apart by '/' or white space, and a number may stand for that many empty cells.
    Raises BadInput, saying what is wrong, where the board does not come out as columns by rows.
    """
    parts = [part for part in re.split(r"[/\s]+", text) if part]
    read = ["".join(_read_row(part, signs, game)) for part in parts]
    if len(read) == rows:
        for number, row in enumerate(read, 1):
            if len(row) != columns:
                part = shown(parts[number - 1])
                raise BadInput(f"{game}: row {number} of the board, {part}, has {len(row)} cells, not {columns}")
    cells = "".join(read)
    if len(cells) != columns * rows:
        raise BadInput(f"{game}: a board of {columns} by {rows} has {columns * rows} cells; this text has {len(cells)}")
    return cells


def _read_row(text: str, signs: Mapping[str, str], game: str) -> list[str]:
    cells = []
    for piece in re.findall(r"[0-9]{1,2}|.", text):
        if piece in signs:
            cells.append(signs[piece])
        elif piece.isascii() and piece.isdigit():
            cells.append(EMPTY * int(piece))
        else:
            known = " ".join(dict.fromkeys(sign for sign in signs if sign.isascii()))
            raise BadInput(f"{game}: {piece!r} means nothing on the board; the signs are {known}")
    return cells


def bits_of(cells: str, sign: str) -> int:
    """The cells that hold this sign, as a bitboard: bit n for the n-th cell."""
    return sum(1 << cell for cell, found in enumerate(cells) if found == sign)


def flipped(cells: str, columns: int) -> str:
    """The same rows in the opposite order: from the top down instead of from row 1 up, or back."""
    rows = [cells[start : start + columns] for start in range(0, len(cells), columns)]
    return "".join(reversed(rows))


def in_rows(cells: str, columns: int) -> str:
    """The cells with '/' between the rows."""
    return "/".join(cells[start : start + columns] for start in range(0, len(cells), columns))


def whole_number(name: str, value: object, low: int, high: int) -> int:
    """A parameter of a game, checked; raises BadInput with the limits."""
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise BadInput(f"{name} must be a whole number from {low} to {high}, not {value!r}")
    return value


def split_tagged(text: str) -> list[str]:
    """The games of a text in PGN or PDN: one begins with the first of its tags. What stands in comments is no tag."""
    lines = [found.start() for found in TAG_LINE.finditer(text) if found[0].endswith("[")]
    begins = [place for place in lines if _sign_before(text, place) != "]"]
    return [text[begin:end] for begin, end in pairwise([0, *begins[1:], len(text)])] if begins else [text]


def _sign_before(text: str, place: int) -> str:
    """The last sign before a place that is no blank; nothing where there is none."""
    while place > 0 and text[place - 1].isspace():
        place -= 1
    return text[place - 1 : place]
