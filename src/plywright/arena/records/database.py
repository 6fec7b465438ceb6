"""SQLite for the records of runs: the schema, and every way in which a file can be wrong as a sentence."""

from __future__ import annotations

import contextlib
import json
import os
import sqlite3
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from ...errors import BadInput, PlywrightError, printable, shown
from ...games import load_game
from ...games.registry import is_path
from ..schedules.schedule import Plan
from .reading import Damaged, parsed, plan_of

VERSION = 1
APPLICATION = 0x504C5957  # "PLYW", in the header that file(1) reads
LONGEST = 1 << 26
"""Bytes of a row: a file that claims more is no record, and is not read into memory."""
SCHEMA = """
CREATE TABLE run (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE sessions (
    session INTEGER PRIMARY KEY, started TEXT NOT NULL, jobs INTEGER NOT NULL, versions TEXT NOT NULL);
CREATE TABLE games (
    game INTEGER NOT NULL, attempt INTEGER NOT NULL, key TEXT NOT NULL, session INTEGER NOT NULL,
    round INTEGER NOT NULL, opening INTEGER NOT NULL, seats TEXT NOT NULL, seed INTEGER NOT NULL,
    finished TEXT NOT NULL, seconds REAL NOT NULL, mode TEXT NOT NULL, isolation TEXT NOT NULL,
    termination TEXT NOT NULL, payoffs TEXT, offender INTEGER, offences TEXT NOT NULL,
    raw TEXT NOT NULL, note TEXT NOT NULL, players TEXT NOT NULL, rules TEXT NOT NULL,
    start TEXT NOT NULL, first_moves TEXT NOT NULL, line TEXT NOT NULL,
    PRIMARY KEY (game, attempt)) WITHOUT ROWID;
CREATE UNIQUE INDEX counted_once ON games (key) WHERE payoffs IS NOT NULL;
CREATE TABLE plies (
    game INTEGER NOT NULL, attempt INTEGER NOT NULL, ply INTEGER NOT NULL, seat INTEGER NOT NULL,
    action INTEGER NOT NULL, seconds REAL NOT NULL, value REAL, depth INTEGER, nodes INTEGER, info TEXT NOT NULL,
    PRIMARY KEY (game, attempt, ply)) WITHOUT ROWID;
"""


class RecordFull(PlywrightError):
    """There is no room for the next game."""


def connect(path: Path, how: str) -> sqlite3.Connection:
    place = path.resolve().as_uri()
    try:
        connection = sqlite3.connect(f"{place}?mode={how}", uri=True, isolation_level=None, timeout=10)
        connection.execute("PRAGMA schema_version").fetchone()
    except sqlite3.OperationalError:
        if how != "ro" or not os.access(path, os.R_OK):
            raise
        # A finished run in a read-only folder has no write-ahead log.
        connection = sqlite3.connect(f"{place}?immutable=1", uri=True, isolation_level=None)
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LONGEST)
    return connection


def holds_run(path: Path, connection: sqlite3.Connection) -> bool:
    """Whether the file holds a run; False for a new one, BadInput for anything else."""
    application = connection.execute("PRAGMA application_id").fetchone()[0]
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    tables = connection.execute("SELECT COUNT(*) FROM sqlite_master").fetchone()[0]
    if application == 0 and version == 0 and tables == 0:
        return False
    if application != APPLICATION:
        raise BadInput(f"{path} is no record of Plywright but another program's database; choose another file")
    if version != VERSION:
        raise BadInput(
            f"{path} is a record of version {version}, and this Plywright reads version {VERSION}: "
            "use the Plywright that wrote it, or choose another file"
        )
    foreign = "SELECT name FROM sqlite_master WHERE type IN ('view', 'trigger') OR sql LIKE 'CREATE VIRTUAL%' LIMIT 1"
    if (name := connection.execute(foreign).fetchone()) is not None:  # a view could run for ever
        raise Damaged(f"{shown(name[0])} in it is no table, and no run writes that")
    return True


def create(connection: sqlite3.Connection, plan: Plan) -> None:
    with transaction(connection):
        for statement in filter(None, (part.strip() for part in SCHEMA.split(";"))):
            connection.execute(statement)
        rows = [("plan", json.dumps(plan.as_dict())), ("stopping rule", plan.rule), ("created", now())]
        connection.executemany("INSERT INTO run VALUES (?, ?)", rows)
        connection.execute(f"PRAGMA application_id = {APPLICATION}")
        connection.execute(f"PRAGMA user_version = {VERSION}")


def held_plan(path: Path, connection: sqlite3.Connection, asked: Plan | None = None) -> Plan:
    """The plan in a file; what the first records did not say is as `asked`, or as the game has it today."""
    found = connection.execute("SELECT value FROM run WHERE name = 'plan'").fetchone()
    if found is None:
        raise BadInput(f"{path} is a damaged record: it does not say which run it holds")
    data = parsed(found[0], "its plan")
    if isinstance(data, dict) and "once" not in data:
        data["once"] = _repeats_count_once(str(data.get("game"))) if asked is None else asked.once
    return plan_of(data)


def _repeats_count_once(name: str) -> bool:
    """What a plan says of its game today; the file of a game is not opened for it."""
    if is_path(name):
        return True
    try:
        game = load_game(name)
    except PlywrightError:
        return True
    return not (game.has_chance or game.hidden)


class AnotherRun(BadInput):
    """A file holds a run that was planned otherwise; `difference` says in what."""

    def __init__(self, path: Path, difference: str) -> None:
        super().__init__(path, difference)
        self.difference = difference

    def __str__(self) -> str:
        path, difference = self.args
        return f"{path} holds another run, with {difference}: choose another file, or repeat the command that began it"


def same_plan(path: Path, held: Plan, asked: Plan) -> Plan:
    """What is asked for under the names that the file has; BadInput where the file holds another run.

    The rule for stopping was fixed when the run began. Names alone make no other run: a program may say
    another one today, and the first records had the texts of programs for names.
    """
    if len(held.players) == len(asked.players):
        named = zip(asked.players, held.players, strict=True)
        asked = replace(asked, players=tuple(replace(player, name=before.name) for player, before in named))
    _check_same(path, held, plan_of(asked.as_dict()))
    return asked


def _check_same(path: Path, held: Plan, asked: Plan) -> None:
    if held == asked:
        return
    names = {"rules": "rules of the game", "source": "openings"}
    for key, value in held.as_dict().items():
        other = asked.as_dict()[key]
        if value == other:
            continue
        if key == "players" and [one["text"] for one in value] == [one["text"] for one in other]:
            text = next(a["text"] for a, b in zip(value, other, strict=True) if a != b)
            raise BadInput(f"{path}: the program of {text!r} has changed since the run began; record a new run")
        if key == "players":
            value, other = (", ".join(one["text"] for one in each) for each in (value, other))
        if key == "openings":
            raise BadInput(f"{path}: the openings have changed since the run began; record a new run")
        raise AnotherRun(path, f"{names.get(key, key)} {value} instead of {other}")


@contextlib.contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[sqlite3.Connection]:
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield connection
        connection.execute("COMMIT")
    except BaseException:
        with contextlib.suppress(sqlite3.Error):
            connection.execute("ROLLBACK")
        raise


@contextlib.contextmanager
def guarded(path: Path) -> Iterator[None]:
    """What SQLite says, as a sentence about the file."""
    try:
        yield
    except sqlite3.IntegrityError:
        raise BadInput(f"{path}: another process is recording this run; let it finish, or stop it") from None
    except sqlite3.Error as error:
        text = printable(str(error))
        if "disk is full" in text or "disk I/O" in text:
            raise RecordFull(
                f"{path} cannot grow ({text}); all games before this one are safe: make room and repeat the command"
            ) from None
        if "not a database" in text or "malformed" in text or "no such table" in text:
            raise BadInput(f"{path} is no record of Plywright ({text}); choose another file") from None
        if "locked" in text:
            raise BadInput(f"{path}: another process is recording this run; let it finish, or stop it") from None
        raise BadInput(f"{path} cannot be used as a record: {text}") from None
    except UnicodeDecodeError:  # SQLite's own sentence quotes what is damaged
        raise BadInput(f"{path} is a damaged record: it holds a text that is none") from None
    except Damaged as damage:
        raise BadInput(f"{path} is a damaged record: {damage}") from None


def now() -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
