"""What survives a restart: small JSON files in the user's data folder, written whole or not at all."""

from __future__ import annotations

import json
import os
import re
import secrets
import sys
from pathlib import Path
from typing import Any

from ..files import write_whole
from .errors import Missing

KEPT = 500
"""Files of one kind; the ones not used for longest go first."""


def data_folder() -> Path:
    """Where the page keeps things: $PLYWRIGHT_DATA, or the user's data folder."""
    if given := os.environ.get("PLYWRIGHT_DATA"):
        return Path(given)
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData" / "Local")) / "plywright" / "data"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "plywright"
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "plywright"


class JsonStore:
    """The saved things of one kind, each under a name that cannot be guessed.

    store = JsonStore("tables")
    name = store.add({"game": "othello"})
    store[name]["game"]
    """

    def __init__(self, kind: str) -> None:
        self.kind = kind

    @property
    def folder(self) -> Path:
        return data_folder() / self.kind

    def add(self, content: Any) -> str:
        """Keep something new; the answer is its name."""
        name = secrets.token_urlsafe(9)
        self[name] = content
        self.tidy()
        return name

    def __setitem__(self, name: str, content: Any) -> None:
        path = self._path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, json.dumps(content, ensure_ascii=False).encode())

    def __getitem__(self, name: str) -> Any:
        """What was kept; raises Missing where there is nothing of that name, or nothing that can be read."""
        try:
            return json.loads(self._path(name).read_bytes())
        except (OSError, ValueError, RecursionError):
            raise Missing(f"there is nothing saved under {name!r}; it may have been deleted") from None

    def __delitem__(self, name: str) -> None:
        """Delete what was kept under a name."""
        self._path(name).unlink(missing_ok=True)

    def __contains__(self, name: str) -> bool:
        return self._path(name).is_file()

    def names(self) -> list[str]:
        """The names of everything kept, the last changed first."""
        found = [(path.stat().st_mtime, path.stem) for path in self.folder.glob("*.json")]
        return [name for _, name in sorted(found, reverse=True)]

    def _path(self, name: str) -> Path:
        if not re.fullmatch(r"[A-Za-z0-9_-]{1,40}", name):
            raise Missing(f"{name[:40]!r} is not the name of anything saved")
        return self.folder / f"{name}.json"

    def tidy(self) -> None:
        """Delete what was not used for longest, where too much is kept."""
        for name in self.names()[KEPT:]:
            self._path(name).unlink(missing_ok=True)
