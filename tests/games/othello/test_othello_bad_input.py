"""What cannot be a position or a game of Othello is refused in a sentence that names the fault, however long it is."""

from __future__ import annotations

import pytest

from plywright import BadInput, load_game

game = load_game("othello")
START = "---------------------------OX------XO---------------------------"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("-" * 64 + " X", "without a single disc"),
        ("X" * 8 + "-" * 56 + " X", "four squares in the middle"),
        (START[:-1] + " X", "64 cells; this text has 63"),
        (START + "- X", "64 cells; this text has 65"),
        (START.replace("O", "Q") + " X", "'Q' means nothing"),
        (START, "who moves"),
        (START + " Z", "who moves"),
        ("", "who moves"),
    ],
)
def test_impossible_boards_are_refused(text: str, words: str) -> None:
    with pytest.raises(BadInput, match=words):
        game.read_state(text)


@pytest.mark.parametrize("size", [4, 6, 8])
def test_the_middle_of_every_board_is_where_games_begin(size: int) -> None:
    rules = load_game(f"othello:size={size}")
    assert rules.check_state(rules.start_state) == ""
    assert int(rules.start_state.mine | rules.start_state.theirs) == int(rules.centre)


@pytest.mark.parametrize("text", ["nonsense " * 5000, "X" * 9000, "\n".join(["X" * 700] * 8) + " X", "9" * 9000 + " X"])
def test_long_nonsense_is_shown_in_part(text: str) -> None:
    with pytest.raises(BadInput) as error:
        game.read_state(text)
    assert len(str(error.value)) < 500


@pytest.mark.parametrize(
    ("moves", "words"),
    [
        ("f5d6a1", "move 3: 'a1'"),
        ("f5d6c3x", "x"),
        ("f5f5", "move 2"),
        ("f5pass", "move 2"),
    ],
)
def test_a_transcript_with_an_illegal_move_says_which(moves: str, words: str) -> None:
    with pytest.raises(BadInput, match=words):
        game.play_moves(game.start_state, moves)
