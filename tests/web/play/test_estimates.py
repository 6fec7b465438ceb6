"""What the page says that a position is worth."""

from __future__ import annotations

import pytest

from plywright import load_game, search
from plywright.web.play.estimates import estimate_of


def test_a_mean_of_simulated_games_is_no_number_of_pawns() -> None:
    game = load_game("chess")
    found = search(game, algorithm="mcts", nodes=30, seed=1)
    told = estimate_of(found, game, game.start_state)
    assert found.averaged and "pawn" not in told.words
    assert told.chance == pytest.approx((found.value + 1) / 2)
    searched = estimate_of(search(game, depth=2), game, game.start_state)
    assert "pawn" in searched.words
