"""Mazes from text: walls, pellets, power pellets, Pac-Man and ghosts, and the arrays that the rules read.

    %%%%%%%
    %P. .G%      % wall   . pellet   o power pellet   P Pac-Man   G ghost   blank: nothing
    %%%%%%%

Cells are numbered row by row from the top left. A maze is data: every layout of as many ghosts shares
one compilation.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from functools import cached_property
from importlib import resources
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ...errors import BadInput

DIRECTIONS = ("North", "East", "South", "West", "Stop")
STOP = 4
WORD, WORDS = 60, 5
"""Pellets a word of a state, and words: at most 300 pellets."""
MOST_CAPSULES = 60
MOST_CELLS = 4096
SIGNS = "% .oPG"
SUFFIX = ".lay"


@dataclass(frozen=True)
class Maze:
    """One layout: its rows as text, checked, and what follows from them."""

    name: str
    rows: tuple[str, ...]

    @property
    def columns(self) -> int:
        return len(self.rows[0])

    @cached_property
    def text(self) -> str:
        return "".join(self.rows)

    @property
    def pacman(self) -> int:
        return self.text.index("P")

    @property
    def ghosts(self) -> list[int]:
        return [cell for cell, sign in enumerate(self.text) if sign == "G"]

    @property
    def pellets(self) -> int:
        return self.text.count(".")

    @property
    def capsules(self) -> int:
        return self.text.count("o")

    @cached_property
    def steps(self) -> NDArray[np.int64]:
        """For each cell and direction (and STOP) the cell it leads to, or -1 at a wall."""
        around = (-self.columns, 1, self.columns, -1, 0)
        steps = np.full(5 * len(self.text), -1, np.int64)
        for cell, sign in enumerate(self.text):
            if sign != "%":
                for direction, offset in enumerate(around):
                    if self.text[cell + offset] != "%":
                        steps[5 * cell + direction] = cell + offset
        return steps

    @cached_property
    def pellet_at(self) -> NDArray[np.int64]:
        return self._numbered(".")

    @cached_property
    def capsule_at(self) -> NDArray[np.int64]:
        return self._numbered("o")

    @cached_property
    def apart(self) -> NDArray[np.int16]:
        """Steps from each cell to each other, row by row; as many as there are cells where there is no way."""
        cells = len(self.text)
        apart = np.full((cells, cells), cells, np.int16)
        for cell, sign in enumerate(self.text):
            if sign != "%":
                for other, far in self.distances(cell).items():
                    apart[cell, other] = far
        return apart.reshape(-1)

    @cached_property
    def nearest(self) -> NDArray[np.int16]:
        """For each cell the cells of all pellets, the nearest first."""
        cells = len(self.text)
        pellets = np.array([cell for cell, sign in enumerate(self.text) if sign == "."], np.int16)
        order = np.argsort(self.apart.reshape(cells, cells)[:, pellets], axis=1, kind="stable")
        return np.ascontiguousarray(pellets[order].astype(np.int16)).reshape(-1)

    @cached_property
    def mouths(self) -> NDArray[np.int64]:
        """For each cell of a dead end the first one outside it; for every other the cell itself.

        A dead end is what is left over when cells with one way only are walled up until there are none; a maze
        without a way round has none.
        """
        ways = {cell: self._around(cell) for cell, sign in enumerate(self.text) if sign != "%"}
        closed = dict[int, int]()
        ends = [cell for cell, around in ways.items() if len(around) == 1]
        while ends:
            cell = ends.pop()
            if ways[cell]:
                (closed[cell],) = ways[cell]
                ways[closed[cell]].remove(cell)
                if len(ways[closed[cell]]) == 1:
                    ends.append(closed[cell])
        mouths = np.arange(len(self.text))
        for cell in closed:
            outside = cell
            while outside in closed:
                outside = closed[outside]
            mouths[cell] = outside if ways[outside] else cell
        return mouths

    def _around(self, cell: int) -> set[int]:
        return {other for other in map(int, self.steps[5 * cell : 5 * cell + STOP]) if other >= 0}

    def distances(self, start: int) -> dict[int, int]:
        """Steps to every cell that can be reached."""
        found = {start: 0}
        queue = deque([start])
        while queue:
            cell = queue.popleft()
            for direction in range(STOP):
                other = int(self.steps[5 * cell + direction])
                if other >= 0 and other not in found:
                    found[other] = found[cell] + 1
                    queue.append(other)
        return found

    def _numbered(self, wanted: str) -> NDArray[np.int64]:
        signs = np.array(list(self.text)) == wanted
        return np.where(signs, np.cumsum(signs) - 1, -1).astype(np.int64)


def load_maze(name: str) -> Maze:
    """A layout of ours by name, or a file by its path."""
    if "/" in name or "\\" in name or name.endswith(SUFFIX):
        try:
            return read_maze(Path(name).read_text(encoding="utf-8"), Path(name).stem)
        except OSError as error:
            raise BadInput(f"the layout {name} cannot be read: {error.strerror or error}") from None
        except UnicodeDecodeError:
            raise BadInput(f"the layout {name} is not a text file") from None
    if name not in layout_names():
        raise BadInput(f"there is no layout {name!r}; there are {', '.join(layout_names())}, or give a path (./my.lay)")
    return read_maze((resources.files(__package__) / "layouts" / (name + SUFFIX)).read_text(encoding="utf-8"), name)


def layout_names() -> list[str]:
    """The layouts that come with Plywright."""
    folder = resources.files(__package__) / "layouts"
    return sorted(item.name.removesuffix(SUFFIX) for item in folder.iterdir() if item.name.endswith(SUFFIX))


def read_maze(text: str, name: str) -> Maze:
    """A maze from its text; raises BadInput that says in which row and column it is wrong."""
    rows = [line.rstrip("\r") for line in text.rstrip().split("\n")]
    while rows and not rows[0].strip():
        rows.pop(0)
    if not rows:
        raise BadInput(f"layout {name}: it is empty")
    for number, row in enumerate(rows, 1):
        if len(row) != len(rows[0]):
            raise BadInput(f"layout {name}, row {number}: {len(row)} characters, but the first row has {len(rows[0])}")
        for column, sign in enumerate(row, 1):
            if sign not in SIGNS:
                raise BadInput(
                    f"layout {name}, row {number}, column {column}: {sign!r} is not one of % . o P G and blank"
                )
            if sign != "%" and (number in (1, len(rows)) or column in (1, len(row))):
                raise BadInput(f"layout {name}, row {number}, column {column}: the border must be all walls (%)")
    maze = Maze(name, tuple(rows))
    _check_contents(maze)
    return maze


def _check_contents(maze: Maze) -> None:
    if len(maze.text) > MOST_CELLS:
        raise BadInput(f"layout {maze.name}: {len(maze.text)} cells, and at most {MOST_CELLS} are allowed")
    if (count := maze.text.count("P")) != 1:
        raise BadInput(f"layout {maze.name}: it needs one Pac-Man (P), not {count}")
    if not 1 <= maze.pellets <= WORD * WORDS:
        raise BadInput(f"layout {maze.name}: it needs from 1 to {WORD * WORDS} pellets (.), not {maze.pellets}")
    if maze.capsules > MOST_CAPSULES:
        raise BadInput(f"layout {maze.name}: at most {MOST_CAPSULES} power pellets (o), not {maze.capsules}")
    reached = maze.distances(maze.pacman)
    for cell, sign in enumerate(maze.text):
        if sign == "." and cell not in reached:
            row, column = divmod(cell, maze.columns)
            raise BadInput(f"layout {maze.name}, row {row + 1}, column {column + 1}: Pac-Man cannot reach this pellet")
