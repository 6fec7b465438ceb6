"""A build step in the sandbox: what a folder holds goes in, what the step made of it comes out.

The step runs in a private copy whose size is bounded, without network, with the limits of a program and a limit of
time; its only way out is the archive that is written when it has ended. Of that, plain files and folders with
ordinary names are taken, and nothing else: no links, no devices, no paths that lead elsewhere.
"""

from __future__ import annotations

import io
import os
import select
import tarfile
import time
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

from ..errors import printable
from .isolation import PRIVATE, Isolation
from .process import Process

SECONDS = 60.0
"""How long a step may take."""
LARGEST = 64 << 20
"""Bytes that may come out."""
MOST_FILES = 5_000
LOG_LINES = 40
"""The last lines of what the step said, which are kept."""
PROCESSOR_SECONDS = 120
_SCRIPT = 'cd "$1" && cp -R "$2"/. . && chmod -R u+w . && /bin/sh -e -c "$3" >&2 </dev/null && exec tar -cf - .'
"""Standard output belongs to the archive: what the step prints goes to standard error."""


@dataclass(frozen=True)
class Built:
    """What came of a build step."""

    files: dict[str, tuple[bytes, bool]]
    """By path: the content, and whether it may be executed; empty where the step failed."""
    fault: str
    """Why it failed, in words; empty where it did not."""
    log: str
    """The last lines that it wrote."""
    seconds: float


def build(folder: Path, step: str, isolation: Isolation, seconds: float = SECONDS) -> Built:
    """Run a step, the text of a shell script, on a copy of a folder; nothing of the folder itself is changed."""
    limits = replace(isolation.limits, processor_seconds=PROCESSOR_SECONDS)
    level = replace(isolation, limits=limits)
    began = time.monotonic()
    folder = folder.absolute()
    words = ["/bin/sh", "-c", _SCRIPT, "sh", PRIVATE if level.bubble else ".", str(folder), step]
    process = Process(words, level, folder if level.bubble else None)
    try:
        archive, fault = _archive(process, began + seconds, seconds)
        log = process.log.decode("utf-8", "backslashreplace")
    finally:
        process.end()
    lines = [printable(line) for line in log.splitlines()[-LOG_LINES:]]
    files: dict[str, tuple[bytes, bool]] = {}
    if not fault:
        files, fault = _taken(archive)
    return Built(files, fault, "\n".join(lines), time.monotonic() - began)


def _archive(process: Process, deadline: float, seconds: float) -> tuple[bytes, str]:
    """What the process writes until it ends, and why it cannot be taken."""
    archive = bytearray()
    poll = select.poll()
    for end in (process.output, process.errors, process.status):
        poll.register(end, select.POLLIN)
    reason, open_ends = "", 3
    while open_ends:
        left = deadline - time.monotonic()
        if left <= 0:
            return b"", f"it took more than {seconds:g} s"
        for end, _ in poll.poll(min(left, 1.0) * 1000):
            data = _read(end)
            if data is None:
                continue
            if not data:
                poll.unregister(end)
                open_ends -= 1
            elif end == process.status:
                reason = data.decode()
            elif end == process.errors:
                process.log = (process.log + data)[-(1 << 16) :]
            else:
                archive += data
        if len(archive) > LARGEST:
            return b"", f"it made more than {LARGEST >> 20} MB"
    return bytes(archive), "" if reason == "ended with status 0" else f"it {reason or 'ended'}"


def _read(end: int) -> bytes | None:
    try:
        return os.read(end, 1 << 16)
    except BlockingIOError:
        return None


def _taken(archive: bytes) -> tuple[dict[str, tuple[bytes, bool]], str]:
    """The plain files of an archive, or why it is none."""
    files: dict[str, tuple[bytes, bool]] = {}
    size = 0
    try:
        with tarfile.open(fileobj=io.BytesIO(archive), mode="r:") as held:
            for member in held:
                path = PurePosixPath(member.name)
                size += member.size  # as it claims: a file of holes may claim any
                if size > LARGEST:
                    return {}, f"it made more than {LARGEST >> 20} MB"
                if not member.isreg() or path.is_absolute() or ".." in path.parts:
                    continue
                content = held.extractfile(member)
                if content is not None:
                    files[str(path)] = content.read(), bool(member.mode & 0o100)
                if len(files) > MOST_FILES:
                    return {}, f"it made more than {MOST_FILES:,} files"
    except (tarfile.TarError, EOFError, ValueError, OverflowError):
        return {}, "what it made cannot be read"
    return files, ""
