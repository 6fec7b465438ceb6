"""Schedules: everybody from every seat, the same dice for a round, keys that tell games apart."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest

from plywright.arena.schedules.openings import Opening
from plywright.arena.schedules.schedule import MATCH, TOURNAMENT, Plan, check_size, entrants
from plywright.errors import BadInput


def plan(players: int, seats: int, games: int, kind: str = TOURNAMENT, openings: int = 3, seed: int = 1) -> Plan:
    texts = [f"player{n}" for n in range(players)]
    lines = tuple(Opening((n,)) for n in range(openings))
    return Plan(
        kind, "g", "", seats, entrants(texts, [(text, "") for text in texts]), "depth:1", games, "x", lines, seed, 0.05
    )


def test_a_match_pairs_openings_with_seats_swapped_and_the_same_dice() -> None:
    rounds = plan(2, 2, 8, MATCH).rounds()
    assert [[unit.seats for unit in each.units] for each in rounds] == [[(0, 1), (1, 0)]] * 4
    assert [each.units[0].opening for each in rounds] == [0, 1, 2, 0]
    assert all(len({unit.seed for unit in each.units}) == 1 for each in rounds)
    assert len({each.units[0].seed for each in rounds}) == 4
    assert plan(2, 2, 8, MATCH, seed=2).rounds()[0].units[0].seed != rounds[0].units[0].seed


@pytest.mark.parametrize(("players", "games", "total"), [(20, 2, 380), (20, 1, 190), (3, 5, 15)])
def test_a_round_robin_has_every_pairing(players: int, games: int, total: int) -> None:
    units = [unit for each in plan(players, 2, games).rounds() for unit in each.units]
    assert len(units) == len({unit.key for unit in units}) == total
    assert [unit.number for unit in units] == list(range(1, total + 1))
    met = Counter(unit.pairing for unit in units)
    assert set(met) == set(combinations(range(players), 2)) and set(met.values()) == {games}


def test_first_seats_are_shared_in_a_single_round_robin() -> None:
    first = Counter(unit.seats[0] for each in plan(6, 2, 1).rounds() for unit in each.units)
    assert sum(first.values()) == 15 and max(first.values()) <= 4


def test_three_seats_rotate() -> None:
    rounds = plan(4, 3, 3).rounds()
    assert len(rounds) == 4
    assert [unit.seats for unit in rounds[0].units] == [(0, 1, 2), (1, 2, 0), (2, 0, 1)]


def test_a_plan_survives_json() -> None:
    import json

    given = plan(3, 2, 4)
    assert Plan.from_dict(json.loads(json.dumps(given.as_dict()))) == given


def test_equal_players_are_told_apart() -> None:
    assert [one.name for one in entrants("aaba", [(text, "") for text in "aaba"])] == ["a", "a (2)", "b", "a (3)"]


def test_impossible_sizes_are_refused() -> None:
    for arguments, words in [
        ((MATCH, 3, 2, 5), "tournament"),
        ((TOURNAMENT, 1, 2, 5), "at least 2"),
        ((MATCH, 2, 2, 0), "one game"),
    ]:
        with pytest.raises(BadInput, match=words):
            check_size(*arguments)
