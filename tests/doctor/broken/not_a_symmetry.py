"""canonical() takes a mirror for a symmetry of the rules, but the two ends of the row do not pay alike."""

from typing import NamedTuple

from plywright import Game


class Row(NamedTuple):
    first: int
    second: int
    third: int
    moves: int


class Broken(Game):
    def initial(self):
        return Row(0, 0, 0, 0)

    def to_move(self, state):
        return state.moves % 2

    def actions(self, state):
        if state.first == 0:
            yield 0
        if state.second == 0:
            yield 1
        if state.third == 0:
            yield 2

    def result(self, state, action):
        mark = state.moves % 2 + 1
        return Row(
            mark if action == 0 else state.first,
            mark if action == 1 else state.second,
            mark if action == 2 else state.third,
            state.moves + 1,
        )

    def is_terminal(self, state):
        return state.moves == 3

    def utility(self, state, player):
        owner = state.first - 1
        return 1 if player == owner else -1

    def canonical(self, state):
        if state.third < state.first:
            return Row(state.third, state.second, state.first, state.moves)
        return state
