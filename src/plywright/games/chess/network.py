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

from ...bits import SCRATCH, lowest_bit, scratch, signed, swap_bytes
from ...errors import BadInput
from ...files import write_whole
from ...vectors import LOUDEST, QUIETER, add_narrow_rows, squared_units, take_narrow_rows, weighed_squares
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
WHITE, BLACK, BOARDS, SUMS = 0, 1, 2, 14
"""Words of the memory: how either side's view is turned, plus one, 0 where it has no sums; twelve boards of men, in
White's view; four sums in a word, first those of White's view."""
GONE, EVERYONE = 128, 256
"""Where the men who have left, and all men there are, are listed; those who came are listed from 0 on."""
MIRRORED, OTHER_SIDE = 7, 64 | 56
"""What turns an input of White's view into one with the wings swapped, and into one of Black's view."""
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
        """From what was trained: `rows` in ones, `outputs` in pawns. What is too large is cut off, and not whole."""
        rows, outputs = (np.clip(np.nan_to_num(array, nan=np.inf), -100, 100) for array in (rows, outputs))
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
        if path:
            raise BadInput(f"there is no file {path}") from None
        whole = False
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


def can_remember(units: int) -> bool:
    """Whether what so many units heard fits into the memory of a search."""
    return 0 < units <= 2 * (SCRATCH - SUMS)


def remembered_correction(rows: Any, outputs: Any, units: int, state: Position, memory: Any) -> tuple[int, int]:
    """The same as `correction`, from what the units heard in the position before: only who moved is heard anew.

    `memory` holds that position and is then about this one. A side whose king has come to the other wing sees everyone
    elsewhere, and hears them all anew.
    """
    white, black, pawns, knights = state.mine, state.theirs, state.pawns, state.knights
    diagonals, straights, kings = state.diagonals, state.straights, state.kings
    if state.mover != 0:
        white, black, pawns, knights = swap_bytes(black), swap_bytes(white), swap_bytes(pawns), swap_bytes(knights)
        diagonals, straights, kings = swap_bytes(diagonals), swap_bytes(straights), swap_bytes(kings)
    white_turn = MIRRORED if lowest_bit(white & kings) & 7 < 4 else 0
    black_turn = OTHER_SIDE ^ (MIRRORED if lowest_bit(black & kings) & 7 < 4 else 0)
    white_known, black_known = memory[WHITE] == white_turn + 1, memory[BLACK] == black_turn + 1
    memory[WHITE], memory[BLACK] = 0, 0  # nothing, should this be broken off
    queens = diagonals & straights
    boards = (pawns, knights, diagonals & ~queens, straights & ~queens, queens, kings)
    places = scratch()
    came, gone, everyone, first = 0, 0, 0, 0
    for board in boards:
        for side in range(2):
            now = board & (white if side == 0 else black)
            word = BOARDS + (first >> 6)
            before = np.uint64(memory[word]) if white_known or black_known else ZERO
            left = now & ~before
            while left != ZERO:
                places[came] = first + lowest_bit(left)
                left &= left - ONE
                came += 1
            left = before & ~now
            while left != ZERO:
                places[GONE + gone] = first + lowest_bit(left)
                left &= left - ONE
                gone += 1
            memory[word] = signed(now)
            first += 64
    if not white_known or not black_known:
        everyone = all_men(places, memory)
    sums = SUMS + units // 4
    hear(rows, units, places, memory, SUMS, white_turn, white_known, came, gone, everyone)
    hear(rows, units, places, memory, sums, black_turn, black_known, came, gone, everyone)
    memory[WHITE], memory[BLACK] = white_turn + 1, black_turn + 1
    own, their = (SUMS, sums) if state.mover == 0 else (sums, SUMS)
    one, one_late = weighed_squares(memory, own, units, outputs, 0)
    other, other_late = weighed_squares(memory, their, units, outputs, 2 * units)
    return (one + other) >> SHIFT, (one_late + other_late) >> SHIFT


def all_men(places: Any, memory: Any) -> int:
    """List all men of the boards in memory, as White sees them: how many there are."""
    count = 0
    for word in range(BOARDS, SUMS):
        left = np.uint64(memory[word])
        while left != ZERO:
            places[EVERYONE + count] = 64 * (word - BOARDS) + lowest_bit(left)
            left &= left - ONE
            count += 1
    return count


def hear(
    rows: Any,
    units: int,
    places: Any,
    memory: Any,
    at: int,
    turn: int,
    known: bool,
    came: int,
    gone: int,
    everyone: int,
) -> None:
    """Bring the sums of a view up to date."""
    if known:
        add_narrow_rows(memory, at, rows, units, turn, places, 0, came)
        take_narrow_rows(memory, at, rows, units, turn, places, GONE, gone)
        return
    for word in range(at, at + units // 4):
        memory[word] = 0
    places[EVERYONE + everyone] = INPUTS ^ turn  # what the units begin with
    add_narrow_rows(memory, at, rows, units, turn, places, EVERYONE, everyone + 1)
