"""Arrays on the stack: they last as long as the function that asked for them, and gathered bits are the same bits."""

from __future__ import annotations

from typing import Any

from plywright.bits import float_scratch, gather, scratch
from plywright.compiled import NO_GAME, interpreted, kernel


def fill(words: Any, floats: Any, count: int) -> None:
    for n in range(count):
        words[n] = 3 * n
        floats[n] = 0.5 * n


def total(words: Any, floats: Any, count: int) -> float:
    other = scratch()  # must not lie where the caller's array does
    for n in range(count):
        other[n] = -1
    found = 0.0
    for n in range(count):
        found += words[n] + floats[n] + 1.0 + other[n]
    return found


@kernel
def through_three_functions(game: Any, count: int) -> float:
    words, floats = scratch(), float_scratch()
    fill(words, floats, count)
    return total(words, floats, count)


@kernel
def gathered(game: Any, board: int, mask: int) -> int:
    return gather(board, mask)


def test_an_array_of_the_callers_is_whole_in_what_it_calls() -> None:
    native = through_three_functions(NO_GAME, 200)
    assert native == 3.5 * 199 * 100
    with interpreted():
        assert through_three_functions(NO_GAME, 200) == native


def test_gather_moves_bits_together() -> None:
    cases = ((0b1011_0110, 0b1111_0000), (0xDEADBEEF12345678, 0xF0F0F0F00F0F0F0F), (-1, 0b10101), (5, 0))
    for board, mask in cases:
        native = gathered(NO_GAME, board, mask)
        assert native == gather(board, mask)
    assert gather(0b1011_0110, 0b1111_0000) == 0b1011
