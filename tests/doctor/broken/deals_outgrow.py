"""deal() computes with a number that outgrows 64 bits: as native code it deals a card that there is not."""

from typing import NamedTuple

from plywright import CHANCE, Game
from plywright.rng import below


class Guess(NamedTuple):
    card: int
    said: int


class Broken(Game):
    players = 1
    utility_range = (0, 1)

    def initial(self):
        return Guess(-1, -1)

    def to_move(self, state):
        return CHANCE if state.card < 0 else 0

    def chance(self, state):
        yield 0, 0.5
        yield 1, 0.5

    def actions(self, state):
        if state.card >= 0:
            yield 0
            yield 1

    def result(self, state, action):
        return Guess(action, -1) if state.card < 0 else Guess(state.card, action)

    def is_terminal(self, state):
        return state.said >= 0

    def utility(self, state, player):
        return 1 if state.card == state.said else 0

    def observation(self, state, player):
        return Guess(min(state.card, 0), state.said)

    def deal(self, observation, player, rng):
        return Guess((below(rng, 1000) + 7) ** 30 % 3, observation.said)
