"""The probability is worked out with a number that outgrows 64 bits."""

from typing import NamedTuple

from plywright import CHANCE, Game


class Table(NamedTuple):
    roll: int
    total: int
    turn: int


class Broken(Game):
    def initial(self):
        return Table(0, 0, 0)

    def to_move(self, state):
        return CHANCE if state.roll == 0 else state.turn

    def chance(self, state):
        share = ((state.total + 3) * 6364136223846793005 * 3) // 7 % 2
        yield 1, 0.25 + 0.5 * share
        yield 2, 0.75 - 0.5 * share

    def actions(self, state):
        if state.roll > 0:
            yield 0
            yield state.roll

    def result(self, state, action):
        if state.roll == 0:
            return Table(action, state.total, state.turn)
        return Table(0, state.total + action + 1, 1 - state.turn)

    def is_terminal(self, state):
        return state.total >= 6

    def utility(self, state, player):
        return -1 if player == state.turn else 1
