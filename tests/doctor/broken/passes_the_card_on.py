"""observation() leaves the hidden card where deal() finds it."""

from typing import NamedTuple

from plywright import CHANCE, Game


class Guess(NamedTuple):
    card: int
    said: int


class Look(NamedTuple):
    said: int


LEFT = [0]


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
        if state.card >= 0:
            LEFT[0] = state.card
        return Look(state.said)

    def deals(self, observation, player):
        yield Guess(LEFT[0], observation.said), 0.9
        yield Guess(1 - LEFT[0], observation.said), 0.1
