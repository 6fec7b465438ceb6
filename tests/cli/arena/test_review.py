"""`plywright review`: what every move lost, by whichever file a game lies in; damaged files are named and refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from plywright.arena.records.game_file import read_game
from plywright.arena.reports.review import review
from plywright.arena.schedules.openings import read_moves
from plywright.engine import Limit, search
from plywright.errors import BadInput
from plywright.games import load_game
from plywright.outcome_text import difference_text

Invoke = Callable[..., tuple[int, str, str]]


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
    assert Path("graph.svg").read_text().startswith("<svg")
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
        ('[White "Ann"]\n[Black "Bob"]\n\n1. e4 e5 2. Nf', None, "as chess: game 1 of the PGN, move 2: 'Nf' is not a"),
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
