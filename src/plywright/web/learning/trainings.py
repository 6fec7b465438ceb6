"""The trainings of the page: a folder each in its data folder, with the plan, the checkpoints and how far it is.

plan.json            what was asked for
learned.knowledge    the model as it is now; learned-01.knowledge and so on are its checkpoints
learned.jsonl        a line for each checkpoint, as `plywright learn` writes it
progress.json        games so far, written while it runs
note                 a sentence, where it ended with a mistake
"""

from __future__ import annotations

import json
import re
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, NamedTuple

from ...errors import BadInput
from ...files import write_whole
from ...models.model_file import SUFFIX
from ..errors import Missing
from ..json_store import data_folder

NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,60}-\d{1,4}")
FILE = f"learned{SUFFIX}"
PLAN, PROGRESS, NOTE = "plan.json", "progress.json", "note"
CHECKPOINT = re.compile(r"learned-(\d\d+)" + re.escape(SUFFIX))
MOST = 200
"""Trainings that are listed."""


@dataclass(frozen=True)
class Plan:
    """What a training was asked for."""

    game: str
    minutes: float
    pairs: int
    seed: int


class Training(NamedTuple):
    """One training as its folder shows it."""

    name: str
    plan: Plan
    checkpoints: list[dict[str, Any]]
    progress: dict[str, Any]
    note: str

    @property
    def is_done(self) -> bool:
        """Whether it ran for as long as it was to, but for the last moment."""
        return bool(self.checkpoints) and self.checkpoints[-1]["seconds"] >= 60 * self.plan.minutes - 1


def learning_folder() -> Path:
    return data_folder() / "learning"


def path_of(name: str) -> Path:
    """The folder of a training; raises Missing where there is none of that name."""
    path = learning_folder() / name
    if not NAME.fullmatch(name) or not (path / PLAN).is_file():
        raise Missing(f"there is no training {name[:60]!r}; it may have been deleted")
    return path


def new_training(plan: Plan) -> str:
    """A folder for a plan; the answer is its name."""
    stem = re.sub(r"[^a-z0-9]+", "-", Path(plan.game).stem.lower() if "/" in plan.game else plan.game.lower())
    stem = stem.strip("-")[:60] or "game"
    number = 1
    while (folder := learning_folder() / f"{stem}-{number}").exists():
        number += 1
        if number > 9999:
            raise BadInput("there are too many trainings of this game: delete some of the data folder")
    folder.mkdir(parents=True)
    write_whole(folder / PLAN, json.dumps(asdict(plan)).encode())
    return folder.name


def read_training(name: str) -> Training:
    folder = path_of(name)
    try:
        plan = Plan(**json.loads((folder / PLAN).read_text()))
    except (OSError, ValueError, TypeError, RecursionError):
        plan = None
    if plan is None or not _fits(asdict(plan), {"game": str, "minutes": (int, float), "pairs": int, "seed": int}):
        raise Missing(f"the plan of the training {name} cannot be read")
    progress, note = _json(folder / PROGRESS), folder / NOTE
    words = note.read_text(errors="replace") if note.is_file() else ""
    return Training(name, plan, _lines(folder), progress if _fits(progress, COUNTS) else {}, words)


def trainings() -> list[Training]:
    """All of them, the newest first; what cannot be read is left out."""
    try:
        folders = sorted(learning_folder().iterdir(), key=lambda folder: -folder.stat().st_mtime)
    except OSError:
        return []
    found = []
    for folder in folders[:MOST]:
        try:
            found.append(read_training(folder.name))
        except Missing:
            continue
    return found


def _lines(folder: Path) -> list[dict[str, Any]]:
    try:
        text = (folder / "learned.jsonl").read_text()
        found = [json.loads(line) for line in text.splitlines() if line.strip()]
    except (OSError, ValueError, RecursionError):
        return []
    return [line for line in found if _is_checkpoint_line(line)]


COUNTS: dict[str, Any] = {"games": int, "games_per_second": (int, float)}


def _is_checkpoint_line(line: Any) -> bool:
    """Whether a line is as `learn` writes it; a damaged one is left out."""
    needed = {**COUNTS, "checkpoint": int, "seconds": (int, float), "loss": (int, float)}
    if not isinstance(line, dict) or not _fits(line, needed):
        return False
    strength = line.get("strength")
    if strength is None:
        return True
    ends = [strength.get(name) for name in ("elo", "low", "high")] if isinstance(strength, dict) else ["none"]
    return all(end is None or isinstance(end, (int, float)) for end in ends) and _fits(
        strength, {"wins": int, "draws": int, "losses": int}
    )


def _fits(given: dict[str, Any], types: dict[str, Any]) -> bool:
    """Whether everything is there and of its type; a truth value is no number."""
    return all(isinstance(given.get(name), kind) and not isinstance(given[name], bool) for name, kind in types.items())


def _json(path: Path) -> dict[str, Any]:
    try:
        found = json.loads(path.read_text())
    except (OSError, ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


# -- checkpoints as opponents ---------------------------------------------------------------------------------


def checkpoint_file(name: str, number: int) -> Path:
    """The file of a checkpoint; raises Missing where it is not there."""
    path = path_of(name) / f"learned-{number:02d}{SUFFIX}"
    if not path.is_file():
        raise Missing(f"the training {name} has no checkpoint {number}")
    return path


def opponent(name: str, number: int) -> str:
    """The engine that plays by a checkpoint, as the play room names it."""
    return f"search:knowledge={checkpoint_file(name, number)}"


def is_checkpoint(path: str) -> bool:
    """Whether a path is that of a checkpoint of this page, and of nothing else."""
    found = Path(path)
    return bool(
        CHECKPOINT.fullmatch(found.name)
        and NAME.fullmatch(found.parent.name)
        and found.parent.parent == learning_folder()
        and found.is_file()
    )


def checkpoint_words(engine: str) -> str:
    """What to call an engine that plays by a checkpoint; nothing for any other."""
    path = engine.partition("knowledge=")[2].partition(",")[0]
    if not path or not is_checkpoint(path):
        return ""
    found = CHECKPOINT.fullmatch(Path(path).name)
    assert found is not None
    return f"checkpoint {int(found[1])} of {Path(path).parent.name}"
