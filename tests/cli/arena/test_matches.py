"""match, tournament, replay, report and export as a user types them."""

from __future__ import annotations

import base64
import gzip
import json
import re
import sqlite3
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from plywright.arena import referee
from plywright.arena.heartbeat import Heartbeat
from plywright.cli.arena.standings import short_names
from plywright.games import load_game

Invoke = Callable[..., tuple[int, str, str]]


@pytest.fixture(autouse=True)
def _wide(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "120")


MATCH = ("match", "alphabeta:depth=2", "first", "--game", "tic-tac-toe", "--mode", "depth:2", "--games", "4")


def answer(plywright: Invoke, *arguments: str) -> Any:
    status, out, err = plywright(*arguments, "--json")
    assert status == 0, err
    return json.loads(out)


def complaint(plywright: Invoke, *arguments: str) -> str:
    status, _, err = plywright(*arguments)
    lines = [line for line in err.splitlines() if not line.startswith("compiling")]
    assert status == 2 and len(lines) == 1 and "bug" not in err, err
    return lines[0]


# -- match ------------------------------------------------------------------------------------------------------


def test_a_match_as_json_has_what_was_promised(plywright: Invoke, tmp_path: Path) -> None:
    data = answer(plywright, *MATCH, "--sprt", "0,10")
    promised = ["game", "mode", "games", "wins", "draws", "losses", "elo", "elo_interval", "los", "sprt"]
    promised += ["terminations", "isolation", "seed", "record"]
    assert all(name in data for name in promised)
    assert (data["game"], data["mode"], data["games"], data["wins"]) == ("tic-tac-toe", "depth:2", 4, 4)
    assert data["terminations"] == {"alphabeta:depth=2": {"normal": 4}, "first": {"normal": 4}}
    assert data["sprt"]["verdict"] == "open" and data["sprt"]["bounds"] == [-2.944439, 2.944439]
    assert data["record"] == "tic-tac-toe-match-1.plywright" and (tmp_path / data["record"]).is_file()
    assert data["isolation"] == "in process" and data["elo"] == "inf"


def test_a_match_prints_its_rule_first_and_its_result_last(plywright: Invoke) -> None:
    status, out, _ = plywright(*MATCH, "--openings", "random:2", "--record", "run")
    assert status == 0
    lines = out.splitlines()
    assert lines[0] == "alphabeta:depth=2 v first: stops after 4 games"
    assert "Elo of alphabeta:depth=2" in out and "LOS" in out and "pairs" in out and lines[-1].startswith("record: run")


def test_the_same_command_goes_on_with_the_same_record(plywright: Invoke) -> None:
    first = answer(plywright, *MATCH, "--record", "run")
    assert answer(plywright, *MATCH, "--record", "run") == first
    _, out, _ = plywright(*MATCH, "--record", "run")
    assert "4 games are in run already" in out
    assert "games 4 instead of 6" in complaint(plywright, *MATCH[:-1], "6", "--record", "run")


def test_repeated_games_are_called_so(plywright: Invoke) -> None:
    _, out, _ = plywright(*MATCH, "--openings", "start")
    assert "2 of 4 games are different" in out and "--openings random:8" in out


def test_three_seats(plywright: Invoke) -> None:
    game = str(Path(__file__).parents[2] / "doctor" / "healthy" / "three_in_turn.py")
    data = answer(plywright, "match", "first", "random", "first", "--game", game, "--mode", "depth:1", "--games", "6")
    assert set(data["payoffs"]) == {"first", "random", "first (2)"} and data["games"] == 6
    status, out, _ = plywright(
        *("tournament", "first", "random", "first", "random"),
        *("--game", game, "--mode", "depth:1", "--double", "--record", "run"),
    )
    assert status == 0 and "payoff" in out and "bankroll" in out and "12 of 12 games" in out
    assert plywright("report", "run", "--game", game, "--html", "page.html")[0] == 0


def test_offences_of_programs_are_counted_and_kept_as_they_came(plywright: Invoke, tmp_path: Path) -> None:
    assert plywright("new", "bot.py", "--protocol", "json")[0] == 0
    bot = (tmp_path / "bot.py").read_text().replace("move=choose(message)", "move='zz9'")
    (tmp_path / "bot.py").write_text(bot)
    program = f"pipe:{sys.executable} bot.py?name=broken"
    data = answer(
        plywright,
        *("match", program, "random", "--game", "tic-tac-toe", "--mode", "move:5s", "--games", "2", "--record", "run"),
    )
    assert data["terminations"] == {"broken": {"illegal": 2}, "random": {"normal": 2}} and data["losses"] == 2
    assert "limits" in data["isolation"]
    game = answer(plywright, "replay", "run", "1")
    assert '"move": "zz9"' in game["raw"] and game["termination"] == "illegal" and game["offender"] == 0
    status, out, _ = plywright("report", "run", "--html", "page.html")
    assert status == 0 and "illegal" in out
    (tmp_path / "bot.py").write_text(bot + "\n# another version\n")
    command = ("match", program, "random", "--game", "tic-tac-toe", "--mode", "move:5s", "--games", "2")
    assert "has changed since the run began" in complaint(plywright, *command, "--record", "run")


def test_voids_are_counted_for_each_player_wherever_a_run_is_shown(
    plywright: Invoke, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Too slow while the machine is overloaded: void the first time, a loss the second."""

    class Overloaded(Heartbeat):
        def delay_since(self, moment: float) -> float:
            return 60.0

    monkeypatch.setattr(referee, "heartbeat", Overloaded)
    (tmp_path / "slow.py").write_text(
        "import time\nfrom plywright.players import Player\n\n\nclass Bot(Player):\n"
        "    def choose(self, game, view, seat, clock, rng):\n        time.sleep(0.2)\n"
        "        return next(iter(game.actions(view)))\n"
    )
    played = ("match", "slow.py:Bot", "first", "--game", "tic-tac-toe", "--mode", "move:50ms", "--games", "2")
    status, out, _ = plywright(*played, "--record", "run")
    assert status == 0 and "void attempts 2, 2 by slow.py:Bot, games given up 0" in out
    data = answer(plywright, *played, "--record", "run")
    assert (data["void"], data["voids"], data["losses"]) == (2, {"slow.py:Bot": 2}, 2)
    assert data["terminations"]["slow.py:Bot"] == {"late": 2}
    assert answer(plywright, "report", "run")["voids"] == {"slow.py:Bot": 2}
    status, out, _ = plywright("report", "run", "--html", "page.html")
    assert "void attempts 2, 2 by slow.py:Bot" in plywright("report", "run")[1]
    assert "2 attempts were void and were played again (2 by slow.py:Bot" in (tmp_path / "page.html").read_text()


def test_a_program_that_does_not_speak_is_one_line(plywright: Invoke) -> None:
    found = complaint(plywright, "match", "pipe:echo hi", "random", "--game", "tic-tac-toe", "--json")
    assert "no game could be played" in found and "does not speak json" in found


MISTAKES = [
    (("match", "alphabeta", "nobody", "--game", "othello"), "nobody"),
    (("match", "random", "first", "--game", "otello"), "othello"),
    (("match", "random", "--game", "tic-tac-toe"), "needs 2 players"),
    (("match", "random", "first", "first", "--game", "tic-tac-toe"), "tournament"),
    (("tournament", "random", "--game", "tic-tac-toe"), "at least 2"),
    (("match", "random", "first", "--game", "tic-tac-toe", "--mode", "fast"), "depth:4"),
    (("match", "random", "first", "--game", "tic-tac-toe", "--games", "0"), "at least one game"),
    (("match", "random", "first", "--game", "tic-tac-toe", "--sprt", "5"), "0,10"),
    (("match", "random", "first", "--game", "tic-tac-toe", "--openings", "none.txt"), "no openings file"),
    (("match", "random", "first", "--game", "tic-tac-toe", "--jobs", "0"), "--jobs"),
    (("match", "random", "first", "--game", "tic-tac-toe", "--seed", "-1"), "seed"),
    (("match", "random", "first", "--game", "tic-tac-toe", "--record", "no/such/run"), "no folder"),
    (("replay", "none"), "there is no record"),
    (("report", "none"), "there is no record"),
    (("export", "none"), "there is no record"),
]


@pytest.mark.parametrize(("command", "words"), MISTAKES, ids=[" ".join(command)[:60] for command, _ in MISTAKES])
def test_a_mistake_is_one_clear_line(plywright: Invoke, command: tuple[str, ...], words: str, tmp_path: Path) -> None:
    assert words in complaint(plywright, *command)
    assert not list(tmp_path.iterdir())  # and leaves nothing behind


def test_an_illegal_line_of_an_openings_file_is_named(plywright: Invoke, tmp_path: Path) -> None:
    (tmp_path / "lines.txt").write_text("f5d6\nf5f6\nf5a1\n")
    found = complaint(plywright, "match", "random", "first", "--game", "othello", "--openings", "lines.txt")
    assert "lines.txt, line 3: move 2: 'a1'" in found


def test_a_file_that_is_no_record_is_refused_and_kept(plywright: Invoke, tmp_path: Path) -> None:
    (tmp_path / "notes").write_text("mine " * 1000)
    assert "no record" in complaint(plywright, *MATCH, "--record", "notes")
    assert "no record" in complaint(plywright, "report", "notes")
    assert (tmp_path / "notes").read_text() == "mine " * 1000
    answer(plywright, *MATCH, "--record", "run")
    with sqlite3.connect(tmp_path / "run") as connection:
        connection.execute("PRAGMA user_version = 99")
    connection.close()
    assert "version 99" in complaint(plywright, "replay", "run")


# -- replay, report, export ----------------------------------------------------------------------------------------


@pytest.fixture
def run(plywright: Invoke) -> Invoke:
    """With a match of Othello in the file `run`."""
    plywright(
        *("match", "random", "first", "--game", "othello:size=4", "--games", "4", "--mode", "depth:1"),
        *("--openings", "random:2", "--record", "run"),
    )
    return plywright


def test_games_are_listed_and_replayed(run: Invoke) -> None:
    status, out, _ = run("replay", "run")
    assert status == 0 and "random v first" in out and "first v random" in out
    status, out, _ = run("replay", "run", "2")
    assert out.startswith("game 2: first (Black) v random (White)") and "(opening)" in out and "game over" in out
    data = answer(run, "replay", "run", "2")
    game = load_game("othello:size=4")
    final = game.play_moves(game.start_state, "".join(data["moves"]))
    assert data["states"][-1] == game.format_state(final) and len(data["states"]) == len(data["moves"]) + 1
    assert [game.utility(final, seat) for seat in (0, 1)] == data["payoffs"]
    assert "no game 9" in complaint(run, "replay", "run", "9")
    assert len(answer(run, "replay", "run")["games"]) == 4


def test_values_of_a_replay_are_in_the_unit_of_the_evaluation(plywright: Invoke) -> None:
    command = ("match", "search:depth=1", "random", "--game", "tic-tac-toe", "--games", "1", "--mode", "depth:1")
    assert plywright(*command, "--record", "run")[0] == 0
    assert re.search(r"value \+\d open lines?  depth 1", plywright("replay", "run", "1")[1])


def test_exports_are_complete_and_read_back(run: Invoke, tmp_path: Path) -> None:
    _, out, _ = run("export", "run")
    rows = [json.loads(line) for line in out.splitlines()]
    assert [row["number"] for row in rows] == [1, 2, 3, 4] and all(row["plies"] for row in rows)
    assert run("export", "run", "--output", "-")[1] == out and not (tmp_path / "-").exists()
    assert "name a file" in complaint(run, "export", "run", "--format", "parquet", "--output", "-")
    assert run("export", "run", "--format", "text", "--output", "games.txt")[0] == 0
    text = (tmp_path / "games.txt").read_text().splitlines()
    assert text[0].startswith("# 1: random v first: ") and len(text) == 8
    game = load_game("othello:size=4")
    assert game.is_terminal(game.play_moves(game.start_state, text[1]))
    assert "--format is one of jsonl, parquet, text, ggf" in complaint(run, "export", "run", "--format", "pgn")
    _, out, _ = run("export", "run", "--format", "ggf")
    assert re.fullmatch(
        r"\(;GM\[Othello\]PC\[Plywright\]PB\[random\]PW\[first\]RE\[[+-]\d+\.00\]TY\[4\]"
        r"BO\[4 [-*O]{16} \*\](B\[[A-D0-9P/.]+\]|W\[[A-D0-9P/.]+\])+;\)",
        out.splitlines()[0],
    )


def test_the_report_says_how_it_went(run: Invoke, tmp_path: Path) -> None:
    status, out, _ = run("report", "run")
    assert status == 0 and "how games ended" in out and "mean of a move" in out and "played with plywright" in out
    data = answer(run, "report", "run")
    assert data["times"]["random"]["moves"] > 10 and data["sessions"][0]["python"] and data["games"] == 4


def test_the_page_is_whole_and_needs_nothing(run: Invoke, tmp_path: Path) -> None:
    assert run("report", "run", "--html", "page.html")[0] == 0
    page = (tmp_path / "page.html").read_text()
    assert "default-src 'none'" in page and not re.search(r"(src|href)=.?(https?:)?//", page)
    assert "{{" not in page.replace("{{{", "")
    packed = re.search(r'id="data" type="text/plain">([^<]*)<', page)
    assert packed is not None
    data = json.loads(gzip.decompress(base64.b64decode(packed[1])))
    assert len(data["games"]) == 4
    game = load_game("othello:size=4")
    first = "".join(data["pieces"][number] for number in data["games"][0]["steps"][0]["svg"])
    assert first == game.picture(game.start_state).svg


def test_names_are_escaped_in_the_page(plywright: Invoke, tmp_path: Path) -> None:
    (tmp_path / "a<b>.py").write_text(
        "from plywright.players import Player\n\n\nclass Bot(Player):\n"
        "    def choose(self, game, view, seat, clock, rng):\n        return next(iter(game.actions(view)))\n"
    )
    data = answer(
        plywright,
        *("match", "./a<b>.py:Bot", "random", "--game", "tic-tac-toe", "--mode", "depth:1", "--games", "2"),
        *("--record", "run"),
    )
    assert data["games"] == 2
    assert plywright("report", "run", "--html", "page.html")[0] == 0
    page = (tmp_path / "page.html").read_text()
    assert "a&lt;b&gt;.py" in page and "<b>.py" not in page


@pytest.mark.slow
def test_the_page_steps_through_games_in_a_browser(run: Invoke, tmp_path: Path, chromium: Any) -> None:
    assert run("report", "run", "--html", "page.html")[0] == 0
    moves = answer(run, "replay", "run", "1")["moves"]
    page, problems = chromium.new_page(), []
    page.on("console", lambda message: problems.append(message.text))
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.goto((tmp_path / "page.html").as_uri())
    page.wait_for_selector("#list button")
    assert page.locator("#list button").count() == 4
    page.click("#forward")
    page.click("#forward")
    page.keyboard.press("ArrowLeft")
    assert f": {moves[0]}" in page.text_content("#words") and page.text_content("#where") == f"1 of {len(moves)}"
    assert page.evaluate("document.querySelector('#board svg').namespaceURI") == "http://www.w3.org/2000/svg"
    page.click("#last")
    assert page.is_disabled("#forward") and "game over" in page.inner_html("#board")
    page.close()
    assert not problems


def test_names_that_begin_alike_are_cut_where_they_can_be_told_apart() -> None:
    names = [f"search:knowledge=skirmish-{number}.knowledge" for number in ("01", "10")]
    assert short_names([*names, "random"]) == ["search:k…mish-01.knowledge", "search:k…mish-10.knowledge", "random"]
    assert short_names([names[0], "first"]) == ["search:knowledge=skirmish…", "first"]
    long = "a" * 40
    many = [f"{long}{one}{long}" for one in "123"]
    assert len(set(short_names(many))) == len(many) and max(map(len, short_names(many))) <= 26
    assert short_names([long, long, f"{long}b"]) == [short_names([long, f"{long}b"])[0]] * 2 + [
        f"{'a' * 8}…{'a' * 16}b"
    ]
