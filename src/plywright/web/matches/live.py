"""The game that a run is playing now: a small file beside the record, written a few times a second.

The process that plays the run writes it, the page's workers read it. It is no part of the record: losing it
loses nothing but the sight of a game in progress.
"""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from ...arena.schedules.schedule import Plan, Unit
from ...errors import PlywrightError
from ...files import write_whole
from ...game import Game
from ...players import Playing
from ..play.game_replay import GameReplay

LIVE = ".live"
PAUSE = 0.25
"""Seconds between two looks at the game; quick games are seen now and then."""


def live_of(path: Path) -> Path:
    """Where the game under way of a run is written."""
    return path.with_suffix(LIVE)


def live_mark(path: Path) -> int:
    """Changes with every move that is shown; 0 where no game is under way."""
    try:
        return live_of(path).stat().st_mtime_ns
    except OSError:
        return 0


class Camera:
    """Writes down how the game under way stands, for `run_plan(records, watch=...)`."""

    def __init__(self, path: Path, plan: Plan) -> None:
        self.path, self.plan = live_of(path), plan
        self.last = 0.0

    def __call__(self, unit: Unit, playing: Playing) -> None:
        if time.monotonic() - self.last < PAUSE:
            return
        self.last = time.monotonic()
        seen = {"game": unit.number, "seats": unit.seats, "opening": unit.opening, "actions": playing.actions}
        write_whole(self.path, json.dumps(seen).encode())

    def close(self) -> None:
        self.path.unlink(missing_ok=True)


def live_shown(game: Game, plan: Plan, path: Path) -> dict[str, Any] | None:
    """The game under way as a board: its number, who plays, the move it has come to, and where to play on from it."""
    if not game.overrides("picture"):
        return None
    try:
        seen = json.loads(live_of(path).read_bytes())
        start = plan.openings[seen["opening"]].position or ""
        replay = GameReplay(game, start)
        for action in seen["actions"]:
            replay.extend(action)
    except (OSError, ValueError, LookupError, TypeError, RecursionError, PlywrightError):
        return None  # none is under way, or the file is of another run
    chance = replay.last and replay.mover(replay.last - 1) is None
    fields = {"game": plan.game, "start": replay.start, "moves": replay.moves_text(replay.last)}
    return {
        "number": seen["game"],
        "words": " v ".join(plan.names[player] for player in seen["seats"]),
        "ply": replay.last,
        "picture": game.picture(replay.states[-1], replay.actions[-1] if replay.last and not chance else None),
        "address": f"/play/new?{urlencode(fields)}",
    }
