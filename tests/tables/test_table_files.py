"""Files of endgame tables: damaged, forged, cut, foreign, and builds that were ended."""

from __future__ import annotations

import fcntl
import json
import os
import random
import resource
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from plywright import BadInput
from plywright.cli import main
from plywright.table_blocks import is_sound, packed, read_number, unpacked
from plywright.tables import Table, build_table, check_table, open_table
from plywright.tables.table_file import MAGIC, RECORD, check_of, record_bytes


def copy_of(table: Table, folder: Path, change: Any = None) -> Path:
    path = folder / table.path.name
    data = bytearray(table.path.read_bytes())
    path.write_bytes(bytes(change(data) if change else data))
    return path


def flipped(data: bytearray, place: int) -> bytearray:
    data[place] ^= 1
    return data


def test_a_damaged_table_is_named_and_mended(small: Table, tmp_path: Path) -> None:
    record = small.records[40]
    path = copy_of(small, tmp_path, lambda data: flipped(data, record.place + record.size // 2))
    with pytest.raises(BadInput, match=r"damaged: slice 41, '.*', is not as it was written"):
        open_table("checkers", path)  # not only when it is checked: what a table says is proved
    build_table("checkers", 3, tmp_path)
    assert path.read_bytes() == small.path.read_bytes()


def forged(small: Table, folder: Path, dice: random.Random) -> Path:
    """A copy with wrong bytes in one slice, and the right checksum of them."""
    record = dice.choice(small.records)

    def change(data: bytearray) -> bytearray:
        for _ in range(3):
            within = min(record.size, dice.choice((8, 64, record.size)))
            data[record.place + dice.randrange(within)] = dice.randrange(256)
        blocks = bytes(data[record.place : record.place + record.size])
        head = record_bytes(record.slice, record.first, record.positions, blocks)
        data[record.place - len(head) : record.place] = head
        return data

    return copy_of(small, folder, change)


def test_no_forged_slice_is_read_beyond_its_end(small: Table, tmp_path: Path) -> None:
    """Bytes with a right checksum: refused, or every number lies within the slice, as NumPy's own bounds show."""
    dice, refused = random.Random(1), 0
    for _ in range(60):
        path = forged(small, tmp_path, dice)
        try:
            table = open_table("checkers", path)
        except BadInput as error:
            assert "is not as it was written" in str(error)
            refused += 1
            continue
        for record in table.records:
            own = np.array(table.data[record.place : record.place + record.size])
            for place in (0, record.positions // 2, record.positions - 1):
                read_number(own, 0, place)  # raises IndexError beyond the end
    assert 10 < refused < 60


def test_every_slice_that_is_packed_is_sound() -> None:
    random_numbers = np.random.default_rng(1)
    for count in (*range(1, 20), 255, 256, 257, 600):
        for most in (1, 2, 3, 5, 9, 17, 200):
            data = packed(random_numbers.integers(-most, most, count).astype(np.int16))
            assert is_sound(data, 0, len(data), count)


def test_what_a_record_says_of_its_place_must_fit(small: Table, tmp_path: Path) -> None:
    record = small.records[1]

    def change(data: bytearray) -> bytearray:
        blocks = bytes(data[record.place : record.place + record.size])
        data[record.place - RECORD : record.place] = record_bytes(1, record.first + 1, record.positions, blocks)
        return data

    assert len(open_table("checkers", copy_of(small, tmp_path, change)).records) == 1


@pytest.mark.parametrize("fields", [[], {}, {"game": "checkers"}, {"game": 1, "rules": 2, "index": 3, "tables": 4}])
def test_a_header_that_makes_no_sense(small: Table, tmp_path: Path, fields: Any) -> None:
    text = (MAGIC + json.dumps(fields).encode() + b"\n").ljust(4080)
    path = copy_of(small, tmp_path, lambda data: text + check_of(text) + data[4096:])
    with pytest.raises(BadInput, match="its header makes no sense"):
        open_table("checkers", path)


def test_a_damaged_smaller_table_is_not_taken_over(small: Table, tmp_path: Path) -> None:
    """Its slices would get a new checksum, and be called whole."""
    build_table("checkers", 2, tmp_path)
    path = tmp_path / "checkers-2.table"
    data = bytearray(path.read_bytes())
    record = small.records[0]
    path.write_bytes(bytes(flipped(data, record.place + record.size // 2)))
    build_table("checkers", 3, tmp_path)
    assert (tmp_path / small.path.name).read_bytes() == small.path.read_bytes()


def test_two_builders_do_not_write_one_file(small: Table, tmp_path: Path) -> None:
    path = copy_of(small, tmp_path)
    with path.open("rb") as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        with pytest.raises(BadInput, match="is being built by another process"):
            build_table("checkers", 3, tmp_path)
    build_table("checkers", 3, tmp_path)


def test_a_cut_table_is_known_to_be_incomplete_and_is_finished(
    small: Table, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = copy_of(small, tmp_path, lambda data: data[: small.records[50].place + 100])
    table = open_table("checkers", path)
    assert len(table.records) == 50 and not table.is_complete and check_table(table).positions == table.positions
    assert table.look_up(table.game.parse_state("B:W30,22:B5")) is None
    assert main(["best", "checkers", "--table", str(path), "--depth", "1", "--state", "B:W30,22:B5"]) == 0
    assert "is not complete: it has 50 of 81 slices" in " ".join(capsys.readouterr().err.split())
    build_table("checkers", 3, tmp_path)
    assert path.read_bytes() == small.path.read_bytes()


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda data: flipped(data, 30), "damaged: its header"),
        (lambda data: data[:100], "damaged: its header"),
        (lambda data: b"", "is no table"),
        (lambda data: b"PK" + bytes(data), "is no table"),
    ],
)
def test_what_is_no_table(small: Table, tmp_path: Path, change: Any, words: str) -> None:
    path = copy_of(small, tmp_path, change)
    with pytest.raises(BadInput, match=words):
        open_table("checkers", path)
    with pytest.raises(BadInput, match=words):
        build_table("checkers", 3, tmp_path)


def test_a_wrong_number_with_a_right_checksum_is_found(small: Table, tmp_path: Path) -> None:
    record = small.records[0]

    def change(data: bytearray) -> bytearray:
        values = unpacked(small.data, record.place, record.positions).copy()
        values[np.flatnonzero(values == 2)[0]] = 4
        blocks = packed(values).tobytes()
        assert len(blocks) == record.size
        head = record_bytes(0, 0, record.positions, blocks)
        data[record.place - RECORD : record.place + record.size] = head + blocks
        return data

    with pytest.raises(BadInput, match="has number 4, which does not follow from its successors"):
        check_table(open_table("checkers", copy_of(small, tmp_path, change)))


def test_a_table_of_other_rules_is_refused(small: Table, tmp_path: Path) -> None:
    path = copy_of(small, tmp_path)
    with pytest.raises(BadInput, match="is a table of checkers, not of checkers:limit=41"):
        open_table("checkers:limit=41", path)

    class Other(type(small.game)):  # type: ignore[misc]
        name = "checkers"

        def is_terminal(self, state: Any) -> bool:
            return bool(super().is_terminal(state) or state.quiet > 3)

    with pytest.raises(BadInput, match="other rules"):
        open_table(Other(), path)
    with pytest.raises(BadInput, match="no table of othello in"):
        open_table("othello", tmp_path)
    with pytest.raises(BadInput, match="there is no file"):
        open_table("checkers", tmp_path / "none.table")


def test_a_disk_that_fills_leaves_what_was_finished(small: Table, tmp_path: Path) -> None:
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (small.records[30].place + 10, before[1]))
    try:
        with pytest.raises(BadInput, match="The 30 finished slices stay"):
            build_table("checkers", 3, tmp_path)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, handler)
    path = tmp_path / small.path.name
    assert path.read_bytes() == small.path.read_bytes()[: path.stat().st_size]
    assert len(open_table("checkers", path).records) == 30
    build_table("checkers", 3, tmp_path)
    assert path.read_bytes() == small.path.read_bytes()


SLOWLY = """
import sys, time
from plywright.tables import build_table
def tell(progress):
    print(progress.slice, flush=True)
    time.sleep(0.05)
build_table("checkers", 3, sys.argv[1], progress=tell)
"""


def test_a_build_that_is_killed_goes_on_where_it_was(small: Table, tmp_path: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", SLOWLY, str(tmp_path)], stdout=subprocess.PIPE, text=True, env=os.environ
    ) as child:
        assert child.stdout is not None
        for line in child.stdout:
            if int(line) >= 5:
                child.send_signal(signal.SIGKILL)
                break
    path = tmp_path / small.path.name
    assert path.exists()
    done = len(open_table("checkers", path).records)
    solved: list[int] = []
    build_table("checkers", 3, tmp_path, progress=lambda progress: solved.append(progress.solved))
    assert path.read_bytes() == small.path.read_bytes()
    assert done == len(small.records) or max(solved) < small.positions
