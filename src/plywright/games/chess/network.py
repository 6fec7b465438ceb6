"""The network that corrects the sum of features: which men stand where, seen from either king.

Each side has a view of its own: its men go up the board, which is mirrored where its king stands on the queen's side.
A man is one of 768 inputs of a view: what it is, whose, and where. Both views go through the same layer of units, each
of which says the square of what it hears, held between nothing and one; what they say is weighed twice, for the
middlegame and for the endgame, and added to what the features make of these. All of it in whole numbers.
"""

from __future__ import annotations

import io
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any, ClassVar, Self
from zipfile import ZipFile

import numpy as np

from ...bits import lowest_bit, scratch
from ...errors import BadInput
from ...files import write_whole
from ...vectors import LOUDEST, QUIETER, squared_units
from .attacks import ONE, ZERO
from .features import FINE
from .position import Position

INPUTS = 768
MOST = 32
"""Men on a board."""
LANES = 32
"""The number of units is a multiple of it."""
SHIFT = 11
"""What the outputs are weighed in: so many halvings of the unit of `FINE`."""
FULL = LOUDEST * LOUDEST >> QUIETER
"""What a unit says at its loudest."""
LOUD = 100 * FINE * (1 << SHIFT) / FULL
"""An output that is worth a pawn."""
LOUDER = 4
"""By how much all outputs may be multiplied."""
LARGEST = 1 << 24
"""Bytes, unpacked: a network of some 10,000 units, and no bomb."""


@dataclass(frozen=True)
class Network:
    """`rows` [(768 + 1) * units]: what each input adds to each unit in parts of 255, and what the units begin with;
    `outputs` [2 * 2 * units]: the mover's view, middlegame and endgame, then the opponent's."""

    rows: np.ndarray
    outputs: np.ndarray
    MOST_ROW: ClassVar[float] = 3.5
    """33 rows of it still fit into 16 bits."""
    MOST_OUTPUT: ClassVar[float] = 8.0
    """Pawns."""

    @property
    def units(self) -> int:
        return len(self.rows) // (INPUTS + 1)

    @classmethod
    def of(cls, rows: Any, outputs: Any) -> Self:
        """From what was trained: `rows` in ones, `outputs` in pawns."""
        return cls(np.rint(LOUDEST * rows).astype(np.int16).ravel(), np.rint(LOUD * outputs).astype(np.int16).ravel())

    def numbers(self) -> tuple[np.ndarray, np.ndarray]:
        """The other way round, but for rounding: rows [769, units] in ones, outputs [2, 2, units] in pawns."""
        rows = self.rows.reshape(INPUTS + 1, self.units).astype(np.float32) / LOUDEST
        return rows, self.outputs.reshape(2, 2, self.units).astype(np.float32) / LOUD

    def write(self, path: Path) -> None:
        stream = io.BytesIO()
        np.savez_compressed(stream, rows=self.rows, outputs=self.outputs)
        write_whole(path, stream.getvalue())

    def is_whole(self) -> bool:
        """Sizes and kinds as they must be, and no number so large that a sum would not fit."""
        fits = all(array.dtype == np.int16 and array.ndim == 1 for array in (self.rows, self.outputs))
        if not fits or self.units % LANES or not self.units or len(self.rows) != (INPUTS + 1) * self.units:
            return False
        rows = abs(self.rows.astype(np.int64))
        narrow = len(self.outputs) == 4 * self.units and (MOST + 1) * rows.max(initial=0) < 1 << 15
        return narrow and can_weigh(LOUDER * self.outputs.astype(np.int64))


def can_weigh(outputs: np.ndarray) -> bool:
    """Whether outputs fit into 16 bits, and what they can make of a view, for one of its two answers, into 32."""
    outputs = abs(outputs)
    return bool(outputs.max(initial=0) < 1 << 15 and FULL * outputs.reshape(4, -1).sum(axis=1).max() < 1 << 31)


@lru_cache(maxsize=1)
def trained_network() -> Network:
    """What `benchmarks/chess_network.py` found."""
    return read_network()


def read_network(path: Path | None = None) -> Network:
    """The network in a file, or the one that is shipped."""
    try:
        data = (path or files(__package__).joinpath("network.npz")).read_bytes()
        with ZipFile(io.BytesIO(data)) as parts:
            whole = sum(part.file_size for part in parts.infolist()) < LARGEST
        if whole:
            with np.load(io.BytesIO(data), allow_pickle=False) as stored:
                found = Network(stored["rows"], stored["outputs"])
            whole = found.is_whole()
    except FileNotFoundError:
        raise BadInput(f"there is no file {path}") from None
    except Exception:  # whatever NumPy and zlib make of bytes that are no npz, or a damaged one
        whole = False
    if not whole and path:
        raise BadInput(f"{path} holds no whole network of chess: give one that benchmarks/chess_network.py has written")
    if not whole:
        raise BadInput(
            "the network of chess that comes with Plywright is damaged: install Plywright again, or use "
            "--knowledge hand (knowledge=hand of a player in a match)"
        )
    return found


def seen(places: Any, state: Position) -> int:
    """Put the inputs of the mover's view into `places`, those of the opponent's from `MOST` on; how many there are."""
    king = lowest_bit(state.mine & state.kings)
    other = lowest_bit(state.theirs & state.kings)
    near = 7 if king & 7 < 4 else 0
    far = 63 if other & 7 < 4 else 56
    queens = state.diagonals & state.straights
    boards = (state.pawns, state.knights, state.diagonals & ~queens, state.straights & ~queens, queens, state.kings)
    count, first = 0, 0
    for board in boards:
        left = board & state.mine
        while left != ZERO:
            square = lowest_bit(left)
            left &= left - ONE
            places[count] = first + (square ^ near)
            places[MOST + count] = first + 64 + (square ^ far)
            count += 1
        left = board & state.theirs
        while left != ZERO:
            square = lowest_bit(left)
            left &= left - ONE
            places[count] = first + 64 + (square ^ near)
            places[MOST + count] = first + (square ^ far)
            count += 1
        first += 128
    return count


def correction(rows: np.ndarray, outputs: np.ndarray, units: int, state: Position) -> tuple[int, int]:
    """What is to be added for the mover, early and late, in the unit of packed weights."""
    places = scratch()
    count = seen(places, state)
    own, own_late = squared_units(rows, units, INPUTS, places, 0, count, outputs, 0)
    their, their_late = squared_units(rows, units, INPUTS, places, MOST, count, outputs, 2 * units)
    return (own + their) >> SHIFT, (own_late + their_late) >> SHIFT
