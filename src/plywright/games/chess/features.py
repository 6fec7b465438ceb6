"""The features of a chess position that the evaluation weighs, and where each one's weights lie.

Every feature has two weights, for the middlegame and for the endgame, in hundredths of a pawn. All are counted for one
side at a time, in that side's own view; the evaluation is the difference of the two sides.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...bits import lowest_bit, popcount
from .attacks import (
    DARK_SQUARES,
    EIGHT,
    KING,
    KNIGHT,
    NINE,
    NOT_FILE_A,
    NOT_FILE_H,
    ONE,
    RANK_7,
    RANK_8,
    SEVEN,
    ZERO,
    bishop_attacks,
    pawn_attacks,
    rook_attacks,
)

GROUPS = {  # name: how many features
    "material": 5,  # pawn, knight, bishop, rook, queen
    "squares": 384,  # of each kind from the pawn to the king, in the side's view
    "knight mobility": 9,
    "bishop mobility": 14,
    "rook mobility": 15,
    "queen mobility": 28,
    "passed pawn": 8,  # by rank
    "free passed pawn": 8,  # nothing stands before it
    "king near passed pawn": 1,
    "their king far from passed pawn": 1,
    "connected pawn": 8,
    "isolated pawn": 1,
    "doubled pawn": 1,
    "backward pawn": 1,
    "bishop pair": 1,
    "bishop and pawns on one colour": 1,
    "knight outpost": 1,
    "bishop outpost": 1,
    "rook on open file": 1,
    "rook on half-open file": 1,
    "rook on seventh": 1,
    "king's shield": 2,  # pawns right before the king, and one further
    "open file at king": 1,
    "king attack": 32,  # by the strength of the pieces that attack squares around the other king
    "pawn threatens": 4,  # knight, bishop, rook, queen
    "minor threatens": 2,  # rook, queen
    "rook threatens queen": 1,
    "to move": 1,
}
STARTS = dict(zip(GROUPS, np.cumsum([0, *GROUPS.values()])[:-1].tolist(), strict=True))
FEATURES = sum(GROUPS.values())

MATERIAL, SQUARES = STARTS["material"], STARTS["squares"]
KNIGHT_MOBILITY, BISHOP_MOBILITY = STARTS["knight mobility"], STARTS["bishop mobility"]
ROOK_MOBILITY, QUEEN_MOBILITY = STARTS["rook mobility"], STARTS["queen mobility"]
PASSED, FREE_PASSED = STARTS["passed pawn"], STARTS["free passed pawn"]
KING_NEAR_PASSED, THEIR_KING_FAR = STARTS["king near passed pawn"], STARTS["their king far from passed pawn"]
CONNECTED, ISOLATED = STARTS["connected pawn"], STARTS["isolated pawn"]
DOUBLED, BACKWARD = STARTS["doubled pawn"], STARTS["backward pawn"]
BISHOP_PAIR, BAD_BISHOP = STARTS["bishop pair"], STARTS["bishop and pawns on one colour"]
KNIGHT_OUTPOST, BISHOP_OUTPOST = STARTS["knight outpost"], STARTS["bishop outpost"]
OPEN_FILE, HALF_OPEN_FILE, SEVENTH = (
    STARTS["rook on open file"],
    STARTS["rook on half-open file"],
    STARTS["rook on seventh"],
)
SHIELD, OPEN_KING, KING_ATTACK = STARTS["king's shield"], STARTS["open file at king"], STARTS["king attack"]
PAWN_THREAT, MINOR_THREAT, ROOK_THREAT = (
    STARTS["pawn threatens"],
    STARTS["minor threatens"],
    STARTS["rook threatens queen"],
)
TO_MOVE = STARTS["to move"]

CENTRE_RANKS = np.uint64(0x0000FFFFFF000000)  # the fourth to the sixth: where an outpost is worth something
FILE_A = np.uint64(0x0101010101010101)
THIRTY_TWO, SIXTEEN = np.uint64(32), np.uint64(16)
MOST_ATTACK = 31
MINOR_ATTACK, ROOK_ATTACK, QUEEN_ATTACK = 2, 3, 5  # for each square around the king


class Side(NamedTuple):
    """One side's pieces and the other's, in the view of the first, whose pawns go up."""

    mine: np.uint64
    theirs: np.uint64
    pawns: np.uint64
    knights: np.uint64
    diagonals: np.uint64
    straights: np.uint64
    kings: np.uint64


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


def pawn_attacks_down(pawns: np.uint64) -> np.uint64:
    return (pawns & NOT_FILE_A) >> NINE | (pawns & NOT_FILE_H) >> SEVEN


def distance(one: int, other: int) -> int:
    """Moves of a king between two squares."""
    return max(abs((one & 7) - (other & 7)), abs((one >> 3) - (other >> 3)))


def weighed_side(weights: np.ndarray, side: Side) -> tuple[float, float]:
    """What one side's features are worth, for the middlegame and for the endgame."""
    early, late = weighed_pawns(weights, side)
    more, rest = weighed_pieces(weights, side)
    return early + more, late + rest


def weighed_pawns(weights: np.ndarray, side: Side) -> tuple[float, float]:
    mine, theirs = side.pawns & side.mine, side.pawns & side.theirs
    king, other = lowest_bit(side.kings & side.mine), lowest_bit(side.kings & side.theirs)
    occupied = side.mine | side.theirs
    guard = filled_down(theirs >> EIGHT | pawn_attacks_down(theirs))
    behind = filled_down(mine >> EIGHT)  # squares behind a pawn of one's own
    passed = mine & ~guard & ~behind
    connected = mine & (pawn_attacks(mine) | beside(mine))
    isolated = mine & ~beside(filled_up(filled_down(mine)))
    backward = mine & ~filled_up(beside(mine)) & pawn_attacks_down(theirs) >> EIGHT & ~isolated
    count = popcount(mine)
    early = weights[2 * MATERIAL] * count
    late = weights[2 * MATERIAL + 1] * count
    for feature, board in ((ISOLATED, isolated), (DOUBLED, mine & behind), (BACKWARD, backward)):
        number = popcount(board)
        early += weights[2 * feature] * number
        late += weights[2 * feature + 1] * number
    while mine != ZERO:
        square = lowest_bit(mine)
        bit, rank = ONE << np.uint64(square), square >> 3
        place = 2 * (SQUARES + square)
        early += weights[place]
        late += weights[place + 1]
        if connected & bit != ZERO:
            early += weights[2 * (CONNECTED + rank)]
            late += weights[2 * (CONNECTED + rank) + 1]
        if passed & bit != ZERO:
            feature = PASSED if bit << EIGHT & occupied != ZERO else FREE_PASSED
            early += weights[2 * (feature + rank)]
            late += weights[2 * (feature + rank) + 1]
            near, far = rank * (7 - distance(king, square + 8)), rank * distance(other, square + 8)
            early += weights[2 * KING_NEAR_PASSED] * near + weights[2 * THEIR_KING_FAR] * far
            late += weights[2 * KING_NEAR_PASSED + 1] * near + weights[2 * THEIR_KING_FAR + 1] * far
        mine &= mine - ONE
    return early, late


def weighed_pieces(weights: np.ndarray, side: Side) -> tuple[float, float]:
    own_pawns, their_pawns = side.pawns & side.mine, side.pawns & side.theirs
    king, other = lowest_bit(side.kings & side.mine), lowest_bit(side.kings & side.theirs)
    occupied = side.mine | side.theirs
    guarded = pawn_attacks_down(their_pawns)
    free = ~(guarded | side.kings & side.mine | own_pawns)
    protected = pawn_attacks(own_pawns)
    strong = protected & ~filled_down(guarded) & CENTRE_RANKS  # and no pawn can drive a piece away
    ring = KING[other] | ONE << np.uint64(other)
    queens = side.diagonals & side.straights
    their_rooks, their_queens = side.theirs & side.straights & ~queens, side.theirs & queens
    attack, pieces = 0, 0

    place = 2 * (SQUARES + 320 + king)
    early, late = weights[place], weights[place + 1]
    knights = side.knights & side.mine
    while knights != ZERO:
        square = lowest_bit(knights)
        reach = KNIGHT[square]
        moves = popcount(reach & free)
        place, mobility = 2 * (SQUARES + 64 + square), 2 * (KNIGHT_MOBILITY + moves)
        early += weights[2 * MATERIAL + 2] + weights[place] + weights[mobility]
        late += weights[2 * MATERIAL + 3] + weights[place + 1] + weights[mobility + 1]
        if strong >> np.uint64(square) & ONE != ZERO:
            early += weights[2 * KNIGHT_OUTPOST]
            late += weights[2 * KNIGHT_OUTPOST + 1]
        near, on_rooks, on_queens = (
            popcount(reach & ring),
            popcount(reach & their_rooks),
            popcount(reach & their_queens),
        )
        attack += MINOR_ATTACK * near
        pieces += 1 if near > 0 else 0
        early += weights[2 * MINOR_THREAT] * on_rooks + weights[2 * MINOR_THREAT + 2] * on_queens
        late += weights[2 * MINOR_THREAT + 1] * on_rooks + weights[2 * MINOR_THREAT + 3] * on_queens
        knights &= knights - ONE

    bishops = side.diagonals & side.mine & ~queens
    if bishops & DARK_SQUARES != ZERO and bishops & ~DARK_SQUARES != ZERO:
        early += weights[2 * BISHOP_PAIR]
        late += weights[2 * BISHOP_PAIR + 1]
    while bishops != ZERO:
        square = lowest_bit(bishops)
        bit = ONE << np.uint64(square)
        reach = bishop_attacks(square, occupied ^ queens & side.mine)
        moves = popcount(reach & free)
        place, mobility = 2 * (SQUARES + 128 + square), 2 * (BISHOP_MOBILITY + moves)
        same = popcount(own_pawns & (DARK_SQUARES if bit & DARK_SQUARES != ZERO else ~DARK_SQUARES))
        early += weights[2 * MATERIAL + 4] + weights[place] + weights[mobility] + weights[2 * BAD_BISHOP] * same
        late += (
            weights[2 * MATERIAL + 5] + weights[place + 1] + weights[mobility + 1] + weights[2 * BAD_BISHOP + 1] * same
        )
        if strong & bit != ZERO:
            early += weights[2 * BISHOP_OUTPOST]
            late += weights[2 * BISHOP_OUTPOST + 1]
        near, on_rooks, on_queens = (
            popcount(reach & ring),
            popcount(reach & their_rooks),
            popcount(reach & their_queens),
        )
        attack += MINOR_ATTACK * near
        pieces += 1 if near > 0 else 0
        early += weights[2 * MINOR_THREAT] * on_rooks + weights[2 * MINOR_THREAT + 2] * on_queens
        late += weights[2 * MINOR_THREAT + 1] * on_rooks + weights[2 * MINOR_THREAT + 3] * on_queens
        bishops &= bishops - ONE

    rooks = side.straights & side.mine & ~queens
    while rooks != ZERO:
        square = lowest_bit(rooks)
        reach = rook_attacks(square, occupied ^ side.straights & side.mine ^ ONE << np.uint64(square))
        moves = popcount(reach & free)
        place, mobility = 2 * (SQUARES + 192 + square), 2 * (ROOK_MOBILITY + moves)
        early += weights[2 * MATERIAL + 6] + weights[place] + weights[mobility]
        late += weights[2 * MATERIAL + 7] + weights[place + 1] + weights[mobility + 1]
        file = FILE_A << (np.uint64(square) & SEVEN)
        if file & own_pawns == ZERO:
            feature = OPEN_FILE if file & their_pawns == ZERO else HALF_OPEN_FILE
            early += weights[2 * feature]
            late += weights[2 * feature + 1]
        if square >> 3 == 6 and (their_pawns & RANK_7 != ZERO or side.kings & side.theirs & RANK_8 != ZERO):
            early += weights[2 * SEVENTH]
            late += weights[2 * SEVENTH + 1]
        near, on_queens = popcount(reach & ring), popcount(reach & their_queens)
        attack += ROOK_ATTACK * near
        pieces += 1 if near > 0 else 0
        early += weights[2 * ROOK_THREAT] * on_queens
        late += weights[2 * ROOK_THREAT + 1] * on_queens
        rooks &= rooks - ONE

    ladies = queens & side.mine
    while ladies != ZERO:
        square = lowest_bit(ladies)
        reach = bishop_attacks(square, occupied) | rook_attacks(square, occupied)
        moves = popcount(reach & free)
        place, mobility = 2 * (SQUARES + 256 + square), 2 * (QUEEN_MOBILITY + moves)
        early += weights[2 * MATERIAL + 8] + weights[place] + weights[mobility]
        late += weights[2 * MATERIAL + 9] + weights[place + 1] + weights[mobility + 1]
        near = popcount(reach & ring)
        attack += QUEEN_ATTACK * near
        pieces += 1 if near > 0 else 0
        ladies &= ladies - ONE

    if pieces > 1:
        strength = 2 * (KING_ATTACK + min(attack >> 1, MOST_ATTACK))
        early += weights[strength]
        late += weights[strength + 1]
    threats = protected & side.theirs
    for feature, board in (
        (PAWN_THREAT, side.knights),
        (PAWN_THREAT + 1, side.diagonals & ~queens),
        (PAWN_THREAT + 2, side.straights & ~queens),
        (PAWN_THREAT + 3, queens),
    ):
        number = popcount(threats & board)
        early += weights[2 * feature] * number
        late += weights[2 * feature + 1] * number
    before = (ONE << np.uint64(king) | beside(ONE << np.uint64(king))) << EIGHT
    first, second = popcount(before & own_pawns), popcount(before << EIGHT & own_pawns)
    files = filled_up(filled_down(before | before >> EIGHT)) & ~filled_up(filled_down(own_pawns)) & np.uint64(0xFF)
    open_files = popcount(files)
    early += weights[2 * SHIELD] * first + weights[2 * SHIELD + 2] * second + weights[2 * OPEN_KING] * open_files
    late += weights[2 * SHIELD + 1] * first + weights[2 * SHIELD + 3] * second + weights[2 * OPEN_KING + 1] * open_files
    return early, late


def phase(side: Side) -> int:
    """How much of the pieces is left, from 24 (all) to 0."""
    queens = side.diagonals & side.straights
    minors = side.knights | side.diagonals & ~queens
    return min(popcount(minors) + 2 * popcount(side.straights & ~queens) + 4 * popcount(queens), 24)


def first_weights() -> np.ndarray:
    """[2 * FEATURES] a beginner's weights, from which fitting starts: material, the centre, and rules of thumb."""
    weights = np.zeros((FEATURES, 2))
    weights[MATERIAL : MATERIAL + 5] = [(85, 115), (325, 300), (340, 315), (470, 530), (980, 980)]
    for square in range(64):
        file, rank = square % 8, square // 8
        centre = 3.5 - max(abs(file - 3.5), abs(rank - 3.5))  # 0 at the rim to 3 in the middle
        middle = 3.5 - abs(file - 3.5)
        pawn = (6 * (middle - 1) * (1 if 2 <= rank <= 4 else 0) + 3 * (rank - 1), 6 * (rank - 1))
        for kind, values in enumerate(
            (
                pawn if 0 < rank < 7 else (0, 0),
                (12 * centre - 22 - (10 if rank == 0 else 0), 8 * centre - 16),
                (7 * centre - 10 - (10 if rank == 0 else 0), 5 * centre - 8),
                (4 * (middle - 2) + (12 if rank == 6 else 0), 2 * (1 if rank > 3 else 0)),
                (3 * centre - 4, 10 * centre - 12),
                ((-26 * rank + (18 if file in (1, 2, 6) and rank == 0 else 0) - 6 * (middle - 1)), 14 * centre - 18),
            )
        ):
            weights[SQUARES + 64 * kind + square] = values
    for start, size, step, usual in (
        (KNIGHT_MOBILITY, 9, (6, 6), 4),
        (BISHOP_MOBILITY, 14, (5, 6), 6),
        (ROOK_MOBILITY, 15, (2.5, 5), 7),
        (QUEEN_MOBILITY, 28, (1.5, 3), 14),
    ):
        for moves in range(size):
            weights[start + moves] = (step[0] * (moves - usual), step[1] * (moves - usual))
    for rank in range(8):
        weights[PASSED + rank] = (2 * rank**1.5, 5 * rank**1.6)
        weights[FREE_PASSED + rank] = (3 * rank**1.6, 7 * rank**1.7)
        weights[CONNECTED + rank] = (4 + 2.5 * rank, 2 + 2.5 * rank)
    for strength in range(32):
        weights[KING_ATTACK + strength] = (min(1.1 * strength**1.6, 260), 0.3 * strength)
    for feature, values in {
        KING_NEAR_PASSED: (0, 1.2),
        THEIR_KING_FAR: (0, 2.2),
        ISOLATED: (-9, -12),
        DOUBLED: (-6, -18),
        BACKWARD: (-8, -8),
        BISHOP_PAIR: (28, 50),
        BAD_BISHOP: (-3, -5),
        KNIGHT_OUTPOST: (24, 14),
        BISHOP_OUTPOST: (18, 8),
        OPEN_FILE: (32, 8),
        HALF_OPEN_FILE: (14, 6),
        SEVENTH: (6, 22),
        SHIELD: (16, -2),
        SHIELD + 1: (8, -2),
        OPEN_KING: (-18, 4),
        PAWN_THREAT: (50, 25),
        PAWN_THREAT + 1: (50, 35),
        PAWN_THREAT + 2: (70, 25),
        PAWN_THREAT + 3: (60, 30),
        MINOR_THREAT: (38, 24),
        MINOR_THREAT + 1: (35, 30),
        ROOK_THREAT: (38, 30),
        TO_MOVE: (20, 14),
    }.items():
        weights[feature] = values
    return weights.ravel()
