"""2048's evaluation under a small search of its own: most games reach the tile already."""

from __future__ import annotations

import numpy as np
import pytest

from plywright.compiled import kernel
from plywright.game import CHANCE
from plywright.games.twenty_forty_eight import TwentyFortyEight, exponent
from plywright.rng import below, seeded


@kernel
def best_reply(game, state):  # type: ignore[no-untyped-def]
    """What the best move promises by the evaluation of the boards right after it; the utility where none is left."""
    best = game.utility(state, 0)
    for action in game.actions(state):
        best = max(best, game.evaluate(game.result(state, action), 0))
    return best


@kernel
def play(game, goal, rng, found):  # type: ignore[no-untyped-def]
    """One game, each move by its expectation over the tile that follows and the best reply; stops at the goal."""
    state = game.initial()
    while not game.is_terminal(state):
        choice, best = 0, -1.0
        if game.to_move(state) == CHANCE:
            lot = below(rng, 1 << 30) / (1 << 30)
            for outcome, probability in game.chance(state):
                choice = outcome
                lot -= probability
                if lot < 0:
                    break
        else:
            for action in game.actions(state):
                after, value = game.result(state, action), 0.0
                for outcome, probability in game.chance(after):
                    value += probability * best_reply(game, game.result(after, outcome))
                if value > best:
                    choice, best = action, value
        state = game.result(state, choice)
        for cell in range(16):
            found[0] = max(found[0], exponent(state, cell))
        if found[0] >= goal:
            break
    return found[0]


@pytest.mark.slow
def test_the_evaluation_reaches_the_tile_in_most_games_with_hardly_any_search() -> None:
    game = TwentyFortyEight()
    largest = [play(game, 11, seeded(seed), np.zeros(1, np.int64)) for seed in range(1000, 1200)]  # not those of tuning
    assert sum(tile >= 11 for tile in largest) >= 160
