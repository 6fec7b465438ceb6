"""Nim and subtraction: the theory of both, one compilation for all heaps, notation."""

from __future__ import annotations

import itertools

import pytest

from plywright import BadInput, load_game, search
from plywright.games.nim import Heaps, Nim, Subtraction


def test_the_first_player_wins_exactly_where_the_heaps_do_not_cancel() -> None:
    game = Nim("3-3-3")
    for a, b, c in itertools.combinations_with_replacement(range(4), 3):
        if a + b + c:
            for side in ("first", "second"):
                found = search(game, game.parse_state(f"{c}-{a}-{b} {side}"), depth=9, algorithm="alphabeta")
                assert found.proved and found.value == (1 if a ^ b ^ c else -1)


def test_one_heap_is_won_where_it_is_no_multiple_of_most_plus_one() -> None:
    for most in (1, 2, 3, 4):
        for stones in range(1, 14):
            found = search(Subtraction(stones, most), depth=stones, algorithm="alphabeta")
            assert found.proved and found.value == (1 if stones % (most + 1) else -1)


def test_other_heaps_need_no_other_compilation(compilations: list[str]) -> None:
    search(Nim("1-2"), depth=3, algorithm="alphabeta")
    search(Subtraction(5, 2), depth=5, algorithm="alphabeta")
    compilations.clear()
    assert (
        search(Nim("5-1-4-2"), depth=2, algorithm="alphabeta").compiled
        and search(Subtraction(9, 4), depth=9, algorithm="alphabeta").value == 1
    )
    assert compilations == []


def test_moves_and_states_are_read_in_every_spelling() -> None:
    game = Nim()
    wanted = game.play_moves(game.start_state, "2:3")
    for text in ("2-3", "2x3", "2 : 3", "2=3"):
        assert game.result(game.start_state, game.parse_action(game.start_state, text)) == wanted
    assert game.format_state(wanted) == "3-1-5 second"
    for text in ("3-1-5 2", "3,1,5 SECOND", "3+1+5 second"):
        assert game.parse_state(text) == wanted
    assert wanted == Heaps(3 | 1 << 6 | 5 << 12, 1)
    assert game.format_state(game.parse_state("1-1-1-1 first")) == "1-1-1-1 first"


@pytest.mark.parametrize("text", ["2:5", "4:1", "1:0", "9:1", "2:-1", "3"])
def test_moves_that_cannot_be_made(text: str) -> None:
    game = Nim()
    with pytest.raises(BadInput, match="legal: 1:1, 1:2"):
        game.parse_action(game.start_state, text)


@pytest.mark.parametrize("heaps", ["", "3--4", "64", "1-1-1-1-1-1-1-1-1", "a-b", "3.5"])
def test_heaps_that_do_not_fit(heaps: str) -> None:
    with pytest.raises(BadInput, match="heaps must be up to 8 numbers of at most 63"):
        Nim(heaps)


def test_heaps_and_stones_as_parameters() -> None:
    assert load_game("nim:heaps=7").start_state == Heaps(7, 0)
    assert load_game("nim:heaps=1-63").start_state == Heaps(1 | 63 << 6, 0)
    for name in ("subtraction:stones=0", "subtraction:most=65", "subtraction:stones=two"):
        with pytest.raises(BadInput, match="whole number"):
            load_game(name)
    for state in ("3-4-5", "3-4-5 third", "x first"):
        with pytest.raises(BadInput):
            load_game("nim").parse_state(state)
    for state in ("21", "21 third", "x first"):
        with pytest.raises(BadInput):
            load_game("subtraction").parse_state(state)


def test_the_picture_shows_what_was_taken() -> None:
    game = Nim()
    assert game.picture(game.play_moves(game.start_state, "1:2"), 2).text.splitlines() == [
        "1: o..    1",
        "2: oooo   4",
        "3: ooooo  5",
        "the second player to move",
    ]
    over = Subtraction(3, 3)
    assert over.picture(over.play_moves(over.start_state, "3"), 3).text.splitlines() == [
        "1: ...  0",
        "the first player took the last stone and has won",
    ]
