"""SGF: what is written is read back, main lines are found among variations, and what is damaged is named."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import pytest

from plywright import BadInput
from plywright.errors import SkippedNote
from plywright.games.go import Go
from plywright.players.playing import Playing
from plywright.rng import below, seeded

GAME = Go(size=5, komi=0.5)


@pytest.mark.parametrize("seed", range(5))
def test_a_game_that_is_written_is_read_back(seed: int) -> None:
    rng, playing = seeded(seed), Playing(GAME)
    while not playing.is_over() and playing.ply < 60:
        legal = playing.legal()
        playing.step(legal[below(rng, len(legal))])
    text = GAME.format_game(GAME.start_state, playing.actions, "sgf", names=["A]nn", "B\\ob"])
    assert GAME.parse_record(text) == (GAME.start_state, playing.actions)
    assert "PB[A\\]nn]" in text and f"RE[{'?' if not playing.is_over() else GAME.score_text(playing.state)}]" in text


def test_handicap_sides_rectangles_and_passes() -> None:
    start, actions = GAME.parse_record("(;SZ[5]KM[0.5]HA[2]AB[bb][dd];W[cc];B[tt];W[])") or (None, [])
    assert GAME.format_state(start) == "...../.X.../...../...X./..... W"
    assert [GAME.format_action(start, action) for action in actions] == ["c3", "pass", "pass"]
    start, actions = GAME.parse_record("(;SZ[5]AB[aa:ba]AW[ee]PL[B];B[cc];B[cd])") or (None, [])
    assert GAME.format_state(start).startswith("XX.../...../...../...../....O B")
    assert actions[1] == GAME.pass_action  # White passed, and nobody wrote it down


def test_variations_are_skipped_and_that_is_said() -> None:
    text = "(;SZ[5];B[cc](;W[bb](;B[dd])(;B[aa]))(;W[dd](;B[ab])(;B[ac])))"
    with pytest.warns(SkippedNote, match="2 variations were skipped"):
        found = GAME.parse_record(text)
    assert found is not None and len(found[1]) == 3
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert GAME.parse_record("(;SZ[5](;B[cc]))") is not None  # one branch is no variation


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("(;SZ[5];B[cc]", "breaks off"),
        ("(;SZ[5];B[cc", "damaged in node 1"),
        ("(;SZ[5];B[cc];W[cc])", r"move 2 of the game, W\[cc\]: there is a stone"),
        ("(;SZ[5];B[zz])", "outside a board of 5x5"),
        ("(;SZ[5];B[c3])", "two small letters"),
        ("(;SZ[9];B[cc])", "choose go:size=9"),
        ("(;B[cc])", "played on 19x19"),
        ("(;SZ[five];B[cc])", "no number such as 9"),
        ("(;SZ[5]KM[6.5];B[cc])", "choose go:size=5,komi=6.5"),
        ("(;SZ[5]KM[six];B[cc])", "no number such as 7.5"),
        ("(;GM[2]SZ[5];B[cc])", "another game than Go"),
        ("(;SZ[5]AB[cc]AW[cc])", "both put a stone on c3"),
        ("(;SZ[5]PL[red])", "does not say who moves"),
        ("(;SZ[5]HA[two])", "no number of stones"),
        ("(;SZ[5];B[cc];AB[dd])", "node 2 changes the position"),
        ("(;SZ[5];B[cc]W[dd])", "moves of both colours"),
        ("(;SZ[5];B[];W[];B[cc])", "two passes had ended"),
        ("(;SZ[5];B[cc])(;SZ[5])", "one game at a time"),
        ("(;SZ[5];B[ab];W[ee];B[ba];W[aa])", "no liberty"),
        ("(;SZ[5]AB[ab]AW[bb]", "breaks off"),
        ("(; nonsense here)", "damaged"),
    ],
)
def test_what_is_damaged_is_named(text: str, why: str) -> None:
    with pytest.raises(BadInput, match=why):
        GAME.parse_record(text)


@pytest.mark.parametrize(
    ("text", "moves", "mover"),
    [
        ("(;SZ[5]AB[ab]AW[bb];W[cc])", "c3", 1),
        ("(;SZ[5]AB[ab];B[cc])", "c3", 0),
        ("(;SZ[5]HA[2]AB[ab][dd];W[cc])", "c3", 1),
        ("(;SZ[5];W[cc])", "c3", 1),
        ("(;SZ[5]PL[B];W[cc])", "pass c3", 0),
        ("(;SZ[5]KM[];B[cc])", "c3", 0),
    ],
)
def test_who_moves_is_said_by_pl_or_else_by_the_first_move(text: str, moves: str, mover: int) -> None:
    start, actions = GAME.parse_record(text)
    assert start.mover == mover and " ".join(GAME.format_action(start, action) for action in actions) == moves
    assert GAME.parse_record(GAME.format_game(start, actions, "sgf")) == (start, actions)


def test_stones_without_a_liberty_are_named_by_their_point() -> None:
    with pytest.raises(BadInput, match="these stones cannot be a position: the stone on a5 has no liberty"):
        GAME.parse_record("(;SZ[5]AB[ba][ab]AW[aa];B[ee])")


def test_a_ko_that_is_taken_back_at_once_is_named() -> None:
    text = "(;SZ[5]AB[bb][ac][bd]AW[bc][cb][dc][cd]PL[B];B[cc];W[bc])"
    with pytest.raises(BadInput, match="repeat a position"):
        GAME.parse_record(text)


def test_a_file_says_by_itself_that_it_is_go(tmp_path: Path) -> None:
    from plywright.arena.records.game_file import read_game

    path = tmp_path / "game.sgf"
    path.write_text("(;GM[1]SZ[9];B[ee];W[cc])")
    assert read_game(path).game.name == "go"
    path.write_text("(;GM[1]SZ[13];B[ee];W[cc])")
    assert read_game(path).game.name == "go:size=13"
    path.write_text("(;GM[1]SZ[9]KM[6.5];B[ee];W[cc])")
    assert read_game(path).game.name == "go:komi=6.5"
    path.write_text("(;GM[1]SZ[40];B[ee];W[cc])")
    with pytest.raises(BadInput, match="size"):
        read_game(path)
    path.write_text("(;GM[1]SZ[13];B[ee];W[cc])")
    with pytest.raises(BadInput, match="choose go:size=13"):
        read_game(path, "go")


def test_a_move_is_tried_by_itself() -> None:
    """Every legal move was played out for every move of a game, for the rule of superko: seconds for one of 19x19."""
    made = [0]

    class Counting(Go):
        def result(self, state: Any, action: int) -> Any:
            made[0] += 1
            return super().result(state, action)

    game = Counting(size=19)
    moves = ";".join(f"{'BW'[n % 2]}[{'abcdefghijklmnopqrs'[n % 19]}{'acegikmoqs'[n // 19]}]" for n in range(100))
    assert len(game.parse_record(f"(;GM[1]SZ[19]KM[7.5];{moves})")[1]) == 100
    assert made[0] <= 300
