"""The cells of a board, found in a game's states: which numbers hold it, how it lies, which symmetries it has.

A state is a row of numbers (`state.leaves`). Random play shows what each of them is: a word of bits is a board with a
cell for every bit, a tuple of small numbers a board with a cell for every number, and a small number that stands alone
a count. Words that never have a bit in common are boards of one and the same cells. The width of a board is taken
from the nesting of its tuple, from the game's own attributes, or from the symmetries that fit.

A symmetry is not guessed: the state that it makes of a state is built, and the rules must answer in it as they do in
the first one, move for move, in a sample of states.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..dice import roll
from ..errors import BadInput, GameError
from ..game import CHANCE, Game
from ..rng import below, seeded
from ..state import BOOL, FLOAT64, UINT64, Shape, leaves, rebuild

STATES = 1500
"""States of random play that are looked at."""
TRIED = 24
"""States in which a symmetry must hold."""
LARGE = 256
"""A whole number that play brings to this is a word of bits, not a count."""
FEWEST = 4
"""Numbers beside each other in a tuple that make a board."""
WIDTHS = ("columns", "width", "cols", "files", "size", "n", "m", "rows", "height")
"""Attributes of a game that may say how wide its board is."""
_WORD = (1 << 64) - 1


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

    @property
    def is_bits(self) -> bool:
        return bool(self.words)


class Symmetry(NamedTuple):
    """A map of states: where each board's cells go, and whether the players change places."""

    cells: tuple[tuple[int, ...], ...]
    """For each board, for each of its cells, the place in `Board.cells` that it goes to."""
    swap: bool = False
    values: tuple[tuple[int, int], ...] = ()
    """Numbers in cells that stand for the other player's when players change places: (1, 2) or (1, -1)."""
    counts: bool = False
    """Whether the first two counts change places as well."""


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


def sample_states(game: Game, count: int = STATES, seed: int = 7) -> list[Any]:
    """Unfinished states of random games."""
    rng, found, state = seeded(seed), list[Any](), game.start_state
    plies = 0
    while len(found) < count and plies < 20 * count:
        plies += 1
        if game.is_terminal(state):
            state = game.start_state
            continue
        found.append(state)
        if int(game.to_move(state)) == CHANCE:
            action = roll(game, state, rng)
        else:
            actions = list(game.actions(state))
            if not actions:
                raise GameError(f"{game.name}: actions() yields nothing, but is_terminal() says the game goes on")
            action = int(actions[below(rng, len(actions))])
        state = game.state_after(state, action)
    return found


def numbers_of(state: Any) -> list[int]:
    """The leaves of a state as whole numbers of 64 bits; floats as 0, for they are no cells."""
    return [0 if isinstance(leaf, float) else int(leaf) for leaf in leaves(state)]


def find_cells(game: Game, grid: tuple[int, int] | None = None) -> Cells:
    """Look at random play; raises BadInput where the states have no cells that can be found."""
    shape = game.state_shape
    if shape is None or not game.fixed_states:
        raise BadInput(
            f"{game.name}: no cells can be found, for {game.shapeless or 'its states have no fixed shape'}; define "
            "cells(state) in a Knowledge of the game, as docs/learning.md shows"
        )
    states = sample_states(game)
    rows = [numbers_of(state) for state in states]
    found = Cells(sample=np.array([[_signed(n) for n in row] for row in rows], np.int64))
    kinds = _kinds(shape)
    tuples = _siblings(shape)
    movers = [int(game.to_move(state)) for state in states]
    used = set()
    for leaf in range(len(kinds)):
        at_move = [(row[leaf], mover) for row, mover in zip(rows, movers, strict=True) if mover != CHANCE]
        if found.mover is None and game.players > 1 and at_move and all(a == b for a, b in at_move):
            found.mover = leaf
            used.add(leaf)
    words: list[int] = []
    for leaf, kind in enumerate(kinds):
        column = [row[leaf] for row in rows]
        constant = min(column) == max(column)
        if leaf in used or kind == FLOAT64 or (constant and leaf not in tuples):
            used.add(leaf)
        elif kind == UINT64 or max(column) >= LARGE:
            if kind != UINT64 and min(column) < 0:
                raise BadInput(
                    f"{game.name}: number {leaf + 1} of its states is neither a cell nor bits: {min(column)}"
                )
            words.append(leaf)
            used.add(leaf)
    for group in _exclusive(rows, words):
        bits = [bit for bit in range(64) if any(row[w] >> bit & 1 for row in rows for w in group)]
        found.boards.append(Board(tuple(group), tuple(bits), tuple((0, n) for n in range(len(bits)))))
    for start, stop, width in _runs(tuples, used):
        column = [row[leaf] for row in rows for leaf in range(start, stop)]
        places = tuple((n // width, n % width) if width else (0, n) for n in range(stop - start))
        found.boards.append(Board((), tuple(range(start, stop)), places, min(column), max(column)))
        used.update(range(start, stop))
    for leaf in range(len(kinds)):
        if leaf not in used:
            column = [row[leaf] for row in rows]
            found.counts.append((leaf, min(column), max(column)))
    if not found.boards and not found.counts:
        raise BadInput(f"{game.name}: its states show no cells; define cells(state) in a Knowledge of the game")
    _lay_out(game, found, states, grid)
    return found


def _kinds(shape: Shape) -> list[str]:
    if shape.kind is not None:
        return [shape.kind]
    return [kind for item in shape.items for kind in _kinds(item)]


def _siblings(shape: Shape, start: int = 0) -> dict[int, tuple[int, int, int]]:
    """For each leaf in a plain tuple of whole numbers: where that begins, where it ends, the width of its rows."""
    found: dict[int, tuple[int, int, int]] = {}
    if shape.kind is not None:
        return found
    plain = not hasattr(shape.cls, "_fields")
    whole = [item.kind is not None and item.kind not in (FLOAT64, UINT64) for item in shape.items]
    if plain and all(whole) and len(shape.items) >= FEWEST:
        return {start + n: (start, start + len(shape.items), 0) for n in range(len(shape.items))}
    rows = {len(item.items) for item in shape.items if item.kind is None}
    nested = (
        plain
        and len(rows) == 1
        and all(
            item.kind is None and all(part.kind not in (None, FLOAT64, UINT64) for part in item.items)
            for item in shape.items
        )
    )
    if nested:
        width = rows.pop()
        size = width * len(shape.items)
        return {start + n: (start, start + size, width) for n in range(size)} if size >= FEWEST else {}
    for item in shape.items:
        found |= _siblings(item, start)
        start += len(_kinds(item))
    return found


def _runs(tuples: dict[int, tuple[int, int, int]], used: set[int]) -> list[tuple[int, int, int]]:
    """The tuples of small numbers that are left, without those in which a leaf was found to be something else."""
    return [run for run in sorted(set(tuples.values())) if not used & set(range(run[0], run[1]))]


def _exclusive(rows: list[list[int]], words: list[int]) -> list[list[int]]:
    """Words that never have a bit in common, and are about as long, as groups."""
    length = {word: max(row[word] & _WORD for row in rows).bit_length() for word in words}
    groups: list[list[int]] = []
    for word in words:
        for group in groups:
            apart = all(not row[word] & row[other] for row in rows for other in group)
            if apart and all(abs(length[word] - length[other]) <= max(2, length[word] // 4) for other in group):
                group.append(word)
                break
        else:
            groups.append([word])
    return groups


def _signed(number: int) -> int:
    number &= _WORD
    return number - (1 << 64) if number >> 63 else number


# -- how a board lies ---------------------------------------------------------------------------------------


def _lay_out(game: Game, found: Cells, states: list[Any], grid: tuple[int, int] | None) -> None:
    """Give the boards rows and columns, and find the symmetries that go with them."""
    tried = [states[n * len(states) // TRIED] for n in range(min(TRIED, len(states)))]
    check = _Examiner(game, found, tried)
    layouts = [[board.places] for board in found.boards]
    if given := _given_places(game, found):
        found.boards = [board._replace(places=places) for board, places in zip(found.boards, given, strict=True)]
        layouts = [[places] for places in given]
    for n, board in enumerate(found.boards):
        if not given and max((row for row, _ in board.places), default=0) == 0:
            layouts[n] = [_by_width(board, width) for width in _widths(game, board, grid)] or layouts[n]
    best: list[Symmetry] | None = None
    for choice in range(max(map(len, layouts), default=1)):
        places = [options[min(choice, len(options) - 1)] for options in layouts]
        fitting = [s for s in _turns(places) if check.holds(s)]
        if best is None or len(fitting) > len(best):
            best = fitting
            found.boards = [board._replace(places=p) for board, p in zip(found.boards, places, strict=True)]
    found.symmetries = best or []
    if game.players == 2 and found.mover is not None:
        found.swap = next((s for s in _swaps(found) if check.holds(s)), None)


def _given_places(game: Game, found: Cells) -> list[tuple[tuple[int, int], ...]]:
    """Row and column of the cells of each board, where the game says so itself in `cell_places`."""
    given = [tuple((int(row), int(column)) for row, column in places) for places in getattr(game, "cell_places", ())]
    if not given:
        return []
    chosen = []
    for board in found.boards:
        fitting = next((places for places in given if len(places) == len(board.cells)), None)
        if fitting is None:
            sizes = " and ".join(str(len(places)) for places in given)
            raise BadInput(f"{game.name}: cell_places is for boards of {sizes} cells; play shows {len(board.cells)}")
        chosen.append(fitting)
    return chosen


def _widths(game: Game, board: Board, grid: tuple[int, int] | None) -> list[int]:
    """Widths that the board may have, the likeliest first."""
    span = (max(board.cells) - min(board.cells) + 1) if board.is_bits else len(board.cells)
    if grid is not None:
        return [grid[1]] if grid[0] * grid[1] >= len(board.cells) else []
    named = [getattr(game, name, None) for name in WIDTHS]
    likely = [value for value in named if isinstance(value, int) and 1 < value < span]
    likely += [value + 1 for value in likely] if board.is_bits else []
    root = math.isqrt(span)
    if root * root == span:
        likely.append(root)
    exact = [width for width in likely if span % width == 0]
    return list(dict.fromkeys((*exact, *likely)))


def _by_width(board: Board, width: int) -> tuple[tuple[int, int], ...]:
    first = 0 if board.is_bits else min(board.cells)
    return tuple(((cell - first) // width, (cell - first) % width) for cell in board.cells)


def _turns(layouts: Sequence[tuple[tuple[int, int], ...]]) -> Iterator[Symmetry]:
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


def _swaps(found: Cells) -> Iterator[Symmetry]:
    """The same turns with the players changed."""
    for turn in _turns([board.places for board in found.boards]):
        for values in ((), ((1, 2),), ((1, -1),)):
            for counts in (False, True) if len(found.counts) > 1 else (False,):
                yield turn._replace(swap=True, values=values, counts=counts)


class _Examiner:
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

    def _holds_in(self, symmetry: Symmetry, state: Any, answers: tuple[Any, ...]) -> bool:
        image = self.image(symmetry, state)
        mover, utilities, after = answers
        if symmetry.swap:
            mover = 1 - mover if mover != CHANCE else mover
            utilities = utilities[::-1]
        wanted = sorted(tuple(leaves(self.image(symmetry, child))) for child in after)
        found = self._answers(image)
        return (mover, utilities, wanted) == (found[0], found[1], sorted(tuple(leaves(child)) for child in found[2]))

    def _answers(self, state: Any) -> tuple[Any, ...]:
        """Who moves, what the states after it pay if they are the end, and those states."""
        game = self.game
        mover = int(game.to_move(state))
        outcomes = sorted(game.chance(state)) if mover == CHANCE and game.lists_chance else []
        actions = [o for o, _ in outcomes] if mover == CHANCE else list(game.actions(state))
        after = [game.state_after(state, action) for action in actions]
        ends = [child for child in after if game.is_terminal(child)]
        paid = tuple(sorted(float(game.utility(child, player)) for child in ends) for player in range(game.players))
        return mover, paid, after

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
        if symmetry.swap and cells.mover is not None:
            numbers[cells.mover] = 1 - before[cells.mover]
        if symmetry.counts:
            (one, _, _), (other, _, _) = cells.counts[:2]
            numbers[one], numbers[other] = before[other], before[one]
        shape = self.game.state_shape
        assert shape is not None
        return rebuild(shape, numbers)


__all__ = ["BOOL", "Board", "Cells", "Symmetry", "find_cells", "numbers_of", "sample_states"]
