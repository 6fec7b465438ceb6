"""cells() gives one cell less towards the end."""

from typing import NamedTuple

from plywright import Game, Knowledge


class Race(NamedTuple):
    total: int
    turn: int


class BrokenKnowledge(Knowledge):
    def cells(self, state):
        return (1, 2, 3) if state.total < 6 else (1, 2)


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
