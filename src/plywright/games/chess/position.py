"""A chess position as bitboards, and where its pieces may go; everything in the view of the player to move."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...bits import fold, lowest_bit, popcount, swap_bytes
from ...rng import scramble
from .attacks import (
    ALL,
    DARK_SQUARES,
    DIAGONAL,
    EIGHT,
    KING,
    KNIGHT,
    NINE,
    NOT_FILE_A,
    NOT_FILE_H,
    ONE,
    PAWN,
    RANK_3,
    SEVEN,
    STRAIGHT,
    ZERO,
    between,
    bishop_attacks,
    line_through,
    rook_attacks,
    span,
)

SALT = tuple(np.uint64(scramble(number)) for number in range(1, 9))


class Position(NamedTuple):
    """Pieces from the perspective of the player to move, whose pawns go up: Black's board is upside down.

    Queens stand on `diagonals` and on `straights`. `castling` holds the rooks that may still castle, `passant` the
    square where a pawn may legally be taken in passing, `checkers` the pieces that give check.
    """

    mine: np.uint64
    theirs: np.uint64
    pawns: np.uint64
    knights: np.uint64
    diagonals: np.uint64
    straights: np.uint64
    kings: np.uint64
    castling: np.uint64
    passant: np.uint64
    checkers: np.uint64
    mover: int
    clock: int
    number: int


def position_key(state: Position) -> int:
    """64 bits for the pieces, the rights to castle and to take in passing; counters and colour are left out."""
    return (
        fold(state.mine ^ SALT[0], state.theirs ^ SALT[1])
        ^ fold(state.pawns ^ SALT[2], state.knights ^ SALT[3])
        ^ fold(state.diagonals ^ SALT[4], state.straights ^ SALT[5])
        ^ fold((state.castling | state.passant) ^ SALT[6], SALT[7])
    )


# -- moves: all in the view of the player to move, whose king stands on `king` -----------------------


def legal_targets(state: Position, origin: int, king: int, pinned: np.uint64, allowed: np.uint64) -> np.uint64:
    """Where the piece on `origin` may go; for castling that is the square of the rook."""
    if origin == king:
        return king_targets(state, king)
    targets = piece_targets(state, origin, king, pinned, allowed)
    if state.passant != ZERO and ONE << np.uint64(origin) & passing_pawns(state, king) != ZERO:
        targets |= state.passant
    return targets


def piece_targets(state: Position, origin: int, king: int, pinned: np.uint64, allowed: np.uint64) -> np.uint64:
    """Where a piece other than the king may go, taking in passing left out."""
    bit, occupied = ONE << np.uint64(origin), state.mine | state.theirs
    targets = ZERO
    if bit & state.pawns != ZERO:
        step = bit << EIGHT & ~occupied
        targets = step | (step & RANK_3) << EIGHT & ~occupied | PAWN[origin] & state.theirs
    elif bit & state.knights != ZERO:
        targets = KNIGHT[origin]
    else:
        if bit & state.diagonals != ZERO:
            targets = bishop_attacks(origin, occupied)
        if bit & state.straights != ZERO:
            targets |= rook_attacks(origin, occupied)
    targets &= allowed & ~state.mine
    return targets & line_through(king, origin) if bit & pinned != ZERO else targets


def king_targets(state: Position, king: int) -> np.uint64:
    """Squares that nothing attacks once the king has left its own, and the rooks it may castle with."""
    pawns, without = state.theirs & state.pawns, (state.mine | state.theirs) ^ ONE << np.uint64(king)
    guarded = (pawns & NOT_FILE_A) >> NINE | (pawns & NOT_FILE_H) >> SEVEN
    near = KING[king] & ~state.mine & ~guarded
    targets = ZERO
    while near != ZERO:
        square = lowest_bit(near)
        if attackers(state, square, without, state.theirs) == ZERO:
            targets |= ONE << np.uint64(square)
        near &= near - ONE
    rooks = state.castling & state.mine
    if rooks != ZERO and state.checkers == ZERO:
        while rooks != ZERO:
            rook = lowest_bit(rooks)
            if can_castle(state, king, rook):
                targets |= ONE << np.uint64(rook)
            rooks &= rooks - ONE
    return targets


def castled(king: int, rook: int) -> tuple[int, int]:
    """Where king and rook stand after castling: c1 and d1 if the rook was at the left, else g1 and f1."""
    return (6, 5) if rook > king else (2, 3)


def can_castle(state: Position, king: int, rook: int) -> bool:
    """Whether the way is free and the king is not attacked on it; the rook's leaving may open a line, too."""
    king_goes, rook_goes = castled(king, rook)
    others = (state.mine | state.theirs) ^ ONE << np.uint64(king) ^ ONE << np.uint64(rook)
    way = span(king, king_goes)
    if (way | span(rook, rook_goes)) & others != ZERO:
        return False
    while way != ZERO:
        if attackers(state, lowest_bit(way), others | ONE << np.uint64(rook), state.theirs) != ZERO:
            return False
        way &= way - ONE
    return bool(attackers(state, king_goes, others | ONE << np.uint64(rook_goes), state.theirs) == ZERO)


def attackers(state: Position, square: int, occupied: np.uint64, theirs: np.uint64) -> np.uint64:
    """The opponent's pieces among `theirs` that attack a square, with these squares occupied."""
    found: np.uint64 = PAWN[square] & state.pawns | KNIGHT[square] & state.knights | KING[square] & state.kings
    if DIAGONAL[square] & theirs & state.diagonals != ZERO:
        found |= bishop_attacks(square, occupied) & state.diagonals
    if STRAIGHT[square] & theirs & state.straights != ZERO:
        found |= rook_attacks(square, occupied) & state.straights
    return found & theirs


def pinned_pieces(state: Position, king: int) -> np.uint64:
    """The mover's pieces that stand alone between their king and a piece that would attack it."""
    occupied, pinned = state.mine | state.theirs, ZERO
    far = state.theirs & (STRAIGHT[king] & state.straights | DIAGONAL[king] & state.diagonals)
    while far != ZERO:
        screen = between(king, lowest_bit(far)) & occupied
        if popcount(screen) == 1:
            pinned |= screen & state.mine
        far &= far - ONE
    return pinned


def blocking_squares(state: Position, king: int) -> np.uint64:
    """Where a piece other than the king may go: anywhere, or where it ends the check; nowhere in double check."""
    if state.checkers == ZERO:
        return ALL
    if popcount(state.checkers) > 1:
        return ZERO
    return state.checkers | between(king, lowest_bit(state.checkers))


def passing_pawns(state: Position, king: int) -> np.uint64:
    """The mover's pawns that may take in passing without leaving the king attacked."""
    square = state.passant
    taken, legal = square >> EIGHT, ZERO
    pawns = state.mine & state.pawns & ((square & NOT_FILE_A) >> NINE | (square & NOT_FILE_H) >> SEVEN)
    while pawns != ZERO:
        pawn = ONE << np.uint64(lowest_bit(pawns))
        occupied = (state.mine | state.theirs) ^ pawn ^ taken ^ square
        if attackers(state, king, occupied, state.theirs ^ taken) == ZERO:
            legal |= pawn
        pawns ^= pawn
    return legal


def settled(state: Position) -> Position:
    """The position with its checkers found, and without a right to take in passing that nobody has."""
    king = lowest_bit(state.mine & state.kings)
    return with_rights(state, checkers_of(state, king), passant_of(state, king))


def turned(
    mine: np.uint64,
    theirs: np.uint64,
    pawns: np.uint64,
    knights: np.uint64,
    diagonals: np.uint64,
    straights: np.uint64,
    kings: np.uint64,
    castling: np.uint64,
    passant: np.uint64,
    mover: int,
    clock: int,
    number: int,
) -> Position:
    """The settled position for the next player, from boards in the view of the one who has moved.

    Made in one piece: a state that goes through memory half finished is waited for.
    """
    state = Position(
        swap_bytes(mine),
        swap_bytes(theirs),
        swap_bytes(pawns),
        swap_bytes(knights),
        swap_bytes(diagonals),
        swap_bytes(straights),
        swap_bytes(kings),
        swap_bytes(castling),
        swap_bytes(passant),
        ZERO,
        mover,
        clock,
        number,
    )
    king = lowest_bit(state.mine & state.kings)
    return with_rights(state, checkers_of(state, king), passant_of(state, king))


def checkers_of(state: Position, king: int) -> np.uint64:
    return attackers(state, king, state.mine | state.theirs, state.theirs)


def passant_of(state: Position, king: int) -> np.uint64:
    """The square for taking in passing, if a pawn legally may."""
    return state.passant if state.passant != ZERO and passing_pawns(state, king) != ZERO else ZERO


def with_rights(state: Position, checkers: np.uint64, passant: np.uint64) -> Position:
    return Position(
        state.mine,
        state.theirs,
        state.pawns,
        state.knights,
        state.diagonals,
        state.straights,
        state.kings,
        state.castling,
        passant,
        checkers,
        state.mover,
        state.clock,
        state.number,
    )


def can_move(state: Position) -> bool:
    """Whether the mover has a legal move, whatever else may end the game."""
    king = lowest_bit(state.mine & state.kings)
    steps, free = state.mine & state.pawns, ~(state.mine | state.theirs)
    if state.checkers == ZERO and (steps & ~(STRAIGHT[king] | DIAGONAL[king])) << EIGHT & free != ZERO:
        return True  # a pawn that nothing can pin steps ahead: that is most states
    pinned, allowed = pinned_pieces(state, king), blocking_squares(state, king)
    if (steps & ~pinned) << EIGHT & free & allowed != ZERO:
        return True
    pieces = state.mine
    while pieces != ZERO:
        if legal_targets(state, lowest_bit(pieces), king, pinned, allowed) != ZERO:
            return True
        pieces &= pieces - ONE
    return False


def is_dead(state: Position) -> bool:
    """Whether no sequence of moves can mate: bare kings, one knight, or bishops all on squares of one colour."""
    if state.pawns | state.straights != ZERO:
        return False
    bishops = state.diagonals
    if bishops == ZERO:
        return popcount(state.knights) <= 1
    return bool(state.knights == ZERO and (bishops & DARK_SQUARES == ZERO or bishops & ~DARK_SQUARES == ZERO))


def moved(board: np.uint64, origin: np.uint64, both: np.uint64) -> np.uint64:
    """One kind of pieces after a move from `origin`, if it was one of them."""
    return board ^ both if board & origin != ZERO else board
