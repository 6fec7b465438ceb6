"""What Pac-Man's evaluation weighs: dead ends, corners, and the table that was fitted."""

from __future__ import annotations

import pytest

from plywright.games.pacman.knowledge import EVALUATIONS, FEATURES, USUAL, weights_of
from plywright.games.pacman.maze import load_maze, read_maze
from plywright.games.pacman.rules import SCARED, Pacman
from plywright.pacman.many_games import Setting, play_many, tally

POCKET = """
%%%%%%%
%.   .%
% %%% %
%  P  %
%%% %%%
%%% %%%
%%%.%%%
%%%%%%%
"""


def worth(text: str, feature: str, **changes: object) -> float:
    game = Pacman(read_maze(text, "test"), {feature: 1})
    return game.weighted(game.start_state._replace(**changes))


def test_dead_ends_lead_to_their_mouths() -> None:
    maze = read_maze(POCKET.replace("P", " ").replace("%.   .%", "%P   .%"), "test")
    cell = {(row, column): row * maze.columns + column for row in range(8) for column in range(7)}
    mouth = cell[3, 3]
    assert [int(maze.mouths[cell[row, 3]]) for row in (4, 5, 6)] == [mouth] * 3
    assert all(int(maze.mouths[cell[place]]) == cell[place] for place in ((1, 1), (1, 5), (3, 1), (3, 3), (2, 5)))


def test_a_maze_without_a_way_round_has_no_dead_ends() -> None:
    maze = load_maze("dead-ends")
    assert all(int(mouth) == cell for cell, mouth in enumerate(maze.mouths))


@pytest.mark.parametrize(("ghost", "trapped"), [("%..G..%", 0.0), ("%G ...%", 0.0)])
def test_outside_a_dead_end_nobody_is_trapped(ghost: str, trapped: float) -> None:
    assert worth(POCKET.replace("%.   .%", ghost), "trapped") == trapped


def test_in_a_dead_end_it_counts_who_is_first_at_the_mouth() -> None:
    deep = POCKET.replace("P", " ").replace("%%%.%%%\n%%%%%%%", "%%%P%%%\n%%%%%%%")  # three steps from the mouth
    near, far = deep.replace("%     %", "%G    %"), deep.replace("%.   .%", "%.G  .%")
    assert worth(near, "trapped") == 1 and worth(far, "trapped") == 0  # two steps, and five
    game = Pacman(read_maze(near, "test"), {"trapped": 1})
    scared = game.start_state._replace(ghosts=(game.start_state.ghosts[0] | 30 << SCARED,))
    assert game.weighted(scared) == 0


def test_cornered_is_danger_where_no_way_leads_away() -> None:
    between = "%%%%%%%%%\n%.G P G %\n%%%%%%%%%"
    behind = "%%%%%%%%%\n%.G P   %\n%%%%%%%%%"
    assert worth(between, "cornered") == worth(between, "danger") == pytest.approx(2 / 3)
    assert worth(behind, "cornered") == 0 < worth(behind, "danger")


def test_every_feature_is_part_of_the_fitted_table_and_the_sum_is_linear() -> None:
    assert USUAL in EVALUATIONS and len(weights_of("fitted")) == len(FEATURES)
    game = Pacman("medium", "fitted")
    for seed in range(20):
        state = game.scattered(seed)
        parts = [weight * game.seen_with({name: 1}).weighted(state) for name, weight in EVALUATIONS["fitted"].items()]
        assert game.weighted(state) == pytest.approx(sum(parts))


@pytest.mark.slow
def test_the_fitted_table_scores_more_on_a_layout_that_it_was_not_fitted_on() -> None:
    settings = [
        Setting.on("arena", f"alphabeta:depth=2,evaluation={name}", "directional", rounds=400)
        for name in ("fitted", "full")
    ]
    fitted, full = (tally(episodes) for episodes in play_many(settings, 100, seed=5))
    assert fitted.mean_score > full.mean_score
