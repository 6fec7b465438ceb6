"""An opening book: what positions are worth to their movers, by 64 bits of each.

A position is in the book by the key of the one that stands for it up to symmetry (`Game.canonical`). What a move is
worth is the value of the position that it leads to, so lines that meet share what is known; where it ends the game, it
is the utility, which needs no entry. The file is that of learned weights (`models/model_file.py`): a header with the
rules that it is for, and a checksum over everything.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..errors import BadInput
from ..game import Game
from ..knowledge import knowledge_of
from ..models.model_file import ModelFile, read_header, read_model, save_model
from ..number import is_real
from ..rng import below

SUFFIX = ".book"
MODEL = "opening-book"
LARGEST = 4_000_000
"""Bytes that the file of a book may have."""
ROOM = 4 * LARGEST
"""Bytes that it may have when it is unpacked."""
STEPS = 8192
"""Values are kept in so many parts of the largest utility."""


class BookMove(NamedTuple):
    """A move that a book knows, and what it is worth to whoever plays it."""

    action: int
    value: float


class Book:
    """The positions of a book, to be looked up."""

    def __init__(self, game: Game, keys: NDArray[np.uint64], values: NDArray[np.int16], margin: float) -> None:
        """`margin`: how much worse than the best a move may be to be played now and then."""
        order = np.argsort(keys, kind="stable")
        self.game, self.keys, self.values, self.margin = game, keys[order], values[order], margin
        self.step = largest_utility(game) / STEPS
        self.path: Path | None = None

    def __len__(self) -> int:
        return len(self.keys)

    def value(self, state: Any) -> float | None:
        """What a position is worth to its mover; None where the book does not have it."""
        key = np.uint64(book_key(self.game, state))
        place = int(np.searchsorted(self.keys, key))
        if place == len(self.keys) or self.keys[place] != key:
            return None
        return float(self.values[place]) * self.step

    def moves(self, state: Any) -> list[BookMove]:
        """Every move with its worth, the best first; none where the book does not know what each of them is worth.

        A position that only ends a line has a value and no valued moves, but other lines may pass through what some of
        its moves lead to. Those need not be the good ones, so they are not told.
        """
        game = self.game
        if game.is_terminal(state) or game.at_chance(state) or self.value(state) is None:
            return []
        mover = int(game.to_move(state))
        found = []
        for action in game.actions(state):
            child = game.state_after(state, action)
            if game.is_terminal(child):
                value: float | None = float(game.utility(child, mover))
            elif (value := self.value(child)) is not None and not same_side(game, child, mover):
                value = 0.0 - value
            if value is None:
                return []
            found.append(BookMove(int(action), value))
        return sorted(found, key=lambda move: -move.value)

    def choose(self, state: Any, rng: Any) -> BookMove | None:
        """One of the moves that are about as good as the best, by chance; None where the book ends."""
        moves = self.moves(state)
        if not moves:
            return None
        good = [move for move in moves if move.value >= moves[0].value - self.margin]
        return good[below(rng, len(good))]

    def save(self, path: str | Path, training: dict[str, Any]) -> None:
        """Write the book as one file; raises BadInput where it would be too large or cannot be written."""
        options = {"margin": self.margin, "start": str(book_key(self.game, self.game.start_state))}
        arrays: dict[str, NDArray[Any]] = {"keys": self.keys, "values": self.values}
        save_model(path, ModelFile.of(self.game, MODEL, arrays, options=options, training=training))


def largest_utility(game: Game) -> float:
    return float(max(abs(bound) for bound in game.utility_range))


def same_side(game: Game, state: Any, player: int) -> bool:
    """Whether a player's own side moves here."""
    return game.team(int(game.to_move(state))) == game.team(player)


def book_key(game: Game, state: Any) -> int:
    """64 bits of the position that stands for this one."""
    return int(knowledge_of(game).key(game.coerce_state(game.canonical(state)))) & (1 << 64) - 1


def check_bookable(game: Game) -> None:
    """Refuse a game that can have no book, in one sentence."""
    if not game.opposed or game.has_chance or game.hidden:
        raise BadInput(f"{game.name} can have no opening book: that is for two opposed sides without dice or secrets")
    if not knowledge_of(game).lasting_keys:
        raise BadInput(f"{game.name} can have no opening book: its states have other keys in another process")


def check_overwritable(path: Path) -> None:
    """Refuse to write a book over a file that is something else; an empty one holds nothing."""
    if not path.is_file() or not path.stat().st_size:
        return
    try:
        is_book = read_header(path).model == MODEL
    except (OSError, BadInput):
        is_book = False
    if not is_book:
        raise BadInput(f"{path} is there already, and is no opening book: choose another file, or remove it")


def _of_another_kind(game: Game, path: str | Path) -> str:
    """That a file is a book for UCI, with what reads it; empty where it is none."""
    try:
        found = game.read_uci_book(str(path))
    except BadInput:
        return ""
    known = "UCI's option BookFile reads it, and in Python read_uci_book(path) of the game"
    return "" if found is None else f"it is a book of another kind, such as Polyglot's: {known}"


def open_book(game: Game, path: str | Path) -> Book:
    """The book in a file; raises BadInput, naming it, where it is damaged or of another game."""
    check_bookable(game)
    place = Path(path)
    try:
        if place.stat().st_size > LARGEST:
            raise BadInput(f"it is larger than {LARGEST // 1_000_000} MB")
        file = read_model(place, lambda header: ROOM)
    except OSError as error:
        raise BadInput(f"the book {path} cannot be read: {error.strerror or error}") from None
    except BadInput as error:
        raise BadInput(f"the book {path} cannot be used: {_of_another_kind(game, path) or error}") from None
    keys, values, margin = file.arrays.get("keys"), file.arrays.get("values"), file.options.get("margin")
    whole = keys is not None and values is not None and keys.dtype == np.uint64 and values.dtype == np.int16
    if file.model != MODEL or not whole or not is_real(margin):
        raise BadInput(f"{path} is no opening book")
    assert keys is not None and values is not None
    if keys.ndim != 1 or keys.shape != values.shape:
        raise BadInput(f"{path} is no opening book")
    if not file.fits(game) or file.options.get("start") != str(book_key(game, game.start_state)):
        raise BadInput(f"the book {path} is not of this {game.name}: `plywright book build` makes one that is")
    if not 0 <= margin <= 2 * largest_utility(game):  # nor is NaN
        raise BadInput(f"the book {path} cannot be used: it is damaged, in its margin")
    if values.size and (values.min() < -STEPS or values.max() > STEPS):
        raise BadInput(f"the book {path} cannot be used: it is damaged, a value is beyond what the game pays")
    found = Book(game, keys, values, float(margin))
    found.path = place
    return found


def book_of(game: Game, without: str = "") -> Book | None:
    """The book that comes with a game, read once; None where there is none.

    Raises BadInput where its file is missing or damaged, and says which option of the caller's does `without`.
    """
    path = game.opening_book()
    try:
        return None if path is None else _shipped(game, path)
    except BadInput as error:
        raise BadInput(f"{error}: install Plywright again{f'; {without} does without' if without else ''}") from None


@lru_cache(maxsize=4)
def _shipped(game: Game, path: Path) -> Book:
    return open_book(game, path)
