"""Building tables: slice by slice, each solved on all cores, packed and appended to the file.

    build_table("checkers", "4", "tables")

A build that is stopped, by whatever, goes on with the slices that are finished when the same command is given again.
"""

from __future__ import annotations

import os
import time as clock
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ..counters import stop_word
from ..errors import BadInput, Unsuitable
from ..game import Game
from ..games import as_game
from ..knowledge import Knowledge
from ..table_blocks import packed
from ..working_clock import working_clock
from .crew import Crew
from .slice import POSITION_BYTES, Slice
from .table import SUFFIX, Table, numbering_of, table_name
from .table_file import TableWriter, header_of, read_header

MEGABYTES = 2048.0


@dataclass(frozen=True)
class BuildProgress:
    """How far a build is: slices and positions that are finished, and what is being done."""

    slice: int
    slices: int
    name: str
    distance: int
    """Plies from the end of the sweep that is running; 0 while moves are made."""
    positions: int
    of_positions: int
    solved: int
    """Positions that this run has finished."""
    seconds: float

    @property
    def positions_a_second(self) -> float:
        return self.solved / self.seconds if self.seconds else 0.0


Tell = Callable[[BuildProgress], None]


def build_table(
    game: Game | str,
    which: str | int,
    folder: str | Path,
    *,
    threads: int | None = None,
    megabytes: float = MEGABYTES,
    knowledge: Knowledge | str | None = None,
    progress: Tell | None = None,
) -> Table:
    """Build the table of `which` endings in a folder (or a file, NAME.table), or go on with one that is begun there.

    What `which` means is the game's: pieces in checkers. On Ctrl-C, and where the disk is full, finished slices stay.
    """
    game = as_game(game)
    _check(game, threads, megabytes)
    numbering, slices = numbering_of(game, knowledge).for_tables(str(which))
    path = Path(folder)
    if path.suffix != SUFFIX:
        path /= table_name(game, str(which))
    with closing(TableWriter(path, header_of(numbering, str(which), slices), slices)) as writer:
        _adopt(writer, numbering, path, slices)
        builder = _Builder(numbering, slices, writer, threads or os.cpu_count() or 1, megabytes, progress)
        builder.run()
    return Table(path, numbering, slices, str(which))


def _check(game: Game, threads: int | None, megabytes: float) -> None:
    if not game.opposed or game.has_chance or game.hidden:
        raise Unsuitable(
            f"tables are for two opposed sides without chance or hidden cards, and {game.name} is not such a game"
        )
    if threads is not None and (not isinstance(threads, int) or threads < 1):
        raise BadInput(f"threads must be a whole number of at least 1, not {threads!r}")
    if not megabytes > 0:
        raise BadInput(f"memory must be a number of megabytes above 0, not {megabytes!r}")


def _adopt(writer: TableWriter, numbering: Knowledge, path: Path, slices: list[tuple[str, int]]) -> None:
    """Begin with the slices of smaller tables of the same folder, where they are the same ones."""
    if writer.finished:
        return
    others = sorted(
        path.parent.glob(f"{path.stem.rpartition('-')[0]}-*{path.suffix}"), key=lambda each: each.stat().st_size
    )
    for other in reversed([each for each in others if each != path]):
        try:
            which = other.stem.rpartition("-")[2]
            smaller = numbering.for_tables(which)[1]
            if slices[: len(smaller)] != smaller or header_of(numbering, which, slices) != read_header(other):
                continue
            table = Table(other, numbering, smaller, which)
            table.check_whole()
        except (BadInput, ValueError):
            continue
        if table.records:
            for record in table.records:
                writer.append(record.positions, table.data[record.place : record.place + record.size])
            return


class _Builder:
    """One run: what it has, and the slice it is at."""

    def __init__(
        self,
        numbering: Knowledge,
        slices: list[tuple[str, int]],
        writer: TableWriter,
        threads: int,
        megabytes: float,
        progress: Tell | None,
    ) -> None:
        self.numbering, self.game = numbering, numbering.game
        self.slices, self.writer, self.progress = slices, writer, progress
        self.room = int(megabytes * 1e6)
        self.stop = stop_word()
        self.crew = Crew(threads, self.stop, self.tell)
        self.began, self.before = working_clock(), writer.positions
        self.distance = 0
        self.shown = 0.0

    def run(self) -> None:
        self._check_room()
        with self.crew:
            while len(self.writer.finished) < len(self.slices):
                number = len(self.writer.finished)
                count = self.slices[number][1]
                self.tell()
                values = self.solved(count)
                self.writer.append(count, packed(values))
        self.tell(last=True)

    def _check_room(self) -> None:
        name, most = max(self.slices[len(self.writer.finished) :], key=lambda each: each[1], default=("", 0))
        if most * POSITION_BYTES > self.room:
            raise Unsuitable(
                f"the slice {name!r} has {most:,} positions and takes {most * POSITION_BYTES / 1e6:,.0f} MB at least; "
                f"{self.room / 1e6:,.0f} MB are allowed: give more --memory"
            )

    def tell(self, last: bool = False) -> None:
        now = clock.monotonic()
        if self.progress is None or (now - self.shown < 0.2 and not last):
            return
        self.shown = now
        number = min(len(self.writer.finished), len(self.slices) - 1)
        self.progress(
            BuildProgress(
                len(self.writer.finished),
                len(self.slices),
                self.slices[number][0],
                self.distance,
                self.writer.positions,
                sum(size for _, size in self.slices),
                self.writer.positions - self.before,
                working_clock() - self.began,
            )
        )

    def solved(self, count: int) -> NDArray[np.int16]:
        """The numbers of the next slice."""
        part = Slice(self.numbering, self.slices, self.writer, count, self.crew, self.room)
        for self.distance in part.solve():
            self.tell()
        return part.status
