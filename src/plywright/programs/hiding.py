"""What of its own folder a program is not shown: the records of runs, with their seeds and results."""

from __future__ import annotations

import os
import stat
from pathlib import Path

SUFFIXES = (".plywright", ".plywright-wal", ".plywright-shm", ".plywright-journal")
DATABASE, APPLICATION, PLACE = b"SQLite format 3\0", b"PLYW", 68
"""How a record begins, whatever it is called: the first bytes, and the mark at its place in the header."""
BESIDE = ("-wal", "-shm", "-journal")
DULL = {"site-packages", "node_modules", "__pycache__", ".git", "lib", "lib64", "share", "include"}
MOST = 20_000
"""Files that are looked at; in a larger folder only names tell."""


def is_record(path: str) -> bool:
    """Whether a file is the record of a run, or the log beside one."""
    if path.endswith(SUFFIXES):
        return True
    for ending in BESIDE:
        if path.endswith(ending) and is_record(path.removesuffix(ending)):
            return True
    try:
        about = os.stat(path)  # noqa: PTH116
        if not stat.S_ISREG(about.st_mode) or about.st_size % 512:  # to open a pipe is to wait for somebody
            return False
        with open(path, "rb") as file:  # noqa: PTH123
            head = file.read(PLACE + 4)
    except OSError:
        return False
    being_written = os.path.exists(f"{path}-wal")  # noqa: PTH110 - then the mark may still be in the log
    return head.startswith(DATABASE) and (head[PLACE:] == APPLICATION or being_written)


def folders_with_records(folder: Path) -> dict[Path, list[Path]]:
    """The folders from `folder` down that hold records, the highest first, each with all else that it holds."""
    found: dict[Path, list[Path]] = {}
    seen = 0
    for place, inner, files in os.walk(folder):
        inner[:] = sorted(name for name in inner if name not in DULL)
        paths = [f"{place}/{name}" for name in files]
        seen += len(paths)
        hidden = {path for path in paths if (is_record(path) if seen <= MOST else path.endswith(SUFFIXES))}
        if hidden:
            with os.scandir(place) as entries:
                found[Path(place)] = sorted(Path(entry.path) for entry in entries if entry.path not in hidden)
    return found


def masks(folder: Path) -> list[str]:
    """Words for bubblewrap: folders with records anew, with everything in them but the records.

    What is written there later does not show either, so that the log of a record is hidden before there is one.
    """
    words: list[str] = []
    for place, shown in folders_with_records(folder).items():
        words += ["--tmpfs", str(place)]
        for path in shown:
            if path.is_symlink():
                words += ["--symlink", str(path.readlink()), str(path)]
            else:
                words += ["--ro-bind", str(path), str(path)]
        words += ["--remount-ro", str(place)]
    return words
