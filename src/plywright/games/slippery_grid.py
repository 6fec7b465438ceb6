"""A slippery grid: steps succeed with 0.8 and slide sideways with 0.1 each; exits pay, and steps cost.

A step is an action and then a chance node: the direction in which it really goes. Walls and edges
leave the walker where it is. The utility is the reward of the exit less the cost of all steps; after
`limit` steps the walk is over without a reward.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from ..draw import Picture
from ..draw.cells import Cell, cells
from ..errors import BadInput
from ..game import CHANCE, Game
from .grid import DIRECTION_WORDS, DIRECTIONS, FREE, WALL, read_map
from .notation import legal_action, whole_number

START = "S"
CHOOSE = -1
LAYOUTS = {
    "classic": ". . . +1 / . # . -1 / S . . .",
    "corridor": "+10 . S .",
    "bridge": "# -10 -10 -10 # / +1 . S . +10 / # -10 -10 -10 #",
    "cliff": ". . . . . / S -10 -10 -10 +10",
    "maze": "S . # . +5 / . . # . # / # . . . . / . . # # -5",
}


class Walk(NamedTuple):
    """The cell, the direction chosen (or CHOOSE), and the steps made."""

    cell: int
    chosen: int
    steps: int


class SlipperyGrid(Game):
    """Find the best exit although the ground slips."""

    how_to_play = (
        "A walker goes from square to square until it stands on an exit, which pays what is written there. The "
        "ground is slippery: a step may slide to the left or right of where it was meant to go. Every step costs "
        "a little, and a step into a wall goes nowhere."
    )

    players = 1
    player_names = ("walker",)
    step = None
    max_actions = 4
    runtime = ("start", "neighbours", "reward", "is_exit", "to_exit", "cost", "slip", "limit")

    def __init__(self, layout: str = "classic", cost: float = 0.04, slip: float = 0.2, limit: int = 100) -> None:
        if layout not in LAYOUTS and "/" not in layout and " " not in layout:
            raise BadInput(f"layout must be {', '.join(LAYOUTS)} or a map such as '. . +1 / S . -1', not {layout!r}")
        for name, value, low, high in (("cost", cost, 0.0, 100.0), ("slip", slip, 0.0, 0.9)):
            if isinstance(value, bool) or not isinstance(value, (int, float)) or not low <= value <= high:
                raise BadInput(f"{name} must be a number from {low:g} to {high:g}, not {value!r}")
        self.layout = layout
        self.map = read_map(LAYOUTS.get(layout, layout), "slippery-grid")
        self.cost, self.slip = float(cost), float(slip)
        self.limit = whole_number("limit", limit, 1, 100_000)
        words = self.map.words
        if words.count(START) != 1:
            raise BadInput(f"slippery-grid: a map has one start, S; this one has {words.count(START)}")
        self.start = words.index(START)
        self.neighbours = self.map.neighbours
        self.is_exit = np.array([_is_number(word) for word in words], np.int64)  # [cells]
        self.reward = np.array([float(word) if _is_number(word) else 0.0 for word in words])  # [cells]
        if unknown := [word for word in words if word not in (START, WALL, FREE) and not _is_number(word)]:
            raise BadInput(
                f"slippery-grid: {unknown[0]!r} means nothing on a map; there are . # S and numbers for exits"
            )
        if not self.is_exit.any():
            raise BadInput("slippery-grid: a map needs an exit, a number such as +1")
        exits = np.flatnonzero(self.is_exit)
        steps = self.map.distances()[:, exits]
        self.to_exit = (self.reward[exits] - self.cost * np.minimum(steps, self.limit)).max(1)  # [cells] at best
        low = min(0.0, float(self.reward.min())) - self.cost * self.limit
        self.utility_range = (low - 1e-9, max(0.0, float(self.reward.max())) + 1e-9)

    # -- rules -------------------------------------------------------------------------------------

    def initial(self) -> Walk:
        return Walk(self.start, CHOOSE, 0)

    def to_move(self, state: Walk) -> int:
        return 0 if state.chosen == CHOOSE else CHANCE

    def chance(self, state: Walk) -> Iterator[tuple[int, float]]:
        """The direction in which the step goes."""
        yield state.chosen, 1 - self.slip
        if self.slip > 0:
            yield (state.chosen + 3) % 4, self.slip / 2
            yield (state.chosen + 1) % 4, self.slip / 2

    def actions(self, state: Walk) -> Iterator[int]:
        for direction in range(4):
            yield direction

    def result(self, state: Walk, action: int) -> Walk:
        if state.chosen == CHOOSE:
            return Walk(state.cell, action, state.steps)
        return Walk(self.neighbours[4 * state.cell + action], CHOOSE, state.steps + 1)

    def is_terminal(self, state: Walk) -> bool:
        return self.is_exit[state.cell] != 0 or (state.steps >= self.limit and state.chosen == CHOOSE)

    def utility(self, state: Walk, player: int) -> float:
        return self.reward[state.cell] - self.cost * state.steps  # type: ignore[no-any-return]

    def evaluate(self, state: Walk, player: int) -> float:
        """What the best exit would pay if nothing slipped any more."""
        if self.is_terminal(state):
            return self.utility(state, player)
        ahead: float = max(self.to_exit[state.cell], 0.0 - self.cost * (self.limit - state.steps))
        return ahead - self.cost * state.steps

    # -- notation ----------------------------------------------------------------------------------

    def format_action(self, state: Any, action: int) -> str:
        """A direction; at a chance node the one in which the step goes."""
        return DIRECTIONS[int(action)]

    def parse_action(self, state: Any, text: str) -> int:
        return legal_action(self, state, DIRECTION_WORDS.get(text.strip().lower()), text)

    def format_state(self, state: Any) -> str:
        """The cell, the steps made, and the direction chosen while the ground decides: `b1 3 north`."""
        chosen = "" if state.chosen == CHOOSE else f" {DIRECTIONS[int(state.chosen)]}"
        return f"{self.map.name(state.cell)} {int(state.steps)}{chosen}"

    def parse_state(self, text: str) -> Any:
        words = text.lower().split()
        cell = self.map.cell(words[0]) if words else None
        chosen = DIRECTION_WORDS.get(words[2]) if len(words) == 3 else CHOOSE
        steps = (
            int(words[1]) if len(words) > 1 and re.fullmatch("[0-9]{1,6}", words[1]) else 0 if len(words) == 1 else -1
        )
        if cell is None or chosen is None or len(words) > 3 or not 0 <= steps <= self.limit:
            start = self.format_state(self.start_state)
            raise BadInput(
                f"{text!r} is not a state of {self.name}: write a free cell and the steps made, such as {start!r}"
            )
        return self.checked(Walk(cell, chosen, steps))

    def check_state(self, state: Any) -> str:
        if not self.map.is_free(state.cell):
            return "the walker stands nowhere on the map"
        if not CHOOSE <= state.chosen <= 3 or not 0 <= state.steps <= self.limit:
            return f"a direction is {CHOOSE} (none yet) to 3, and the steps made 0 to {self.limit}"
        if state.chosen != CHOOSE and (self.is_exit[state.cell] or state.steps == self.limit):
            return "the walk is over there"
        return ""

    # -- picture -----------------------------------------------------------------------------------

    def picture(self, state: Any, last: int | None = None) -> Picture:
        looks = []
        for cell, word in enumerate(self.map.words):
            exits = "good" if self.reward[cell] > 0 else "bad"
            looks.append(Cell(word if self.is_exit[cell] else "", exits if self.is_exit[cell] else _look(word)))
        if self.is_terminal(state):
            caption = f"the end after {int(state.steps)} steps: {self.utility(state, 0):.4g}"
        elif state.chosen == CHOOSE:
            caption = f"{int(state.steps)} steps made"
        else:
            caption = f"stepping {DIRECTIONS[int(state.chosen)]}"
        return cells(looks, self.map.columns, pawns={int(state.cell): [(0, "@")]}, caption=caption)


def _is_number(word: str) -> bool:
    return re.fullmatch(r"[+-]?[0-9]{1,6}(\.[0-9]{1,6})?", word) is not None


def _look(word: str) -> str:
    return "wall" if word == WALL else "empty"
