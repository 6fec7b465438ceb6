"""The state is a list, which cannot be a key."""

from typing import NamedTuple

from plywright import Game


class Race(NamedTuple):
    total: int
    turn: int


class Broken(Game):
    def initial(self):
        return [0, 0]

    def to_move(self, state):
        return state[1]

    def actions(self, state):
        for step in range(1, 4):
            yield step

    def result(self, state, action):
        return [state[0] + action, 1 - state[1]]

    def is_terminal(self, state):
        return state[0] >= 10

    def utility(self, state, player):
        return -1 if player == state[1] else 1
