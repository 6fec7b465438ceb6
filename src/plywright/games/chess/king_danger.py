"""How much is aimed at a king, and what covers it, as a number by which weights are looked up."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...bits import lowest_bit, popcount, swap_bytes
from .attacks import EIGHT, KING, KNIGHT, NOT_FILE_A, NOT_FILE_H, ONE, SIXTEEN, ZERO, bishop_attacks, rook_attacks
from .features import KING_DANGER

MOST_DANGER = 47
WEAK_SQUARE, UNCOVERED, NO_QUEEN = 4, 3, 16
KNIGHT_CHECK, BISHOP_CHECK, ROOK_CHECK, QUEEN_CHECK = 15, 12, 20, 15  # that nothing punishes
SECOND_CHECK = 6


class Side(NamedTuple):
    """One side's pieces and the other's, in the view of the first, whose pawns go up."""

    mine: np.uint64
    theirs: np.uint64
    pawns: np.uint64
    knights: np.uint64
    diagonals: np.uint64
    straights: np.uint64
    kings: np.uint64


class Attacks(NamedTuple):
    """What one side attacks, in its own view: at all, twice, without king and queens, and by each kind of piece; how
    many pieces attack squares beside the other king, how strong they are in that, and how often they do."""

    total: np.uint64
    twice: np.uint64
    lesser: np.uint64
    knights: np.uint64
    bishops: np.uint64
    rooks: np.uint64
    queens: np.uint64
    attackers: int
    force: int
    near: int


def weighed_danger(weights: np.ndarray, side: Side, own: Attacks, their: Attacks) -> int:
    """What this side's attack on the other king is worth; a single piece without a queen is none."""
    if own.attackers + (1 if own.queens != ZERO else 0) < 2:
        return 0
    danger = king_danger(side, own, swap_bytes(their.total), swap_bytes(their.lesser), swap_bytes(their.queens))
    score: int = weights[KING_DANGER + min(max(danger, 0) >> 1, MOST_DANGER)]
    return score


def king_danger(side: Side, own: Attacks, guarded: np.uint64, lesser: np.uint64, queens: np.uint64) -> int:
    """In points; `guarded`, `lesser` and `queens` are what the other side attacks, in this one's view."""
    king = side.kings & side.theirs
    square, occupied = lowest_bit(king), side.mine | side.theirs
    danger = (own.force * own.attackers >> 1) + own.near
    danger += WEAK_SQUARE * popcount(KING[square] & own.total & ~lesser)
    if own.queens == ZERO:
        danger -= NO_QUEEN
    files = king | (king & NOT_FILE_A) >> ONE | (king & NOT_FILE_H) << ONE
    cover = popcount((files >> EIGHT | files >> SIXTEEN) & side.pawns & side.theirs)
    danger += UNCOVERED * (3 - min(cover, 3))

    safe = ~side.mine & (~guarded | own.twice & ~(lesser | queens))
    straight, diagonal = rook_attacks(square, occupied) & safe, bishop_attacks(square, occupied) & safe
    rooks = straight & own.rooks
    last = (straight | diagonal) & own.queens & ~rooks
    danger += points(rooks, ROOK_CHECK) + points(last, QUEEN_CHECK)
    danger += points(diagonal & own.bishops & ~last, BISHOP_CHECK)
    return danger + points(KNIGHT[square] & own.knights & safe, KNIGHT_CHECK)


def points(squares: np.uint64, check: int) -> int:
    """For squares from which a piece can give check."""
    if squares == ZERO:
        return 0
    return check + (SECOND_CHECK if squares & (squares - ONE) != ZERO else 0)
