"""Records that are damaged, or come from strangers: one sentence each, no code run, nothing that steers a terminal."""

from __future__ import annotations

import json
import random
import shutil
import sqlite3
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from plywright.arena.match import play_match
from plywright.arena.records.run_file import Records
from plywright.cli import main
from plywright.cli.arena.match import show_match
from plywright.cli.arena.record import show_export, show_replay, show_report
from plywright.cli.authoring.new import BOTS, template
from plywright.errors import PlywrightError

ODD = [
    None,
    "",
    "x",
    "null",
    "[]",
    "{}",
    "[1e999]",
    '[["a"]]',
    -1,
    1 << 62,
    1e300,
    b"\xff\xfe",
    "[0, 0]",
    "[9, 1]",
    "\x1b[31m",
    '{"value": "\\u001b[31m", "\\u001b[1m": 1, "nodes": -1e400}',
]
ODD_PARTS = [None, -1, 10**30, "\x1b[31mx", [], {}, [[1]], "gone"]
COMMANDS: dict[str, Callable[[Path], Any]] = {
    "report": lambda path: show_report(path, None, None, False),
    "report --json": lambda path: show_report(path, None, None, True),
    "replay": lambda path: show_replay(path, None, None, False),
    "replay 1": lambda path: show_replay(path, 1, None, False),
    "replay 1 --json": lambda path: show_replay(path, 1, None, True),
    "export": lambda path: show_export(path, "jsonl", None, None),
    "export text": lambda path: show_export(path, "text", None, None),
}
FEW = 12
"""Variants of each kind that are always tried; the rest is tried with the slow tests."""


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("sound") / "run"
    play_match(["random", "first"], "tic-tac-toe", games=2, mode="depth:1", record=path)
    return path


def check(path: Path, capsys: pytest.CaptureFixture[str], what: object = "") -> int:
    """Every command reads the record, or refuses it in a sentence; anything else is raised here. How many refused."""
    refused = 0
    for name, command in COMMANDS.items():
        said = ""
        try:
            command(path)
        except PlywrightError as error:
            refused, said = refused + 1, str(error)
            assert said and "\n" not in said and said.isprintable(), (what, name, said)
        heard = capsys.readouterr()
        assert "\x1b" not in heard.out + heard.err + said, (what, name)
    return refused


def altered(sound: Path, path: Path, statement: str, values: tuple[Any, ...] = ()) -> bool:
    """A copy of the record with a change; False where SQLite itself refuses it."""
    shutil.copy(sound, path)
    database = sqlite3.connect(path)
    try:
        database.execute(statement, values)
        database.commit()
    except sqlite3.Error:
        return False
    finally:
        database.close()
    return True


def some(variants: list[Any], slow: bool) -> list[Any]:
    """A few of them, always the same, or all."""
    return variants if slow else random.Random(1).sample(variants, FEW)


AMOUNT = pytest.mark.parametrize("slow", [False, pytest.param(True, marks=pytest.mark.slow)], ids=["few", "all"])


@AMOUNT
def test_every_column_of_every_table(
    sound: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], slow: bool
) -> None:
    with sqlite3.connect(sound) as source:
        variants = [
            (table, row[1], odd)
            for table in ("games", "plies", "sessions", "run")
            for row in source.execute(f"PRAGMA table_info({table})")
            for odd in ODD
        ]
    for table, column, odd in some(variants, slow):
        if altered(sound, tmp_path / "run", f"UPDATE {table} SET {column} = ?", (odd,)):
            check(tmp_path / "run", capsys, (table, column, odd))


@AMOUNT
def test_every_part_of_a_plan(sound: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], slow: bool) -> None:
    with sqlite3.connect(sound) as source:
        plan = json.loads(source.execute("SELECT value FROM run WHERE name = 'plan'").fetchone()[0])
    for key, odd in some([(key, odd) for key in plan for odd in ODD_PARTS], slow):
        changed = {k: v for k, v in plan.items() if k != key} if odd == "gone" else {**plan, key: odd}
        assert altered(sound, tmp_path / "run", "UPDATE run SET value = ? WHERE name = 'plan'", (json.dumps(changed),))
        check(tmp_path / "run", capsys, (key, odd))


@AMOUNT
def test_bytes_cut_off_or_flipped(sound: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], slow: bool) -> None:
    whole, path = sound.read_bytes(), tmp_path / "run"

    def variants() -> Iterator[bytes]:
        for size in (0, 1, 50, 100, 4096, len(whole) // 2, len(whole) - 1):
            yield whole[:size]
        rng = random.Random(2)
        for _ in range(60):
            bent = bytearray(whole)
            for _ in range(rng.randint(1, 20)):
                bent[rng.randrange(len(bent))] ^= 1 << rng.randrange(8)
            yield bytes(bent)

    for number, data in some(list(enumerate(variants())), slow):
        path.write_bytes(data)
        check(path, capsys, number)


@pytest.mark.parametrize(
    "statement",
    [
        "DROP TABLE plies",
        "DROP TABLE sessions",
        "DELETE FROM run",
        "PRAGMA user_version = 99",
        "UPDATE games SET game = 99 WHERE game = 1",
        "UPDATE games SET round = 7",
        "UPDATE games SET seats = '[1, 0]' WHERE game = 1",
        "UPDATE plies SET action = 77",
        "UPDATE plies SET seat = 5",
        "UPDATE games SET start = 'nonsense'",
    ],
)
def test_what_no_run_writes_is_refused(
    sound: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], statement: str
) -> None:
    assert altered(sound, tmp_path / "run", statement)
    assert check(tmp_path / "run", capsys, statement)


ENDLESS = "WITH RECURSIVE count(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM count) SELECT real.* FROM count, real"


@pytest.mark.parametrize(
    ("statements", "words"),
    [
        *(
            ((f"ALTER TABLE {table} RENAME TO real", f"CREATE VIEW {table} AS {ENDLESS}"), "is no table")
            for table in ("run", "games", "plies")
        ),
        (("CREATE TRIGGER wipe AFTER INSERT ON games BEGIN DELETE FROM plies; END",), "is no table"),
        (("UPDATE run SET value = printf('%.*c', 70000000, 'x')",), "too big"),
    ],
)
def test_a_record_that_computes_or_swells_is_refused_before_it_is_read(
    sound: Path, tmp_path: Path, statements: tuple[str, ...], words: str
) -> None:
    path = tmp_path / "run"
    shutil.copy(sound, path)
    with sqlite3.connect(path) as database:
        for statement in statements:
            database.execute(statement)
    database.close()
    for command in COMMANDS.values():
        with pytest.raises(PlywrightError, match=words):
            command(path)
    with pytest.raises(PlywrightError, match=words):
        play_match(["random", "first"], "tic-tac-toe", games=2, mode="depth:1", record=path)


def test_a_stranger_s_record_runs_no_file(sound: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    trap, trace, path = tmp_path / "trap.py", tmp_path / "trace", tmp_path / "run"
    trap.write_text(f"open({str(trace)!r}, 'w').close()\n")
    assert altered(sound, path, "UPDATE run SET value = replace(value, '\"tic-tac-toe\"', ?)", (json.dumps(str(trap)),))
    check(path, capsys)
    assert not trace.exists()
    assert main(["report", str(path)]) == 2 and "--game" in capsys.readouterr().err
    assert main(["report", str(path), "--game", "tic-tac-toe"]) == 0


def test_names_of_programs_neither_steer_nor_style_the_terminal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bot, path = tmp_path / "bot.py", tmp_path / "run"
    source = template(BOTS["json"])
    assert "name=NAME" in source
    bot.write_text(source.replace("name=NAME", 'name="[/red]\\x1b[31m\\x9b1m"'))
    players = [f"pipe:{sys.executable} {bot}?isolation=limits", "first"]
    show_match(
        *("match", players, "tic-tac-toe"),
        games=2,
        mode="depth:1",
        openings=None,
        jobs=1,
        record=path,
        seed=None,
        json=False,
    )
    for command in COMMANDS.values():
        command(path)
    heard = capsys.readouterr().out
    assert "[/red]" in heard and "\x1b" not in heard and "\x9b" not in heard


def test_outcomes_of_chance_are_held_to_the_rules(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "pig"
    play_match(["random", "first"], "pig", games=2, mode="depth:1", record=path)
    bent = tmp_path / "run"
    assert altered(path, bent, "UPDATE plies SET action = 77 WHERE seat = -1 AND game = 1")
    with pytest.raises(PlywrightError, match="not legal"):
        show_replay(bent, 1, None, False)


def test_what_a_player_said_of_its_move_is_made_plain(sound: Path, tmp_path: Path) -> None:
    said = '{"value": 1e999, "nodes": 5, "words\\u001b": ["\\u009b1m", {"a": "\\u202e"}]}'
    assert altered(sound, tmp_path / "run", "UPDATE plies SET info = ?", (said,))
    with Records.open(tmp_path / "run") as records:
        info = records.game(1)[1].plies[0].info
    assert info == {"value": None, "nodes": 5, "words\\x1b": ["\\x9b1m", {"a": "\\u202e"}]}
