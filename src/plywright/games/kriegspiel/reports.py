"""Whether any position agrees with a report of Kriegspiel: all of them looked at, many at a time."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from .rules import Kriegspiel, Report

KING = 0
Cells = list["np.ndarray[Any, Any]"]
"""By piece of the other that is left: the cell in each of many positions."""


class Umpire:
    """What the umpire would have said to the player to move, in many positions of the other's pieces at once."""

    def __init__(self, game: Kriegspiel, seen: Report) -> None:
        self.seen, cells = seen, range(game.cells)
        self.reach = [
            np.array([[game.reaches(kind, a, b, 0) for b in cells] for a in cells], np.bool_) for kind in game.kinds
        ]
        self.between = np.array([[_between(game.size, a, b) for b in cells] for a in cells], np.int64)
        spots = [game.spot(seen.mine, piece) for piece in range(game.count)]
        self.mine = {piece: spot for piece, spot in enumerate(spots) if spot >= 0}
        self.left = [piece for piece in range(game.count) if seen.theirs >> piece & 1]
        own = {*self.mine.values()}
        self.own = sum(1 << cell for cell in own)
        self.free = [cell for cell in cells if cell not in own]
        self.tries = [
            (piece, cell)
            for piece, here in self.mine.items()
            for cell in self.free
            if game.reaches(game.kinds[piece], here, cell, self.own)
        ]

    def positions(self) -> Iterator[Cells]:
        """The positions that agree, by where the other's king stands."""
        rest = np.meshgrid(*[np.array(self.free)] * (len(self.left) - 1), indexing="ij") if len(self.left) > 1 else []
        others = [part.ravel() for part in rest]
        for king in self.free:
            yield self.agreeing([np.full(len(others[0]) if others else 1, king), *others])

    def agreeing(self, cells: Cells) -> Cells:
        """Those of the positions in which the umpire says what was heard, and the player can move."""
        apart = np.ones(len(cells[0]), np.bool_)
        for number, one in enumerate(cells):
            for other in cells[:number]:
                apart &= one != other
        cells = _chosen(cells, apart)
        heard = self.attacked(cells, self.mine[KING], self.all(cells)) == self.seen.check
        if self.seen.taken:
            heard &= np.any([part == self.seen.taken - 1 for part in cells], axis=0)
        cells = _chosen(cells, heard & ~self.gives_check(cells))
        can_move = np.zeros(len(cells[0]), np.bool_)
        fits = np.ones(len(cells[0]), np.bool_)
        for piece, cell in self.tries:
            allowed = self.legal(cells, piece, cell)
            if self.seen.refused[piece] >> cell & 1:
                fits &= ~allowed
            else:
                can_move |= allowed
        return _chosen(cells, fits & can_move)

    def all(self, cells: Cells) -> np.ndarray[Any, Any]:
        """The cells that are taken, as a set for each position."""
        both = np.full(len(cells[0]), self.own, np.int64)
        for part in cells:
            both |= np.int64(1) << part
        return both

    def attacked(self, cells: Cells, king: int, both: np.ndarray[Any, Any], gone: int = -1) -> np.ndarray[Any, Any]:
        """Whether the other attacks a cell; a piece on the cell `gone` has just been taken."""
        found = np.zeros(len(both), np.bool_)
        for piece, part in zip(self.left, cells, strict=True):
            found |= self.reach[piece][part, king] & (self.between[part, king] & both == 0) & (part != gone)
        return found

    def gives_check(self, cells: Cells) -> np.ndarray[Any, Any]:
        """Whether the player to move attacks the other's king, which has just moved and may not stand in check."""
        both, found = self.all(cells), np.zeros(len(cells[0]), np.bool_)
        for piece, here in self.mine.items():
            found |= self.reach[piece][here, cells[0]] & (self.between[here, cells[0]] & both == 0)
        return found

    def legal(self, cells: Cells, piece: int, cell: int) -> np.ndarray[Any, Any]:
        here, both = self.mine[piece], self.all(cells)
        after = both & ~(1 << here) | 1 << cell
        allowed = ~self.attacked(cells, cell if piece == KING else self.mine[KING], after, cell)
        allowed &= self.between[here, cell] & both == 0
        return allowed


def any_agrees(game: Kriegspiel, seen: Report) -> bool:
    """Whether there is a position, not over, in which the player to move has heard just that."""
    if seen.plies >= game.limit or seen.theirs == 1 == sum(game.spot(seen.mine, i) >= 0 for i in range(game.count)):
        return False
    umpire = Umpire(game, seen)
    refused = [(piece, cell) for piece in umpire.mine for cell in range(game.cells) if seen.refused[piece] >> cell & 1]
    return set(refused) <= set(umpire.tries) and any(len(cells[0]) for cells in umpire.positions())


def _chosen(cells: Cells, which: np.ndarray[Any, Any]) -> Cells:
    return [part[which] for part in cells]


def _between(size: int, a: int, b: int) -> int:
    """The cells between two on a line, as a set; none where they are on no line."""
    up, right = b // size - a // size, b % size - a % size
    far = max(abs(up), abs(right))
    if far == 0 or not (up == 0 or right == 0 or abs(up) == abs(right)):
        return 0
    return sum(1 << a + number * ((b - a) // far) for number in range(1, far))
