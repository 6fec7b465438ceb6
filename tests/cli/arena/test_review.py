"""`plywright review`: what every move lost, by whichever file a game lies in; damaged files are named and refused."""

from __future__ import annotations

import itertools
import json
import os
import re
import signal
import threading
import time
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from plywright.arena.records.game_file import read_game
from plywright.arena.reports.review import Judgement, review
from plywright.arena.schedules.openings import read_moves
from plywright.engine import Limit, search
from plywright.errors import BadInput
from plywright.games import load_game
from plywright.games.chess.rules import Chess
from plywright.outcome_text import difference_text

Invoke = Callable[..., tuple[int, str, str]]
BOARD = "---------------------------O*------*O---------------------------"


def othello_game(plies: int) -> tuple[str, str]:
    """A game of Othello on 4x4, always the last legal move: as a transcript and as GGF."""
    game = load_game("othello:size=4")
    state, actions = game.start_state, []
    while not game.is_terminal(state) and len(actions) < plies:
        actions.append(int(max(game.actions(state))))
        state = game.coerce_state(game.result(state, actions[-1]))
    return game.format_game(game.start_state, actions), game.format_game(game.start_state, actions, "ggf")


def test_every_move_of_a_solved_game_has_its_exact_loss(plywright: Invoke) -> None:
    Path("game.txt").write_text("a1 b2 a2 c3 b1 a3 c1\n")
    status, out, err = plywright("review", "game.txt", "--game", "tic-tac-toe", "--exact", "9", "--json")
    assert status == 0, err
    moves = json.loads(out)["moves"]
    game = load_game("tic-tac-toe")
    state = game.start_state
    for move in moves:
        exact = search(game, state, all_actions=True, depth=9)
        action = game.parse_action(state, move["move"])
        assert move["exact"] and move["value"] == exact.actions[action] and move["best_value"] == exact.value
        assert move["loss"] == exact.value - exact.actions[action]
        state = game.coerce_state(game.result(state, action))
    assert any(move["verdict"] == "blunder" and move["points"] >= 20 for move in moves)


def test_a_transcript_and_ggf_of_one_game_are_judged_alike(tmp_path: Path) -> None:
    text, ggf = othello_game(20)
    (tmp_path / "a.txt").write_text(text)
    (tmp_path / "a.ggf").write_text(ggf)
    by_text = review(read_game(tmp_path / "a.txt", "othello:size=4"), Limit(depth=3), exact=4)
    by_ggf = review(read_game(tmp_path / "a.ggf", "othello:size=4"), Limit(depth=3), exact=4)
    assert by_text == by_ggf
    assert [one.exact for one in by_text[-4:]] == [True] * 4
    assert all(one.values and one.values[one.text] == one.value for one in by_text[-4:])
    assert all(one.loss >= 0 and one.points >= 0 for one in by_text)


def test_the_page_and_the_graph_need_nothing_from_outside(plywright: Invoke) -> None:
    Path("game.txt").write_text(othello_game(20)[0])
    options = ["--game", "othello:size=4", "--depth", "2", "--html", "page.html", "--svg", "graph.svg"]
    status, out, err = plywright("review", "game.txt", *options)
    assert status == 0, err
    page = Path("page.html").read_text()
    assert "{{" not in page and "src=" not in page and "http-equiv" in page and page.count("<svg") >= 1
    assert "figure { margin: 0; min-width: 0; overflow-wrap: anywhere; }" in page, "a line of moves without blanks"
    graph = Path("graph.svg").read_text()
    assert graph.startswith("<svg") and ">ply<" in graph and ">move<" not in graph
    assert "wrote page.html" in out and "lost a move" in out


def test_games_of_a_run_and_of_its_export_can_be_reviewed(plywright: Invoke) -> None:
    players = ["first", "random", "--game", "tic-tac-toe", "--games", "2"]
    assert plywright("match", *players, "--record", "run.db")[0] == 0
    status, _, err = plywright("review", "run.db")
    assert status == 2 and "2 games" in err and "--number" in err
    status, out, _ = plywright("review", "run.db", "--number", "1", "--json", "--depth", "2")
    assert status == 0 and sorted(json.loads(out)["players"]) == ["first", "random"]
    assert plywright("export", "run.db", "--output", "run.jsonl")[0] == 0
    status, again, _ = plywright("review", "run.jsonl", "--number", "1", "--json", "--depth", "2")
    assert status == 0 and json.loads(again)["moves"] == json.loads(out)["moves"]


@pytest.mark.parametrize(
    ("text", "game", "told"),
    [
        ("f5 d6 a1", "othello", "move 3"),
        ("", None, "is empty"),
        ("f5d6", None, "--game"),
        ('{"game": "othello"}', None, "damaged"),
        ('[White "Ann"]\n[Black "Bob"]\n\n1. e4 e5 2. Nf', None, "game.txt: game 1 of the PGN, move 2: 'Nf' is not a"),
        ("(;GM[Othello]PC[x]PB[]PW[]RE[?]TY[8]BO[8 ---------------------------O*------", None, "damaged"),
        ("from nowhere", "othello", "a colon"),
        ("f5\nf5\n", "othello", "2 games"),
    ],
)
def test_what_is_no_game_is_refused_in_one_line(plywright: Invoke, text: str, game: str | None, told: str) -> None:
    Path("game.txt").write_text(text)
    status, out, err = plywright("review", "game.txt", *(["--game", game] if game else []))
    assert (status, out) == (2, "") and told in err and "bug" not in err and len(err.splitlines()) == 1


def test_of_a_file_of_several_games_one_is_named(tmp_path: Path) -> None:
    pgn = tmp_path / "two.pgn"
    pgn.write_text('[White "A"]\n\n1. e4 {is\n[best]} e5 1-0\n\n[White "B"]\n[Black "C"]\n\n1. d4 *\n')
    pdn = tmp_path / "two.pdn"
    pdn.write_text('[White "A"]\n\n1. 11-15 *\n\n[White "B"]\n\n1. 12-16 24-20 *\n')
    ggf = tmp_path / "two.ggf"
    othello = load_game("othello")
    lines = ("f5", "f5d6c3")
    ggf.write_text(
        "\n".join(othello.format_game(othello.start_state, read_moves(othello, one)[0].actions, "ggf") for one in lines)
    )
    for path, game, lengths in ((pgn, "chess", [2, 1]), (pdn, "checkers", [1, 2]), (ggf, "othello", [1, 3])):
        with pytest.raises(BadInput, match="there are 2 games: say which, --number 1"):
            read_game(path)
        with pytest.raises(BadInput, match="there is no game 3: there are 2"):
            read_game(path, game, 3)
        with pytest.raises(BadInput, match=r"^[^;]*there is no game 3: there are 2$"):
            read_game(path, number=3)
        assert [len(read_game(path, number=number).actions) for number in (1, 2)] == lengths
        assert read_game(path, game, 2).actions == read_game(path, number=2).actions


PLAIN = {
    "tags, then none": '[White "a"]\n\n1. e4 e5 1-0\n\n1. d4 Nf6 0-1\n',
    "no tags": "1. e4 e5 1-0\n\n1. d4 d5 1/2-1/2\n",
    "no results": "1. e4 e5 (1... d5 2. exd5) {1. c4 1-0}\n1. d4 d5 2. c4\n",
    "tags after none": '1. e4 e5 1-0\n[Result "1-0"]\n\n1. d4 d5 1-0',
    "old line ends": "1. e4 e5 1-0 ; 1. a4\r1. d4 d5 *\r",
}


@pytest.mark.parametrize("kind", PLAIN)
@pytest.mark.parametrize("given", [None, "chess"])
def test_games_without_headers_of_their_own_are_games(tmp_path: Path, kind: str, given: str | None) -> None:
    """The first of them was reviewed without a word."""
    path, chess = tmp_path / "two.pgn", load_game("chess")
    path.write_bytes(PLAIN[kind].encode())
    with pytest.raises(BadInput, match="there are 2 games: say which, --number 1"):
        read_game(path, given)
    first, second = (read_game(path, given, number).actions for number in (1, 2))
    assert chess.format_action(chess.start_state, first[0]) == "e4" and len(first) == 2
    assert chess.format_action(chess.start_state, second[0]) == "d4" and len(second) >= 2
    with pytest.raises(BadInput, match=r"two.pgn: there is no game 3: there are 2$"):
        read_game(path, given, 3)


@pytest.mark.parametrize(
    ("text", "game", "plies"),
    [
        ('[White "a"]\n\n1. e4 e5 1-0\n', "chess", 2),
        ('[White "a"]\n\n1. e4 {1-0\n1. d4} e5 1-0 1-0\n', "chess", 2),
        ('[White "a"]\n\n1. 11-15 *\n', "checkers", 1),
        ("(;SZ[5]\n;B[cc];W[aa])\n", "go:size=5", 2),
    ],
)
def test_lines_of_one_game_are_no_games(tmp_path: Path, text: str, game: str, plies: int) -> None:
    path = tmp_path / "game.txt"
    path.write_text(text)
    for given in [game] if ":" in game else [game, None]:
        assert [len(read_game(path, given, number).actions) for number in (None, 1)] == [plies, plies]
        for number in (2, 5):
            with pytest.raises(BadInput, match=f"there is no game {number}: there is 1"):
                read_game(path, given, number)


def test_a_record_of_another_game_is_named_as_that(tmp_path: Path) -> None:
    path = tmp_path / "game.pgn"
    path.write_text('[White "a"]\n[Black "b"]\n\n1. e4 e5 1-0\n')
    for number in (None, 1):
        with pytest.raises(BadInput, match="this is a game of chess, not of othello: --game chess reads it"):
            read_game(path, "othello", number)
    path.write_text("f5 d6\nf5 f6\n")
    with pytest.raises(BadInput, match="there are 2 games"):
        read_game(path, "othello")


def test_games_with_countless_tags_are_refused_at_once(tmp_path: Path) -> None:
    path = tmp_path / "game.pgn"
    path.write_text('[A "x"]\n' * 20_000 + "\n1. e4 *\n")
    for game, told in (("chess", "more than 1,000 headers"), ("checkers", "more than 1,000 tags")):
        with pytest.raises(BadInput, match=told):
            read_game(path, game)


def test_files_are_not_written_over_one_another_or_over_the_game(plywright: Invoke) -> None:
    text, quick = "1. e4 e5 *\n", ["--depth", "1", "--exact", "0"]
    Path("g.pgn").write_text(text)
    Path("link.html").symlink_to("g.pgn")
    Path("hard.html").hardlink_to("g.pgn")
    for options, told in [
        (["--html", "g.pgn"], "--html g.pgn would overwrite g.pgn"),
        (["--html", "link.html"], "--html link.html would overwrite g.pgn"),
        (["--svg", "hard.html"], "--svg hard.html would overwrite g.pgn"),
        (["--html", "s.html", "--svg", "./s.html"], "--svg s.html would overwrite --html"),
    ]:
        status, _, err = plywright("review", "g.pgn", *quick, *options)
        assert status == 2 and told in err and len(err.splitlines()) == 1
    assert Path("g.pgn").read_text() == text and not Path("s.html").exists()
    status, _, err = plywright("review", "g.pgn", *quick, "--html", "/dev/null", "--svg", "/dev/null")
    assert status == 0, err
    status, _, err = plywright("review", "g.pgn", *quick, "--html", "/dev/full")
    assert status == 2 and "No space left on device: /dev/full" in err


def test_what_looks_like_a_place_of_the_page_is_text(plywright: Invoke) -> None:
    Path("{{moves}}.pgn").write_text("1. e4 e5 *\n")
    status, _, err = plywright("review", "{{moves}}.pgn", "--depth", "1", "--exact", "0", "--html", "page.html")
    assert status == 0, err
    assert "<h1>Review: chess, {{moves}}.pgn" in Path("page.html").read_text()


@pytest.mark.parametrize(
    ("text", "names"),
    [
        (f"(;GM[Othello]PC[x]PB[Ann]PW[Bob]RE[?]TY[8]BO[8 {BOARD} *]B[F5]W[D6];)", ["Ann", "Bob"]),
        ('[White "Ann"]\n[Black "Bob \\\\ Co"]\n\n1. e4 e5 *\n', ["Ann", "Bob \\ Co"]),
        ('[White "?"]\n[Black "Bob"]\n\n1. e4 e5 *\n', ["", "Bob"]),
        ('[White "?"]\n[Black "?"]\n\n1. e4 e5 *\n', []),
        ('[GameType "21"]\n[White "Ann"]\n[Black "Bob"]\n\n1. 11-15 22-18 *\n', ["Bob", "Ann"]),
        ("(;GM[1]SZ[5]PB[Ann]PW[Bo\\]b];B[cc];W[bb])", ["Ann", "Bo]b"]),
    ],
)
def test_the_players_are_called_what_the_file_calls_them(tmp_path: Path, text: str, names: list[str]) -> None:
    (tmp_path / "game.txt").write_text(text)
    assert list(read_game(tmp_path / "game.txt", "go:size=5" if "SZ[5]" in text else None).names) == names


def test_games_without_end_are_refused_at_once(plywright: Invoke, tmp_path: Path) -> None:
    """A comment that nobody closes was looked for from each of its signs, and a device was read for ever."""
    text = tmp_path / "game.pgn"
    text.write_text("1. " + "{" * 300_000)
    with pytest.raises(BadInput, match="a comment that nobody closes"):
        read_game(text, "chess")
    many = tmp_path / "many.pgn"
    many.write_text('[Event "x"]\n\n1. e4 *\n\n' * 20_000)
    with pytest.raises(BadInput, match="there are 20000 games"):
        read_game(many, "chess")
    for given in ("/dev/zero", "/dev/urandom"):
        with pytest.raises(BadInput, match="larger than 64 MB"):
            read_game(Path(given), "chess")
    for number in ("0", "-1"):
        status, _, err = plywright("review", str(many), "--game", "chess", "--number", number)
        assert status == 2 and f"there is no game {number}" in err


@pytest.mark.parametrize("game", ["1. e4 e5 1-0 ", "1. 11-15 1-0 ", "1. e4 {best} e5 1-0\n"])
def test_many_games_without_headers_are_told_apart_in_linear_time(game: str) -> None:
    """Each game was looked for among all that begin before it: 40,000 of them took a quarter of a minute."""
    began = time.process_time()
    assert load_game("chess").split_records(game * 40_000) == [game] * 40_000
    assert time.process_time() - began < 5


def test_a_report_that_cannot_be_written_costs_no_search(plywright: Invoke, tmp_path: Path) -> None:
    (tmp_path / "g.txt").write_text("f5 d6")
    status, _, err = plywright("review", str(tmp_path / "g.txt"), "--game", "othello", "--html", "/proc/x/r.html")
    assert status == 2 and "there is no folder" in err


def test_losses_are_told_in_what_values_are_told_in() -> None:
    chess, othello = load_game("chess"), load_game("othello")
    assert difference_text(chess, 0.0125, -0.005) == "1.75"  # pawns
    assert difference_text(chess, 1.0, 0.02) == ""  # a missed mate is no number of pawns
    assert difference_text(othello, 12, 4) == "8.00"  # discs


def test_a_missing_file_and_bytes_are_refused(plywright: Invoke, tmp_path: Path) -> None:
    assert "cannot be read" in plywright("review", "none.txt")[2]
    (tmp_path / "bytes.bin").write_bytes(bytes(range(256)))
    assert "no text" in plywright("review", "bytes.bin")[2]


def test_hidden_games_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    path.write_text("p b p")
    with pytest.raises(BadInput, match=r"chance|hides"):
        review(read_game(path, "kuhn"), Limit(depth=1))


def test_a_review_names_the_opening(plywright: Invoke) -> None:
    Path("game.txt").write_text("f5d6c3d3c4")
    options = ["--game", "othello", "--depth", "1", "--exact", "0", "--html", "page.html"]
    status, out, err = plywright("review", "game.txt", *options)
    assert status == 0 and "opening: Tiger" in out, err
    assert "(Tiger)" in Path("page.html").read_text()
    _, out, _ = plywright("review", "game.txt", *options[:-2], "--json")
    assert json.loads(out)["opening"] == "Tiger"


def test_mates_are_told_as_mates_and_are_no_pawns(plywright: Invoke) -> None:
    Path("mate.pgn").write_text("1. f3 e5 2. g4 Qh4# 0-1\n")
    options = ["--nodes", "3000", "--exact", "0", "--html", "page.html"]
    status, out, err = plywright("review", "mate.pgn", *options)
    assert status == 0, err
    rows = {line.split()[0]: line for line in out.splitlines() if line.strip() and line.split()[0].isdigit()}
    assert "mated in 1" in rows["3"] and "blunder" in rows["3"]
    assert "mate in 1" in rows["4"] and "blunder" not in rows["4"]
    assert "mated in 1" in Path("page.html").read_text()
    data = json.loads(plywright("review", "mate.pgn", "--nodes", "3000", "--exact", "0", "--json")[1])
    assert f" {data['moves'][2]['points']:.1f} " in rows["3"] and data["moves"][2]["points"] > 20
    assert data["moves"][2]["distance"] == 2 and data["moves"][3]["distance"] == 1
    pawn, first = load_game("chess").evaluation_unit[0], data["moves"][0]
    assert data["summary"]["0"]["loss"] == first["loss"] and abs(first["loss"]) < 5 * pawn


def test_a_review_fits_eighty_columns_and_says_what_verdicts_follow_from(
    plywright: Invoke, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("plywright.cli.console.out.width", 80)
    Path("game.pgn").write_text(
        "1. e4 e5 2. Nf3 Nc6 3. Bc4 Nd4 4. Nxe5 Qg5 5. Nxf7 Qxg2 6. Rf1 Qxe4+ 7. Be2 Nf3# 0-1\n"
    )
    options = ["--nodes", "2000", "--exact", "0"]
    status, out, err = plywright("review", "game.pgn", *options)
    assert status == 0, err
    moves = json.loads(plywright("review", "game.pgn", *options, "--json")[1])["moves"]
    _, unit, heads, *lines = out.splitlines()
    assert heads.split() == ["ply", "player", "move", "value", "best", "value", "lost", "points", "chance"]
    assert "in pawns" in unit and "pawns" not in "".join(lines)
    for move, line in zip(moves, lines[: len(moves)], strict=True):
        assert line.split()[:3] == [str(move["number"]), ("White", "Black")[move["seat"]], move["move"]]
        assert line.rstrip().endswith(move["verdict"] or "%") and len(line) <= 80
        assert move["best"] == move["move"] or f" {move['points']:.1f} " in line
    assert {"blunder", ""} < {move["verdict"] for move in moves}  # and something in between


@pytest.mark.parametrize(
    ("game", "moves", "unit"),
    [("othello", "f5f6e6f4e3c5c4d6", "discs"), ("connect-four", "4 4 4 3 5 2 6", "")],
)
def test_values_are_told_whole(plywright: Invoke, game: str, moves: str, unit: str) -> None:
    """Values with all the digits of their fractions were cut off by the table."""
    Path("game.txt").write_text(f"{moves}\n")
    options = ["--game", game, "--nodes", "1000", "--exact", "0"]
    status, out, err = plywright("review", "game.txt", *options, "--html", "page.html")
    assert status == 0, err
    assert "…" not in out and (not unit or f"values and what was lost in {unit}" in out)
    page = re.sub(r"<style>.*?</style>|<svg.*?</svg>", "", Path("page.html").read_text(), flags=re.DOTALL)
    assert re.search(r"[+-]\d+\.\d", out) and not re.search(r"\d\.\d{4}", out + page)


@pytest.mark.parametrize("nodes", [500, 2000, 5000])
def test_a_move_is_compared_with_the_best_at_the_same_depth(
    tmp_path: Path, nodes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Othello's four first moves are worth the same: none of them can be a mistake, even where nobody knows why."""
    monkeypatch.setattr("plywright.arena.reports.review._Judge._mirrors", lambda judge, action: False)
    for move in ("d3", "c4", "f5", "e6"):
        (tmp_path / "game.txt").write_text(move)
        judged = review(read_game(tmp_path / "game.txt", "othello"), Limit(nodes=nodes))
        assert judged[0].verdict == "" and judged[0].points < 1, (move, judged[0])


def test_mirror_images_of_the_best_move_lose_nothing(tmp_path: Path) -> None:
    for move in ("f5", "e6"):
        (tmp_path / "game.txt").write_text(move)
        one = review(read_game(tmp_path / "game.txt", "othello"), Limit(nodes=20_000))[0]
        assert one.loss == one.points == 0 and one.best_text == move, one


OPERA = (
    "1. e4 e5 2. Nf3 d6 3. d4 Bg4 4. dxe5 Bxf3 5. Qxf3 dxe5 6. Bc4 Nf6 7. Qb3 Qe7 8. Nc3 c6 9. Bg5 b5 10. Nxb5 cxb5 "
    "11. Bxb5+ Nbd7 12. O-O-O Rd8 13. Rxd7 Rxd7 14. Rd1 Qe6 15. Bxd7+ Nxd7 16. Qb8+ Nxb8 17. Rd8# 1-0\n"
)


def jumps(judged: list[Judgement]) -> list[int]:
    """The plies after which the game is worth something else than before the next one, by 5 points or more."""
    pairs = itertools.pairwise(judged)
    return [one.number for one, after in pairs if 100 * abs(one.chance + after.best_chance - 1) >= 5]


def test_what_a_search_overlooked_is_charged_to_a_move(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Chances came and went between moves that lost nothing: at 12... Rd8 from 5 % to 30 % and back to 2 %."""
    path = tmp_path / "opera.pgn"
    path.write_text(OPERA)
    judged = review(read_game(path), Limit(nodes=3000))
    assert jumps(judged) == []
    assert all(one.loss >= 0 and one.points >= 0 and (one.best != one.action or one.loss == 0) for one in judged)
    fell = 100 * sum(one.best_chance - one.chance for one in judged if one.seat == 1)
    assert fell >= 40 and judged[-1].value == 1
    monkeypatch.setattr("plywright.arena.reports.review._Judge._known", lambda judge, after, played: None)
    assert jumps(review(read_game(path), Limit(nodes=3000)))


def test_a_forced_move_is_worth_what_comes_of_it(tmp_path: Path) -> None:
    """One ply sees nothing wrong with White's only move; the search after it sees the mate."""
    path = tmp_path / "forced.pgn"
    path.write_text('[SetUp "1"]\n[FEN "8/8/8/8/8/p1p3k1/P1Pr4/RB5K w - - 0 1"]\n\n1. Kg1 Rd1# 0-1\n')
    forced, mate = review(read_game(path), Limit(depth=1))
    assert (mate.value, mate.distance) == (1, 1)
    assert (forced.value, forced.distance, forced.loss) == (-1, 2, 0) and forced.line == ("Kg1", "Rd1#")


@pytest.mark.parametrize(
    ("text", "rules"),
    [
        ("1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 5. e4 e5 *", "automatic"),
        ('[FEN "4k3/8/8/8/8/8/8/4K2R w - - 99 80"]\n\n80. Rh2 Kd8 81. Rh3 Kd7 *', "automatic"),
        ('[FEN "4k3/8/8/8/8/8/8/4K2R w - - 149 80"]\n\n80. Rh2 Kd8 81. Rh3 Kd7 *', "none"),
        ("1. e4 e5 *", "claimed"),
    ],
)
@pytest.mark.parametrize("given", [None, "chess"])
def test_a_game_whose_players_did_not_claim_a_draw_is_read(
    tmp_path: Path, text: str, rules: str, given: str | None
) -> None:
    path = tmp_path / "game.pgn"
    path.write_text(text + "\n")
    played = read_game(path, given)
    assert isinstance(played.game, Chess) and played.game.draws == rules
    assert len(played.actions) == len([word for word in text.split("]")[-1].split() if word[0].isalpha()])


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "latin-1", "utf-16"])
def test_a_game_is_read_in_the_usual_encodings(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "game.pgn"
    path.write_bytes('[White "M\xfcller"]\n\n1. e4 e5 2. Nf3 *\n'.encode(encoding))
    assert len(read_game(path).actions) == 3


def test_bytes_that_are_no_text_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "game.pgn"
    path.write_bytes(b"1. e4 e5 \xff\x00\x01")
    with pytest.raises(BadInput, match="no text"):
        read_game(path)


def test_ctrl_c_ends_a_review_and_leaves_files_alone(plywright: Invoke, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("game.txt").write_text("f5d6c3")
    Path("page.html").write_text("old")
    timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))

    def begun(*given: Any, **more: Any) -> list[Judgement]:
        timer.start()
        return review(*given, **more)

    monkeypatch.setattr("plywright.cli.arena.review.review", begun)
    options = ["--game", "othello", "--time", "60", "--exact", "0", "--html", "page.html"]
    status, out, err = plywright("review", "game.txt", *options)
    timer.join()
    assert (status, out) == (130, "") and "stopped after 0 of 3 moves; nothing was written" in err
    assert Path("page.html").read_text() == "old"


def test_a_long_review_says_how_long_it_takes(plywright: Invoke, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("long.txt").write_text("f5 d6 c3 d3 c4")
    now = iter(range(0, 100_000, 40))
    monkeypatch.setattr("plywright.cli.arena.review.time", SimpleNamespace(monotonic=lambda: float(next(now))))
    monkeypatch.setattr("plywright.cli.arena.review.FIRST_SIGN", 0.0)
    monkeypatch.setattr("plywright.cli.console.QUIET_SECONDS", 0.0)
    status, _, err = plywright("review", "long.txt", "--game", "othello", "--depth", "1", "--exact", "0")
    lines = [line for line in err.splitlines() if line.startswith("reviewing")]
    assert status == 0 and lines[1:4] == [
        "reviewing othello: 1 of 5 moves, from the last, about 3 min more",
        "reviewing othello: 2 of 5 moves, from the last, about 2 min more",
        "reviewing othello: 3 of 5 moves, from the last, about 1 min more",
    ]
