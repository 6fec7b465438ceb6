"""A game played again is no new evidence: it counts once everywhere, and by default games differ."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from plywright.arena.match import make_plan, play_match
from plywright.arena.records.run_file import Records
from plywright.arena.reports.report import report_page
from plywright.arena.schedules.openings import START, varied
from plywright.arena.schedules.progress import Progress
from plywright.arena.standings import as_data, repetition_note, standings
from plywright.cli.arena.standings import estimate_lines
from plywright.games import load_game
from plywright.web.matches.run_view import remarks, standings_shown

SAME = ["alphabeta:depth=1", "first"]


def test_thirty_times_the_same_two_games_are_two(tmp_path: Path) -> None:
    found = play_match(
        SAME, "tic-tac-toe", games=30, mode="depth:1", opening="start", sprt="0,5", record=tmp_path / "run"
    )
    assert (found.played, found.different, found.games, sum(found.pairs)) == (30, 2, 2, 1)
    two = play_match(SAME, "tic-tac-toe", games=2, mode="depth:1", opening="start", record=tmp_path / "two")
    assert found.scores == two.scores and found.means == two.means
    assert found.estimate is not None and two.estimate is not None and found.estimate.low == two.estimate.low
    assert sum(found.progress.pairs) == 1 and found.progress.stopped is None  # nor does the test hear it twice
    data = as_data(found)
    assert (data["games"], data["played"], data["distinct_games"]) == (2, 30, 2)
    assert data["wins"] + data["draws"] + data["losses"] == 2
    note = repetition_note(found)
    assert "2 of 30" in note and "--openings" in note
    assert note in remarks(found) and standings_shown(found)["played"] == 30
    assert "score" in str(estimate_lines(found)[0])
    with Records.open(tmp_path / "run") as records:
        game = load_game("tic-tac-toe")
        again = standings(Progress(records.plan, records.outcomes()), game)
        assert again.scores == found.scores
        assert "2 of 30 games are different" in report_page(records, game, again)


def test_a_tournament_counts_a_repeated_game_once(tmp_path: Path) -> None:
    options = {"mode": "depth:1", "opening": "start", "kind": "tournament"}
    found = play_match([*SAME, "alphabeta:depth=2"], "tic-tac-toe", games=10, record=tmp_path / "run", **options)
    assert [score.games for score in found.scores] == [4, 4, 4] and found.played == 30


def test_by_default_deterministic_players_play_different_games(tmp_path: Path) -> None:
    found = play_match(SAME, "tic-tac-toe", games=30, mode="depth:1", record=tmp_path / "run")
    assert found.different == found.games == 30 and not repetition_note(found)
    assert found.progress.plan.source == "random:2"


@pytest.mark.parametrize(
    ("game", "rounds", "source"),
    [
        ("othello", 50, "random:4"),
        ("connect-four", 10, "random:2"),
        ("connect-four", 1, START),  # nothing would repeat
        ("backgammon", 50, START),  # the dice see to it
        ("kuhn", 50, START),
        ("nim:heaps=1", 50, START),  # too short for it
    ],
)
def test_the_openings_of_each_game(game: str, rounds: int, source: str) -> None:
    assert varied(load_game(game), rounds, 1) == source


def test_where_chance_or_secrets_rule_every_game_counts(tmp_path: Path) -> None:
    found = play_match(["random", "first"], "kuhn", games=60, mode="depth:1", record=tmp_path / "run")
    assert found.games == 60 and found.different < 60 and "each counts" in repetition_note(found)


def test_a_program_that_cannot_be_told_an_opening_starts_from_the_start() -> None:
    players = ["xy:cat {colour}", "random"]
    plan, _ = make_plan("match", players, "othello", games=10, mode="depth:1", ready=False)
    assert plan.source == START


def test_the_plan_of_an_earlier_version_counts_as_its_game_does(tmp_path: Path) -> None:
    for game, once in (("tic-tac-toe", True), ("kuhn", False)):
        path = tmp_path / game
        play_match(["random", "first"], game, games=2, mode="depth:1", record=path)
        with Records.open(path) as records:
            plan = records.plan
        with Records.begin(path, plan) as records:
            (text,) = records.connection.execute("SELECT value FROM run WHERE name = 'plan'").fetchone()
            older = {key: value for key, value in json.loads(text).items() if key != "once"}
            records.connection.execute("UPDATE run SET value = ? WHERE name = 'plan'", (json.dumps(older),))
        with Records.open(path) as records:
            assert records.plan.once == once
