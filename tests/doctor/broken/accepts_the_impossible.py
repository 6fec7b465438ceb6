"""check_state() looks at the mover and forgets the table that the total is looked up in."""

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
        for step in range(1, 4):
            yield step

    def result(self, state, action):
        return Race(state.total + action + BONUS[state.total], 1 - state.turn)

    def is_terminal(self, state):
        return 10 <= state.total < 1000

    def utility(self, state, player):
        return -1 if player == state.turn else 1

    def check_state(self, state):
        return "" if state.turn in (0, 1) else "the turn is 0 or 1"
