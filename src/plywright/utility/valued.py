"""A game seen through a utility function: the plug-in for any search.

    search(Valued(game, utility_function("log")), ...)

What the game pays at its end is put through the function; everything else is the game's own. For two
teams whose utilities cancel, the function is MAX's, and MIN gets the opposite. Evaluations of unfinished
states go through it too, so that a search to a limited depth compares like with like.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..draw import Picture
from ..errors import BadInput
from ..game import Game
from .lottery import valued


class Valued(Game):
    """Another game whose payments are valued by a function; interpreted, since the function is any callable."""

    def __init__(self, game: Game, utility: Callable[[Any], Any]) -> None:
        if not isinstance(game, Game):
            raise BadInput(f"a game is needed, such as load_game('nim'), not {game!r}")
        if not callable(utility):
            raise BadInput(f"a utility function is something to call with an amount, not {utility!r}")
        self.game, self.valuation = game, utility
        for fact in ("players", "teams", "zero_sum", "max_actions", "player_names", "name"):
            self.__dict__[fact] = getattr(game, fact)
        self.step = None
        low, high = (_or_none(utility, end) for end in game.utility_range)
        if low is not None and high is not None and low < high:
            self.utility_range = (
                (low, high) if game.players == 1 else (-max(abs(low), abs(high)), max(abs(low), abs(high)))
            )

    @property
    def has_chance(self) -> bool:
        return self.game.has_chance

    @property
    def hidden(self) -> bool:
        return self.game.hidden

    @property
    def evaluates(self) -> bool:
        return self.game.evaluates

    def initial(self) -> Any:
        return self.game.initial()

    def to_move(self, state: Any) -> int:
        return self.game.to_move(state)

    def actions(self, state: Any) -> Any:
        return self.game.actions(state)

    def result(self, state: Any, action: int) -> Any:
        return self.game.result(state, action)

    def is_terminal(self, state: Any) -> bool:
        return self.game.is_terminal(state)

    def chance(self, state: Any) -> Any:
        return self.game.chance(state)  # type: ignore[attr-defined]

    def utility(self, state: Any, player: int) -> float:
        return self._valued(self.game.utility, state, player)

    def evaluate(self, state: Any, player: int) -> float:
        return self._valued(self.game.evaluate, state, player) if self.game.evaluates else self.neutral_value

    def observation(self, state: Any, player: int) -> Any:
        return self.game.observation(state, player)

    def format_action(self, state: Any, action: int) -> str:
        return self.game.format_action(state, action)

    def parse_action(self, state: Any, text: str) -> int:
        return self.game.parse_action(state, text)

    def split_moves(self, text: str) -> list[str]:
        return self.game.split_moves(text)

    def join_moves(self, moves: list[str]) -> str:
        return self.game.join_moves(moves)

    def format_state(self, state: Any) -> str:
        return self.game.format_state(state)

    def parse_state(self, text: str) -> Any:
        return self.game.parse_state(text)

    def picture(self, state: Any, last: int | None = None) -> Picture:
        return self.game.picture(state, last)

    def _valued(self, rule: Callable[[Any, int], float], state: Any, player: int) -> float:
        """In MAX's view for two opposed teams, in the player's own otherwise."""
        if self.game.opposed and self.game.team_of[player] != self.game.team_of[0]:
            return -float(valued(self.valuation, float(rule(state, 0))))
        return float(valued(self.valuation, float(rule(state, player))))


def _or_none(utility: Callable[[Any], Any], value: float) -> float | None:
    """The utility of an end of the range, where the function has one."""
    try:
        return float(valued(utility, value))
    except BadInput:
        return None
