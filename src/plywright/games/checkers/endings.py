"""Endings of checkers by number: every placement of a few men and kings has a place of its own, and every place one.

Placements are counted by material, what each side has of men and kings. The weaker material plays up the board, so
that turning the board round gives the same number; where both sides have the same, the mover plays up. Within
material, placements go by how far the men have come in all: a man's move leads to an earlier *slice*, as does a
capture or a promotion, and only moves of kings stay within one.
"""

from __future__ import annotations

import itertools
import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...bits import lowest_bit, popcount
from .board import BLACK, ONE, SQUARES, WHITE, ZERO, Position

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .knowledge import CheckersKnowledge

MOST_PIECES = 8
BASE = MOST_PIECES + 1
"""Men and kings of both sides are the digits of a material's number to this base."""
MAN_SQUARES = 28
BYTE = np.uint64(0xFF)
SWAPS = (
    (np.uint64(1), np.uint64(0x55555555)),
    (np.uint64(2), np.uint64(0x33333333)),
    (np.uint64(4), np.uint64(0x0F0F0F0F)),
    (np.uint64(8), np.uint64(0x00FF00FF)),
    (np.uint64(16), np.uint64(0x0000FFFF)),
)


class Material(NamedTuple):
    """Men and kings of the weaker side, then of the other."""

    men: int
    kings: int
    other_men: int
    other_kings: int

    def __str__(self) -> str:
        sides = ((self.men, self.kings), (self.other_men, self.other_kings))
        names = ("man", "men"), ("king", "kings")
        texts = [
            " + ".join(f"{count} {name[count > 1]}" for count, name in zip(side, names, strict=True) if count)
            for side in sides
        ]
        return " v ".join(texts)

    @property
    def arrangements(self) -> int:
        """Ways to place the kings where the men stand."""
        free = SQUARES - self.men - self.other_men
        return math.comb(free, self.kings) * math.comb(free - self.kings, self.other_kings)

    @property
    def sides(self) -> int:
        """Who may be to move, counted apart: with the same material it is always the side that plays up."""
        return 1 if self[:2] == self[2:] else 2


class Endings(NamedTuple):
    """What `index` and `unindex` look up; the arrays are data of the knowledge that has them."""

    materials: list[Material]
    slices: list[tuple[str, int]]
    material_at: NDArray[np.int32]  # [BASE ** 4] the place of a material, -1 where it is not among these
    material_of: NDArray[np.int64]  # [materials * 4] its men and kings
    begins: NDArray[np.int64]  # [materials + 1] the number of its first placement
    arrangements: NDArray[np.int64]  # [materials]
    ranks_at: NDArray[np.int64]  # [BASE ** 2] by men of both sides, where their ranks begin
    men_at: NDArray[np.int64]  # [BASE ** 2] the same for the men themselves
    ranks: NDArray[np.int32]  # by the numbers of both sides' sets of men: the place among all, furthest first
    men: NDArray[np.uint32]  # by that place: the squares of the men who play up, then of the others


def materials_of(pieces: int) -> Iterator[Material]:
    """All materials with so many pieces, those with fewer men first: men become kings and never the other way."""
    for men in range(pieces + 1):
        for own in range(men + 1):
            for kings in range(pieces - men + 1):
                found = Material(own, kings, men - own, pieces - men - kings)
                if found[:2] <= found[2:] and any(found[:2]) and any(found[2:]):
                    yield found


def endings(pieces: int) -> Endings:
    """The numbers of all placements of 2 to `pieces` men and kings."""
    materials = [material for count in range(2, pieces + 1) for material in materials_of(count)]
    material_at = np.full(BASE**4, -1, np.int32)
    ranks_at, men_at = np.full(BASE**2, -1, np.int64), np.full(BASE**2, -1, np.int64)
    ranks, men, groups = [], [], {}
    ranked = placed = 0
    for own, other in sorted({(material.men, material.other_men) for material in materials}):
        rank, squares, groups[own, other] = men_places(own, other)
        ranks_at[own * BASE + other], men_at[own * BASE + other] = ranked, placed
        ranks.append(rank)
        men.append(squares)
        ranked, placed = ranked + len(rank), placed + len(squares)
    slices, begins = [], [0]
    for place, material in enumerate(materials):
        material_at[digits(*material)] = place
        each = material.arrangements * material.sides
        for steps, count in groups[material.men, material.other_men]:
            name = f"{material}, men {steps} rows up" if material.men + material.other_men else str(material)
            slices.append((name, count * each))
        begins.append(sum(size for _, size in slices))
    return Endings(
        materials,
        slices,
        material_at,
        np.array(materials, np.int64).ravel(),
        np.array(begins, np.int64),
        np.array([material.arrangements for material in materials], np.int64),
        ranks_at,
        men_at,
        np.concatenate(ranks),
        np.concatenate(men),
    )


def men_places(own: int, other: int) -> tuple[NDArray[np.int32], NDArray[np.uint32], list[tuple[int, int]]]:
    """Ranks and squares of all ways to place men, furthest first; and how far they have come, with how many ways."""
    up, up_steps = men_sets(own)
    turned, down_steps = men_sets(other)
    down = np.array([turned_round(int(squares)) for squares in turned], np.uint32)
    apart = (up[:, None] & down[None, :]) == 0
    steps = (up_steps[:, None] + down_steps[None, :]).ravel()
    found = np.flatnonzero(apart.ravel())
    order = found[np.argsort(-steps[found], kind="stable")]
    ranks = np.full(len(up) * len(down), -1, np.int32)
    ranks[order] = np.arange(len(order), dtype=np.int32)
    squares = np.stack([up[order // len(down)], down[order % len(down)]], axis=1).ravel()
    counts = np.bincount(steps[order])
    return ranks, squares, [(step, int(counts[step])) for step in range(len(counts) - 1, -1, -1) if counts[step]]


def men_sets(count: int) -> tuple[NDArray[np.uint32], NDArray[np.int64]]:
    """The sets of so many men that play up, by their number, and how many rows each has come."""
    sets = sorted(sum(1 << square for square in chosen) for chosen in itertools.combinations(range(MAN_SQUARES), count))
    squares = np.array(sets, np.uint32)
    steps = np.zeros(len(sets), np.int64)
    for square in range(MAN_SQUARES):
        steps += (squares >> np.uint32(square) & np.uint32(1)).astype(np.int64) * (square // 4)
    return squares, steps


def digits(men: int, kings: int, other_men: int, other_kings: int) -> int:
    return ((men * BASE + kings) * BASE + other_men) * BASE + other_kings


CHOOSE = np.array([math.comb(n, k) for n in range(SQUARES + 1) for k in range(BASE + 1)], np.int64)
"""[squares + 1, BASE + 1] the binomial coefficients."""


# -- compiled: from a state to its number and back ------------------------------------------------------------


def index(knowledge: CheckersKnowledge, state: Any) -> int:
    """The number of a placement with its mover; -1 where there are more pieces than these endings have."""
    black, white = packed(state.black), packed(state.white)
    kings = packed(state.kings)
    black_kings, white_kings = popcount(black & kings), popcount(white & kings)
    black_men, white_men = popcount(black) - black_kings, popcount(white) - white_kings
    if black_men + black_kings + white_men + white_kings > knowledge.most_pieces:
        return -1
    strength = (black_men - white_men) * BASE + black_kings - white_kings
    side = 0
    if strength > 0 or (strength == 0 and state.mover == WHITE):
        black, white, kings = turned_round(white), turned_round(black), turned_round(kings)
        black_men, black_kings, white_men, white_kings = white_men, white_kings, black_men, black_kings
        if strength > 0 and state.mover == BLACK:
            side = 1
    elif strength < 0 and state.mover == WHITE:
        side = 1
    place = knowledge.material_at[digits(black_men, black_kings, white_men, white_kings)]
    if place < 0:
        return -1
    up, down = black & ~kings, white & ~kings
    among = subset_number(up, ZERO) * CHOOSE[MAN_SQUARES * (BASE + 1) + white_men] + subset_number(
        turned_round(down), ZERO
    )
    rank = np.int64(knowledge.ranks[knowledge.ranks_at[black_men * BASE + white_men] + among])
    men = up | down
    own, other = black & kings, white & kings
    free = SQUARES - black_men - white_men - black_kings
    kings_number = subset_number(own, men) * CHOOSE[free * (BASE + 1) + white_kings] + subset_number(other, men | own)
    sides = 1 if strength == 0 else 2
    return int(knowledge.begins[place] + (rank * sides + side) * knowledge.arrangements[place] + kings_number)


def unindex(knowledge: CheckersKnowledge, number: int) -> Position:
    """The state with that number, the weaker side as Black."""
    begins = knowledge.begins
    low, high = 0, knowledge.materials
    while high - low > 1:
        middle = (low + high) // 2
        if begins[middle] <= number:
            low = middle
        else:
            high = middle
    men, kings = knowledge.material_of[4 * low], knowledge.material_of[4 * low + 1]
    other_men, other_kings = knowledge.material_of[4 * low + 2], knowledge.material_of[4 * low + 3]
    sides = 1 if men == other_men and kings == other_kings else 2
    rest = number - begins[low]
    arrangements = knowledge.arrangements[low]
    rank, kings_number = rest // arrangements, rest % arrangements
    side = rank % sides
    at = knowledge.men_at[men * BASE + other_men] + rank // sides * 2
    up, down = np.uint64(knowledge.men[at]), np.uint64(knowledge.men[at + 1])
    others = CHOOSE[(SQUARES - men - other_men - kings) * (BASE + 1) + other_kings]
    own = nth_subset(kings_number // others, kings, up | down)
    other = nth_subset(kings_number % others, other_kings, up | down | own)
    return Position(unpacked(up | own), unpacked(down | other), unpacked(own | other), BLACK if side == 0 else WHITE, 0)


def subset_number(squares: np.uint64, taken: np.uint64) -> int:
    """The number of a set among those of its size on the squares not taken: the combinatorial number system."""
    number, size = 0, 0
    while squares != ZERO:
        lowest = squares & (~squares + ONE)
        free = lowest_bit(squares) - popcount(taken & (lowest - ONE))
        size += 1
        number += CHOOSE[free * (BASE + 1) + size]
        squares ^= lowest
    return number


def nth_subset(number: int, size: int, taken: np.uint64) -> np.uint64:
    """The set of that number and size on the squares that are not taken."""
    free = SQUARES - popcount(taken)
    found = ZERO
    for square in range(SQUARES - 1, -1, -1):
        bit = ONE << np.uint64(square)
        if taken & bit != ZERO:
            continue
        free -= 1
        if size > 0 and CHOOSE[free * (BASE + 1) + size] <= number:
            number -= CHOOSE[free * (BASE + 1) + size]
            found |= bit
            size -= 1
    return found


def packed(board: np.uint64) -> np.uint64:
    """A bitboard of the rules as one of 32 bits, bit n for square n + 1."""
    return (
        board & BYTE
        | board >> ONE & BYTE << np.uint64(8)
        | board >> np.uint64(2) & BYTE << np.uint64(16)
        | board >> np.uint64(3) & BYTE << np.uint64(24)
    )


def unpacked(board: np.uint64) -> np.uint64:
    return (
        board & BYTE
        | (board & BYTE << np.uint64(8)) << ONE
        | (board & BYTE << np.uint64(16)) << np.uint64(2)
        | (board & BYTE << np.uint64(24)) << np.uint64(3)
    )


def turned_round(board: Any) -> np.uint64:
    """The 32 squares in the opposite order: the board seen from the other side."""
    found = np.uint64(board)
    for shift, mask in SWAPS:
        found = (found >> shift & mask) | (found & mask) << shift
    return found
