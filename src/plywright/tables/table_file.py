"""The file of a table: a header, then one record for each finished slice, appended when it is finished.

    header:  4,096 bytes: a magic line, one line of JSON (game, rules, index, tables), blanks, its checksum
    record:  64 bytes: magic, number of the slice, its first position, positions, bytes, checksum of all that follows
             and of these; then the blocks (`table_blocks`), padded to 8 bytes

Nothing that is written is changed again, so a builder that is killed loses the slice it was at: what is behind the
last whole record is cut off when building goes on. The header names the rules by what they do in random games, and the
index by texts of some of its positions: a file for other rules, or for another numbering, is refused.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..errors import BadInput
from ..files import write_whole
from ..knowledge import Knowledge
from ..models.rules_print import rules_of

MAGIC = b"plywright table 1\n"
RECORD_MAGIC = b"slice 1\n"
HEADER, RECORD, ALIGNED = 4096, 64, 8
CHECK = 16
SAMPLES = 64
"""Positions of the index whose texts are compared."""


class Record(NamedTuple):
    """One finished slice: which, the number of its first position, how many, where its blocks are, how many bytes."""

    slice: int
    first: int
    positions: int
    place: int
    size: int
    check: bytes


def header_of(knowledge: Knowledge, which: str, slices: list[tuple[str, int]]) -> dict[str, Any]:
    """What a file says of itself."""
    return {
        "game": knowledge.game.name,
        "rules": rules_of(knowledge.game),
        "index": index_sample(knowledge, sum(size for _, size in slices[: first_part(slices)])),
        "tables": which,
    }


def first_part(slices: list[tuple[str, int]]) -> int:
    """How many slices the sample of the index is from: few, so that larger tables have the same sample."""
    return min(len(slices), 8)


def index_sample(knowledge: Knowledge, positions: int) -> str:
    """A digest of the texts of some positions, by which another numbering is noticed."""
    game = knowledge.game
    numbers = sorted({number * (positions - 1) // (SAMPLES - 1) for number in range(SAMPLES)})
    texts = "\n".join(game.format_state(game.coerce_state(knowledge.unindex(number))) for number in numbers)
    return hashlib.blake2b(texts.encode(), digest_size=CHECK).hexdigest()


def written_header(fields: dict[str, Any]) -> bytes:
    text = MAGIC + json.dumps(fields, sort_keys=True).encode() + b"\n"
    if len(text) > HEADER - CHECK:
        raise BadInput(f"the name {fields['game'][:80]!r} is too long for the header of a table")
    text = text.ljust(HEADER - CHECK)
    return text + check_of(text)


def check_of(*parts: bytes | memoryview) -> bytes:
    digest = hashlib.blake2b(digest_size=CHECK)
    for part in parts:
        digest.update(part)
    return digest.digest()


def read_header(path: Path) -> dict[str, Any]:
    """The fields of a file's header; raises BadInput where it is none, or damaged."""
    with opened(path) as file:
        text = file.read(HEADER)
    if not text.startswith(MAGIC):
        raise BadInput(f"{path} is no table: `plywright table build` makes them")
    if len(text) < HEADER or check_of(text[:-CHECK]) != text[-CHECK:]:
        raise BadInput(f"{path} is damaged: its header is not as it was written; delete the file and build it again")
    try:
        fields = json.loads(text[len(MAGIC) : -CHECK])
    except (ValueError, RecursionError):
        fields = None
    named = ("game", "rules", "index", "tables")
    if not isinstance(fields, dict) or not all(isinstance(fields.get(name), str) for name in named):
        raise BadInput(f"{path} is damaged: its header makes no sense; delete the file and build it again")
    return fields


def opened(path: Path) -> BinaryIO:
    try:
        return path.open("rb")
    except FileNotFoundError:
        raise BadInput(f"there is no file {path}") from None
    except OSError as error:
        raise BadInput(f"{path} cannot be read: {error.strerror}") from None


def hold_against(path: Path, found: dict[str, Any], expected: dict[str, Any]) -> None:
    """Raise BadInput where a file is for another game, other rules or another numbering."""
    if found["game"] != expected["game"]:
        raise BadInput(f"{path} is a table of {found['game']}, not of {expected['game']}")
    for field, what in (("rules", "rules"), ("index", "numbering of positions")):
        if found[field] != expected[field]:
            raise BadInput(f"{path} was built with other {what} of {found['game']}: build it again")


def records(path: Path) -> Iterator[Record]:
    """The whole records of a file in their order; what is behind them is a slice that was not finished, or damage."""
    with opened(path) as file:
        length = os.fstat(file.fileno()).st_size
        place = HEADER
        while place + RECORD <= length:
            file.seek(place)
            head = file.read(RECORD)
            magic, number, first, count, size, check = struct.unpack(f"<8sQQQQ{CHECK}s8x", head)
            if magic != RECORD_MAGIC or place + RECORD + size > length:
                return
            yield Record(number, first, count, place + RECORD, size, check)
            place += RECORD + padded(size)


def padded(size: int) -> int:
    return -(-size // ALIGNED) * ALIGNED


def record_bytes(number: int, first: int, count: int, blocks: bytes | memoryview) -> bytes:
    """The head of a record, with the checksum of its numbers and blocks."""
    fields = struct.pack("<8sQQQQ", RECORD_MAGIC, number, first, count, len(blocks))
    return fields + check_of(fields, blocks) + bytes(8)


def is_whole(path: Path, record: Record) -> bool:
    """Whether a record's blocks are as they were written."""
    fields = struct.pack("<8sQQQQ", RECORD_MAGIC, record.slice, record.first, record.positions, record.size)
    digest = hashlib.blake2b(fields, digest_size=CHECK)
    with opened(path) as file:
        file.seek(record.place)
        left = record.size
        while left > 0 and (part := file.read(min(left, 1 << 22))):
            digest.update(part)
            left -= len(part)
    return left == 0 and digest.digest() == record.check


def following(found: Iterator[Record], slices: list[tuple[str, int]]) -> Iterator[Record]:
    """The records that are those of the slices, in their order and without a gap."""
    first = 0
    for number, (record, (_, size)) in enumerate(zip(found, slices, strict=False)):
        if record.slice != number or record.first != first or record.positions != size:
            return
        yield record
        first += size


class TableWriter:
    """Appends slices to a file, each whole or not at all; goes on where an earlier writer stopped.

    One writer at a time: the file is locked for as long as there is one.
    """

    def __init__(self, path: Path, fields: dict[str, Any], slices: list[tuple[str, int]]) -> None:
        self.path = path
        if path.exists():
            hold_against(path, read_header(path), fields)
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._begin(written_header(fields))
        self._lock()
        self.finished: list[Record] = []
        for record in following(records(path), slices):
            if not is_whole(path, record):
                break
            self.finished.append(record)
        self._cut()

    @property
    def end(self) -> int:
        """Where the next record goes."""
        return self.finished[-1].place + padded(self.finished[-1].size) if self.finished else HEADER

    @property
    def positions(self) -> int:
        return self.finished[-1].first + self.finished[-1].positions if self.finished else 0

    def _begin(self, header: bytes) -> None:
        try:
            write_whole(self.path, header)
        except OSError as error:
            raise BadInput(f"{self.path} cannot be written: {error.strerror}") from None

    def _lock(self) -> None:
        try:
            self.file = self.path.open("r+b")
        except OSError as error:
            raise BadInput(f"{self.path} cannot be written: {error.strerror}") from None
        try:
            fcntl.flock(self.file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self.file.close()
            raise BadInput(f"{self.path} is being built by another process: wait for it, or stop it first") from None
        except OSError:  # a file system without locks
            return

    def close(self) -> None:
        """Let others write."""
        self.file.close()

    def _cut(self) -> None:
        with self.path.open("r+b") as file:
            file.truncate(self.end)

    def append(self, count: int, packed: NDArray[np.uint8]) -> None:
        """Add the next slice. Where the disk is full what was finished stays, and the same command goes on with it."""
        number, first, blocks = len(self.finished), self.positions, packed.tobytes()
        head = record_bytes(number, first, count, blocks)
        try:
            with self.path.open("r+b") as file:
                file.seek(self.end)
                file.write(head)
                file.write(blocks)
                file.write(bytes(padded(len(blocks)) - len(blocks)))
        except OSError as error:
            self._cut()
            raise BadInput(
                f"{self.path} cannot be written on: {error.strerror}. The {number:,} finished slices stay; "
                f"make room, and the same command goes on with them"
            ) from None
        self.finished.append(Record(number, first, count, self.end + RECORD, len(blocks), head[-CHECK - 8 : -8]))
