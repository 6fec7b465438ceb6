"""Grading a student's file: what counts, what is forgiven, what is told."""

from __future__ import annotations

from pathlib import Path

import pytest

from plywright.cli.authoring.new import template
from plywright.errors import BadInput
from plywright.games.pacman.maze import load_maze
from plywright.games.pacman.rules import Pacman
from plywright.pacman.grade import PER_GAME, ROUNDS, Report, grade, start_of

AGENT = template("pacman_agent.py.txt")
FIRST = "def choose(game, state):\n    return next(iter(game.actions(state)))\n"


def graded(folder: Path, text: str, **options: object) -> Report:
    file = folder / "mine.py"
    file.write_text(text)
    return grade(file, ["tiny"], **{"games": 2, "seconds": 2.0, **options})  # type: ignore[arg-type]


def test_an_agent_that_names_its_algorithm_has_its_moves_checked(tmp_path: Path) -> None:
    report = graded(tmp_path, AGENT)
    assert (report.kind, report.checked, report.right) == ("agent", 12, 12)
    game = Pacman(load_maze("tiny"), rounds=ROUNDS)
    for number, (line, score, ending) in enumerate(zip(*(part(report.total) for part in PER_GAME), strict=True)):
        state = start_of(game, 1, number)[1]  # the moves that are kept are the whole game
        for digit in line:
            state = game.result(state, int(digit))
        assert (int(state.score), bool(state.caught)) == (score, ending == "caught") and game.is_terminal(state)
    assert report.total.faults == () and report.total.expansions > 0
    other = AGENT.replace("return max(game.actions(state), key", "return min(game.actions(state), key")
    assert graded(tmp_path, other).right < 12


def test_any_best_move_is_accepted(tmp_path: Path) -> None:
    """Of equal moves the last is as good as the first."""
    last = AGENT.replace("max(game.actions(state), key", "max(list(game.actions(state))[::-1], key")
    assert last != AGENT
    assert graded(tmp_path, last).right == 12


def test_a_crash_costs_that_game_only_and_shows_the_students_own_lines(tmp_path: Path) -> None:
    text = "seen = []\n\ndef choose(game, state):\n    seen.append(1)\n    if len(seen) == 2:\n        return 1 / 0\n"
    report = graded(tmp_path, text + "    return next(iter(game.actions(state)))\n")
    assert len(report.total.faults) == 1
    fault = report.total.faults[0]
    assert "mine.py" in fault and "return 1 / 0" in fault and "ZeroDivisionError" in fault
    assert "pupil.py" not in fault


def test_a_move_that_takes_for_ever_is_late(tmp_path: Path) -> None:
    text = "def choose(game, state):\n    while state.rounds == 1:\n        pass\n    return 4\n"
    report = graded(tmp_path, text, games=1, seconds=0.3)
    assert "more than 0.3 s" in report.total.faults[0] and "while state.rounds" in report.total.faults[0]
    assert report.total.endings == ("late",)


def test_one_that_swallows_everything_is_ended(tmp_path: Path) -> None:
    text = """
def choose(game, state):
    while state.rounds == 1:
        try:
            while True:
                pass
        except BaseException:
            pass
    return 4
"""
    report = graded(tmp_path, text, games=2, seconds=0.2)
    assert len(report.total.faults) == 2 and "did not answer in time" in report.total.faults[0]


def test_expansions_are_counted_and_limited(tmp_path: Path) -> None:
    text = "def choose(game, state):\n    for _ in range(50):\n        game.result(state, 4)\n    return 4\n"
    assert graded(tmp_path, text, games=1, expansions=60).total.expansions == 50
    assert "more than 40 expansions" in graded(tmp_path, text, games=1, expansions=40).total.faults[0]


def test_an_illegal_move_names_the_legal_ones(tmp_path: Path) -> None:
    report = graded(tmp_path, "def choose(game, state):\n    print('noise')\n    return 'up'\n", games=1)
    assert "'up', which is not legal here; legal are" in report.total.faults[0]
    assert set(report.total.endings) == {"illegal"}


@pytest.mark.parametrize(
    "text", ["WEIGHTS = {'score': 1, 'steps to food': -0.5}\nDEPTH = 1\n", "def evaluate(g, s):\n    return s.score\n"]
)
def test_evaluations_are_graded_too(tmp_path: Path, text: str) -> None:
    report = graded(tmp_path, text + "DEPTH = 1\n", games=1)
    assert report.total.faults == () and report.total.expansions > 0


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("x = 1\n", "has nothing to grade"),
        ("def choose(:\n", "cannot be read"),
        ("1 / 0\n", "ZeroDivisionError"),
        ("class Agent:\n    pass\n", "no choose"),
        ("DEPTH = 0\n" + FIRST, "DEPTH"),
        ("WEIGHTS = {'fear': 1}\n", "no feature 'fear'"),
        ("ALGORITHM = 'magic'\n" + FIRST, "ALGORITHM is one of"),
    ],
)
def test_files_that_cannot_be_graded(tmp_path: Path, text: str, words: str) -> None:
    with pytest.raises(BadInput, match=words) as told:
        graded(tmp_path, text, games=1)
    assert "plywright.errors" not in str(told.value)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="there is no file"):
        grade(tmp_path / "none.py")


@pytest.mark.parametrize("answer", ['{"action": 77, "expansions": 0}', '{"action": true}', "[1]", "42", "[" * 3000])
def test_an_answer_that_the_file_forges_moves_nobody(tmp_path: Path, answer: str) -> None:
    """It writes the line itself, past the check of its child process: the referee checks again."""
    text = f"""
import os
def choose(game, state):
    for number in range(3, 12):
        try:
            os.write(number, b'{answer}\\n')
        except OSError:
            pass
    return 4
"""
    faults = graded(tmp_path, text, games=1).total.faults
    assert len(faults) == 1 and "nonsense" in faults[0]


def test_a_file_that_ends_its_process_loses_those_games(tmp_path: Path) -> None:
    report = graded(tmp_path, "import os\n\ndef choose(game, state):\n    os._exit(0)\n")
    assert len(report.total.faults) == 2 and report.total.wins == 0
