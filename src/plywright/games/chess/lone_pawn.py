"""King and pawn against king: who wins, a bit for each position, and rook's pawns that cannot be brought home.

The bits are worked out backwards when chess is first searched, in some hundredths of a second.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from ...bits import lowest_bit, popcount
from .attacks import DARK_SQUARES, KING, ONE, ZERO
from .position import Position

PAWNS, SQUARES = 24, 64
FLIP, MIRROR = 56, 7
FILE_A, FILE_H = np.uint64(0x0101010101010101), np.uint64(0x8080808080808080)
STEPS = tuple((up, aside) for up in (-1, 0, 1) for aside in (-1, 0, 1) if (up, aside) != (0, 0))


def is_lone_pawn(state: Position) -> bool:
    """Whether one pawn is all that stands beside the kings."""
    men = (state.mine | state.theirs) & ~state.kings
    return bool(men != ZERO and men == state.pawns and men & (men - ONE) == ZERO)


def pawn_wins(wins: np.ndarray, state: Position) -> bool:
    """Whether the side with the lone pawn wins."""
    own = state.pawns & state.mine != ZERO
    flip = 0 if own else FLIP  # squares as the side with the pawn sees them
    strong, weak = (state.mine, state.theirs) if own else (state.theirs, state.mine)
    pawn = lowest_bit(state.pawns) ^ flip
    turn = MIRROR if pawn & 7 > 3 else 0
    pawn ^= turn
    king, other = lowest_bit(strong & state.kings) ^ flip ^ turn, lowest_bit(weak & state.kings) ^ flip ^ turn
    place = (0 if own else PAWNS) + ((pawn >> 3) - 1) * 4 + (pawn & 7)
    number = (place * SQUARES + king) * SQUARES + other
    return bool(wins[number >> 3] >> (number & 7) & 1)


def has_wrong_pawns(state: Position, leader: np.uint64, other: np.uint64) -> bool:
    """Whether a side cannot bring its pawns home: all stand on one rook's file, and the other king stands before them.

    `leader` are that side's men, bishops at most beside the pawns, and none of them reaches the square of promotion.
    `other` are the other side's; its king stands on that square or beside it.
    """
    pawns = state.pawns & leader
    if pawns & ~FILE_A != ZERO and pawns & ~FILE_H != ZERO:
        return False
    rest = leader & ~(state.pawns | state.kings)
    if pawns == ZERO or rest & (state.knights | state.straights) != ZERO:
        return False
    goal = (0 if pawns & FILE_A != ZERO else 7) + (56 if leader == state.mine else 0)
    if (ONE << np.uint64(goal) | KING[goal]) & state.kings & other == ZERO:
        return False
    dark = DARK_SQUARES >> np.uint64(goal) & ONE != ZERO
    return popcount(rest & (DARK_SQUARES if dark else ~DARK_SQUARES)) == 0


# -- how the bits were found --------------------------------------------------------------------------------------


@lru_cache(maxsize=1)
def lone_pawns() -> np.ndarray:
    """[2 * 24 * 64 * 64 / 8] a bit for each position with a lone pawn, set where the side with it wins.

    Worked out backwards from promotions that cannot be taken, until no position is added.
    """
    square = np.arange(SQUARES)
    near = np.array([[_apart(one, other) <= 1 for other in range(SQUARES)] for one in range(SQUARES)])
    pawns = np.array([(row + 1) * 8 + column for row in range(6) for column in range(4)])
    hit = np.zeros((PAWNS, SQUARES), bool)  # by the pawn
    for number, pawn in enumerate(pawns):
        hit[number, [pawn + 8 + aside for aside in (-1, 1) if 0 <= pawn % 8 + aside < 8]] = True
    taken = square[None, :] == pawns[:, None]  # [pawn, square]
    stands = ~(taken[:, :, None] | taken[:, None, :] | near[None])  # [pawn, king, other]
    before, after = stands & ~hit[:, None, :], stands.copy()  # the side with the pawn to move, and the other one
    own_wins, other_loses = np.zeros_like(stands), np.zeros_like(stands)

    promotes = np.zeros_like(stands)
    for number in range(20, 24):
        goal = pawns[number] + 8
        free = (square[:, None] != goal) & (square[None, :] != goal)
        promotes[number] = before[number] & free & (~near[goal][None, :] | near[goal][:, None])
    changed = True
    while changed:
        found = promotes.copy()
        for target in _moves():
            at = np.clip(target, 0, 63)
            found |= (target >= 0)[None, :, None] & other_loses[:, at, :]
        for number, pawn in enumerate(pawns[:20]):
            free = (square[:, None] != pawn + 8) & (square[None, :] != pawn + 8)
            found[number] |= free & other_loses[number + 4]
            if number < 4:
                free &= (square[:, None] != pawn + 16) & (square[None, :] != pawn + 16)
                found[number] |= free & other_loses[number + 8]
        found &= before
        escapes, moves = np.zeros_like(stands), np.zeros_like(stands)
        for target in _moves():
            at = np.clip(target, 0, 63)
            open_ = (target >= 0)[None, None, :] & ~near[:, at][None] & ~hit[:, at][:, None, :]
            takes = taken[:, at][:, None, :]
            moves |= open_
            escapes |= open_ & (takes | ~found[:, :, at])
        lost = after & moves & ~escapes
        changed = bool((found != own_wins).any() or (lost != other_loses).any())
        own_wins, other_loses = found, lost
    return np.packbits(np.stack([own_wins, other_loses]).ravel(), bitorder="little")


def _apart(one: int, other: int) -> int:
    return max(abs(one % 8 - other % 8), abs(one // 8 - other // 8))


def _moves() -> list[np.ndarray]:
    """[8][64] where a king goes from each square in each direction, -1 for off the board."""
    return [
        np.array(
            [
                place + 8 * up + aside if 0 <= place // 8 + up < 8 and 0 <= place % 8 + aside < 8 else -1
                for place in range(SQUARES)
            ]
        )
        for up, aside in STEPS
    ]
