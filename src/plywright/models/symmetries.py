"""Boards, and the symmetries of the rules on them: turns and mirrors of the plane, and the change of sides.

A symmetry is not guessed: the state that it makes of a state is built, and the rules must answer in it as they do in
the first one, move for move, in a sample of states.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..game import CHANCE, Game
from ..state import leaves, rebuild

KINDS = 16
"""Contents of a cell that are kinds of things; where there are more, they are amounts."""


class Board(NamedTuple):
    """Cells that belong together: of bits (`words` are the leaves that hold them) or of numbers (a leaf a cell)."""

    words: tuple[int, ...]
    """The leaves of a board of bits; empty for one of numbers."""
    cells: tuple[int, ...]
    """The bits, or the leaves, that are the cells."""
    places: tuple[tuple[int, int], ...]
    """Row and column of each cell; (0, n) where nothing is known of how the board lies."""
    low: int = 0
    high: int = 1
    """The least and the greatest number in a cell, of a board of numbers."""
    pieces: tuple[int, ...] = ()
    """Leaves that are the cell on which a piece stands, counted as its bits or from its first number on."""

    @property
    def is_bits(self) -> bool:
        return bool(self.words)

    @property
    def numbered(self) -> tuple[int, ...]:
        """The numbers by which pieces name its cells."""
        return self.cells if self.is_bits else tuple(range(len(self.cells)))


class Symmetry(NamedTuple):
    """A map of states: where each board's cells go, and whether the players change places."""

    cells: tuple[tuple[int, ...], ...]
    """For each board, for each of its cells, the place in `Board.cells` that it goes to."""
    swap: bool = False
    values: tuple[tuple[int, int], ...] = ()
    """Numbers in cells that stand for the other player's when players change places: (1, 2) or (1, -1)."""
    counts: bool = False
    """Whether the first two counts change places as well."""
    pieces: tuple[tuple[int, int], ...] = ()
    """Leaves of pieces that change places when players do."""


@dataclass
class Cells:
    """What was found out about the states of a game."""

    boards: list[Board] = field(default_factory=list)
    counts: list[tuple[int, int, int]] = field(default_factory=list)
    """Leaves that are counts, each with its least and greatest number."""
    mover: int | None = None
    """The leaf that is the player to move."""
    symmetries: list[Symmetry] = field(default_factory=list)
    """Without a change of players, the identity first."""
    swap: Symmetry | None = None
    """One that changes the players."""
    sample: NDArray[np.int64] = field(default_factory=lambda: np.zeros((0, 0), np.int64))


def turns(layouts: Sequence[tuple[tuple[int, int], ...]]) -> Iterator[Symmetry]:
    """The turns and mirrors of the plane that bring each board's cells to its cells, and the shifts of a ring."""
    maps: list[Callable[[int, int, int, int], tuple[int, int]]] = [
        lambda r, c, h, w: (r, c),
        lambda r, c, h, w: (r, w - c),
        lambda r, c, h, w: (h - r, c),
        lambda r, c, h, w: (h - r, w - c),
        lambda r, c, h, w: (c, r),
        lambda r, c, h, w: (w - c, r),
        lambda r, c, h, w: (c, h - r),
        lambda r, c, h, w: (w - c, h - r),
    ]
    seen = set()
    for move in maps:
        cells = []
        for places in layouts:
            height, width = (
                max((place[axis] for place in places), default=0) + min((place[axis] for place in places), default=0)
                for axis in (0, 1)
            )
            where = {place: n for n, place in enumerate(places)}
            image = tuple(where.get(move(row, column, height, width), -1) for row, column in places)
            cells.append(image)
        if all(-1 not in image for image in cells) and tuple(cells) not in seen:
            seen.add(tuple(cells))
            yield Symmetry(tuple(cells))
    if all(len(places) % 2 == 0 for places in layouts):
        half = tuple(tuple((n + len(p) // 2) % len(p) for n in range(len(p))) for p in layouts)
        if half not in seen:
            yield Symmetry(half)


def swaps(found: Cells) -> Iterator[Symmetry]:
    """The same turns with the players changed."""
    for turn in turns([board.places for board in found.boards]):
        for values in _opposites(found):
            for counts in (False, True) if len(found.counts) > 1 else (False,):
                for pieces in _pairs([leaf for board in found.boards for leaf in board.pieces]):
                    yield turn._replace(swap=True, values=values, counts=counts, pieces=pieces)


def _opposites(found: Cells) -> list[tuple[tuple[int, int], ...]]:
    """The numbers in cells that may stand for the same thing of the two players."""
    options: list[tuple[tuple[int, int], ...]] = [(), ((1, 2),), ((1, -1),)]
    for board in found.boards:
        half = board.high // 2
        if not board.is_bits and 1 < board.high <= KINDS:
            if board.low < 0:
                options.append(tuple((n, -n) for n in range(1, max(board.high, -board.low) + 1)))
            elif board.high % 2 == 0:  # 1 to 6 and 7 to 12; 1 and 2, 3 and 4
                options.append(tuple((n, n + half) for n in range(1, half + 1)))
                options.append(tuple((n, n + 1) for n in range(1, board.high, 2)))
    return list(dict.fromkeys(options))


def _pairs(pieces: list[int]) -> list[tuple[tuple[int, int], ...]]:
    """How pieces may change hands: each with the next, or those of one half with those of the other."""
    if len(pieces) < 2 or len(pieces) % 2:
        return [()]
    half = len(pieces) // 2
    beside = tuple(zip(pieces[::2], pieces[1::2], strict=True))
    across = tuple(zip(pieces[:half], pieces[half:], strict=True))
    return list(dict.fromkeys((beside, across, ())))


class Successor(NamedTuple):
    """A state that comes after another one."""

    state: Any
    odds: float
    """How likely chance brings it about; 1 where a player chooses."""
    paid: tuple[float, ...]
    """What it pays each player, if it is the end."""


def _told(after: list[Successor]) -> list[tuple[Any, ...]]:
    """What may come, in an order that does not depend on how the rules number it."""
    return sorted((tuple(leaves(state)), paid, round(odds, 9)) for state, odds, paid in after)


class Examiner:
    """Holds a symmetry against the rules."""

    def __init__(self, game: Game, found: Cells, states: list[Any]) -> None:
        self.game, self.cells = game, found
        self.known = [(state, self._answers(state)) for state in states]

    def holds(self, symmetry: Symmetry) -> bool:
        """Whether the rules answer in every image of a state as they do in the state."""
        if not symmetry.swap and all(image == tuple(range(len(image))) for image in symmetry.cells):
            return True
        try:
            return all(self._holds_in(symmetry, state, answers) for state, answers in self.known)
        except Exception:  # no state of the game: rules raise what they like
            return False

    def _holds_in(self, symmetry: Symmetry, state: Any, answers: tuple[int, list[Successor]]) -> bool:
        image = self.image(symmetry, state)
        mover, after = answers
        if symmetry.swap and mover != CHANCE:
            mover = 1 - mover
        way = -1 if symmetry.swap else 1
        wanted = [Successor(self.image(symmetry, child), odds, paid[::way]) for child, odds, paid in after]
        found = self._answers(image)
        return bool(mover == found[0] and _told(wanted) == _told(found[1]))

    def _answers(self, state: Any) -> tuple[int, list[Successor]]:
        """Who moves, and what may come of it."""
        game = self.game
        mover = int(game.to_move(state))
        if mover == CHANCE:
            outcomes = [(outcome, float(odds)) for outcome, odds in game.chance(state)] if game.lists_chance else []
        else:
            outcomes = [(action, 1.0) for action in game.actions(state)]
        after = list[Successor]()
        for outcome, odds in outcomes:
            child = game.state_after(state, outcome)
            over = bool(game.is_terminal(child))
            paid = tuple(float(game.utility(child, player)) for player in range(game.players)) if over else ()
            after.append(Successor(child, odds, paid))
        return mover, after

    def image(self, symmetry: Symmetry, state: Any) -> Any:
        """The state that a symmetry makes of a state."""
        numbers, cells = list(leaves(state)), self.cells
        before: list[Any] = [int(n) if not isinstance(n, float) else n for n in numbers]
        trade = dict(symmetry.values) | {b: a for a, b in symmetry.values}
        for board, image in zip(cells.boards, symmetry.cells, strict=True):
            if board.is_bits:
                for n, word in enumerate(board.words):
                    target = (
                        board.words[1 - n] if symmetry.swap and symmetry.values and n < 2 <= len(board.words) else word
                    )
                    numbers[target] = sum(
                        1 << board.cells[to] for place, to in enumerate(image) if before[word] >> board.cells[place] & 1
                    )
            else:
                for place, to in enumerate(image):
                    value = before[board.cells[place]]
                    numbers[board.cells[to]] = trade.get(value, value)
        for board, image in zip(cells.boards, symmetry.cells, strict=True):
            for leaf in board.pieces:
                numbers[leaf] = board.numbered[image[board.numbered.index(before[leaf])]]
        for one, other in symmetry.pieces:
            numbers[one], numbers[other] = numbers[other], numbers[one]
        if symmetry.swap and cells.mover is not None:
            numbers[cells.mover] = 1 - before[cells.mover]
        if symmetry.counts:
            (one, _, _), (other, _, _) = cells.counts[:2]
            numbers[one], numbers[other] = before[other], before[one]
        shape = self.game.state_shape
        assert shape is not None
        return rebuild(shape, numbers)
