"""Positions of Breakthrough by number: all with up to so many pawns, on a board of any size.

The player to move plays up the board. Pawns never go back, so positions are numbered by how many pawns there are and
how many rows all of them have come: every move leads to an earlier *slice*. Within a slice they go by *profile*, how
many pawns of either side stand on each row, and within a profile by what stands on each row, as digits of a number.
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
        self.kinds = (columns + 1) * (columns + 1)
        self.numbered = columns <= MOST_COLUMNS and self.kinds.bit_length() * rows <= CODE_BITS
        size = columns if self.numbered else 1
        row_rank, row_list, row_first, row_count = row_tables(size)
        self.row_rank, self.row_list, self.row_first, self.row_count = row_rank, row_list, row_first, row_count
        found = sorted(self._profiles(), key=lambda each: (each[0], -each[1])) if self.numbered else []
        sizes = [math.prod(int(row_count[w * (columns + 1) + b]) for w, b in profile) for _, _, profile in found]
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

    def _profiles(self) -> Iterator[tuple[int, int, Profile]]:
        """Pawns, rows that they have come, and the profile; both sides have pawns, and nobody has won."""
        columns, rows, most = self.game.columns, self.game.rows, self.most_pawns
        if self._count() > MOST_PROFILES:
            raise Unsuitable(f"tables of {self.game.name} with {most} pawns would have too many slices to be numbered")

        def below(row: int, mine: int, theirs: int) -> Iterator[Profile]:
            if row == rows:
                if mine and theirs:
                    yield ()
                return
            for own in range(min(columns if row < rows - 1 else 0, 2 * columns - mine, most - mine - theirs) + 1):
                left = min(columns - own if row else 0, 2 * columns - theirs, most - mine - theirs - own)
                for other in range(left + 1):
                    for rest in below(row + 1, mine + own, theirs + other):
                        yield ((own, other), *rest)

        for profile in below(0, 0, 0):
            steps = sum(row * own + (rows - 1 - row) * other for row, (own, other) in enumerate(profile))
            yield sum(own + other for own, other in profile), steps, profile

    def _count(self) -> int:
        """About how many profiles there are."""
        return min(math.comb(2 * self.game.rows - 2 + self.most_pawns, self.most_pawns), 1 << 62)

    def _code(self, profile: Profile) -> int:
        code = 0
        for own, other in profile:
            code = code * self.kinds + own * (self.game.columns + 1) + other
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

    def index(self, state: Pawns) -> int:
        if popcount(state.white) + popcount(state.black) > self.most_pawns:
            return -1
        columns, rows = self.game.columns, self.game.rows
        width, row_mask = np.uint64(columns), self.game.first_row
        mine, theirs = (state.white, state.black) if state.mover == WHITE else (state.black, state.white)
        code, within = 0, 0
        for row in range(rows):
            line = row if state.mover == WHITE else rows - 1 - row
            shift = np.uint64(line * columns)
            own, other = mine >> shift & row_mask, theirs >> shift & row_mask
            kind = popcount(own) * (columns + 1) + popcount(other)
            code = code * self.kinds + kind
            within = within * self.row_count[kind] + self.row_rank[int(own << width | other)]
        low, high = 0, self.profiles
        while high - low > 1:
            middle = (low + high) >> 1
            if self.sorted_codes[middle] <= code:
                low = middle
            else:
                high = middle
        if self.sorted_codes[low] != code:
            return -1
        return int(self.sorted_starts[low] + within)

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
        white = black = ZERO
        for row in range(rows - 1, -1, -1):
            kind = code % self.kinds
            code //= self.kinds
            found = self.row_list[self.row_first[kind] + within % self.row_count[kind]]
            within //= self.row_count[kind]
            shift = np.uint64(row * columns)
            white |= np.uint64(found >> columns) << shift
            black |= (np.uint64(found) & self.game.first_row) << shift
        return Pawns(white, black, WHITE)


def row_tables(columns: int) -> tuple[NDArray[np.int64], ...]:
    """What may stand on a row, by how many pawns of either side: ranks, the rows, where each kind begins, how many."""
    kinds = (columns + 1) ** 2
    lists: list[list[int]] = [[] for _ in range(kinds)]
    rank = np.full(1 << 2 * columns, -1, np.int64)
    for own in range(1 << columns):
        for other in range(1 << columns):
            if own & other == 0:
                kind = lists[own.bit_count() * (columns + 1) + other.bit_count()]
                rank[own << columns | other] = len(kind)
                kind.append(own << columns | other)
    counts = [len(each) for each in lists]
    firsts = [0, *itertools.accumulate(counts)][:-1]
    rows = [row for each in lists for row in each]
    return rank, np.array(rows, np.int64), np.array(firsts, np.int64), np.array([max(count, 1) for count in counts])
