"""Both players are on one team, but only the last to take is paid."""

from typing import NamedTuple

from plywright import Game


class Heap(NamedTuple):
    stones: int
    turn: int


class Broken(Game):
    players = 2
    utility_range = (-1, 2)
    teams = (0, 0)

    def initial(self):
        return Heap(7, 0)

    def to_move(self, state):
        return state.turn

    def actions(self, state):
        for take in range(1, min(3, state.stones) + 1):
            yield take

    def result(self, state, action):
        return Heap(state.stones - action, (state.turn + 1) % 2)

    def utility(self, state, player):
        return 2 if player == 1 - state.turn else 0
