"""Connect Four against a slow solver, and states named by moves."""

from __future__ import annotations

import functools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plywright import BadInput, load_game, search
from plywright.games.connect_four.rules import ConnectFour, Stones
from plywright.knowledge import knowledge_of
from plywright.rng import below, seeded

COLUMNS, ROWS, STONES = 5, 4, 12


@functools.cache
def connect_four(columns: int = 7, rows: int = 6) -> ConnectFour:
    return ConnectFour(columns, rows)


# -- the rules once more, on tuples of strings, and the value by looking at everything ---------------


def slow_four(board: tuple[str, ...], sign: str) -> bool:
    """Whether the sign has four in a row; a board is its columns from the bottom up."""
    for column in range(COLUMNS):
        for row in range(ROWS):
            for right, up in ((1, 0), (0, 1), (1, 1), (1, -1)):
                line = [(column + i * right, row + i * up) for i in range(4)]
                if all(0 <= c < COLUMNS and 0 <= r < len(board[c]) and board[c][r] == sign for c, r in line):
                    return True
    return False


@functools.cache
def slow_value(board: tuple[str, ...], sign: str) -> int:
    other = "O" if sign == "X" else "X"
    if slow_four(board, other):
        return -1
    free = [column for column in range(COLUMNS) if len(board[column]) < ROWS]
    best = -1 if free else 0
    for column in free:
        child = (*board[:column], board[column] + sign, *board[column + 1 :])
        best = max(best, -slow_value(child, other))
        if best == 1:
            break
    return best


def test_values_on_a_small_board_are_those_of_the_slow_solver() -> None:
    game = connect_four(COLUMNS, ROWS)
    seen = set()
    for seed in range(40):
        rng, state, board = seeded(seed), game.start_state, ("",) * COLUMNS
        for ply in range(STONES):
            if game.is_terminal(state):
                break
            choices = list(game.actions(state))
            column = choices[below(rng, len(choices))]
            board = (*board[:column], board[column] + "XO"[ply % 2], *board[column + 1 :])
            state = game.result(state, column)
        else:
            if game.is_terminal(state):
                continue
            found = search(game, state, depth=20, algorithm="alphabeta")
            assert found.proved and found.value == slow_value(board, "XO"[STONES % 2])
            seen.add(found.value)
    assert seen == {-1, 0, 1}


def test_a_win_is_found_and_taken() -> None:
    game = connect_four()
    state = game.parse_state("112233")
    found = search(game, state, depth=3, algorithm="alphabeta")
    assert found.value == 1 and game.format_action(state, found.line[0]) == "4"


def test_the_evaluation_counts_threats_and_the_middle() -> None:
    game = connect_four()
    evaluate = knowledge_of(game).evaluate
    state = game.parse_state("112233")  # X threatens 4; O stands on top and threatens the cell above it
    assert evaluate(state, 0) == 0
    state = game.parse_state("44")
    assert evaluate(state, 0) == 0
    assert evaluate(game.parse_state("4"), 0) == 1 / 64
    assert evaluate(game.parse_state("2133"), 0) == 0
    three = game.parse_state("172737")  # three X below, three O stacked in column 7: a threat each
    assert evaluate(three, 0) == 0
    assert evaluate(game.parse_state("17273"), 0) == 4 / 64


# -- notation -------------------------------------------------------------------------------------------


@given(st.sampled_from([(7, 6), (8, 7), (5, 4), (4, 4), (12, 4), (1, 6)]), st.lists(st.integers(0, 63), max_size=64))
def test_states_are_named_by_moves_and_read_back(size: tuple[int, int], choices: list[int]) -> None:
    game = connect_four(*size)
    state = game.start_state
    for choice in choices:
        if game.is_terminal(state):
            break
        legal = list(game.actions(state))
        state = game.result(state, legal[choice % len(legal)])
    text = game.format_state(state)
    assert text == "start" or not set(text) & set("XO/")  # moves, not the board
    assert game.parse_state(text) == state
    rows = "/".join("".join(line.split()) for line in game.picture(state).text.splitlines()[: size[1]])
    assert game.parse_state(rows) == state


def test_a_line_of_moves_names_the_state() -> None:
    game = connect_four()
    assert game.parse_state("4453") == game.play_moves(game.start_state, "4 4 5 3")
    assert game.parse_state("") == game.parse_state("start") == game.start_state
    assert game.parse_state("4,4-5 3") == game.parse_state("4453")
    wide = connect_four(12, 4)
    assert wide.parse_state("10,4,12") == wide.play_moves(wide.start_state, "10 4 12")


def test_a_state_that_no_game_reaches_is_written_as_its_board() -> None:
    game = connect_four()
    stuck = "......./......./......./X....../O....../O.....X"  # X's second stone lies on both of O's
    state = game.parse_state(stuck)
    assert game.format_state(state) == stuck and game.parse_state(stuck.replace("/", " ")) == state


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("44444444", "move 7: '4'.*legal: 3"),
        ("48", "move 2: '8'"),
        ("4x", "move 1: '4x'"),
        ("1122334455", "move 8: '4' cannot be played: the game is over"),
        ("......./......./......./......./OOOO.../XXXX...", "both players have four"),
        ("......./......./......./......./......./XX.....", "X has 2 stones and O 0"),
        ("......./......./......./......./...O.../X......", "hangs in the air"),
        ("......./.......", "42 cells"),
        ("......./......./......./......./......./X......Z", "'Z'"),
    ],
)
def test_what_is_wrong_with_a_state(text: str, words: str) -> None:
    with pytest.raises(BadInput, match=words):
        connect_four().parse_state(text)


def test_a_player_who_has_four_already_cannot_be_to_move() -> None:
    with pytest.raises(BadInput, match="X has four in a row already"):
        connect_four().parse_state("......./......./......./......./OOO..../XXXX..O")


def test_sizes_that_do_not_fit_are_refused() -> None:
    with pytest.raises(BadInput, match="columns \\* \\(rows \\+ 1\\) <= 64"):
        load_game("connect-four:columns=10,rows=6")
    for wrong in ({"rows": 20, "columns": 2}, {"columns": 0}, {"columns": 2.5}, {"rows": True}):
        with pytest.raises(BadInput, match="whole number"):
            ConnectFour(**wrong)  # type: ignore[arg-type]


def test_the_top_column_of_a_board_of_all_64_bits_fills_up() -> None:
    game = connect_four(8, 7)
    state = game.play_moves(game.start_state, "8888888")
    assert state.mine | state.theirs == 0b1111111 << 56
    assert [game.format_action(state, a) for a in game.actions(state)] == list("4536271")
    assert Stones(*state) == state


def test_the_picture_shows_the_stone_just_dropped() -> None:
    game = connect_four(4, 3)
    assert game.picture(game.parse_state("2213"), 2).text.splitlines() == [
        " . . . .",
        " . O . .",
        " X X[O].",
        " 1 2 3 4",
        "Red (X) to move",
    ]
