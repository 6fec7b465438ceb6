"""The past of a game, for rules of repetition: how often each state has occurred so far.

    past = Past(game, states)           # the states before the present one, first to last
    past.is_over(state)                 # by the rules, or drawn because the state is repeated
    past.actions(state)                 # the actions that may be played, those that repeat too often left out
    past.add(state)                     # before the next move

A state itself has no past, so whoever conducts a game carries one: the referee, `play`, and a search
that is given `history`. Games without the fact `repetition` cost nothing.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from .bits import signed
from .game import Game

REMEMBERED = 1 << 13
"""How many states a game remembers the keys of."""


class Past:
    """The states of one game before the present one, as keys with how often each occurred."""

    def __init__(self, game: Game, states: Iterable[Any] = ()) -> None:
        self.game = game
        self.counts: dict[int, int] = {}
        for state in states:
            self.add(state)

    def add(self, state: Any) -> None:
        """The state has occurred once more."""
        if self.game.repeats:
            _, key = state_and_key(self.game, state)
            self.counts[key] = self.counts.get(key, 0) + 1

    def remove(self, state: Any) -> None:
        """Take an occurrence back, as `undo` does."""
        if self.game.repeats:
            self.counts[self.key(state)] -= 1

    def key(self, state: Any) -> int:
        return signed(self.game.repetition_key(self.game.coerce_state(state)))

    def occurrence(self, state: Any) -> int:
        """Which occurrence of the state its coming about now is: 1 for the first."""
        return 1 + self.counts.get(self.key(state), 0) if self.counts else 1

    def drawn_keys(self) -> set[int]:
        """The keys of the states that are drawn if they come about once more.

        Of a past nothing else decides what a search finds: who can win need not repeat anything.
        """
        draws = self.game.repetition_draws
        return {key for key, count in self.counts.items() if draws and count >= draws - 1}

    def is_drawn(self, state: Any) -> bool:
        """Whether the game ends in a draw here: the state occurs once too often, or leaves nothing to do."""
        game = self.game
        if game.repetition_draws:
            return self.occurrence(state) >= game.repetition_draws
        if not game.repetition_forbids or game.is_terminal(state) or game.at_chance(state):
            return False
        return not self.actions(state)

    def is_over(self, state: Any) -> bool:
        """Whether the game is over: by its rules or by repetition."""
        return bool(self.game.is_terminal(state)) or self.is_drawn(state)

    def actions(self, state: Any) -> list[int]:
        """The legal actions of an unfinished state, in the order of the rules."""
        game = self.game
        found = [int(action) for action in game.actions(state)]
        if not game.repetition_forbids:
            return found
        here = self.key(state)
        return [action for action in found if not self._forbids(here, game.result(state, action))]

    def allows(self, state: Any, action: int) -> bool:
        """Whether one action may be played: the others are not tried, as `actions` must."""
        game = self.game
        if action not in map(int, game.actions(state)):
            return False
        return not game.repetition_forbids or not self._forbids(self.key(state), game.result(state, action))

    def _forbids(self, here: int, after: Any) -> bool:
        """Whether a state that comes about after the one with the key `here` has been there too often."""
        key = self.key(after)
        return self.counts.get(key, 0) + (key == here) >= self.game.repetition_forbids - 1

    def utility(self, state: Any, player: int) -> float:
        """The utility of a game that is over: 0 where repetition ended it."""
        return float(self.game.utility(state, player)) if self.game.is_terminal(state) else 0.0


def state_and_key(game: Game, state: Any) -> tuple[Any, int]:
    """A past state in its canonical type, and its key.

    Each search of a game is given the same past again, so the game remembers both by the very object, which must be
    of tuples and numbers alone: nothing else is sure to stay as it is.
    """
    memory: dict[int, tuple[Any, Any, int]] = game.__dict__.setdefault("_past_keys", {})
    if (known := memory.get(id(state))) is not None:
        return known[1], known[2]
    whole = game.coerce_state(state)
    key = signed(game.repetition_key(whole))
    if is_unchanging(state):
        if len(memory) >= REMEMBERED:
            memory.clear()
        for one in (state, whole):  # which the entry keeps alive, so that no other object gets its id
            memory[id(one)] = one, whole, key
    return whole, key


def is_unchanging(state: Any) -> bool:
    """Whether a state is made of tuples and numbers alone."""
    if isinstance(state, tuple):
        return all(map(is_unchanging, state))
    return isinstance(state, (int, float, np.generic))
