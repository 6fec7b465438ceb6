"""Compilation's short cuts: every construct that Numba compiles gives the answer of plain Python."""

from __future__ import annotations

import gc
import warnings
from typing import Any, NamedTuple

import numba
import numpy as np
import pytest

from plywright import Game, InterpretedWarning
from plywright.compiled import interpreted, kernel, refusal

SQUARES = np.arange(8) ** 2


class Heap(NamedTuple):
    stones: int
    turn: int
    worth: float


def is_even(number: int) -> bool:
    return True if number == 0 else is_odd(number - 1)


def is_odd(number: int) -> bool:
    return False if number == 0 else is_even(number - 1)


def halved(number: int) -> float:
    """The first answer is a whole number, and only the recursive one shows that it is not."""
    if number == 0:
        return 1
    return halved(number - 1) * 0.5


@numba.njit
def clamped(value: float, low: float, high: float) -> float:
    """A user's own compiled helper, which calls Numba's library as the rules do."""
    return min(max(value, low), high)


class Constructs(Game):
    """One game with what the short way leaves out: closures, lists, arrays, exceptions, circles of calls."""

    def initial(self) -> Heap:
        return Heap(6, 0, 0.5)

    def to_move(self, state: Heap) -> int:
        return state.turn

    def choices_of(self, stones: int) -> list[int]:
        return [count for count in range(1, 4) if count <= stones]

    def actions(self, state: Heap) -> Any:
        for count in self.choices_of(state.stones):
            yield count

    def result(self, state: Heap, action: int) -> Heap:
        worth = state.worth + halved(action) + (0.25 if is_even(action) else 0.125)
        try:
            if action == 3:
                raise ValueError("three")
            worth += 1
        except Exception:
            worth -= 1
        row = np.zeros(4)
        row[action] = 2.0
        worth += (row * 2 + 1).sum() / 64 + np.array([k * k for k in range(4)])[action] / 128
        added = lambda amount: amount + action / 256  # noqa: E731
        worth = added(worth) + SQUARES[action] / 512 + 2**action / 1024 + clamped(worth, -1, 1) / 2048
        kept = {1: 2}
        kept[action] = 3
        worth += kept[1] / 4096 + int(worth) + abs(-action) * min(action, 2.5) / 8192 + 7 // action
        return Heap(state.stones - action, 1 - state.turn, worth)

    def is_terminal(self, state: Heap) -> bool:
        return state.stones == 0

    def utility(self, state: Heap, player: int) -> float:
        return state.worth if player == 0 else -state.worth


@kernel
def total_worth(game, state, depth):
    """The sum over all leaves: a kernel that calls itself."""
    if depth == 0 or game.is_terminal(state):
        return game.utility(state, 0)
    total = 0.0
    for action in game.actions(state):
        total += total_worth(game, game.result(state, action), depth - 1)
    return total


def test_every_construct_gives_the_answer_of_plain_python() -> None:
    game = Constructs()
    with interpreted():
        plain = total_worth(game, game.initial(), 3)
    native, compiled = total_worth.entry(game, game.initial(), 3)
    assert compiled, refusal(game)
    assert native(game, game.initial(), 3) == plain


def test_a_users_own_compiled_code_is_untouched() -> None:
    total_worth.entry(Constructs(), Constructs().initial(), 3)

    @numba.njit
    def safe_quotient(a: int, b: int) -> int:
        if min(a, b) <= 0:
            raise ValueError("positive numbers only")
        return int(max(a, b) // min(a, b))

    assert safe_quotient(12, 5) == 2
    with pytest.raises(ValueError, match="positive numbers only"):
        safe_quotient(12, 0)


@kernel
def first_worth(game, state):
    return game.worth_of(state)


class Unclear(Constructs):
    """Its rule refers to a name that is nowhere."""

    def worth_of(self, state: Heap) -> float:
        return nowhere(state)  # type: ignore[name-defined, no-any-return]  # noqa: F821


@pytest.mark.parametrize("game", [Constructs(), Unclear()])
def test_the_collector_of_garbage_runs_again_after_a_compilation(game: Game) -> None:
    chosen = first_worth if isinstance(game, Unclear) else total_worth
    arguments = (game.initial(),) if isinstance(game, Unclear) else (game.initial(), 2)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", InterpretedWarning)
        chosen.entry(game, *arguments)
    assert gc.isenabled()
