"""The checkpoints of a training as opponents, from beginner to master: what `learn --keep` leaves behind.

for rung in ladder("breakthrough.knowledge"):
    print(rung.level, rung.games, rung.elo, rung.path)
search("breakthrough", knowledge=str(at_level("breakthrough.knowledge", 3).path))
"""

from __future__ import annotations

import json
import re
import warnings
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from ..errors import BadInput, SkippedNote, shown
from ..models.model_file import SUFFIX, ModelFile, read_header
from ..number import finite
from ..outcome_text import elo_text

LEVELS = 10
"""Levels go from 1 to this, however many checkpoints there are."""


@dataclass(frozen=True)
class Rung:
    """One checkpoint: its level from 1 to 10, its file, the games it had learned from, and its measured strength."""

    level: int
    path: Path
    games: int
    elo: float | None = None
    """Against what the training started from, in Elo; None where it was not measured, or has no end."""
    low: float | None = None
    """The least that it may be, with 95 % confidence: all that is known where every game was won."""
    high: float | None = None
    """The greatest, where every game was lost."""

    @property
    def strength(self) -> str:
        """The strength in words; empty where it was not measured."""
        if self.elo is not None:
            return elo_text(self.elo)
        if self.low is not None:
            return f"at least {elo_text(self.low)}"
        return "" if self.high is None else f"at most {elo_text(self.high)}"

    def as_dict(self) -> dict[str, Any]:
        return {**asdict(self), "path": str(self.path)}


def ladder(path: str | Path) -> list[Rung]:
    """The checkpoints that lie beside a file of knowledge, the earliest first.

    Those that cannot be read, or are of other rules than the file, are no levels of it: a SkippedNote names them.
    """
    last = Path(path)
    if last.suffix != SUFFIX:
        raise BadInput(f"the checkpoints of a training lie beside its file{SUFFIX}; {last.name!r} is none")
    files = checkpoints_of(last)
    if not files:
        raise BadInput(f"there are no checkpoints beside {last}: `plywright learn ... --keep` keeps them")
    own, left_out = _own_of(files, last)
    if not own:
        raise BadInput(f"no checkpoint beside {last} can be used: {left_out[0]}")
    for reason in left_out:
        warnings.warn(f"left out of the levels: {reason}", SkippedNote, stacklevel=2)
    elos = _elos(last.with_suffix(".jsonl"))
    found = []
    for place, (number, each, header) in enumerate(own):
        level = 1 + place * (LEVELS - 1) // max(len(own) - 1, 1) if len(own) > 1 else LEVELS
        games = header.training.get("games", 0)
        found.append(Rung(level, each, games if isinstance(games, int) else 0, **elos.get(number, {})))
    return found


def _own_of(files: list[tuple[int, Path]], last: Path) -> tuple[list[tuple[int, Path, ModelFile]], list[str]]:
    """Of the checkpoints beside a file those that belong to it, with their headers, and why the others do not.

    Where the file itself is gone, or damaged, the last checkpoint that can be read says what the rules are.
    """
    left_out: list[str] = []
    headers: list[tuple[int, Path, ModelFile]] = []
    for number, each in files:
        try:
            headers.append((number, each, read_header(each)))
        except BadInput as error:
            left_out.append(str(error))
    try:
        model: ModelFile | None = read_header(last)
    except BadInput:
        model = headers[-1][2] if headers else None
    own = [found for found in headers if model is not None and found[2].same_rules(model)]
    left_out += [
        f"{each} is of {shown(header.game)} with other rules or parameters than {last.name}"
        for number, each, header in headers
        if (number, each, header) not in own
    ]
    return own, left_out


def checkpoints_of(path: Path) -> list[tuple[int, Path]]:
    """The checkpoints beside a file, with their numbers, the earliest first."""
    pattern = re.compile(re.escape(path.stem) + r"-(\d{2,})" + re.escape(SUFFIX))
    names = [(pattern.fullmatch(each.name), each) for each in path.parent.glob(f"*{SUFFIX}")]
    return sorted((int(fits[1]), each) for fits, each in names if fits is not None)


def at_level(path: str | Path, level: int) -> Rung:
    """The checkpoint for a level from 1, the beginner, to 10, the master."""
    if not 1 <= level <= LEVELS:
        raise BadInput(f"levels go from 1 to {LEVELS}, not {level}")
    return min(ladder(path), key=lambda rung: (abs(rung.level - level), rung.level))


def _elos(path: Path) -> dict[int, dict[str, float]]:
    """The measured strength of each checkpoint and its bounds, as far as the training wrote them down."""
    try:
        lines = [json.loads(line) for line in path.read_text().splitlines() if line.strip()]
    except (OSError, ValueError, RecursionError):
        return {}
    found = {}
    for line in lines:
        strength = line.get("strength") if isinstance(line, dict) else None
        if isinstance(strength, dict) and isinstance(line.get("checkpoint"), int):
            known = {name: strength.get(name) for name in ("elo", "low", "high")}
            numbers = {name: finite(value) for name, value in known.items()}
            found[line["checkpoint"]] = {name: value for name, value in numbers.items() if value is not None}
    return found


__all__ = ["LEVELS", "Rung", "at_level", "ladder"]
