"""Players who never met: rated apart, and said so; who has no game stands behind everybody who has."""

from __future__ import annotations

import math

import pytest

from plywright.arena.outcome import Outcome
from plywright.arena.schedules.openings import Opening
from plywright.arena.schedules.progress import Progress
from plywright.arena.schedules.schedule import TOURNAMENT, Entrant, Plan
from plywright.arena.standings import Standings, as_data, standings
from plywright.arena.statistics.rating import bradley_terry
from plywright.games import load_game
from plywright.players.offence import NO_GREETING, NORMAL


def test_groups_that_never_met_have_scales_of_their_own() -> None:
    apart = bradley_terry(5, {(0, 1): (3, 1), (2, 3): (1, 5)})
    assert apart.groups == ((0, 1), (2, 3), (4,)) and "never met" in apart.note
    assert "every game" not in apart.note  # nobody won or lost every game
    alone = bradley_terry(2, {(0, 1): (3, 1)})
    assert apart.ratings[0] == alone.ratings[0] and not alone.note
    assert math.isinf(apart.ratings[4].high) and math.isinf(apart.ratings[4].low)


def test_a_chain_of_games_links() -> None:
    chain = bradley_terry(4, {(0, 1): (2, 2), (1, 2): (3, 1), (2, 3): (1, 1)})
    assert chain.groups == ((0, 1, 2, 3),) and not chain.note


def tournament(results: dict[tuple[int, int], float], players: int, silent: int | None = None) -> Standings:
    """A tournament of tic-tac-toe in which these games were played, by the payoff of the first seat."""
    names = tuple(Entrant(f"random{i}", f"P{i}") for i in range(players))
    plan = Plan(TOURNAMENT, "tic-tac-toe", "", 2, names, "depth:1", 2, "start", (Opening(),), 1, 0.05)
    progress = Progress(plan)
    for unit in progress.units.values():
        if silent in unit.seats:
            offender = unit.seats.index(silent)
            outcome = (None, NO_GREETING, offender)
        elif unit.seats in results:
            payoff = results[unit.seats]
            outcome = ((payoff, -payoff), NORMAL, None)
        else:
            continue
        payoffs, cause, offender = outcome
        progress.add(
            Outcome(
                unit.number, 1, unit.round, unit.seats, payoffs, cause, offender, (), 0.1, "none", "", str(unit.number)
            )
        )
    return standings(progress, load_game("tic-tac-toe"))


def test_places_say_which_group() -> None:
    found = tournament({(0, 1): 1.0, (1, 0): 1.0, (3, 2): 1.0, (2, 3): 0.0}, 5)
    assert found.places == ["A1", "A2", "B1", "B2", "-"]
    assert found.order == [0, 1, 3, 2, 4]
    rows = as_data(found)["standings"]
    assert [row["place"] for row in rows] == found.places and rows[-1]["elo"] is None
    assert rows[0]["elo"] == pytest.approx(0, abs=1e-9)


def test_a_program_that_never_spoke_is_last() -> None:
    found = tournament({(0, 2): 1.0, (2, 0): -1.0}, 3, silent=1)
    assert found.order == [0, 2, 1] and found.places == ["1", "2", "-"]
