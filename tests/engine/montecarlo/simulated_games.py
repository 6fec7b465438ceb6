"""Small games for the tests of searches: dice, three players, a game without an end."""

from __future__ import annotations

from typing import Any, NamedTuple

from plywright import CHANCE, Game
from plywright.rng import below


class Three(Game):
    """A, B and C choose left or right in turn: a state is the number of a node in level order."""

    players = 3
    utility_range = (0, 10)
    payoff = ((1, 2, 6), (4, 2, 3), (6, 1, 2), (7, 4, 1), (5, 1, 1), (1, 5, 2), (7, 7, 1), (5, 4, 5))

    def initial(self) -> int:
        return 1

    def to_move(self, state: int) -> int:
        return 0 if state < 2 else 1 if state < 4 else 2

    def actions(self, state: int) -> Any:
        if state < 8:
            yield 0
            yield 1

    def result(self, state: int, action: int) -> int:
        return 2 * state + action

    def is_terminal(self, state: int) -> bool:
        return state >= 8

    def utility(self, state: int, player: int) -> float:
        return self.payoff[state - 8][player]


class Track(NamedTuple):
    mine: int
    theirs: int
    turn: int
    roll: int


class Dice(Game):
    """Go as far as the die says, or one step; who passes the goal first wins by how far ahead he is."""

    utility_range = (-8, 8)
    step = None

    def __init__(self, goal: int = 4) -> None:
        self.goal = goal

    def initial(self) -> Track:
        return Track(0, 0, 0, 0)

    def to_move(self, state: Track) -> int:
        return state.turn if state.roll > 0 else CHANCE

    def actions(self, state: Track) -> Any:
        if state.roll > 0:
            yield 1
            if state.roll > 1:
                yield 0

    def result(self, state: Track, action: int) -> Track:
        if state.roll == 0:
            return Track(state.mine, state.theirs, state.turn, action)
        ahead = state.roll if action == 1 else 1
        if state.turn == 0:
            return Track(state.mine + ahead, state.theirs, 1, 0)
        return Track(state.mine, state.theirs + ahead, 0, 0)

    def is_terminal(self, state: Track) -> bool:
        return state.mine >= self.goal or state.theirs >= self.goal

    def utility(self, state: Track, player: int) -> float:
        gap = state.mine - state.theirs
        return gap if player == 0 else -gap


class Race(Dice):
    """The race by a game that lists its outcomes."""

    def chance(self, state: Track) -> Any:
        yield 1, 0.5
        yield 2, 0.3
        yield 3, 0.2


class DrawnRace(Dice):
    """The race by a game that can only draw them."""

    def sample(self, state: Track, rng: Any) -> int:
        tenth = below(rng, 10)
        return 1 if tenth < 5 else 2 if tenth < 8 else 3


class Endless(Game):
    """Two players walk in a circle and never end."""

    utility_range = (-1, 3)
    zero_sum = False

    def initial(self) -> int:
        return 0

    def to_move(self, state: int) -> int:
        return state & 1

    def actions(self, state: int) -> Any:
        yield 0

    def result(self, state: int, action: int) -> int:
        return (state + 1) % 4

    def is_terminal(self, state: int) -> bool:
        return False

    def utility(self, state: int, player: int) -> float:
        return 0


class Circle(Game):
    """A walk 0 -> 1 -> 0 ... that may not come round again, with a way out from 0: to 2, where the second player wins.

    With `dice` chance sends the walker on from 1: back to 0, or to 3, where the first player wins.
    """

    repetition = ("forbidden", 2)

    def initial(self) -> int:
        return 0

    def to_move(self, state: int) -> int:
        return state % 2

    def actions(self, state: int) -> Any:
        if state == 0:
            yield 1
            yield 2
        elif state == 1:
            yield 0

    def result(self, state: int, action: int) -> int:
        return action

    def is_terminal(self, state: int) -> bool:
        return state >= 2

    def utility(self, state: int, player: int) -> float:
        return 1 if (state == 3) == (player == 0) else -1


class DiceCircle(Circle):
    def to_move(self, state: int) -> int:
        return CHANCE if state == 1 else 0

    def chance(self, state: int) -> Any:
        yield 0, 0.5
        yield 3, 0.5
