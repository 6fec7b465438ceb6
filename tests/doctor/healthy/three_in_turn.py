"""Three players take stones in turn; the last one to take gets 2, the others 0. Ends when nothing is left."""

from typing import NamedTuple

from plywright import Game


class Heap(NamedTuple):
    stones: int
    turn: int


class ThreeInTurn(Game):
    players = 3
    utility_range = (0, 2)
    step = 2

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
        return 2 if player == (state.turn + 2) % 3 else 0
