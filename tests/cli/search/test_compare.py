"""`plywright compare`: both decisions, and what each is worth if its assumption is wrong."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from plywright import BadInput, Limit, Uniform, load_game
from plywright.cli import main
from plywright.engine.chance.assumptions import compare

GAME = '''
from plywright import Game


class Trap(Game):
    """MAX goes left or right, MIN answers: left is 3 or 12, right 2 or 100."""

    utility_range = (-100, 100)

    def initial(self):
        return (0, 0)

    def to_move(self, state):
        return state[0] % 2

    def actions(self, state):
        if state[0] < 2:
            yield 0
            yield 1

    def result(self, state, action):
        return (state[0] + 1, 2 * state[1] + action)

    def is_terminal(self, state):
        return state[0] == 2

    def utility(self, state, player):
        value = (3, 12, 2, 100)[state[1]]
        return value if player == 0 else -value
'''


@pytest.fixture
def trap(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    Path("trap.py").write_text(GAME, encoding="utf-8")
    return "./trap.py"


def test_a_game_without_an_evaluation_is_searched_to_a_depth_all_the_same(
    trap: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["compare", trap, "--time", "20", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert "mcts" not in data["algorithms"] and data["depth"] == 2
    assert data["actions"]["0"]["against_best"] == 3 and data["actions"]["1"]["against_best"] == 2
    with pytest.raises(BadInput, match="not even one ply of"):
        compare(load_game(trap), None, Uniform(), limit=Limit(nodes=1))


def test_both_decisions_and_their_prices(trap: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", trap, "--opponent", "mixture:0.8,2", "--depth", "2", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["assume_the_best"] == {"action": "0", "against_best": 3, "against_model": pytest.approx(3.9)}
    assert data["assume_what_they_do"] == {"action": "1", "against_best": 2, "against_model": pytest.approx(11.8)}
    assert data["gain"] == pytest.approx(7.9) and data["price"] == pytest.approx(1)
    assert data["actions"]["1"]["against_best"] == 2
    assert main(["compare", trap, "--opponent", "mixture:0.8,2", "--depth", "2"]) == 0
    shown = capsys.readouterr().out
    assert "gains 7.9 if they play as assumed, and costs 1 if they play their best" in shown


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--opponent", "clever"], "no opponent model"),
        (["--depth", "0"], "depth must be a whole number of at least 1"),
        (["--moves", "0 0"], "the game is over"),
        (["--moves", "9"], "not a legal move"),
    ],
)
def test_mistakes_are_one_line(
    trap: str, capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    assert main(["compare", trap, *arguments]) == 2
    error = capsys.readouterr().err
    assert message in error and error.startswith("plywright: ") and error.count("\n") == 1
