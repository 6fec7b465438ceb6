"""Files are written whole or not at all."""

from __future__ import annotations

import codecs
import contextlib
import errno
import fcntl
import os
import re
import time
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import IO

PATIENCE = 1.0
"""Seconds to wait for somebody to open the other end of a pipe."""


def check_writable(path: Path) -> None:
    """Raise OSError, before there is anything to write, where `write_whole` could not write it; tried, not guessed."""
    place = Path(os.path.realpath(path))
    if not place.parent.is_dir():
        raise FileNotFoundError(errno.ENOENT, f"there is no folder {path.parent}", str(path))
    if place.is_dir():
        raise IsADirectoryError(errno.EISDIR, "that is a folder", str(path))
    if place.exists() and not place.is_file():
        return
    temporary = place.with_name(f".part-{uuid.uuid4().hex}")
    try:
        temporary.touch(exist_ok=False)
    except OSError as error:
        raise OSError(error.errno, f"the folder {path.parent} cannot be written to", str(path)) from None
    finally:
        _remove(temporary)


def same_place(one: Path, other: Path) -> bool:
    """Whether what is written to one of them is then in the other; never where that is no file at all (/dev/stdout)."""
    places = [Path(os.path.realpath(path)) for path in (one, other)]
    if any(place.exists() and not place.is_file() for place in places):
        return False
    return places[0] == places[1] or (all(place.exists() for place in places) and places[0].samefile(places[1]))


def write_whole(path: Path, *parts: bytes | memoryview) -> None:
    """Write the parts as one file, whole or not at all: a temporary file beside it, then a rename.

    A file that was there keeps its permissions, a new one gets the usual ones. A link is followed; what is no
    file at all (a pipe, /dev/null) is written to and never replaced.
    """
    place = Path(os.path.realpath(path))
    if not place.parent.is_dir():
        raise FileNotFoundError(errno.ENOENT, "there is no folder", str(path.parent))
    if place.is_dir():
        raise IsADirectoryError(errno.EISDIR, "this is a folder, not a file", str(path))
    if (place.exists() and not place.is_file()) or path.is_char_device() or path.is_fifo():
        try:
            with path.open("wb") as stream:
                stream.writelines(parts)
        except OSError as error:
            raise OSError(error.errno, error.strerror, str(path)) from None
        return
    temporary = place.with_name(f".part-{uuid.uuid4().hex}")
    try:
        with temporary.open("xb") as file:
            file.writelines(parts)
            with contextlib.suppress(OSError):
                temporary.chmod(place.stat().st_mode & 0o777)
        temporary.replace(place)
    except OSError as error:
        _remove(temporary)
        raise OSError(error.errno, error.strerror, str(path)) from None
    except BaseException:
        _remove(temporary)
        raise


def _remove(path: Path) -> None:
    """Remove a file where that is possible: on a file system that is read-only to remove fails, too, also what is not
    there, and what made it necessary is to be told, not this."""
    with contextlib.suppress(OSError):
        path.unlink()


@contextlib.contextmanager
def held(path: Path) -> Iterator[None]:
    """Within this block nobody else holds the file; raises BlockingIOError where somebody does already.

    What is locked is a hidden file beside it, since `write_whole` puts a new file in the place of the old one. It is
    removed at the end; one that a killed process left holds nobody up. Where there are no locks nothing is held.
    """
    place = Path(os.path.realpath(path))
    beside = place.with_name(f".{place.name}.lock")
    file = _locked(beside)
    try:
        yield
    finally:
        if file is not None:
            _remove(beside)
            file.close()


def _locked(beside: Path) -> IO[bytes] | None:
    """A file, opened and locked; None on a file system without locks."""
    while True:
        file = beside.open("ab")
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            file.close()
            raise
        except OSError:
            file.close()
            _remove(beside)
            return None
        with contextlib.suppress(FileNotFoundError):
            if os.path.samestat(os.fstat(file.fileno()), beside.stat()):
                return file
        file.close()  # whoever held it has removed it since it was opened


def read_bounded(path: Path, most: int) -> bytes:
    """The bytes of a file or a pipe; raises OSError for more than so many, which may have no end at all (/dev/zero)."""
    if path.is_fifo():
        data = _read_pipe(path, most + 1)
    else:
        with path.open("rb") as file:
            data = file.read(most + 1)
    if len(data) > most:
        raise OSError(errno.EFBIG, f"it is larger than {most // 1_000_000} MB", str(path))
    return data


def decoded(data: bytes) -> str | None:
    """Bytes as text: UTF-8, UTF-16 with its mark, or the Latin-1 of older files; None where they are none."""
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        with contextlib.suppress(UnicodeDecodeError):
            return data.decode("utf-16")
        return None
    with contextlib.suppress(UnicodeDecodeError):
        return data.decode("utf-8-sig")
    return None if re.search(rb"[\x00-\x08\x0e-\x1f\x7f-\x9f]", data) else data.decode("latin-1")


def _read_pipe(path: Path, most: int) -> bytes:
    """What is written into a pipe; raises OSError where nobody opens its other end, for which `open` waits for ever."""
    until = time.monotonic() + PATIENCE
    with open(os.open(path, os.O_RDONLY | os.O_NONBLOCK), "rb") as file:  # noqa: PTH123
        while (first := file.raw.read(1)) == b"":  # None where somebody has opened it and not yet written
            if time.monotonic() > until:
                raise OSError(errno.ENXIO, "it is a pipe that nobody writes into", str(path))
            time.sleep(0.01)
        os.set_blocking(file.fileno(), True)
        first = first or b""
        return first + file.read(most - len(first))
