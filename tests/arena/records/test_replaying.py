"""Recorded games played over: the same positions, from moves or from a position, by the rules of today."""

from __future__ import annotations

from typing import Any

import pytest

from plywright.arena.game_record import GameRecord, Ply
from plywright.arena.records.replaying import steps
from plywright.arena.referee import play_game
from plywright.errors import BadInput
from plywright.game import Game
from plywright.games import load_game
from plywright.players import Mode
from plywright.players.simple import RandomPlayer

GAMES = ["tic-tac-toe", "connect-four", "othello:size=4", "breakthrough:columns=4,rows=4", "nim", "dots-and-boxes"]


def played(game: Game, **options: Any) -> GameRecord:
    return play_game(game, [RandomPlayer(), RandomPlayer()], mode=Mode.parse("depth:1"), **options)


@pytest.mark.parametrize("name", GAMES)
def test_a_game_is_replayed_and_written_as_its_players_write_it(name: str) -> None:
    game = load_game(name)
    opening = [int(next(iter(game.actions(game.start_state))))]
    record = played(game, opening=opening, seed=5)
    positions = list(steps(game, record))
    assert positions[1].given and not positions[2].given and positions[1].action == opening[0]
    final = positions[-1].state
    assert game.is_terminal(final)
    assert tuple(game.utility(final, seat) for seat in (0, 1)) == record.payoffs
    text = game.format_game(game.start_state, [*opening, *(ply.action for ply in record.plies)])
    assert game.play_moves(game.start_state, text) == final


def test_a_game_from_a_position_is_replayed_from_there() -> None:
    game = load_game("othello:size=4")
    first = next(iter(game.actions(game.start_state)))
    start = game.result(game.start_state, first)
    record = played(game, start=start)
    positions = list(steps(game, record))
    assert positions[0].state == start and game.is_terminal(positions[-1].state)
    assert game.format_game(start, [3], "text").startswith(f"from {game.format_state(start)}: ")


def test_a_move_that_is_no_longer_legal_is_named() -> None:
    game = load_game("tic-tac-toe")
    record = GameRecord(
        *("tic-tac-toe", ("a", "b"), game.format_state(game.start_state), ()),
        *((Ply(0, 4), Ply(1, 4)), (0.0, 0.0), "normal"),
    )
    with pytest.raises(BadInput, match="ply 2"):
        list(steps(game, record))
