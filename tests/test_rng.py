"""The generator's methods: compiled and interpreted rules draw the same numbers."""

from __future__ import annotations

from typing import Any

from plywright.compiled import NO_GAME, interpreted, kernel
from plywright.rng import seeded


@kernel
def drawn(game: Any, rng: Any) -> tuple[Any, ...]:
    cards = rng.shuffle((1, 2, 3, 4, 5))
    return rng.random(), rng.below(6), rng.integers(10, 20), rng.choice((7, 8, 9)), cards


def test_native_and_interpreted_rules_draw_the_same() -> None:
    for seed in range(20):
        one, other = seeded(seed), seeded(seed)
        native = drawn(NO_GAME, one)
        with interpreted():
            plain = drawn(NO_GAME, other)
        assert native == plain and one[0] == other[0]
        assert 0 <= native[0] < 1 and 0 <= native[1] < 6 and 10 <= native[2] < 20 and native[3] in (7, 8, 9)
        assert sorted(native[4]) == [1, 2, 3, 4, 5]
