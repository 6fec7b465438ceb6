"""A flight recorder: a small file in shared memory that tells what a process was doing when it died.

The child writes the rule it is about to call and the moves that lead there, a few bytes for each
call; the parent reads them when the child has crashed, hangs or was killed.
"""

from __future__ import annotations

import mmap
import struct
from pathlib import Path

_SIZE = 4096
_COUNT, _RULE, _MOVES = 0, 8, 64  # offsets: a uint64, a text, a text; texts end with a zero byte


class BlackBox:
    """One recorder; `path` is a file that the parent made with `blank`."""

    def __init__(self, path: Path) -> None:
        with path.open("r+b") as file:
            self._memory = mmap.mmap(file.fileno(), _SIZE)
        self._calls = 0

    @staticmethod
    def blank(path: Path) -> BlackBox:
        """Make the file and open it."""
        path.write_bytes(bytes(_SIZE))
        return BlackBox(path)

    def enter(self, rule: str) -> None:
        self._calls += 1
        struct.pack_into("<Q", self._memory, _COUNT, self._calls)
        self._write(_RULE, rule, _MOVES)

    def leave(self) -> None:
        self._memory[_RULE] = 0

    def place(self, where: str) -> None:
        self._write(_MOVES, where, _SIZE)

    def _write(self, start: int, text: str, end: int) -> None:
        data = text.encode()[: end - start - 1] + b"\0"
        self._memory[start : start + len(data)] = data

    @property
    def calls(self) -> int:
        """How many calls have been begun: a number that stands still while a rule does not come back."""
        return int(struct.unpack_from("<Q", self._memory, _COUNT)[0])

    @property
    def rule(self) -> str:
        """The rule that is or was running; empty between rules."""
        return self._read(_RULE, _MOVES)

    @property
    def where(self) -> str:
        return self._read(_MOVES, _SIZE)

    def _read(self, start: int, end: int) -> str:
        return self._memory[start:end].split(b"\0")[0].decode(errors="replace")

    def close(self) -> None:
        self._memory.close()
