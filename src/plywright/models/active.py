"""Which patterns of a model by tables stand on the board, and what each adds to the evaluation."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..bits import SCRATCH
from ..weighted import Term, one_sided
from .cells import WORD, numbers_of
from .inside import Slot, words_of
from .symmetries import Cells

LISTED = 10
"""Patterns that are listed one by one."""


def pattern_terms(model: Any, state: Any, listed: int = LISTED) -> list[Term]:
    """The patterns that weigh most in a state, and the rest of them as one row; together the sum that is squashed."""
    cells = model.all_cells()
    places = np.zeros(SCRATCH, np.int64)
    view = int(model.indices(state, places))
    times = [*model.times.tolist(), *[1.0] * model.number_tuples]
    worth = [float(model.weights[place]) * often for place, often in zip(places[: model.used], times, strict=True)]
    patterns = _cells_of_tuples(model, cells, view)
    order = sorted(range(len(worth)), key=lambda n: -abs(worth[n]))
    largest = [n for n in order[:listed] if worth[n]]
    numbers = [int(cell) for cell in model.cells(state)] if model.own_cells else numbers_of(state)
    sign, players = (-1 if view == 1 else 1), model.game.players
    found = []
    if model.based:
        found.append(one_sided("the game's own evaluation", sign * model.base_value(state, view), players))
    for n in largest:
        held = [Slot(board, cell, (_content(cells, board, cell, numbers),)) for board, cell in patterns[n]]
        found.append(one_sided(words_of(model, cells, held), sign * worth[n], players))
    rest = sum(times[n] > 0 for n in order) - len(largest)
    if rest:
        others = sign * sum(worth[n] for n in order if n not in largest)
        found.append(one_sided(f"{rest} other {'pattern' if rest == 1 else 'patterns'}", others, players))
    return found


def _cells_of_tuples(model: Any, cells: Cells, view: int) -> list[list[tuple[int, int]]]:
    """The board and the cell of everything that each tuple looks at, in the order of `indices`, for a player's view."""
    owner = {leaf: (n, place) for n, board in enumerate(cells.boards) for place, leaf in enumerate(board.cells)}
    counts = {leaf: (len(cells.boards) + n, 0) for n, (leaf, _, _) in enumerate(cells.counts)}
    found = []
    planes = [n for n, board in enumerate(cells.boards) if board.is_bits or len(board.cells) <= WORD]
    for part, number in enumerate(planes):
        board = cells.boards[number]
        for n in range(model.board_tuples[3 * part], model.board_tuples[3 * part + 2]):
            mask = int(model.masks[view * model.plane_tuples + n])
            bits = [bit for bit in range(WORD) if mask >> bit & 1]
            found.append([(number, board.cells.index(bit) if board.is_bits else bit) for bit in bits])
    slots = view * int(model.layout[4])
    for n in range(model.number_tuples):
        leaves = model.slot_leaf[slots + model.first_slot[n] : slots + model.first_slot[n + 1]].tolist()
        found.append([(owner | counts)[leaf] for leaf in leaves])
    return found


def _content(cells: Cells, number: int, cell: int, numbers: list[int]) -> int:
    """What a cell holds in a state of these numbers, as `content_name` tells it."""
    if number >= len(cells.boards):
        leaf, low, high = cells.counts[number - len(cells.boards)]
        return min(max(numbers[leaf] - low, 0), high - low)
    board = cells.boards[number]
    if board.is_bits:
        content, kinds = 0, len(board.words) + 1
        for digit, word in enumerate(board.words, 1):
            content |= digit * (numbers[word] >> board.cells[cell] & 1)
    else:
        kinds = board.high - board.low + 1
        content = min(max(numbers[board.cells[cell]] - board.low, 0), kinds - 1)
    for n, piece in enumerate(board.pieces):
        if numbers[piece] == board.numbered[cell]:
            content = kinds + n
    return content


__all__ = ["LISTED", "pattern_terms"]
