"""evaluate_from() remembers the first state for ever."""

from typing import NamedTuple

from plywright import Game, Knowledge


class Race(NamedTuple):
    total: int
    turn: int


class BrokenKnowledge(Knowledge):
    def evaluate(self, state, player):
        return 0.01 * state.total if player == state.turn else -0.01 * state.total

    def evaluate_from(self, state, player, structure, memory):
        if memory[0] == 0:
            memory[0], memory[1] = 1, state.total
        return 0.01 * memory[1] if player == state.turn else -0.01 * memory[1]


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
