"""The features of a chess position that the evaluation weighs, and where each one's weights lie.

Every feature has two weights, for the middlegame and for the endgame, in hundredths of a pawn. `evaluation.py` counts
them for one side at a time, in that side's own view; the evaluation is the difference of the two sides.
"""

from __future__ import annotations

import numpy as np

GROUPS = {  # name: how many features
    "material": 5,  # pawn, knight, bishop, rook, queen
    "squares": 384,  # of each kind from the pawn to the king, in the side's view
    "knight mobility": 9,
    "bishop mobility": 14,
    "rook mobility": 15,
    "queen mobility": 28,
    "passed pawn": 8,  # by rank
    "free passed pawn": 8,  # nothing stands before it
    "safe step of passed pawn": 8,  # and nothing attacks the square before it
    "safe path of passed pawn": 8,  # nor any square up to the last
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
    "pawn storm": 8,  # by how many ranks before the king the other side's pawns are
    "king danger": 48,  # by what is aimed at the other king and its cover (`king_danger.py`)
    "minor far from king": 1,
    "knight and pawns": 1,
    "rook and pawns": 1,
    "space": 1,
    "pawn threatens": 4,  # knight, bishop, rook, queen
    "minor threatens": 2,  # rook, queen: by a knight or a bishop
    "rook threatens queen": 1,
    "minor threatens minor": 1,  # which no pawn defends
    "rook threatens minor": 1,
    "push threatens": 1,  # a pawn that steps forward unpunished will
    "loose": 2,  # a pawn, a piece: attacked, and nothing defends it
    "to move": 1,
}
STARTS = dict(zip(GROUPS, np.cumsum([0, *GROUPS.values()])[:-1].tolist(), strict=True))
FEATURES = sum(GROUPS.values())

MATERIAL, SQUARES = STARTS["material"], STARTS["squares"]
KNIGHT_MOBILITY, BISHOP_MOBILITY = STARTS["knight mobility"], STARTS["bishop mobility"]
ROOK_MOBILITY, QUEEN_MOBILITY = STARTS["rook mobility"], STARTS["queen mobility"]
PASSED, FREE_PASSED = STARTS["passed pawn"], STARTS["free passed pawn"]
SAFE_STEP, SAFE_PATH = STARTS["safe step of passed pawn"], STARTS["safe path of passed pawn"]
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
SHIELD, OPEN_KING, STORM = STARTS["king's shield"], STARTS["open file at king"], STARTS["pawn storm"]
KING_DANGER, FAR_MINOR, SPACE = STARTS["king danger"], STARTS["minor far from king"], STARTS["space"]
KNIGHT_AND_PAWNS, ROOK_AND_PAWNS = STARTS["knight and pawns"], STARTS["rook and pawns"]
PAWN_THREAT, MINOR_THREAT, ROOK_THREAT = (
    STARTS["pawn threatens"],
    STARTS["minor threatens"],
    STARTS["rook threatens queen"],
)
MINOR_ON_MINOR, ROOK_ON_MINOR = STARTS["minor threatens minor"], STARTS["rook threatens minor"]
PUSH_THREAT = STARTS["push threatens"]
LOOSE, TO_MOVE = STARTS["loose"], STARTS["to move"]


FINE = 10
"""Parts of a hundredth of a pawn that are counted in: weights have one decimal, so their sums are exact."""


def packed(weights: np.ndarray) -> np.ndarray:
    """[FEATURES] both weights of each feature in one word, the middlegame's in its upper half: one addition adds both.

    What a piece is worth is added to its squares, where it is looked up anyway.
    """
    pairs = np.array(weights, np.float64).reshape(FEATURES, 2).copy()
    for kind in range(5):
        pairs[SQUARES + 64 * kind : SQUARES + 64 * (kind + 1)] += pairs[MATERIAL + kind]
    pairs[MATERIAL : MATERIAL + 5] = 0
    fine = np.rint(FINE * pairs).astype(np.int64)
    return np.asarray((fine[:, 0] << 32) + fine[:, 1])


def first_weights() -> np.ndarray:
    """[2 * FEATURES] a beginner's weights, from which fitting starts: material, the centre, and rules of thumb."""
    weights = np.zeros((FEATURES, 2))
    weights[MATERIAL : MATERIAL + 5] = [(85, 115), (315, 285), (340, 315), (480, 540), (980, 980)]
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
        weights[FREE_PASSED + rank] = (2 * rank**1.6, 4.5 * rank**1.7)
        weights[SAFE_STEP + rank] = (0.8 * rank**1.6, 1.8 * rank**1.7)
        weights[SAFE_PATH + rank] = (0.8 * rank**1.6, 2.2 * rank**1.7)
        weights[CONNECTED + rank] = (4 + 2.5 * rank, 2 + 2.5 * rank)
    for danger in range(48):
        weights[KING_DANGER + danger] = (min(0.65 * danger**2, 20 * danger, 500), danger)
    for ranks, mild in enumerate((0, -8, -24, -14, -5, 0, 0, 0)):
        weights[STORM + ranks] = (mild, 0)
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
        MINOR_ON_MINOR: (20, 18),
        ROOK_ON_MINOR: (18, 18),
        PUSH_THREAT: (20, 14),
        FAR_MINOR: (-3, -3),
        KNIGHT_AND_PAWNS: (2, 3),
        ROOK_AND_PAWNS: (-2, -2),
        SPACE: (2, 0),
        LOOSE: (8, 12),
        LOOSE + 1: (30, 25),
        TO_MOVE: (20, 14),
    }.items():
        weights[feature] = values
    return weights.ravel()
