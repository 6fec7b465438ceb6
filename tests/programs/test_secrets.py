"""A program is not shown the record of the run, in whichever folder it lies and whatever it is called."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from keeper import ZOO

from plywright.arena.match import choose_seed, make_plan
from plywright.arena.records import Records
from plywright.arena.referee import play_game
from plywright.games import load_game
from plywright.players import Mode
from plywright.players.simple import FirstPlayer
from plywright.programs.isolation import BUBBLEWRAP, bubblewrap_works
from plywright.programs.json_lines import JsonPlayer


@pytest.mark.skipif(not bubblewrap_works(), reason="bubblewrap is absent or not allowed here")
def test_the_record_in_the_program_s_own_folder_is_hidden(tmp_path: Path, mark: str) -> None:
    home = tmp_path / "bots" / "kuhn"
    shutil.copytree(ZOO.parent, home, ignore=shutil.ignore_patterns("__pycache__"))
    (home / "results").mkdir()
    (home / "results" / "notes.txt").write_text("mine")
    plan, game = make_plan("match", ["first", "first"], "kuhn", games=2, mode="depth:1")
    places = [home / "kuhn-match-1.plywright", home / "results" / "other.db"]
    open_records = [Records.begin(place, plan) for place in places]
    player = JsonPlayer(
        f"python {home / 'run.py'} json looks_for_records {mark}", game, "spy", {"isolation": BUBBLEWRAP}
    )
    try:
        record = play_game(game, [player, FirstPlayer()], mode=Mode.parse("move:10s"))
    finally:
        player.close()
        for records in open_records:
            records.close()
    seen = json.loads(json.loads(record.raw)["move"])
    assert seen == {"records": [], "notes": True}, record.note
    assert load_game("kuhn").hidden


def test_programs_cannot_guess_the_deals_of_a_run(tmp_path: Path) -> None:
    bots, record = ["pipe:python bot.py", "first"], tmp_path / "run.plywright"
    assert choose_seed(7, bots, "kuhn", None) == 7
    assert choose_seed(None, ["first", "random"], "kuhn", None) == choose_seed(None, bots, "tic-tac-toe", None) == 1
    seeds = {choose_seed(None, bots, "kuhn", record) for _ in range(3)}
    assert len(seeds) == 3 and min(seeds) > 1000
    plan, _ = make_plan("match", ["first", "first"], "kuhn", games=2, mode="depth:1", seed=99)
    Records.begin(record, plan).close()
    assert choose_seed(None, bots, "kuhn", record) == 99  # the same command goes on with the run
