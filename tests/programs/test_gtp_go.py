"""GTP of Go, line by line: every command, what is refused and why, and GNU Go as an opponent."""

from __future__ import annotations

import os
import shutil

import pytest

from plywright.arena.lineup import make_player
from plywright.arena.referee import play_game
from plywright.games.go import Go
from plywright.players import Mode, Player
from plywright.players.searching import SearchPlayer
from plywright.players.simple import FirstPlayer
from plywright.programs import gtp
from plywright.programs.gtp_go import GoServer

GAME = Go(size=5)
PATH = f"{os.environ.get('PATH', '')}:/usr/games"


def served(lines: list[str], player: Player | None = None, game: Go = GAME) -> list[str]:
    """The answers, without their signs and empty lines: `= ...` or `? ...`."""
    out: list[str] = []
    gtp.serve(game, player or FirstPlayer(), iter([*lines, "quit"]), out.append)
    return [text.strip() for text in out[:-1]]


def test_a_game_from_its_board_to_its_score() -> None:
    lines = ["1 boardsize 5", "komi 0.5", "clear_board", "play b c3", "play W pass", "genmove black", "2 showboard"]
    out = served(
        [*lines, "undo", "known_command final_score", "known_command dance", "list_commands", "protocol_version"]
    )
    assert out[:6] == ["=1", "=", "=", "=", "=", "= A1"]
    assert "3 . . X . ." in out[6] and "1[X]. . . ." in out[6] and "komi 0.5" in out[6]
    assert out[7:10] == ["=", "= true", "= false"]
    named = "boardsize clear_board komi play genmove undo final_score final_status_list time_settings time_left"
    assert set(f"{named} fixed_handicap showboard known_command".split()) <= set(out[10].removeprefix("= ").split())
    assert out[11] == "= 2"


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("play b z9", "? illegal move: 'z9' is no point of a board of 5x5"),
        ("play b t19", "? illegal move: 't19' is no point of a board of 5x5"),
        ("play b i3", "? illegal move: 'i3' is no point of a board of 5x5"),
        ("play w c3", "? illegal move: there is a stone on that point"),
        ("play red c4", "? invalid color"),
        ("play", "? syntax error"),
        ("play b", "? syntax error"),
        ("quit now", "? syntax error"),
        ("boardsize", "? syntax error"),
        ("boardsize four", "? syntax error"),
        ("boardsize 4", "? unacceptable size"),
        ("boardsize 999999999999", "? unacceptable size"),
        ("komi much", "? syntax error"),
        ("komi 0.3", "? unacceptable komi: komi must be whole or half points"),
        ("genmove", "? syntax error"),
        ("fixed_handicap 2", "? invalid number of stones: a board of 5x5 has no handicap stones"),
        ("set_free_handicap a1", "? bad vertex list"),
        ("set_free_handicap a1 a2", "? board not empty"),
        ("final_status_list asleep", "? syntax error: the statuses are alive, dead, seki"),
        ("time_settings 1 2", "? syntax error"),
        ("time_settings a b c", "? syntax error"),
        ("time_left b x 0", "? syntax error"),
        ("dance", "? unknown command"),
        ("do_play b a1", "? unknown command"),
        ("\x00\x1b[2J", "? unknown command"),
        ("²", "? unknown command"),
    ],
)
def test_what_is_refused_and_why(line: str, answer: str) -> None:
    out = served(["play b c3", line, "genmove w"])
    assert out[1].startswith(answer) and out[2] == "= A1"  # and nothing has changed


def test_either_colour_may_move_and_a_pass_that_was_added_is_undone_with_its_move() -> None:
    out = served(["play b c3", "play b c4", "genmove b", "undo", "undo", "undo", "undo", "genmove w"])
    assert out == ["=", "=", "= A1", "=", "=", "=", "? cannot undo", "= A1"]
    over = served(["play b pass", "play w pass", "play b c3", "genmove b"])
    assert over[2:] == ["? illegal move: the game is over", "= pass"]


def test_ko_is_refused_in_words() -> None:
    moves = ["b b4", "w c4", "b a3", "w d3", "b b2", "w c2", "b c3", "w b3"]  # White is about to take c3 ...
    out = served([f"play {move}" for move in moves] + ["play b c3"])
    assert out[-2:] == ["=", "? illegal move: it would repeat a position of the game (ko)"]


def test_handicaps() -> None:
    nine = Go(size=9)
    out = served(
        ["fixed_handicap 4", "genmove b", "fixed_handicap 2", "clear_board", "place_free_handicap 5"], game=nine
    )
    assert out[0] == "= C3 G7 C7 G3" and out[1] == "= A1" and out[2] == "? board not empty" and out[4].endswith("E5")
    assert len(Go(size=19).handicap_points(9)) == 9 and len(set(Go(size=13).handicap_points(7))) == 7
    assert [Go(size=19).point_name(point) for point in Go(size=19).handicap_points(2)] == ["d4", "q16"]
    assert served(["fixed_handicap 3"], game=nine) == ["= C3 G7 C7"]  # as GNU Go has it: upper left, not lower right
    assert served(["set_free_handicap A1 B2", "genmove w"])[1] == "= B1"


def test_control_characters_are_discarded_and_a_period_without_stones_is_no_limit() -> None:
    assert served(["\x07\x011\x00 known_comm\x7fand\tplay\r"]) == ["=1 true"]
    server = GoServer(GAME, FirstPlayer())
    server.do_time_settings("0", "10", "0")
    assert server.clock == [None, None]
    server.do_time_settings("0", "10", "5")
    assert server.clock[0] is not None and server.clock[0].mode == Mode("move", 2.0)


def test_dead_stones_scores_and_a_real_player() -> None:
    setup = ["play b " + point for point in ("a4", "b4", "d5", "d4", "e4", "c3", "a2", "b2", "c2", "d2")]
    lines = [*setup, "play w a5", "final_status_list dead", "final_status_list seki", "final_score", "komi 0"]
    out = served(
        [*lines, "final_score", "reg_genmove b", "final_status_list alive"], SearchPlayer("mcts", simulations=50)
    )
    assert out[11] == "= A5" and out[12] == "=" and out[13] == "= B+17.5" and out[15] == "= B+25"
    assert out[16].startswith("= ") and "A5" not in out[17] and "A4 B4" in out[17].replace("\n", " ")


@pytest.mark.skipif(shutil.which("gnugo", path=PATH) is None, reason="GNU Go is not installed")
@pytest.mark.parametrize("seat", [0, 1])
def test_gnu_go_plays_a_whole_game(seat: int) -> None:
    gnugo = f"{shutil.which('gnugo', path=PATH)} --mode gtp --level 1 --chinese-rules --capture-all-dead"
    program = make_player(f"gtp:{gnugo}?isolation=limits", GAME)
    players: list[Player] = [program, SearchPlayer("mcts", simulations=50)]
    try:
        record = play_game(GAME, players if seat == 0 else players[::-1], mode=Mode.parse("move:20s"), seed=1)
    finally:
        program.close()
    assert record.termination == "normal" and record.payoffs is not None
