"""The command line as a user types it: answers, JSON, and one clear line for every mistake."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from plywright import SearchResult
from plywright.cli.authoring.new import template
from plywright.cli.console import announce_compilations
from plywright.compiled import NO_GAME, settings
from plywright.engine.alphabeta.solve import Progress, collision_odds, solve
from plywright.games import load_game
from plywright.native.compilation import name_of

Invoke = Callable[..., tuple[int, str, str]]


def answer(plywright: Invoke, *arguments: str) -> Any:
    status, out, err = plywright(*arguments, "--json")
    assert status == 0, err
    return json.loads(out)


# -- answers ---------------------------------------------------------------------------------------------------------


def test_best_prints_the_design_s_names_as_one_object(plywright: Invoke) -> None:
    data = answer(plywright, "best", "tic-tac-toe", "--depth", "9", "--algorithm", "alphabeta")
    assert data["game"] == "tic-tac-toe" and data["value"] == 0 and data["proved"] and data["bound"] == "exact"
    assert data["nodes"] == 18297 and data["nodes_per_second"] > 0 and len(data["line"]) == 9


def test_best_shows_a_board_a_value_and_a_line(plywright: Invoke) -> None:
    status, out, _ = plywright("best", "connect-four", "--moves", "4453", "--depth", "4")
    assert status == 0
    assert all(word in out for word in ("best", "value", "line", "nodes", "compiled"))


def test_best_all_gives_every_move_its_value(plywright: Invoke) -> None:
    data = answer(plywright, "best", "nim:heaps=1-2", "--all", "--depth", "9")
    assert sorted(data["actions"].values()) == [-1.0, -1.0, 1.0]
    assert data["tied"] == [data["action"]]


def test_best_takes_threads_and_a_table(plywright: Invoke) -> None:
    status, text, _ = plywright("best", "tic-tac-toe", "--depth", "9", "--threads", "2", "--table", "0.1", "--json")
    assert status == 0 and json.loads(text)["value"] == 0 and json.loads(text)["proved"]
    status, text, _ = plywright("best", "tic-tac-toe", "--moves", "b2 a2 a1 c3 c1", "--depth", "4", "--table", "1")
    assert status == 0 and "this line ends after" in text


def test_the_position_may_come_from_text_and_moves(plywright: Invoke) -> None:
    by_moves = answer(plywright, "best", "othello", "--moves", "f5 d6", "--depth", "3")
    status, out, _ = plywright("best", "othello", "--moves", "f5d6", "--depth", "3", "--json")
    assert status == 0 and json.loads(out)["line"] == by_moves["line"]


def test_moves_may_be_a_whole_game_in_a_notation_of_its_own(plywright: Invoke) -> None:
    game = load_game("othello")
    record = game.format_game(game.start_state, [37, 43], "ggf")
    divided = [answer(plywright, "perft", "othello", "2", "--divide", "--moves", text) for text in (record, "f5d6")]
    assert divided[0]["divide"] == divided[1]["divide"]
    for wrong, words in (
        ([record, "--state", game.format_state(game.start_state)], "leave out --state"),
        ([record.replace("D6", "A1")], "move 2 of the game, W[A1]: 'a1' is not a legal move"),
    ):
        status, _, err = plywright("perft", "othello", "3", "--moves", *wrong)
        assert status == 2 and words in err


def test_a_search_loads_no_referee_and_no_learned_models() -> None:
    """They take longer to load than a short search takes."""
    words = ["best", "tic-tac-toe", "--depth", "1"]
    unwanted = ("plywright.arena", "plywright.players", "plywright.models.linear", "plywright.bridge")
    script = (
        f"import sys, plywright.cli; plywright.cli.main({words}); print(sorted({{*sys.modules}} & {{*{unwanted}}}))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=120, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


def test_perft_counts_and_divides(plywright: Invoke) -> None:
    data = answer(plywright, "perft", "othello", "5", "--divide")
    assert data["lines"] == 1396 == sum(data["divide"].values()) and len(data["divide"]) == 4
    assert "perft 3 = 56" in plywright("perft", "othello", "3")[1]


def test_perft_says_how_many_games_ended_earlier(plywright: Invoke) -> None:
    """Or the count looks wrong beside a published one, which leaves them out in chess."""
    mate = ("perft", "chess", "2", "--moves", "f3 e5 g4")
    every, whole = plywright(*mate)[1], plywright(*mate, "--unfinished")[1]
    assert "perft 2 = 576" in every and "1 of them is a game that ended earlier; --unfinished" in every
    assert "perft 2 = 575" in whole and "ended earlier" not in whole
    divided = answer(plywright, *mate, "--divide")
    assert divided["ended"] == 1 and divided["divide"]["Qh4#"] == 1


def test_games_lists_games_and_figures(plywright: Invoke) -> None:
    data = answer(plywright, "games")
    assert {"othello", "connect-four", "tic-tac-toe"} <= set(data["games"]) and "figure-6.2" in data["figures"]
    assert "othello" in plywright("games")[1]
    told = plywright("games")[1]
    assert "hidden" in told and "sums" in told and "general" in told


def test_tree_reproduces_the_book_s_figure(plywright: Invoke, tmp_path: Path) -> None:
    """The two-ply tree from the command line, in every form."""
    status, out, _ = plywright("tree", "figure-6.2", "--algorithm", "alphabeta", "--steps")
    assert status == 0 and "MIN already has 2 here; MAX has 3 at the root" in out and "value +3, move a1" in out
    data = answer(plywright, "tree", "figure-6.2")
    assert data["action"] == "a1" and data["value"] == 3 and data["trace"]["steps"]
    plywright("tree", "figure-6.2", "--svg", "tree.svg", "--html", "tree.html")
    assert (tmp_path / "tree.svg").read_text().startswith("<svg")
    page = (tmp_path / "tree.html").read_text()
    assert "<script" in page and "http://" not in page.replace("http://www.w3.org/", "") and "https://" not in page


def test_tree_says_where_nothing_is_known(plywright: Invoke) -> None:
    said = plywright("tree", "nim:heaps=3-4-5", "--depth", "2")[1]
    assert "no evaluation, no end of this line within depth 2: its value says nothing" in said
    assert "no evaluation" not in plywright("tree", "nim:heaps=1-1", "--depth", "2")[1]
    assert "no evaluation" not in plywright("tree", "tic-tac-toe", "--depth", "1")[1]


def test_tree_takes_a_tree_typed_on_the_line(plywright: Invoke) -> None:
    data = answer(plywright, "tree", "[5, [[[4,9],3],7]]")
    assert data["value"] == 5


def test_new_writes_a_game_that_plays(plywright: Invoke, tmp_path: Path) -> None:
    assert plywright("new", "mygame.py")[0] == 0
    assert (tmp_path / "mygame.py").read_text() == template("template.py.txt")  # which the doctor's tests find healthy
    code = [line for line in (tmp_path / "mygame.py").read_text().split('"""')[2].splitlines() if line.strip()]
    assert len(code) <= 25
    assert answer(plywright, "best", "./mygame.py", "--depth", "9")["value"] == 0


def test_the_doctor_of_the_command_line_is_the_one_of_python(plywright: Invoke) -> None:
    path = str(Path(__file__).parent.parent / "doctor" / "broken" / "no_utility.py")  # found out before anything runs
    status, out, err = plywright("doctor", path, "--json")
    assert status == 1, out + err
    assert json.loads(out)["healthy"] is False and "utility" in out
    assert "'utility'" in plywright("doctor", path)[1]


def test_the_readme_shows_the_file_that_new_writes(plywright: Invoke, tmp_path: Path) -> None:
    plywright("new", "mygame.py")
    rules = (tmp_path / "mygame.py").read_text().split('"""')[2].strip()
    assert rules in (Path(__file__).parent.parent.parent / "README.md").read_text()


def test_play_a_whole_game(plywright: Invoke) -> None:
    status, out, _ = plywright(
        "play", "tic-tac-toe", "--depth", "9", typed="nonsense\nhint\na1\nundo\na1\nmoves\nquit\n"
    )
    assert status == 0 and "is not a legal move" in out and "hint:" in out
    status, out, _ = plywright("play", "tic-tac-toe", "--seat", "none", "--depth", "9")
    assert status == 0 and "game over: a draw" in out


SHUTTLE = """
from plywright import Game
class Shuttle(Game):
    repetition = ({kind!r}, {times})
    def initial(self): return 0, 2, 0
    def to_move(self, state): return state[2]
    def actions(self, state): yield 0 if state[state[2]] % 2 else 2
    def result(self, state, action):
        if state[2] == 0: return state[0] + action - 1, state[1], 1
        return state[0], state[1] + action - 1, 0
    def is_terminal(self, state): return state[0] > 3
    def utility(self, state, player): return 0
"""


@pytest.mark.parametrize(("kind", "times", "moves"), [("draw", 3, "2 2 0 0 2 2 0 0"), ("forbidden", 2, "2 2 0")])
def test_play_ends_by_repetition(
    plywright: Invoke, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str, times: int, moves: str
) -> None:
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")  # a small game: no need to wait for native code
    (tmp_path / "shuttle.py").write_text(SHUTTLE.format(kind=kind, times=times))
    status, out, err = plywright("play", "./shuttle.py", "--seat", "none", "--depth", "2")
    assert status == 0, err
    assert "game over: a draw by repetition" in out and f"moves: {moves}\n" in out
    status, out, _ = plywright("play", "./shuttle.py", "--depth", "2", typed="moves\n2\nundo\n2\nquit\n")
    assert status == 0 and out.count("player 2 plays 2") == 2
    told = answer(plywright, "best", "./shuttle.py", "--depth", "3", "--moves", moves.rpartition(" ")[0])
    assert told["value"] == 0
    status, _, err = plywright("best", "./shuttle.py", "--depth", "3", "--moves", moves)
    assert status == 2 and "drawn by repetition" in err


def test_bench_measures_one_game(plywright: Invoke) -> None:
    data = answer(plywright, "bench", "tic-tac-toe", "--depth", "9")
    assert data["rows"][0]["nodes"] == 18297


# -- mistakes --------------------------------------------------------------------------------------------------------

GAMES = {
    "raises.py": "import nothing_of_this_name\n",
    "syntax.py": "class (Game):\n",
    "empty.py": "x = 1\n",
    "incomplete.py": "from plywright import Game\nclass G(Game):\n    def initial(self): return 0\n",
    "early.py": "from plywright import Game\nclass G(Game):\n    def __init__(self): raise ValueError('no luck')\n",
}

RULES = """
from plywright import Game
import numpy as np
class G(Game):
    table = np.array([1, 2, 3])
    def initial(self): return 0
    def to_move(self, state): return state % 2
    def actions(self, state):
        {actions}
    def result(self, state, action):
        {result}
        return state + action
    def is_terminal(self, state): return state >= 9
    def utility(self, state, player):
        {utility}
        return 0
    def helper(self, n): return self.helper(n + 1)
"""
NORMAL = {"actions": "yield 1", "result": "pass", "utility": "pass"}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["best", "otello"], "there is no game 'otello'; did you mean othello?"),
        (["best", "./nothing.py"], "there is no file './nothing.py'"),
        (["best", "othello:size=5"], "size=4, 6 or 8"),
        (["best", "othello:colour=red"], "has no parameter 'colour'; it has: size, empties"),
        (["best", "othello", "--state", "XO"], "othello"),
        (["best", "othello", "--moves", "a1"], "move 1: 'a1' is not a legal move in othello here; legal: "),
        (["best", "othello", "--moves", "f5 f5"], "move 2: 'f5'"),
        (["best", "connect-four", "--moves", "99"], "'9'"),
        (["best", "othello", "--time", "0"], "time must be a number of seconds above 0"),
        (["best", "othello", "--threads", "0"], "threads must be a whole number from 1 to"),
        (["best", "othello", "--table", "1e9"], "a table of 1e+09 MB does not fit"),
        (["best", "othello", "--table", "inf"], "a table of inf MB does not fit"),
        (["best", "othello", "--nodes", "9" * 30], "nodes must be at most 2^62"),
        (["best", "backgammon", "--roll", "65", "--threads", "2"], "that is for algorithm 'pvs'"),
        (["best", "othello", "--depth", "-1"], "depth must be a whole number of at least 1"),
        (["best", "othello", "--nodes", "0"], "nodes must be"),
        (["best", "othello", "--time", "soon"], "Invalid value for '--time'"),
        (["best", "othello", "--algorithm", "magic"], "unknown algorithm 'magic'"),
        (["best", "tic-tac-toe", "--moves", "a1 a2 b1 b2 c1"], "the game is over"),
        (["best"], "Missing argument"),
        (["bset"], "bset"),
        (["perft", "othello", "-2"], "No such option"),
        (["perft", "othello", "--", "-2"], "perft depth must be"),
        (["tree", "figure-9.9"], "there is no game 'figure-9.9'"),
        (["tree", "[[1,2],[3"], "tree"),
        (["tree", "figure-6.2", "--algorithm", "magic"], "there is no textbook algorithm 'magic'"),
        (["tree", "figure-6.2", "--svg", "no/such/folder/tree.svg"], "no/such/folder"),
        (["play", "othello", "--seat", "7"], "unknown seat '7'; there are 1, 2, several joined by +, all and none"),
        (["new", "mygame.txt"], "should end in .py"),
        (["new", "no/such/folder/mygame.py"], "there is no folder"),
        (["doctor", "./nothing.py"], "there is no file"),
        (["best", "./raises.py"], "raises.py, line 1, raised ModuleNotFoundError"),
        (["best", "./syntax.py"], "syntax.py, line 1"),
        (["best", "./empty.py"], "empty.py defines no game"),
        (["best", "./incomplete.py"], "G has no method 'to_move'"),
        (["best", "./early.py"], "making a G raised ValueError: no luck"),
        (["best", "./empty.py:Chess"], "defines no game 'Chess'"),
        (["best", "./no-actions.py"], "actions() yields nothing, but is_terminal() says the game goes on"),
        (["best", "./nan.py"], "utility() is not a number (NaN)"),
        (["best", "./index.py"], "IndexError"),
        (["best", "./recursion.py"], "recurses for ever"),
        (["best", "./endless.py"], "actions() yields more than max_actions = 256"),
    ],
)
def test_mistakes_are_one_clear_line(plywright: Invoke, tmp_path: Path, arguments: list[str], message: str) -> None:
    for name, text in GAMES.items():
        (tmp_path / name).write_text(text)
    faults = {
        "no-actions": {"actions": "if state < 5: yield 1"},
        "nan": {"utility": "return np.nan"},
        "index": {"result": "self.table[state + 5]"},
        "recursion": {"result": "self.helper(1)"},
        "endless": {"actions": "n = 0\n        while True:\n            n += 1\n            yield n"},
    }
    for name, fault in faults.items():
        (tmp_path / f"{name}.py").write_text(RULES.format(**{**NORMAL, **fault}))
    before = sorted(tmp_path.iterdir())
    status, out, err = plywright(*arguments)
    assert status == 2 and out == ""
    lines = [line for line in err.splitlines() if not line.startswith(("compiling", "plywright: warning"))]
    assert len(lines) == 1 and lines[0].startswith("plywright: "), err
    assert message in lines[0]
    assert "Traceback" not in err
    assert [p for p in sorted(tmp_path.iterdir()) if p.name != "__pycache__"] == before, "something was left behind"


def test_debug_shows_the_traceback(plywright: Invoke) -> None:
    status, _, err = plywright("best", "otello", "--debug")
    assert status == 2 and "Traceback" in err


@pytest.mark.parametrize("where", ["always", "late"])
def test_rules_that_loop_for_ever_end_with_one_line(tmp_path: Path, where: str) -> None:
    """In a process of its own: a native loop cannot be stopped, only left."""
    loop = "while True: pass" if where == "always" else "while state == 8: pass"
    text = RULES.format(**{**NORMAL, "result": loop})
    (tmp_path / "loop.py").write_text(text)
    done = subprocess.run(
        [sys.executable, "-m", "plywright", "best", "./loop.py", "--depth", "12"],
        cwd=tmp_path,
        env=os.environ,
        capture_output=True,
        text=True,
        timeout=100,
    )
    assert done.returncode == 2
    assert "loop for ever" in done.stderr and "Traceback" not in done.stderr


def test_solve_says_how_far_a_proof_has_come(plywright: Invoke, monkeypatch: pytest.MonkeyPatch) -> None:
    status, text, _ = plywright("solve", "tic-tac-toe", "--table", "1", "--json")
    data = json.loads(text)
    assert status == 0 and data["lower"] == data["upper"] == data["value"] == 0

    uppers = [1.0, 0.0]

    def stopped(game: Any, state: Any, *, progress: Any, **options: Any) -> SearchResult:
        upper = uppers.pop(0)
        progress(Progress(100, 1.0, -1.0, upper, 5))
        found = solve(game, state, table_megabytes=1)
        return replace(found, proved=False, bound="heuristic" if upper == 1 else "at most", value=0.0)

    monkeypatch.setattr("plywright.cli.solving.solve.solve", stopped)
    for words in ("from -1 to +1, which the rules say already", "from -1 to 0\n"):
        assert words in plywright("solve", "tic-tac-toe")[1]


def test_the_odds_of_a_saved_proof_are_those_of_the_table_in_the_file(plywright: Invoke) -> None:
    plywright("solve", "tic-tac-toe", "--table", "8", "--save", "tic.table")
    found = json.loads(plywright("solve", "tic-tac-toe", "--table", "1", "--save", "tic.table", "--json")[1])
    assert found["collision_odds"] == pytest.approx(collision_odds(found["nodes"], 4.19), rel=0.01)  # a power of two


def test_new_does_not_overwrite(plywright: Invoke, tmp_path: Path) -> None:
    (tmp_path / "mygame.py").write_text("precious")
    status, _, err = plywright("new", "mygame.py")
    assert status == 2 and "--force" in err and (tmp_path / "mygame.py").read_text() == "precious"
    assert plywright("new", "mygame.py", "--force")[0] == 0


def test_the_first_compilation_is_announced_and_only_the_first(plywright: Invoke, fresh_cache: Path) -> None:
    first = plywright("best", "subtraction:stones=7,most=2", "--depth", "9")
    again = plywright("best", "subtraction:stones=7,most=2", "--depth", "9")
    assert "compiling Subtraction, first run only" in first[2]
    assert "compiling" not in again[2]


def test_in_a_log_each_thing_that_is_compiled_is_named_once(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(settings, "announce", settings.announce)
    announce_compilations()
    things = [load_game("nim"), load_game("nim"), NO_GAME]  # two searches of one game, and a kernel that needs none
    for thing in things:
        with settings.announce(name_of(thing)):
            pass
    told = "compiling Nim, first run only\ncompiling parts of Plywright itself, first run only\n"
    assert capsys.readouterr().err == told


def test_a_proof_may_be_given_up_after_some_time(plywright: Invoke) -> None:
    for algorithm in ("dfpn", "proof"):
        status, out, err = plywright("solve", "connect-four", "--algorithm", algorithm, "--time", "0.3")
        assert status == 0 and ("not decided" in out or "so far it is proved" in out), err
    found = answer(plywright, "solve", "connect-four", "--algorithm", "dfpn", "--time", "0.3")
    assert found["value"] is None and found["questions"][-1]["verdict"] is None
    assert "limit came first" in found["questions"][-1]["note"]
    status, _, err = plywright("solve", "connect-four", "--algorithm", "dfpn", "--time", "-1")
    assert status == 2 and "time must be" in err
    status, _, err = plywright("solve", "pig", "--time", "3")
    assert status == 2 and "--time is for proofs" in err


def test_symmetric_is_for_strong_solving(plywright: Invoke) -> None:
    found = answer(plywright, "solve", "tic-tac-toe", "--strong", "--symmetric")
    assert (found["positions"], found["up_to_symmetry"], found["value"]) == (765, True, 0)
    status, _, err = plywright("solve", "tic-tac-toe", "--strong", "--time", "5")
    assert status == 2 and "--time is for proofs" in err
    status, _, err = plywright("solve", "tic-tac-toe", "--symmetric")
    assert status == 2 and "give --strong too" in err


def test_a_game_that_numbers_many_positions_is_solved_slice_by_slice(
    plywright: Invoke, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("plywright.cli.solving.strong.MANY", 1_000)
    line = ("solve", "breakthrough:columns=3,rows=4", "--strong", "--save")
    status, _, err = plywright(*line, str(tmp_path / "a.strong"))
    assert status == 2 and f"--save {tmp_path / 'a.table'}" in err
    status, text, _ = plywright(*line, str(tmp_path / "a.table"))
    assert status == 0 and "solver  slice by slice" in text and "6,569 by number" in text and "0 drawn" in text
    found = answer(plywright, *line, str(tmp_path / "a.table"))
    assert (found["value"], found["distance"], found["solved"]) == (-1, 12, 0)


@pytest.mark.parametrize("option", ["--threads 2", "--algorithm dfpn", "--tolerance 1", "--knowledge hand", "--roll 1"])
def test_strong_solving_refuses_what_it_does_not_look_at(plywright: Invoke, option: str) -> None:
    status, _, err = plywright("solve", "nim:heaps=1-2", "--strong", *option.split())
    assert status == 2 and f"{option.split()[0]} is for" in err


@pytest.mark.parametrize(
    ("line", "help_of"),
    [("learn nim --bar", "plywright learn"), ("record frob", "plywright record"), ("frob", "plywright")],
)
def test_a_mistake_on_the_command_line_names_the_help_of_its_command(
    line: str, help_of: str, plywright: Invoke
) -> None:
    status, _, err = plywright(*line.split())
    assert status == 2 and f"(try {help_of} --help)" in err


def test_play_says_once_who_is_to_move(plywright: Invoke) -> None:
    status, out, err = plywright("play", "tic-tac-toe", "--seat", "none", "--depth", "1", "--state", "XXO/OOX/X.. O")
    assert status == 0 and out.count("O to move") == 1, out + err
