"""`plywright class`: check the programs of a class, let them play, and write the reports."""

from __future__ import annotations

import sys
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

from rich.markup import escape
from rich.table import Table

from ...arena.match import check_jobs, crowded
from ...arena.records.run_file import Records
from ...arena.schedules.schedule import Plan
from ...arena.standings import Standings, as_data, standings
from ...classroom.check import Check, check_text
from ...classroom.course import (
    RECORD,
    Found,
    Settings,
    home_command,
    open_class,
    reference_texts,
    run_checks,
    run_class,
)
from ...classroom.gradebook import Student, as_csv, as_rows, grade_book
from ...classroom.grading import GradeRule, students
from ...classroom.pacman_class import COLUMNS as AGENT_COLUMNS
from ...classroom.pacman_class import alike, check_agents, grade_class, grade_rows, grading_of, is_pacman
from ...classroom.pacman_report import write_pages
from ...classroom.report import write_report
from ...classroom.submissions import is_submission, left_aside
from ...classroom.twins import Twins, find_twins, same_files
from ...errors import BadInput
from ...files import write_whole
from ..cluster import opened
from ..console import busy, out, print_json
from .match import stem_of
from .standings import short


def show_class(
    settings: Settings, *, check: bool, csv: Path | None, rule: Path | None, json: bool, cluster: str | None = None
) -> int:
    """Run a class; the exit status: 2 where the grade rule means nothing, 1 where a check alone found faults."""
    check_jobs(settings.jobs)
    if csv is not None and not csv.absolute().parent.is_dir():
        raise BadInput(f"there is no folder {str(csv.parent)!r} to write {csv.name} in")
    alone = not settings.submissions.is_dir() or is_submission(settings.submissions)
    if check or alone:
        return _show_checks(settings, json)
    if is_pacman(settings.game):
        return _show_pacman(settings, csv, rule, json, cluster)
    points, fault = _read_rule(rule, settings)
    if warning := crowded(settings.jobs, settings.modes[0]):
        print(f"plywright: warning: {warning}", file=sys.stderr)
    found = _run(settings, json, cluster)
    counted = None if found.progress is None else standings(found.progress, found.game)
    book = grade_book(found, counted, points)
    twins = _twins(found, counted)
    with busy("writing the report") as say:
        report = write_report(found, counted, book, twins, say)
    rows = as_rows(book, counted)
    if csv is not None:
        write_whole(csv, as_csv(rows).encode())
    if json:
        data: dict[str, Any] = {"game": settings.game, "folder": str(settings.folder), "report": str(report)}
        data |= {"students": rows, "checks": [each.check.as_dict() for each in book], "notes": found.notes}
        data["alike"] = [vars(each) for each in twins]
        data["tournament"] = None if counted is None else as_data(counted, record=str(settings.folder / RECORD))
        data["grade_rule_fault"] = fault or None
        print_json(data)
    else:
        _show(found, book, twins, report, csv)
    if fault:
        print(f"plywright: no points were given: {fault}", file=sys.stderr)
    return 2 if fault else 0


def default_folder(game: str) -> Path:
    return Path(f"{stem_of(game)}-class")


def _read_rule(path: Path | None, settings: Settings) -> tuple[GradeRule | None, str]:
    """The rule, or why there is none: the games go on, and the same command counts points once it is mended."""
    if path is None:
        return None, ""
    try:
        return GradeRule.read(path, reference_texts(settings)), ""
    except BadInput as error:
        print(f"plywright: warning: {error}; the class goes on without points", file=sys.stderr)
        return None, str(error)


def _run(settings: Settings, json: bool, cluster: str | None) -> Found:
    def begun(plan: Plan) -> None:
        if not json:
            out.print(f"{len(plan.players)} players, {plan.schedule}, {plan.mode}: stops {plan.rule}", markup=False)
        say("playing")

    def heard(outcome: Any, progress: Any) -> None:
        say(f"{len(progress.counted):,} of {len(progress.units):,} games")

    def checked(check: Check, done: int, of: int) -> None:
        say(f"checked {done} of {of}: {check.name}")

    with opened(cluster) as executor, busy("reading submissions") as say:
        try:
            return run_class(settings, executor=executor, checked=checked, heard=heard, began=begun)
        except KeyboardInterrupt:
            print(
                f"\nplywright: stopped; what was checked and played is in {settings.folder}, and the same command "
                "goes on",
                file=sys.stderr,
            )
            raise


def _show_pacman(settings: Settings, csv: Path | None, rule: Path | None, json: bool, cluster: str | None) -> int:
    """Agents are graded on layouts, each alone."""
    points, fault = _read_rule(rule, settings)
    by = grading_of(settings)
    with opened(cluster) as executor, busy("grading agents") as say:
        heard = lambda graded, done, of: say(f"graded {done} of {of}: {graded.name}")  # noqa: E731
        found = grade_class(settings, executor=executor, heard=heard)
    rows = grade_rows(found, by, points)
    notes = [words] if (words := left_aside(settings.submissions)) else []
    with busy("writing the report"):
        report = write_pages(settings, by, found, rows, points, notes)
    twins = alike(found)
    if csv is not None:
        write_whole(csv, as_csv(rows, AGENT_COLUMNS).encode())
    if json:
        agents = {each.name: each.report or {"error": each.fault} for each in found}
        data: dict[str, Any] = {"game": settings.game, "folder": str(settings.folder), "report": str(report)}
        data |= {"students": rows, "agents": agents, "alike": [vars(each) for each in twins], "notes": notes}
        print_json({**data, "grade_rule_fault": fault or None})
    else:
        _show_agents(rows, twins, notes)
        _show_files(report, csv)
    if fault:
        print(f"plywright: no points were given: {fault}", file=sys.stderr)
    return 2 if fault else 0


def _show_agents(rows: list[dict[str, Any]], twins: list[Twins], notes: list[str]) -> None:
    graded = any(row["points"] is not None for row in rows)
    table = Table("", "student", box=None, header_style="bold")
    for name in (*(["points"] if graded else []), "won", "mean score", "faults"):
        table.add_column(name, justify="right")
    table.add_column("check")
    for row in rows:
        score = "-" if row["mean_score"] is None else f"{row['mean_score']:g}"
        won = "-" if row["games"] is None else f"{row['won']}/{row['games']}"
        points = [] if not graded else [f"{row['points']:g}"]
        check = "passed" if row["check"] == "passed" else escape(short(row["note"], 60))
        names = str(row["place"] or "-"), escape(short(row["name"]))
        table.add_row(*names, *points, won, score, str(row["faults"] or "-"), check)
    out.print(table)
    _show_words(twins, notes)


def _twins(found: Found, counted: Standings | None) -> list[Twins]:
    same = same_files(found.checks)
    if counted is None:
        return find_twins(None, found.game, {}, same)
    names = counted.progress.plan.names
    with Records.open(found.settings.folder / RECORD) as records:
        return find_twins(records, found.game, {player: names[player] for player in students(counted)}, same)


# -- checks alone ------------------------------------------------------------------------------------------


def _show_checks(settings: Settings, json: bool) -> int:
    """Check, and say what was found; nothing is kept but in the class folder that was named."""
    game = None if is_pacman(settings.game) else open_class(settings)
    with busy("checking") as say, tempfile.TemporaryDirectory(prefix="plywright-class-") as folder:
        own = replace(settings, folder=Path(folder))
        heard = lambda check, done, of: say(f"checked {done} of {of}: {check.name}")  # noqa: E731
        checks = check_agents(own, heard) if game is None else run_checks(own, game, heard=heard)[0]
    if json:
        print_json({"game": settings.game, "checks": [check.as_dict() for check in checks]})
    else:
        for check in checks:
            out.print(check_text(check, home_command(settings, check.place)), markup=False)
    return 0 if all(check.passed for check in checks) else 1


# -- what a teacher sees at the terminal -------------------------------------------------------------------


def _show(found: Found, book: list[Student], twins: list[Twins], report: Path, csv: Path | None) -> None:
    rows = as_rows(book, None if found.progress is None else standings(found.progress, found.game))
    graded = any(row["points"] is not None for row in rows)
    table = Table("", "student", box=None, header_style="bold")
    for name in (*(["points"] if graded else []), "score", "Elo", "lost otherwise"):
        table.add_column(name, justify="right")
    table.add_column("check")
    for row in rows:
        lost = sum(row[cause] or 0 for cause in ("illegal", "late", "crashed", "flooded"))
        score = "-" if row["score"] is None else f"{row['score']:g}/{row['games']}"
        elo = "-" if row["elo"] is None else f"{row['elo']:+.0f}" if isinstance(row["elo"], float) else str(row["elo"])
        points = [] if not graded else ["-" if row["points"] is None else f"{row['points']:g}"]
        check = "passed" if row["check"] == "passed" else escape(short(row["note"], 60))
        table.add_row(
            str(row["place"] or "-"), escape(short(row["name"])), *points, score, elo, str(lost or "-"), check
        )
    out.print(table)
    _show_words(twins, found.notes)
    _show_files(report, csv)


def _show_words(twins: list[Twins], notes: list[str]) -> None:
    for each in twins:
        out.print(f"alike: {each.words()}", markup=False)
    for note in notes:
        out.print(f"note: {note}", style="yellow", markup=False)


def _show_files(report: Path, csv: Path | None) -> None:
    if csv is not None:
        out.print(f"wrote {csv}", markup=False)
    out.print(f"report: {report}   (a page for each student in {report.parent / 'students'})", markup=False)
