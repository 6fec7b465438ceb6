"""repetition_key() forgets who is to move."""

from typing import NamedTuple

from plywright import Game


class Ring(NamedTuple):
    place: int
    turn: int
    moves: int


class Broken(Game):
    repetition = ("draw", 3)

    def initial(self):
        return Ring(0, 0, 0)

    def to_move(self, state):
        return state.turn

    def actions(self, state):
        for step in range(1, 3):
            yield step

    def result(self, state, action):
        return Ring((state.place + action) % 5, 1 - state.turn, state.moves + 1)

    def is_terminal(self, state):
        return state.moves >= 12

    def utility(self, state, player):
        return 0

    def repetition_key(self, state):
        return state.place
