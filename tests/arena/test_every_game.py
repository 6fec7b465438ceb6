"""What holds for every game: a refereed random game ends, and its views and moves survive JSON lines."""

from __future__ import annotations

import json

import pytest

from plywright import Game, load_game
from plywright.arena.referee import play_game
from plywright.games import GAMES
from plywright.games.kuhn import Kuhn
from plywright.games.leduc import Leduc
from plywright.players import Mode
from plywright.players.offence import CUT, NORMAL
from plywright.players.player import read_action
from plywright.players.simple import RandomPlayer
from plywright.programs.json_lines import as_json, read_view

EVERY = [*(load_game(name) for name in GAMES), Kuhn(), Kuhn(players=3), Leduc()]


@pytest.mark.parametrize("game", EVERY, ids=[f"{game.name}-{game.players}" for game in EVERY])
def test_a_random_game_is_refereed_to_its_end_and_every_view_survives_json(game: Game) -> None:
    players = [RandomPlayer() for _ in range(game.players)]
    record = play_game(game, players, mode=Mode.parse("depth:1"), seed=1, move_limit=2000)
    assert record.termination in (NORMAL, CUT) and not record.offences, record.note
    state = game.start_state
    for ply in record.plies:
        if ply.seat >= 0:
            view = game.observation(state, ply.seat)
            text = None if game.hidden else game.format_state(view)
            sent = json.loads(json.dumps({"state": text, "view": as_json(view)}))
            assert read_view(game, sent, ply.seat) == view
            legal = [int(action) for action in game.actions(state)]
            assert read_action(game, view, game.format_action(view, ply.action), legal) == ply.action
        state = game.coerce_state(game.result(state, ply.action))
    if record.termination == NORMAL:
        assert record.payoffs == tuple(game.utility(state, player) for player in range(game.players))
