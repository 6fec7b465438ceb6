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

LEVELS = 10
"""Levels go from 1 to this, however many checkpoints there are."""


@dataclass(frozen=True)
class Rung:
    """One checkpoint: its level from 1 to 10, its file, the games it had learned from, and its measured strength."""

    level: int
    path: Path
    games: int
    elo: float | None
    """Against what the training started from, in Elo; None where it was not measured."""

    def as_dict(self) -> dict[str, Any]:
        return {**asdict(self), "path": str(self.path)}


def ladder(path: str | Path) -> list[Rung]:
    """The checkpoints that lie beside a file of knowledge, the earliest first, and the file itself as the last."""
    last = Path(path)
    if last.suffix != SUFFIX:
        raise BadInput(f"the checkpoints of a training lie beside its file{SUFFIX}; {last.name!r} is none")
    pattern = re.compile(re.escape(last.stem) + r"-(\d+)" + re.escape(SUFFIX))
    names = [(pattern.fullmatch(each.name), each) for each in last.parent.glob(f"*{SUFFIX}")]
    kept = [(int(fits[1]), each) for fits, each in names if fits is not None]
    if not kept:
        raise BadInput(f"there are no checkpoints beside {last}: `plywright learn ... --keep` keeps them")
    elos = _elos(last.with_suffix(".jsonl"))
    files = sorted(kept)
    found = []
    for place, (number, each) in enumerate(files):
        level = 1 + place * (LEVELS - 1) // max(len(files) - 1, 1) if len(files) > 1 else LEVELS
        games = read_header(each).training.get("games", 0)
        found.append(Rung(level, each, games if isinstance(games, int) else 0, elos.get(number)))
    return found


def at_level(path: str | Path, level: int) -> Rung:
    """The checkpoint for a level from 1, the beginner, to 10, the master."""
    if not 1 <= level <= LEVELS:
        raise BadInput(f"levels go from 1 to {LEVELS}, not {level}")
    return min(ladder(path), key=lambda rung: (abs(rung.level - level), rung.level))


def _elos(path: Path) -> dict[int, float]:
    """The measured strength of each checkpoint, as far as the training wrote it down."""
    try:
        lines = [json.loads(line) for line in path.read_text().splitlines() if line.strip()]
    except (OSError, ValueError, RecursionError):
        return {}
    found = {}
    for line in lines:
        strength = line.get("strength") if isinstance(line, dict) else None
        elo = strength.get("elo") if isinstance(strength, dict) else None
        if isinstance(elo, (int, float)) and isinstance(line.get("checkpoint"), int):
            found[line["checkpoint"]] = float(elo)
    return found


__all__ = ["LEVELS", "Rung", "at_level", "ladder"]
