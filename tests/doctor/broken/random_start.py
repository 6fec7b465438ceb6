"""initial() deals at random."""

import random

from plywright import Game


class Broken(Game):
    def initial(self):
        return random.randrange(5)

    def to_move(self, state):
        return state % 2

    def actions(self, state):
        yield 1
        yield 2

    def result(self, state, action):
        return state + action

    def is_terminal(self, state):
        return state >= 9

    def utility(self, state, player):
        return 0
