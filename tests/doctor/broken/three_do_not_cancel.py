"""zero_sum is declared, but the winner gets 1 and the others lose 1 each."""

from typing import NamedTuple

from plywright import Game


class Heap(NamedTuple):
    stones: int
    turn: int


class Broken(Game):
    players = 3
    utility_range = (-1, 2)
    zero_sum = True

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
        return 1 if player == (state.turn + 2) % 3 else -1
