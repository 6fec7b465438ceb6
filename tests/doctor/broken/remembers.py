"""The end keeps a memory of its answers in a global: after the first time nothing changes any more."""

from plywright import Game

known = {}


class Broken(Game):
    def initial(self):
        return 0

    def to_move(self, state):
        return state % 2

    def actions(self, state):
        yield 1
        yield 2

    def result(self, state, action):
        return state + action

    def is_terminal(self, state):
        if state not in known:
            known[state] = state >= 9
        return known[state]

    def utility(self, state, player):
        return 0
