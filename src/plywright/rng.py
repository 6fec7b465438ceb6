"""splitmix64: the same stream compiled and interpreted, on every machine.

The generator is an array of one uint64 that the caller owns and passes along:

    rng = seeded(7)
    below(rng, 6)      # 0 .. 5

Each function here has a native twin in `native/twins.py`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

_MASK = (1 << 64) - 1


class Rng(np.ndarray[Any, np.dtype[np.uint64]]):
    """The generator that `sample` and `deal` are given; compiled rules have the same methods, with the same numbers."""

    def random(self) -> float:
        """A number from 0 up to, but not including, 1."""
        return uniform(self)

    def below(self, count: int) -> int:
        """A number in 0 .. count-1."""
        return below(self, count)

    def integers(self, low: int, high: int) -> int:
        """A number in low .. high-1."""
        return int(low) + below(self, high - low)

    def shuffle(self, items: tuple[Any, ...]) -> tuple[Any, ...]:
        """The items in random order, as a new tuple."""
        cards = list(items)
        for last in range(len(cards) - 1, 0, -1):
            place = below(self, last + 1)
            cards[last], cards[place] = cards[place], cards[last]
        return tuple(cards)

    def choice(self, items: Any) -> Any:
        """One of the items, each as likely as the others."""
        return items[below(self, len(items))]


def seeded(seed: int) -> Rng:
    """A generator; equal seeds give equal streams."""
    return np.array([seed & _MASK], np.uint64).view(Rng)


def scramble(number: Any) -> int:
    """A fixed bijection of 64 bits in which every input bit moves every output bit (Stafford's mix 13)."""
    z = int(number) & _MASK
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _MASK
    return z ^ (z >> 31)


def draw64(rng: NDArray[np.uint64]) -> int:
    """The next 64 random bits (Steele, Lea & Flood 2014)."""
    word = (int(rng[0]) + 0x9E3779B97F4A7C15) & _MASK
    rng[0] = word
    return scramble(word)


def uniform(rng: NDArray[np.uint64]) -> float:
    """A number from 0 up to, but not including, 1: the upper 53 of the next 64 bits."""
    return (draw64(rng) >> 11) * 2.0**-53


def below(rng: NDArray[np.uint64], count: int) -> int:
    """A number in 0 .. count-1, by multiplication; the bias is below count / 2**32."""
    return ((draw64(rng) >> 32) * int(count)) >> 32
