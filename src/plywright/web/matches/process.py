"""The process that plays one run: `python -m plywright.web.matches.process RECORD OWN`.

OWN is what `plywright web` was started with, as JSON: {"games": [...], "programs": [...]}. No other file or
program that the record names is run, whatever has become of the record meanwhile.

It goes on from the games that the record holds, and ends early when it is told to or when its standard
input ends, since then the page's server has gone.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from ...arena.match import make_plan, run_plan
from ...arena.records.run_file import Records
from ...arena.worker import close_players
from ...errors import PlywrightError
from ...files import write_whole
from .live import Camera
from .match_form import check_plan
from .runs import note_of


def main(arguments: list[str]) -> int:
    path = Path(arguments[0])
    signal.signal(signal.SIGTERM, lambda number, frame: _end())
    threading.Thread(target=_follow, daemon=True).start()
    note_of(path).unlink(missing_ok=True)
    try:
        own = json.loads(arguments[1])
        play(path, own["games"], own["programs"])
    except PlywrightError as error:
        write_whole(note_of(path), str(error).encode())
        return 1
    except Exception as error:
        write_whole(note_of(path), f"a fault in Plywright: {type(error).__name__}: {error}".encode())
        return 1
    return 0


def play(path: Path, games: Sequence[str] = (), programs: Sequence[str] = ()) -> None:
    """Play what is left of the run in a record; raises BadInput where its rules or players have changed."""
    with Records.open(path) as records:
        held = records.plan
    check_plan(held, games, programs)
    plan, _ = make_plan(
        held.kind,
        [player.text for player in held.players],
        held.game,
        games=held.games,
        mode=held.mode,
        opening=held.source,
        sprt=held.sprt,
        seed=held.seed,
        margin=held.margin,
    )
    with Records.begin(path, plan) as records, closing(Camera(path, plan)) as camera:
        run_plan(records, watch=camera)


def _follow() -> None:
    sys.stdin.buffer.read()
    _end()


def _end() -> None:
    try:
        close_players()
    finally:
        os._exit(1)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
