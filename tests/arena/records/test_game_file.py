"""Games read from files: by the rules that the file says, from pipes, and never by rules of another game."""

from __future__ import annotations

import json
import os
import sys
import threading
from pathlib import Path

import pytest

from plywright.arena.records.game_file import read_game
from plywright.arena.referee import play_game
from plywright.errors import BadInput
from plywright.game.parameters import parameters_of
from plywright.games import load_game
from plywright.players import Mode
from plywright.players.simple import RandomPlayer


def text_of(name: str, notation: str, plies: int = 6) -> str:
    """A game by first moves in a notation of its own."""
    game = load_game(name)
    state, actions = game.start_state, []
    for _ in range(plies):
        actions.append(int(next(iter(game.actions(state)))))
        state = game.state_after(state, actions[-1])
    return game.format_game(game.start_state, actions, notation)


@pytest.mark.parametrize(
    ("name", "notation"),
    [("othello:size=6", "ggf"), ("othello", "ggf"), ("go:size=13", "sgf"), ("go:size=9,komi=5.5", "sgf")],
)
def test_a_file_says_by_which_rules_it_was_played(name: str, notation: str, tmp_path: Path) -> None:
    (tmp_path / "game.txt").write_text(text_of(name, notation))
    found = read_game(tmp_path / "game.txt")
    assert parameters_of(found.game) == parameters_of(load_game(name)) and len(found.actions) == 6


def test_a_game_that_is_named_must_be_the_one_that_was_played(tmp_path: Path) -> None:
    (tmp_path / "game.ggf").write_text(text_of("othello:size=6", "ggf"))
    with pytest.raises(BadInput, match="6"):
        read_game(tmp_path / "game.ggf", "othello")
    record = play_game(load_game("go:size=5"), [RandomPlayer(), RandomPlayer()], mode=Mode.parse("depth:1"), seed=1)
    (tmp_path / "game.jsonl").write_text(json.dumps(record.as_dict()) + "\n")
    with pytest.raises(BadInput, match="a game of go:size=5, not of go: leave out --game go"):
        read_game(tmp_path / "game.jsonl", "go")
    found = read_game(tmp_path / "game.jsonl", "go:size=5,komi=7.5")  # the same, in more words
    assert len(found.actions) == len(record.plies)


@pytest.mark.skipif(sys.platform == "win32", reason="named pipes are POSIX")
def test_a_pipe_is_read_once(tmp_path: Path) -> None:
    pipe, text = tmp_path / "pipe", text_of("othello", "ggf")
    os.mkfifo(pipe)
    for content, works in ((text.encode(), True), (b"SQLite format 3\x00 and so on", False)):
        writer = threading.Thread(target=pipe.write_bytes, args=(content,))
        writer.start()
        if works:
            assert len(read_game(pipe).actions) == 6
        else:
            with pytest.raises(BadInput, match="cannot be read from a pipe"):
                read_game(pipe)
        writer.join(10)
        assert not writer.is_alive()


def test_an_illegal_move_is_told_of_the_game_whose_moves_these_are(tmp_path: Path) -> None:
    """Headers alone could be those of chess or of checkers; the first move says which."""
    for moves, words in (
        ("1. e4 e5 2. Kd4", "move 2: 'Kd4' is not a legal move in chess"),
        ("1. 11-15 9-9", "checkers"),
    ):
        (tmp_path / "game.txt").write_text(f'[Event "x"]\n\n{moves} 1-0\n')
        with pytest.raises(BadInput, match=words) as told:
            read_game(tmp_path / "game.txt")
        assert "; as " not in str(told.value)
