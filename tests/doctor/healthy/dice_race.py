"""A race with a die of three faces: chance moves, then the player takes the roll or half of it."""

from typing import NamedTuple

from plywright import CHANCE, Game


class Track(NamedTuple):
    first: int
    second: int
    turn: int
    roll: int


class DiceRace(Game):
    goal = 6

    def initial(self):
        return Track(0, 0, 0, 0)

    def to_move(self, state):
        return state.turn if state.roll > 0 else CHANCE

    def chance(self, state):
        for face in range(1, 4):
            yield face, 1 / 3

    def actions(self, state):
        if state.roll > 0:
            yield (state.roll + 1) // 2
            if state.roll > 1:
                yield state.roll

    def result(self, state, action):
        if state.roll == 0:
            return Track(state.first, state.second, state.turn, action)
        if state.turn == 0:
            return Track(state.first + action, state.second, 1, 0)
        return Track(state.first, state.second + action, 0, 0)

    def is_terminal(self, state):
        return state.first >= self.goal or state.second >= self.goal

    def utility(self, state, player):
        won = 1 if state.first >= self.goal else -1
        return won if player == 0 else -won
