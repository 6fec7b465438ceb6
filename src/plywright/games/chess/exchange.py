"""Static exchange evaluation: what a capture wins when both sides go on taking on its square."""

from __future__ import annotations

from typing import Any

import numpy as np

from .attacks import DIAGONAL, KING, KNIGHT, ONE, PAWN, STRAIGHT, ZERO, bishop_attacks, pawn_attacks_down, rook_attacks

PAWN_VALUE, MINOR_VALUE, ROOK_VALUE, QUEEN_VALUE, KING_VALUE = 100, 325, 500, 975, 10_000


def value_on(state: Any, square: int) -> int:
    """The value of the piece on a square; 0 where it is empty."""
    bit = ONE << np.uint64(square)
    if (state.mine | state.theirs) & bit == ZERO:
        return 0
    if state.pawns & bit != ZERO:
        return PAWN_VALUE
    if state.straights & bit != ZERO:
        return QUEEN_VALUE if state.diagonals & bit != ZERO else ROOK_VALUE
    return KING_VALUE if state.kings & bit != ZERO else MINOR_VALUE


def exchange_wins(state: Any, action: int, threshold: int) -> bool:
    """Whether a move, with the best captures of both sides after it on its square, wins at least so much.

    Castling, promotions and taking in passing are counted as winning nothing.
    """
    origin, target = action >> 6 & 63, action & 63
    square = ONE << np.uint64(target)
    if action >> 12 != 0 or square & state.mine != ZERO:
        return threshold <= 0
    if state.passant == square and state.pawns >> np.uint64(origin) & ONE != ZERO:
        return threshold <= 0
    balance = value_on(state, target) - threshold
    if balance < 0:
        return False
    balance = value_on(state, origin) - balance
    if balance <= 0:
        return True
    occupied = (state.mine | state.theirs) & ~(ONE << np.uint64(origin)) | square
    pieces = (
        PAWN[target] & state.pawns & state.theirs
        | pawn_attacks_down(square) & state.pawns & state.mine
        | KNIGHT[target] & state.knights
        | KING[target] & state.kings
    )
    if DIAGONAL[target] & state.diagonals != ZERO:
        pieces |= bishop_attacks(target, occupied) & state.diagonals
    if STRAIGHT[target] & state.straights != ZERO:
        pieces |= rook_attacks(target, occupied) & state.straights
    queens = state.diagonals & state.straights
    theirs_to_move, wins = True, True
    while True:
        pieces &= occupied
        side = pieces & (state.theirs if theirs_to_move else state.mine)
        if side == ZERO:
            break
        wins = not wins
        taker, value = side & state.pawns, PAWN_VALUE
        if taker == ZERO:
            taker, value = side & (state.knights | state.diagonals & ~queens), MINOR_VALUE
        if taker == ZERO:
            taker, value = side & state.straights & ~queens, ROOK_VALUE
        if taker == ZERO:
            taker, value = side & queens, QUEEN_VALUE
        if taker == ZERO:  # the king takes last, and only what nobody guards
            others = pieces & (state.mine if theirs_to_move else state.theirs)
            return (not wins) if others != ZERO else wins
        balance = value - balance
        if balance < (1 if wins else 0):
            break
        occupied ^= taker & ~(taker - ONE)
        pieces |= bishop_attacks(target, occupied) & state.diagonals | rook_attacks(target, occupied) & state.straights
        theirs_to_move = not theirs_to_move
    return wins
