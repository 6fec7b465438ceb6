"""The bridge to native code: same answers as plain Python, compiled once, cached safely."""

from __future__ import annotations

import subprocess
import textwrap
import warnings
from collections import namedtuple
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from plywright import Game, InterpretedWarning, perft, search
from plywright.bits import lowest_bit, popcount
from plywright.compiled import Workspace, interpreted, kernel, refusal
from plywright.errors import GameError
from plywright.native.refusal import explain
from plywright.rng import below, draw64, scramble, seeded

Run = Callable[..., subprocess.CompletedProcess[str]]


class Pile(NamedTuple):
    stones: int
    turn: int


def most_allowed(stones: int, most: int) -> int:
    return most if most < stones else stones


class TakeAway(Game):
    """Take 1 to `most` stones; the last one wins. A helper function, a parameter, a named tuple."""

    def __init__(self, stones: int = 10, most: int = 3) -> None:
        self.stones, self.most = stones, most

    def initial(self) -> Pile:
        return Pile(self.stones, 0)

    def to_move(self, state: Pile) -> int:
        return state.turn

    def actions(self, state: Pile) -> Any:
        for count in range(1, most_allowed(state.stones, self.most) + 1):
            yield count

    def result(self, state: Pile, action: int) -> Pile:
        return state._replace(stones=state.stones - action, turn=1 - state.turn)

    def is_terminal(self, state: Pile) -> bool:
        return state.stones == 0

    def utility(self, state: Pile, player: int) -> float:
        return -1 if player == state.turn else 1


# -- compiled equals plain -----------------------------------------------------------------------------------


@pytest.mark.parametrize("stones", [1, 4, 7, 12])
def test_compiled_and_interpreted_agree(stones: int) -> None:
    game = TakeAway(12, 3)
    state = Pile(stones, 1)
    native, plain = (search(game, state, depth=20, algorithm="alphabeta", compiled=mode) for mode in (None, False))
    assert native.compiled and not plain.compiled
    assert (native.value, native.line, native.nodes) == (plain.value, plain.line, plain.nodes)
    assert native.value == (1 if stones % 4 else -1)


@kernel
def native_popcount(game, board):  # type: ignore[no-untyped-def]
    return popcount(board)


@kernel
def native_lowest_bit(game, board):  # type: ignore[no-untyped-def]
    return lowest_bit(board)


@given(st.integers(0, 2**64 - 1))
def test_bits_have_native_twins(board: int) -> None:
    game = TakeAway()
    assert native_popcount(game, np.uint64(board)) == popcount(board) == bin(board).count("1")
    assert native_lowest_bit(game, np.uint64(board)) == lowest_bit(board)
    assert lowest_bit(board) == (64 if board == 0 else next(i for i in range(64) if board >> i & 1))


@kernel
def native_draws(game, rng, out):  # type: ignore[no-untyped-def]
    for i in range(len(out)):
        out[i] = below(rng, 1000)
    return draw64(rng), scramble(np.uint64(5))


@given(st.integers(0, 2**64 - 1))
def test_random_numbers_are_the_same_stream_compiled_and_plain(seed: int) -> None:
    game = TakeAway()
    ours, theirs = seeded(seed), seeded(seed)
    out = np.zeros(20, np.int64)
    last = native_draws(game, ours, out)
    assert [below(theirs, 1000) for _ in range(20)] == list(out)
    assert (draw64(theirs), scramble(5)) == (int(last[0]), int(last[1]))
    assert ours[0] == theirs[0]


def test_splitmix64_is_the_published_generator() -> None:
    rng = seeded(1234567)
    assert [draw64(rng) for _ in range(3)] == [6457827717110365317, 3203168211198807973, 9817491932198370423]


@kernel
def workspace_sum(game, work):  # type: ignore[no-untyped-def]
    total = 0.0
    for i in range(3):
        work.counts[i] += i
        total += work.weights[i] * work.counts[i]
    return total


def test_workspace_arrays_are_read_and_written_in_both_modes() -> None:
    for plain in (False, True):
        work = Workspace(counts=np.array([1, 2, 3]), weights=np.array([0.5, 1.0, 2.0]))
        if plain:
            with interpreted():
                total = workspace_sum(TakeAway(), work)
        else:
            total = workspace_sum(TakeAway(), work)
        assert total == 0.5 * 1 + 1.0 * 3 + 2.0 * 5
        assert list(work.counts) == [1, 3, 5]  # type: ignore[attr-defined]


# -- states -----------------------------------------------------------------------------------------------------


class Wide(NamedTuple):
    board: np.uint64
    weight: float
    cells: tuple[int, int]
    turn: bool


class Mixture(Game):
    """Every kind of field; `result` leaves literals and narrower types behind."""

    def initial(self) -> Wide:
        return Wide(np.uint64(1) << np.uint64(63), 0.0, (0, 0), False)

    def to_move(self, state: Wide) -> int:
        return 1 if state.turn else 0

    def actions(self, state: Wide) -> Any:
        if state.cells[0] < 3:
            yield 0
            yield 1

    def result(self, state: Wide, action: int) -> Wide:
        return Wide(state.board >> np.uint64(1), action, (state.cells[0] + 1, action), not state.turn)

    def utility(self, state: Wide, player: int) -> float:
        value = state.weight if state.board == np.uint64(1) << np.uint64(60) else 0.0
        return value if player == 0 else -value


def test_state_fields_keep_the_types_of_initial(compilations: list[str]) -> None:
    game = Mixture()
    native, plain = (search(game, depth=9, algorithm="alphabeta", compiled=mode) for mode in (None, False))
    assert native.compiled
    assert (native.value, native.line) == (plain.value, plain.line) == (1.0, native.line)
    before = len(compilations)
    typed_by_hand = Wide(2**63, 0, [0, 0], 0)  # type: ignore[arg-type]
    assert search(game, typed_by_hand, depth=9, algorithm="alphabeta").value == native.value
    assert len(compilations) == before, "a state typed by hand caused a second compilation"


def test_a_state_that_does_not_fit_is_refused_by_name() -> None:
    game = TakeAway()
    with pytest.raises(GameError, match=r"state.stones is 9223372036854775808, which does not fit int64"):
        search(game, Pile(2**63, 0), depth=1, algorithm="alphabeta")
    with pytest.raises(GameError, match=r"tuple of 2 values"):
        search(game, (1, 2, 3), depth=1, algorithm="alphabeta")


# -- games that are not compiled --------------------------------------------------------------------------------


class Words(Game):
    """A state that native code cannot hold."""

    def initial(self) -> str:
        return ""

    def to_move(self, state: str) -> int:
        return len(state) % 2

    def actions(self, state: str) -> Any:
        if len(state) < 3:
            yield from (0, 1)

    def result(self, state: str, action: int) -> str:
        return state + "ab"[action]

    def utility(self, state: str, player: int) -> float:
        value = 1 if state == "aba" else -1
        return value if player == 0 else -value


class Expression(TakeAway):
    def result(self, state: Pile, action: int) -> Pile:
        left = max((n - action for n in (0, state.stones)), default=0)
        return Pile(left, 1 - state.turn)


class Talkative(TakeAway):
    """What it would say cannot be compiled, but it is silent."""

    aloud = False

    def utility(self, state: Pile, player: int) -> float:
        if self.aloud:
            print(state._asdict().items())
        return -1 if player == state.turn else 1


def test_what_a_fact_rules_out_is_not_compiled() -> None:
    result = search(Talkative(), depth=10, algorithm="alphabeta")
    assert result.compiled and result.value == search(TakeAway(), depth=10, algorithm="alphabeta").value


def test_an_uncompilable_game_runs_interpreted_with_one_warning() -> None:
    with pytest.warns(InterpretedWarning) as caught:
        result = search(Words(), depth=5, algorithm="alphabeta")
        assert search(Words(), depth=5, algorithm="alphabeta").value == result.value == -1
    assert not result.compiled
    assert len(caught) == 1
    assert "words runs interpreted" in str(caught[0].message) and "is a str" in str(caught[0].message)


def test_the_warning_names_the_line_and_the_reason() -> None:
    game = Expression()
    with pytest.warns(InterpretedWarning, match=r"test_compiled.py, line \d+: ") as caught:
        assert search(game, depth=20, algorithm="alphabeta").value == 1
    reason = refusal(game)
    assert reason is not None and reason.line is not None
    line = Path(__file__).read_text().splitlines()[reason.line - 1]
    assert "left = max(" in line, str(caught[0].message)


@pytest.mark.parametrize("call", ["iand(float64, float64)", "lshift(uint64, float64)", "or_(float64, int64)"])
def test_boards_that_were_mixed_with_plain_numbers_are_told_the_remedy(call: str) -> None:
    told = str(explain(Exception(f"No implementation of function\n >>> {call}\n"), ()))
    assert f"{call} has no compiled form" in told and "write np.uint64(1) for 1" in told


def test_without_numba_everything_works_interpreted(python: Run) -> None:
    code = """
        import sys
        sys.modules["numba"] = None  # import numba fails
        import importlib.util
        found = importlib.util.find_spec
        importlib.util.find_spec = lambda name, *rest: None if name == "numba" else found(name, *rest)
        from plywright import load_game, search, perft
        result = search(load_game("tic-tac-toe"), depth=9, algorithm="alphabeta")
        assert not result.compiled and result.value == 0, result
        assert perft(load_game("connect-four"), 3) == 343
        print("fine")
    """
    done = python(textwrap.dedent(code))
    assert done.stdout == "fine\n", done.stderr


# -- constants, data and freezing ----------------------------------------------------------------------------------


class Table(Game):
    """Reads a constant table and a table that travels as data."""

    runtime = ("values", "scale")
    step = None
    utility_range = (-2000.0, 2000.0)
    bonus = (0, 100, 200)

    def __init__(self, values: list[int], scale: float = 1.0) -> None:
        self.values = np.array(values)
        self.scale = scale

    def initial(self) -> int:
        return 0

    def to_move(self, state: int) -> int:
        return 0

    def actions(self, state: int) -> Any:
        if state == 0:
            for i in range(len(self.values)):
                yield i

    def result(self, state: int, action: int) -> int:
        return action + 1

    def utility(self, state: int, player: int) -> float:
        value = self.scale * self.values[state - 1] + self.bonus[state % 3]
        return value if player == 0 else -value


def test_games_that_differ_in_data_share_one_compilation(compilations: list[str], fresh_cache: Path) -> None:
    for seed in range(50):
        values = [(seed * k) % 17 for k in range(1, 2 + seed % 5)]
        game = Table(values, scale=0.5 + seed)
        expected = [(0.5 + seed) * v + (100, 200, 0)[i % 3] for i, v in enumerate(values)]
        assert search(game, depth=3, algorithm="alphabeta").value == max(expected)
    assert compilations == ["Table"]


def test_games_that_differ_in_a_constant_do_not(compilations: list[str], fresh_cache: Path) -> None:
    assert TakeAway(8, 3).fingerprint == TakeAway(8, 3).fingerprint != TakeAway(8, 4).fingerprint
    assert search(TakeAway(8, 3), depth=20, algorithm="alphabeta").value == -1
    assert search(TakeAway(8, 4), depth=20, algorithm="alphabeta").value == 1
    assert compilations == ["TakeAway", "TakeAway"]


def test_a_used_game_is_frozen() -> None:
    game = TakeAway()
    game.most = 2
    assert search(game, Pile(3, 0), depth=9, algorithm="alphabeta").value == -1
    with pytest.raises(AttributeError, match=r"most cannot be changed.*make a new TakeAway"):
        game.most = 3
    with pytest.raises(AttributeError, match=r"TakeAway.players cannot be changed"):
        TakeAway.players = 3


class TwoArguments(TakeAway):
    def helper(self, a: int, b: int) -> int:
        return a - b

    def result(self, state: Pile, action: int) -> Pile:
        return Pile(self.helper(state.stones, action), 1 - state.turn)


class OneArgument(TakeAway):
    def helper(self, a: int) -> int:
        return a - 1

    def actions(self, state: Pile) -> Any:
        yield 1

    def result(self, state: Pile, action: int) -> Pile:
        return Pile(self.helper(state.stones), 1 - state.turn)


def test_two_games_may_give_one_helper_name_different_arities() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert perft(TwoArguments(4, 3), 9) == 7
        assert perft(OneArgument(4, 3), 9) == 1


Point = namedtuple("Point", "x y")


class Replacing(TakeAway):
    def result(self, state: Pile, action: int) -> Pile:
        return state._replace(nonsense=1)  # type: ignore[call-arg]


def test_replace_of_an_unknown_field_is_named() -> None:
    game = Replacing()
    with pytest.raises(GameError, match="nonsense"), warnings.catch_warnings():
        warnings.simplefilter("ignore", InterpretedWarning)
        search(game, depth=2, algorithm="alphabeta")


def _heap() -> Game:
    """A game whose state has a class of its own, as a file that is read again defines it."""

    class Heap(NamedTuple):
        stones: int
        turn: int

    class Heaps(Game):
        def initial(self) -> Any:
            return Heap(3, 0)

        def to_move(self, state: Any) -> int:
            return state.turn  # type: ignore[no-any-return]

        def actions(self, state: Any) -> Any:
            for number in range(1, state.stones + 1):
                yield number

        def result(self, state: Any, action: int) -> Any:
            if action == 1:
                return Heap(state.stones - 1, 1 - state.turn)
            return state._replace(stones=state.stones - action, turn=1 - state.turn)

        def utility(self, state: Any, player: int) -> float:
            return 1 if player != state.turn else -1

    return Heaps()


@kernel
def _stones_after(game, action):  # type: ignore[no-untyped-def]
    return game.result(game.initial(), action).stones


def test_a_definition_that_is_repeated_compiles_with_its_own_classes() -> None:
    first, second = _heap(), _heap()
    assert first.fingerprint == second.fingerprint and first.start_state.__class__ is not second.start_state.__class__
    assert perft(first, 2) == 4
    with warnings.catch_warnings():
        warnings.simplefilter("error", InterpretedWarning)
        assert _stones_after(second, 2) == 1
        assert search(second, depth=3, algorithm="minimax").compiled and search(first, depth=3).compiled
