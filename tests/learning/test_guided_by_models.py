"""A learned model guides Monte Carlo trees: priors from its values, and its values at the leaves."""

from __future__ import annotations

from typing import Any

import pytest

from plywright import learn, load_game
from plywright.arena.referee import play_game
from plywright.arena.schedules.openings import openings, varied
from plywright.models.cells import sample_states
from plywright.models.loading import make_model
from plywright.players import Mode
from plywright.players.searching import SearchPlayer

SMALL = "breakthrough:columns=4,rows=5"


def test_priors_prefer_what_leads_to_more() -> None:
    game = load_game(SMALL)
    model: Any = make_model(game, "linear", pawns=0.3, advance_squared=0.02)
    assert model.has_prior and model.cutoff == 0
    wins = 0
    for state in sample_states(game, 200):
        mover, values = int(game.to_move(state)), {}
        for action in game.actions(state):
            after = game.state_after(state, action)
            over = game.is_terminal(after)
            values[action] = game.utility(after, mover) if over else model.evaluate(after, mover)
            wins += over
        priors = {action: model.prior(state, action) for action in values}
        assert min(priors.values()) > 0
        assert sorted(values, key=values.__getitem__) == sorted(priors, key=priors.__getitem__)
    assert wins > 0  # moves that end the game were among them


@pytest.mark.slow
def test_a_tree_with_a_learned_model_beats_plain_uct_at_equal_simulations() -> None:
    game = load_game(SMALL)
    model = learn(game, games=5_000, pairs=0)
    guided, plain = SearchPlayer("mcts", "guided", knowledge=model), SearchPlayer("mcts", "plain")
    score = 0.0
    for number, line in enumerate(openings(game, varied(game, 12, 1), 12, 1)):
        for seat in (0, 1):
            players = [guided, plain] if seat == 0 else [plain, guided]
            record = play_game(game, players, mode=Mode.parse("nodes:200"), opening=line.actions, seed=number)
            assert record.payoffs is not None
            score += record.payoffs[seat] > 0
    assert score >= 17  # of 24: by chance one time in thirty
