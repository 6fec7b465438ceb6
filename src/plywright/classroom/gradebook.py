"""What a class has come to, student by student: for the report, the grade book (CSV) and `--json`."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ..arena.standings import Standings
from ..arena.statistics.elo_sprt import plain
from ..players.offence import CRASHED, FLOODED, ILLEGAL, LATE, RESIGNED
from .check import Check
from .course import Found
from .grading import Account, GradeRule, places_of, students

COLUMNS = (
    *("name", "points", "place", "score", "games", "wins", "draws", "losses", "elo", "elo_low", "elo_high"),
    *("illegal", "late", "crashed", "flooded", "resigned", "check", "joined_late", "note"),
)


@dataclass(frozen=True)
class Student:
    """One line of the grade book."""

    check: Check
    player: int | None
    """Its number in the tournament; None where it plays in none."""
    place: str
    """Among the students; empty without a game."""
    late: bool
    """Whether it joined a tournament that had begun."""
    account: Account | None
    """Points by the teacher's rule, and for what; None without one."""
    note: str

    @property
    def name(self) -> str:
        return self.check.name

    @property
    def points(self) -> float | None:
        return None if self.account is None else self.account.points


def grade_book(found: Found, standings: Standings | None, rule: GradeRule | None) -> list[Student]:
    """The students by place, then those who did not play by name."""
    ranked = [] if standings is None else [each for each in standings.order if each in students(standings)]
    plan = found.plan
    by_name = {} if plan is None else {plan.names[player]: player for player in ranked}
    places = {} if standings is None else places_of(standings)
    rows = []
    for check in found.checks:
        player = by_name.get(check.name)
        played = player is not None and standings is not None and standings.scores[player].games > 0
        place = str(places[player]) if played and player is not None else ""
        late = plan is not None and player is not None and plan.players[player].joins > 0
        account = None if rule is None else rule.account(check, standings, player, late)
        note = check.first_fault
        if check.name in found.waiting:
            note = f"the later submission cannot play ({found.waiting[check.name].first_fault})"
        rows.append(Student(check, player, place, late, account, note))
    return sorted(rows, key=lambda row: (not row.place, int(row.place or 0), row.name.casefold()))


def as_rows(book: Sequence[Student], standings: Standings | None) -> list[dict[str, Any]]:
    """The grade book as plain data, under the names of the columns."""
    return [_row(student, standings) for student in book]


def as_csv(rows: Sequence[dict[str, Any]], columns: Sequence[str] = COLUMNS) -> str:
    text = io.StringIO()
    writer = csv.DictWriter(text, columns, lineterminator="\n")
    writer.writeheader()
    for row in rows:
        writer.writerow({name: _cell(name, row[name]) for name in columns})
    return text.getvalue()


def _cell(column: str, value: Any) -> Any:
    """A cell that no spreadsheet takes for a formula: students choose their names, and what their programs say."""
    if column in ("name", "note") and value[:1] in ("=", "+", "-", "@", "\t"):
        return f"'{value}"
    return "" if value is None else int(value) if isinstance(value, bool) else value


def _row(student: Student, standings: Standings | None) -> dict[str, Any]:
    row: dict[str, Any] = dict.fromkeys(COLUMNS)
    row |= {"name": student.name, "points": None if student.points is None else round(student.points, 4)}
    row |= {"place": int(student.place) if student.place else None, "note": student.note}
    row |= {"check": "passed" if student.check.passed else "to be mended", "joined_late": student.late}
    if standings is None or student.player is None:
        return row
    score = standings.scores[student.player]
    row |= {"score": score.points, "games": score.games}
    row |= {"wins": score.wins, "draws": score.draws, "losses": score.losses}
    row |= {cause: score.causes.get(cause, 0) for cause in (ILLEGAL, LATE, CRASHED, FLOODED, RESIGNED)}
    if standings.pool is not None and score.games:
        rating = standings.pool.ratings[student.player]
        numbers = (plain(rating.elo), plain(rating.low), plain(rating.high))
        row |= dict(zip(("elo", "elo_low", "elo_high"), map(_tenth, numbers), strict=True))
    return row


def _tenth(value: Any) -> Any:
    return round(value, 1) if isinstance(value, float) else value
