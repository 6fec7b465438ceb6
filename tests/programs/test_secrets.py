"""A program is not shown the record of the run, in whichever folder it lies and whatever it is called."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest
from program_processes import ZOO

from plywright.arena.match import choose, make_plan, play_match
from plywright.arena.records.run_file import Records
from plywright.arena.referee import own_seed, play_game
from plywright.arena.schedules.schedule import WIDE
from plywright.games import load_game
from plywright.players import Mode
from plywright.players.offence import NORMAL
from plywright.players.simple import FirstPlayer
from plywright.programs.hiding import folders_with_records
from plywright.programs.isolation import BUBBLEWRAP, LIMITS, bubblewrap_works
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
    assert choose(7, None, bots, "kuhn", None) == (7, "auto")
    assert choose(None, None, ["first", "random"], "kuhn", None) == (1, "auto")
    assert choose(None, None, bots, "tic-tac-toe", None) == (1, "auto")
    seeds = {choose(None, None, bots, "kuhn", record)[0] for _ in range(3)}
    assert len(seeds) == 3 and min(seeds) >= WIDE
    mixed = ["mixture:0.5*first+0.5*pipe:python bot.py", "first"]
    assert choose(None, None, mixed, "kuhn", record)[0] >= WIDE
    plan, _ = make_plan("match", ["first", "first"], "kuhn", games=2, mode="depth:1", seed=99)
    Records.begin(record, plan).close()
    assert choose(None, None, bots, "kuhn", record)[0] == 99  # the same command goes on with the run


@pytest.mark.parametrize("level", [LIMITS, BUBBLEWRAP])
@pytest.mark.parametrize("game", ["kuhn", "pig"])
def test_nobody_remembers_the_deals_of_the_first_game_in_the_second(game: str, level: str, mark: str) -> None:
    if level == BUBBLEWRAP and not bubblewrap_works():
        pytest.skip("bubblewrap is absent or not allowed here")
    loaded = load_game(game)
    assert loaded.hidden or loaded.has_chance
    player = JsonPlayer(f"python {ZOO} json remembers_deals {mark}", loaded, "elephant", {"isolation": level})
    try:
        for seats in ([player, FirstPlayer()], [FirstPlayer(), player]):
            record = play_game(loaded, seats, mode=Mode.parse("move:10s"), seed=5, move_limit=20)
            assert any(seats[ply.seat] is player for ply in record.plies if ply.seat >= 0)
            assert record.offender is None, record.note
    finally:
        player.close()


def test_where_nothing_is_hidden_a_program_stays(mark: str) -> None:
    game = load_game("tic-tac-toe")
    player = JsonPlayer(f"python {ZOO} json remembers_deals {mark}", game, "elephant", {"isolation": LIMITS})
    try:
        first, second = (play_game(game, [player, FirstPlayer()], mode=Mode.parse("move:10s")) for _ in range(2))
    finally:
        player.close()
    assert first.termination == NORMAL and "I know" in second.raw  # so the test above can fail


def test_a_match_in_python_draws_a_new_seed_where_programs_could_guess(tmp_path: Path, mark: str) -> None:
    players = [f"pipe:python {ZOO} json honest {mark}?isolation=limits", "first"]
    seeds = set()
    for name in ("one", "two"):
        play_match(players, "kuhn", games=2, mode="move:10s", record=tmp_path / name)
        with Records.open(tmp_path / name) as records:
            seeds.add(records.plan.seed)
            games = {unit.seed for each in records.plan.rounds() for unit in each.units}
            assert {records.game(number)[1].seed for number in (1, 2)} == games  # a game is repeated from its record
        play_match(players, "kuhn", games=2, mode="move:10s", record=tmp_path / name)  # goes on: it is the same run
    assert len(seeds) == 2 and min(seeds) >= WIDE
    play_match(["first", "random"], "kuhn", games=2, mode="depth:1", record=tmp_path / "own")
    with Records.open(tmp_path / "own") as records:
        assert records.plan.seed == 1


def test_the_seed_that_a_program_is_told_cannot_be_tried_out() -> None:
    """Neither the run's seed nor a game's is small, and what is told of it is a hash."""
    plan, _ = make_plan("match", ["first", "first"], "kuhn", games=200, mode="depth:1", seed=WIDE + 12345)
    games = {unit.seed for each in plan.rounds() for unit in each.units}
    assert len(games) == 100 and max(games) < 1 << 63
    assert sum(seed >= 1 << 56 for seed in games) > 90  # 63 bits, not 48
    told = [own_seed(seed, 0, 0) for seed in games]
    assert len(set(told)) == len(told) and not set(told) & games


def test_only_files_are_looked_into(tmp_path: Path) -> None:
    """To open a pipe is to wait for somebody to write into it."""
    (tmp_path / "inner").mkdir()
    os.mkfifo(tmp_path / "inner" / "pipe")
    os.mkfifo(tmp_path / "pipe-wal")
    (tmp_path / "run.plywright").touch()
    assert folders_with_records(tmp_path) == {tmp_path: [tmp_path / "inner", tmp_path / "pipe-wal"]}
