"""The cells of a board, found in a game's states: which numbers hold it, how it lies, which symmetries it has.

A state is a row of numbers (`state.leaves`). Random play shows what each of them is: a word of bits is a board with a
cell for every bit, a tuple of small numbers a board with a cell for every number, and a small number that stands alone
a count, or the cell of a board on which a piece stands. Words that never have a bit in common are boards of one and the
same cells. The width of a board is taken from the nesting of its tuple, from the game's own attributes, or from the
symmetries that fit.

What symmetries there are `symmetries` finds out.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations, pairwise
from typing import Any

import numpy as np

from ..dice import roll
from ..errors import BadInput, GameError, shown
from ..game import CHANCE, Game
from ..game.widths import named_widths
from ..rng import below, seeded
from ..state import FLOAT64, UINT64, Shape, leaves
from .symmetries import Board, Cells, Examiner, Symmetry, swaps, turns

STATES = 1500
"""States of random play that are looked at."""
TRIED = 100
"""States in which a symmetry must hold."""
LARGE = 256
"""A whole number that play brings to this is a word of bits, not a count."""
MOST_PIECES = 6
"""Numbers of a state that may be pieces and are looked at in all their selections."""
ROAMS = 6
"""Cells on which a piece must have stood to be taken for one."""
WORD = 64
"""Cells that fit into one word."""
FEWEST = 4
"""Numbers beside each other in a tuple that make a board."""
FARTHEST = 399
"""The last row, and the last column, that a cell may be said to lie in: pictures of boards have a place for each."""
_WORD = (1 << 64) - 1


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


def _last(game: Game, states: list[Any]) -> list[Any]:
    """Those of the states of random play after which a game was over."""
    return [state for state, then in pairwise(states) if then == game.start_state]


def _ends(game: Game, states: list[Any]) -> list[Any]:
    """Finished states that a player's action makes of the last ones of random games."""
    found = []
    for state in {tuple(leaves(last)): last for last in _last(game, states)}.values():
        if int(game.to_move(state)) != CHANCE:
            after = (game.state_after(state, int(action)) for action in game.actions(state))
            found += [child for child in after if game.is_terminal(child)]
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
        found.boards.append(_of_bits(group, rows))
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
    return _best_laid_out(game, found, states, rows, grid)


def _of_bits(words: Sequence[int], rows: list[list[int]]) -> Board:
    """The board of the bits that were ever set."""
    bits = [bit for bit in range(WORD) if any(row[word] >> bit & 1 for row in rows for word in words)]
    return Board(tuple(words), tuple(bits), tuple((0, n) for n in range(len(bits))))


def _best_laid_out(
    game: Game, found: Cells, states: list[Any], rows: list[list[int]], grid: tuple[int, int] | None
) -> Cells:
    """The cells with rows, columns, pieces and symmetries, of the boards that have the most symmetries.

    A goal may be entered only by the move that ends the game. A model is never asked about it then, but the board has
    its symmetries only with it.
    """
    ever = [*rows, *map(numbers_of, _ends(game, states))]
    whole = [_of_bits(board.words, ever) if board.is_bits else board for board in found.boards]
    options = [found.boards] if whole == found.boards else [found.boards, whole]
    sizes = {len(places) for places in _listed_places(game)}
    fitting = [boards for boards in options if sizes and all(len(board.cells) in sizes for board in boards)]
    laid_out = [replace(found, boards=boards) for boards in fitting or options]
    for cells in laid_out:
        _lay_out(game, cells, states, grid)
        _place_pieces(game, cells, states)
    return max(laid_out, key=lambda cells: (len(cells.symmetries), cells.swap is not None))


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
    check = Examiner(game, found, _tried(game, states))
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
        fitting = [s for s in turns(places) if check.holds(s)]
        if best is None or len(fitting) > len(best):
            best = fitting
            found.boards = [board._replace(places=p) for board, p in zip(found.boards, places, strict=True)]
    found.symmetries = best or []
    found.swap = _find_swap(game, found, check)


def _tried(game: Game, states: list[Any]) -> list[Any]:
    """States in which symmetries are tried: the first, some before an end, which show what it pays, and some others.

    They are drawn, since every so many plies games that are all as long would be looked at in the same places only.
    """
    rng = seeded(11)
    drawn = {tuple(leaves(states[0])): states[0]}
    for among, enough in ((_last(game, states), TRIED // 2), (states, TRIED)):
        left = list({tuple(leaves(state)): state for state in among}.items())
        while left and len(drawn) < enough:
            key, state = left.pop(below(rng, len(left)))
            drawn[key] = state
    return list(drawn.values())


def _find_swap(game: Game, found: Cells, check: Examiner) -> Symmetry | None:
    if game.players != 2 or found.mover is None:
        return None
    return next((s for s in swaps(found) if check.holds(s)), None)


def _place_pieces(game: Game, found: Cells, states: list[Any]) -> None:
    """Take counts for pieces on a board where the rules bear it out: they have more symmetries that way.

    A count of plies has numbers like those of cells, but no turn of the board maps it.
    """
    for number, board in enumerate(found.boards):
        if len(board.cells) > WORD or min(board.cells) < 0:
            continue
        numbered = set(board.numbered)
        columns = {leaf: set(found.sample[:, leaf].tolist()) for leaf, _, _ in found.counts}
        likely = [leaf for leaf, seen in columns.items() if len(seen) >= ROAMS and seen <= numbered]
        for chosen in _subsets(likely):
            boards = [b._replace(pieces=chosen) if n == number else b for n, b in enumerate(found.boards)]
            counts = [count for count in found.counts if count[0] not in chosen]
            check = Examiner(game, replace(found, boards=boards, counts=counts), _tried(game, states))
            symmetries = [s for s in turns([b.places for b in boards]) if check.holds(s)]
            if len(symmetries) > len(found.symmetries):
                found.boards, found.counts, found.symmetries = boards, counts, symmetries
                found.swap = _find_swap(game, found, check)
                break


def read_places(name: str, given: Any) -> tuple[tuple[int, int], ...]:
    """Row and column of each cell of a board, as an author gives them; raises BadInput for what is none.

    `name` is that of the game.
    """
    try:
        places = tuple((operator.index(row), operator.index(column)) for row, column in given)
    except (TypeError, ValueError):
        raise BadInput(f"{name}: cell_places is row and column of each cell, not {shown(given)}") from None
    far = next((place for place in places if not all(0 <= number <= FARTHEST for number in place)), None)
    if far is not None:
        raise BadInput(f"{name}: cell_places has {shown(far)}; rows and columns are numbers from 0 to {FARTHEST}")
    return places


def _listed_places(game: Game) -> list[tuple[tuple[int, int], ...]]:
    """The rows and columns of boards that the game lists in `cell_places`; empty where it lists none."""
    given = getattr(game, "cell_places", ())
    try:
        boards = list(given)
    except TypeError:
        raise BadInput(
            f"{game.name}: cell_places is row and column of each cell of each board, not {shown(given)}"
        ) from None
    return [read_places(game.name, places) for places in boards]


def _given_places(game: Game, found: Cells) -> list[tuple[tuple[int, int], ...]]:
    """Row and column of the cells of each board, where the game says so itself in `cell_places`."""
    given = _listed_places(game)
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
    likely = [width for width in named_widths(game) if width < span]
    likely += [value + 1 for value in likely] if board.is_bits else []
    root = math.isqrt(span)
    if root * root == span:
        likely.append(root)
    exact = [width for width in likely if span % width == 0]
    return list(dict.fromkeys((*exact, *likely)))


def _by_width(board: Board, width: int) -> tuple[tuple[int, int], ...]:
    first = 0 if board.is_bits else min(board.cells)
    return tuple(((cell - first) // width, (cell - first) % width) for cell in board.cells)


def _subsets(items: list[int]) -> Iterator[tuple[int, ...]]:
    """All of them, then some, the larger first; of many only all of them."""
    for size in range(len(items), 0, -1):
        yield from combinations(items, size)
        if len(items) > MOST_PIECES:
            return


__all__ = ["WORD", "find_cells", "numbers_of", "read_places", "sample_states"]
