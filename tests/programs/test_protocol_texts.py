"""Protocols as text: squares, games and clocks written and read back, and the program's end line by line."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plywright import BadInput, load_game
from plywright.arena.referee import play_game
from plywright.cli import main
from plywright.games.othello.rules import Othello
from plywright.players import Clock, Mode, Player
from plywright.players.searching import SearchPlayer
from plywright.players.simple import FirstPlayer, RandomPlayer
from plywright.programs import gtp, json_lines, nboard, uci, xy
from plywright.programs.othello_text import from_xy, read_ggf, to_xy, write_ggf

OTHELLO, TIC_TAC_TOE = load_game("othello"), load_game("tic-tac-toe")
FREE = Mode.parse("depth:2")


# -- texts -------------------------------------------------------------------------------------------------------------


def test_the_squares_of_the_line_format() -> None:
    assert (
        to_xy("f5", 8) == "6 4" and to_xy("a1", 8) == "1 8" and to_xy("h8", 8) == "8 1" and to_xy("pass", 8) == "pass"
    )
    assert from_xy(" 6  4\r", 8) == "f5" and from_xy("PASS", 8) == "pass"
    assert all(from_xy(text, 8) is None for text in ("", "0 1", "9 1", "1 9", "6", "f5", "6 4 1", "six four", "-1 2"))


@given(st.integers(0, 63), st.sampled_from([4, 6, 8]))
def test_squares_survive_the_line_format(cell: int, size: int) -> None:
    name = f"{'abcdefgh'[cell % 8]}{cell // 8 + 1}"
    if cell % 8 < size and cell // 8 < size:
        assert from_xy(to_xy(name, size), size) == name


@given(st.integers(0, 10**6), st.sampled_from(["depth:4", "move:2s", "budget:90s+3s"]))
def test_a_game_survives_ggf(seed: int, mode: str) -> None:
    game = Othello(size=4)
    record = play_game(game, [RandomPlayer(), RandomPlayer()], mode=FREE, seed=seed, move_limit=8)
    state, played = game.start_state, []
    for ply in record.plies:
        played.append((ply.seat, game.format_action(state, ply.action)))
        state = game.coerce_state(game.result(state, ply.action))
    seat = int(game.to_move(state))
    clock = Clock(Mode.parse(mode), 1.25 if not mode.startswith("depth") else float("inf"))
    text = write_ggf(game, game.start_state, played, seat, clock)
    found, read = read_ggf(game, text)
    assert found == state and "\n" not in text
    assert (
        (read is None)
        if mode.startswith("depth")
        else (read is not None and (read.mode, read.left) == (clock.mode, 1.25))
    )


# -- the program's end, line by line -----------------------------------------------------------------------------------


def served(serve: Callable[..., None], game: Any, lines: list[str], player: Player | None = None) -> list[str]:
    out: list[str] = []
    serve(game, player or FirstPlayer(), lines, out.append)
    return out


def test_a_game_of_a_file_is_known_by_the_name_of_the_file(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    assert main(["new", str(file)]) == 0
    game = load_game(str(file))
    for asked, kind in (("./mine.py", "hello"), ("mine.py", "hello"), ("./other.py", "error"), ("othello", "error")):
        out = served(json_lines.serve, game, [json.dumps({"type": "hello", "protocol": 1, "game": asked})])
        assert json.loads(out[0])["type"] == kind, asked


def test_uci_line_by_line() -> None:
    lines = ["uci", "isready", "xyzzy", "ucinewgame", "position startpos moves b2", "go movetime 50", "isready"]
    out = served(uci.serve, TIC_TAC_TOE, [*lines, "position startpos moves b2 b2", "quit"])
    assert out[0].startswith("id name") and "uciok" in out and out.count("readyok") == 2
    assert "bestmove a1" in out and any(line.startswith("info string move") or "b2" in line for line in out)
    state = TIC_TAC_TOE.format_state(TIC_TAC_TOE.play_moves(TIC_TAC_TOE.start_state, "a1"))
    assert "bestmove b1" in served(uci.serve, TIC_TAC_TOE, [f"position fen {state}", "go depth 1"])


@pytest.mark.parametrize("digits", [20, 400, 5000])
def test_numbers_without_end_cost_no_server_its_life(digits: int) -> None:
    number = "9" * digits
    for line in (f"go depth {number}", f"go movetime {number}", f"go wtime {number} winc -{number}"):
        out = served(uci.serve, TIC_TAC_TOE, [line, "stop", "isready"])
        assert out == ["bestmove a1", "readyok"]
    lines = [f"1 time_left b 10 {number}", f"2 time_settings 0 1 {number}", "3 time_settings nan 0 0"]
    out = served(gtp.serve, TIC_TAC_TOE, [*lines, "4 time_left b 1e999 0", f"5 time_settings {number} 0 0", "6 name"])
    assert [line.split()[0] for line in out] == ["?1", "?2", "?3", "?4", "?5", "=6"]


def test_no_name_of_a_book_costs_the_server_its_life() -> None:
    for name in ("a\0b", "\ud800", "/dev/zero", "/", ""):
        out = served(uci.serve, load_game("chess"), [f"setoption name BookFile value {name}", "isready"])
        assert out[-1] == "readyok", name
    told = served(uci.serve, load_game("chess"), ["setoption name BookFile value a\0b"])
    assert told == ["info string the book 'a\\x00b' cannot be read: no file can have that name"]


def test_uci_serves_neither_secrets_nor_dice() -> None:
    with pytest.raises(BadInput, match="hides some"):
        served(uci.serve, load_game("kuhn"), [])
    assert served(uci.serve, load_game("backgammon"), ["go depth 1"]) == ["bestmove (none)"]


def test_a_view_in_json_is_held_to_the_rules_whatever_the_game() -> None:
    with pytest.raises(BadInput, match="same cell"):
        json_lines.read_view(TIC_TAC_TOE, {"view": [7, 7]}, 0)
    assert json_lines.read_view(TIC_TAC_TOE, {"view": [1, 2]}, 0) == (1, 2)
    game = load_game("kuhn")
    state = game.start_state
    while game.at_chance(state):
        state = game.coerce_state(game.result(state, game.choices(state)[0]))
    seen = json_lines.read_view(game, {"state": game.format_state(state)}, 0)
    assert seen == game.observation(state, 0) != state


def test_uci_stops_an_endless_search_when_told() -> None:
    game = load_game("connect-four")
    out = served(uci.serve, game, ["position startpos moves 4 4", "go infinite", "stop"], SearchPlayer("pvs"))
    assert sum(line.startswith("bestmove") for line in out) == 1


@pytest.mark.parametrize(
    ("line", "mode", "left"),
    [
        ("depth 5", "depth:5", float("inf")),
        ("nodes 900", "nodes:900", float("inf")),
        ("movetime 250", "move:0.25s", 0.25),
        ("wtime 9000 btime 4000 winc 100 binc 200", "budget:4s+0.2s", 4.0),
        ("wtime 9000 btime 4000 movestogo 1", "move:4s", 4.0),
        ("infinite", "move:86400s", 86400.0),
        ("ponder searchmoves e2e4 depth x", "move:86400s", 86400.0),
    ],
)
def test_uci_clocks(line: str, mode: str, left: float) -> None:
    clock = uci.read_go(line, 1)
    assert (str(clock.mode), clock.left) == (mode, left)


def test_gtp_line_by_line() -> None:
    lines = ["1 name", "2 boardsize 8", "3 boardsize 9", "4 clear_board", "play black f5", "5 play black d6"]
    lines += [
        "6 genmove white",
        "undo",
        "7 known_command genmove",
        "8 dance",
        "9 play",
        "10 final_score",
        "11 quit",
        "12 name",
    ]
    out = served(gtp.serve, OTHELLO, lines)
    assert out[0] == "=1 Plywright first\n" and out[2] == "?3 unacceptable size\n" and out[4].startswith("= ")
    assert out[5] == "?5 illegal move: it is white's turn\n" and out[6] == "=6 F4\n" and out[8] == "=7 true\n"
    assert out[9:12] == ["?8 unknown command\n", "?9 syntax error\n", "?10 cannot score\n"] and len(out) == 13


def test_nboard_line_by_line() -> None:
    start = write_ggf(OTHELLO, OTHELLO.start_state, [(0, "f5")], 1, Clock(FREE))  # type: ignore[arg-type]
    lines = ["nboard 2", "what is this", "set depth 3", f"set game {start}", "ping 7", "go", "ping 8", "move D6/1.00/2"]
    out = served(nboard.serve, OTHELLO, [*lines, "move A1", "hint 1", "quit", "ping 9"])
    assert out[0].startswith("set myname") and "pong 7" in out and "pong 8" in out and "pong 9" not in out
    assert any(line.startswith("=== F4/") for line in out) and any(line.startswith("search ") for line in out)
    assert any(line.startswith("status move 1: 'a1'") for line in out)


def test_xy_line_by_line() -> None:
    assert served(xy.serve, OTHELLO, ["game black 4 0 0"]) == ["4 6"]  # d3, the first of the rules
    assert served(xy.serve, OTHELLO, ["game white 0 5 0", "6 4"]) == ["6 5"]
    assert served(xy.serve, OTHELLO, ["game white 0 0 90 moves 6 4 6 5", "5 6"]) != []
    with pytest.raises(BadInput, match="is not a legal move"):
        served(xy.serve, OTHELLO, ["game white 0 5 0", "1 1"])
    with pytest.raises(BadInput, match="should be: game"):
        served(xy.serve, OTHELLO, ["game purple"])


def test_remarks_in_xy_are_no_part_of_a_move() -> None:
    lines = ["# a game", "game white 0 5 0 # ours", "   # thinking", "6 4 # the first of four"]
    assert served(xy.serve, OTHELLO, lines) == ["6 5"]


def test_json_line_by_line() -> None:
    def go(**more: Any) -> str:
        return json.dumps({"type": "go", "id": 5, "seat": 0, "clock": {"mode": "depth:2"}, "unknown": [1], **more})

    state = TIC_TAC_TOE.format_state(TIC_TAC_TOE.start_state)
    lines = [
        '{"type": "hello", "game": "chess"}',
        '{"type": "hello"}',
        "nonsense",
        '["list"]',
        '{"type": "ping", "id": 3}',
    ]
    lines += [
        '{"type": "new", "seat": 1, "seed": 4}',
        '{"type": "dance"}',
        go(state=state),
        go(state="?"),
        '{"type": "bye"}',
    ]
    out = [json.loads(line) for line in served(json_lines.serve, TIC_TAC_TOE, [*lines, '{"type": "ping"}'])]
    assert [message["type"] for message in out] == ["error", "hello", "error", "error", "pong", "move", "error"]
    assert "tic-tac-toe, not chess" in out[0]["message"] and out[5] == {"type": "move", "id": 5, "move": "a1"}


@pytest.mark.parametrize(
    ("name", "actions", "why"),
    [
        ("tic-tac-toe", [4, 99], "the action 99 is not legal in tic-tac-toe here: legal are 0, 1, 2, 3, 4, 5, 6, 7, 8"),
        ("othello", [0], "the action 0 is not legal in othello here"),
        ("kuhn", [0, 2], "the action 2 is not legal in kuhn here"),
        ("tic-tac-toe", [4, 4], "each legal action once"),
        ("tic-tac-toe", [4.5], "a whole number"),
        ("tic-tac-toe", [True], "a whole number"),
        ("tic-tac-toe", ["4"], "a whole number"),
        ("tic-tac-toe", "48", "actions must be a list"),
        ("tic-tac-toe", [-1], "a whole number"),
    ],
)
def test_actions_in_json_are_held_to_the_rules(name: str, actions: Any, why: str) -> None:
    game = load_game(name)
    state = game.start_state
    while game.at_chance(state):
        state = game.coerce_state(game.result(state, game.choices(state)[0]))
    go = {"type": "go", "id": 7, "seat": 0, "state": game.format_state(state)}
    honest = game.choices(state)[1:]
    lines = [json.dumps({**go, "actions": actions}), json.dumps({**go, "actions": honest})]
    refused, played = (json.loads(line) for line in served(json_lines.serve, game, lines))
    assert (refused["type"], refused["id"]) == ("error", 7) and why in refused["message"], refused
    assert played == {"type": "move", "id": 7, "move": game.format_action(state, honest[0])}


def test_actions_in_json_are_refused_where_nobody_is_to_move() -> None:
    state = TIC_TAC_TOE.start_state
    for action in (0, 3, 1, 4, 2):
        state = TIC_TAC_TOE.coerce_state(TIC_TAC_TOE.result(state, action))
    go = {"type": "go", "state": TIC_TAC_TOE.format_state(state), "actions": [5]}
    (refused,) = served(json_lines.serve, TIC_TAC_TOE, [json.dumps(go)])
    assert "nobody is to move" in json.loads(refused)["message"]


DEEP = "[" * 5000 + "]" * 5000
MALFORMED = [
    *(
        '{"type": "go"}',
        '{"type": "go", "id": {}, "seat": "x"}',
        '{"type": "go", "seat": -1}',
        '{"type": "go", "seat": 1e9}',
    ),
    *('{"type": "go", "view": 3}', '{"type": "go", "view": {}}', '{"type": "go", "view": [[[]]]}'),
    *('{"type": "go", "view": [1, "x"]}', '{"type": "go", "view": [1e999, NaN]}', '{"type": "go", "view": null}'),
    f'{{"type": "go", "view": {DEEP}}}',
    f'{{"type": "go", "view": [{"9" * 400}, 0]}}',
    f'{{"type": "go", "view": {{"cards": {DEEP}}}}}',
    *('{"type": "go", "state": 3}', '{"type": "go", "state": ["x"]}', '{"type": "go", "state": "GOOD", "clock": 7}'),
    *(
        '{"type": "go", "state": "GOOD", "clock": {"mode": 3}}',
        '{"type": "go", "state": "GOOD", "clock": {"left": "x"}}',
    ),
    '{"type": "go", "state": "GOOD", "clock": {"left": -1}}',
    *('{"type": "go", "state": "GOOD", "actions": 5}', '{"type": "go", "state": "GOOD", "actions": [1e999]}'),
    *('{"type": "go", "state": "GOOD", "actions": [[]]}', '{"type": "go", "state": "GOOD", "history": 3}'),
    *('{"type": "go", "state": "GOOD", "history": [3]}', '{"type": "new", "seat": []}', '{"type": "new", "seed": -1}'),
    *(DEEP, "{", "null", "3", '"text"', '{"type": []}', "\x00", '{"type": "hello", "game": [1]}'),
]


@pytest.mark.parametrize("name", ["tic-tac-toe", "kuhn"])
@pytest.mark.parametrize("line", MALFORMED, ids=lambda line: line[:60].replace("\x00", "NUL"))
def test_a_malformed_message_is_answered_and_ends_nothing(name: str, line: str) -> None:
    game = load_game(name)
    line = line.replace("GOOD", game.format_state(game.start_state))
    out = [json.loads(text) for text in served(json_lines.serve, game, [line, '{"type": "ping", "id": 3}'])]
    assert out[-1] == {"type": "pong", "id": 3}
    assert [message["type"] for message in out[:-1]] == ["error"] or line == '{"type": []}', out
    assert all(message["message"] and len(message["message"]) < 2000 for message in out[:-1])
