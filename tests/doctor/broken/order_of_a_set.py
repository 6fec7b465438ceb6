"""actions() follows the order of a set of texts, which differs from one process to the next."""

from plywright import Game

NAMES = ("ann", "bob", "cat", "dan", "eve", "fay", "gus")


class Broken(Game):
    def initial(self):
        return 0

    def to_move(self, state):
        return state.bit_count() % 2

    def actions(self, state):
        for name in set(NAMES):
            if not state >> NAMES.index(name) & 1:
                yield NAMES.index(name)

    def result(self, state, action):
        return state | 1 << action

    def is_terminal(self, state):
        return state == 127

    def utility(self, state, player):
        return 0
