"""The table of world assumptions, and that it depends on the seed alone."""

from __future__ import annotations

import pytest

from plywright.errors import BadInput
from plywright.pacman.assumptions import LAYOUTS, PAIRINGS, assumptions, assumptions_picture, shortcomings
from plywright.pacman.episode import Episode
from plywright.pacman.many_games import Setting, difference_interval, play_many, tally


@pytest.mark.parametrize(
    ("layout", "games"), [(LAYOUTS[0], 8), *(pytest.param(one, 25, marks=pytest.mark.slow) for one in LAYOUTS)]
)
def test_a_small_sample_shows_the_order(layout: str, games: int) -> None:
    """Rounds stand for scores here: with few games one that is lost by chance would hide the points saved."""
    rows = assumptions(layout, games)
    assert [(row.pacman, row.ghosts) for row in rows] == list(PAIRINGS)
    found = {(row.pacman, row.ghosts): row.tally for row in rows}
    assert min(found["minimax", "adversarial"].wins, found["minimax", "random"].wins) >= games - 1
    assert found["expectimax", "adversarial"].caught > 0.7 * games
    assert min(found, key=lambda pair: found[pair].mean_score) == ("expectimax", "adversarial")
    assert found["expectimax", "random"].mean_rounds < 25 < 40 < found["minimax", "random"].mean_rounds
    assert found["minimax", "adversarial"].mean_rounds > 40
    assert "expectimax v random" in assumptions_picture(rows).svg


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 6])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_the_published_pattern(layout: str, seed: int) -> None:
    """The whole pattern, and the best of the four is best by two standard errors at least."""
    rows = assumptions(layout, 200, seed=seed)
    assert shortcomings(rows) == []
    best, *others = sorted((row.tally for row in rows), key=lambda found: -found.mean_score)
    for other in others:
        errors = [(each.interval[1] - each.mean_score) / 1.96 for each in (best, other)]
        assert best.mean_score - other.mean_score > 2 * (errors[0] ** 2 + errors[1] ** 2) ** 0.5


def test_the_same_seed_gives_the_same_games_in_any_number_of_processes() -> None:
    settings = [Setting.on("loop", "minimax:depth=1", "random", rounds=20)]
    alone = play_many(settings, 11, seed=5)
    heard: list[int] = []
    assert play_many(settings, 11, seed=5, jobs=2, heard=heard.append) == alone
    assert sum(heard) == 11
    assert play_many(settings, 11, seed=6) != alone


def test_intervals() -> None:
    found = tally([Episode(score, score > 0, score < 0, 5) for score in (500, 500, 500, -500)])
    assert (found.wins, found.caught, found.mean_score) == (3, 1, 250)
    assert found.interval[0] == pytest.approx(250 - 1.96 * 250, abs=1) and found.interval[1] > 700
    assert difference_interval((56, 70), (48, 80)) == pytest.approx((0.0524, 0.3339), abs=1e-3)  # Newcombe's example
    assert found.win_interval[0] == pytest.approx(0.3006, abs=1e-3)  # Wilson's, of 3 in 4


def test_shortcomings_are_told() -> None:
    rows = assumptions("starvation", 1)
    assert any("caught in only 0 of 1" in words for words in shortcomings(rows))


@pytest.mark.parametrize(("games", "jobs"), [(0, 1), (5, 0), (5, 1000)])
def test_nonsense_is_refused(games: int, jobs: int) -> None:
    with pytest.raises(BadInput):
        assumptions("den", games, jobs=jobs)


def test_a_layout_without_ghosts_has_nothing_to_assume() -> None:
    with pytest.raises(BadInput, match="no ghost"):
        assumptions("corridor", 1)
