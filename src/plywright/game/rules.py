"""The rules of a game: the five that every game writes, those that have a default, and the type of its states."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Any

from ..bits import mix
from ..digest import digest
from ..errors import GameError
from ..identity import is_shipped
from ..state import NoShape, Outgrown, Shape, coerce, shape_of
from ..survey import Survey, survey
from .facts import Facts

CHANCE = -1
"""The mover of a state in which dice or cards decide."""

REQUIRED = ("initial", "to_move", "actions", "result", "utility")
"""The rules that every game writes."""
RULES = (
    *(*REQUIRED, "is_terminal", "count_actions", "evaluate", "chance", "sample", "team"),
    *("observation", "deal", "canonical", "repetition_key"),
)
"""The rules by which compiled code enters a game."""


class Rules(Facts):
    """What is legal and what it pays. States are immutable, and the same question always has the same answer."""

    _protocol = True

    # -- the five that every game writes ----------------------------------------------------------

    def initial(self) -> Any:
        """The state at the start of a game: a NamedTuple of numbers, a plain tuple, or one number.

        Required. States are never changed: `result` makes new ones.
        """
        raise self._lacks("initial")

    def to_move(self, state: Any) -> int:
        """Who decides in this unfinished state: a player from 0 to `players - 1`, or `CHANCE`.

        Required. The same player may move twice in a row.
        """
        raise self._lacks("to_move")

    def actions(self, state: Any) -> Iterable[int]:
        """The legal actions of whoever is to move, as whole numbers from 0, each once.

        Required. A pass is an action. Yield them, or return a list; the order is the order in which plain searches
        try them, and among equal moves the first is chosen.
        """
        raise self._lacks("actions")

    def result(self, state: Any, action: int) -> Any:
        """The state after an action, or after an outcome of chance; `state` itself stays as it is.

        Required.
        """
        raise self._lacks("result")

    def utility(self, state: Any, player: int) -> float:
        """What the end of the game is worth to a player, whoever moved last: within `utility_range`.

        Required. Only asked where the game is over.
        """
        raise self._lacks("utility")

    def _lacks(self, rule: str) -> GameError:
        return GameError(
            f"{type(self).__name__} has no method {rule!r}; a game needs {', '.join(REQUIRED[:-1])} and {REQUIRED[-1]}"
        )

    # -- rules that have a default ------------------------------------------------------------------

    def is_terminal(self, state: Any) -> bool:
        """Whether the game is over. Without a rule of its own a game is over when there is nothing to do.

        A game with chance needs one: a state in which chance decides has no actions either.
        """
        for _ in self.actions(state):
            return False
        return True

    def count_actions(self, state: Any) -> int:
        """How many actions a state has, 0 where the game is over; perft asks a game that can tell without listing."""
        return len(self.choices(state))

    def evaluate(self, state: Any, player: int) -> float:
        """An estimate of the utility from the player's perspective, strictly inside `utility_range`."""
        return self.neutral_value

    def repetition_key(self, state: Any) -> int:
        """64 bits that two states share if they count as the same for `repetition`; by default all fields."""
        if self.fixed_states:
            return mix(state)
        return digest(state)

    def canonical(self, state: Any) -> Any:
        """The one of all states that are the same up to symmetry which stands for them; by default the state itself."""
        return state

    # -- chance: one of these two --------------------------------------------------------------------

    def chance(self, state: Any) -> Iterable[tuple[int, float]]:
        """The outcomes in a state where `CHANCE` is to move, each with its probability; `result` takes an outcome.

        Probabilities sum to 1, outcomes are whole numbers from 0. By default there are none.
        """
        for outcome in range(0):
            yield outcome, 1.0

    def sample(self, state: Any, rng: Any) -> int:
        """One outcome drawn with the generator, in a game that has too many to list them in `chance`.

        All randomness comes from `rng` (see `plywright.rng`). A game that lists its outcomes needs none.
        """
        return 0

    # -- hidden information: what a seat sees, and one of deal and deals, or both -----------------------------

    def observation(self, state: Any, player: int) -> Any:
        """Everything the player knows; by default everything."""
        return state

    def deal(self, observation: Any, player: int, rng: Any) -> Any:
        """A state, drawn with the generator, that looks like this to the player, as likely as it is in play.

        Asked of games that define `observation`; a game whose states can all be listed defines `deals` instead.
        """
        raise GameError(f"{type(self).__name__} has no method 'deal', which draws a state that looks like this")

    def deals(self, observation: Any, player: int) -> Iterator[tuple[Any, float]]:
        """All states that look like this to the player, each with its probability; they sum to 1."""
        raise GameError(f"{type(self).__name__} has no method 'deals', which lists the states that look alike")

    def count_deals(self, observation: Any, player: int) -> int | None:
        """How many deals look like this to the player, counted without listing them; None where nobody has counted."""
        return None

    def earlier(self, state: Any, observation: Any, player: int) -> Any:
        """The state that looked like this to the player earlier in a game that has now come to `state`.

        Asked of deals, to weigh them by what the others did on the way (`past=` and `beliefs=` of a search). For most
        games it is the earlier observation with what `state` knows to be hidden in it. Every move of the others must
        show in the player's observations, if only as whose turn it is.
        """
        raise GameError(f"{type(self).__name__} has no method 'earlier', the state behind an earlier observation")

    def view_key(self, observation: Any) -> int:
        """64 bits that stand for what a player sees: two observations share them only if they are equal."""
        if self.fixed_views:
            return mix(observation)
        return digest(observation)

    # -- what may happen next ---------------------------------------------------------------------------

    def at_chance(self, state: Any) -> bool:
        """Whether dice or cards decide in this unfinished state."""
        return self.has_chance and not self.is_terminal(state) and bool(self.to_move(state) == CHANCE)

    def choices(self, state: Any) -> list[int]:
        """What may happen next: a player's actions or the outcomes of chance; none where the game is over.

        Nor are there any where chance is only drawn from.
        """
        if self.is_terminal(state):
            return []
        if not self.at_chance(state):
            return [int(action) for action in self.actions(state)]
        return [int(outcome) for outcome, _ in self.chance(state)] if self.lists_chance else []

    # -- the type of a state ------------------------------------------------------------------------------

    @cached_property
    def _start(self) -> tuple[Any, Shape | None, str]:
        for rule in REQUIRED:
            if not self.has_rule(rule):
                raise self._lacks(rule)
        state = self.initial()
        try:
            shape = shape_of(state)
        except NoShape as reason:
            return state, None, str(reason)
        return coerce(shape, state), shape, ""

    def has_rule(self, rule: str) -> bool:
        """Whether the class defines one of the rules that every game writes: the toolkit's has no answer."""
        return self.overrides(rule) and callable(getattr(type(self), rule))

    @property
    def state_shape(self) -> Shape | None:
        """The canonical type of a state, or None where compiled code has none for it, as far as is known yet."""
        return None if self._outgrown else self._start[1]

    @property
    def start_state(self) -> Any:
        """The initial state in its canonical type."""
        return self.initial() if self._outgrown else self._start[0]

    @property
    def shapeless(self) -> str:
        """Why compiled code has no type for the states; empty where it has."""
        return self._start[2] or self._survey.outgrown

    @property
    def fixed_states(self) -> bool:
        """Whether all states are numbers in one shape, as compiled code holds them."""
        return not self.shapeless

    @property
    def fixed_views(self) -> bool:
        """Whether all that players see is numbers in one shape."""
        return self._survey.fixed_views

    @cached_property
    def _survey(self) -> Survey:
        """Made once, when a state does not fit or before the rules are compiled; a smoke test makes it under guard."""
        shape = self._start[1]
        return Survey("", shape is not None, True) if is_shipped(self) else survey(self, shape)

    @property
    def _outgrown(self) -> str:
        """Why states have no shape though the first has one, if that has been found."""
        found: Survey | None = self.__dict__.get("_survey")
        return "" if found is None else found.outgrown

    def state_after(self, state: Any, action: int) -> Any:
        """The state that an action or an outcome of chance leads to, in its canonical type."""
        return self.coerce_state(self.result(state, action))

    def coerce_state(self, state: Any) -> Any:
        """A state in its canonical type, whoever typed or parsed it."""
        shape = self.state_shape
        if shape is None:
            return state
        try:
            return coerce(shape, state)
        except Outgrown:
            if "_survey" in self.__dict__ or not self._survey.outgrown:
                raise
            return state
