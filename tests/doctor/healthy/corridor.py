"""One player in a corridor with a pellet: every step costs 1, the pellet is worth 10."""

from typing import NamedTuple

from plywright import Game


class Place(NamedTuple):
    cell: int
    steps: int


class Corridor(Game):
    players = 1
    utility_range = (-20, 10)

    def initial(self):
        return Place(3, 0)

    def to_move(self, state):
        return 0

    def actions(self, state):
        if state.cell > 0:
            yield 0
        if state.cell < 5:
            yield 1

    def result(self, state, action):
        return Place(state.cell + (1 if action == 1 else -1), state.steps + 1)

    def is_terminal(self, state):
        return state.cell == 1 or state.steps == 20

    def utility(self, state, player):
        return (10 if state.cell == 1 else 0) - state.steps

    def evaluate(self, state, player):
        return -0.5 - state.cell / 10

    def format_action(self, state, action):
        return "east" if action == 1 else "west"
