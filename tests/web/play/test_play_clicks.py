"""From actions to places: what is clicked in the picture of each game, and what stays a button."""

from __future__ import annotations

import pytest

from plywright.game import Game
from plywright.games import load_game
from plywright.web.play.clicks import Choice, choices, places_in


def choices_of(game: Game, moves: str = "") -> dict[str, Choice]:
    state = game.play_moves(game.start_state, moves)
    found = choices(game, state, game.choices(state), game.picture(state).svg)
    return {choice.text: choice for choice in found}


@pytest.mark.parametrize(
    ("name", "moves", "text", "places"),
    [
        ("othello", "", "d3", ["d3"]),
        ("connect-four", "44", "4", ["4"]),
        ("connect-four:columns=8,rows=5", "", "8", ["8"]),
        ("breakthrough:columns=4,rows=5", "b2b3 c4c3", "b3xc4", None),
        ("breakthrough:columns=4,rows=6", "b2b3 c5c4", "b3xc4", ["b3", "c4"]),
        ("breakthrough:columns=4,rows=6", "", "a2a3", ["a2", "a3"]),
        ("dots-and-boxes", "", "a1-b1", ["a1-b1"]),
        ("checkers", "", "11-15", ["11", "15"]),
        ("checkers", "11-15 22-18 15x22", "25x18", ["25", "18"]),
        ("nim", "", "2:3", ["2:3"]),
        ("subtraction", "", "3", ["3"]),
        ("mnk:m=3,n=12,k=3", "", "a11", ["a11"]),
        ("mnk:m=3,n=12,k=3", "", "a1", ["a1"]),
    ],
)
def test_an_action_is_clicked_at_the_places_that_its_text_names(
    name: str, moves: str, text: str, places: list[str] | None
) -> None:
    found = choices_of(load_game(name), moves)
    assert text not in found if places is None else found[text].ways == [[places]]


def test_a_play_in_backgammon_is_clicked_checker_by_checker_in_the_movers_own_numbers() -> None:
    game = load_game("backgammon")
    white = choices_of(game, "65")
    assert white["24/13"].ways == [[["24", "13"]], [["24", "18", "13"]]]
    assert white["24/18 13/8"].ways == [[["24", "18"], ["13", "8"]]]
    black = choices_of(game, "31 8/5 6/5 43")
    assert all(choice.ways for choice in black.values()) and ["24", "21"] in black["24/21 13/9"].ways[0]
    doubled = choices_of(game, "31 8/5 6/5 66")
    assert doubled["24/18(2) 13/7(2)"].ways == [[["24", "18"], ["24", "18"], ["13", "7"], ["13", "7"]]]


def test_words_are_buttons_and_not_places() -> None:
    passing = choices_of(load_game("othello"), "")
    assert all(choice.ways for choice in passing.values())
    for name in ("pig", "2048", "kuhn", "jewels", "dice-race"):
        game = load_game(name)
        state = game.start_state
        while game.at_chance(state):
            state = game.coerce_state(game.result(state, game.choices(state)[0]))
        found = choices(game, state, game.choices(state), game.picture(state).svg)
        assert found and not any(choice.ways for choice in found), name


@pytest.mark.parametrize(
    "name",
    [
        *("tricks", "goofspiel", "battleship", "kriegspiel", "stratego", "phantom-tic-tac-toe"),
        *("bridge", "hearts", "spades"),
    ],
)
def test_in_hidden_games_every_first_move_is_clicked_in_the_seats_own_picture(name: str) -> None:
    game = load_game(name)
    state = game.start_state
    while game.at_chance(state):
        state = game.coerce_state(game.result(state, game.choices(state)[0]))
    seat = int(game.to_move(state))
    svg = game.picture_for(game.observation(state, seat), seat).svg
    found = choices(game, state, game.choices(state), svg)
    assert found and all(choice.ways for choice in found)
    assert {place for choice in found for way in choice.ways for part in way for place in part} <= places_in(svg)


def test_battleship_is_aimed_at_the_sea_that_the_move_is_about() -> None:
    game = load_game("battleship:size=3,ships=2")
    state = game.play_moves(game.start_state, "a1-b1")
    placing = game.picture_for(game.observation(state, 1), 1).svg
    state = game.play_moves(state, "a1-b1")
    firing = game.picture_for(game.observation(state, 0), 0).svg
    assert placing.count('data-place="a1"') == firing.count('data-place="a1"') == 1
    assert placing.index('data-place="a1"') < firing.index('data-place="a1"'), "the own sea is left, the other's right"
