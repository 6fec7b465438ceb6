"""A print of rules by what they do, for files that outlive a version of Python or of Plywright.

The fingerprint of compiled code changes with every bytecode. Weights that were learned for a game stay right as long as
the game does, so their file carries this: a hash of the legal actions, states, movers and utilities of a few random
games from a fixed seed. A rule that behaves otherwise there gives another print; one that is only written otherwise,
and an evaluation, does not.
"""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np

from ..dice import roll
from ..digest import digest, lasts
from ..errors import GameError
from ..game import CHANCE, Game
from ..rng import below, seeded
from ..state import leaves

STATES = 600
"""So many states are looked at, in random games."""


def rules_print(game: Game) -> str:
    """The hash, as 32 hexadecimal digits; kept with the game, whose rules are frozen by then."""
    known: str | None = game.__dict__.get("_rules_print")
    if known is None:
        known = game.__dict__["_rules_print"] = _played(game)
    return known


def rules_of(game: Game) -> str:
    """The print for files of tables and proofs; the fingerprint where states are of no fixed shape."""
    return rules_print(game) if game.fixed_states else game.fingerprint


def _played(game: Game) -> str:
    found, rng, looked = hashlib.sha256(), seeded(18), 0

    def feed(*parts: Any) -> None:
        found.update((";".join(map(str, parts)) + "\n").encode())

    feed(game.players, tuple(map(float, game.utility_range)), game.repetition)
    state = game.start_state
    while looked < STATES:
        looked += 1
        feed(*(_number(leaf) for leaf in leaves(state)))
        if game.is_terminal(state):
            feed("over", *(float(game.utility(state, player)) for player in range(game.players)))
            state = game.start_state
            continue
        mover = int(game.to_move(state))
        if mover == CHANCE:
            if game.lists_chance:
                feed("chance", *sorted((int(o), round(float(p), 9)) for o, p in game.chance(state)))
            action = roll(game, state, rng)
        else:
            actions = sorted(int(action) for action in game.actions(state))
            if not actions:
                raise GameError(f"{game.name}: actions() yields nothing, but is_terminal() says the game goes on")
            feed(mover, *actions)
            action = actions[below(rng, len(actions))]
        state = game.state_after(state, action)
    return found.hexdigest()[:32]


def _number(leaf: Any) -> Any:
    """A number as it is written in every version of NumPy; anything else by its digest, if that lasts."""
    if isinstance(leaf, float):
        return round(float(leaf), 9)
    if isinstance(leaf, (int, np.integer, np.bool_)):
        return int(leaf)
    return leaf if isinstance(leaf, str) else digest(leaf) if lasts(leaf) else type(leaf).__name__
