"""Polyglot's opening books (.bin): entries of 16 bytes, sorted by a key of the position.

    book = Book.read("book.bin")
    book.moves(state)                   # [(action, weight), ...], the heaviest first

The 781 numbers that make up the key are part of the format (`polyglot.txt`).
"""

from __future__ import annotations

import struct
from bisect import bisect_left
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...errors import BadInput, shown
from ...files import read_bounded
from .fen import PIECES, signs_of, write_fen

if TYPE_CHECKING:
    from .rules import Chess

ENTRY = struct.Struct(">QHHI")  # key, move, weight, what was learnt
CASTLING, PASSANT, TURN = 768, 772, 780


@lru_cache(maxsize=1)
def numbers() -> list[int]:
    text = files(__package__).joinpath("polyglot.txt").read_text(encoding="ascii")
    return [int(word, 16) for word in text.split()]


def polyglot_key(state: Any) -> int:
    """The key of a position, as books and other programs compute it."""
    table, key = numbers(), 0
    for square, sign in enumerate(signs_of(state)):
        if sign != ".":
            kind = 2 * PIECES.index(sign.lower()) + sign.isupper()
            key ^= table[64 * kind + square]
    _, _, rights, passing, *_ = write_fen(state).split()
    for place, letter in enumerate("KQkq"):
        if letter in rights:
            key ^= table[CASTLING + place]
    if passing != "-":
        key ^= table[PASSANT + "abcdefgh".index(passing[0])]
    return key ^ table[TURN] if state.mover == 0 else key


LARGEST = 64_000_000
"""Bytes of a book."""


class Book:
    """The entries of a book file."""

    def __init__(self, game: Chess, data: bytes, name: str = "the book") -> None:
        if not isinstance(data, bytes):
            raise BadInput(f"a book is made of a file's bytes, not of {shown(data)}: write Book.read(game, path)")
        if not data or len(data) % ENTRY.size:
            raise BadInput(f"{name} is no Polyglot book: its {len(data):,} bytes are not entries of {ENTRY.size}")
        self.game = game
        self.entries = list(ENTRY.iter_unpack(data))
        self.keys = [entry[0] for entry in self.entries]
        if any(one > other for one, other in zip(self.keys, self.keys[1:], strict=False)):
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
        key, found = polyglot_key(state), []
        legal = set(map(int, self.game.actions(state)))
        place = bisect_left(self.keys, key)
        while place < len(self.keys) and self.keys[place] == key:
            _, move, weight, _ = self.entries[place]
            action = move ^ (56 << 6 | 56) if state.mover else move
            if action in legal:
                found.append((action, weight))
            place += 1
        return sorted(found, key=lambda entry: -entry[1])
