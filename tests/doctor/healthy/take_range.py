"""A game whose actions are a range."""

from typing import NamedTuple

from plywright import Game


class Heap(NamedTuple):
    stones: int
    player: int


class TakeRange(Game):
    max_actions = 4

    def initial(self):
        return Heap(10, 0)

    def to_move(self, state):
        return state.player

    def actions(self, state):
        return range(1, min(3, state.stones) + 1)

    def result(self, state, action):
        return Heap(state.stones - action, 1 - state.player)

    def is_terminal(self, state):
        return state.stones == 0

    def utility(self, state, player):
        return -1 if player == state.player else 1
