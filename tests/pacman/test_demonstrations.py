"""The classroom demonstrations (docs/facts.md, section 3), each with its threshold."""

from __future__ import annotations

import pytest

from plywright.pacman.demonstrations import corridor, depth, ghosts, starvation, trapped


def test_the_corridor_is_worth_eight() -> None:
    shown = corridor()
    assert shown.holds and shown.figures["value"] == 8


def test_starvation_and_its_cure() -> None:
    shown = starvation()
    assert shown.figures["score"]["eaten"] == 0 and shown.figures["score"]["places"] == 2
    assert shown.figures["food"]["won"] and shown.holds


def test_trapped_minimax_runs_into_the_nearer_ghost_and_expectimax_gambles() -> None:
    shown = trapped(30)
    assert shown.figures["minimax"]["first"] == "West" and shown.figures["minimax"]["value"] == -501
    assert shown.figures["expectimax"]["wins"] >= shown.figures["minimax"]["wins"] + 5
    assert shown.holds


@pytest.mark.slow
def test_ghosts_that_search_together_surround_him() -> None:
    shown = ghosts(12)
    team, alone = shown.figures["coordinated"], shown.figures["searching"]
    assert team["caught"] >= 9 and 2 * team["from_two_sides"] > team["caught"]
    assert team["caught"] > alone["caught"] and team["between"] > alone["between"] > 0
    assert alone["from_two_sides"] <= alone["caught"]
    for line, figures in zip(shown.lines, (team, alone), strict=False):
        assert f"{figures['from_two_sides']} times from two sides; he stood between them at" in line


@pytest.mark.slow
def test_deeper_search_wins_more_in_a_small_sample() -> None:
    figures = depth(12).figures
    assert figures["depth_10"]["mean_score"] > figures["depth_2"]["mean_score"]


@pytest.mark.slow
def test_depth_ten_wins_twenty_points_more_than_depth_two() -> None:
    shown = depth(200)
    assert shown.holds, shown.lines


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2])
def test_a_team_of_ghosts_catches_more_than_two_that_search_alone(seed: int) -> None:
    """The 95 % interval of the difference lies above zero."""
    shown = ghosts(40, seed)
    assert shown.holds, shown.lines
