"""What points are made of, line by line, and what a folder of submissions holds beside them."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from plywright.classroom import course
from plywright.classroom.check import FOUND, GREETS, LEGAL, TIME, Check, Step
from plywright.classroom.course import Settings, check_isolation, run_checks
from plywright.classroom.grading import GradeRule
from plywright.classroom.pacman_class import COLUMNS, Graded, Grading, alike, check_of, grade_class, grade_rows
from plywright.classroom.pacman_report import write_pages
from plywright.classroom.report import account_table
from plywright.classroom.submissions import left_aside
from plywright.cluster.executor import WorkerLost
from plywright.errors import BadInput
from plywright.games import load_game
from plywright.games.pacman.maze import load_maze
from plywright.games.pacman.rules import Pacman
from plywright.pacman.grade import WON, start_of
from plywright.programs import isolation


def rule(folder: Path, text: str) -> GradeRule:
    (folder / "rule.toml").write_text(text)
    return GradeRule.read(folder / "rule.toml")


def test_an_account_says_what_was_given_and_taken(tmp_path: Path) -> None:
    check = Check("ann", "", "").after(Step(FOUND, True, ""), Step(GREETS, True, ""), Step(LEGAL, False, ""))
    found = rule(tmp_path, "[check]\nbuilds = 4\ngreets = 3\nlegal = 2\n[minus]\njoined = 5\n[grade]\nround = 0.5\n")
    account = found.account(check, None, None, True)
    assert [(line.words, line.points, line.most) for line in account.lines] == [
        ("check: builds", 4.0, 4.0),
        ("check: greets", 3.0, 3.0),
        ("check: legal", 0.0, 2.0),
        ("minus: joined late", -5.0, None),
    ]
    assert account.points == 2.0 == sum(line.points for line in account.lines)
    page = account_table(account)
    assert "check: legal" in page and "-5" in page and "at least 0, in steps of 0.5" in page


def agent(name: str, *endings: str, scores: tuple[int, ...] = (), lines: tuple[str, ...] = ()) -> Graded:
    """An agent that played these games on one layout."""
    lost = [f"game {number}, round 1: {end} it was" for number, end in enumerate(endings, 1) if end != WON]
    faults = [reason for reason in lost if "caught" not in reason]
    part: dict[str, Any] = {"layout": "tiny", "games": len(endings), "wins": endings.count(WON), "expansions": 9}
    part |= {"mean_score": sum(scores) / len(endings), "faults": faults, "lost": lost, "lines": list(lines)}
    part |= {"scores": list(scores), "endings": list(endings)}
    report = {"kind": "agent", "isolation": "limits", "layouts": [part], "total": {**part, "layout": "total"}}
    report |= {"moves_checked": 0, "moves_right": 0, "moves_missed": []}
    return Graded(name, name, name, f"{name}.py", f"Python, {name}.py", "", report)


def test_every_word_of_a_rule_counts_for_agents_of_pacman(tmp_path: Path) -> None:
    """`time` of the check and `late`, `illegal` of [minus] had meant nothing for them."""
    by = Grading((load_maze("tiny"),), 2, 1.0, 1, "limits")
    good = agent("ann", WON, "caught", scores=(500, -100))
    slow = agent("ben", "late", "illegal", scores=(-500, -520))
    unread = Graded("cat", "c", "c", "cat.py", "Python, cat.py", "cat.py cannot be read: SyntaxError", {})
    text = "[check]\nbuilds = 1\ngreets = 2\nlegal = 4\ntime = 8\n[tournament]\nscore = 16\ngames = 32\nplace = 64\n"
    text += "[minus]\nlate = 0.25\nillegal = 0.5\njoined = 0.125\n"
    rows = grade_rows([good, slow, unread], by, rule(tmp_path, text))
    assert [tuple(row) for row in rows] == [COLUMNS] * 3
    assert [row["points"] for row in rows] == [1 + 2 + 4 + 8 + 8 + 32 + 64, 1 + 2 - 0.75, 1.0]
    assert (rows[1]["late"], rows[1]["illegal"], rows[1]["crashed"], rows[1]["check"]) == (1, 1, 0, "to be mended")
    assert rows[0]["mean_low"] < rows[0]["mean_score"] == 200 < rows[0]["mean_high"]
    steps = {step.name: step.passed for step in check_of(slow).steps}
    assert steps == {FOUND: True, GREETS: True, LEGAL: False, TIME: False}
    assert not check_of(unread).fit and "SyntaxError" in check_of(unread).first_fault


def test_agents_that_hardly_moved_are_not_called_alike() -> None:
    crashed = [agent(name, "crashed", "crashed", scores=(-500, -500), lines=("", "12")) for name in ("ann", "ben")]
    assert alike(crashed) == []
    moved = [agent(name, WON, WON, scores=(9, 9), lines=("12" * 4, "21" * 4)) for name in ("ann", "ben")]
    assert [each.words() for each in alike(moved)] == ["ann and ben: the same move in all 2 games that both played"]


def test_pages_of_agents_have_intervals_causes_and_games(tmp_path: Path) -> None:
    game = Pacman(load_maze("tiny"), rounds=300)
    by = Grading((game.maze,), 1, 1.0, 1, "limits")
    _, state = start_of(game, 1, 0)
    line = ""
    for _ in range(2 * game.players):
        action = next(iter(game.actions(state)))
        line, state = line + str(int(action)), game.result(state, action)
    found = [agent("<ann>", "late", scores=(int(state.score) - 500,), lines=(line,))]
    points = rule(tmp_path, "[check]\ntime = 8\n")
    settings = Settings("pacman:layout=tiny", tmp_path, tmp_path / "out", ("move:1s",))
    settings.folder.mkdir()
    rows = grade_rows(found, by, points)
    report = write_pages(settings, by, found, rows, points, ["left aside: x.zip"])
    page, own = report.read_text(), next((tmp_path / "out" / "students").iterdir()).read_text()
    assert "95 % interval" in page and "late 1" in page and "left aside: x.zip" in page and "<ann>" not in page
    assert "game 1, round 1: late it was" in own and "check: time" in own and 'href="#game-1"' in own
    assert "plywright class pacman:layout=tiny" in own and "--check" in own
    from plywright.classroom.pacman_report import _Games

    games = _Games(by)
    games.add(found[0], 0, 0)
    shown = games.data()["games"][0]["steps"]
    assert len(shown) == 3 and shown[-1]["words"].endswith(f"score {int(state.score)}")  # a picture for each round


def test_what_is_no_submission_is_named(tmp_path: Path) -> None:
    (tmp_path / "ann").mkdir()
    assert left_aside(tmp_path) == ""
    (tmp_path / "ben.zip").write_bytes(b"PK")
    (tmp_path / "cat").symlink_to(tmp_path / "ann")
    (tmp_path / ".hidden").mkdir()
    (tmp_path / "_dan").mkdir()
    assert left_aside(tmp_path).startswith("left aside: _dan, ben.zip, cat (")
    assert left_aside(tmp_path / "nowhere") == ""


def test_who_has_not_passed_is_checked_again_when_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A compiler that was missing, a busy machine: the submission is the same, and the check need not be."""
    monkeypatch.setattr(course, "processes", lambda jobs: ThreadPoolExecutor(1))
    (tmp_path / "submissions" / "ann").mkdir(parents=True)
    settings = Settings("tic-tac-toe", tmp_path / "submissions", tmp_path / "out", ("move:1s",), level="limits")
    (tmp_path / "out").mkdir()
    game = load_game("tic-tac-toe")
    heard: list[str] = []
    for recheck in (False, False, True):
        own = Settings(**{**vars(settings), "recheck": recheck})
        run_checks(own, game, heard=lambda check, done, of: heard.append(check.name))
    assert heard == ["ann", "ann"]


def test_nobody_has_the_name_of_a_reference_player(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Others would have had the points of [beats] for beating the student."""
    monkeypatch.setattr(course, "processes", lambda jobs: ThreadPoolExecutor(1))
    (tmp_path / "submissions" / "Level:3").mkdir(parents=True)
    (tmp_path / "submissions" / "Level:3" / "bot.py").write_text("while True: print(input())")
    options: Any = {"level": "limits", "references": ("level:3",)}
    settings = Settings("tic-tac-toe", tmp_path / "submissions", tmp_path / "out", ("move:1s",), **options)
    checks, _ = run_checks(settings, load_game("tic-tac-toe"), heard=lambda check, done, of: None)
    assert not checks[0].fit and "is the name of a reference player" in checks[0].first_fault


def test_the_name_of_a_folder_steers_no_terminal(tmp_path: Path) -> None:
    settings = Settings("tic-tac-toe", tmp_path, tmp_path, ("move:1s",))
    assert "\x1b" not in course.home_command(settings, "\x1b[31mred") and "red" in course.home_command(settings, "red")


def test_a_class_lies_nowhere_that_every_program_can_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(isolation, "FURTHER", (str(tmp_path / "opt"),))
    for folder, submissions in (("opt/out", "submissions"), ("out", "opt/course")):
        settings = Settings("tic-tac-toe", tmp_path / submissions, tmp_path / folder, ("move:1s",), level="limits")
        with pytest.raises(BadInput, match="every program can read"):
            check_isolation(settings)
    check_isolation(Settings("tic-tac-toe", tmp_path / "in", tmp_path / "out", ("move:1s",), level="limits"))


class DyingWorkers(ThreadPoolExecutor):
    """A cluster whose workers die of one agent."""

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Any:
        def done() -> Graded:
            if args[0].name == "ben":
                raise WorkerLost("it ended every worker that it was given to")
            return replace(agent(args[0].name, WON, scores=(500,)), digest=args[0].digest)

        return super().submit(done)


def test_agents_that_no_worker_survived_are_told_and_graded_again(tmp_path: Path) -> None:
    for name in ("ann", "ben"):
        (tmp_path / "agents" / name).mkdir(parents=True)
        (tmp_path / "agents" / name / "agent.py").write_text(f"WEIGHTS = {{}}  # {name}\n")
    options: Any = {"games": 1, "level": "limits"}
    settings = Settings("pacman:layout=tiny", tmp_path / "agents", tmp_path / "out", ("move:1s",), **options)
    heard: list[str] = []
    for _ in range(2):
        with DyingWorkers(1) as cluster:
            found = grade_class(settings, executor=cluster, heard=lambda each, done, of: heard.append(each.name))
        assert [(each.name, bool(each.fault)) for each in found] == [("ann", False), ("ben", True)]
        assert '"ben"' not in (tmp_path / "out" / "class.json").read_text()
    assert heard == ["ann"]  # who was graded stays so
