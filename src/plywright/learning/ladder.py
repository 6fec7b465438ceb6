"""The checkpoints of a training as opponents, from beginner to master: what `learn --keep` leaves behind.

for rung in ladder("breakthrough.knowledge"):
    print(rung.level, rung.games, rung.elo, rung.path)
search("breakthrough", knowledge=str(at_level("breakthrough.knowledge", 3).path))
"""

from __future__ import annotations

import json
import re
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from ..errors import BadInput
from ..models.model_file import SUFFIX, read_header
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
    """The checkpoints that lie beside a file of knowledge, the earliest first, and the file itself as the last."""
    last = Path(path)
    if last.suffix != SUFFIX:
        raise BadInput(f"the checkpoints of a training lie beside its file{SUFFIX}; {last.name!r} is none")
    files = checkpoints_of(last)
    if not files:
        raise BadInput(f"there are no checkpoints beside {last}: `plywright learn ... --keep` keeps them")
    elos = _elos(last.with_suffix(".jsonl"))
    found = []
    for place, (number, each) in enumerate(files):
        level = 1 + place * (LEVELS - 1) // max(len(files) - 1, 1) if len(files) > 1 else LEVELS
        games = read_header(each).training.get("games", 0)
        found.append(Rung(level, each, games if isinstance(games, int) else 0, **elos.get(number, {})))
    return found


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
            numbers = {name: float(value) for name, value in known.items() if isinstance(value, (int, float))}
            found[line["checkpoint"]] = numbers
    return found


__all__ = ["LEVELS", "Rung", "at_level", "ladder"]
