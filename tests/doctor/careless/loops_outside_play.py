"""Loops for ever in a state that nobody plays to, and has no check_state() of its own."""

from typing import NamedTuple

from plywright import Game

BONUS = (0, 1, 0, 1, 0, 1, 0, 1, 0, 1)


class Race(NamedTuple):
    total: int
    turn: int


class Broken(Game):
    def initial(self):
        return Race(0, 0)

    def to_move(self, state):
        return state.turn

    def actions(self, state):
        while state.total < 0:
            pass
        for step in range(1, 4):
            yield step

    def result(self, state, action):
        return Race(state.total + action + BONUS[state.total], 1 - state.turn)

    def is_terminal(self, state):
        return state.total >= 10

    def utility(self, state, player):
        return -1 if player == state.turn else 1
