"""Names of openings: legal lines, the same in all four directions a game can begin in."""

from __future__ import annotations

import pytest

from plywright import load_game
from plywright.games.othello.openings import NAMES, opening_of
from plywright.games.othello.rules import Othello

game = load_game("othello")


def actions_of(moves: str) -> list[int]:
    state, actions = game.start_state, []
    for text in game.split_moves(moves):
        actions.append(game.parse_action(state, text))
        state = game.coerce_state(game.result(state, actions[-1]))
    return actions


def test_every_line_is_legal_and_has_its_own_name() -> None:
    for moves, name in NAMES.items():
        assert game.opening_name(game.start_state, actions_of(moves)) == name
    assert len(set(NAMES.values())) == len(NAMES)


@pytest.mark.parametrize("moves", ["c4e3f6e6f5", "d3c5f6f5e6", "f5d6c3d3c4", "e6f4c3c4d3"])
def test_a_turned_board_has_the_same_openings(moves: str) -> None:
    assert opening_of(actions_of(moves)) == "Tiger"


def test_a_game_keeps_the_last_name_it_had() -> None:
    assert opening_of(actions_of("f5d6c3d3c4f4f6f3e6")) == "Comp'Oth"


def test_other_boards_and_other_starts_have_no_names() -> None:
    small = Othello(6)
    assert small.opening_name(small.start_state, [8]) == ""
    later = game.play_moves(game.start_state, "f5")
    assert game.opening_name(later, actions_of("f5d6")[1:]) == ""
    assert game.opening_name(game.start_state, []) == ""
