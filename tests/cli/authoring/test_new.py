"""`plywright new --kind`: a working file of each kind of game, which the doctor finds healthy."""

from __future__ import annotations

from pathlib import Path

import pytest

from plywright import load_game
from plywright.cli.authoring.new import write_game
from plywright.doctor import examine


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["dice", "hidden", "many"])
def test_a_new_game_of_each_kind_is_healthy(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "mine.py"
    write_game(path, kind, force=False)
    game = load_game(str(path))
    assert {"dice": game.has_chance, "hidden": game.hidden, "many": game.players > 2}[kind]
    report = examine(str(path))
    assert report.healthy, report.text()
