"""Classes of other games: Pac-Man's agents, and the rules of one's own file."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from bots import hand_in, needs_bubblewrap

from plywright.classroom.check import GREETS, Step, with_hint
from plywright.classroom.submissions import read_submission
from plywright.cli import main
from plywright.cli.authoring.new import template

pytestmark = needs_bubblewrap

RULES = """
    from typing import NamedTuple
    from plywright import Game

    class Pile(NamedTuple):
        left: int
        mover: int

    class Sticks(Game):
        players = 2
        max_actions = 2
        def initial(self): return Pile(7, 0)
        def to_move(self, state): return state.mover
        def actions(self, state):
            for take in range(min(2, state.left)):
                yield take
        def result(self, state, action): return Pile(state.left - action - 1, 1 - state.mover)
        def is_terminal(self, state): return state.left == 0
        def utility(self, state, player): return 1.0 if state.mover != player else -1.0
"""
AGENT = template("pacman_agent.py.txt")


@pytest.mark.slow
def test_agents_of_pacman_are_graded_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    hand_in(Path("agents"), "ann", "", agent__py=AGENT)
    hand_in(Path("agents"), "ben", "", main__py=AGENT)
    hand_in(Path("agents"), "cat", "", agent__py="def choose(game, state):\n    raise ValueError('not today')\n")
    hand_in(Path("agents"), "dan", "", bot__c="int main(void) { return 0; }")
    hand_in(Path("agents"), "eve", "", agent__py="import nothing_at_all")
    hand_in(Path("agents"), "fay", "", agent__py="def choose(game, state):\n    return 'up'\n")
    assert main(["class", "pacman:layout=tiny", "agents/fay", "--check"]) == 1
    told = capsys.readouterr().out
    assert "NO  plays legally" in told and "3 of 3 games" in told and not Path("pacman-class").exists()
    assert main(["class", "pacman:layout=tiny", "agents/ann", "--check"]) == 0
    assert "ann: passed" in capsys.readouterr().out
    Path("rule.toml").write_text("[check]\nbuilds = 10\n[tournament]\nscore = 50\n")
    words = [
        "class",
        "pacman:layout=tiny",
        "agents",
        "--games",
        "2",
        "--output",
        "out",
        "--grades",
        "rule.toml",
        "--json",
    ]
    assert main(words) == 0
    found = json.loads(capsys.readouterr().out)
    rows = {row["name"]: row for row in found["students"]}
    assert rows["ann"]["games"] == 2 and rows["ann"]["points"] >= 10 and rows["cat"]["faults"] == 2
    assert "Python file" in rows["dan"]["note"] and "nothing_at_all" in rows["eve"]["note"]
    assert [(each["one"], each["two"], each["same_files"]) for each in found["alike"]] == [("ann", "ben", True)]
    assert "not today" in Path("out/students/cat.html").read_text()
    assert (rows["cat"]["crashed"], rows["fay"]["illegal"], rows["ann"]["check"]) == (2, 2, "passed")
    stamp = Path("out/class.json").stat().st_mtime_ns
    assert main(words) == 0 and Path("out/class.json").stat().st_mtime_ns == stamp  # nothing is graded again


@pytest.mark.slow
def test_a_class_of_ones_own_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    hand_in(tmp_path, ".", "", sticks__py=RULES)
    hand_in(Path("submissions"), "ann", "legal[0]")
    hand_in(
        Path("submissions"),
        "ben",
        "",
        bot__py="class Ben:\n    def choose(self, game, turn):\n        return turn.legal[-1]\n",
    )
    assert main(["class", "./sticks.py", "submissions", "--mode", "move:1s", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert all(row["games"] == 2 and row["check"] == "passed" for row in found["students"])
    assert "Sticks" in Path(found["report"]).read_text() or "sticks" in Path(found["report"]).read_text()


def test_a_python_file_that_is_neither_player_nor_program_is_told_what_it_lacks(tmp_path: Path) -> None:
    for source, hinted in (
        ("def polici(game, view, seat):\n    return 1\n", True),
        ("def policy(game, view, seat):\n    return 1\n", False),
        ("import sys\nfor line in sys.stdin: pass\n", False),
    ):
        (tmp_path / "dan.py").write_text(source)
        hint = read_submission(tmp_path / "dan.py", "tic-tac-toe", "json").hint
        assert ("choose(self, game, turn), or policy(game, view, seat)" in hint) == hinted
    step = with_hint(Step(GREETS, False, "it ended"), "dan.py reads no lines")
    assert step.words == "it ended; dan.py reads no lines"
    assert with_hint(Step(GREETS, True, "in time"), "dan.py reads no lines").words == "in time"
