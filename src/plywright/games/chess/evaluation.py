"""The features of a position counted and weighed at once; early and late weights travel in one word (`packed`).

What depends on pawns alone, the structure, is worked out apart: it changes rarely, and searches keep it.
"""

from __future__ import annotations

import numpy as np

from ...bits import fold, highest_bit, lowest_bit, popcount, signed, swap_bytes
from .attacks import (
    DARK_SQUARES,
    EIGHT,
    KING,
    KNIGHT,
    NINE,
    NOT_FILE_A,
    NOT_FILE_H,
    ONE,
    RANK_3,
    RANK_7,
    RANK_8,
    SEVEN,
    SIXTEEN,
    ZERO,
    bishop_attacks,
    pawn_attacks,
    pawn_attacks_down,
    rook_attacks,
)
from .features import (
    BACKWARD,
    BAD_BISHOP,
    BISHOP_MOBILITY,
    BISHOP_OUTPOST,
    BISHOP_PAIR,
    CONNECTED,
    DOUBLED,
    FAR_MINOR,
    FREE_PASSED,
    HALF_OPEN_FILE,
    ISOLATED,
    KING_NEAR_PASSED,
    KNIGHT_AND_PAWNS,
    KNIGHT_MOBILITY,
    KNIGHT_OUTPOST,
    LOOSE,
    MINOR_ON_MINOR,
    MINOR_THREAT,
    OPEN_FILE,
    OPEN_KING,
    PASSED,
    PAWN_THREAT,
    PUSH_THREAT,
    QUEEN_MOBILITY,
    ROOK_AND_PAWNS,
    ROOK_MOBILITY,
    ROOK_ON_MINOR,
    ROOK_THREAT,
    SAFE_PATH,
    SAFE_STEP,
    SEVENTH,
    SHIELD,
    SPACE,
    SQUARES,
    STORM,
    THEIR_KING_FAR,
)
from .king_danger import Attacks, Side, weighed_danger
from .position import SALT, Position

CENTRE_RANKS = np.uint64(0x0000FFFFFF000000)  # the fourth to the sixth: where an outpost is worth something
FILE_A, FIRST_RANK = np.uint64(0x0101010101010101), np.uint64(0xFF)
THIRTY_TWO = np.uint64(32)
CAMP = np.uint64(0x000000003C3C3C00)  # the four files in the middle, from the second rank to the fourth
KNIGHT_FORCE, BISHOP_FORCE, ROOK_FORCE, QUEEN_FORCE = 3, 2, 2, 1  # in an attack on the king
ALL_PIECES = 24
HALF = 1 << 31


def sides(state: Position) -> tuple[Side, Side]:
    """The mover's side and the opponent's, each in its own view."""
    return (
        Side(state.mine, state.theirs, state.pawns, state.knights, state.diagonals, state.straights, state.kings),
        Side(
            swap_bytes(state.theirs),
            swap_bytes(state.mine),
            swap_bytes(state.pawns),
            swap_bytes(state.knights),
            swap_bytes(state.diagonals),
            swap_bytes(state.straights),
            swap_bytes(state.kings),
        ),
    )


def weighed_sides(weights: np.ndarray, state: Position) -> tuple[int, int]:
    """Both sides' features, weighed and packed; who is to move is left out."""
    mine, theirs = sides(state)
    first, own_passed = weighed_pawns(weights, mine.pawns & mine.mine, mine.pawns & mine.theirs)
    second, their_passed = weighed_pawns(weights, theirs.pawns & theirs.mine, theirs.pawns & theirs.theirs)
    one, other = weighed_rest(weights, mine, theirs, own_passed, their_passed)
    return first + one, second + other


def weighed_rest(weights: np.ndarray, mine: Side, theirs: Side, own_passed: int, their_passed: int) -> tuple[int, int]:
    """Everything but the structure of the pawns, of which only the files of passed ones are needed."""
    one, own = weighed_pieces(weights, mine)
    other, their = weighed_pieces(weights, theirs)
    safe, their_safe = ~swap_bytes(their.total), ~swap_bytes(own.total)  # from the other side, in each one's view
    one += weighed_passed(weights, mine, own_passed, safe) + weighed_danger(weights, mine, own, their)
    one += weighed_loose(weights, mine, own, safe)
    other += weighed_passed(weights, theirs, their_passed, their_safe) + weighed_danger(weights, theirs, their, own)
    other += weighed_loose(weights, theirs, their, their_safe)
    return one, other


def early_of(score: int) -> int:
    return (score + HALF) >> 32


def late_of(score: int) -> int:
    return score - ((score + HALF) >> 32 << 32)


def phase(state: Position) -> int:
    """How much of the pieces is left, from 24 (all) to 0."""
    queens = state.diagonals & state.straights
    minors = state.knights | state.diagonals & ~queens
    return min(popcount(minors) + 2 * popcount(state.straights & ~queens) + 4 * popcount(queens), ALL_PIECES)


# -- pawns ------------------------------------------------------------------------------------------------


def filled_down(board: np.uint64) -> np.uint64:
    board |= board >> EIGHT
    board |= board >> SIXTEEN
    return board | board >> THIRTY_TWO


def filled_up(board: np.uint64) -> np.uint64:
    board |= board << EIGHT
    board |= board << SIXTEEN
    return board | board << THIRTY_TWO


def beside(board: np.uint64) -> np.uint64:
    """The squares at the left and at the right."""
    return (board & NOT_FILE_A) >> ONE | (board & NOT_FILE_H) << ONE


def distance(one: int, other: int) -> int:
    """Moves of a king between two squares."""
    return max(abs((one & 7) - (other & 7)), abs((one >> 3) - (other >> 3)))


def structure_key(state: Position) -> int:
    """64 bits for where the pawns of both sides stand, in the mover's view."""
    return fold(state.pawns & state.mine ^ SALT[0], state.pawns & state.theirs ^ SALT[1])


def structure(weights: np.ndarray, state: Position) -> int:
    """What the pawns are worth to the mover (24 bits early, 24 late), and the files with passed ones (8 bits each)."""
    mine, theirs = state.pawns & state.mine, state.pawns & state.theirs
    one, own_passed = weighed_pawns(weights, mine, theirs)
    other, their_passed = weighed_pawns(weights, swap_bytes(theirs), swap_bytes(mine))
    score = one - other
    return early_of(score) << 40 | (late_of(score) & 0xFFFFFF) << 16 | own_passed << 8 | their_passed


def structure_score(kept: int) -> int:
    late = kept >> 16 & 0xFFFFFF
    return (kept >> 40 << 32) + late - ((late & 0x800000) << 1)


def weighed_pawns(weights: np.ndarray, mine: np.uint64, theirs: np.uint64) -> tuple[int, int]:
    """What one side's pawns are worth, and the files on which it has a passed one: that is its foremost there."""
    behind = filled_down(mine >> EIGHT)  # squares behind a pawn of one's own
    passed = mine & ~filled_down(theirs >> EIGHT | pawn_attacks_down(theirs)) & ~behind
    connected = mine & (pawn_attacks(mine) | beside(mine))
    isolated = mine & ~beside(filled_up(filled_down(mine)))
    backward = mine & ~filled_up(beside(mine)) & pawn_attacks_down(theirs) >> EIGHT & ~isolated
    score = weights[ISOLATED] * popcount(isolated) + weights[BACKWARD] * popcount(backward)
    score += weights[DOUBLED] * popcount(mine & behind)
    while connected != ZERO:
        score += weights[CONNECTED + (lowest_bit(connected) >> 3)]
        connected &= connected - ONE
    while mine != ZERO:
        score += weights[SQUARES + lowest_bit(mine)]
        mine &= mine - ONE
    return score, signed(filled_down(passed) & FIRST_RANK)


def weighed_passed(weights: np.ndarray, side: Side, files: int, safe: np.uint64) -> int:
    """One side's passed pawns, by how far they are, what stands before them, and where the kings are."""
    score = 0
    if files == 0:
        return score
    king, other = lowest_bit(side.kings & side.mine), lowest_bit(side.kings & side.theirs)
    occupied = side.mine | side.theirs
    while files != 0:
        square = highest_bit(side.pawns & side.mine & FILE_A << np.uint64(lowest_bit(files)))
        files &= files - 1
        rank = square >> 3
        blocked = occupied >> np.uint64(square + 8) & ONE != ZERO
        score += weights[(PASSED if blocked else FREE_PASSED) + rank]
        path = FILE_A << np.uint64(square + 8)
        if not blocked and safe >> np.uint64(square + 8) & ONE != ZERO:
            score += weights[SAFE_STEP + rank]
            if path & ~safe == ZERO and path & side.theirs == ZERO:
                score += weights[SAFE_PATH + rank]
        score += weights[KING_NEAR_PASSED] * (rank * (7 - distance(king, square + 8)))
        score += weights[THEIR_KING_FAR] * (rank * distance(other, square + 8))
    return score


# -- pieces -----------------------------------------------------------------------------------------------


def weighed_pieces(weights: np.ndarray, side: Side) -> tuple[int, Attacks]:
    """What one side's pieces and its king's place are worth, and what they attack."""
    own_pawns, their_pawns = side.pawns & side.mine, side.pawns & side.theirs
    king, other = lowest_bit(side.kings & side.mine), lowest_bit(side.kings & side.theirs)
    occupied = side.mine | side.theirs
    guarded, protected = pawn_attacks_down(their_pawns), pawn_attacks(own_pawns)
    free = ~(guarded | side.kings & side.mine | own_pawns)
    around = KING[other]
    queens = side.diagonals & side.straights
    attackers, force, near, far = 0, 0, 0, 0
    knights, bishops, rooks, last = ZERO, ZERO, ZERO, ZERO  # what they attack
    total = protected | KING[king]
    twice = protected & KING[king] | (own_pawns & NOT_FILE_A) << SEVEN & (own_pawns & NOT_FILE_H) << NINE
    score = weights[SQUARES + 320 + king]

    left = side.knights & side.mine
    while left != ZERO:
        square = lowest_bit(left)
        reach = KNIGHT[square]
        score += weights[SQUARES + 64 + square] + weights[KNIGHT_MOBILITY + popcount(reach & free)]
        hits = popcount(reach & around)
        near += hits
        attackers += 1 if hits > 0 else 0
        force += KNIGHT_FORCE if hits > 0 else 0
        far += distance(king, square)
        twice |= total & reach
        total |= reach
        knights |= reach
        left &= left - ONE

    own_bishops = side.diagonals & side.mine & ~queens
    left = own_bishops
    while left != ZERO:
        square = lowest_bit(left)
        reach = bishop_attacks(square, occupied ^ queens & side.mine)
        score += weights[SQUARES + 128 + square] + weights[BISHOP_MOBILITY + popcount(reach & free)]
        hits = popcount(reach & around)
        near += hits
        attackers += 1 if hits > 0 else 0
        force += BISHOP_FORCE if hits > 0 else 0
        far += distance(king, square)
        twice |= total & reach
        total |= reach
        bishops |= reach
        left &= left - ONE

    own_rooks = side.straights & side.mine & ~queens
    left = own_rooks
    while left != ZERO:
        square = lowest_bit(left)
        reach = rook_attacks(square, occupied & ~(side.straights & side.mine))
        score += weights[SQUARES + 192 + square] + weights[ROOK_MOBILITY + popcount(reach & free)]
        hits = popcount(reach & around)
        near += hits
        attackers += 1 if hits > 0 else 0
        force += ROOK_FORCE if hits > 0 else 0
        twice |= total & reach
        total |= reach
        rooks |= reach
        left &= left - ONE

    left = queens & side.mine
    while left != ZERO:
        square = lowest_bit(left)
        reach = bishop_attacks(square, occupied) | rook_attacks(square, occupied)
        score += weights[SQUARES + 256 + square] + weights[QUEEN_MOBILITY + popcount(reach & free)]
        hits = popcount(reach & around)
        near += hits
        attackers += 1 if hits > 0 else 0
        force += QUEEN_FORCE if hits > 0 else 0
        twice |= total & reach
        total |= reach
        last |= reach
        left &= left - ONE

    minors, loose_minors = knights | bishops, side.theirs & (side.knights | side.diagonals & ~queens) & ~guarded
    their_queens = queens & side.theirs
    score += weights[FAR_MINOR] * far
    score += weights[MINOR_THREAT] * popcount(minors & side.theirs & side.straights & ~queens)
    score += weights[MINOR_THREAT + 1] * popcount(minors & their_queens)
    score += weights[ROOK_THREAT] * popcount(rooks & their_queens)
    score += weights[MINOR_ON_MINOR] * popcount(minors & loose_minors)
    score += weights[ROOK_ON_MINOR] * popcount(rooks & loose_minors)
    score += weighed_places(weights, side, own_bishops, own_rooks, protected, guarded)
    lesser = protected | minors | rooks
    return score, Attacks(total, twice, lesser, knights, bishops, rooks, last, attackers, force, near)


def weighed_places(
    weights: np.ndarray,
    side: Side,
    bishops: np.uint64,
    rooks: np.uint64,
    protected: np.uint64,
    guarded: np.uint64,
) -> int:
    """What pieces and pawns are worth together: outposts, files, threats of pawns, the king's shield."""
    own_pawns, their_pawns = side.pawns & side.mine, side.pawns & side.theirs
    strong = protected & ~filled_down(guarded) & CENTRE_RANKS  # no pawn can drive a piece away from there
    knights = side.knights & side.mine
    score: int = weights[KNIGHT_OUTPOST] * popcount(strong & knights)
    score += weights[SPACE] * popcount(CAMP & ~own_pawns & ~guarded)
    score += weights[KNIGHT_AND_PAWNS] * popcount(knights) * popcount(own_pawns)
    score += weights[ROOK_AND_PAWNS] * popcount(rooks) * popcount(own_pawns)
    if bishops != ZERO:
        dark = popcount(bishops & DARK_SQUARES)
        light = popcount(bishops) - dark
        on_dark = popcount(own_pawns & DARK_SQUARES)
        same = dark * on_dark + light * (popcount(own_pawns) - on_dark)
        score += weights[BAD_BISHOP] * same + weights[BISHOP_OUTPOST] * popcount(strong & bishops)
        score += weights[BISHOP_PAIR] * (1 if dark > 0 and light > 0 else 0)
    own_files = filled_up(filled_down(own_pawns))
    if rooks != ZERO:
        their_files = filled_up(filled_down(their_pawns))
        score += weights[OPEN_FILE] * popcount(rooks & ~own_files & ~their_files)
        score += weights[HALF_OPEN_FILE] * popcount(rooks & ~own_files & their_files)
        if their_pawns & RANK_7 != ZERO or side.kings & side.theirs & RANK_8 != ZERO:
            score += weights[SEVENTH] * popcount(rooks & RANK_7)
    threats = protected & side.theirs & ~(side.pawns | side.kings)
    if threats != ZERO:
        score += weights[PAWN_THREAT] * popcount(threats & side.knights)
        score += weights[PAWN_THREAT + 1] * popcount(threats & side.diagonals & ~side.straights)
        score += weights[PAWN_THREAT + 2] * popcount(threats & side.straights & ~side.diagonals)
        score += weights[PAWN_THREAT + 3] * popcount(threats & side.straights & side.diagonals)
    occupied = side.mine | side.theirs
    steps = own_pawns << EIGHT & ~occupied
    steps |= (steps & RANK_3) << EIGHT & ~occupied
    aims = pawn_attacks(steps & ~guarded) & ~protected & side.theirs & ~side.pawns
    score += weights[PUSH_THREAT] * popcount(aims)
    score += weighed_cover(weights, side, own_pawns, their_pawns, own_files)
    return score


def weighed_cover(
    weights: np.ndarray, side: Side, own_pawns: np.uint64, their_pawns: np.uint64, own_files: np.uint64
) -> int:
    """The king's shield of pawns, open files at it, and the other side's pawns that come near."""
    king = side.kings & side.mine
    before = (king | beside(king)) << EIGHT
    score: int = weights[SHIELD] * popcount(before & own_pawns)
    score += weights[SHIELD + 1] * popcount(before << EIGHT & own_pawns)
    files = filled_down(before | before >> EIGHT) & ~own_files & FIRST_RANK
    score += weights[OPEN_KING] * popcount(files)
    coming = filled_up(before >> EIGHT) & their_pawns & ~(own_pawns << EIGHT)  # what a pawn stops comes no nearer
    while coming != ZERO:
        score += weights[STORM + (lowest_bit(coming) >> 3) - (lowest_bit(king) >> 3)]
        coming &= coming - ONE
    return score


def weighed_loose(weights: np.ndarray, side: Side, own: Attacks, safe: np.uint64) -> int:
    """What the other side has left undefended and this one attacks."""
    loose = own.total & side.theirs & safe
    pawns = popcount(loose & side.pawns)
    score: int = weights[LOOSE] * pawns + weights[LOOSE + 1] * (popcount(loose) - pawns)
    return score
