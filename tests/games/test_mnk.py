"""m,n,k-games: tic-tac-toe's published numbers, lines in every direction, notation."""

from __future__ import annotations

import functools
import random

import pytest

from plywright import BadInput, load_game, perft, search
from plywright.games.mnk import MNK, Marks, TicTacToe
from plywright.knowledge import knowledge_of


@functools.cache
def tic_tac_toe() -> TicTacToe:
    return TicTacToe()


# -- tic-tac-toe ----------------------------------------------------------------------------------------


def test_tic_tac_toe_has_5478_positions() -> None:
    game = tic_tac_toe()
    seen, waiting = {game.start_state}, [game.start_state]
    while waiting:
        state = waiting.pop()
        if not game.is_terminal(state):
            children = {game.result(state, action) for action in game.actions(state)} - seen
            seen |= children
            waiting += children
    assert len(seen) == 5478


def test_tic_tac_toe_has_255168_games_and_549946_nodes_and_is_a_draw() -> None:
    game = tic_tac_toe()
    assert perft(game, 9) == 255_168
    assert sum(perft(game, depth, finished=False) for depth in range(10)) == 549_946
    found = search(game, depth=9, algorithm="alphabeta")
    assert found.proved and found.value == 0


@pytest.mark.parametrize(
    ("moves", "difference"), [("b2", 4), ("a1", 3), ("a2", 2), ("b2 a1", 1), ("b2 a2", 2), ("", 0)]
)
def test_the_evaluation_is_lines_open_for_max_minus_lines_open_for_min(moves: str, difference: int) -> None:
    game = tic_tac_toe()
    state = game.play_moves(game.start_state, moves)
    assert knowledge_of(game).evaluate(state, 0) == difference * game.line_weight
    assert 8 * game.line_weight < 1


# -- every line, on every board ------------------------------------------------------------------------


def lines(m: int, n: int, k: int) -> list[list[int]]:
    found = []
    for x in range(m):
        for y in range(n):
            for right, up in ((1, 0), (0, 1), (1, 1), (1, -1)):
                cells = [(x + i * right, y + i * up) for i in range(k)]
                if all(0 <= column < m and 0 <= row < n for column, row in cells):
                    found.append([row * m + column for column, row in cells])
    return found


@pytest.mark.parametrize(
    ("m", "n", "k"), [(3, 3, 3), (8, 8, 5), (8, 8, 8), (1, 5, 5), (5, 1, 2), (16, 4, 4), (4, 16, 3), (2, 2, 2)]
)
def test_a_line_wins_and_nothing_less_does(m: int, n: int, k: int) -> None:
    game = MNK(m, n, k)
    rng = random.Random(5)
    expected = [set(line) for line in lines(m, n, k)]
    for line in expected:
        assert game.has_line(bits(line, game))
        assert not game.has_line(bits(line - {min(line)}, game))
    for _ in range(40):
        marks = set(rng.sample(range(m * n), m * n // 2))
        assert game.has_line(bits(marks, game)) == any(line <= marks for line in expected)
        assert game.open_lines(bits(marks, game)) == sum(not line & marks for line in expected)


def bits(cells: set[int], game: MNK) -> int:
    marks = 0
    for cell in cells:
        marks |= game.bits[cell]
    return marks


def test_a_line_that_ends_in_the_last_of_64_cells_wins_compiled_too() -> None:
    game = MNK(8, 8, 5)
    state = game.play_moves(game.start_state, "d8a1e8a2f8a3g8c8")
    found = search(game, state, depth=1, algorithm="alphabeta")
    assert found.compiled and found.value == 1 and game.format_action(state, found.line[0]) == "h8"
    won = game.result(state, found.line[0])
    assert game.is_terminal(won) and won.theirs < 0 and game.utility(won, 0) == 1


# -- notation ---------------------------------------------------------------------------------------------


def test_states_are_rows_from_the_top() -> None:
    game = tic_tac_toe()
    state = game.play_moves(game.start_state, "b2a3c1")
    assert game.format_state(state) == "O../.X./..X"
    for text in ("O...X...X", "o---x---x", "O../.X./..X O", "O.. .X. ..X o", "O2/1X1/2X"):
        assert game.parse_state(text) == state
    assert state == Marks(game.bits[6], game.bits[4] | game.bits[2])


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("XXX/OOO/...", "both X and O"),
        ("XX./.../...", "2 X and 0 O"),
        ("O../.../...", "0 X and 1 O"),
        ("OOO/XX./X..", None),
        ("XXX/OO./O..", "X has 3 in a row already"),
        ("X../.../... X", "it is O to move"),
        ("X../.../.", "row 3"),
        ("X......", "9 cells"),
        ("X../.Q./..O", "'Q'"),
    ],
)
def test_what_is_wrong_with_a_state(text: str, words: str | None) -> None:
    if words is None:
        assert tic_tac_toe().is_terminal(tic_tac_toe().parse_state(text))
        return
    with pytest.raises(BadInput, match=words):
        tic_tac_toe().parse_state(text)


def test_rows_beyond_nine_have_two_digits() -> None:
    game = MNK(4, 16, 3)
    state = game.play_moves(game.start_state, "a16b2d10")
    assert game.format_state(state).startswith("X.../") and game.parse_state(game.format_state(state)) == state
    assert game.format_action(state, 63) == "d16"


def test_parameters_are_checked() -> None:
    for name, words in (
        ("mnk:m=9,n=9,k=5", "at most 64 cells"),
        ("mnk:m=3,n=3,k=4", "from 1 to 3"),
        ("mnk:m=0", "whole number"),
    ):
        with pytest.raises(BadInput, match=words):
            load_game(name)


def test_the_picture_has_a1_at_the_lower_left() -> None:
    game = tic_tac_toe()
    assert game.picture(game.play_moves(game.start_state, "a1c1"), 2).text.splitlines() == [
        "3 . . .",
        "2 . . .",
        "1 X .[O]",
        "  a b c",
        "X to move",
    ]
