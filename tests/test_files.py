"""Files written whole: their permissions, links, and what is no file."""

from __future__ import annotations

import errno
import os
import stat
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from plywright.files import check_writable, read_bounded, write_whole

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="permissions, links and pipes are POSIX's")


def test_a_new_file_has_the_usual_permissions_and_an_old_one_keeps_its_own(tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    before = os.umask(0o027)
    try:
        write_whole(path, b"<p>", b"one</p>")
        assert stat.S_IMODE(path.stat().st_mode) == 0o640
        path.chmod(0o604)
        write_whole(path, b"two")
    finally:
        os.umask(before)
    assert path.read_bytes() == b"two" and stat.S_IMODE(path.stat().st_mode) == 0o604
    assert list(tmp_path.iterdir()) == [path]


def test_a_link_is_followed_and_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    link = tmp_path / "link"
    link.symlink_to(tmp_path / "deep" / "file")
    write_whole(link, b"x")
    assert link.is_symlink() and (tmp_path / "deep" / "file").read_bytes() == b"x"


def test_what_is_no_file_is_written_to_and_not_replaced(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    heard: list[bytes] = []
    reader = threading.Thread(target=lambda: heard.append(pipe.read_bytes()), daemon=True)
    reader.start()
    write_whole(pipe, b"a", b"b")
    reader.join(10)
    assert heard == [b"ab"] and pipe.is_fifo()
    null = tmp_path / "null"
    null.symlink_to(os.devnull)
    write_whole(null, b"nothing")
    assert Path(os.devnull).is_char_device()


def test_a_pipe_is_read_and_one_that_nobody_writes_into_is_not_waited_for(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for data in (b"x", b"y" * 200_000):
        writer = threading.Thread(target=pipe.write_bytes, args=(data,), daemon=True)
        writer.start()
        assert read_bounded(pipe, 200_000) == data
        writer.join(10)
    with pytest.raises(OSError, match="nobody writes"):
        read_bounded(pipe, 10)
    end = os.open(pipe, os.O_RDWR)
    try:
        os.write(end, b"12345")
        with pytest.raises(OSError, match="larger"):
            read_bounded(pipe, 4)
    finally:
        os.close(end)


def test_a_write_that_fails_leaves_the_old_file_and_nothing_beside_it(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"old")
    with pytest.raises(TypeError):
        write_whole(path, b"new", "no bytes")  # type: ignore[arg-type]
    assert path.read_bytes() == b"old" and list(tmp_path.iterdir()) == [path]
    with pytest.raises(OSError, match="nowhere"):
        write_whole(tmp_path / "nowhere" / "file", b"")
    with pytest.raises(OSError, match=tmp_path.name):
        write_whole(tmp_path, b"")


@pytest.mark.parametrize("write", [check_writable, lambda path: write_whole(path, b"new")])
def test_on_a_file_system_that_is_read_only_the_file_is_named(
    write: Callable[[Path], None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """There `unlink` fails, too, also of what is not there, and names a temporary file."""

    def refused(path: Path, *_: Any, **__: Any) -> None:
        raise OSError(errno.EROFS, "Read-only file system", str(path))

    for name in ("touch", "open", "unlink"):
        monkeypatch.setattr(Path, name, refused)
    with pytest.raises(OSError, match="file") as caught:
        write(tmp_path / "file")
    assert caught.value.errno == errno.EROFS and caught.value.filename == str(tmp_path / "file")
    assert ".part-" not in str(caught.value)
