"""The process that runs one training: `python -m plywright.web.learning.process FOLDER OWN`.

OWN is what `plywright web` was started with, as JSON: {"games": [...], "programs": [...]}; no other file is loaded.
It ends when its standard input does, since then the page's server has gone; every checkpoint is whole.
"""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from pathlib import Path

from ...errors import PlywrightError
from ...files import write_whole
from ...games import load_game
from ...learning.learn import begin
from ...learning.trainer import Progress
from ..catalogue import check_offered
from .trainings import FILE, NOTE, PROGRESS, read_training

PACE = "nodes:1000"
"""How matches are played: nodes, not seconds, so that every checkpoint is measured however busy the machine is."""
EVERY = 0.5
"""Seconds between two notes of how far it is."""


def main(arguments: list[str]) -> int:
    folder, own = Path(arguments[0]), json.loads(arguments[1])
    threading.Thread(target=_follow, daemon=True).start()
    (folder / NOTE).unlink(missing_ok=True)
    try:
        train(folder, own["games"])
    except PlywrightError as error:
        write_whole(folder / NOTE, str(error).encode())
        return 1
    except Exception as error:
        write_whole(folder / NOTE, f"a fault in Plywright: {type(error).__name__}: {error}".encode())
        return 1
    return 0


def train(folder: Path, own: list[str]) -> None:
    plan = read_training(folder.name).plan
    check_offered(plan.game, own)
    learning = begin(
        load_game(plan.game), save=folder / FILE, keep=True, pairs=plan.pairs, seed=plan.seed, workers=1, mode=PACE
    )
    last = 0.0

    def hear(progress: Progress) -> None:
        nonlocal last
        if time.monotonic() - last >= EVERY:
            last = time.monotonic()
            write_whole(folder / PROGRESS, json.dumps(progress.as_dict()).encode())

    for _ in learning.run(games=None, seconds=60 * plan.minutes, heard=hear):
        pass


def _follow() -> None:
    sys.stdin.buffer.read()
    os._exit(1)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
