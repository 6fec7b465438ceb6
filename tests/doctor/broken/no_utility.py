"""A class that lacks two rules."""

from plywright import Game


class Broken(Game):
    def initial(self):
        return 0

    def to_move(self, state):
        return 0

    def actions(self, state):
        yield 1
