"""Where pieces attack on an 8x8 board, in small constant tables and a few machine instructions.

A square is a number, a1 = 0, b1 = 1, ..., h8 = 63, in the view of the player to move: that player's pawns go up.
Sliding pieces use the difference o ^ (o - 2r): subtracting twice the slider from the occupied squares of a line
runs up to the first obstacle; the same on the board upside down runs the other way.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...bits import minus, swap_bytes

ZERO, ONE = np.uint64(0), np.uint64(1)
ALL = np.uint64(0xFFFFFFFFFFFFFFFF)
RANK_1, RANK_2, RANK_3 = np.uint64(0xFF), np.uint64(0xFF00), np.uint64(0xFF0000)
RANK_7, RANK_8 = np.uint64(0xFF << 48), np.uint64(0xFF << 56)
NOT_FILE_A, NOT_FILE_H = np.uint64(0xFEFEFEFEFEFEFEFE), np.uint64(0x7F7F7F7F7F7F7F7F)
DARK_SQUARES = np.uint64(0xAA55AA55AA55AA55)
SEVEN, EIGHT, NINE, SIXTEEN = np.uint64(7), np.uint64(8), np.uint64(9), np.uint64(16)
RANK_OF, INNER = np.uint64(56), np.uint64(63)


def _table(steps: list[tuple[int, int]], longest: int) -> NDArray[np.uint64]:
    """[64] for each square those that such steps lead to, repeated up to `longest` times on an empty board."""
    table = np.zeros(64, np.uint64)
    for square in range(64):
        found = 0
        for across, up in steps:
            file, rank = square % 8 + across, square // 8 + up
            for _ in range(longest):
                if 0 <= file < 8 and 0 <= rank < 8:
                    found |= 1 << 8 * rank + file
                file, rank = file + across, rank + up
        table[square] = found
    return table


def _rank_attacks() -> NDArray[np.uint64]:
    """[64 * 8] for the six inner squares of a rank as bits, and a file: what a rook there attacks on the rank."""
    table = np.zeros(512, np.uint64)
    for inner in range(64):
        for file in range(8):
            for step in (-1, 1):
                place = file + step
                while 0 <= place < 8:
                    table[8 * inner + file] |= np.uint64(1 << place)
                    if inner << 1 >> place & 1:
                        break
                    place += step
    return table


KNIGHT = _table([(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)], 1)
KING = _table([(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)], 1)
PAWN = _table([(-1, 1), (1, 1)], 1)
FILE = _table([(0, 1), (0, -1)], 7)  # without the square itself, like the three others
RANK = _table([(1, 0), (-1, 0)], 7)
RISING = _table([(1, 1), (-1, -1)], 7)
FALLING = _table([(-1, 1), (1, -1)], 7)
STRAIGHT = FILE | RANK
DIAGONAL = RISING | FALLING
RANK_ATTACKS = _rank_attacks()


def line_attacks(slider: np.uint64, occupied: np.uint64, line: np.uint64) -> np.uint64:
    """The squares of a file or a diagonal up to the first obstacle on either side, that one included."""
    obstacles = occupied & line
    up = minus(obstacles, slider << ONE)
    down = swap_bytes(minus(swap_bytes(obstacles), swap_bytes(slider) << ONE))
    return (up ^ down) & line


def bishop_attacks(square: int, occupied: np.uint64) -> np.uint64:
    slider = ONE << np.uint64(square)
    return line_attacks(slider, occupied, RISING[square]) | line_attacks(slider, occupied, FALLING[square])


def rook_attacks(square: int, occupied: np.uint64) -> np.uint64:
    corner = np.uint64(square) & RANK_OF  # the first square of the rank
    inner = occupied >> (corner + ONE) & INNER
    across: np.uint64 = RANK_ATTACKS[inner * EIGHT + (np.uint64(square) & SEVEN)] << corner
    return line_attacks(ONE << np.uint64(square), occupied, FILE[square]) | across


def line_through(one: int, other: int) -> np.uint64:
    """The whole line on which two squares lie, without the first; nothing where they share none."""
    bit = ONE << np.uint64(other)
    line: np.uint64 = ZERO
    if STRAIGHT[one] & bit != ZERO:
        line = FILE[one] if FILE[one] & bit != ZERO else RANK[one]
    elif DIAGONAL[one] & bit != ZERO:
        line = RISING[one] if RISING[one] & bit != ZERO else FALLING[one]
    return line


def between(one: int, other: int) -> np.uint64:
    """The squares strictly between two squares of a line; nothing where they share none."""
    low, high = min(one, other), max(one, other)
    return line_through(one, other) & (ALL << np.uint64(low) << ONE) & ((ONE << np.uint64(high)) - ONE)


def span(one: int, other: int) -> np.uint64:
    """All squares from one to the other in the order of their numbers, both included."""
    low, high = min(one, other), max(one, other)
    return (ALL << np.uint64(low)) & (ALL >> np.uint64(63 - high))


def pawn_attacks(pawns: np.uint64) -> np.uint64:
    """What pawns that go up attack."""
    return (pawns & NOT_FILE_A) << SEVEN | (pawns & NOT_FILE_H) << NINE


def pawn_attacks_down(pawns: np.uint64) -> np.uint64:
    """What the opponent's pawns attack."""
    return (pawns & NOT_FILE_A) >> NINE | (pawns & NOT_FILE_H) >> SEVEN
