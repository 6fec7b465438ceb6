"""The perft tables of Pac-Man against a second program: sets and coordinates, nothing of the rules' code."""

from __future__ import annotations

import json
from importlib.resources import files

import pytest

from plywright import perft
from plywright.games.pacman.maze import load_maze, read_maze
from plywright.games.pacman.rules import Pacman

WAYS = {"N": (-1, 0), "E": (0, 1), "S": (1, 0), "W": (0, -1)}
BACK = {"N": "S", "S": "N", "E": "W", "W": "E"}
TABLES = json.loads(files("plywright.games").joinpath("perft.json").read_text(encoding="utf-8"))["tables"]


def slow_count(rows: tuple[str, ...], depth: int) -> int:
    """Lines of so many plies, finished games counting at every remaining depth."""
    signs = {(r, c): sign for r, row in enumerate(rows) for c, sign in enumerate(row)}
    floor = {place for place, sign in signs.items() if sign != "%"}
    homes = [place for place, sign in sorted(signs.items()) if sign == "G"]
    food = frozenset(place for place, sign in signs.items() if sign == ".")
    power = frozenset(place for place, sign in signs.items() if sign == "o")
    eater = next(place for place, sign in signs.items() if sign == "P")

    def stepped(place, way):
        return place[0] + WAYS[way][0], place[1] + WAYS[way][1]

    def count(turn, eater, ghosts, food, power, over, left) -> int:
        if over or left == 0:
            return 1
        total = 0
        if turn == 0:
            for there in [eater, *(stepped(eater, way) for way in WAYS if stepped(eater, way) in floor)]:
                met = [
                    (home, None, 0) if (at == there and fear) else (at, facing, 40 if there in power else fear)
                    for (at, facing, fear), home in zip(ghosts, homes, strict=True)
                ]
                caught = any(at == there and not (fear or there in power) for at, _, fear in ghosts)
                won = not food - {there}
                total += count(1 if ghosts else 0, there, met, food - {there}, power - {there}, caught or won, left - 1)
            return total
        at, facing, fear = ghosts[turn - 1]
        ahead = [way for way in WAYS if stepped(at, way) in floor and (facing is None or way != BACK[facing])]
        if fear % 2 == 1:
            ahead = [""]
        elif not ahead:
            ahead = [BACK[facing]] if facing is not None and stepped(at, BACK[facing]) in floor else [""]
        for way in ahead:
            there = stepped(at, way) if way else at
            moved = list(ghosts)
            moved[turn - 1] = (there, way or facing, max(fear - 1, 0))
            caught = there == eater and not fear
            if there == eater and fear:
                moved[turn - 1] = (homes[turn - 1], None, 0)
            total += count(0 if turn == len(ghosts) else turn + 1, eater, moved, food, power, caught, left - 1)
        return total

    return count(0, eater, [(home, None, 0) for home in homes], food, power, False, depth)


@pytest.mark.parametrize(
    "table", [table for table in TABLES if table["game"] == "pacman"], ids=lambda t: str(t["parameters"])
)
def test_the_tables_are_what_a_second_program_counts(table: dict) -> None:
    rows = load_maze(table["parameters"]["layout"]).rows
    assert [slow_count(rows, depth) for depth in range(1, len(table["counts"]) + 1)] == table["counts"]


def test_scared_ghosts_too() -> None:
    """A power pellet beside Pac-Man: half speed, being eaten, starting again."""
    maze = read_maze("%%%%%%%\n%oP G.%\n% %%% %\n%.    %\n%%%%%%%", "scared")
    game = Pacman(maze)
    assert [perft(game, depth) for depth in range(1, 11)] == [slow_count(maze.rows, depth) for depth in range(1, 11)]
