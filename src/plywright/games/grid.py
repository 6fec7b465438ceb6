"""Maps of grid games: cells, walls, exits and prizes as text and as arrays.

Rows go from the top, apart by `/`, cells apart by spaces: `. . . +1 / . # . -1 / S . . .`. A full stop
is a free cell, # a wall; what other words mean is up to the game. Cells are numbered row by row from
the top, and named as on a chess board with a1 at the lower left.
"""

from __future__ import annotations

from collections import deque
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..errors import BadInput
from .notation import LETTERS

NORTH, EAST, SOUTH, WEST = range(4)
DIRECTIONS = ("north", "east", "south", "west")
STEPS = ((-1, 0), (0, 1), (1, 0), (0, -1))
WALL, FREE = "#", "."
MOST_CELLS = 400
DIRECTION_WORDS = {
    word: number
    for number, name in enumerate(DIRECTIONS)
    for word in (name, name[0], ("up", "right", "down", "left")[number])
}


class Map(NamedTuple):
    """A grid: its width, the word of each cell, and where a step in each direction leads."""

    columns: int
    words: tuple[str, ...]
    neighbours: NDArray[np.int64]  # [cells * 4] the cell itself where a wall or the edge is in the way

    @property
    def rows(self) -> int:
        return len(self.words) // self.columns

    def name(self, cell: int) -> str:
        """The cell as a square: 'a1' at the lower left."""
        row, column = divmod(int(cell), self.columns)
        return f"{LETTERS[column]}{self.rows - row}"

    def cell(self, name: str) -> int | None:
        """The cell of that name, or None where the map has no free cell of it."""
        word = name.strip().lower()
        if len(word) < 2 or word[0] not in LETTERS or not word[1:].isascii() or not word[1:].isdigit() or len(word) > 3:
            return None
        column, row = LETTERS.index(word[0]), self.rows - int(word[1:])
        if column >= self.columns or not 0 <= row < self.rows:
            return None
        found = row * self.columns + column
        return found if self.words[found] != WALL else None

    def is_free(self, cell: int) -> bool:
        """Whether there is such a cell, and no wall in it."""
        return 0 <= cell < len(self.words) and self.words[cell] != WALL

    def distances(self) -> NDArray[np.int64]:
        """[cells, cells] steps from each cell to each other one; more than there are cells where there is no way."""
        count = len(self.words)
        found = np.full((count, count), count + 1, np.int64)
        for start in range(count):
            if self.words[start] == WALL:
                continue
            found[start, start] = 0
            waiting = deque([start])
            while waiting:
                cell = waiting.popleft()
                for near in self.neighbours[4 * cell : 4 * cell + 4]:
                    if found[start, near] > found[start, cell] + 1:
                        found[start, near] = found[start, cell] + 1
                        waiting.append(int(near))
        return found


def read_map(text: str, game: str) -> Map:
    """The map that a text draws; raises BadInput where its rows differ in length or it is too large."""
    rows = [row.split() for row in text.replace("\n", "/").split("/") if row.strip()]
    if not rows or any(len(row) != len(rows[0]) for row in rows):
        lengths = ", ".join(str(len(row)) for row in rows) or "none"
        raise BadInput(f"{game}: the rows of a map must be equally long; these have {lengths} cells")
    columns = len(rows[0])
    if columns > len(LETTERS) or len(rows) > 26 or columns * len(rows) > MOST_CELLS:
        raise BadInput(f"{game}: a map has at most 26 columns, 26 rows and {MOST_CELLS} cells")
    words = tuple(word for row in rows for word in row)
    neighbours = np.arange(len(words), dtype=np.int64).repeat(4)
    for cell in range(len(words)):
        row, column = divmod(cell, columns)
        for direction, (down, right) in enumerate(STEPS):
            if 0 <= row + down < len(rows) and 0 <= column + right < columns:
                near = cell + down * columns + right
                if words[near] != WALL and words[cell] != WALL:
                    neighbours[4 * cell + direction] = near
    return Map(columns, words, neighbours)
