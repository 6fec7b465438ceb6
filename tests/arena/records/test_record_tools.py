"""Records of runs as files to work with: checked, merged, exported to Parquet."""

from __future__ import annotations

import json
import shutil
import sqlite3
from pathlib import Path

import pytest

from plywright import load_game, play_match
from plywright.arena.records.check import check_record
from plywright.arena.records.merge import merge_records
from plywright.arena.records.run_file import Records
from plywright.cli import main
from plywright.errors import BadInput


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("records") / "a.run"
    play_match(["random", "first"], "tic-tac-toe", games=8, mode="depth:1", record=path)
    return path


def changed(run: Path, to: Path, *statements: str) -> Path:
    shutil.copy(run, to)
    with sqlite3.connect(to) as connection:
        for statement in statements:
            connection.execute(statement)
    connection.close()
    return to


def test_a_sound_record_is_called_so(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["record", "check", str(run), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["sound"] and found["games"] == 8 and found["faults"] == [] and found["plies"] > 30


@pytest.mark.parametrize(
    ("statement", "words"),
    [
        ("UPDATE games SET payoffs = '[1.0, 1.0]' WHERE game = 2", "game 2: its payoffs are 1 1, and by the rules"),
        ("UPDATE games SET seed = seed + 1 WHERE game = 3", "game 3: its key or seed is not that of the plan"),
        ("UPDATE plies SET action = 99 WHERE game = 4 AND ply = 2", "game 4: ply"),
        ("DELETE FROM plies WHERE game = 5 AND ply > 3", "game 5: it ends as by the rules, but goes on"),
        ("UPDATE plies SET attempt = 9 WHERE game = 7", "there are moves of game 7, attempt 9, and no such game"),
    ],
)
def test_what_was_changed_by_hand_is_found(
    run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], statement: str, words: str
) -> None:
    path = changed(run, tmp_path / "b.run", statement)
    assert main(["record", "check", str(path)]) == 1
    told = capsys.readouterr().out
    assert words in told and "not sound" in told


def test_parts_of_a_run_come_together(run: Path, tmp_path: Path) -> None:
    one = changed(run, tmp_path / "one.run", "DELETE FROM games WHERE game > 5", "DELETE FROM plies WHERE game > 5")
    two = changed(run, tmp_path / "two.run", "DELETE FROM games WHERE game < 4", "DELETE FROM plies WHERE game < 4")
    found = merge_records([one, two], tmp_path / "whole.run")
    assert (found.games, found.again, found.other) == (8, 2, ())
    with Records.open(run) as first, Records.open(tmp_path / "whole.run") as merged:
        assert [outcome.line for outcome in first.outcomes()] == [outcome.line for outcome in merged.outcomes()]
        assert check_record(merged, load_game("tic-tac-toe")).sound


def test_records_of_other_runs_are_not_merged(run: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.run"
    play_match(["random", "first"], "tic-tac-toe", games=2, mode="depth:1", record=other, seed=9)
    with pytest.raises(BadInput, match=r"records of two runs, with .* instead of .*: only parts of one run"):
        merge_records([run, other], tmp_path / "no.run")
    assert not (tmp_path / "no.run").exists()
    with pytest.raises(BadInput, match="is there already"):
        merge_records([run, run], other)
    with pytest.raises(BadInput, match="at least two"):
        merge_records([run], tmp_path / "no.run")
    differently = changed(run, tmp_path / "d.run", "UPDATE games SET line = 'x' WHERE game = 6")
    assert merge_records([run, differently], tmp_path / "both.run").other == (6,)


def test_parquet_has_a_row_for_each_game(run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    path = tmp_path / "games.parquet"
    assert main(["export", str(run), "--format", "parquet", "--output", str(path)]) == 0
    table = parquet.read_table(path)
    assert table.num_rows == 8
    with Records.open(run) as records:
        for row in table.to_pylist():
            outcome, record = records.game(row["game"])
            assert row["actions"] == [*record.opening, *(ply.action for ply in record.plies)]
            assert tuple(row["payoffs"]) == outcome.payoffs and len(row["moves"]) == len(row["actions"])
    assert main(["export", str(run), "--format", "parquet"]) == 2
    assert "--output games.parquet" in capsys.readouterr().err
    assert main(["export", str(run), "--format", "xml"]) == 2
    assert "--format is one of jsonl, parquet, text" in capsys.readouterr().err
