"""Othello against a slow array program, published counts and values, and its notation."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from plywright import BadInput, load_game, search
from plywright.games.othello.knowledge import STAGES, WEIGHTS
from plywright.games.othello.rules import Discs, Othello
from plywright.knowledge import knowledge_of
from plywright.rng import below, seeded

FFO = {  # endgames of the FFO suite with their best moves
    40: ("O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X", "a2"),
    41: ("-OOOOO----OOOOX--OOOOOO-XXXXXOO--XXOOX--OOXOXX----OXXO---OOO--O- X", "h4"),
    42: ("--OOO-------XX-OOOOOOXOO-OOOOXOOX-OOOXXO---OOXOO---OOOXO--OOOO-- X", "g2"),
    43: ("--XXXXX---XXXX---OOOXX---OOXXXX--OOXXXO-OOOOXOO----XOX----XXXXX- O", "g3"),
    44: ("--O-X-O---O-XO-O-OOXXXOOOOOOXXXOOOOOXX--XXOOXO----XXXX-----XXX-- O", "d2"),
}
START = "---------------------------OX------XO--------------------------- X"


@functools.cache
def othello(size: int = 8, empties: str = "winner") -> Othello:
    return Othello(size, empties)


# -- the rules once more, on a list of squares ------------------------------------------------------


def slow_turned(cells: str, size: int, mover: str, square: int) -> set[int]:
    """The squares turned by a disc there; none where it may not be played."""
    if cells[square] != "-":
        return set()
    turned: set[int] = set()
    for down in (-1, 0, 1):
        for right in (-1, 0, 1):
            run = []
            row, column = square // size + down, square % size + right
            while (down or right) and 0 <= row < size and 0 <= column < size:
                sign = cells[row * size + column]
                if sign in ("-", mover):
                    turned |= set(run) if sign == mover else set()
                    break
                run.append(row * size + column)
                row, column = row + down, column + right
    return turned


def squares(board: Any) -> set[int]:
    return {square for square in range(64) if int(board) >> square & 1}


@st.composite
def positions(draw: st.DrawFn) -> tuple[int, str, str]:
    size = draw(st.sampled_from((4, 6, 8)))
    drawn = draw(st.text(alphabet="-XO", min_size=size * size, max_size=size * size))
    centre = int(othello(size).centre)
    cells = "".join("X" if sign == "-" and centre >> cell & 1 else sign for cell, sign in enumerate(drawn))
    return size, cells, draw(st.sampled_from("XO"))


@given(positions())
def test_legal_moves_and_turned_discs_are_those_of_the_slow_program(position: tuple[int, str, str]) -> None:
    size, cells, mover = position
    game = othello(size)
    state = game.parse_state(f"{cells} {mover}")
    legal = {square for square in range(size * size) if slow_turned(cells, size, mover, square)}
    assert squares(state.moves) == legal
    other = "O" if mover == "X" else "X"
    for square in legal:
        child = game.result(state, square)
        turned = slow_turned(cells, size, mover, square)
        expected = "".join(mover if cell == square or cell in turned else sign for cell, sign in enumerate(cells))
        assert game.format_state(child) == f"{expected} {other}"
    if not legal:
        replies = any(slow_turned(cells, size, other, square) for square in range(size * size))
        assert game.is_terminal(state) is not replies
        assert list(game.actions(state)) == ([game.pass_action] if replies else [])


# -- published facts ----------------------------------------------------------------------------------


def test_four_by_four_is_lost_by_ten_and_ends_eleven_to_three() -> None:
    game = othello(4)
    found = search(game, depth=20, algorithm="alphabeta")
    assert found.proved and found.value == -10
    state = game.start_state
    for action in found.line:
        state = game.coerce_state(game.result(state, action))
    text = game.format_state(state)
    assert game.is_terminal(state) and (text[:16].count("X"), text[:16].count("O")) == (3, 11)


def test_the_shortest_game_ends_with_a_wiped_out_player() -> None:
    moves = "e6f4e3f6g5d6e7f5c5"
    for empties, value in (("winner", 64), ("none", 13)):
        game = othello(8, empties)
        state = game.play_moves(game.start_state, moves)
        assert game.is_terminal(state)
        assert (game.utility(state, 0), game.utility(state, 1)) == (value, -value)


@pytest.mark.parametrize("number", FFO)
def test_the_endgame_set_is_read_and_its_best_moves_are_legal(number: int) -> None:
    text, best = FFO[number]
    game = othello()
    state = game.parse_state(text)
    assert game.format_state(state) == text
    assert game.parse_action(state, best.upper()) in list(game.actions(state))


def test_a_tie_is_worth_nothing_even_with_empty_squares() -> None:
    game = othello(4)
    state = game.parse_state("XXXX-XX--OO-OOOO X")
    assert game.is_terminal(state) and game.utility(state, 0) == 0


def test_the_evaluation_is_the_weighted_sum_of_its_features() -> None:
    game = othello()
    text = "XX--------O----------------OX------XO------------------------X-O X"
    state = game.parse_state(text)
    mine, theirs, moves, replies = (
        {square for square in range(64) if text[square] == "X"},
        {square for square in range(64) if text[square] == "O"},
        *({square for square in range(64) if slow_turned(text[:64], 8, side, square)} for side in "XO"),
    )
    corners = {0, 7, 56, 63}
    # Squares beside a corner that is empty, diagonally (X) and straight (C).
    cross, straight = {14, 49}, {6, 15, 48, 57}
    empty = set(range(64)) - mine - theirs

    def frontier(discs: set[int]) -> int:
        return sum(any(abs(a % 8 - b % 8) <= 1 and abs(a // 8 - b // 8) <= 1 for b in discs) for a in empty)

    features = (
        len(moves) - len(replies),
        frontier(theirs) - frontier(mine),
        len(mine & corners) - len(theirs & corners),
        len(moves & corners) - len(replies & corners),
        len(mine & cross) - len(theirs & cross),
        len(mine & straight) - len(theirs & straight),
        1,  # b1 beside a1; h8 has nothing beside it
        len(mine) - len(theirs),
    )
    stage = (len(mine) + len(theirs)) * STAGES // 65
    knows = knowledge_of(game, "hand")
    assert knows.evaluate(state, 0) == sum(w * f for w, f in zip(WEIGHTS[stage], features, strict=True))
    assert knows.evaluate(state, 1) == -knows.evaluate(state, 0)


# -- notation -------------------------------------------------------------------------------------------


def test_the_start_is_written_from_a1_with_x_to_move() -> None:
    game = othello()
    assert game.format_state(game.start_state) == START
    assert [game.format_action(game.start_state, a) for a in game.actions(game.start_state)] == ["d3", "c4", "f5", "e6"]
    assert Discs(*game.start_state) == game.start_state


@pytest.mark.parametrize(
    "text",
    [
        START.lower(),
        START.replace("-", "."),
        START.replace("X", "*"),
        START.replace("X", "b").replace("O", "w"),
        START + "; A2:+38",
        START.replace(" ", ""),
        START[:-1] + "Black",
        " ".join(START[row : row + 8] for row in range(0, 64, 8)) + " X",
        "8/8/8/3OX3/3XO3/8/8/8 x",
    ],
)
def test_other_spellings_of_a_state(text: str) -> None:
    assert othello().parse_state(text) == othello().start_state


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (START[:-2], "who moves"),
        (START[1:], "63"),
        (START.replace("XO--", "X?--", 1), r"'\?'"),
        ("-" * 64 + " X", "without a single disc"),
        (START[:-1] + "Z", "who moves"),
        ("8/8/8/3OX3/3XO3/8/8/7 x", "row 8"),
        ("", "who moves"),
    ],
)
def test_what_is_wrong_with_a_state(text: str, words: str) -> None:
    with pytest.raises(BadInput, match=words):
        othello().parse_state(text)


def test_transcripts_are_read_glued_apart_numbered_and_in_capitals() -> None:
    game = othello()
    wanted = game.play_moves(game.start_state, "f5 d6 c3")
    for text in ("f5d6c3", "F5D6C3", "1. f5 d6 2. c3", "f5,d6,c3", "1.f5 2.d6 3.c3"):
        assert game.play_moves(game.start_state, text) == wanted


def passing_games() -> list[list[str]]:
    """Random games on 6x6 in which somebody passes, as lists of moves."""
    game, found = othello(6), []
    for seed in range(12):
        rng, state, moves = seeded(seed), game.start_state, []
        while not game.is_terminal(state):
            choices = list(game.actions(state))
            action = choices[below(rng, len(choices))]
            moves.append(game.format_action(state, action))
            state = game.result(state, action)
        if "pass" in moves:
            found.append(moves)
    return found


def test_a_forced_pass_need_not_be_written() -> None:
    game = othello(6)
    games = passing_games()
    assert len(games) >= 3
    for moves in games:
        wanted = game.play_moves(game.start_state, "".join(moves))
        assert game.play_moves(game.start_state, "".join(move for move in moves if move != "pass")) == wanted
        for token in ("--", "pa", "PASS", "ps"):
            assert game.play_moves(game.start_state, " ".join(moves).replace("pass", token)) == wanted


def test_a_pass_is_refused_where_there_is_a_move() -> None:
    game = othello()
    with pytest.raises(BadInput, match="legal: d3, c4, f5, e6"):
        game.parse_action(game.start_state, "pass")
    with pytest.raises(BadInput, match="move 2: 'f5'"):
        game.play_moves(game.start_state, "f5f5")


def test_parameters_are_checked() -> None:
    for wrong in ({"size": 5}, {"size": "8"}, {"size": 8.0}, {"empties": "mine"}):
        with pytest.raises(BadInput):
            Othello(**wrong)  # type: ignore[arg-type]
    assert load_game("othello:size=4,empties=none").utility_range == (-16, 16)


def test_the_picture_marks_the_last_move_and_where_one_may_play() -> None:
    game = othello(4)
    state = game.play_moves(game.start_state, "b1")
    assert game.picture(state, 1).text.splitlines() == [
        "  a b c d",
        "1 +[X]+ .",
        "2 . X X .",
        "3 + X O .",
        "4 . . . .",
        "Black 4, White 1; White to move",
    ]
    assert "+" not in game.picture(state, targets=False).text
    passed = game.picture(state, game.pass_action)
    assert "[" not in passed.text


def test_bits_are_sixty_four_unsigned() -> None:
    assert all(isinstance(field, np.uint64) for field in othello().start_state[:3])
