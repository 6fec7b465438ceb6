"""How the examination goes: input, processes, determinism, the report."""

from __future__ import annotations

import json
import os
import queue
from pathlib import Path
from typing import Any

import pytest

from plywright import Game
from plywright.doctor import Check, Facts, Report, examination, examine
from plywright.doctor.blackbox import BlackBox
from plywright.errors import BadInput
from plywright.games import load_game

HERE = Path(__file__).parent
RACE = (HERE / "broken" / "both_win.py").read_text()
SOUND = RACE.replace("return 1\n", "return -1 if player == state.turn else 1\n")


def write(folder: Path, text: str) -> str:
    path = folder / "game.py"
    path.write_text(text)
    return str(path)


@pytest.mark.parametrize("text", ["no-such-game", "./no/such/file.py", "", str(HERE / "broken" / "aborts.py:Chess")])
def test_text_that_means_no_game_is_bad_input(text: str) -> None:
    with pytest.raises(BadInput):
        examine(text)


@pytest.mark.parametrize("game", [5, None, Game, ["nim"]])
def test_what_is_no_game_is_bad_input(game: object) -> None:
    with pytest.raises(BadInput, match="examine needs a Game, or a name or path of one"):
        examine(game)  # type: ignore[arg-type]


@pytest.mark.parametrize("options", [{"seconds": 0}, {"seconds": float("inf")}, {"patience": -1.0}])
def test_impossible_limits_are_bad_input(options: dict[str, float]) -> None:
    with pytest.raises(BadInput, match="above 0"):
        examine("othello", **options)  # type: ignore[arg-type]


def test_file_that_is_not_python_is_a_fault(tmp_path: Path) -> None:
    report = examine(write(tmp_path, "from plywright import Game\n\nclass Broken(Game)\n    pass\n"))
    assert [check.name for check in report.failed] == ["loading"]
    assert "game.py, line 3" in report["loading"].sentence
    assert report["methods"].status == report["alpha-beta"].status == "skipped"


def test_file_that_hangs_while_it_is_read_is_a_fault(tmp_path: Path) -> None:
    report = examine(write(tmp_path, "while True:\n    pass\n"), patience=0.2)
    assert [check.name for check in report.failed] == ["process"]
    assert report["process"].sentence.startswith("loading the game")
    assert "has not come back for 1.2 s" in report["process"].sentence


class Compiling:
    """A child that tells nothing for so many seconds, with a share of a processor, and then is done; and its lines."""

    def __init__(self, share: float, ends: float) -> None:
        self.share, self.ends, self.now = share, ends, 0.0

    def worked(self) -> float:
        return self.share * self.now

    def get(self, timeout: float) -> str:
        self.now += 1.0
        if self.now < self.ends:
            raise queue.Empty
        return '{"done": true}'


@pytest.mark.parametrize(
    ("share", "ends", "stalled"),
    [(0.1, 600, False), (1.0, 170, False), (0.0, 600, True), (1.0, 600, True), (0.1, 2000, True)],
)
def test_a_compiler_on_a_busy_machine_is_waited_for(
    share: float, ends: float, stalled: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    child: Any = Compiling(share, ends)
    monkeypatch.setattr(examination.time, "monotonic", lambda: child.now)
    report = Report("game")
    half = examination._Half("game", {"patience": 5.0}, report, ["compilation"], print)
    box = BlackBox.blank(tmp_path / "box")
    assert half._listen(child, child, box) is stalled
    if stalled:
        half._bury(child, box, stalled, "")
        assert (
            "nothing was heard for 180 s during the check 'compilation', while no rule ran" in report.failed[0].sentence
        )


def test_what_rules_print_does_not_disturb(tmp_path: Path) -> None:
    noisy = "print('{\"broken\": 1}', flush=True)\n        return state.turn"
    report = examine(write(tmp_path, SOUND.replace("return state.turn", noisy, 1)), compiled=False)
    assert report.healthy, report.text()


def test_equal_seeds_give_equal_findings_and_other_seeds_other_games() -> None:
    path = str(HERE / "broken" / "no_actions.py")
    begun: list[str] = []
    first, second, third = (examine(path, compiled=False, seed=seed, progress=begun.append) for seed in (5, 5, 6))
    assert first.checks == second.checks and first.facts == second.facts
    assert first["endings"].status == third["endings"].status == "failed"
    assert first["endings"].moves != third["endings"].moves
    assert begun[:3] == ["loading", "methods", "class facts"] and len(begun) % 3 == 0


def test_moves_to_a_fault_can_be_played() -> None:
    path = str(HERE / "broken" / "no_actions.py")
    game = load_game(path)
    state = game.play_moves(game.start_state, examine(path, compiled=False)["endings"].moves)
    assert list(game.actions(state)) == [] and not game.is_terminal(state)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="a game without a text needs fork")
def test_game_object_is_examined_in_a_copy_of_this_process() -> None:
    sound, unsound = load_game(str(HERE / "healthy" / "words.py")), load_game(str(HERE / "broken" / "aborts.py"))
    assert examine(sound).healthy
    report = examine(unsound)
    assert "result() crashed the process (SIGABRT)" in report["process"].sentence
    assert not vars(unsound).get("_frozen")  # nothing was done to the object itself


def test_black_box_keeps_the_last_rule_and_place(tmp_path: Path) -> None:
    reader = BlackBox.blank(tmp_path / "box")
    writer = BlackBox(tmp_path / "box")
    assert (reader.calls, reader.rule, reader.where) == (0, "", "")
    writer.place("(after e4 " + "é" * 3000 + ")")
    writer.enter("is_terminal")
    writer.enter("result")
    assert (reader.calls, reader.rule) == (2, "result")
    assert reader.where.startswith("(after e4 é")
    writer.leave()
    assert (reader.calls, reader.rule) == (2, "")
    reader.close()
    writer.close()


def test_report_as_text_and_as_json() -> None:
    checks = [
        Check("methods", "passed", "all there"),
        Check("compilation", "warning", "line 3"),
        Check("purity", "failed", "result() changes self.x", "a1 b2"),
    ]
    facts = Facts(games=4, states=9, branching=(2.5, 2.0, 3.0), length=(7.25, 5, 9), compiled=False, reason="line 3")
    report = Report("mygame.py", checks, facts, seed=3)
    assert not report.healthy and [check.name for check in report.failed] == ["purity"]
    lines = report.text().splitlines()
    assert lines[0] == "mygame.py: 1 fault, 1 warning"
    assert lines[3] == "  FAILED   purity       result() changes self.x"
    assert "  game length       7.2 plies on average, 5 to 9" in lines
    data = json.loads(json.dumps(report.as_dict()))
    assert data["healthy"] is False and data["seed"] == 3
    assert data["checks"][2] == {"name": "purity", "status": "failed", "sentence": checks[2].sentence, "moves": "a1 b2"}
    assert data["facts"]["branching"] == {"mean": 2.5, "low": 2.0, "high": 3.0}
    assert data["facts"]["length"] == {"mean": 7.25, "least": 5, "greatest": 9}
    with pytest.raises(KeyError):
        report["nothing"]
    assert Report("mygame.py", checks[:2]).verdict() == "mygame.py: healthy, 1 warning"
