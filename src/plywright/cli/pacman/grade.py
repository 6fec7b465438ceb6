"""`plywright pacman grade`: one file, or every file of a folder."""

from __future__ import annotations

import csv as csvlib
import io
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rich.table import Table

from ...engine.interrupts import interruptible
from ...errors import BadInput
from ...files import write_whole
from ...pacman.file_agent import NotGraded
from ...pacman.grade import Report, files_of, grade
from ..console import out, print_json
from .show import progress

COLUMNS = ("file", "games", "won", "mean_score", "expansions", "faults", "moves_checked", "moves_right", "error")


@interruptible()
def show_grade(path: Path, layouts: Sequence[str], options: Mapping[str, Any], *, csv: Path | None, json: bool) -> None:
    """Grade, and say what was found; what is wrong with one file of a folder is a row of the table."""
    if csv is not None and not csv.parent.is_dir():
        raise BadInput(f"there is no folder {str(csv.parent)!r} to write {csv.name} in")
    files = files_of(path)
    graded: list[tuple[Path, Report | NotGraded]] = []
    with progress(f"grading {path.name}", options["games"] * len(layouts) * len(files)) as heard:
        for file in files:
            try:
                graded.append((file, grade(file, layouts, **options, heard=heard)))
            except NotGraded as error:
                if not path.is_dir():
                    raise
                graded.append((file, error))
    if csv is not None:
        write_whole(csv, _csv(graded).encode())
    if json:
        rows = [{"file": str(file), **_as_dict(found)} for file, found in graded]
        seed = {"seed": options["seed"]}
        print_json({"folder": str(path), **seed, "files": rows} if path.is_dir() else {**rows[0], **seed})
        return
    if path.is_dir():
        _show_folder(graded)
    else:
        _show_report(graded[0][1])
    if csv is not None:
        out.print(f"wrote {csv}", markup=False)


def _as_dict(found: Report | NotGraded) -> dict[str, Any]:
    return found.as_dict() if isinstance(found, Report) else {"error": str(found)}


def _row(file: Path, found: Report | NotGraded) -> dict[str, Any]:
    if not isinstance(found, Report):
        return {"file": file.name, "error": str(found)}
    total = found.total
    row = {"file": file.name, "games": total.games, "won": total.wins, "mean_score": round(total.mean_score, 2)}
    row |= {"expansions": total.expansions, "faults": len(total.faults)}
    return row | ({"moves_checked": found.checked, "moves_right": found.right} if found.checked else {})


def _csv(graded: Sequence[tuple[Path, Report | NotGraded]]) -> str:
    text = io.StringIO()
    writer = csvlib.DictWriter(text, COLUMNS, lineterminator="\n")
    writer.writeheader()
    for file, found in graded:
        writer.writerow(_row(file, found))
    return text.getvalue()


def _show_folder(graded: Sequence[tuple[Path, Report | NotGraded]]) -> None:
    table = Table("file", "won", "mean score", "expansions", "faults", "best moves", box=None, header_style="bold")
    for file, found in graded:
        if not isinstance(found, Report):
            table.add_row(file.name, "-", "-", "-", "-", "-")
            continue
        total = found.total
        best = f"{found.right}/{found.checked}" if found.checked else "-"
        faults = str(len(total.faults)) if total.faults else "-"
        won, score = f"{total.wins}/{total.games}", f"{total.mean_score:.1f}"
        table.add_row(file.name, won, score, f"{total.expansions:,}", faults, best)
    out.print(table)
    for file, found in graded:
        if not isinstance(found, Report):
            out.print(f"\n{found}", markup=False)
            continue
        for missed in found.missed:
            out.print(f"{file.name}, {missed.words()}", markup=False)
        if found.total.faults:
            out.print(f"\n{file.name}, {found.total.faults[0]}", markup=False)


def _show_report(report: Report | NotGraded) -> None:
    assert isinstance(report, Report)
    table = Table("layout", "won", "mean score", "expansions", "faults", box=None, header_style="bold")
    for each in (*report.layouts, report.total):
        won = f"{each.wins}/{each.games}"
        faults = str(len(each.faults)) if each.faults else "-"
        style = "bold" if each.layout == "total" else None
        table.add_row(each.layout, won, f"{each.mean_score:.1f}", f"{each.expansions:,}", faults, style=style)
    out.print(table)
    if report.checked:
        out.print(f"moves: {report.right} of {report.checked} are best ({report.check})", markup=False)
    for missed in report.missed:
        out.print(f"\n{missed.words()}\n{missed.picture}", markup=False)
        if missed.fault:
            out.print(missed.fault, markup=False)
    for fault in report.total.faults:
        out.print(f"\n{fault}", markup=False)
    out.print(f"isolation: {report.isolation}", markup=False)
