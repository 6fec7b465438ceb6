"""One line of play in a thousand pays more than utility_range allows: random play hardly meets it."""

from typing import NamedTuple

from plywright import CHANCE, Game


class Line(NamedTuple):
    ply: int
    code: int


class Broken(Game):
    players = 1
    utility_range = (0, 3)

    def initial(self):
        return Line(0, 0)

    def to_move(self, state):
        return CHANCE if state.ply == 5 else 0

    def chance(self, state):
        yield 0, 0.5
        yield 1, 0.5

    def actions(self, state):
        if state.ply != 5:
            yield 0
            yield 1

    def result(self, state, action):
        return Line(state.ply + 1, 2 * state.code + action)

    def is_terminal(self, state):
        return state.ply == 10

    def utility(self, state, player):
        return 9 if state.code == 741 else state.code % 4
