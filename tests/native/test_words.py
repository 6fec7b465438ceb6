"""What passes into native code: words by the kinds of the arguments, and a check that they fit."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from plywright.compiled import NO_GAME, Workspace, kernel
from plywright.native import entry
from plywright.native.words import ArrayKind, described, kind_of, letters
from plywright.state import FLOAT64, INT64, UINT64, Shape


@kernel
def double(game, number):  # type: ignore[no-untyped-def]
    return number + number


@kernel
def first(game, either, other, work):  # type: ignore[no-untyped-def]
    if either is None:
        return work.numbers[0] + 100
    return work.numbers[0] + either


@kernel
def total(game, rows):  # type: ignore[no-untyped-def]
    return rows.sum()


def test_kinds_are_those_of_states() -> None:
    assert kind_of(3) == kind_of(np.int32(3)) == Shape(kind=INT64)
    assert kind_of(np.uint64(3)) == kind_of(1 << 63) == Shape(kind=UINT64)
    assert kind_of(0.5) == Shape(kind=FLOAT64)
    assert letters(kind_of((1, (2.0, True)))) == "qd?7x"
    assert letters(kind_of(None)) == ""
    assert kind_of(np.zeros((2, 3))) == ArrayKind("<f8", 2, True)
    assert described(kind_of((1, 2))) != described(kind_of((1, (2,))))


def test_a_function_serves_whatever_fits_its_words() -> None:
    whole = entry(double, NO_GAME, (1,))
    assert whole(NO_GAME, 21) == 42 and whole(NO_GAME, np.int64(4)) == 8 and whole(NO_GAME, True) == 2


def test_other_kinds_find_the_function_made_for_them() -> None:
    whole = entry(double, NO_GAME, (1,))
    assert whole(NO_GAME, 0.25) == 0.5
    assert whole(NO_GAME, (1 << 63) - 1) == -2  # 64 bits, as in the kernel itself
    with pytest.raises(TypeError, match="too large"):
        whole(NO_GAME, 1 << 64)


def test_workspaces_of_another_layout_and_none_are_told_apart() -> None:
    work = Workspace(numbers=np.array([5]))
    function = entry(first, NO_GAME, (1, None, work))
    assert function(NO_GAME, 1, None, work) == 6
    assert function(NO_GAME, None, 1, work) == 105
    assert function(NO_GAME, 1, None, Workspace(spare=np.array([0.5]), numbers=np.array([0.5]))) == 1.5


def test_arrays_are_borrowed() -> None:
    rows = np.arange(6.0).reshape(2, 3)
    function = entry(total, NO_GAME, (rows,))
    assert function(NO_GAME, rows) == 15 and function(NO_GAME, rows.astype(np.int64)) == 15
    assert isinstance(function(NO_GAME, rows.astype(np.int64)), int)
    rows.flags.writeable = False
    assert function(NO_GAME, rows) == 15


@pytest.mark.parametrize("value", ["text", [1], {}])
def test_what_native_code_cannot_hold_runs_interpreted(value: Any) -> None:
    from plywright.compiled import Uncompilable

    with pytest.raises(Uncompilable, match="an argument of a kernel is a"):
        kind_of(value)
