"""Breakthrough against a slow solver, and its notation."""

from __future__ import annotations

import functools

import pytest

from plywright import BadInput, load_game, search
from plywright.games.breakthrough import Breakthrough
from plywright.knowledge import knowledge_of
from plywright.rng import below, seeded

Squares = frozenset[tuple[int, int]]
COLUMNS, ROWS = 5, 5


@functools.cache
def breakthrough(columns: int = 8, rows: int = 8) -> Breakthrough:
    return Breakthrough(columns, rows)


# -- the rules once more, on sets of squares, and the value by looking at everything -----------------


def slow_children(mine: Squares, theirs: Squares, up: int) -> list[tuple[Squares, Squares]]:
    """(their pawns, my pawns) after each of my moves."""
    found = []
    for column, row in mine:
        for right in (-1, 0, 1):
            target = column + right, row + up
            if 0 <= target[0] < COLUMNS and target not in mine and (right or target not in theirs):
                found.append((theirs - {target}, mine - {(column, row)} | {target}))
    return found


@functools.cache
def slow_value(mine: Squares, theirs: Squares, up: int, depth: int) -> int:
    """1 if the mover wins within `depth` plies, -1 if it loses within them, else 0."""
    goal = 0 if up == 1 else ROWS - 1  # where their pawns want to be
    if not mine or any(row == goal for _, row in theirs):
        return -1
    if depth == 0:
        return 0
    return max(-slow_value(*child, -up, depth - 1) for child in slow_children(mine, theirs, up))


def pawns(board: int) -> Squares:
    return frozenset((square % COLUMNS, square // COLUMNS) for square in range(25) if int(board) >> square & 1)


def test_wins_on_a_small_board_are_those_of_the_slow_solver() -> None:
    game = breakthrough(COLUMNS, ROWS)
    seen = set()
    for seed in range(40):
        rng, state = seeded(seed), game.start_state
        for _ in range(10):
            if game.is_terminal(state):
                break
            choices = list(game.actions(state))
            up = 1 if state.mover == 0 else -1
            sides = pawns(state.white), pawns(state.black)
            assert len(choices) == len(slow_children(*sides[::up], up))
            state = game.coerce_state(game.result(state, choices[below(rng, len(choices))]))
        else:
            if game.is_terminal(state):
                continue
            up = 1 if state.mover == 0 else -1
            sides = pawns(state.white), pawns(state.black)
            value = search(game, state, depth=3, algorithm="alphabeta").value
            assert (value if abs(value) == 1 else 0) == slow_value(*sides[::up], up, 3)
            seen.add(slow_value(*sides[::up], up, 3))
    assert seen == {-1, 0, 1}


def test_taking_the_last_pawn_wins() -> None:
    game = breakthrough(5, 5)
    state = game.parse_state("...../...../..b../.w.../..... w")
    taken = game.play_moves(state, "b2xc3")
    assert game.is_terminal(taken) and (game.utility(taken, 0), game.utility(taken, 1)) == (1, -1)


def test_a_pawn_steps_ahead_only_onto_an_empty_square() -> None:
    game = breakthrough(5, 5)
    state = game.parse_state("...../bb.../w..../...../..... w")
    assert [game.format_action(state, action) for action in game.actions(state)] == ["a3xb4"]


def test_pawns_do_not_walk_around_the_edge() -> None:
    game = breakthrough()
    state = game.parse_state("8/8/8/w6w/b6b/8/8/8 w")
    assert {game.format_action(state, a) for a in game.actions(state)} == {"a5a6", "a5b6", "h5h6", "h5g6"}
    state = game.parse_state("8/8/8/w6w/b6b/8/8/8 b")
    assert {game.format_action(state, a) for a in game.actions(state)} == {"a4a3", "a4b3", "h4h3", "h4g3"}


def test_an_advanced_pawn_is_worth_more() -> None:
    game = breakthrough()
    evaluate = knowledge_of(game).evaluate
    near, far = game.parse_state("8/8/w6b/8/8/8/8/8 b"), game.parse_state("8/8/8/w6b/8/8/8/8 b")
    assert evaluate(near, 0) > evaluate(far, 0)
    assert evaluate(game.start_state, 0) == 0


# -- notation ---------------------------------------------------------------------------------------------


def test_moves_are_read_in_every_spelling() -> None:
    game = breakthrough()
    state = game.play_moves(game.start_state, "d2d3 e7e6 d3e4 e6d5")
    for text in ("e4xd5", "e4d5", "E4-D5", "e4:d5", " E4XD5 "):
        assert game.format_action(state, game.parse_action(state, text)) == "e4xd5"
    assert game.play_moves(game.start_state, "1. d2d3 e7e6 2. d3e4 e6d5") == state
    assert game.play_moves(game.start_state, "d2d3e7e6d3-e4e6d5") == state


def test_states_are_rows_from_the_top_and_the_side_to_move() -> None:
    game = breakthrough(5, 5)
    assert game.format_state(game.start_state) == "bbbbb/bbbbb/...../wwwww/wwwww w"
    assert game.parse_state("ppppp/ppppp/5/PPPPP/PPPPP White") == game.start_state


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("bbbbb/bbbbb/...../wwwww/wwwww", "w or b"),
        ("bbbbb/bbbbb/b..../wwwww/wwwww w", "Black has 11 pawns"),
        ("w..../...../...../...../b.... w", "both players have won"),
        ("w..../.b.../...../...../..... w", "White has won already"),
        ("...../.b.../...../...../..... b", "Black has won already"),
        ("...../...../...../...../..... b", "both players have won"),
        ("bbbbb/bbbb/...../wwwww/wwwww w", "row 2"),
        ("bbbbb/bbbbk/...../wwwww/wwwww w", "'k'"),
    ],
)
def test_what_is_wrong_with_a_state(text: str, words: str) -> None:
    with pytest.raises(BadInput, match=words):
        breakthrough(5, 5).parse_state(text)


def test_parameters_are_checked() -> None:
    for name in ("breakthrough:columns=9,rows=9", "breakthrough:columns=1", "breakthrough:rows=3"):
        with pytest.raises(BadInput):
            load_game(name)


def test_the_picture_marks_where_a_pawn_came_from_and_went() -> None:
    game = breakthrough(5, 5)
    action = game.parse_action(game.start_state, "a2b3")
    assert game.picture(game.result(game.start_state, action), action).text.splitlines() == [
        "5 b b b b b",
        "4 b b b b b",
        "3 .[w]. . .",
        "2[.]w w w w",
        "1 w w w w w",
        "  a b c d e",
        "Black to move",
    ]
