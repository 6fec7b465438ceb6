"""A game as one player sees it: opponents who play by a policy are chance, and utilities go through a function.

What the compiled search cannot do by itself (policies written in Python, utility functions that cannot
be tabulated) it does on this view of the game, interpreted. Any other search may be run on it too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from ...errors import BadInput
from ...game import CHANCE, Game
from ...knowledge import Knowledge
from ...wrapped import Wrapped
from .opponent_models import Policy, distribution

MODELLED = -2
"""The mover of a state in which a policy moves: as CHANCE, but the move costs a ply of depth."""
MOST_KEPT = 1 << 20
"""States whose probabilities are kept."""


class Modelled(Wrapped):
    """Another game in which the players of `policies` are part of chance; `utility` is the hero's.

    `mark` is the mover of states where a policy moves: CHANCE, or for kernels that count such moves MODELLED.
    """

    def __init__(
        self,
        game: Game,
        policies: Mapping[int, Policy],
        *,
        knowledge: Knowledge | None = None,
        hero: int = 0,
        utility: Callable[[Any], Any] | None = None,
        mark: int = CHANCE,
    ) -> None:
        super().__init__(game, knowledge)
        self.mark = mark
        self.policies, self.hero, self.valuation = dict(policies), hero, utility
        self.step = game.step if utility is None else None
        self.utility_range = game.utility_range if utility is None else self._range()
        self._kept: dict[Any, list[tuple[int, float]]] = {}

    def _range(self) -> tuple[float, float]:
        """The utilities of the ends of the range, where the function has them."""
        try:
            ends = [float(valued(self.valuation, end)) for end in value_range(self.game)]  # type: ignore[arg-type]
        except BadInput:
            return -float("inf"), float("inf")
        return min(ends), max(ends)

    def to_move(self, state: Any) -> int:
        mover = int(self.game.to_move(state))
        return self.mark if mover in self.policies else mover

    def actions(self, state: Any) -> Iterable[int]:
        return iter(()) if self.to_move(state) < 0 else self.game.actions(state)

    def chance(self, state: Any) -> Iterable[tuple[int, float]]:
        """The outcomes of the game's own chance, or what the policy of the mover plays; worked out once per state."""
        mover = int(self.game.to_move(state))
        if mover == CHANCE:
            return self.game.chance(state)
        if state not in self._kept:
            if len(self._kept) >= MOST_KEPT:
                self._kept.clear()
            self._kept[state] = list(distribution(self.policies[mover], self.game, state).items())
        return iter(self._kept[state])

    def utility(self, state: Any, player: int) -> float:
        return self._valued(self.game.utility, state, player)

    def evaluate(self, state: Any, player: int) -> float:
        return self._valued(self.inner.evaluate, state, player)

    def _valued(self, rule: Callable[[Any, int], float], state: Any, player: int) -> float:
        """The hero's team sees amounts through the function; teams opposed to it the opposite."""
        team = self.game.team_of
        if self.valuation is None or (team[player] != team[self.hero] and not self.game.opposed):
            return float(rule(state, player))
        worth = float(valued(self.valuation, float(rule(state, self.hero))))
        return worth if team[player] == team[self.hero] else -worth


def valued(utility: Callable[[Any], Any], amount: float) -> Any:
    """What the amount is worth by a utility function; the package of those is imported where one is given."""
    from ...utility.lottery import valued as worth

    return worth(utility, amount)


def value_range(game: Game) -> tuple[float, float]:
    """What any player's utility lies between: between two opposed teams, the range and its mirror image."""
    low, high = (float(end) for end in game.utility_range)
    return (min(low, -high), max(high, -low)) if game.opposed else (low, high)
