"""The file of a run: SQLite, one transaction per game, so that a run can be killed at any moment and resumed.

One file is one run. A game that is in the file counts and is never played again; one that is not was
never finished. The schema has a number; a file of another is refused, not guessed at.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import platform
import sqlite3
from importlib import metadata
from pathlib import Path
from typing import Any

import numpy as np

from ...collector import collector_paused
from ...errors import BadInput
from ..game_record import GameRecord, Ply
from ..outcome import Outcome
from ..schedules.progress import Progress
from ..schedules.schedule import Plan, Unit
from . import reading
from .database import VERSION, RecordFull, connect, create, guarded, held_plan, holds_run, now, same_plan, transaction

__all__ = ["VERSION", "RecordFull", "Records", "free_name", "versions"]


MOST_READ = 20_000
"""Rows whose meaning is kept."""
OWN = 5
"""The first columns, which say what is one game's own; many games have the others in common."""
COLUMNS = "game, attempt, round, seconds, line, seats, payoffs, termination, offender, offences, isolation, note"


class Records:
    """An open file of one run; `plan` says what the run is."""

    def __init__(self, path: Path, connection: sqlite3.Connection, plan: Plan) -> None:
        self.path, self.connection, self.plan = path, connection, plan
        self.session = 0
        self._progress: Progress | None = None
        self._read: dict[tuple[Any, ...], tuple[Any, ...]] = {}

    @classmethod
    def begin(cls, path: Path, plan: Plan, jobs: int = 1) -> Records:
        """The file for a run: a new one, or one that holds the same run, to go on with."""
        if not path.parent.is_dir():
            raise BadInput(f"there is no folder {str(path.parent)!r} for the record")
        with guarded(path):
            connection = connect(path, "rwc")
            try:
                found = holds_run(path, connection)
                connection.execute("PRAGMA journal_mode = WAL")
                # A kill loses nothing. Only a power cut may cost the last games, which are then played again.
                connection.execute("PRAGMA synchronous = NORMAL")
                if not found:
                    create(connection, plan)
                records = cls(path, connection, same_plan(path, held_plan(path, connection, plan), plan))
                with transaction(connection):
                    row = (now(), jobs, json.dumps(versions()))
                    done = connection.execute("INSERT INTO sessions (started, jobs, versions) VALUES (?, ?, ?)", row)
                    records.session = int(done.lastrowid or 0)
            except BaseException:
                connection.close()
                raise
        return records

    @classmethod
    def open(cls, path: Path) -> Records:
        """The file of a run, to read."""
        if path.is_dir() or not path.exists():
            raise BadInput(f"there is no record {str(path)!r}: it is the file that a match or tournament wrote")
        with guarded(path):
            connection = connect(path, "ro")
            try:
                if not holds_run(path, connection):
                    raise BadInput(f"{path} is no record of Plywright: it is empty")
                return cls(path, connection, held_plan(path, connection))
            except BaseException:
                connection.close()
                raise

    def close(self) -> None:
        if self.session:
            with contextlib.suppress(sqlite3.Error):  # fails while another process reads, which does no harm
                self.connection.execute("PRAGMA journal_mode = DELETE")  # no write-ahead log stays behind
        self.connection.close()

    def __enter__(self) -> Records:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # -- writing -----------------------------------------------------------------------------------------

    def go_on_by(self, plan: Plan) -> None:
        """Go on by another plan that has all games of this one: see joining.py."""
        with guarded(self.path), transaction(self.connection) as connection:
            rows = [(json.dumps(plan.as_dict()), "plan"), (plan.rule, "stopping rule")]
            connection.executemany("UPDATE run SET value = ? WHERE name = ?", rows)
        self.plan, self._progress = plan, None

    def add(self, unit: Unit, record: GameRecord) -> Outcome:
        """Write one game down, all of it or nothing; what counting needs of it comes back."""
        with guarded(self.path), transaction(self.connection) as connection:
            question = "SELECT COALESCE(MAX(attempt), 0) + 1 FROM games WHERE game = ?"
            attempt = int(connection.execute(question, (unit.number,)).fetchone()[0])
            row = {
                "game": unit.number,
                "attempt": attempt,
                "key": unit.key,
                "session": self.session,
                "round": unit.round,
                "opening": unit.opening,
                "seats": json.dumps(unit.seats),
                "seed": unit.seed,
                "finished": now(),
                "seconds": record.seconds,
                "mode": record.mode,
                "isolation": record.isolation,
                "termination": record.termination,
                "payoffs": None if record.payoffs is None else json.dumps(record.payoffs),
                "offender": record.offender,
                "offences": json.dumps(record.offences),
                "raw": _storable(record.raw),
                "note": _storable(record.note),
                "players": json.dumps(record.players),
                "rules": record.game,
                "start": record.start,
                "first_moves": json.dumps(record.opening),
                "line": _line(record),
            }
            names = ", ".join(row)
            connection.execute(f"INSERT INTO games ({names}) VALUES ({', '.join('?' * len(row))})", list(row.values()))
            connection.executemany(
                "INSERT INTO plies VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                [(unit.number, attempt, number, *_ply_row(ply)) for number, ply in enumerate(record.plies, 1)],
            )
        return Outcome(
            unit.number,
            attempt,
            unit.round,
            unit.seats,
            record.payoffs,
            record.termination,
            record.offender,
            tuple(record.offences),
            record.seconds,
            record.isolation,
            record.note,
            str(row["line"]),
        )

    # -- reading -----------------------------------------------------------------------------------------

    def outcomes(self) -> list[Outcome]:
        """Every game in the file, void attempts included, in the order of the schedule."""
        with guarded(self.path), collector_paused():
            rows = self.connection.execute(f"SELECT {COLUMNS} FROM games ORDER BY game, attempt").fetchall()
            known = Progress(self.plan)
            if not self.plan.system.staged:
                return [self._outcome(known.units, row) for row in rows]
            found = []
            for row in rows:
                found.append(self._outcome(known.units, row))
                known.add(found[-1])  # later stages follow from the results of earlier ones
            return found

    def _outcome(self, units: dict[int, Unit], row: tuple[Any, ...]) -> Outcome:
        """A row of `COLUMNS` as what counting needs; raises Damaged."""
        unit = units.get(reading.whole(row[0], "the number of a game", 1))
        if unit is None:
            raise reading.Damaged(f"its plan has no game {row[0]}")
        seats, payoffs, termination, offender, offences, isolation, note = self._ending(row[OWN:])
        if (row[2], seats) != (unit.round, unit.seats):
            raise reading.Damaged(f"game {row[0]} is not the one that its plan has")
        return Outcome(
            unit.number,
            reading.whole(row[1], "an attempt", 1),
            unit.round,
            unit.seats,
            *(payoffs, termination, offender, offences),
            reading.number(row[3], "the seconds of a game"),
            *(isolation, note),
            reading.text(row[4], "a line"),
        )

    def _ending(self, row: tuple[Any, ...]) -> tuple[Any, ...]:
        """What a row says beside what is its own: many games have the same, and it is read once."""
        if (found := self._read.get(row)) is not None:
            return found
        seats, payoffs, termination, offender, offences, isolation, note = row
        found = (
            reading.seated(seats, self.plan),
            reading.paid(payoffs, self.plan),
            reading.text(termination, "a termination"),
            reading.offender(offender, self.plan),
            reading.offended(offences, self.plan),
            reading.text(isolation, "an isolation"),
            reading.text(note, "a note"),
        )
        if len(self._read) >= MOST_READ:
            self._read.clear()
        self._read[row] = found
        return found

    def _knowing(self, number: int) -> Progress:
        """A progress of this run that has game `number` in its schedule, if the games of the file lead to it."""
        if self._progress is None or number not in self._progress.units:
            self._progress = Progress(self.plan, self.outcomes() if self.plan.system.staged else ())
        return self._progress

    def game(self, number: int) -> tuple[Outcome, GameRecord]:
        """One game as it was refereed: the attempt that counts, or else the last one."""
        with guarded(self.path):
            found = self.connection.execute(
                f"SELECT rules, players, start, first_moves, raw, seed, mode, {COLUMNS} FROM games WHERE game = ? "
                "ORDER BY payoffs IS NULL, attempt DESC LIMIT 1",
                (number,),
            ).fetchone()
            if found is None:
                raise BadInput(f"{self.path} has no game {number}; plywright replay {self.path} lists those it has")
            rules, players, start, first, raw, seed, mode, *row = found
            plies = self.connection.execute(
                "SELECT seat, action, seconds, value, depth, nodes, info FROM plies WHERE game = ? AND attempt = ? "
                "ORDER BY ply",
                (number, row[1]),
            ).fetchall()
            outcome = self._outcome(self._knowing(number).units, tuple(row))
            players = [reading.text(name, "a player") for name in reading.listed(players, "players", self.plan.seats)]
            first = [
                reading.whole(action, "an action", -reading.LARGEST)
                for action in reading.listed(first, "the first moves")
            ]
            record = GameRecord(
                game=reading.text(rules, "the name of the game"),
                players=tuple(players),
                start=reading.lines(start, "the start"),
                opening=tuple(first),
                plies=tuple(_ply(*row) for row in plies),
                payoffs=outcome.payoffs,
                termination=outcome.termination,
                offender=outcome.offender,
                raw=reading.text(raw, "a raw line"),
                note=outcome.note,
                seed=reading.whole(seed, "a seed", 0, (1 << 63) - 1),
                mode=reading.text(mode, "a mode"),
                isolation=outcome.isolation,
                seconds=outcome.seconds,
                offences=outcome.offences,
            )
        return outcome, record

    def raw_lines(self) -> dict[tuple[int, int], str]:
        """By game and attempt the line of a program that ended it, where one did."""
        with guarded(self.path):
            rows = self.connection.execute("SELECT game, attempt, raw FROM games WHERE raw != ''").fetchall()
            return {(number, attempt): reading.text(raw, "a raw line") for number, attempt, raw in rows}

    def times(self) -> dict[int, tuple[int, float, float]]:
        """By player: moves made, seconds used, longest move, over the games that count."""
        with guarded(self.path):
            rows = self.connection.execute(
                "SELECT games.seats, plies.seat, COUNT(*), SUM(plies.seconds), MAX(plies.seconds) FROM plies "
                "JOIN games USING (game, attempt) WHERE payoffs IS NOT NULL AND seat >= 0 "
                "GROUP BY games.seats, plies.seat"
            ).fetchall()
            found: dict[int, tuple[int, float, float]] = {}
            for seats, seat, moves, seconds, longest in rows:
                player = reading.seated(seats, self.plan)[reading.whole(seat, "a seat", 0, self.plan.seats - 1)]
                before = found.get(player, (0, 0.0, 0.0))
                spent, most = reading.number(seconds, "the seconds of a move"), reading.number(longest, "a time")
                found[player] = (before[0] + moves, before[1] + spent, max(before[2], most))
        return found

    def sessions(self) -> list[dict[str, Any]]:
        with guarded(self.path):
            rows = self.connection.execute("SELECT session, started, jobs, versions FROM sessions").fetchall()
            return [_session(*row) for row in rows]


def versions() -> dict[str, str]:
    """What the games were played with."""
    from ... import __version__

    try:
        compiler = metadata.version("numba")  # read from its metadata: importing it takes a second
    except metadata.PackageNotFoundError:
        compiler = "none"
    return {
        "plywright": __version__,
        "python": platform.python_version(),
        "numpy": np.__version__,
        "numba": compiler,
        "system": f"{platform.system()} {platform.machine()}",
        "processors": str(os.cpu_count()),
    }


def free_name(folder: Path, stem: str) -> Path:
    """A file of this stem that is not there yet: othello-match-1.plywright, -2, ..."""
    number = 1
    while (path := folder / f"{stem}-{number}.plywright").exists():
        number += 1
    return path


def _storable(text: str) -> str:
    """A line as it came, with what is no text at all written as its codes."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def _line(record: GameRecord) -> str:
    """The start and the actions as one short text: equal for equal games."""
    words = f"{record.start} {' '.join(str(ply.action) for ply in record.plies)}"
    return hashlib.sha256(words.encode()).hexdigest()[:16]


def _ply_row(ply: Ply) -> tuple[Any, ...]:
    info = {key: value for key, value in ply.info.items() if value is not None}
    value, depth, nodes = (_number(info.get(key)) for key in ("value", "depth", "nodes"))
    return ply.seat, ply.action, ply.seconds, value, depth, nodes, json.dumps(info, default=str)


def _ply(seat: Any, action: Any, seconds: Any, value: Any, depth: Any, nodes: Any, info: Any) -> Ply:
    return Ply(
        reading.whole(seat, "a seat", -1),
        reading.whole(action, "an action", -reading.LARGEST),
        reading.number(seconds, "the seconds of a move"),
        reading.account(info),
    )


def _session(session: Any, started: Any, jobs: Any, versions: Any) -> dict[str, Any]:
    told = reading.parsed(versions, "the versions of a session")
    if not isinstance(told, dict):
        raise reading.Damaged("the versions of a session are no object")
    known = {
        name: reading.text(told.get(name, "?"), f"the version of {name}") for name in ("plywright", "python", "system")
    }
    others = {reading.text(name, "a name"): reading.text(word, "a version") for name, word in told.items()}
    started = reading.text(started, "the start of a session")
    return {"session": session, "started": started, "jobs": reading.whole(jobs, "jobs"), **others, **known}


def _number(value: Any) -> int | float | None:
    if isinstance(value, bool) or not isinstance(value, (int, float, np.number)):
        return None
    number = value.item() if isinstance(value, np.number) else value
    return number if not isinstance(number, int) or abs(number) < 1 << 63 else None
