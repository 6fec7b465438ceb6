"""Bearing off: numbers of positions, chances known by hand, and the evaluation that rests on them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from plywright import load_game, search
from plywright.games.backgammon.bearoff import CHECKERS, FEW, positions, rank, tables
from plywright.knowledge import knowledge_of


def test_positions_are_numbered_one_by_one() -> None:
    for most, count in ((FEW, 924), (CHECKERS, 54_264)):
        every = positions(most)
        assert len(every) == len(set(every)) == count
        assert all(rank(position, most) == number for number, position in list(enumerate(every))[::97])


def word(*points: int) -> int:
    return sum(1 << 4 * (point - 1) for point in points)


@pytest.mark.parametrize(
    ("points", "chances"),
    [
        ((1,), [1]),
        ((1, 1), [1]),
        ((6,), [27 / 36]),  # off with a six, or eight pips and so on: 27 rolls of 36
        ((5, 2), [19 / 36]),
        ((1, 1, 1), [6 / 36, 30 / 36]),
    ],
)
def test_the_rolls_that_a_few_checkers_need(points: tuple[int, ...], chances: list[float]) -> None:
    spread, _, rolls = tables()
    found = spread.reshape(-1, rolls)[rank(word(*points), CHECKERS)]
    assert found[1 : 1 + len(chances)] == pytest.approx(chances, abs=1e-4) and found.sum() == pytest.approx(1)


def test_two_sides_agree_with_one_where_there_is_no_choice() -> None:
    """Whoever is on roll with two on the ace point wins; with three, only by a double, or if the other fails."""
    _, wins, _ = tables()
    table = wins.reshape(924, 924)
    two, three, six = (rank(word(*points), FEW) for points in ((1, 1), (1, 1, 1), (6,)))
    assert table[two, 1:].min() == 1
    assert table[three, two] == pytest.approx(1 / 6, abs=1e-4)
    assert table[three, six] == pytest.approx(1 / 6 + 5 / 6 * 9 / 36, abs=1e-4)
    assert np.all((table >= 0) & (table <= 1)) and 0.4 < table[1:, 1:].mean() < 0.7


def test_the_evaluation_of_bearing_off_is_what_a_search_to_the_end_finds() -> None:
    game = load_game("backgammon")
    knowledge = knowledge_of(game)
    state = game.parse_state("6:1 3:1 | 2:1 5:1 white")
    value = search(game, state, depth=3).value
    assert knowledge.evaluate(state, 0) == pytest.approx(value, abs=2e-3)
    assert knowledge.evaluate(state, 1) == -knowledge.evaluate(state, 0)
    ahead: Any = game.parse_state("6:3 5:3 4:2 | 6:5 5:5 4:4 white")
    assert 0.8 < knowledge.evaluate(ahead, 0) < 1
