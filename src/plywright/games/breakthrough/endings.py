"""Positions of Breakthrough by number: all with up to so many pawns, on a board of any size.

The player to move plays up the board. Pawns never go back, so positions are numbered by how many pawns there are and
how many rows all of them have come: every move leads to an earlier *slice*. Within a slice they go by *profile*, how
many pawns of either side stand on each row, and within a profile by what stands on each row, as digits of a number.

A pawn one row from the end can always go there, straight or by one of the diagonals, so a position in which the mover
has one is won at sight and has no number. A position and its mirror image share theirs: the first row that is not its
own image is one of the earlier half of such rows. Of 12.3 billion positions on 5 by 5 that leaves 0.8 billion.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ...bits import popcount
from ...errors import BadInput, Unsuitable
from ...knowledge import Knowledge
from .position import WHITE, ZERO, Pawns

if TYPE_CHECKING:
    from .rules import Breakthrough

MOST_COLUMNS = 8
CODE_BITS = 62
"""A profile is a number of so many bits at most: a digit for each row."""
MOST_PROFILES = 1 << 22

Profile = tuple[tuple[int, int], ...]


class BreakthroughEndings(Knowledge):
    """Numbers for all positions with up to `pawns` pawns."""

    game: Breakthrough
    runtime = ("most_pawns", "profiles")

    def __init__(self, game: Breakthrough, pawns: int = 2) -> None:
        self.game = game
        self.most_pawns = pawns
        columns, rows = game.columns, game.rows
        self.kind_bits = ((columns + 1) * (columns + 1)).bit_length()
        self.kind_mask = (1 << self.kind_bits) - 1
        self.numbered = columns <= MOST_COLUMNS and self.kind_bits * rows <= CODE_BITS
        size = columns if self.numbered else 1
        self.row_rank, self.row_list, self.row_first, self.row_count, self.row_images = row_tables(size)
        found = sorted(self._profiles(), key=lambda each: (each[0], -each[1])) if self.numbered else []
        sizes = [self._size(profile) for _, _, profile in found]
        codes = np.array([self._code(profile) for _, _, profile in found] or [0], np.int64)
        starts = np.array([0, *itertools.accumulate(sizes)], np.int64)
        order = np.argsort(codes, kind="stable")
        self.profiles = len(found)
        self.codes, self.starts = codes, starts
        self.sorted_codes, self.sorted_starts = codes[order], starts[:-1][order] if found else starts
        self._slices = [
            (f"{pieces} pawns, {steps} rows up", sum(size for _, size in group))
            for (pieces, steps), group in itertools.groupby(
                zip(found, sizes, strict=True), key=lambda each: (each[0][0], each[0][1])
            )
        ]

    @property
    def tables(self) -> tuple[str, ...]:  # type: ignore[override]
        return tuple(str(pawns) for pawns in range(2, 4 * self.game.columns + 1))

    @property
    def whole(self) -> str:  # type: ignore[override]
        return self.tables[-1]

    def _profiles(self) -> Iterator[tuple[int, int, Profile]]:
        """Pawns, rows that they have come, and the profile; both sides have pawns, and the mover none near the end."""
        columns, rows, most = self.game.columns, self.game.rows, self.most_pawns
        if self._count() > MOST_PROFILES:
            raise Unsuitable(f"tables of {self.game.name} with {most} pawns would have too many slices to be numbered")

        def below(row: int, mine: int, theirs: int) -> Iterator[Profile]:
            if row == rows:
                if mine and theirs:
                    yield ()
                return
            for own in range(min(columns if row < rows - 2 else 0, 2 * columns - mine, most - mine - theirs) + 1):
                left = min(columns - own if row else 0, 2 * columns - theirs, most - mine - theirs - own)
                for other in range(left + 1):
                    for rest in below(row + 1, mine + own, theirs + other):
                        yield ((own, other), *rest)

        for profile in below(0, 0, 0):
            steps = sum(row * own + (rows - 1 - row) * other for row, (own, other) in enumerate(profile))
            yield sum(own + other for own, other in profile), steps, profile

    def _count(self) -> int:
        """About how many profiles there are."""
        return min(math.comb(2 * self.game.rows - 3 + self.most_pawns, self.most_pawns), 1 << 62)

    def _size(self, profile: Profile) -> int:
        """How many positions there are with a profile, of two mirror images one."""
        every, half = 1, 1
        for own, other in reversed(profile):
            kind = own * (self.game.columns + 1) + other
            count, images = int(self.row_count[kind]), int(self.row_images[kind])
            every, half = count * every, images * half + (count - images) // 2 * every
        return half

    def _code(self, profile: Profile) -> int:
        code = 0
        for own, other in profile:
            code = code << self.kind_bits | own * (self.game.columns + 1) + other
        return code

    def for_tables(self, which: str) -> tuple[Knowledge, list[tuple[str, int]]]:
        """Tables of all positions with up to `which` pawns; with as many as there are at first it is the whole game."""
        if which not in self.tables:
            most = 4 * self.game.columns
            raise BadInput(f"tables of {self.game.name} are for positions of 2 to {most} pawns, not {which!r}")
        if not self.numbered:
            raise Unsuitable(f"the board of {self.game.name} is too wide or too high for tables")
        numbering = BreakthroughEndings(self.game, int(which))
        return numbering, numbering._slices

    # -- compiled: from a state to its number and back ----------------------------------------------------------

    def foregone(self, state: Pawns) -> int:
        """Won in one ply where the mover has a pawn one row from the end."""
        row = self.game.last_row >> self.game.ahead
        if state.mover == WHITE:
            return 2 if state.white & row != ZERO else 0
        return 2 if state.black & self.game.first_row << self.game.ahead != ZERO else 0

    def index(self, state: Pawns) -> int:
        if popcount(state.white) + popcount(state.black) > self.most_pawns:
            return -1
        rows = self.game.rows
        turned = False
        for row in range(rows):
            found = self.row_of(state, row)
            kind, rank = self.kind_of(found), self.row_rank[found]
            if rank >= self.row_images[kind]:
                turned = 2 * rank >= self.row_images[kind] + self.row_count[kind]
                break
        # From the last row on: numbers among all positions and among halves of them, and how many there are of each.
        code, shift = 0, 0
        among_all, among_half, every, half = 0, 0, 1, 1
        for row in range(rows - 1, -1, -1):
            found = self.row_of(state, row)
            kind, rank = self.kind_of(found), self.row_rank[found]
            count, images = self.row_count[kind], self.row_images[kind]
            pairs = (count - images) >> 1
            if turned and rank >= images:
                rank += pairs if rank < images + pairs else -pairs
            among_half = (
                rank * half + among_half if rank < images else images * half + (rank - images) * every + among_all
            )
            among_all += rank * every
            half = images * half + pairs * every
            every *= count
            code |= kind << shift
            shift += self.kind_bits
        low, high = 0, self.profiles
        while high - low > 1:
            middle = (low + high) >> 1
            if self.sorted_codes[middle] <= code:
                low = middle
            else:
                high = middle
        if self.sorted_codes[low] != code:
            return -1
        return int(self.sorted_starts[low] + among_half)

    def row_of(self, state: Pawns, row: int) -> int:
        """What stands on a row, counted from the mover: the mover's pawns, then the other's, as bits of a number."""
        columns = self.game.columns
        if state.mover == WHITE:
            shift = np.uint64(row * columns)
            own, other = state.white >> shift, state.black >> shift
        else:
            shift = np.uint64((self.game.rows - 1 - row) * columns)
            own, other = state.black >> shift, state.white >> shift
        return int((own & self.game.first_row) << np.uint64(columns) | other & self.game.first_row)

    def kind_of(self, found: int) -> int:
        """How many pawns of either side stand on a row."""
        own, other = np.uint64(found) >> np.uint64(self.game.columns), np.uint64(found) & self.game.first_row
        return popcount(own) * (self.game.columns + 1) + popcount(other)

    def unindex(self, number: int) -> Pawns:
        columns, rows = self.game.columns, self.game.rows
        low, high = 0, self.profiles
        while high - low > 1:
            middle = (low + high) >> 1
            if self.starts[middle] <= number:
                low = middle
            else:
                high = middle
        code, within = self.codes[low], number - self.starts[low]
        every, half = 1, 1
        for row in range(rows):
            kind = code >> row * self.kind_bits & self.kind_mask
            count, images = self.row_count[kind], self.row_images[kind]
            half = images * half + ((count - images) >> 1) * every
            every *= count
        white = black = ZERO
        in_half = True
        for row in range(rows):
            kind = code >> (rows - 1 - row) * self.kind_bits & self.kind_mask
            count, images = self.row_count[kind], self.row_images[kind]
            every //= count
            half = (half - ((count - images) >> 1) * every) // max(images, 1)
            if in_half and within < images * half:
                rank = within // half
                within %= half
            else:
                within -= images * half if in_half else 0
                rank = within // every + (images if in_half else 0)
                within %= every
                in_half = False
            found = self.row_list[self.row_first[kind] + rank]
            shift = np.uint64(row * columns)
            white |= np.uint64(found >> columns) << shift
            black |= (np.uint64(found) & self.game.first_row) << shift
        return Pawns(white, black, WHITE)


def row_tables(columns: int) -> tuple[NDArray[np.int64], ...]:
    """What may stand on a row, by how many pawns of either side: ranks, the rows, where each kind begins, how many
    of it there are, and how many are their own mirror images. Those come first, then half of the others and its images.
    """
    kinds = (columns + 1) ** 2
    own_images: list[list[int]] = [[] for _ in range(kinds)]
    halves: list[list[int]] = [[] for _ in range(kinds)]
    rank = np.full(1 << 2 * columns, -1, np.int64)
    for own, other in itertools.product(range(1 << columns), repeat=2):
        if own & other == 0:
            kind, row = own.bit_count() * (columns + 1) + other.bit_count(), own << columns | other
            image = mirrored(own, columns) << columns | mirrored(other, columns)
            if row <= image:
                (own_images if row == image else halves)[kind].append(row)
    rows, firsts, counts = list[int](), list[int](), list[int]()
    for alike, half in zip(own_images, halves, strict=True):
        firsts.append(len(rows))
        images = [mirrored(row >> columns, columns) << columns | mirrored(row, columns) for row in half]
        rows += [*alike, *half, *images]
        counts.append(max(len(rows) - firsts[-1], 1))
        rank[rows[firsts[-1] :]] = np.arange(len(rows) - firsts[-1])
    found = (np.array(each, np.int64) for each in (rows, firsts, counts, [len(alike) for alike in own_images]))
    return rank, *found


def mirrored(row: int, columns: int) -> int:
    """The lowest bits of a number in the opposite order."""
    return sum(1 << columns - 1 - place for place in range(columns) if row >> place & 1)
