"""evaluate_beside() keeps the first successor's value for all of them."""

from typing import NamedTuple

from plywright import Game, Knowledge


class Race(NamedTuple):
    total: int
    turn: int


class BrokenKnowledge(Knowledge):
    def evaluate(self, state, player):
        return 0.01 * state.total if player == state.turn else -0.01 * state.total

    def evaluate_beside(self, state, player, near, inputs, sums):
        if near[0] == 0:
            near[0] = 1
            sums[0] = self.evaluate(state, player)
        return 1.0 * sums[0]


class Broken(Game):
    knowledge = BrokenKnowledge

    def initial(self):
        return Race(0, 0)

    def to_move(self, state):
        return state.turn

    def actions(self, state):
        for step in range(1, 4):
            yield step

    def result(self, state, action):
        return Race(state.total + action, 1 - state.turn)

    def is_terminal(self, state):
        return state.total >= 10

    def utility(self, state, player):
        return -1 if player == state.turn else 1
