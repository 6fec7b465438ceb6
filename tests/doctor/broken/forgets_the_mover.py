"""index() gives two positions one number that differ in who is to move, and are not worth the same."""

from typing import NamedTuple

from plywright import Game, Knowledge


class Race(NamedTuple):
    total: int
    turn: int


class BrokenKnowledge(Knowledge):
    tables = ("all",)

    def index(self, state):
        return 9 - state.total

    def unindex(self, number):
        return Race(9 - number, 0)

    def for_tables(self, which):
        return self, [("all", 10)]


class Broken(Game):
    """Only the first player wins by reaching ten: the second wants to jump over it."""

    knowledge = BrokenKnowledge

    def initial(self):
        return Race(0, 0)

    def to_move(self, state):
        return state.turn

    def actions(self, state):
        for step in range(1, 4):
            yield step

    def result(self, state, action):
        return Race(state.total + action, 1 - state.turn)

    def is_terminal(self, state):
        return state.total >= 10

    def utility(self, state, player):
        return 1 if (state.total == 10) == (player == 0) else -1
