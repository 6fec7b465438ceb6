"""Vectors of words and numbers: native code gives what plain Python gives, on any input."""

from __future__ import annotations

from typing import Any

import numpy as np

from plywright.bits import float_scratch, scratch
from plywright.compiled import NO_GAME, Workspace, interpreted, kernel
from plywright.vectors import (
    add_narrow_rows,
    add_rows,
    add_up_rows,
    behind_runs,
    eight_units,
    five_outputs,
    outflanked,
    squared_units,
    take_narrow_rows,
    weighed_squares,
)

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


@kernel
def layers(game: Any, width: int, rows: Any, first: int, places: Any, shares: Any, weights: Any, out: Any) -> int:
    """A hidden layer of so many units, and the five outputs above it."""
    units, found, which, parts = float_scratch(), float_scratch(), scratch(), float_scratch()
    for unit in range(width):
        units[unit] = np.float32(0.25)
    for n in range(len(places)):
        which[n], parts[n] = places[n], shares[n]
    add_rows(units, width, rows, first, which, parts, len(places))
    for k in range(5):
        found[k] = np.float32(k)
    five_outputs(found, units, width, weights, first)
    for unit in range(width):
        out[unit] = units[unit]
    for k in range(5):
        out[width + k] = found[k]
    return 0


def test_layers_of_a_network() -> None:
    """To the last bit, for widths that fill blocks of 64, of 32 and of 8 units, and leave some of each empty."""
    for width in (8, 32, 64, 104, 160):
        rows, weights = (RANDOM.normal(size=20 * width + 8).astype(np.float32) for _ in range(2))
        places = RANDOM.integers(0, 20, 13)
        shares = RANDOM.normal(size=13).astype(np.float32)
        native, plain = np.zeros(width + 5, np.float32), np.zeros(width + 5, np.float32)
        layers(NO_GAME, width, rows, 8, places, shares, weights, native)
        with interpreted():
            layers(NO_GAME, width, rows, 8, places, shares, weights, plain)
        assert (native == plain).all()
        wanted = 0.25 + shares @ rows[8:].reshape(20, width)[places]
        assert np.allclose(native[:width], wanted, atol=1e-4)
        said = wanted / (1 + abs(wanted))
        assert np.allclose(
            native[width:], np.arange(5) + said @ weights[8 : 8 + 5 * width].reshape(width, 5), atol=1e-3
        )


@kernel
def squares(game: Any, rows: Any, width: int, start: int, places: Any, weights: Any, place: int) -> tuple[int, int]:
    which = scratch()
    for n in range(len(places)):
        which[3 + n] = places[n]
    return squared_units(rows, width, start, which, 3, len(places), weights, place)


def test_squares_of_units() -> None:
    """For widths that fill blocks of 128 and of 32 units, with what is heard below 0, between, and beyond 255."""
    for width in (32, 64, 128, 224):
        rows = RANDOM.integers(-100, 121, 20 * width).astype(np.int16)
        weights = RANDOM.integers(-(2**15), 2**15, 5 + 2 * width).astype(np.int16)
        for count in (0, 1, 12, 30):
            places = RANDOM.integers(0, 20, count)
            native = squares(NO_GAME, rows, width, 7, places, weights, 5)
            with interpreted():
                assert squares(NO_GAME, rows, width, 7, places, weights, 5) == native
            heard = [
                int(rows[7 * width + unit]) + sum(int(rows[place * width + unit]) for place in places)
                for unit in range(width)
            ]
            assert count < 12 or (min(heard) < 0 and max(heard) > 255)
            said = [min(max(each, 0), 255) ** 2 // 32 for each in heard]
            for way in range(2):
                wanted = sum(each * int(weights[5 + width * way + unit]) for unit, each in enumerate(said))
                assert native[way] == wanted


@kernel
def remembered(
    game: Any, sums: Any, at: int, rows: Any, width: int, turn: int, places: Any, gone: int, weights: Any, place: int
) -> tuple[int, int]:
    which = scratch()
    for n in range(len(places)):
        which[3 + n] = places[n]
    add_narrow_rows(sums, at, rows, width, turn, which, 3, len(places))
    take_narrow_rows(sums, at, rows, width, turn, which, 3, gone)
    return weighed_squares(sums, at, width, weights, place)


def test_units_that_remember_what_they_heard() -> None:
    """Rows that are added and taken away again leave the others, and nothing beside the sums is written."""
    for width in (32, 64, 128, 224):
        rows = RANDOM.integers(-100, 121, 32 * width).astype(np.int16)
        weights = RANDOM.integers(-(2**15), 2**15, 5 + 2 * width).astype(np.int16)
        for count, gone, turn in ((0, 0, 0), (1, 0, 7), (12, 5, 31), (30, 30, 4)):
            places = RANDOM.integers(0, 32, count)
            native, plain = (np.full(4 + width // 4, -1, np.int64) for _ in range(2))
            for words in (native, plain):
                words[2:-2] = 0
            work, other = Workspace(sums=native), Workspace(sums=plain)
            found = remember_in(NO_GAME, work, rows, width, turn, places, gone, weights)
            with interpreted():
                assert remember_in(NO_GAME, other, rows, width, turn, places, gone, weights) == found
            assert (native == plain).all() and (native[[0, 1, -2, -1]] == -1).all()
            heard = [
                sum(int(rows[(int(place) ^ turn) * width + unit]) for place in places[gone:]) for unit in range(width)
            ]
            assert list(native[2:-2].view(np.int16)) == heard
            said = [min(max(each, 0), 255) ** 2 // 32 for each in heard]
            for way in range(2):
                wanted = sum(each * int(weights[5 + width * way + unit]) for unit, each in enumerate(said))
                assert found[way] == wanted


@kernel
def remember_in(
    game: Any, work: Any, rows: Any, width: int, turn: int, places: Any, gone: int, weights: Any
) -> tuple[int, int]:
    return remembered(game, work.sums, 2, rows, width, turn, places, gone, weights, 5)
