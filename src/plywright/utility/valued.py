"""A game seen through a utility function: the plug-in for any search.

    search(Valued(game, utility_function("log")), ...)

What the game pays at its end is put through the function; everything else is the game's own. For two
teams whose utilities cancel, the function is MAX's, and MIN gets the opposite. Evaluations of unfinished
states go through it too, so that a search to a limited depth compares like with like.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..errors import BadInput
from ..game import Game
from ..wrapped import Wrapped
from .lottery import valued


class Valued(Wrapped):
    """Another game whose payments are valued by a function; interpreted, since the function is any callable."""

    def __init__(self, game: Game, utility: Callable[[Any], Any]) -> None:
        if not isinstance(game, Game):
            raise BadInput(f"a game is needed, such as load_game('nim'), not {game!r}")
        if not callable(utility):
            raise BadInput(f"a utility function is something to call with an amount, not {utility!r}")
        super().__init__(game)
        self.valuation = utility
        self.sum_bound = None  # of other amounts
        self.step = None
        low, high = (_or_none(utility, end) for end in game.utility_range)
        if low is not None and high is not None and low < high:
            self.utility_range = (
                (low, high) if game.players == 1 else (-max(abs(low), abs(high)), max(abs(low), abs(high)))
            )

    @property
    def has_chance(self) -> bool:
        return self.game.has_chance

    def chance(self, state: Any) -> Any:
        return self.game.chance(state)

    def utility(self, state: Any, player: int) -> float:
        return self._valued(self.game.utility, state, player)

    def evaluate(self, state: Any, player: int) -> float:
        return self._valued(self.inner.evaluate, state, player) if self.inner.evaluates else self.neutral_value

    def observation(self, state: Any, player: int) -> Any:
        return self.game.observation(state, player)

    def _valued(self, rule: Callable[[Any, int], float], state: Any, player: int) -> float:
        """From MAX's perspective for two opposed teams, from the player's own otherwise."""
        if self.game.opposed and self.game.team_of[player] != self.game.team_of[0]:
            return -float(valued(self.valuation, float(rule(state, 0))))
        return float(valued(self.valuation, float(rule(state, player))))


def _or_none(utility: Callable[[Any], Any], value: float) -> float | None:
    """The utility of an end of the range, where the function has one."""
    try:
        return float(valued(utility, value))
    except BadInput:
        return None
