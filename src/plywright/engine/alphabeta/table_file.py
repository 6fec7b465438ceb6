"""A transposition table on disk: what was proved of a game, to go on from later.

A file is one line of JSON (the game, the fingerprint of its rules, our version, the table's size and
the SHA-256 of what follows), padded to a multiple of 64 bytes, and then the table's words as they are
in memory, least significant byte first.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import BadInput
from ...files import check_writable, write_whole
from ...fingerprint import kernel_stamp
from ...knowledge import Knowledge
from .pvs import pvs
from .transposition import empty_words, memory

FORMAT = "plywright-table"
VERSION = 1
_ALIGNMENT = 64
_LONGEST_HEADER = 1 << 16


def identity(knowledge: Knowledge) -> str:
    """A SHA-256 of everything that gives positions their values: rules, engine, and data that travels at run time."""
    found = hashlib.sha256(knowledge.fingerprint.encode() + kernel_stamp(pvs.function).encode())
    for owner in (knowledge.game, knowledge):
        for name in owner.runtime_names():
            value = getattr(owner, name)
            found.update(name.encode() + (value.tobytes() if isinstance(value, np.ndarray) else repr(value).encode()))
    return found.hexdigest()


def save_table(path: str | Path, knowledge: Knowledge, table: NDArray[np.int64]) -> None:
    """Write the table, whole or not at all."""
    if sys.byteorder != "little":
        table = table.byteswap()
    header = {
        "format": FORMAT,
        "version": VERSION,
        "game": knowledge.game.name,
        "rules": identity(knowledge),
        "words": len(table),
        "sha256": hashlib.sha256(table.data).hexdigest(),
    }
    line = json.dumps(header).encode()
    padding = b" " * (-(len(line) + 1) % _ALIGNMENT) + b"\n"
    try:
        write_whole(Path(path), line, padding, table.data.cast("B"))
    except OSError as error:
        raise BadInput(f"the table cannot be saved as {path}: {error.strerror or error}") from None


def check_place(path: Path) -> None:
    """Refuse, before anything is proved, a file that could not be written afterwards."""
    try:
        check_writable(path)
    except OSError as error:
        raise BadInput(f"the table cannot be saved as {path}: {error.strerror}") from None


def load_table(path: str | Path, knowledge: Knowledge) -> NDArray[np.int64]:
    """The saved table of this game; raises BadInput, saying why, for any other file."""
    try:
        with Path(path).open("rb") as file:
            header = _header(file.readline(_LONGEST_HEADER), path)
            if header["game"] != knowledge.game.name:
                raise BadInput(f"{path} is a table of {header['game']}, not of {knowledge.game.name}")
            if header["rules"] != identity(knowledge):
                raise BadInput(
                    f"{path} was made with other rules of {knowledge.game.name} or another engine; solve without it"
                )
            whole = os.fstat(file.fileno()).st_size - file.tell() == 8 * header["words"]
            if whole:
                _check_memory(8 * header["words"], path)
            table = empty_words(header["words"] if whole else 0)
            file.readinto(table.data.cast("B"))
    except OSError as error:
        raise BadInput(f"the table {path} cannot be read: {error.strerror or error}") from None
    if not whole or hashlib.sha256(table.data).hexdigest() != header["sha256"]:
        raise BadInput(f"{path} is damaged: its checksum is not that of its header; delete it")
    return table if sys.byteorder == "little" else table.byteswap()


def _check_memory(size: int, path: str | Path) -> None:
    available = memory()
    if available is not None and size > 0.9 * available:
        raise BadInput(
            f"the table {path} does not fit: it has {size / 1e6:.0f} MB, and {available / 1e6:.0f} MB of memory are "
            f"available"
        )


def _header(line: bytes, path: str | Path) -> dict[str, Any]:
    header: dict[str, Any] = {}
    try:
        header = json.loads(line)
        known = isinstance(header, dict) and header.get("format") == FORMAT
    except (ValueError, RecursionError):
        known = False
    if not known:
        raise BadInput(f"{path} is not a saved table of Plywright")
    if header.get("version") != VERSION:
        raise BadInput(
            f"{path} is a table of version {header.get('version')!r}; this Plywright reads version {VERSION}"
        )
    words = header.get("words")
    if not isinstance(words, int) or words < 4 or words & (words - 1) or not {"game", "rules", "sha256"} <= set(header):
        raise BadInput(f"{path} is damaged: its header makes no sense; delete it")
    return header
