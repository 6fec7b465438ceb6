"""The tables of 2048 that ship: found by default, small enough, and worth more than the evaluation by hand."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from plywright import load_game, search
from plywright.compiled import Workspace, interpreted, kernel
from plywright.game import CHANCE
from plywright.games.twenty_forty_eight.knowledge import SHIPPED, TilesTables
from plywright.knowledge import knowledge_of
from plywright.learning.self_play import draw
from plywright.models.inside import look_inside
from plywright.models.model_file import read_model
from plywright.rng import seeded

BOARD = "2,4,8,16/4,8,16,64/2,0,4,2/0,0,2,0 move"
TURNED = "0,2,4,2/0,0,8,4/2,4,16,8/0,2,64,16 move"


@kernel
def play(game: Any, knowledge: Any, start: Any, work: Any) -> float:
    """A game without search; returns what its tiles are worth."""
    state = start
    while not game.is_terminal(state):
        chosen = 0
        if game.to_move(state) == CHANCE:
            chosen = draw(game, state, work)
        else:
            best = -math.inf
            for action in game.actions(state):
                value = 1.0 * knowledge.evaluate(game.result(state, action), 0)
                if value > best:
                    best, chosen = value, action
        state = game.result(state, chosen)
    return 1.0 * game.utility(state, 0)  # type: ignore[no-any-return]


def test_the_tables_are_what_a_search_knows_and_the_hand_keeps_its_name() -> None:
    game = load_game("2048")
    tables = knowledge_of(game)
    assert isinstance(tables, TilesTables) and knowledge_of(game, "tables").name == tables.name == "tables"
    assert SHIPPED.stat().st_size <= 10_000_000
    state, turned = (game.read_state(text) for text in (BOARD, TURNED))
    with interpreted():
        value = tables.evaluate(state, 0)
        assert game.utility(state, 0) + 3000 < value < 500_000  # points to come, in points
        assert tables.evaluate(turned, 0) == value
        assert knowledge_of(game, "hand").evaluate(state, 0) == game.evaluate(state, 0) != value
        found = search(game, state, depth=1)
        after = [game.result(state, action) for action in game.actions(state)]
        assert found.value == max(tables.evaluate(each, 0) for each in after)


def test_the_file_is_of_these_rules_and_says_how_it_was_made() -> None:
    game = load_game("2048")
    file = read_model(SHIPPED)
    file.check(game, SHIPPED)
    assert file.model == "packed" and file.training["moves"] > 10**8
    assert look_inside(knowledge_of(game), 3).largest  # type: ignore[arg-type]


@pytest.mark.slow
def test_games_without_search_are_worth_several_of_those_by_hand() -> None:
    game = load_game("2048")
    means = {}
    for name in ("tables", "hand"):
        works = [Workspace(rng=seeded(seed)) for seed in range(1, 41)]
        found = [play(game, knowledge_of(game, name), game.start_state, work) for work in works]
        means[name] = float(np.mean(found))
    assert means["tables"] > 4 * means["hand"] and means["tables"] > 60_000
