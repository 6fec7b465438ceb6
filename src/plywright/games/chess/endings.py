"""Small endings of chess by number: a king and some pieces against a bare king.

`KBNK` names the pieces of the stronger side and the bare king. Squares are those that the stronger side sees, whose
pawns go up. Without pawns the board may be turned and mirrored until its king stands in a triangle of ten squares, with
a pawn mirrored until the king is on the left half.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

import numpy as np

from ...bits import lowest_bit, popcount, swap_bytes
from ...errors import BadInput
from ...knowledge import Knowledge
from .attacks import ONE, ZERO
from .knowledge import ChessKnowledge
from .position import Position, attackers, settled

if TYPE_CHECKING:
    from .rules import Chess

WHITE = 0
PIECES = "QRBNP"
QUEEN, ROOK, BISHOP, KNIGHT, PAWN = range(5)
MOST = 3
"""Pieces beside the kings."""
DEAD = ("K", "KB", "KN")
"""What cannot mate: the rules end such games."""
TRIANGLE = tuple(row * 8 + column for column in range(4) for row in range(column + 1))
LEFT_HALF = tuple(square for square in range(64) if square % 8 < 4)
FLIP = 56
END_ROWS = np.uint64(0xFF000000000000FF)


class ChessEndings(ChessKnowledge):
    """What is known of chess, with numbers for the positions of one ending and of those that it leads to."""

    game: Chess
    tables = ("KQK", "KRK", "KPK", "KBNK", "KBBK")
    runtime = ("sections",)

    def __init__(self, game: Chess, pieces: tuple[str, ...] = ("KQK",)) -> None:
        super().__init__(game)
        self.sections = len(pieces)
        kinds = [[PIECES.index(piece) for piece in name[1:-1]] for name in pieces]
        self.counts = np.array([len(each) for each in kinds], np.int64)
        self.kinds = np.array([each + [-1] * (MOST - len(each)) for each in kinds], np.int64).ravel()
        self.pawned = np.array([PAWN in each for each in kinds], np.int64)
        sizes = [2 * (32 if PAWN in each else 10) * 64 ** (len(each) + 1) for each in kinds]
        self.begins = np.array([0, *itertools.accumulate(sizes)], np.int64)
        self.triangle = np.array(TRIANGLE, np.int64)
        self.left_half = np.array(LEFT_HALF, np.int64)
        places = [
            [squares.index(square) if square in squares else -1 for square in range(64)]
            for squares in (TRIANGLE, LEFT_HALF)
        ]
        self.in_triangle, self.in_left_half = (np.array(each, np.int64) for each in places)

    def for_tables(self, which: str) -> tuple[Knowledge, list[tuple[str, int]]]:
        """The ending named, such as KBNK, behind those that its moves can lead to."""
        name = which.upper()
        right = 3 <= len(name) <= MOST + 2 and name[0] == name[-1] == "K" and set(name[1:-1]) <= set(PIECES)
        if not right or name[1:-1].count("P") > 1 or name[:-1] in DEAD:
            raise BadInput(f"tables of chess are named like {', '.join(self.tables)}, not {which!r}")
        order = sorted(
            leading_to("".join(sorted(name[1:-1], key=PIECES.index))), key=lambda each: ("P" in each, len(each), each)
        )
        names = tuple(f"K{pieces}K" for pieces in order if f"K{pieces}" not in DEAD)
        numbering = ChessEndings(self.game, names)
        sizes = np.diff(numbering.begins).tolist()
        return numbering, list(zip(names, sizes, strict=True))

    def index(self, state: Position) -> int:
        if popcount(state.mine | state.theirs) > MOST + 2 or state.castling | state.passant != ZERO:
            return -1
        alone = popcount(state.mine) == 1
        if not alone and popcount(state.theirs) != 1:
            return -1
        section = section_of(self, state)
        if section < 0:
            return -1
        strong, weak = (state.theirs, state.mine) if alone else (state.mine, state.theirs)
        flip = FLIP if alone else 0
        king = lowest_bit(strong & state.kings) ^ flip
        bare = lowest_bit(weak) ^ flip
        turn = turn_of(king, self.pawned[section])
        place = (
            self.in_left_half[turned(king, turn)] if self.pawned[section] != 0 else self.in_triangle[turned(king, turn)]
        )
        number = place * 64 + turned(bare, turn)
        left = strong & ~state.kings
        for slot in range(self.counts[section]):
            found = lowest_of_kind(state, left, self.kinds[MOST * section + slot])
            left &= ~(ONE << np.uint64(found))
            number = number * 64 + turned(found ^ flip, turn)
        return int(self.begins[section] + number * 2 + (1 if alone else 0))

    def unindex(self, number: int) -> Position:
        section = 0
        while self.begins[section + 1] <= number:
            section += 1
        rest = number - self.begins[section]
        alone = rest % 2 == 1
        rest //= 2
        flip = FLIP if alone else 0
        pawns = knights = diagonals = straights = strong = ZERO
        for slot in range(self.counts[section] - 1, -1, -1):
            bit = ONE << np.uint64((rest % 64) ^ flip)
            rest //= 64
            kind = self.kinds[MOST * section + slot]
            strong |= bit
            pawns |= bit if kind == PAWN else ZERO
            knights |= bit if kind == KNIGHT else ZERO
            diagonals |= bit if kind in (QUEEN, BISHOP) else ZERO
            straights |= bit if kind in (QUEEN, ROOK) else ZERO
        bare = ONE << np.uint64((rest % 64) ^ flip)
        place = self.left_half[rest // 64] if self.pawned[section] != 0 else self.triangle[rest // 64]
        king = ONE << np.uint64(place ^ flip)
        mine, theirs = (bare, strong | king) if alone else (strong | king, bare)
        found = Position(mine, theirs, pawns, knights, diagonals, straights, bare | king, ZERO, ZERO, ZERO, WHITE, 0, 1)
        return settled(found)

    def is_hole(self, number: int) -> bool:
        """Two pieces on a square, in another order, a pawn on an end row, or the other king in check."""
        state = self.unindex(number)
        if popcount(state.kings) != 2 or state.mine & state.theirs != ZERO or state.pawns & END_ROWS != ZERO:
            return True
        if self.index(state) != number:
            return True
        king = lowest_bit(state.theirs & state.kings)
        seen = Position(
            swap_bytes(state.theirs),
            swap_bytes(state.mine),
            swap_bytes(state.pawns),
            swap_bytes(state.knights),
            swap_bytes(state.diagonals),
            swap_bytes(state.straights),
            swap_bytes(state.kings),
            ZERO,
            ZERO,
            ZERO,
            WHITE,
            0,
            1,
        )
        return bool(attackers(seen, king ^ FLIP, seen.mine | seen.theirs, seen.theirs) != ZERO)


def leading_to(pieces: str) -> set[str]:
    """The pieces that may be left of these: all, fewer, or with the pawn promoted."""
    found = {pieces}
    for place, piece in enumerate(pieces):
        rest = pieces[:place] + pieces[place + 1 :]
        found |= leading_to(rest)
        if piece == "P":
            for new in PIECES[:-1]:
                found |= leading_to("".join(sorted(rest + new, key=PIECES.index)))
    return found


def section_of(knowledge: ChessEndings, state: Position) -> int:
    """Which of the endings has these pieces; -1 where none has."""
    for section in range(knowledge.sections):
        queens, rooks, bishops = 0, 0, 0
        knights, pawns = 0, 0
        for slot in range(knowledge.counts[section]):
            kind = knowledge.kinds[MOST * section + slot]
            queens += 1 if kind == QUEEN else 0
            rooks += 1 if kind == ROOK else 0
            bishops += 1 if kind == BISHOP else 0
            knights += 1 if kind == KNIGHT else 0
            pawns += 1 if kind == PAWN else 0
        same = popcount(state.diagonals & state.straights) == queens and popcount(state.straights) == queens + rooks
        same = same and popcount(state.diagonals) == queens + bishops and popcount(state.knights) == knights
        if same and popcount(state.pawns) == pawns:
            return section
    return -1


def lowest_of_kind(state: Position, squares: np.uint64, kind: int) -> int:
    """The first of these squares that has a piece of that kind."""
    if kind == QUEEN:
        return lowest_bit(squares & state.diagonals & state.straights)
    if kind == ROOK:
        return lowest_bit(squares & state.straights & ~state.diagonals)
    if kind == BISHOP:
        return lowest_bit(squares & state.diagonals & ~state.straights)
    return lowest_bit(squares & (state.knights if kind == KNIGHT else state.pawns))


def turn_of(king: int, pawned: int) -> int:
    """How to turn the board so that the king comes to its part of it: bits for columns, rows, and both exchanged."""
    turn = 1 if king % 8 > 3 else 0
    if pawned != 0:
        return turn
    if king // 8 > 3:
        turn |= 2
    if turned(king, turn) // 8 > turned(king, turn) % 8:
        turn |= 4
    return turn


def turned(square: int, turn: int) -> int:
    if turn & 1:
        square ^= 7
    if turn & 2:
        square ^= 56
    if turn & 4:
        square = square % 8 * 8 + square // 8
    return square
