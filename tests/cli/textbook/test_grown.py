"""`plywright tree --algorithm mcts`, and `best` and `play` by simulations."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from plywright.cli.app import run


def lines(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[str]:
    assert run(list(arguments)) == 0
    return capsys.readouterr().out.splitlines()


def test_the_tree_of_simulations_is_shown_told_and_drawn(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    shown = lines(capsys, "tree", "figure-6.2", "--algorithm", "mcts", "--simulations", "100", "--steps")
    assert shown[0].startswith("   1. a") and len([line for line in shown if line[4:5] == "."]) == 100
    assert any(line.startswith("MAX 3 ") for line in shown)
    assert shown[-1] == "Monte Carlo tree search: value 3 (proved), move a1"
    drawing = tmp_path / "tree.svg"
    page = tmp_path / "grown.html"
    assert f"wrote {page}" in lines(
        capsys, "tree", "figure-6.2", "--algorithm", "mcts", "--simulations", "4", "--html", str(page)
    )
    assert "Simulation 4: the way of the highest UCB1" in page.read_text()
    shown = lines(capsys, "tree", "figure-6.2", "--algorithm", "mcts", "--simulations", "4", "--svg", str(drawing))
    assert shown[-1] == f"wrote {drawing}" and "4 simulations" in shown[0]
    assert "the tree after 4 simulations" in drawing.read_text(encoding="utf-8")


def test_best_by_simulations_says_how_sure_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["best", "tic-tac-toe", "--algorithm", "mcts", "--nodes", "500", "--all"]
    shown = lines(capsys, *arguments)
    assert any("heuristic, depth" in line and "standard error 0.0" in line for line in shown)
    assert any(line.split()[:3] == ["move", "value", "simulations"] for line in shown)
    data = json.loads(lines(capsys, *arguments, "--json")[0])
    assert data["algorithm"] == "mcts" and data["nodes"] == 500 == sum(data["visits"].values())
    assert 0 < data["error"] < 1 and data["visits"].keys() == data["actions"].keys()


def test_a_game_of_one_s_own_is_played_without_an_evaluation(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    lines(capsys, "new", "mygame.py")
    shown = lines(capsys, "play", "./mygame.py", "--seat", "none", "--nodes", "300")
    assert any(line.startswith("game over: ") for line in shown)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["tree", "figure-6.2", "--simulations", "9"], "alphabeta runs no simulations"),
        (["tree", "figure-6.2", "--algorithm", "mcts", "--depth", "3"], "mcts has no depth: give --simulations"),
        (["tree", "figure-6.2", "--algorithm", "mcts", "--simulations", "0"], "must be a whole number of at least 1"),
        (["best", "nim", "--algorithm", "mcts", "--depth", "3"], "mcts has no depth limit"),
    ],
)
def test_mistakes_are_one_line(capsys: pytest.CaptureFixture[str], arguments: list[str], message: str) -> None:
    assert run(arguments) == 2
    captured = capsys.readouterr()
    assert message in captured.err and captured.out == ""
