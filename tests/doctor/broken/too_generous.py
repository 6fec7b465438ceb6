"""sum_bound says 2, but the winner gets 2 and the next player 1."""

from typing import NamedTuple

from plywright import Game


class Heap(NamedTuple):
    stones: int
    turn: int


class Broken(Game):
    players = 3
    utility_range = (-1, 2)
    sum_bound = 2

    def initial(self):
        return Heap(7, 0)

    def to_move(self, state):
        return state.turn

    def actions(self, state):
        for take in range(1, min(3, state.stones) + 1):
            yield take

    def result(self, state, action):
        return Heap(state.stones - action, (state.turn + 1) % 3)

    def utility(self, state, player):
        return (2, 1, 0)[(player - state.turn + 1) % 3]
