"""A look at the states that rules make, before a search: whether all of them are like initial()'s.

Rules may let tuples grow, or whole numbers beyond 64 bits. That cannot be seen in `initial()`, and compiled code would
not hold it, so a few random games are played first: a fixed number of states, however long the rules take, so that
every process finds the same. A search's smoke test has them played under its guard, which names rules at fault.
"""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

from .digest import lasts
from .rng import below, seeded
from .state import NoShape, Outgrown, Shape, coerce, shape_of

STATES = 200
"""So many states are looked at."""
_CHANCE = -1


class Survey(NamedTuple):
    """What was found: why states have no fixed shape (empty where they have), and whether what players see has."""

    outgrown: str
    fixed_views: bool
    lasting: bool
    """Whether states, and what players see, have the same digests in every process."""


class Surveyor:
    """Sees states and what players see of them, one by one, and says what is common to all."""

    def __init__(self, shape: Shape | None) -> None:
        self.shape, self.outgrown = shape, ""
        self.fixed_views, self.lasting = True, True
        self._frames: dict[int, str] = {}

    def settled(self, state: Any) -> Any:
        """The state in the type of initial()'s, where it fits: what the rules are given next."""
        if self.shape is None or self.outgrown:
            return state
        try:
            return coerce(self.shape, state)
        except Outgrown as error:
            self.outgrown = f"result() makes states of another size than initial()'s: {error}"
            return state

    def see(self, state: Any, views: Iterable[Any]) -> None:
        self.lasting = self.lasting and lasts(state)
        for player, view in enumerate(views):
            frame = _frame(view)
            self.lasting = self.lasting and lasts(view)
            fixed = frame is not None and self._frames.setdefault(player, frame) == frame
            self.fixed_views = self.fixed_views and fixed

    @property
    def found(self) -> Survey:
        return Survey(self.outgrown, self.fixed_views, self.lasting)


def survey(game: Any, shape: Shape | None) -> Survey:
    """Look at the states of random games; a rule that fails ends them, and is named by whoever calls it next."""
    surveyor = Surveyor(shape)
    with contextlib.suppress(Exception):  # told when the rules are called in earnest
        look(surveyor, game, _states(game, surveyor.settled), game.observation)
    return surveyor.found


def look(surveyor: Surveyor, game: Any, states: Iterator[Any], observation: Callable[[Any, int], Any]) -> None:
    """Have the first states seen, with what each player sees of them in a game that hides something."""
    for state in itertools.islice(states, STATES):
        surveyor.see(state, [observation(state, player) for player in range(game.players if game.hidden else 0)])


def _states(game: Any, settled: Callable[[Any], Any]) -> Iterator[Any]:
    """The states of random games, one after the other."""
    rng = seeded(1)
    state = settled(game.initial())
    while True:
        yield state
        if game.is_terminal(state):
            state = settled(game.initial())
            continue
        if game.to_move(state) != _CHANCE:
            choices = list(itertools.islice(game.actions(state), game.max_actions))
        elif game.lists_chance:
            choices = [outcome for outcome, _ in itertools.islice(game.chance(state), game.max_actions)]
        else:
            choices = [game.sample(state, rng)]
        state = settled(game.result(state, choices[below(rng, len(choices))]))


def _frame(view: Any) -> str | None:
    """The nesting of a value of plain numbers; None of any other."""
    try:
        return _nesting(shape_of(view))
    except NoShape:
        return None


def _nesting(shape: Shape) -> str:
    return "." if shape.kind is not None else f"({''.join(map(_nesting, shape.items))})"
