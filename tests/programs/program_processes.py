"""Where the programs under test are, and how to find what they leave behind."""

from __future__ import annotations

import os
import time
from pathlib import Path

import plywright

ZOO = Path(__file__).parent / "zoo" / "run.py"
SOURCE = Path(plywright.__file__).parents[1]
ROOT = Path(__file__).parents[2]


def running(mark: str) -> list[int]:
    """The processes whose command line has this mark."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and int(entry.name) != os.getpid():
            try:
                if mark.encode() in (entry / "cmdline").read_bytes():
                    found.append(int(entry.name))
            except OSError:
                continue
    return found


def nothing_runs(mark: str, patience: float = 5.0) -> bool:
    deadline = time.monotonic() + patience
    while running(mark):
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True
