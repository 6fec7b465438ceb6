"""A table that is read: from a position to who wins, and when.

    table = open_table(game, "tables")          # a folder, or one file
    table.look_up(state)                        # Known(value=1, distance=23, certain=True), or None

The file is held against its checksums when it is opened, for what a table says counts as proved; then it is mapped,
and a search brings in the parts that it looks at.
"""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..errors import BadInput
from ..game import Game
from ..games import as_game, as_knowledge
from ..knowledge import Knowledge, named_knowledge
from ..table_blocks import UNKNOWN, is_sound, known_number
from .table_file import Record, check_of, following, header_of, hold_against, is_whole, read_header, records

SUFFIX = ".table"


class Known(NamedTuple):
    """What a table says of a position, from the mover's perspective: its utility, and plies to the end of a win."""

    value: float
    distance: int | None
    certain: bool
    """Whether it is so whatever a move rule says: drawn, or decided before the rule could end the game."""


class Table:
    """The finished slices of a file, for one game."""

    def __init__(self, path: Path, knowledge: Knowledge, slices: list[tuple[str, int]], which: str) -> None:
        self.path, self.game, self.slices, self.which = path, knowledge.game, slices, which
        self.records: list[Record] = list(following(records(path), slices))
        self.data: NDArray[np.uint8] = np.memmap(path, np.uint8, "r").view(np.ndarray)
        ends = [record.first + record.positions for record in self.records]
        self.firsts: NDArray[np.int64] = np.array([len(ends), 0, *ends], np.int64)
        self.places: NDArray[np.int64] = np.array([record.place for record in self.records] or [0], np.int64)
        self.numbering = knowledge

    @property
    def arrays(self) -> dict[str, NDArray[Any]]:
        """What kernels look positions up in, and what a loss and a win are worth."""
        bounds = np.array(self.game.utility_range, np.float64)
        return {"data": self.data, "firsts": self.firsts, "places": self.places, "bounds": bounds}

    @property
    def positions(self) -> int:
        return int(self.firsts[-1])

    @property
    def is_complete(self) -> bool:
        return len(self.records) == len(self.slices)

    @cached_property
    def knowledge(self) -> Knowledge:
        """What the engine knows of the game, with this table in it."""
        return self.numbering.with_table(self.data, self.firsts, self.places)

    @cached_property
    def fingerprint(self) -> str:
        """What stands for the numbers of all slices."""
        return check_of(*(record.check for record in self.records)).hex()

    def check_whole(self) -> None:
        """Raise BadInput where a slice is not as it was written, or would be read beyond its end."""
        for record in self.records:
            if is_whole(self.path, record) and is_sound(self.data, record.place, record.size, record.positions):
                continue
            raise BadInput(
                f"{self.path} is damaged: slice {record.slice + 1}, {self.slices[record.slice][0]!r}, is not as it was "
                f"written; `plywright table build` builds it and those behind it again"
            )

    def number(self, state: Any) -> int:
        """The table's number for a state (`table_blocks`); UNKNOWN where it has none."""
        state = self.game.vouched(state)
        if self.game.is_terminal(state):
            return UNKNOWN
        return int(known_number(self.knowledge, state))

    def look_up(self, state: Any) -> Known | None:
        """What is known of an unfinished state; None where the table does not have it."""
        number = self.number(state)
        if number == UNKNOWN:
            return None
        if number == 0:
            return Known(float(self.game.neutral_value), None, True)
        distance = abs(number) - 1
        certain = distance <= self.numbering.plies_left(self.game.coerce_state(state))
        return Known(float(self.game.utility_range[number > 0]), distance, certain)


def numbering_of(game: Game, chosen: Knowledge | str | None = None) -> Knowledge:
    """The knowledge that numbers a game's positions: the one chosen, the default, or another of the game's that can."""
    known = as_knowledge(game, chosen)
    if chosen is not None or known.has_index:
        return known
    others = (as_knowledge(game, name) for name in named_knowledge(game))
    return next((other for other in others if other.has_index), known)


def table_name(game: Game, which: str) -> str:
    """The name of the file: `checkers-4.table`."""
    return f"{game.name.replace(':', '-').replace('/', '-')}-{which}{SUFFIX}"


def open_table(
    game: Game | str, path: str | Path, knowledge: Knowledge | str | None = None, *, state: Any = None
) -> Table:
    """The table in a file, or of those in a folder the largest of the game; where a state is given, that has it."""
    game = as_game(game)
    known = numbering_of(game, knowledge)
    place = Path(path)
    if place.is_dir():
        return _largest(known, place, state)
    fields = read_header(place)
    if fields["game"] != game.name:
        raise BadInput(f"{place} is a table of {fields['game']}, not of {game.name}")
    numbering, slices = known.for_tables(fields["tables"])
    hold_against(place, fields, header_of(numbering, fields["tables"], slices))
    found = Table(place, numbering, slices, fields["tables"])
    found.check_whole()
    return found


def _largest(known: Knowledge, folder: Path, state: Any) -> Table:
    """Of several files in a folder the one with the state, or with most positions; other games' are passed over."""
    files = [path for path in sorted(folder.glob(f"*{SUFFIX}")) if read_header(path)["game"] == known.game.name]
    found = [open_table(known.game, path, known) for path in files]
    if not found:
        name = known.game.name
        which = f" --pieces {known.tables[0]}" if known.tables else ""
        build = f"`plywright table build {name}{which} --folder {folder}`"
        raise BadInput(f"there is no table of {name} in {folder}: {build}")
    return max(found, key=lambda table: (state is not None and table.number(state) != UNKNOWN, table.positions))
