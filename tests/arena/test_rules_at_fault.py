"""Rules that contradict themselves, or are edited during a run, are named; the run does not go on by them."""

from __future__ import annotations

from pathlib import Path

import pytest

from plywright.arena.match import make_plan, play_match, run_plan
from plywright.arena.records.run_file import Records
from plywright.arena.schedules.progress import Progress
from plywright.cli import main
from plywright.errors import BadInput

GAME = """
from typing import NamedTuple
from plywright import Game


class Marks(NamedTuple):
    taken: int


class Mine(Game):
    name = "mine"
    players = 2

    def initial(self):
        return Marks(0)

    def to_move(self, state):
        return {mover}

    def actions(self, state):
        {actions}
        yield 1
        yield 2

    def result(self, state, action):
        return Marks(state.taken + action)

    def is_terminal(self, state):
        return state.taken >= 9

    def utility(self, state, player):
        return {utility}
"""
SOUND = {"mover": "state.taken % 2", "actions": "pass", "utility": "1.0 if player == state.taken % 2 else -1.0"}


def written(path: Path, **rules: str) -> str:
    path.write_text(GAME.format(**{**SOUND, **rules}))
    return str(path)


@pytest.mark.parametrize(
    ("rules", "culprit"),
    [
        ({"utility": "5.0 if player == 0 else -5.0"}, "utility"),
        ({"utility": "1.0 // (state.taken - state.taken)"}, "utility"),
        ({"actions": "if state.taken > 3: return"}, "actions"),
        ({"mover": "2 if state.taken > 3 else 0"}, "to_move"),
    ],
)
def test_match_names_the_rule_as_best_does(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], rules: dict[str, str], culprit: str
) -> None:
    game = written(tmp_path / "mine.py", **rules)
    record = str(tmp_path / "run")
    assert (
        main(["match", "random", "first", "--game", game, "--games", "4", "--mode", "depth:1", "--record", record]) == 2
    )
    said = capsys.readouterr().err
    assert f"{culprit}(" in said and "bug" not in said and "Traceback" not in said


def test_rules_edited_during_a_run_are_not_played(tmp_path: Path) -> None:
    """Workers that start after the edit would play by it: they refuse, and nothing of it is recorded."""
    game = written(tmp_path / "mine.py")
    plan, _ = make_plan("match", ["random", "first"], game, games=20, mode="depth:1", opening="start")
    written(tmp_path / "mine.py", utility="1.0 if player != state.taken % 2 else -1.0")
    with Records.begin(tmp_path / "run", plan) as records:
        with pytest.raises(BadInput, match=r"rules of .* have changed"):
            run_plan(records, jobs=2)
        assert not Progress(plan, records.outcomes()).counted
    written(tmp_path / "mine.py")
    assert (
        play_match(
            ["random", "first"], game, games=20, mode="depth:1", opening="start", jobs=2, record=tmp_path / "run"
        ).played
        == 20
    )


def test_a_player_edited_during_a_run_is_not_asked(tmp_path: Path) -> None:
    player = tmp_path / "mine.py"
    code = "class Player:\n    def choose(self, game, view, seat, clock, rng):\n"
    code += "        return list(game.actions(view))[0]\n"
    player.write_text(code)
    plan, _ = make_plan("match", [f"{player}:Player", "random"], "tic-tac-toe", games=2, mode="depth:1")
    player.write_text(code.replace("[0]", "[-1]"))
    with Records.begin(tmp_path / "run", plan) as records, pytest.raises(BadInput, match=r"program of .* has changed"):
        run_plan(records)
