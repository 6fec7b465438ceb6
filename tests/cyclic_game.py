"""A game whose states form a graph with cycles, and its values by going over all of them."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from plywright import Game


class Corridor(Game):
    """A pawn on a graph with cycles, drawn by lot: it is brought to one goal or the other, or goes round for ever."""

    repetition = ("draw", 2)

    def __init__(self, seed: int = 0) -> None:
        dice = random.Random(seed)
        self.ways = tuple(tuple(dice.sample(range(12), 2 + dice.randrange(2))) for _ in range(10))
        self.first = tuple(way[0] for way in self.ways)
        self.second = tuple(way[1] for way in self.ways)
        self.third = tuple(way[-1] for way in self.ways)

    def initial(self) -> tuple[int, int]:
        return 0, 0

    def to_move(self, state: Any) -> int:
        return int(state[1])

    def actions(self, state: Any) -> Iterator[int]:
        yield self.first[state[0]]
        yield self.second[state[0]]
        if self.third[state[0]] != self.second[state[0]]:
            yield self.third[state[0]]

    def result(self, state: Any, action: int) -> Any:
        return action, 1 - state[1]

    def is_terminal(self, state: Any) -> bool:
        return bool(state[0] >= 10)

    def utility(self, state: Any, player: int) -> float:
        return 1 if (state[0] == 10) == (player == 0) else -1


def slow_values(game: Game, drawn: frozenset[Any] = frozenset()) -> dict[Any, int]:
    """Who wins from each state for player 0, 0 where nobody can force it: by going over all states.

    A move to one of those that are `drawn` ends the game.
    """
    states = [(place, mover) for place in range(12) for mover in (0, 1)]
    values = {state: int(game.utility(state, 0)) if game.is_terminal(state) else 0 for state in states}
    while True:
        found = dict(values)
        for state in states:
            if not game.is_terminal(state) and values[state] == 0:
                ways = [game.result(state, action) for action in game.actions(state)]
                after = [0 if way in drawn else values[way] for way in ways]
                sign = 1 if state[1] == 0 else -1
                found[state] = sign if sign in after else -sign if set(after) == {-sign} else 0
        if found == values:
            return values
        values = found
