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


def seeded(seed: int) -> NDArray[np.uint64]:
    """A generator; equal seeds give equal streams."""
    return np.array([seed & _MASK], np.uint64)


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


def below(rng: NDArray[np.uint64], count: int) -> int:
    """A number in 0 .. count-1, by multiplication; the bias is below count / 2**32."""
    return ((draw64(rng) >> 32) * int(count)) >> 32
