"""What stands below the pictures is said in words, not in the notation of moves, and leaves the board its room."""

from __future__ import annotations

import re
from typing import Any

import pytest

from plywright import load_game
from plywright.draw import svg

PLAYED = [
    ("kuhn", "1 3", "player 1 to check or bet"),
    ("kuhn", "1 3 check bet", "player 1 checks, player 2 bets"),
    ("kuhn", "1 3 check bet fold", "player 1 checks, player 2 bets, player 1 folds; player 2 wins 1"),
    ("kuhn:players=3", "1 2 4 check check bet call fold", "player 1 calls, player 2 folds; player 3 wins 3"),
    ("liars-dice", "3 6", "player 1 to bid"),
    ("liars-dice", "3 6 1x3 2x6", "player 1: one three; player 2: two sixes"),
    ("liars-dice", "3 6 1x3 2x6 liar", "player 1: liar; there is one six, player 1 wins"),
    ("liars-dice", "3 6 2x3 liar", "player 2: liar; there are two threes, player 1 wins"),
    ("pig:target=6", "roll 6 hold", "the first player has won, 6 to 0"),
    ("pig:target=6,players=1,payoff=points,turns=2", "roll 6 hold", "the end: 6 points"),
    ("go:size=5", "pass pass", "White has won by 7.5"),
    ("go:size=5,komi=0", "pass pass", "a draw"),
]


def last_line(picture: Any) -> str:
    return str(picture.text.splitlines()[-1])


@pytest.mark.parametrize(("name", "moves", "words"), PLAYED)
def test_who_did_what_and_who_has_won(name: str, moves: str, words: str) -> None:
    game = load_game(name)
    assert words in last_line(game.picture(game.play_moves(game.start_state, moves)))


def test_a_seat_is_not_told_whose_card_wins_while_it_does_not_see_it() -> None:
    game = load_game("kuhn")
    begun = game.play_moves(game.start_state, "1 3")
    assert last_line(game.picture_for(game.observation(begun, 0), 0)) == "player 1 to check or bet"
    over = game.play_moves(game.start_state, "1 3 bet call")
    assert "player 2 wins 2" in last_line(game.picture(over))
    assert last_line(game.picture_for(game.observation(over, 0), 0)) == "player 1 bets, player 2 calls"


def test_stratego_says_what_was_lost_and_who_has_won() -> None:
    game = load_game("stratego")
    state = game.start_state
    while game.at_chance(state):
        state = game.state_after(state, next(iter(game.chance(state)))[0])
    assert last_line(game.picture(state)) == "move 1, the first player"
    ranks = [int(state.ranks[1]) >> 4 * piece & 15 for piece in range(game.count)]
    fallen = state._replace(where=(state.where[0], int(state.where[1]) & ~(63 << 6 * ranks.index(1))))
    assert last_line(game.picture(fallen)) == "the first player has won; the second has lost flag"


@pytest.mark.parametrize("length", [10, 60, 200])
def test_a_caption_leaves_the_drawing_its_room(length: int) -> None:
    width, _, parts = svg.captioned(160, 100, [], ("word " * length)[:length].strip())
    assert width <= 8.6 * 40 + 12
    assert len(re.findall("<text", str(parts[-1]))) == -(-length // 40)


def test_a_number_and_its_per_cent_sign_stay_together() -> None:
    _, _, parts = svg.captioned(160, 100, [], "a chance that is told in these words: 25 % of them")
    assert re.findall(">([^<]+)</text", str(parts[-1])) == [
        "a chance that is told in these words:",
        "25\u00a0% of them",
    ]
