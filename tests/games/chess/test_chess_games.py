"""The games that chess's weights are fitted to depend on their seeds alone."""

import importlib
import sys
from pathlib import Path

import numpy as np

from plywright import load_game
from plywright.bits import read_state
from plywright.games.chess.features import first_weights

sys.path.insert(0, str(Path(__file__).parents[3] / "benchmarks"))
games = importlib.import_module("chess_games")  # a script that is broken fails here, and is not skipped


def test_games_are_the_same_whichever_process_plays_them() -> None:
    whole = games.batch(first_weights(), 0, 3, 40, seed=7)
    parts = [games.batch(first_weights(), first, count, 40, seed=7) for first, count in ((0, 2), (2, 1))]
    for column, *halves in zip(whole, *parts, strict=True):
        assert np.array_equal(column, np.concatenate(halves))
    assert set(whole.games) == {0, 1, 2}
    other = games.batch(first_weights(), 0, 1, 40, seed=8)
    assert not np.array_equal(other.words[:5], whole.words[:5])


def test_positions_are_quiet_and_results_the_movers() -> None:
    chess = load_game("chess")
    found = games.batch(first_weights(), 0, 2, 40, seed=7)
    for row, value, result in zip(found.words, found.values, found.results, strict=True):
        state = read_state(row, 0, chess.start_state)
        assert not chess.is_terminal(state) and state.checkers == 0 and abs(value) < 1 and result in (-1, 0, 1)
    for number in (0, 1):
        mine = found.games == number
        white = np.where(found.words[mine, games.MOVER] == 0, 1, -1) * found.results[mine]
        assert len(set(white)) == 1
