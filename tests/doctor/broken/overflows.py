"""A product on the way outgrows 64 bits: Python keeps it, native code wraps."""

from typing import NamedTuple

from plywright import Game


class Race(NamedTuple):
    total: int
    turn: int
    mix: int


class Broken(Game):
    def initial(self):
        return Race(0, 0, 12345)

    def to_move(self, state):
        return state.turn

    def actions(self, state):
        for step in range(1, 4):
            yield step

    def result(self, state, action):
        mix = (state.mix * 6364136223846793005 + action) % 1000003
        return Race(state.total + action, 1 - state.turn, mix)

    def is_terminal(self, state):
        return state.total >= 10

    def utility(self, state, player):
        return -1 if player == state.turn else 1
