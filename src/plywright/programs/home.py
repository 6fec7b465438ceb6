"""A program with a folder of its own (`?folder=`): all that it is shown of the user's, and where it starts.

What such a program is made of is everything in its folder. Its command may run a file of the folder or a program of
the system, and nothing else.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import sys
from pathlib import Path

from ..errors import BadInput, shown
from .hiding import is_record
from .isolation import PATHS, is_file
from .process import split_command


def own_home(text: str) -> Path:
    """The folder that an option names."""
    folder = Path(text).absolute()
    if not folder.is_dir():
        raise BadInput(f"folder={shown(text)}: there is no such folder")
    return folder


def home_command(text: str, home: Path) -> list[str]:
    """The words of a command, with its program as a full path; raises BadInput where that is not one."""
    first, *rest = split_command(text)
    if first in ("python", "python3"):
        found: str | None = sys.executable or shutil.which(first)
    elif "/" not in first:
        found = shutil.which(first, path=PATHS)
        if found is None and is_file(str(home / first)):
            raise BadInput(f"{first!r} cannot be run: a program of the folder is written ./{first}")
    else:
        place = home / first
        if os.path.isabs(first) or not _inside(place, home):  # noqa: PTH117
            raise BadInput(f"{first!r} is not in the program's own folder: write ./PROGRAM, or one of the system's")
        found = str(place) if os.access(place, os.X_OK) and is_file(str(place)) else None
        if found is None and is_file(str(place)):
            raise BadInput(f"{first!r} cannot be run: it is not executable (chmod +x, or name what runs it)")
    if found is None:
        raise BadInput(f"{first!r} cannot be run: there is no such program")
    missing = [word for word in rest if word.endswith((".py", ".js", ".jar")) and not is_file(str(home / word))]
    if missing:
        raise BadInput(f"there is no file {missing[0]!r} for {first!r} to run")
    return [found, *rest]


def home_fingerprint(home: Path, command: str) -> str:
    """A hash of the command and of every file below the folder, by its path.

    Records of runs are left out: the program does not see them, and a run writes its own into the folder it is begun
    in.
    """
    total = hashlib.sha256(command.encode())
    for path in sorted(path for path in home.rglob("*") if path.is_file() and not path.is_symlink()):
        if is_record(str(path)):
            continue
        content = hashlib.sha256(path.read_bytes()).digest()
        total.update(path.relative_to(home).as_posix().encode() + b"\0" + content)
    return total.hexdigest()[:16]


def _inside(path: Path, home: Path) -> bool:
    """Whether a path stays in the folder, links followed."""
    return path.resolve().is_relative_to(home.resolve())
