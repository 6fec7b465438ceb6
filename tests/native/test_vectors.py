"""Vectors of words and numbers: native code gives what plain Python gives, on any input."""

from __future__ import annotations

from typing import Any

import numpy as np

from plywright.bits import scratch
from plywright.compiled import NO_GAME, interpreted, kernel
from plywright.vectors import add_up_rows, behind_runs, eight_units, outflanked

RANDOM = np.random.default_rng(7)
WORDS, NUMBERS, CASES = 16, 5, 60


def words(*shape: int) -> Any:
    """Random boards, some of them nearly empty and some nearly full."""
    some, others, more = (RANDOM.integers(0, 2**64, shape, np.uint64) for _ in range(3))
    return np.where(more % np.uint64(3) == 0, some & others, np.where(more % np.uint64(3) == 1, some | others, some))


@kernel
def both_boards(game: Any, rays: Any, place: int, mine: Any, theirs: Any, inner: Any) -> Any:
    shifts = np.uint64(1), np.uint64(8), np.uint64(7), np.uint64(9)
    return behind_runs(mine, (inner, theirs, inner, inner), shifts), outflanked(rays, place, mine, theirs)


@kernel
def both_sums(game: Any, table: Any, board: Any, layer: Any, place: int, out: Any) -> float:
    sums = scratch()
    for first in range(0, WORDS, 8):
        add_up_rows(sums, first, table, first, WORDS, board)
    for word in range(WORDS):
        out[word] = sums[word]
    for number in range(NUMBERS):
        sums[number] = sums[number] % 1000 - 500
    return eight_units(sums, NUMBERS, layer, place)


def test_boards() -> None:
    rays = words(8 * CASES)
    for case in range(CASES):
        mine, theirs = (np.uint64(word) for word in words(2))
        boards = rays, 8 * case, mine, theirs & ~mine, theirs & np.uint64(0x7E7E7E7E7E7E7E7E)
        native = both_boards(NO_GAME, *boards)
        with interpreted():
            assert both_boards(NO_GAME, *boards) == native


def test_a_ray_without_an_end_turns_nothing() -> None:
    up, down = (
        0b11111110 << 56,
        0b1111111,
    )  # the rest of the last row from its first square on, of the first from its last
    rays = np.array([up, 0, 0, 0, down, 0, 0, 0], np.uint64)
    for mine, theirs, turned in [(0, up | down, 0), (1, up | down, down & ~1), (1 << 63, up | down, up & ~(1 << 63))]:
        boards = np.uint64(mine), np.uint64(theirs & ~mine)
        assert int(both_boards(NO_GAME, rays, 0, *boards, np.uint64(0))[1]) == turned
        assert int(outflanked(rays, 0, *boards)) == turned


def test_sums() -> None:
    table = RANDOM.integers(0, 2**61, 8 * 256 * WORDS, np.uint64)
    layer = RANDOM.integers(-(2**20), 2**20, 3 * 8 * (NUMBERS + 3)) / 2**10  # exact in any order
    for case in range(12):
        board, place = np.uint64(words(1)[0]), 8 * (case % 3)
        native, plain = np.zeros(WORDS, np.int64), np.zeros(WORDS, np.int64)
        value = both_sums(NO_GAME, table, board, layer, place, native)
        with interpreted():
            assert both_sums(NO_GAME, table, board, layer, place, plain) == value
        assert (native == plain).all()
