"""Proofs: the values of whole games, lines that keep them, tables that are saved and refused."""

from __future__ import annotations

import json
import signal
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from plywright import BadInput, Unsuitable, load_game, search
from plywright.engine.alphabeta import table_file as saved_table
from plywright.engine.alphabeta.solve import Progress, Solver, collision_odds, solve
from plywright.engine.alphabeta.table_file import load_table, save_table
from plywright.errors import GameError
from plywright.game import Game
from plywright.knowledge import knowledge_of
from plywright.rng import below, seeded

MEGABYTES = 4
TINY = 64 * 16 / 1e6  # 64 entries


def outcome_of(game: Game, line: tuple[int, ...], state: Any = None) -> float:
    """The utility, for the player to move first, of the end that a complete legal line leads to."""
    state = game.start_state if state is None else state
    player = game.to_move(state)
    for action in line:
        assert not game.is_terminal(state) and action in list(game.actions(state))
        state = game.coerce_state(game.result(state, action))
    assert game.is_terminal(state)
    return float(game.utility(state, player))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("tic-tac-toe", 0),
        ("othello:size=4", -10),
        ("connect-four:columns=4,rows=4", 0),
        ("nim:heaps=3-4-5", 1),
        ("nim:heaps=1-4-5", -1),
        ("dots-and-boxes:columns=2,rows=2", None),
        ("breakthrough:columns=3,rows=4", None),
    ],
)
def test_the_value_of_a_whole_game_is_proved(name: str, value: float | None) -> None:
    game = load_game(name)
    found = solve(game, table_megabytes=MEGABYTES)
    plain = search(game, depth=60, algorithm="alphabeta")
    assert plain.proved and found.value == plain.value
    assert value is None or found.value == value
    assert found.proved and found.bound == "exact" and found.values == (found.value, -found.value)
    assert found.action == found.line[0] and outcome_of(game, found.line) == found.value


@pytest.mark.parametrize("name", ["dots-and-boxes:columns=2,rows=2", "othello:size=4"])
def test_positions_on_the_way_agree_with_plain_search_whatever_the_table(name: str) -> None:
    game = load_game(name)
    roomy, tiny = Solver(game, table_megabytes=MEGABYTES), Solver(game, table_megabytes=TINY)
    values = set()
    for seed in range(25):
        rng, state = seeded(seed), game.start_state
        for _ in range(2 + seed % 4):
            legal = list(game.actions(state))
            state = game.coerce_state(game.result(state, legal[below(rng, len(legal))]))
        plain = search(game, state, depth=60, algorithm="alphabeta")
        found = tiny.solve(state)
        assert roomy.value(state) == found.value == plain.value
        assert outcome_of(game, found.line, state) == found.value
        values.add(found.value)
    assert len(values) > 1


def test_progress_ends_with_bounds_that_meet() -> None:
    seen: list[Progress] = []
    found = solve(load_game("othello:size=4"), table_megabytes=MEGABYTES, progress=seen.append)
    last = seen[-1]
    assert last.lower == last.upper == found.value and last.nodes == found.nodes and last.nodes_per_second > 0
    assert len(found.line) >= last.depth >= 4  # twelve empty squares, of which the last are finished by the game itself


@pytest.mark.parametrize("threads", [2, 3])
def test_several_threads_prove_the_same_value(threads: int) -> None:
    game = big_game()
    for moves in ("4444443222222", "44455432163", "1234567765432"):
        state = game.play_moves(game.start_state, moves)
        alone, together = (solve(game, state, table_megabytes=MEGABYTES, threads=n) for n in (1, threads))
        assert together.proved and together.value == alone.value
        assert outcome_of(game, together.line, state) == alone.value


@pytest.mark.parametrize("threads", [0, -1, 1.5, True])
def test_a_number_of_threads_that_makes_no_sense_is_refused(threads: Any) -> None:
    with pytest.raises(BadInput, match="threads must be a whole number from 1"):
        solve(load_game("tic-tac-toe"), threads=threads)


def big_game() -> Game:
    return load_game("connect-four:score=speed")


def test_progress_comes_while_the_proof_runs_and_its_errors_are_passed_on() -> None:
    class Enough(Exception):
        pass

    seen: list[Progress] = []

    def report(progress: Progress) -> None:
        seen.append(progress)
        if len(seen) == 2:
            raise Enough

    with pytest.raises(Enough):
        solve(big_game(), table_megabytes=MEGABYTES, progress=report)
    first, second = seen
    assert first.lower <= second.lower < second.upper <= first.upper
    assert second.nodes > first.nodes and second.seconds > first.seconds


@pytest.mark.parametrize("threads", [1, 2])
def test_control_c_ends_a_proof_with_the_bounds_so_far(threads: int) -> None:
    game = big_game()
    thread = threading.main_thread().ident
    assert thread is not None
    reports: list[Progress] = []

    def report(progress: Progress) -> None:
        reports.append(progress)
        if len(reports) == 1:
            signal.pthread_kill(thread, signal.SIGINT)

    found = solve(game, table_megabytes=MEGABYTES, progress=report, threads=threads)
    assert not found.proved and found.bound in ("at least", "at most", "heuristic")
    assert found.action in list(game.actions(game.start_state))
    assert reports[-1].lower < reports[-1].upper


# -- saved tables -------------------------------------------------------------------------------------------


def test_a_proof_goes_on_from_a_saved_table(tmp_path: Path) -> None:
    game, file = load_game("othello:size=4"), tmp_path / "othello.table"
    first = solve(game, table_megabytes=MEGABYTES, table_file=file)
    again = solve(game, table_file=file)  # the size is the file's
    assert (again.value, again.proved) == (first.value, True)
    assert again.nodes < 0.7 * first.nodes  # the last squares are solved anew: they are in no table
    assert len(load_table(file, knowledge_of(game))) == len(Solver(game, table_megabytes=MEGABYTES).table)
    assert [path.name for path in tmp_path.iterdir()] == ["othello.table"]


def header_and_rest(file: Path) -> tuple[dict[str, Any], bytes]:
    line, _, rest = file.read_bytes().partition(b"\n")
    return json.loads(line), rest


def test_a_table_that_does_not_fit_is_refused_by_name(tmp_path: Path) -> None:
    game, file = load_game("tic-tac-toe"), tmp_path / "tic.table"
    table = np.arange(64, dtype=np.int64)
    save_table(file, knowledge_of(game), table)
    assert (load_table(file, knowledge_of(game)) == table).all()
    with pytest.raises(BadInput, match=r"tic.table is a table of tic-tac-toe, not of nim"):
        Solver(load_game("nim"), table_file=file)

    header, rest = header_and_rest(file)
    good = file.read_bytes()
    for change, words in (
        ({"version": 99}, "version 99"),
        ({"rules": "0" * 64}, "other rules of tic-tac-toe"),
        ({"words": 32}, "damaged"),
        ({"words": -1}, "damaged"),
        ({"sha256": "0" * 64}, "damaged"),
        ({"format": "something"}, "not a saved table"),
    ):
        file.write_bytes(json.dumps({**header, **change}).encode() + b"\n" + rest)
        with pytest.raises(BadInput, match=words):
            Solver(game, table_file=file)
    for data, words in (
        (good[:-8], "damaged"),
        (good[:-1] + b"x", "damaged"),
        (b"", "not a saved"),
        (b"[]\n", "not a"),
        (b"[" * 60_000 + b"\n", "not a"),  # deeper than the reader of JSON goes
    ):
        file.write_bytes(data)
        with pytest.raises(BadInput, match=words):
            Solver(game, table_file=file)


def test_a_saved_table_larger_than_memory_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game, file = load_game("tic-tac-toe"), tmp_path / "tic.table"
    save_table(file, knowledge_of(game), np.zeros(1 << 12, np.int64))
    monkeypatch.setattr(saved_table, "memory", lambda: 30_000)
    with pytest.raises(BadInput, match=r"tic.table does not fit: it has 0 MB"):
        load_table(file, knowledge_of(game))
    monkeypatch.setattr(saved_table, "memory", lambda: 40_000)
    assert len(load_table(file, knowledge_of(game))) == 1 << 12


def test_tables_of_data_that_travels_at_run_time_are_told_apart(tmp_path: Path) -> None:
    one, other = load_game("random-tree:seed=1"), load_game("random-tree:seed=2")
    save_table(tmp_path / "tree", knowledge_of(one), np.zeros(4, np.int64))
    with pytest.raises(BadInput, match="seed=1"):
        load_table(tmp_path / "tree", knowledge_of(other))
    other.__dict__["name"] = one.name
    with pytest.raises(BadInput, match="other rules"):
        load_table(tmp_path / "tree", knowledge_of(other))


def test_a_folder_that_is_not_there_is_named_before_the_work_begins(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="there is no folder"):
        Solver(load_game("tic-tac-toe"), table_file=tmp_path / "nowhere" / "table")
    with pytest.raises(BadInput, match="that is a folder"):
        Solver(load_game("tic-tac-toe"), table_file=tmp_path)


# -- what cannot be proved ------------------------------------------------------------------------------------


class Endless(Game):
    """Two players hand a coin to and fro."""

    def initial(self) -> int:
        return 0

    def to_move(self, state: int) -> int:
        return state

    def actions(self, state: int):  # type: ignore[no-untyped-def]
        yield 0

    def result(self, state: int, action: int) -> int:
        return 1 - state

    def is_terminal(self, state: int) -> bool:
        return state > 1

    def utility(self, state: int, player: int) -> float:
        return 0


class Stepless(Endless):
    step = None


def test_games_without_an_end_or_a_step_are_refused() -> None:
    with pytest.raises((Unsuitable, GameError), match=r"lines of more than|loop|never end"):
        solve(Endless(), table_megabytes=TINY, compiled=False)
    with pytest.raises(Unsuitable, match="no common step"):
        solve(Stepless())


class Carousel(Endless):
    """The same with two ways round, so that there are more lines than anybody can follow."""

    def actions(self, state: int):  # type: ignore[no-untyped-def]
        yield 0
        yield 1


def test_a_game_that_goes_round_for_ever_is_refused_in_the_end() -> None:
    class Patience(Exception):
        pass

    def report(progress: Progress) -> None:
        if progress.nodes > 200_000:  # two states and 255 plies: a few thousand nodes are enough to know
            raise Patience

    with pytest.raises(Unsuitable, match="lines of more than"):
        solve(Carousel(), table_megabytes=TINY, compiled=False, progress=report)


@pytest.mark.parametrize("guess", [float("nan"), float("inf"), "even"])
def test_a_guess_that_is_no_number_is_refused(guess: Any) -> None:
    with pytest.raises(BadInput, match="guess must be"):
        solve(load_game("tic-tac-toe"), table_megabytes=TINY, guess=guess, compiled=False)


def test_a_finished_game_has_nothing_to_prove() -> None:
    game = load_game("connect-four")
    with pytest.raises(BadInput, match="the game is over"):
        solve(game, game.parse_state("1122334"), table_megabytes=TINY)


def test_collision_odds_grow_with_nodes_and_table() -> None:
    assert collision_odds(0) == 0
    assert collision_odds(10**9, 16) == pytest.approx(1e9 * 1e6 / 2**64)
    assert collision_odds(10**30) == 1.0
