"""Jewels: two collectors on one map who want the same thing, and so must share out the work.

They move in turn, one cell or none. Each jewel brings both players ten points, each move costs both
one; the game ends when the last jewel is taken or after `moves` moves of each.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from ..bits import popcount
from ..draw import Picture
from ..draw.cells import Cell, cells
from ..errors import BadInput
from ..game import Game
from .grid import DIRECTION_WORDS, DIRECTIONS, FREE, WALL, read_map
from .notation import legal_action, whole_number

STAY = 4
MOVES = (*DIRECTIONS, "stay")
WORDS = {**DIRECTION_WORDS, "stay": STAY, "x": STAY, "wait": STAY}
STARTS = ("A", "B")
JEWEL = "*"
PRIZE = 10
MOST_JEWELS = 16
LAYOUTS = {
    "garden": "* . . . * / . # . # . / A . * . B / . # . # . / . . . . *",
    "corridor": "* . A B . . *",
    "rooms": "A . # . * / . . . . . / # . # . # / . . . . . / * . # . B / * . # . *",
}


class Collectors(NamedTuple):
    """Where both stand, the jewels left (bit n for the n-th of the map), and the moves made."""

    first: int
    second: int
    jewels: int
    made: int


class Jewels(Game):
    """Collect all jewels together, in few moves."""

    how_to_play = (
        "Two collectors walk through a garden by turns, one cell or none. They play together: each jewel that "
        "either picks up brings both ten points, and each move costs both one. The game ends with the last jewel, "
        "or when the moves are used up."
    )

    player_names = ("A", "B")
    zero_sum = False
    max_actions = 5
    runtime = ("first_start", "second_start", "neighbours", "jewel", "place", "distance", "size", "count", "longest")

    def __init__(self, layout: str = "garden", moves: int = 12) -> None:
        if layout not in LAYOUTS and "/" not in layout and " " not in layout:
            raise BadInput(f"layout must be {', '.join(LAYOUTS)} or a map such as 'A . * / * . B', not {layout!r}")
        self.layout = layout
        self.map = read_map(LAYOUTS.get(layout, layout), "jewels")
        self.moves = whole_number("moves (of each collector)", moves, 1, 200)
        words = self.map.words
        if any(words.count(start) != 1 for start in STARTS):
            raise BadInput("jewels: a map has one A and one B, where the collectors start")
        if unknown := [word for word in words if word not in (*STARTS, JEWEL, WALL, FREE)]:
            raise BadInput(f"jewels: {unknown[0]!r} means nothing on a map; there are . # * A and B")
        places = [cell for cell, word in enumerate(words) if word == JEWEL]
        if not 1 <= len(places) <= MOST_JEWELS:
            raise BadInput(f"jewels: a map has 1 to {MOST_JEWELS} jewels; this one has {len(places)}")
        self.first_start, self.second_start = (words.index(start) for start in STARTS)
        self.neighbours = self.map.neighbours
        self.jewel = np.zeros(len(words), np.int64)  # [cells] the bit of the jewel that lies there
        self.jewel[places] = 1 << np.arange(len(places))
        self.place = np.array(places, np.int64)  # [jewels]
        self.distance = self.map.distances().ravel()  # [cells * cells]
        self.size, self.count, self.longest = len(words), len(places), 2 * self.moves
        self.utility_range = (-self.longest, PRIZE * self.count)
        self.sum_bound = 2 * PRIZE * self.count

    # -- rules -------------------------------------------------------------------------------------

    def initial(self) -> Collectors:
        return Collectors(self.first_start, self.second_start, (1 << self.count) - 1, 0)

    def to_move(self, state: Collectors) -> int:
        return state.made & 1

    def actions(self, state: Collectors) -> Iterator[int]:
        cell = state.second if state.made & 1 else state.first
        for direction in range(4):
            if self.neighbours[4 * cell + direction] != cell:
                yield direction
        yield STAY

    def result(self, state: Collectors, action: int) -> Collectors:
        cell = state.second if state.made & 1 else state.first
        if action != STAY:
            cell = self.neighbours[4 * cell + action]
        jewels = state.jewels & ~self.jewel[cell]
        if state.made & 1:
            return Collectors(state.first, cell, jewels, state.made + 1)
        return Collectors(cell, state.second, jewels, state.made + 1)

    def is_terminal(self, state: Collectors) -> bool:
        return state.jewels == 0 or state.made >= self.longest

    def utility(self, state: Collectors, player: int) -> float:
        return PRIZE * (self.count - popcount(state.jewels)) - state.made

    def evaluate(self, state: Collectors, player: int) -> float:
        """As if each jewel cost the nearer collector's way to it and nothing else."""
        value = self.utility(state, player) + 0.0
        if self.is_terminal(state):
            return value
        for number in range(self.count):
            if state.jewels >> number & 1:
                cell = self.place[number]
                steps = min(
                    self.distance[self.size * state.first + cell], self.distance[self.size * state.second + cell]
                )
                value += PRIZE / (1.0 + steps)
        return value - 0.5

    # -- notation ----------------------------------------------------------------------------------

    def format_action(self, state: Any, action: int) -> str:
        return MOVES[int(action)]

    def parse_action(self, state: Any, text: str) -> int:
        return legal_action(self, state, WORDS.get(text.strip().lower()), text)

    def format_state(self, state: Any) -> str:
        """Where A and B stand, the jewels left, the moves made: `a3 e3 a5,e5,c3,e1 0`; `-` for no jewels."""
        left = [self.map.name(cell) for cell in self.place if state.jewels & self.jewel[cell]]
        places = f"{self.map.name(state.first)} {self.map.name(state.second)}"
        return f"{places} {','.join(left) or '-'} {int(state.made)}"

    def parse_state(self, text: str) -> Any:
        words = text.lower().split()
        shape = (
            f"write where A and B stand, the jewels left and the moves made: {self.format_state(self.start_state)!r}"
        )
        if len(words) != 4 or not re.fullmatch("[0-9]{1,3}", words[3]) or int(words[3]) > self.longest:
            raise BadInput(f"{text!r} is not a state of {self.name}: {shape}")
        names = [] if words[2] == "-" else words[2].split(",")
        first, second, *left = (self.map.cell(name) for name in (words[0], words[1], *names))
        if first is None or second is None or any(cell is None or not self.jewel[cell] for cell in left):
            raise BadInput(f"{text!r} is not a state of {self.name}: {shape}")
        jewels = sum({int(self.jewel[cell]) for cell in left if cell is not None})
        return self.checked(Collectors(first, second, jewels, int(words[3])))

    def check_state(self, state: Any) -> str:
        for name, cell in zip(STARTS, (state.first, state.second), strict=True):
            if not self.map.is_free(cell):
                return f"{name} stands nowhere on the map"
        if not 0 <= state.jewels < 1 << self.count:
            return f"there are jewels that the map has not: it has {self.count}"
        return "" if 0 <= state.made <= self.longest else f"the moves made are 0 to {self.longest}, not {state.made}"

    # -- picture -----------------------------------------------------------------------------------

    def picture(self, state: Any, last: int | None = None) -> Picture:
        content = []
        for cell, word in enumerate(self.map.words):
            shown = JEWEL if state.jewels & self.jewel[cell] else ""
            look = "wall" if word == WALL else "prize" if shown else "empty"
            content.append(Cell(shown, look, "gem" if shown else ""))
        pawns: dict[int, list[tuple[int, str]]] = {}
        for player, cell in enumerate((int(state.first), int(state.second))):
            pawns.setdefault(cell, []).append((player, STARTS[player]))
        score = f"{self.utility(state, 0):g} points for both"
        over = self.is_terminal(state)
        caption = f"the end: {score}" if over else f"{score}, {self.player_names[int(state.made & 1)]} to move"
        return cells(content, self.map.columns, pawns=pawns, caption=caption)
