"""A class from its submissions to its reports: what is checked, played, told, and not done twice."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from bots import bot, hand_in, needs_bubblewrap

from plywright.arena.records.check import check_record
from plywright.arena.records.run_file import Records
from plywright.classroom.grading import GradeRule
from plywright.cli import main
from plywright.errors import BadInput
from plywright.games import load_game

pytestmark = needs_bubblewrap

PLAYER = """
    class Bot:
        def choose(self, game, turn):
            return turn.legal[0]
"""
Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def plywright(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run a command in an empty folder; returns exit status, standard output, standard error."""
    monkeypatch.chdir(tmp_path)

    def invoke(*arguments: str) -> tuple[int, str, str]:
        status = main(list(arguments))
        captured = capsys.readouterr()
        return status, captured.out, captured.err

    return invoke


def played(folder: Path) -> dict[int, tuple[str, ...]]:
    """By number who sat where, of the games that count."""
    with Records.open(folder / "games.plywright") as records:
        names = records.plan.names
        return {o.game: tuple(names[p] for p in o.seats) for o in records.outcomes() if o.payoffs is not None}


@pytest.mark.slow
def test_a_class_from_submissions_to_reports(plywright: Run, tmp_path: Path) -> None:
    submissions = tmp_path / "submissions"
    hand_in(submissions, "ann", "legal[0]")
    hand_in(submissions, "ben", "legal[-1]")
    hand_in(submissions, "cat", "", bot__py=PLAYER)
    hand_in(submissions, "dan", "'z9'")
    hand_in(submissions, "eve", "legal[0] if count < 2 else 'z9'")
    hand_in(submissions, "fay", "", bot__c="int main( {")
    hand_in(submissions, "gus", "")
    hand_in(submissions, "ida", "", bot__py="while True: pass")
    (submissions / "Ann.py").write_text(bot("legal[0]"))
    (submissions / "README.txt").write_text("not a submission")
    (tmp_path / "rule.toml").write_text(
        "[check]\nbuilds = 10\nlegal = 20\n[tournament]\nscore = 50\nplace = 20\n[minus]\nillegal = 3\nmost = 5\n"
    )
    words = ("class", "tic-tac-toe", "submissions", "--mode", "move:1s", "--grades", "rule.toml", "--csv", "grades.csv")
    status, out, err = plywright(*words, "--json")
    assert (status, err) == (0, "")
    found = json.loads(out)
    by_name = {row["name"]: row for row in found["students"]}
    # two of one name are both named, and nobody guesses which one counts
    assert "several submissions of the name 'ann'" in by_name["ann"]["note"] and by_name["Ann"]["place"] is None
    assert "z9" in by_name["dan"]["note"] and by_name["dan"]["games"] is None
    assert "builds" in by_name["fay"]["note"] and "error" in by_name["fay"]["note"]
    assert "empty" in by_name["gus"]["note"] and "greets" in by_name["ida"]["note"]
    # who has finished a game takes part: the rest goes on
    playing = {name for name, row in by_name.items() if row["games"]}
    assert playing <= {"ben", "cat", "eve"} and {"ben", "cat"} <= playing
    assert all(row["points"] is not None for row in found["students"])
    assert by_name["gus"]["points"] == 0 and by_name["ben"]["points"] >= 30
    with (tmp_path / "grades.csv").open() as file:
        assert [row["name"] for row in csv.DictReader(file)] == [row["name"] for row in found["students"]]
    folder = tmp_path / "tic-tac-toe-class"
    report = (folder / "report.html").read_text()
    assert "default-src 'none'" in report and not re.search(r"""(src|href)=["']?https?:""", report)
    assert 'href="students/ben.html"' in report and "Causes of losses" in report
    page = (folder / "students" / "fay.html").read_text()
    assert "int main( {" in page and "plywright class tic-tac-toe fay --mode move:1s --check" in page
    with Records.open(folder / "games.plywright") as records:
        assert check_record(records, load_game("tic-tac-toe")).sound


def test_late_ones_join_and_nothing_is_played_twice(plywright: Run, tmp_path: Path) -> None:
    submissions, folder = tmp_path / "submissions", tmp_path / "out"
    for name, choice in (("ann", "legal[0]"), ("ben", "legal[-1]"), ("cat", "legal[len(legal) // 2]")):
        hand_in(submissions, name, choice)
    words = ("class", "tic-tac-toe", "submissions", "--mode", "depth:1", "--output", "out", "--json")
    assert plywright(*words)[0] == 0
    first = played(folder)
    assert len(first) == 6
    stamps = {path: path.stat().st_mtime_ns for path in (folder / "programs").iterdir()}
    assert plywright(*words)[0] == 0 and played(folder) == first  # the same command plays and checks nothing again
    hand_in(submissions, "dan", "legal[1 % len(legal)]")
    status, out, _ = plywright(*words)
    second = played(folder)
    assert status == 0 and len(second) == 12 and {number: second[number] for number in first} == first
    assert all("dan" in seats for number, seats in second.items() if number not in first)
    assert next(row for row in json.loads(out)["students"] if row["name"] == "dan")["joined_late"] is True
    # a new program of an earlier student takes its place; games of the old one count no more
    hand_in(submissions, "ann", "legal[2 % len(legal)]")
    third = json.loads(plywright(*words)[1])
    rows = {row["name"]: row for row in third["students"]}
    assert {name: row["games"] for name, row in rows.items()} == dict.fromkeys(("ann", "ben", "cat", "dan"), 6)
    assert len(played(folder)) == 18
    assert all(path.stat().st_mtime_ns == stamp for path, stamp in stamps.items())
    # one that cannot play leaves the one before in place
    hand_in(submissions, "ann", "'z9'")
    fourth = json.loads(plywright(*words)[1])
    assert len(played(folder)) == 18 and any("ann: the later submission" in note for note in fourth["notes"])
    with Records.open(folder / "games.plywright") as records:
        assert check_record(records, load_game("tic-tac-toe")).sound


@pytest.mark.slow
def test_late_ones_join_a_swiss_system_while_it_runs(plywright: Run, tmp_path: Path) -> None:
    submissions, folder = tmp_path / "submissions", tmp_path / "out"
    for name, place in (("ann", 0), ("ben", -1), ("cat", 1), ("dan", 0)):
        hand_in(submissions, name, f"legal[{place} % len(legal)]")
    words = ("class", "tic-tac-toe", "submissions", "--mode", "depth:1", "--output", "out", "--schedule", "swiss:3")
    assert plywright(*words)[0] == 0
    complete = played(folder)
    with Records.begin(folder / "games.plywright", Records.open(folder / "games.plywright").plan) as records:
        records.connection.execute("DELETE FROM games WHERE game > 5")  # as if it had been killed in the second stage
        records.connection.execute("DELETE FROM plies WHERE game > 5")
    hand_in(submissions, "eve", "legal[-1]")
    hand_in(submissions, "fay", "legal[0]")
    assert plywright(*words)[0] == 0
    again = played(folder)
    assert {n: again[n] for n in range(1, 9)} == {n: complete[n] for n in range(1, 9)}
    last = {name for number, seats in again.items() if number > 8 for name in seats}
    assert {"eve", "fay"} <= last and len(again) == 8 + 6
    hand_in(submissions, "gus", "legal[0]")
    status, out, _ = plywright(*words)
    assert status == 0 and "over" in out and played(folder) == again


def test_programs_that_play_alike_are_pointed_out(plywright: Run, tmp_path: Path) -> None:
    submissions = tmp_path / "submissions"
    hand_in(submissions, "ann", "sorted(legal)[0]")
    hand_in(submissions, "ben", "min(legal)")
    hand_in(submissions, "cat", "legal[-1]")
    place = hand_in(submissions, "dan", "legal[-1]")
    (place / "bot.py").rename(place / "engine.py")
    status, out, _ = plywright("class", "tic-tac-toe", "submissions", "--mode", "depth:1", "--json")
    alike = {(each["one"], each["two"]): each for each in json.loads(out)["alike"]}
    assert status == 0 and set(alike) == {("ann", "ben"), ("cat", "dan")}
    assert not alike["ann", "ben"]["same_files"] and alike["ann", "ben"]["positions"] >= 8
    assert alike["cat", "dan"]["same_files"]


def test_bad_requests_are_named(plywright: Run, tmp_path: Path) -> None:
    submissions = tmp_path / "submissions"
    hand_in(submissions, "ann", "legal[0]")
    hand_in(submissions, "ben", "legal[-1]")
    words = ("class", "tic-tac-toe", "submissions", "--mode", "depth:1")
    (tmp_path / "bad.toml").write_text("[tournament]\nscor = 50\n")
    status, _, err = plywright(*words, "--grades", "bad.toml")
    assert status == 2 and "'scor'" in err and "did you mean score?" in err  # and the games were played all the same
    assert len(played(tmp_path / "tic-tac-toe-class")) == 2
    for text in (
        "[point]\nscore = 1",
        "[minus]\nlate = 'x'",
        "[minus]\nlate = -1",
        "score = 1",
        "[[",
        "[beats]\na = 1",
    ):
        (tmp_path / "bad.toml").write_text(text)
        with pytest.raises(BadInput, match=r"bad\.toml"):
            GradeRule.read(tmp_path / "bad.toml")
    for extra, said in (
        (("--games", "3"), "multiple of 2"),
        (("--mode", "soon"), "not a mode"),
        (("--schedule", "ladder"), "no schedule"),
        (("--reference", "pipe:python x.py"), "is a program"),
        (("--isolation", "none"), "no isolation"),
        (("--jobs", "0"), "--jobs"),
        (("--csv", "nowhere/grades.csv"), "no folder"),
    ):
        status, _, err = plywright(*words, *extra, "--output", "other")
        assert status == 2 and said in err and "Traceback" not in err, extra
    status, _, err = plywright("class", "tic-tac-toe", "submissions", "--mode", "depth:2")
    assert status == 2 and "holds a class with mode depth:1" in err
    (tmp_path / "tic-tac-toe-class" / "class.json").write_text("{}")
    status, _, err = plywright(*words)
    assert status == 2 and "damaged" in err


@pytest.mark.slow
def test_one_program_is_checked_alone(plywright: Run, tmp_path: Path) -> None:
    hand_in(tmp_path, "ann", "legal[0]")
    status, out, _ = plywright("class", "tic-tac-toe", "ann", "--mode", "depth:1", "--mode", "move:1s")
    assert status == 0 and out.count("plays legally") == 2 and "plywright class tic-tac-toe ann" in out
    hand_in(tmp_path, "ben", "time.sleep(0.4) or legal[0]")
    status, out, _ = plywright("class", "tic-tac-toe", "ben", "--mode", "move:0.1s")
    assert status == 1 and "NO  keeps time" in out and "late" in out
    assert not (tmp_path / "tic-tac-toe-class").exists()


@pytest.mark.parametrize(
    "text",
    [
        "[check]\nbuilds = nan",
        "[check]\nbuilds = inf",
        "[check]\nbuilds = " + "9" * 5000,
        "a = " + "[" * 5000,
        "[grade]\nround = nan",
        "[grade]\nround = -1",
        "[grade]\nround = 1e-320",
        "[grade]\nleast = 5\nmost = 1",
    ],
)
def test_points_are_finite_and_within_their_limits(text: str, tmp_path: Path) -> None:
    (tmp_path / "bad.toml").write_text(text)
    with pytest.raises(BadInput, match=r"bad\.toml"):
        GradeRule.read(tmp_path / "bad.toml")


@pytest.mark.slow
def test_levels_grade_a_placement(plywright: Run, tmp_path: Path) -> None:
    submissions = tmp_path / "submissions"
    hand_in(submissions, "ann", "legal[0]")
    hand_in(submissions, "ben", "legal[-1]")
    words = ("class", "tic-tac-toe", "submissions", "--mode", "depth:1", "--schedule", "placement")
    status, out, _ = plywright(*words, "--reference", "random", "--reference", "first", "--json")
    assert status == 0
    games = played(tmp_path / "tic-tac-toe-class").values()
    assert len(games) == 8 and all({"ann", "ben"} & set(seats) and {"random", "first"} & set(seats) for seats in games)
    assert {row["name"] for row in json.loads(out)["students"]} == {"ann", "ben"}  # references are in no grade book
