"""Pac-Man's rules: scoring, walls, ghosts that do not turn back, scared ghosts, layouts."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plywright.errors import BadInput
from plywright.games import load_game
from plywright.games.pacman.maze import STOP, Maze, layout_names, load_maze, read_maze
from plywright.games.pacman.rules import CELL, FACING, SCARED, Pacman

NORTH, EAST, SOUTH, WEST = range(4)


def made(text: str, **options: object) -> Pacman:
    return Pacman(read_maze(text, "test"), **options)  # type: ignore[arg-type]


def after(game: Pacman, *actions: int):
    state = game.start_state
    for action in actions:
        assert action in list(game.actions(state)), f"{action} is not legal in\n{game.picture(state)}"
        state = game.result(state, action)
    return state


def test_a_step_a_pellet_and_the_last_one() -> None:
    game = made("%%%%%\n%P..%\n%%%%%")
    one = after(game, EAST)
    assert (one.score, one.left, game.is_terminal(one)) == (9, 1, False)
    two = after(game, EAST, EAST)
    assert (two.score, two.left, game.is_terminal(two)) == (18 + 500, 0, True)
    assert game.utility(two, 0) == 518


def test_the_corridor_is_worth_eight_before_the_win() -> None:
    """A pellet two steps to the west."""
    game = load_game("pacman:layout=corridor")
    end = after(game, WEST, WEST)
    assert end.score - 500 == 8


def test_running_into_a_ghost_and_being_caught_cost_500() -> None:
    game = made("%%%%%%\n%.PG.%\n%%%%%%")
    into = after(game, EAST)
    assert (into.caught, into.score) == (True, -501)
    assert game.is_terminal(into)
    caught = after(game, STOP, WEST)
    assert (caught.caught, caught.score) == (True, -501)
    assert game.utility(caught, 1) == 501


def test_a_power_pellet_scares_for_forty_turns_at_half_speed() -> None:
    game = made("%%%%%%%%%\n%oP.  G.%\n%%%%%%%%%")
    state = after(game, WEST)
    assert state.ghosts[0] >> SCARED == 40
    moved = []
    for _ in range(41):
        actions = list(game.actions(state))
        moved.append(actions != [STOP])
        state = game.result(state, actions[0])
        state = game.result(state, STOP)  # Pac-Man waits
        if game.is_terminal(state):
            break
    assert moved[:6] == [True, False, True, False, True, False]


def test_a_scared_ghost_is_eaten_and_starts_again_unafraid() -> None:
    game = made("%%%%%%%%\n%.oPG .%\n%%%%%%%%")
    state = after(game, WEST, WEST)  # the power pellet; the ghost comes
    state = game.result(state, EAST)
    assert state.score == -1 - 1 + 200
    assert state.ghosts[0] & CELL == game.maze.ghosts[0]
    assert state.ghosts[0] >> SCARED == 0


def test_ghosts_turn_back_only_in_a_dead_end() -> None:
    game = made("%%%%%%%%\n%P.%  G%\n%%%% %%%\n%%%% %%%\n%%%%%%%%")
    state = after(game, STOP)
    assert list(game.actions(state)) == [WEST]
    state = game.result(game.result(state, WEST), STOP)
    assert list(game.actions(state)) == [WEST]  # not back to the east
    state = game.result(game.result(state, WEST), STOP)
    assert list(game.actions(state)) == [SOUTH]
    state = game.result(game.result(state, SOUTH), STOP)
    state = game.result(game.result(state, SOUTH), STOP)
    assert list(game.actions(state)) == [NORTH]  # the dead end


def test_the_last_pellet_wins_even_on_a_ghosts_cell() -> None:
    game = made("%%%%%\n%PG.%\n%%%%%")
    state = game.start_state._replace(pacman=7, ghosts=(8 | WEST << FACING,))
    assert game.result(state, EAST).score == 509


def test_a_game_is_cut_after_the_rounds() -> None:
    game = made("%%%%%%%%\n%P.%% G%\n%%%%%%%%", rounds=3)
    state = game.start_state
    while not game.is_terminal(state):
        state = game.result(state, STOP if state.turn == 0 else next(iter(game.actions(state))))
    assert (state.rounds, state.score) == (3, -3)


@pytest.mark.parametrize("name", layout_names())
def test_layouts(name: str) -> None:
    maze = load_maze(name)
    assert maze.pellets >= 1
    game = Pacman(name)
    picture = game.picture(game.start_state)
    assert picture.text.rpartition("\n")[0].count("M") == len(maze.ghosts)
    assert picture.svg.startswith("<svg")


def test_there_are_a_dozen_layouts_at_least() -> None:
    assert len(layout_names()) >= 12


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "empty"),
        ("%%%\n%P%\n%%", "row 3: 2 characters"),
        ("%%%%\n%P?%\n%%%%", "row 2, column 3: '?'"),
        ("%%%%\n%P. \n%%%%", "row 2, column 4: the border"),
        ("%%%%\n%..%\n%%%%", "one Pac-Man (P), not 0"),
        ("%%%%\n%PP%\n%%%%", "one Pac-Man (P), not 2"),
        ("%%%%\n%P %\n%%%%", "pellets (.), not 0"),
        ("%%%%%%\n%P.%.%\n%%%%%%", "row 2, column 5: Pac-Man cannot reach"),
    ],
)
def test_malformed_layouts_say_where(text: str, words: str) -> None:
    with pytest.raises(BadInput) as error:
        read_maze(text, "mine")
    assert words in str(error.value)


def test_unknown_layouts_and_files(tmp_path) -> None:
    with pytest.raises(BadInput, match="no layout 'nowhere'"):
        load_maze("nowhere")
    with pytest.raises(BadInput, match="cannot be read"):
        load_maze(str(tmp_path / "none.lay"))
    file = tmp_path / "mine.lay"
    file.write_text("%%%%\n%P.%\n%%%%\n")
    assert load_maze(str(file)).pellets == 1


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(["small", "medium", "capsules", "open", "large"]), st.integers(0, 2**32))
def test_random_games_keep_the_books(name: str, seed: int) -> None:
    """Score, pellets and positions agree with an account kept apart."""
    game = Pacman(name, rounds=60)
    rng = random.Random(seed)
    state = game.scattered(seed)
    text = game.maze.text
    food = {cell for cell, sign in enumerate(text) if sign == "."} - {int(state.pacman)}
    scared = dict.fromkeys(range(game.ghosts), 0)
    capsules = {cell for cell, sign in enumerate(text) if sign == "o"}
    score = 0
    while not game.is_terminal(state):
        actions = list(game.actions(state))
        assert actions
        mover, action = int(state.turn), rng.choice(actions)
        state = game.result(state, action)
        if mover == 0:
            score -= 1
            cell = int(state.pacman)
            assert text[cell] != "%"
            if cell in food:
                food.remove(cell)
                score += 10 + (500 if not food else 0)
            if cell in capsules:
                capsules.remove(cell)
                scared = dict.fromkeys(scared, 40)
        movers = range(game.ghosts) if mover == 0 else [mover - 1]
        for ghost in movers if food else ():
            before = scared[ghost]
            there = int(state.ghosts[ghost]) & CELL
            eaten = before > 0 and int(state.ghosts[ghost]) >> FACING == STOP and there == game.maze.ghosts[ghost]
            scared[ghost] = 0 if eaten else max(before - (1 if mover else 0), 0)
            score += 200 if eaten else 0
        if state.caught:
            score -= 500
        assert (int(state.score), int(state.left)) == (score, len(food))


def test_mazes_measure_true_distances() -> None:
    maze: Maze = read_maze("%%%%%\n%P% %\n% % %\n%. .%\n%%%%%", "u")
    cells = len(maze.text)
    assert maze.apart[6 * cells + 8] == 6
    assert list(maze.nearest[2 * 6 : 2 * 6 + 2]) == [16, 18]
    assert maze.steps[5 * 6 + EAST] == -1
