"""Dots and Boxes against a slow solver, and its notation."""

from __future__ import annotations

import functools

import pytest

from plywright import BadInput, load_game, search
from plywright.games.dots_and_boxes import DotsAndBoxes
from plywright.rng import below, seeded

Edge = frozenset[tuple[int, int]]  # two dots
SIDE = 2


@functools.cache
def dots_and_boxes() -> DotsAndBoxes:
    return DotsAndBoxes(SIDE, SIDE)


# -- the rules once more, on sets of pairs of dots, and the value by looking at everything -----------


def all_edges() -> list[Edge]:
    dots = [(x, y) for x in range(SIDE + 1) for y in range(SIDE + 1)]
    return [frozenset((a, b)) for a in dots for b in dots if b in ((a[0] + 1, a[1]), (a[0], a[1] + 1))]


def boxes_of(drawn: frozenset[Edge]) -> int:
    """How many boxes are closed."""
    count = 0
    for x in range(SIDE):
        for y in range(SIDE):
            corners = [(x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1)]
            count += all(frozenset((corners[i], corners[i - 1])) in drawn for i in range(4))
    return count


@functools.cache
def slow_value(drawn: frozenset[Edge]) -> int:
    """Boxes that the mover will still win minus those that the opponent will."""
    best = None
    for edge in all_edges():
        if edge not in drawn:
            after = drawn | {edge}
            gain = boxes_of(after) - boxes_of(drawn)
            value = gain + slow_value(after) if gain else -slow_value(after)
            best = value if best is None else max(best, value)
    return best or 0


def edges_of(game: DotsAndBoxes, moves: list[str]) -> frozenset[Edge]:
    return frozenset(frozenset(("abc".index(dot[0]), int(dot[1]) - 1) for dot in move.split("-")) for move in moves)


def test_values_on_two_by_two_are_those_of_the_slow_solver() -> None:
    game = dots_and_boxes()
    for seed in range(12):
        rng, state, moves = seeded(seed), game.start_state, []
        for _ in range(3 + seed % 5):
            choices = list(game.actions(state))
            action = choices[below(rng, len(choices))]
            moves.append(game.format_action(state, action))
            state = game.coerce_state(game.result(state, action))
        found = search(game, state, depth=12, algorithm="alphabeta")
        so_far = game.utility(state, game.to_move(state))
        assert found.proved and found.value == so_far + slow_value(edges_of(game, moves))


def test_the_whole_game_on_two_by_two() -> None:
    found = search(dots_and_boxes(), depth=12, algorithm="alphabeta")
    assert found.proved and found.value == slow_value(frozenset())


def test_whoever_closes_a_box_moves_again_and_may_close_two_at_once() -> None:
    game = dots_and_boxes()
    state = game.play_moves(game.start_state, "a1-b1 a1-a2 a2-b2 b1-c1 b2-c2 c1-c2")
    assert game.to_move(state) == 0
    state = game.play_moves(state, "b1-b2")
    assert game.to_move(state) == 0 and game.evaluate(state, 0) == 2 and game.evaluate(state, 1) == -2
    assert game.to_move(game.play_moves(state, "a3-b3")) == 1


# -- notation ---------------------------------------------------------------------------------------------


def test_edges_are_read_in_every_spelling() -> None:
    game = dots_and_boxes()
    for text in ("b2-b3", "b3-b2", "b2b3", "B3B2", " b2-B3 "):
        assert game.format_action(game.start_state, game.parse_action(game.start_state, text)) == "b2-b3"
    assert game.play_moves(game.start_state, "a1b1b2b3") == game.play_moves(game.start_state, "a1-b1, b3-b2")
    for text in ("a1-b2", "a1-a3", "a1-a1", "c3-d3"):
        with pytest.raises(BadInput, match="legal: a1-b1"):
            game.parse_action(game.start_state, text)


def test_a_state_shows_edges_and_owners_from_the_top() -> None:
    game = dots_and_boxes()
    state = game.play_moves(game.start_state, "a1-b1 b1-b2 a1-a2 a2-b2 a3-b3")
    assert game.format_state(state) == "-./...../-./|B|../-. A"
    assert game.parse_state("-./...../-./|b|../-. a") == state


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("-./...../-./|B|../-.", "who moves, A or B"),
        ("-./...../-./|B|../-. C", "who moves, A or B"),
        ("-./...../-. A", "5 lines"),
        ("-./..../-./|B|../-. A", "should have 5 signs"),
        ("-|/...../-./|B|../-. A", "should have 2 signs"),
        ("-./...../-./|.|../-. A", "a1 at its lower left is closed and needs an owner"),
        ("-./.A.../-./|B|../-. A", "a2 at its lower left is not closed"),
    ],
)
def test_what_is_wrong_with_a_state(text: str, words: str) -> None:
    with pytest.raises(BadInput, match=words):
        dots_and_boxes().parse_state(text)


def test_sizes_that_do_not_fit_are_refused() -> None:
    with pytest.raises(BadInput, match="at most 63 edges; 6 by 5 boxes have 71"):
        load_game("dots-and-boxes:columns=6,rows=5")
    assert load_game("dots-and-boxes:columns=5,rows=5").max_actions == 60


def test_the_picture_shows_owners_and_the_newest_edge() -> None:
    game = dots_and_boxes()
    state = game.play_moves(game.start_state, "a1-b1 b1-b2 a1-a2 a2-b2 a3-b3")
    assert game.picture(state, game.parse_action(game.start_state, "a3-b3")).text.splitlines() == [
        " 3 +###+   +",
        "",
        " 2 +---+   +",
        "   | B |",
        " 1 +---+   +",
        "   a   b   c",
        "A 0, B 1; A to move",
    ]
