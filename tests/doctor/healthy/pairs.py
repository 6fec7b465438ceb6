"""Two pairs of partners add to a total on a 64-bit board, with an evaluation and a table as run-time data."""

from typing import NamedTuple

import numpy as np

from plywright import Game

FULL = np.uint64(sum(1 << cell * 9 for cell in range(8)))


class Board(NamedTuple):
    marks: np.uint64
    turn: int
    score: int


class Pairs(Game):
    players = 4
    teams = (0, 1, 0, 1)
    utility_range = (-40, 40)
    runtime = ("worth",)

    def __init__(self):
        self.worth = np.array([3, 1, 4, 1, 5, 9, 2, 6], np.int64)

    def initial(self):
        return Board(np.uint64(0), 0, 0)

    def to_move(self, state):
        return state.turn

    def actions(self, state):
        for cell in range(8):
            if (state.marks >> np.uint64(cell * 9)) & np.uint64(1) == np.uint64(0):
                yield cell

    def result(self, state, action):
        gain = self.worth[action] if state.turn % 2 == 0 else -self.worth[action]
        marks = state.marks | np.uint64(1) << np.uint64(action * 9)
        return Board(marks, (state.turn + 1) % 4, state.score + gain)

    def is_terminal(self, state):
        return state.marks == FULL

    def utility(self, state, player):
        return state.score if player % 2 == 0 else -state.score

    def evaluate(self, state, player):
        return 0.5 * state.score if player % 2 == 0 else -0.5 * state.score
