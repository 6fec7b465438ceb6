"""What the first player sees contains the second's card."""

from typing import NamedTuple

from plywright import CHANCE, Game
from plywright.rng import below


class Table(NamedTuple):
    first: int
    second: int
    acts: int


class Broken(Game):
    perfect_recall = True

    def initial(self):
        return Table(0, 0, 1)

    def to_move(self, state):
        if state.second == 0:
            return CHANCE
        return 0 if state.acts < 2 else 1

    def chance(self, state):
        left = 3 if state.first == 0 else 2
        for card in range(1, 4):
            if card != state.first:
                yield card, 1 / left

    def actions(self, state):
        if state.second and state.acts < 4:
            yield 0
            yield 1

    def result(self, state, action):
        if state.first == 0:
            return state._replace(first=action)
        if state.second == 0:
            return state._replace(second=action)
        return state._replace(acts=2 * state.acts + action)

    def is_terminal(self, state):
        return state.acts >= 4

    def utility(self, state, player):
        win = 1 if state.first > state.second else -1
        return win if player == 0 else -win

    def observation(self, state, player):
        return state if player == 0 else state._replace(first=0)

    def deal(self, observation, player, rng):
        mine = observation.first + observation.second
        card = 1 + below(rng, 2)
        card += 1 if card >= mine else 0
        return observation._replace(second=card) if player == 0 else observation._replace(first=card)

    def deals(self, observation, player):
        mine = observation.first + observation.second
        for card in range(1, 4):
            if card != mine:
                yield observation._replace(second=card) if player == 0 else observation._replace(first=card), 0.5
