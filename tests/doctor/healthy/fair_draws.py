"""A player and a die that can be listed and drawn: the draws agree."""

from typing import NamedTuple

from plywright import CHANCE, Game
from plywright.rng import below


class Purse(NamedTuple):
    rolls: int
    total: int
    asked: int


class FairDraws(Game):
    players = 1
    utility_range = (0, 12)

    def initial(self):
        return Purse(0, 0, 0)

    def to_move(self, state):
        return CHANCE if state.asked == 1 else 0

    def chance(self, state):
        for face in range(1, 5):
            yield face, 0.25

    def sample(self, state, rng):
        return 1 + below(rng, 4)

    def actions(self, state):
        if state.asked == 0:
            yield 0
            yield 1

    def result(self, state, action):
        if state.asked == 1:
            return Purse(state.rolls + 1, state.total + action, 0)
        return Purse(3, state.total, 0) if action == 0 else Purse(state.rolls, state.total, 1)

    def is_terminal(self, state):
        return state.rolls == 3

    def utility(self, state, player):
        return state.total

    def format_action(self, state, action):
        return str(action) if state.asked == 1 else ("stop", "roll")[action]
