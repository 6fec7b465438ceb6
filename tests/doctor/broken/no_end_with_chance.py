"""Without is_terminal() every chance state, having no actions, would look finished."""

from plywright import CHANCE, Game


class Broken(Game):
    def initial(self):
        return 0

    def to_move(self, state):
        return CHANCE if state % 2 == 0 else 0

    def chance(self, state):
        yield 1, 1.0

    def actions(self, state):
        if state % 2 == 1 and state < 9:
            yield 1

    def result(self, state, action):
        return state + action

    def utility(self, state, player):
        return 0
