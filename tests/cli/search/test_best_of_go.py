"""`plywright best go`: the winning chance, the moves looked at most, and whose the points will be."""

from __future__ import annotations

import json
from collections.abc import Callable

STATE = "..X../..X../..XO./..XOO/..XO. B"


def test_best_tells_chance_visits_and_owners(plywright: Callable[..., tuple[int, str, str]]) -> None:
    status, out, _ = plywright("best", "go:size=5", "--state", STATE, "--nodes", "200")
    assert status == 0 and "winning chance" in out and "simulations" in out and "of the points, by playouts" in out
    assert "5 x x X" in out  # free points that are rather Black's
    rows = out.split("simulations", 1)[1].strip().splitlines()
    assert 1 <= len(rows) - 1 <= 5
    status, out, _ = plywright("best", "go:size=5", "--state", STATE, "--nodes", "200", "--json")
    found = json.loads(out)
    assert (
        status == 0 and len(found["ownership"]) == 25 and found["ownership"][0] > 0.5 and found["algorithm"] == "mcts"
    )
