"""is_terminal() is misspelt, so nothing ever ends."""

from plywright import Game


class Broken(Game):
    def initial(self):
        return 0

    def to_move(self, state):
        return state % 2

    def actions(self, state):
        yield 1

    def result(self, state, action):
        return (state + action) % 10

    def is_terminl(self, state):
        return state == 9

    def utility(self, state, player):
        return 0
