"""Multi-ProbCut: guesses by a measured table, in selective searches only, and surer and surer near the end."""

from __future__ import annotations

import math

import numpy as np
import pytest

from plywright import BadInput, analyse, load_game, search
from plywright.engine.alphabeta.probcut import CONFIDENCES, deviations, levels_from
from plywright.engine.alphabeta.solve import solve
from plywright.knowledge import knowledge_of
from plywright.probcut_table import DEPTHS, probcut_table

MIDGAME = "f5d6c3d3c4f4f6f3e6e7"
ENDGAME = "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X"  # 14 squares left, worth 18
CLOSE = "-XXX------OOOX--XOOOOOXXOXOXOOXXOXXOOOOOXXXOXOOX--OXXO---OOOOO-- X"  # lost by 2

game = load_game("othello")


def test_deviations_are_those_of_the_normal_distribution() -> None:
    assert deviations(0.8413447) == pytest.approx(1.0, abs=1e-5)
    assert deviations(0.9772499) == pytest.approx(2.0, abs=1e-5)
    assert deviations(1.0) > 1e5


def test_levels_begin_where_they_are_told_to() -> None:
    assert levels_from(CONFIDENCES[0]) == CONFIDENCES
    assert levels_from(0.97) == (0.97, 0.99)
    assert levels_from(1.0) == ()


def test_a_table_has_its_numbers_in_place_and_goes_on_beyond_the_last_depth() -> None:
    table = probcut_table({3: 1, 4: 2}, [{3: 5.0, 4: 6.0}, {}]).reshape(2, DEPTHS, 2)
    assert table[0, 3].tolist() == [1, 5.0]
    assert table[0, 4].tolist() == [2, 6.0]
    assert table[0, 6].tolist() == [4, 6.0]
    assert not np.any(table[0, :3]) and not np.any(table[1])


@pytest.mark.parametrize(
    ("pairs", "sigmas"),
    [({3: 3}, [{}]), ({3: 0}, [{}]), ({64: 2}, [{}]), ({3: 1}, [{3: 0.0}]), ({3: 1}, [{3: math.nan}])],
)
def test_a_table_that_makes_no_sense_is_refused(pairs: dict[int, int], sigmas: list[dict[int, float]]) -> None:
    with pytest.raises(BadInput):
        probcut_table(pairs, sigmas)


@pytest.mark.parametrize("confidence", [0.5, 1.1, "high", True, math.nan])
def test_a_confidence_that_makes_no_sense_is_refused(confidence: object) -> None:
    with pytest.raises(BadInput, match="confidence"):
        search(game, nodes=100, confidence=confidence)


def test_guessing_saves_nodes_and_an_exact_search_does_not_guess() -> None:
    state = game.play_moves(game.start_state, MIDGAME)
    guessed = search(game, state, depth=9, exact=False)
    surer = search(game, state, depth=9, exact=False, confidence=0.99)
    whole = search(game, state, depth=9, exact=False, confidence=1)
    assert guessed.nodes < surer.nodes < whole.nodes
    assert guessed.nodes < 0.8 * whole.nodes
    exact = search(game, state, depth=6)
    assert exact.nodes == search(game, state, depth=6, confidence=1).nodes


def test_at_the_end_of_the_game_a_search_becomes_surer_until_it_has_a_proof() -> None:
    for text in (ENDGAME, CLOSE):
        state = game.read_state(text)
        answers = list(analyse(game, state, nodes=20_000_000))
        last = answers[-1]
        assert last.proved and last.value == solve(game, state).value
        notes = [answer.note for answer in answers if answer.note]
        steps = [f"searched to the end of the game, {level:.0%} sure" for level in CONFIDENCES]
        won = "a win" if last.value > 0 else "a loss"
        assert notes == [*steps, f"{won} is proved; by how much, 99% sure"]
        assert not any(answer.proved for answer in answers[:-1])


def test_the_last_depth_that_is_allowed_proves_at_once() -> None:
    state = game.read_state(ENDGAME)
    found = search(game, state, depth=17, nodes=50_000_000)
    assert found.proved and found.value == 18


def test_the_shipped_table_speaks_of_every_stage_it_was_measured_in() -> None:
    known = knowledge_of(game)
    assert known.has_probcut and not knowledge_of(game, "hand").has_probcut
    table = known.probcut.reshape(-1, DEPTHS, 2)
    state = game.play_moves(game.start_state, MIDGAME)
    row = table[known.probcut_row(state)]
    assert row[8, 0] == 4 and 0.5 < row[8, 1] < 12
