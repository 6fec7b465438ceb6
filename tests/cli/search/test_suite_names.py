"""`plywright suite` prints what a file calls its positions, and nothing of it steers the terminal."""

from __future__ import annotations

import pytest

from plywright import load_game
from plywright.cli.search.suite import _tell


def test_a_name_with_an_escape_is_written_as_its_code(capsys: pytest.CaptureFixture[str]) -> None:
    game = load_game("chess")
    start = game.format_state(game.start_state).removesuffix(" 0 1")
    (problem,) = game.parse_suite(f'{start} bm Nf3; id "<b>[red]x[/red]\x1b[31m";')
    assert "\x1b" in problem.name
    found = {"name": problem.name, "best": ["Nf3"], "avoid": [], "move": "Nf3", "depth": 1, "seconds": 0.0}
    _tell(game, problem, {**found, "solved": True}, 1)
    told = capsys.readouterr().out
    assert "\x1b" not in told and "+ <b>[red]x[/red]\\x1b[31m" in told
