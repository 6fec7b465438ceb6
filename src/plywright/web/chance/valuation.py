"""What states are worth to one player, whoever is to move, by a search of a given depth."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from ...engine.api import search
from ...errors import BadInput, Unsuitable
from ...game import Game
from ...knowledge import knowledge_of
from ...result import SearchResult
from ...utility import Table, UtilityFunction, utility_function
from ...utility.lottery import valued

SMALL_TABLE = 4.0
"""Megabytes for the searches of single nodes."""
NEUTRAL = "linear"


class Valuation:
    """Values of states from the perspective of `hero`: a player of the game, whose utility function it may be.

    Depth counts moves of players, as in `search`: chance costs none, and at depth 0 a state is evaluated.
    """

    def __init__(self, game: Game, hero: int, utility: str = NEUTRAL) -> None:
        self.game, self.hero = game, hero
        self.known: dict[tuple[Any, int], tuple[int | None, float]] = {}
        self.function = None if utility == NEUTRAL else curve(utility)
        if self.function is not None and not self.two_sides:
            raise Unsuitable(
                f"a utility function is weighed for one side against at most one other, and {game.name} has more: "
                "leave the attitude to risk neutral"
            )

    @property
    def two_sides(self) -> bool:
        """Whether what one side gains the other loses, or there is no other."""
        return self.game.opposed or len(set(self.game.team_of)) == 1

    def search(self, state: Any, depth: int, **options: Any) -> SearchResult:
        """A search of the state; with a utility function by the searching side's own."""
        if self.function is not None:
            options["utility"] = self.function if self.own(state) else mirrored(self.function)
        return search(self.game, state, depth=depth, **options)

    def own(self, state: Any) -> bool:
        """Whether a search there is from the hero's perspective; where chance moves it is from player 0's."""
        return self.game.team(max(int(self.game.to_move(state)), 0)) == self.game.team(self.hero)

    def worth(self, state: Any, depth: int) -> float:
        """The value of a state to the hero."""
        if depth == 0 or self.game.is_terminal(state):
            return self.static(state)
        return self.best(state, depth)[1]

    def best(self, state: Any, depth: int) -> tuple[int | None, float]:
        """What the player to move does (None where chance moves), and what that is worth to the hero."""
        if (state, depth) not in self.known:
            found = self.search(state, depth, table=SMALL_TABLE)
            value = self._value(state, found.value) if self.two_sides else found.values[self.hero]
            self.known[state, depth] = found.action, value
        return self.known[state, depth]

    def static(self, state: Any) -> float:
        """What the rules or the evaluation say of a state without looking further."""
        game = self.game
        if game.is_terminal(state):
            plain = float(game.utility(state, self.hero))
        else:
            plain = (
                float(knowledge_of(game).evaluate(state, self.hero))
                if knowledge_of(game).evaluates
                else game.neutral_value
            )
        return plain if self.function is None else float(valued(self.function, plain))

    def ranked(self, state: Any, depth: int, found: SearchResult | None = None) -> list[tuple[int, float]]:
        """Every action with its value to the hero, those first that the player to move likes best."""
        found = found or self.search(state, depth, all_actions=True, table=SMALL_TABLE)
        order = sorted(found.actions, key=lambda action: -found.actions[action])
        if self.two_sides:
            return [(action, self._value(state, found.actions[action])) for action in order]
        game = self.game
        return [(action, self.worth(game.state_after(state, action), found.depth - 1)) for action in order]

    def amount(self, value: float) -> float:
        """The sure amount that is worth as much to the hero as this value."""
        return value if self.function is None else float(self.function.inverse(value))

    def _value(self, state: Any, value: float) -> float:
        return value if self.own(state) else 0.0 - value


@lru_cache(maxsize=64)
def curve(text: str) -> UtilityFunction:
    """The utility function of amounts that a text means, the same object each time: games keep tables of them."""
    found = utility_function(text)
    if isinstance(found, Table):
        raise BadInput("a game pays amounts, and a table is about named prizes: choose another utility function")
    return found


@lru_cache(maxsize=64)
def mirrored(function: UtilityFunction) -> Callable[[float], float]:
    """The same person from the other side's perspective: what that side gains, the person loses."""

    def reflected(amount: float) -> float:
        return -float(valued(function, -amount))

    return reflected
