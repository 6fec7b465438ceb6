"""Whose each place of the board will be: how often playouts end with it in somebody's hands.

ownership(game, state)          # one number for each place: 1 surely the first player's, -1 surely the second's
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...compiled import Workspace, kernel
from ...counters import FAULT, HEADER, NODES, NOT_FINISHED, stop_word
from ...errors import Unsuitable
from ...faults import fault_after
from ...game import Game
from ...games import as_game, as_knowledge
from ...knowledge import Knowledge
from ...rng import seeded
from ...smoke_test import smoke_test
from ..kernel_runner import run

PLAYOUTS = 500


@kernel
def count_owners(game, knowledge, state, playouts, work):
    """Play on from a state so many times; `work.owned` [places] counts who has each place, the second player as -1."""
    info = work.info
    for _ in range(playouts):
        if work.stop[0] != 0:
            break
        final = state if game.is_terminal(state) else knowledge.playout(state, work.rng)
        if not game.is_terminal(final):
            info[FAULT] = NOT_FINISHED
            break
        for place in range(knowledge.places):
            player = knowledge.owner(final, place)
            if player == 0:
                work.owned[place] += 1
            elif player == 1:
                work.owned[place] -= 1
        info[NODES] += 1
    return info[NODES]


def ownership(
    game: Game | str,
    state: Any = None,
    *,
    playouts: int = PLAYOUTS,
    knowledge: Knowledge | str | None = None,
    compiled: bool | None = None,
    seed: int = 1,
) -> tuple[float, ...]:
    """How sure each place is to be the first player's at the end (1), or the second's (-1), by playouts.

    Raises Unsuitable for a game whose knowledge defines no `playout` and `owner`.
    """
    game = as_game(game)
    known = as_knowledge(game, knowledge)
    if not known.has_owners:
        raise Unsuitable(f"{game.name} has no places to own: its knowledge defines no playout(), places and owner()")
    smoke_test(game, known)
    state = game.start_state if state is None else game.vouched(state)
    work: Any = Workspace(
        info=np.zeros(HEADER, np.int64), stop=stop_word(), rng=seeded(seed), owned=np.zeros(known.places, np.int64)
    )
    done, _ = run(count_owners, game, (known, state, playouts, work), work, compiled=compiled)
    if work.info[FAULT]:
        raise fault_after(game, int(work.info[FAULT]), state, (), knowledge=known)
    return tuple(float(count) / max(int(done), 1) for count in work.owned)
