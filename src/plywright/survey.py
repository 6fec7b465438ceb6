"""A look at the states that rules make, before their type is settled: whether all of them are like initial()'s.

Rules may let tuples grow, or whole numbers beyond 64 bits. That cannot be seen in `initial()`, and compiled code would
not hold it, so a few random games are played first. The games are the same in every process, and so is what is found.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Iterator
from typing import Any, NamedTuple

from .digest import lasts
from .rng import below, seeded
from .state import NoShape, Outgrown, Shape, coerce, shape_of

RESULTS = 400
SECONDS = 1.0
"""So many states are looked at, or fewer where the rules are slow."""
_CHANCE = -1


class Survey(NamedTuple):
    """What was found: why states have no fixed shape (empty where they have), and whether what players see has."""

    outgrown: str
    fixed_views: bool
    lasting: bool
    """Whether states, and what players see, have the same digests in every process."""


def survey(game: Any, start: Any, shape: Shape | None) -> Survey:
    """Look at the states of random games; a rule that fails ends them, and is named by whoever calls it next."""
    outgrown, fixed, lasting = "", True, True
    seen: dict[int, str] = {}
    try:
        for state in itertools.islice(_states(game, start), RESULTS):
            if shape is not None and not outgrown:
                try:
                    state = coerce(shape, state)
                except Outgrown as error:
                    outgrown = f"result() makes states of another size than initial()'s: {error}"
            lasting = lasting and lasts(state)
            for player in range(game.players) if game.hidden else ():
                view = game.observation(state, player)
                frame = _frame(view)
                lasting = lasting and lasts(view)
                fixed = fixed and frame is not None and seen.setdefault(player, frame) == frame
    except KeyboardInterrupt:
        raise
    except BaseException:  # told when the rules are called in earnest
        pass
    return Survey(outgrown, fixed, lasting)


def _states(game: Any, start: Any) -> Iterator[Any]:
    """The states of random games, one after the other."""
    rng, until = seeded(1), time.monotonic() + SECONDS
    state = start
    while time.monotonic() < until:
        yield state
        if game.is_terminal(state):
            state = start
        elif game.to_move(state) != _CHANCE:
            actions = list(itertools.islice(game.actions(state), game.max_actions))
            state = game.result(state, actions[below(rng, len(actions))])
        elif game.lists_chance:
            outcomes = list(itertools.islice(game.chance(state), game.max_actions))
            state = game.result(state, outcomes[below(rng, len(outcomes))][0])
        else:
            state = game.result(state, game.sample(state, rng))


def _frame(view: Any) -> str | None:
    """The nesting of a value of plain numbers; None of any other."""
    try:
        return _nesting(shape_of(view))
    except NoShape:
        return None


def _nesting(shape: Shape) -> str:
    return "." if shape.kind is not None else f"({''.join(map(_nesting, shape.items))})"
