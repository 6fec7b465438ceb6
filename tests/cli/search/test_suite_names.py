"""`plywright suite` prints what a file calls its positions, and nothing of it steers the terminal."""

from __future__ import annotations

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
