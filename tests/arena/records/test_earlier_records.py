"""Records of the first release go on: from the start where nothing else is asked for, under the names they have."""

from __future__ import annotations

import contextlib
import json
import sqlite3
import sys
from pathlib import Path

import pytest

from plywright.arena.match import make_plan, play_match
from plywright.arena.records.run_file import Records
from plywright.cli.authoring.new import BOTS, template
from plywright.errors import BadInput


def first_release(path: Path, players: list[str], games: int) -> None:
    """A record as the first release began it: from the start, named by the texts, silent on repeated games."""
    plan, _ = make_plan("match", players, "tic-tac-toe", games=games, mode="depth:1", opening="start")
    Records.begin(path, plan).close()
    data = plan.as_dict()
    del data["once"]
    for player in data["players"]:
        player["name"] = player["text"]
    with contextlib.closing(sqlite3.connect(path)) as database, database:
        database.execute("UPDATE run SET value = ? WHERE name = 'plan'", (json.dumps(data),))


def test_the_same_command_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "run"
    first_release(path, ["random", "first"], 6)
    found = play_match(["random", "first"], "tic-tac-toe", games=6, mode="depth:1", record=path)
    assert found.played == 6 and found.progress.plan.source == "start" and found.progress.plan.once
    with pytest.raises(BadInput, match="holds another run, with openings start"):
        play_match(["random", "first"], "tic-tac-toe", games=6, mode="depth:1", opening="auto", record=path)


def test_a_program_keeps_the_name_it_had(tmp_path: Path) -> None:
    bot, path = tmp_path / "bot.py", tmp_path / "run"
    bot.write_text(template(BOTS["json"]))
    text = f"pipe:{sys.executable} {bot}?isolation=limits"
    first_release(path, [text, "first"], 2)
    found = play_match([text, "first"], "tic-tac-toe", games=2, mode="depth:1", record=path)
    assert found.played == 2 and found.progress.plan.names == (text, "first")
