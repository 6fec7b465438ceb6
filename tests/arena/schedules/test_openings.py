"""Openings from files and from chance; illegal lines are named."""

from __future__ import annotations

from pathlib import Path

import pytest

from plywright.arena.schedules.openings import openings
from plywright.errors import BadInput
from plywright.games import load_game

TESTS = Path(__file__).parents[2]


def test_the_start_is_an_opening() -> None:
    (only,) = openings(load_game("othello"), "start", 50, 1)
    assert only.actions == () and only.position is None


def test_random_openings_are_distinct_legal_unfinished_and_seeded() -> None:
    game = load_game("othello")
    found = openings(game, "random:8", 40, 7)
    assert found == openings(game, "random:8", 40, 7) != openings(game, "random:8", 40, 8)
    assert len(found) == 40 and all(len(opening.actions) == 8 for opening in found)
    states = set()
    for opening in found:
        state = game.start_state
        for action in opening.actions:
            assert action in game.actions(state)
            state = game.result(state, action)
        assert not game.is_terminal(state)
        assert game.play_moves(game.start_state, opening.text) == state
        states.add(game.format_state(state))
    assert len(states) == 40


def test_a_small_game_has_fewer_openings_than_were_asked_for() -> None:
    assert len(openings(load_game("tic-tac-toe"), "random:1", 100, 1)) == 9


def test_dice_are_rolled_but_are_no_plies() -> None:
    game = load_game(str(TESTS / "doctor" / "healthy" / "dice_race.py"))
    for opening in openings(game, "random:2", 5, 1):
        assert len(opening.actions) == 4  # two rolls, two moves


@pytest.mark.parametrize(
    ("source", "words"), [("random:60", "fewer"), ("random:x", "random:8"), ("none.txt", "no openings file")]
)
def test_what_cannot_be_an_opening_is_refused(source: str, words: str, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=words):
        openings(load_game("tic-tac-toe"), source, 3, 1)


def write(tmp_path: Path, text: str) -> str:
    path = tmp_path / "openings.txt"
    path.write_text(text)
    return str(path)


def test_lines_are_moves_or_positions(tmp_path: Path) -> None:
    game = load_game("othello")
    position = game.format_state(game.play_moves(game.start_state, "f5d6c3"))
    first, second = openings(game, write(tmp_path, f"# classics\n\nf5 d6\n{position}\n"), 10, 1)
    assert len(first.actions) == 2 and second.position == position and second.actions == ()
    assert len(openings(game, write(tmp_path, "f5\nf5d6\nf5d6c3\n"), 2, 1)) == 2


def test_a_line_may_be_a_whole_game(tmp_path: Path) -> None:
    """From the usual start its moves are the opening, from elsewhere the position that they lead to."""
    game = load_game("othello")
    later = game.play_moves(game.start_state, "f5")
    begun = (game.start_state, [37, 43]), (later, [43])
    records = [game.format_game(start, actions, "ggf") for start, actions in begun]
    first, second = openings(game, write(tmp_path, "\n".join(records)), 10, 1)
    assert first.actions == (37, 43) and first.text == "f5d6"
    assert second.position == game.format_state(game.play_moves(game.start_state, "f5d6"))
    with pytest.raises(BadInput, match="line 1: the game breaks off"):
        openings(game, write(tmp_path, records[0][:-2]), 10, 1)


def test_a_pass_may_be_left_out_as_in_transcripts(tmp_path: Path) -> None:
    """The shortest line with a pass in it, found by playing at random."""
    game = load_game("othello:size=4")
    for opening in openings(game, "random:9", 200, 3):
        state, texts = game.start_state, []
        for action in opening.actions:
            texts.append(game.format_action(state, action))
            state = game.result(state, action)
        if "pass" in texts[:-1]:
            break
    line = "".join(text for text in texts if text != "pass")
    (read,) = openings(game, write(tmp_path, line), 1, 1)
    assert read.actions == opening.actions and len(line) < 2 * len(read.actions)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("f5 d6\nf5 a1\n", r"line 2: move 2: 'a1' is not a legal move"),
        ("rubbish\n", r"line 1: "),
        ("# nothing\n\n", "has no openings"),
    ],
)
def test_an_illegal_line_is_named(tmp_path: Path, text: str, words: str) -> None:
    with pytest.raises(BadInput, match=words):
        openings(load_game("othello"), write(tmp_path, text), 5, 1)


def test_a_finished_game_is_no_opening(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="line 1: the game is over"):
        openings(load_game("tic-tac-toe"), write(tmp_path, "a1 a2 b1 b2 c1\n"), 5, 1)
