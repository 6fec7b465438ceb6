"""One of the probabilities is below 0, though they sum to 1."""

from typing import NamedTuple

from plywright import CHANCE, Game


class Table(NamedTuple):
    roll: int
    total: int
    turn: int


class Broken(Game):
    def initial(self):
        return Table(0, 0, 0)

    def to_move(self, state):
        return CHANCE if state.roll == 0 else state.turn

    def chance(self, state):
        yield 1, 1.5
        yield 2, -0.5

    def actions(self, state):
        if state.roll > 0:
            yield 0
            yield state.roll

    def result(self, state, action):
        if state.roll == 0:
            return Table(action, state.total, state.turn)
        return Table(0, state.total + action + 1, 1 - state.turn)

    def is_terminal(self, state):
        return state.total >= 6

    def utility(self, state, player):
        return -1 if player == state.turn else 1
