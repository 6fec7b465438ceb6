"""structure_key() leaves out what structure() depends on."""

from typing import NamedTuple

from plywright import Game, Knowledge


class Race(NamedTuple):
    total: int
    turn: int


class BrokenKnowledge(Knowledge):
    def evaluate(self, state, player):
        return 0.01 * state.total if player == state.turn else -0.01 * state.total

    def structure_key(self, state):
        return state.turn

    def structure(self, state):
        return state.total

    def evaluate_with(self, state, player, structure):
        return 0.01 * structure if player == state.turn else -0.01 * structure


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
