"""Games that both players agree on: the rule as it is written, what it looks at, and matches that keep to it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from plywright import CHANCE, BadInput, load_game
from plywright.arena.adjudication import Adjudication
from plywright.arena.game_record import Ply
from plywright.arena.match import play_match
from plywright.arena.records.run_file import Records
from plywright.cli import main

CHESS, TIC_TAC_TOE = load_game("chess"), load_game("tic-tac-toe")


def plies(*values: float | None, unit: float = 0.01) -> list[Ply]:
    """One move of each in turn, with what its player saw in pawns."""
    infos: list[dict[str, Any]] = [{} if value is None else {"value": value * unit} for value in values]
    return [Ply(number % 2, 0, 0.0, info) for number, info in enumerate(infos)]


def test_a_win_needs_both_players_and_every_one_of_the_moves() -> None:
    rule = Adjudication.parse("win:6:2", CHESS)
    assert rule.winner(plies(7, -7, 7, -7), 0) == 0
    assert rule.winner(plies(-7, 7, -7, 7), 0) == 1
    assert rule.winner(plies(-7, 6.5, -6, 7), 0) == 1
    for open_ in [
        (7, -7, 7),  # too few
        (7, -7, 7, -5),  # the loser does not agree
        (5, -7, 7, -7),
        (7, 7, 7, 7),  # both see themselves ahead
        (7, -7, None, -7),  # no account of a move
        (0, 0, 0, 0),
    ]:
        assert rule.winner(plies(*open_), 0) is None, open_
    assert rule.winner([*plies(-9, 9), *plies(7, -7, 7, -7)], 0) == 0, "only the last moves count"


def test_a_draw_is_agreed_on_from_a_move_on_that_the_opening_counts_for() -> None:
    rule = Adjudication.parse("draw:0.1:2:4", CHESS)
    level = plies(*[0.05, -0.1] * 4)
    assert rule.winner(level, 0) == -1 and rule.winner(level[:-1], 0) is None
    assert rule.winner(level[:4], 4) == -1, "an opening of four plies"
    assert rule.winner(plies(*[0.05, -0.2] * 4), 0) is None


def test_rolls_between_the_moves_and_what_is_no_number_are_passed_over_or_end_nothing() -> None:
    rule = Adjudication.parse("win:0.5:1", load_game("backgammon"))
    first, second = plies(0.6, -0.6, unit=1.0)
    assert rule.winner([Ply(CHANCE, 3), first, Ply(CHANCE, 4), second], 0) == 0
    for value in (True, "7", None, [7]):
        assert rule.winner([first, Ply(1, 0, 0.0, {"value": value})], 0) is None


NONSENSE = ("", "win", "win:6", "win:6:0", "win:-1:2", "draw:0.1:8", "win:6:4,", ",draw:0.1:8:40", "6:4", "win:nan:2")


@pytest.mark.parametrize("text", [*NONSENSE, "win:6:4,win:6:4"])
def test_a_rule_that_means_nothing_is_refused_with_the_way_to_write_it(text: str) -> None:
    with pytest.raises(BadInput, match="as in win:6:4"):
        Adjudication.parse(text, CHESS)


def test_a_lead_of_nothing_and_games_of_other_kinds_are_refused() -> None:
    with pytest.raises(BadInput, match="lead of 0"):
        Adjudication.parse("win:0:4", CHESS)
    with pytest.raises(BadInput, match="cannot be adjudicated"):
        Adjudication.parse("win:6:4", load_game("hearts"))


SEER = """
class Seer:
    def choose(self, game, turn):
        self.info = {"value": 0.0}
        return turn.legal[0]
"""


def test_a_match_ends_its_games_where_both_agree_and_says_so(tmp_path: Path) -> None:
    (tmp_path / "seer.py").write_text(SEER)
    players = [f"{tmp_path / 'seer.py'}:Seer"] * 2
    record = tmp_path / "m.run"
    found = play_match(players, "tic-tac-toe", games=2, mode="depth:1", record=record, adjudicate="draw:0:1:1")
    assert found.progress.plan.adjudicate == "draw:0:1:1"
    with Records.open(record) as records:
        games = [records.game(number)[1] for number in (1, 2)]
    for game in games:
        assert game.termination == "adjudicated" and game.payoffs == (0.0, 0.0)
        assert len(game.opening) + len(game.plies) == max(2, len(game.opening) + 2)


def test_the_command_takes_the_rule_and_refuses_a_bad_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["match", "first", "random", "--game", "tic-tac-toe", "--games", "2", "--mode", "depth:1", "--json"]
    assert main([*command, "--adjudicate", "win:0.5:9", "--record", str(tmp_path / "m.run")]) == 0
    assert set(json.loads(capsys.readouterr().out)["terminations"]) <= {"first", "random", "normal"}
    assert main([*command, "--adjudicate", "soon", "--record", str(tmp_path / "n.run")]) == 2
    assert "win:LEAD:MOVES" in capsys.readouterr().err and not (tmp_path / "n.run").exists()
