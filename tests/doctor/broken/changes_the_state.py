"""result() writes into a list inside the state it was given."""

from typing import NamedTuple

from plywright import Game


class Race(NamedTuple):
    cells: list
    turn: int


class Broken(Game):
    def initial(self):
        return Race([0] * 6, 0)

    def to_move(self, state):
        return state.turn

    def actions(self, state):
        for cell in range(6):
            if state.cells[cell] == 0:
                yield cell

    def result(self, state, action):
        state.cells[action] = 1
        return Race(state.cells, 1 - state.turn)

    def is_terminal(self, state):
        return all(state.cells)

    def utility(self, state, player):
        return -1 if player == state.turn else 1
