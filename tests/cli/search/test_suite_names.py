"""`plywright suite` prints what a file calls its positions, and nothing of it steers the terminal."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from plywright import load_game

Invoke = Callable[..., tuple[int, str, str]]


def test_a_name_with_an_escape_is_written_as_its_code(plywright: Invoke) -> None:
    game = load_game("chess")
    start = game.format_state(game.start_state).removesuffix(" 0 1")
    Path("one.epd").write_text(f'{start} am a4; id "<b>[red]x[/red]\x1b[31m";\n')
    status, out, err = plywright("suite", "one.epd", "--depth", "1")
    assert status == 0, err
    assert "\x1b" not in out and "+ <b>[red]x[/red]\\x1b[31m" in out


def test_columns_begin_below_one_another_whatever_positions_are_called(plywright: Invoke) -> None:
    game = load_game("chess")
    start = game.format_state(game.start_state).removesuffix(" 0 1")
    names = ("short", "Lasker-Reichhelm 1901", "rook against rook")
    Path("three.epd").write_text("".join(f'{start} am a4; id "{name}";\n' for name in names))
    status, out, err = plywright("suite", "three.epd", "--depth", "1")
    assert status == 0, err
    lines = out.splitlines()[:3]
    assert all(name in line for name, line in zip(names, lines, strict=True))
    assert len({line.index("depth") for line in lines}) == 1


def test_a_file_of_positions_is_read_in_the_codings_of_older_programs(plywright: Invoke) -> None:
    line = 'r3k3/8/8/8/8/8/8/4K2R w K - bm Kd1 O-O Rh8+; id "Gr\xfcnfeld";\n'
    for coding in ("utf-8", "utf-8-sig", "latin-1", "utf-16"):
        Path("one.epd").write_text(line, encoding=coding)
        status, out, err = plywright("suite", "one.epd", "--depth", "1")
        assert status == 0, err
        assert "Gr\xfcnfeld" in out
    Path("one.epd").write_bytes(b"\x00\x01\xff\xfe")
    status, _, err = plywright("suite", "one.epd")
    assert status == 2 and "one.epd is not a file of text: save the positions as text in UTF-8" in err


def test_a_suite_without_a_name_is_refused_as_that(plywright: Invoke) -> None:
    status, _, err = plywright("suite", "")
    assert status == 2 and "the name of the suite is empty" in err and "classics" in err


def test_short_times_are_told_in_milliseconds(plywright: Invoke) -> None:
    Path("one.epd").write_text("6k1/5ppp/8/8/8/8/8/R3K3 w - - bm Ra8#;\n")
    status, out, err = plywright("suite", "one.epd", "--depth", "2")
    assert status == 0, err
    assert re.search(r"after [0-9]+ ms\n", out) and re.search(r"found after [0-9]+ ms on average", out)
