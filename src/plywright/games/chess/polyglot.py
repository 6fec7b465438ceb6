"""Polyglot's opening books (.bin): entries of 16 bytes, sorted by a key of the position.

    book = Book.read("book.bin")
    book.moves(state)                   # [(action, weight), ...], the heaviest first

The 781 numbers that make up the key are part of the format (`polyglot.txt`).
"""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ...errors import BadInput, shown
from ...files import read_bounded
from .fen import PIECES, castling_wings, signs_of

if TYPE_CHECKING:
    from .rules import Chess

ENTRY = np.dtype([("key", ">u8"), ("move", ">u2"), ("weight", ">u2"), ("learnt", ">u4")])
CASTLING, PASSANT, TURN = 768, 772, 780


@lru_cache(maxsize=1)
def numbers() -> list[int]:
    text = files(__package__).joinpath("polyglot.txt").read_text(encoding="ascii")
    return [int(word, 16) for word in text.split()]


def polyglot_key(state: Any) -> int:
    """The key of a position, as books and other programs compute it.

    A right to castle counts by its side and wing, whichever rook it is. The format counts a pawn that may be taken in
    passing wherever one stands beside it; a state knows only of one that may legally be taken.
    """
    table, key = numbers(), 0
    for square, sign in enumerate(signs_of(state)):
        if sign != ".":
            kind = 2 * PIECES.index(sign.lower()) + sign.isupper()
            key ^= table[64 * kind + square]
    for place, wing in enumerate(castling_wings(state)):
        key ^= table[CASTLING + place] if wing else 0
    if state.passant:
        key ^= table[PASSANT + (int(state.passant).bit_length() - 1) % 8]
    return key ^ table[TURN] if state.mover == 0 else key


LARGEST = 64_000_000
"""Bytes of a book."""


class Book:
    """The entries of a book file."""

    def __init__(self, game: Chess, data: bytes, name: str = "the book") -> None:
        if not isinstance(data, bytes):
            raise BadInput(f"a book is made of a file's bytes, not of {shown(data)}: write Book.read(game, path)")
        if not data or len(data) % ENTRY.itemsize:
            raise BadInput(f"{name} is no Polyglot book: its {len(data):,} bytes are not entries of {ENTRY.itemsize}")
        self.game = game
        self.entries = np.frombuffer(data, ENTRY)
        self.keys = self.entries["key"].astype(np.uint64)
        if np.any(self.keys[:-1] > self.keys[1:]):
            raise BadInput(f"{name} is no Polyglot book: its entries are not sorted")

    @classmethod
    def read(cls, game: Chess, path: str | Path) -> Book:
        try:
            return cls(game, read_bounded(Path(path), LARGEST), str(path))
        except OSError as error:
            raise BadInput(f"the book {str(path)!r} cannot be read: {error.strerror or error}") from None
        except ValueError:  # a NUL, or half a letter
            raise BadInput(f"the book {str(path)!r} cannot be read: no file can have that name") from None

    def moves(self, state: Any) -> list[tuple[int, int]]:
        """The legal moves that the book knows here with their weights, the heaviest first."""
        key, found = np.uint64(polyglot_key(state)), []
        legal = set(map(int, self.game.actions(state)))
        first, end = (int(np.searchsorted(self.keys, key, side)) for side in ("left", "right"))
        for _, move, weight, _ in self.entries[first:end].tolist():
            action = move ^ (56 << 6 | 56) if state.mover else move
            if action in legal:
                found.append((action, weight))
        return sorted(found, key=lambda entry: -entry[1])
