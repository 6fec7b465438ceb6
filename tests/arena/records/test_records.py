"""The file of a run: what goes in comes out, other files are refused, nothing is lost when the disk is full."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from plywright.arena.game_record import GameRecord, Ply
from plywright.arena.records.run_file import VERSION, RecordFull, Records, free_name
from plywright.arena.schedules.openings import Opening
from plywright.arena.schedules.schedule import MATCH, Entrant, Plan
from plywright.errors import BadInput


def plan(**changes: object) -> Plan:
    given = {
        "kind": MATCH,
        "game": "tic-tac-toe",
        "rules": "abc",
        "seats": 2,
        "players": (Entrant("random", "random", "v1"), Entrant("first", "first", "v1")),
        "mode": "depth:1",
        "games": 6,
        "source": "start",
        "openings": (Opening(), Opening((4, 0), None, "b2 a1")),
        "seed": 1,
        "margin": 0.05,
    }
    return Plan(**{**given, **changes})  # type: ignore[arg-type]


def record(**changes: object) -> GameRecord:
    given = {
        "game": "tic-tac-toe",
        "players": ("random", "first"),
        "start": "......... X",
        "opening": (4, 0),
        "plies": (Ply(0, 3, 0.25, {"value": 1.5, "nodes": 12, "line": ["a", "b"]}), Ply(1, 5, 0.5)),
        "payoffs": (1.0, -1.0),
        "termination": "illegal",
        "offender": 1,
        "raw": "  zz 9\\x00",
        "note": "first answered 'zz 9'",
        "seed": 7,
        "mode": "depth:1",
        "isolation": "bubblewrap",
        "seconds": 0.8,
        "offences": ((1, "illegal"),),
    }
    return GameRecord(**{**given, **changes})  # type: ignore[arg-type]


def units(of: Plan) -> list:  # type: ignore[type-arg]
    return [unit for each in of.rounds() for unit in each.units]


def test_a_game_comes_back_as_it_was(tmp_path: Path) -> None:
    with Records.begin(tmp_path / "run", plan()) as records:
        given = records.add(units(plan())[0], record(seed=units(plan())[0].seed))
    with Records.open(tmp_path / "run") as records:
        outcome, found = records.game(1)
        assert found == record(seed=found.seed) and outcome == given == records.outcomes()[0]
        assert records.plan == plan() and records.sessions()[0]["plywright"]
        assert records.times() == {0: (1, 0.25, 0.25), 1: (1, 0.5, 0.5)}


def test_bytes_that_are_no_text_are_written_as_their_codes(tmp_path: Path) -> None:
    with Records.begin(tmp_path / "run", plan()) as records:
        records.add(units(plan())[0], record(raw=b"\xff\xfe5 6".decode("utf-8", "surrogateescape")))
        assert records.game(1)[1].raw == "\\udcff\\udcfe5 6"


def test_a_void_attempt_is_kept_beside_the_game_that_counts(tmp_path: Path) -> None:
    unit = units(plan())[2]
    with Records.begin(tmp_path / "run", plan()) as records:
        records.add(unit, record(payoffs=None, termination="void", offender=None, offences=()))
        records.add(unit, record())
        assert [(o.game, o.attempt, o.payoffs) for o in records.outcomes()] == [(3, 1, None), (3, 2, (1.0, -1.0))]
        assert records.game(3)[1].payoffs is not None
        with pytest.raises(BadInput, match="another process"):
            records.add(unit, record())  # a second result for the same game
        assert len(records.outcomes()) == 2


def test_equal_games_have_one_identity(tmp_path: Path) -> None:
    with Records.begin(tmp_path / "run", plan()) as records:
        one, two, three, *_ = units(plan())
        same_seats = three._replace(seats=one.seats)
        written = [records.add(one, record()), records.add(two, record()), records.add(same_seats, record())]
        other = records.add(units(plan())[3], record(plies=(Ply(1, 5), Ply(0, 3))))
        read = records.outcomes()
        assert [outcome.identity for outcome in read] == [outcome.identity for outcome in (*written, other)]
    assert read[0].identity == read[2].identity  # the same players in the same seats, the same moves
    assert len({outcome.identity for outcome in read}) == 3


def test_a_file_goes_on_only_with_its_own_run(tmp_path: Path) -> None:
    path = tmp_path / "run"
    Records.begin(path, plan()).close()
    Records.begin(path, plan()).close()
    changed = (Entrant("random", "random", "v1"), Entrant("first", "first", "v2"))
    with pytest.raises(BadInput, match="the program of 'first' has changed"):
        Records.begin(path, plan(players=changed))
    with pytest.raises(BadInput, match="games 6 instead of 8"):
        Records.begin(path, plan(games=8))
    with pytest.raises(BadInput, match="openings have changed"):
        Records.begin(path, plan(openings=(Opening(),)))


def test_other_files_are_refused_and_left_alone(tmp_path: Path) -> None:
    text, database, future = tmp_path / "notes.txt", tmp_path / "other.db", tmp_path / "future"
    text.write_text("dear diary, " * 300)
    with sqlite3.connect(database) as connection:
        connection.execute("CREATE TABLE mine (x)")
    connection.close()
    Records.begin(future, plan()).close()
    with sqlite3.connect(future) as connection:
        connection.execute(f"PRAGMA user_version = {VERSION + 1}")
    connection.close()
    before = [path.read_bytes() for path in (text, database, future)]
    for path, words in ((text, "no record"), (database, "another program's"), (future, f"version {VERSION + 1}")):
        for use in (lambda path=path: Records.open(path), lambda path=path: Records.begin(path, plan())):
            with pytest.raises(BadInput, match=words):
                use()
    assert before == [path.read_bytes() for path in (text, database, future)]
    for path in (tmp_path / "none", tmp_path):
        with pytest.raises(BadInput, match="there is no record"):
            Records.open(path)
    with pytest.raises(BadInput, match="no folder"):
        Records.begin(tmp_path / "none" / "run", plan())


def test_a_full_disk_loses_nothing(tmp_path: Path) -> None:
    games = units(plan(games=400))
    with Records.begin(tmp_path / "run", plan(games=400)) as records:
        records.connection.execute("PRAGMA max_page_count = 20")
        with pytest.raises(RecordFull, match="all games before this one are safe"):
            for unit in games:
                records.add(unit, record(note="x" * 500))
        kept = len(records.outcomes())
        assert 0 < kept < 400
    with Records.begin(tmp_path / "run", plan(games=400)) as records:
        assert len(records.outcomes()) == kept
        records.add(games[kept], record())  # there is room again


def test_names_of_new_files_are_free(tmp_path: Path) -> None:
    first = free_name(tmp_path, "othello-match")
    first.touch()
    assert free_name(tmp_path, "othello-match").name == "othello-match-2.plywright"
