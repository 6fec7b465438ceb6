"""The table fails at a finished game that almost never comes."""

from typing import NamedTuple

import numpy as np

from plywright import Game


class Race(NamedTuple):
    total: int
    turn: int
    ones: int


class Broken(Game):
    def __init__(self):
        self.prizes = np.array([1, 1, 1, 1, 1, 1, 1, 1, 1, 1], np.int64)

    def initial(self):
        return Race(0, 0, 0)

    def to_move(self, state):
        return state.turn

    def actions(self, state):
        for step in range(1, 4):
            yield step

    def result(self, state, action):
        return Race(state.total + action, 1 - state.turn, state.ones + (action == 1))

    def is_terminal(self, state):
        return state.total >= 10

    def utility(self, state, player):
        prize = self.prizes[state.ones]
        return -prize if player == state.turn else prize
