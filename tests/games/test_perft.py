"""The perft tables of perft.json, both conventions: the first test of any rules."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any

import pytest

from plywright import load_game, perft
from plywright.games import GAMES

DATA = json.loads(files("plywright.games").joinpath("perft.json").read_text(encoding="utf-8"))
QUICK = 6_000_000  # lines that every run of the tests may count; more is left to the slow ones


def counts() -> list[Any]:
    found = []
    for table in DATA["tables"]:
        parameters = ",".join(f"{key}={value}" for key, value in table["parameters"].items())
        name = f"{table['game']}:{parameters}" if parameters else table["game"]
        for depth, count in enumerate(table["counts"], 1):
            label = f"{name}-{table['convention']}-{depth}"
            marks = [pytest.mark.slow] if count > QUICK else []
            found.append(pytest.param(name, table["state"], table["convention"], depth, count, id=label, marks=marks))
    return found


@pytest.mark.parametrize(("name", "state", "convention", "depth", "count"), counts())
def test_perft(name: str, state: str, convention: str, depth: int, count: int) -> None:
    game = load_game(name)
    start = game.start_state if state == "start" else game.parse_state(state)
    assert perft(game, depth, start, finished=convention == "finished") == count


def test_every_board_game_has_a_table_and_every_convention_is_explained() -> None:
    games = {name: load_game(name) for name in GAMES}  # chance: test_chance_games, hidden: test_hidden_games
    certain = {name for name, game in games.items() if not game.has_chance and not game.hidden}
    assert {table["game"] for table in DATA["tables"]} == certain - {"random-tree"}
    assert {table["convention"] for table in DATA["tables"]} == set(DATA["conventions"])


def test_connect_four_multiplies_by_seven_until_a_column_is_full() -> None:
    game = load_game("connect-four")
    assert [perft(game, depth) for depth in range(1, 7)] == [7**depth for depth in range(1, 7)]
    assert perft(game, 7) == 7**7 - 7
