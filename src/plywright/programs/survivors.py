"""Who outlived a supervisor: where a program kills the process that watches it, the next start ends what it left.

Every supervisor keeps an entry in a folder of the user's: itself, its program's private folder and groups, and the
processes it has seen. An entry whose supervisor is gone is cleaned up: the processes it names, and all that carry
the program's mark in their environment. What hid from both is found by control groups or bubblewrap only.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import tempfile
from pathlib import Path

from .supervisor import MARK, descendants, started


def registry() -> Path:
    """The folder of the entries, the user's alone; raises OSError where somebody else has taken its name."""
    folder = Path(tempfile.gettempdir()) / f"plywright-{os.getuid()}"
    folder.mkdir(mode=0o700, exist_ok=True)
    if folder.is_symlink() or folder.stat().st_uid != os.getuid():
        raise PermissionError(f"{folder} belongs to somebody else")
    return folder


def clean_up() -> int:
    """End the processes that outlived a supervisor of this user; returns how many there were."""
    ended = 0
    with contextlib.suppress(OSError):
        for entry in registry().glob("*.json"):
            with contextlib.suppress(OSError, ValueError, KeyError, TypeError):
                ended += _clean(entry)
    return ended


def _clean(entry: Path) -> int:
    data = json.loads(entry.read_text())
    supervisor, began = data["supervisor"]
    if started(supervisor) == began:
        return 0
    left = {process for process, moment in data["family"] if started(process) == moment}
    left |= _marked(Path(data["folder"]).name)
    for process in sorted(left | {below for each in left for below in descendants(each)}):
        with contextlib.suppress(OSError):
            os.kill(process, signal.SIGKILL)
    shutil.rmtree(data["folder"], ignore_errors=True)
    entry.unlink(missing_ok=True)
    return len(left)


def _marked(name: str) -> set[int]:
    """The processes that carry a program's mark."""
    found, mark = set(), f"{MARK}={name}".encode()
    for place in Path("/proc").glob("[0-9]*/environ"):
        with contextlib.suppress(OSError):
            if mark in place.read_bytes().split(b"\0"):
                found.add(int(place.parent.name))
    return found
