"""A tuple in the state is read before its first entry."""

from typing import NamedTuple

from plywright import Game


class Race(NamedTuple):
    marks: tuple[int, int, int, int]
    turn: int


class Broken(Game):
    def initial(self):
        return Race((0, 0, 0, 0), 0)

    def to_move(self, state):
        return state.turn

    def actions(self, state):
        for cell in range(4):
            if state.marks[cell] == 0:
                yield cell

    def result(self, state, action):
        left = state.marks[action - 1]
        marks = (*state.marks[:action], 1 + 0 * left, *state.marks[action + 1 :])
        return Race(marks, 1 - state.turn)

    def is_terminal(self, state):
        return sum(state.marks) == 4

    def utility(self, state, player):
        return -1 if player == state.turn else 1
