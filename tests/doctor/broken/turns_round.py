"""canonical() turns the row round instead of choosing one of the two states: it never comes to rest."""

from typing import NamedTuple

from plywright import Game


class Row(NamedTuple):
    first: int
    second: int
    moves: int


class Broken(Game):
    def initial(self):
        return Row(0, 0, 0)

    def to_move(self, state):
        return state.moves % 2

    def actions(self, state):
        if state.first == 0:
            yield 0
        if state.second == 0:
            yield 1

    def result(self, state, action):
        mark = state.moves % 2 + 1
        return Row(
            mark if action == 0 else state.first,
            mark if action == 1 else state.second,
            state.moves + 1,
        )

    def is_terminal(self, state):
        return state.moves == 2

    def utility(self, state, player):
        return 0

    def canonical(self, state):
        return Row(state.second, state.first, state.moves)
