"""What is inside a learned model, for people: what each cell is worth, which patterns weigh most, how it was trained.

The worth of a content of a cell is a mean: of the weights of all patterns with that content there, less the mean of
all patterns, table by table, and only those that play has ever met.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import takewhile
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..draw import Picture
from ..draw.heat import LETTERS, Panel, heat
from ..errors import printable
from ..number import finite
from ..outcome_text import FEWEST_GAMES
from ..state import Shape, leaves
from .cells import WORD, read_places
from .indexing import Indexed
from .linear import Linear
from .model import Model
from .network import Network
from .packed import CELL_BITS, Packed
from .symmetries import Board, Cells

LARGEST = 12
"""Features that are listed."""
PART = re.compile(r"[^\[\]]+|\[\d+\]")
"""A part of the name of a number of a state."""
CAPTION = "worth to the first player, on the move: more than "


class Feature(NamedTuple):
    """Something that a model weighs: in words, and how much."""

    words: str
    weight: float


class Inside(NamedTuple):
    """What there is to show of a model."""

    panels: list[Panel]
    largest: list[Feature]
    compared: str = "an empty cell"
    """What the panels compare with."""

    def picture(self) -> Picture:
        """The heat maps as one picture."""
        return heat(self.panels, caption=CAPTION + self.compared)


def look_inside(model: Model, count: int = LARGEST) -> Inside:
    """Heat maps of what the cells of the board are worth to the first player, on the move, and the largest features."""
    if isinstance(model, Linear):
        return Inside([], _linear(model, count))
    if isinstance(model, Network):
        return _network(model, count)
    if isinstance(model, Indexed):
        return _tuples(model, count)
    if isinstance(model, Packed):
        return _packed(model, count)
    return Inside([], [])


def _linear(model: Linear, count: int) -> list[Feature]:
    names = [name.replace("_", " ") for name in model.feature_names]
    if model.tapered:
        names = [f"{name}, at the beginning" for name in names] + [f"{name}, at the end" for name in names]
    found = [Feature(name, float(weight)) for name, weight in zip(names, model.weights, strict=True)]
    return sorted(found, key=lambda feature: -abs(feature.weight))[:count]


class Slot(NamedTuple):
    """A cell in a tuple: where it is, and for each of its contents what that adds to the index of the table."""

    board: int
    cell: int
    adds: tuple[int, ...]


def _slots(model: Indexed, cells: Cells) -> list[tuple[int, list[Slot]]]:
    """The first player's tuples: where the table begins, and its cells."""
    owner = {leaf: (n, place) for n, board in enumerate(cells.boards) for place, leaf in enumerate(board.cells)}
    counts = {leaf: (len(cells.boards) + n, 0) for n, (leaf, _, _) in enumerate(cells.counts)}
    found = []
    planes = [n for n, board in enumerate(cells.boards) if board.is_bits or len(board.cells) <= WORD]
    cell = 0
    for part, number in enumerate(planes):
        board = cells.boards[number]
        digits: list[int] = list(range(len(board.words) + 1))
        if not board.is_bits:
            lut = int(model.cell_lut[cell])
            digits = [int(model.luts[lut + value]) for value in range(board.high - board.low + 1)]
            cell += len(board.cells)
        digits += range(max(digits) + 1, max(digits) + 1 + len(board.pieces))
        for n in range(model.board_tuples[3 * part], model.board_tuples[3 * part + 2]):
            bits = [bit for bit in range(WORD) if int(model.masks[n]) >> bit & 1]
            slots = []
            for k, bit in enumerate(bits):
                power = int(model.luts[model.tuple_lut[n] + (1 << k)])
                place = board.cells.index(bit) if board.is_bits else bit
                slots.append(Slot(number, place, tuple(power * digit for digit in digits)))
            found.append((int(model.tuple_table[n]), slots))
    for n in range(model.number_tuples):
        slots = []
        for slot in range(model.first_slot[n], model.first_slot[n + 1]):
            leaf = int(model.slot_leaf[slot])
            number, place = (owner | counts)[leaf]
            lut = int(model.slot_lut[slot])
            adds = tuple(int(model.luts[lut + value]) for value in range(int(model.slot_span[slot]) + 1))
            slots.append(Slot(number, place, adds))
        found.append((int(model.number_table[n]), slots))
    return found


def _tuples(model: Any, count: int) -> Inside:
    cells = model.all_cells()
    stages = len(set(model.stage_of.tolist()))
    size = int(model.layout[1])
    weights = np.stack([model.weights[stage * size : (stage + 1) * size] for stage in range(stages)])
    met = weights != 0
    mean = np.divide(weights.sum(0), met.sum(0), out=np.zeros(size), where=met.any(0))  # over the stages
    worth: dict[tuple[int, int, int], float] = {}
    largest: dict[int, tuple[float, list[Slot]]] = {}
    for table, slots in _slots(model, cells):
        entries = _entries(slots)
        table_weights = mean[table + entries]
        seen = table_weights != 0
        middle = float(table_weights[seen].mean()) if seen.any() else 0.0
        for axis, slot in enumerate(slots):
            for content in range(len(slot.adds)):
                here, known = table_weights.take(content, axis), seen.take(content, axis)
                if known.any():
                    key = slot.board, slot.cell, content
                    worth[key] = worth.get(key, 0.0) + float(here[known].mean()) - middle
        for place in np.argsort(-np.abs(table_weights), axis=None)[:count]:
            entry = table + int(entries.ravel()[place])
            if mean[entry] and entry not in largest:
                largest[entry] = float(mean[entry]), _chosen(slots, np.unravel_index(place, entries.shape))
    top = sorted(largest.values(), key=lambda found: -abs(found[0]))[:count]
    listed = [Feature(words_of(model, cells, slots), weight) for weight, slots in top]
    return Inside(_panels(model, cells, worth), listed, _compared(model, cells))


def _entries(slots: list[Slot]) -> NDArray[np.int64]:
    """The places in a table, an axis for each cell."""
    total = np.zeros((1,) * len(slots), np.int64)
    for axis, slot in enumerate(slots):
        shape = [1] * len(slots)
        shape[axis] = len(slot.adds)
        total = total + np.array(slot.adds, np.int64).reshape(shape)
    return total


def _chosen(slots: list[Slot], contents: Any) -> list[Slot]:
    """The cells of a tuple with one content each, kept in `adds`."""
    return [slot._replace(adds=(int(content),)) for slot, content in zip(slots, contents, strict=True)]


def _packed(model: Any, count: int) -> Inside:
    """Each content of each cell that a table looks at, beside the mean of all that it has met."""
    bits = getattr(model, "cell_bits", CELL_BITS)
    kinds = 1 << bits
    worth: dict[tuple[int, int], float] = {}
    largest: list[tuple[float, dict[int, int]]] = []
    for cells, first in zip(model.packed_tuples, model.firsts.tolist(), strict=True):
        order = sorted(cells)  # the lowest cell has the lowest bits
        table = model.weights[first : first + kinds ** len(order)]
        met = table != 0
        if not met.any():
            continue
        middle = float(table.sum(dtype=np.float64)) / int(met.sum())
        for axis, cell in enumerate(order):
            shape = (-1, kinds, kinds**axis)
            seen = met.reshape(shape).sum((0, 2))
            total = table.reshape(shape).sum((0, 2), dtype=np.float64)
            for content in np.flatnonzero(seen).tolist():
                mean = float(total[content]) / int(seen[content]) - middle
                worth[cell, content] = worth.get((cell, content), 0.0) + model.grain * mean
        places = np.flatnonzero(met)
        size = np.abs(table[places].astype(np.float32, copy=False))
        for place in places[np.argsort(size)[-count:]].tolist():  # a partition takes long where most are equal
            held = {cell: place >> bits * axis & kinds - 1 for axis, cell in enumerate(order)}
            largest.append((model.grain * float(table[place]), held))
    given = getattr(model, "cell_places", None)
    where = () if given is None else read_places(model.game.name, given)
    where = where or tuple((0, cell) for cell in range(WORD // bits))
    name = getattr(model, "cell_name", str)
    found = [
        Panel(name(content), {where[cell]: value for (cell, held), value in sorted(worth.items()) if held == content})
        for content in sorted({content for _, content in worth})
    ]
    largest.sort(key=lambda feature: -abs(feature[0]))
    listed = [Feature(", ".join(f"{_square(where[c])} {name(n)}" for c, n in held.items()), w) for w, held in largest]
    return Inside(found, listed[:count], "the mean of what a cell may hold")


def _square(place: tuple[int, int]) -> str:
    """`c2`: the column's letter, and rows from the bottom."""
    row, column = place
    letter = LETTERS[column] if column < len(LETTERS) else f"({column + 1})"
    return f"{letter}{row + 1}"


def _network(model: Any, count: int) -> Inside:
    """Each input by the way through all hidden units: how far it moves the output where the units are at rest."""
    first = model.rows[: model.extent[0]].reshape(-1, model.hidden)
    effect = first @ model.way_out()[:, 0]
    if model.own_inputs:
        order = np.argsort(-np.abs(effect))[:count]
        return Inside([], [Feature(f"input {int(n) + 1}", float(effect[n])) for n in order])
    cells = model.all_cells()
    worth = {}
    for table, slots in _slots(model, cells):
        for slot in slots:
            values = effect[[table + add for add in slot.adds]]
            for content, value in enumerate(values - values.mean()):
                worth[slot.board, slot.cell, content] = float(value)
    keys = sorted(worth, key=lambda key: -abs(worth[key]))[:count]
    largest = [
        Feature(words_of(model, cells, [Slot(b, c, (content,))]), worth[b, c, content]) for b, c, content in keys
    ]
    return Inside(_panels(model, cells, worth), largest, _compared(model, cells))


def _panels(model: Any, cells: Cells, worth: dict[tuple[int, int, int], float]) -> list[Panel]:
    """A board for each content that a cell may have, compared with an empty cell."""
    found = []
    for number, board in enumerate(cells.boards):
        contents = sorted({key[2] for key in worth if key[0] == number})
        empty = _empty(model, board)
        for content in contents:
            values = {
                place: worth.get((number, cell, content), 0.0)
                - (0.0 if empty is None else worth.get((number, cell, empty), 0.0))
                for cell, place in enumerate(board.places)
            }
            if content != empty:
                found.append(Panel(_title(model, cells, number, content), values))
    return found


def _title(model: Any, cells: Cells, number: int, content: int) -> str:
    """What a map is about: a content by its name, or that a number is what the cell holds."""
    name = content_name(model, cells, number, content)
    board = cells.boards[number]
    if board.is_bits or content > board.high - board.low:
        return name
    of = f"{_field(_leaf_names(model.game.state_shape), board)}: " if len(cells.boards) > 1 else ""
    return f"{of}a cell holds {board.low + content}"


def _empty(model: Any, board: Board) -> int | None:
    """The content of an empty cell: no bit of a word, or the number in half of the cells and more at the start."""
    if board.is_bits:
        return 0
    if model.own_cells:
        return None
    numbers = leaves(model.game.start_state)
    held = [numbers[leaf] for leaf in board.cells]
    usual = max(sorted(set(held)), key=held.count)
    return int(usual) - board.low if 2 * held.count(usual) >= len(held) else None


def _compared(model: Any, cells: Cells) -> str:
    known = all(_empty(model, board) is not None for board in cells.boards)
    return "an empty cell" if known else "the mean of what a cell may hold"


def content_name(model: Any, cells: Cells, board: int, content: int) -> str:
    """What a cell holds: the field of the state whose bit it is, or its number.

    Where a state has several boards, the name says of which: a cell may be empty on one of them and not on another.
    """
    names = _leaf_names(model.game.state_shape)
    if board >= len(cells.boards):
        leaf, low, _ = cells.counts[board - len(cells.boards)]
        return f"{names[leaf]} = {low + content}"
    at: Board = cells.boards[board]
    plain = len(at.words) + 1 if at.is_bits else at.high - at.low + 1
    if 0 <= content - plain < len(at.pieces):
        return names[at.pieces[content - plain]]
    several = len(cells.boards) > 1
    if not at.is_bits:
        return f"{_field(names, at)} {at.low + content}" if several else str(at.low + content)
    if 0 < content <= len(at.words):
        return names[at.words[content - 1]]
    words = [names[word] for word in at.words]
    if content == 0:
        return f"no {' or '.join(words)}" if several else "empty"
    return " and ".join(words) if several else "both"


def _field(names: list[str], board: Board) -> str:
    """The name of the field that a board of numbers is in: what the names of all its numbers begin with."""
    parts = [PART.findall(names[leaf]) for leaf in board.cells]
    shared = takewhile(lambda beside: len(set(beside)) == 1, zip(*parts, strict=False))
    return "".join(part for part, *_ in shared)


def words_of(model: Any, cells: Cells, slots: list[Slot]) -> str:
    """`a1 white, b1 empty`."""
    found = []
    for slot in slots:
        name = content_name(model, cells, slot.board, slot.adds[0])
        if slot.board < len(cells.boards):
            name = f"{_square(cells.boards[slot.board].places[slot.cell])} {name}"
        found.append(name)
    return ", ".join(found)


def _leaf_names(shape: Shape | None, name: str = "state") -> list[str]:
    """The name of each number of a state as Python has it: its field, `state[2]` or `board[0][1]` in plain tuples.

    States of no shape have none: their cells are the author's own.
    """
    if shape is None:
        return []
    if shape.kind is not None:
        return [name]
    fields = getattr(shape.cls, "_fields", None)
    found = []
    for n, item in enumerate(shape.items):
        found += _leaf_names(item, fields[n] if fields else f"{name}[{n}]")
    return found


def training_lines(training: Mapping[str, Any]) -> list[tuple[str, str]]:
    """The training record of a file for people, named as the options of `plywright learn` are."""
    found = []
    for key, value in training.items():
        name = NAMES.get(key, key.replace("_", " "))
        if key == "strength" and isinstance(value, Mapping):
            found.append((name, _strength(value)))
        elif key in ("first_wins", "unfinished") and isinstance(value, float):
            found.append((name, f"{value:.1%} of the games"))
        elif value not in (None, ""):
            found.append((name, f"{value:,}" if isinstance(value, int) else _rounded(value)))
    return [(printable(name), printable(text)) for name, text in found]


NAMES = {
    "decay": "lambda",
    "made_least": "loss function",
    "algorithm": "plays best by",
    "first_wins": "first player won",
    "unfinished": "broken off",
    "strength": "against the start",
}


def _strength(found: Mapping[str, Any]) -> str:
    words = (("wins", "won"), ("draws", "drawn"), ("losses", "lost"))
    counts = ", ".join(f"{found.get(key, 0)} {word}" for key, word in words)
    elo, low, high = (finite(found.get(key)) for key in ("elo", "low", "high"))
    text = f"{counts} at {found.get('mode', '?')}"
    played = finite(found.get("games"))
    if played is not None and played < FEWEST_GAMES:
        return text
    if elo is not None and low is not None and high is not None:
        return f"{text}: {elo:+.0f} Elo [{low:+.0f}, {high:+.0f}]"
    if low is not None:
        return f"{text}: at least {low:+.0f} Elo"
    return f"{text}: at most {high:+.0f} Elo" if high is not None else text


def _rounded(value: Any) -> str:
    if not isinstance(value, float):
        return str(value)
    return f"{value:,.4g}" if abs(value) < 1000 else f"{value:,.0f}"


__all__ = ["Feature", "Inside", "look_inside", "training_lines"]
