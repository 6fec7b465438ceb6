"""The recorded runs of the page: files of its data folder, each known by its name."""

from __future__ import annotations

import re
from collections import OrderedDict
from dataclasses import dataclass
from pathlib import Path

from ...arena.records.database import connect, create, guarded
from ...arena.records.run_file import Records, free_name
from ...arena.schedules.progress import Progress
from ...arena.schedules.schedule import Plan
from ...errors import PlywrightError
from ..errors import Missing
from ..json_store import data_folder
from .live import live_of

SUFFIX, NOTE = ".plywright", ".note"
LISTED = 100
NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,119}")
_kept: OrderedDict[tuple[str, tuple[tuple[int, int], ...]], Summary] = OrderedDict()


@dataclass(frozen=True)
class Summary:
    """One run in a line."""

    name: str
    title: str
    players: str
    played: int
    planned: int
    is_finished: bool
    problem: str = ""


def runs_folder() -> Path:
    folder = data_folder() / "runs"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def path_of(name: str) -> Path:
    """The file of a run; raises Missing where there is none of that name."""
    path = runs_folder() / (name + SUFFIX)
    if not NAME.fullmatch(name) or not path.is_file():
        raise Missing(f"there is no run {name[:60]!r}; it may have been deleted")
    return path


def new_run(plan: Plan) -> str:
    """A file for a plan, before its first game; the answer is its name."""
    stem = re.sub(r"[^A-Za-z0-9]+", "-", Path(plan.game).stem if "/" in plan.game else plan.game).strip("-") or "game"
    path = free_name(runs_folder(), f"{stem[:60]}-{plan.kind}")
    with guarded(path):
        connection = connect(path, "rwc")
        try:
            create(connection, plan)
        finally:
            connection.close()
    return path.name.removesuffix(SUFFIX)


def delete_run(name: str) -> None:
    path = path_of(name)
    for each in (path, note_of(path), live_of(path), *(path.with_name(path.name + end) for end in ("-wal", "-shm"))):
        each.unlink(missing_ok=True)


def note_of(path: Path) -> Path:
    """Where the process that plays a run leaves the sentence that it ended with, if it ended badly."""
    return path.with_suffix(NOTE)


def problem_of(name: str) -> str:
    try:
        return note_of(path_of(name)).read_text(encoding="utf-8")[:1000]
    except OSError:
        return ""


def summaries() -> list[Summary]:
    """The runs in the folder, the last changed first."""
    found = sorted(runs_folder().glob(f"*{SUFFIX}"), key=lambda path: -path.stat().st_mtime)
    return [_summary(path) for path in found[:LISTED] if NAME.fullmatch(path.name.removesuffix(SUFFIX))]


def _summary(path: Path) -> Summary:
    key = str(path), _marks(path)
    if key not in _kept:
        _kept[key] = _read(path)
        while len(_kept) > 2 * LISTED:
            _kept.popitem(last=False)
    return _kept[key]


def _read(path: Path) -> Summary:
    name = path.name.removesuffix(SUFFIX)
    try:
        with Records.open(path) as records:
            progress = Progress(records.plan, records.outcomes())
    except PlywrightError as error:
        return Summary(name, name, "", 0, 0, True, str(error))
    plan = progress.plan
    players = " v ".join(plan.names) if len(plan.names) <= 3 else f"{len(plan.names)} players"
    title = f"{plan.game}, {plan.kind}"
    return Summary(name, title, players, len(progress.counted), len(progress.units), not progress.left())


def _marks(path: Path) -> tuple[tuple[int, int], ...]:
    """What changes when the file does; what is written last may still be in the log beside it."""
    found = []
    for each in (path, path.with_name(path.name + "-wal")):
        try:
            about = each.stat()
            found.append((about.st_mtime_ns, about.st_size))
        except OSError:
            found.append((0, 0))
    return tuple(found)


def marks_of(name: str) -> tuple[tuple[int, int], ...]:
    """Changes whenever a game is written down."""
    return _marks(path_of(name))
