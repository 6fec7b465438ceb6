"""Native twins of the functions in bits.py and rng.py."""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic, overload

from .. import bits
from .. import rng as random_bits


@intrinsic
def _ctpop(context: Any, board: Any) -> Any:
    return types.int64(types.uint64), lambda ctx, builder, sig, args: builder.ctpop(args[0])


@intrinsic
def _cttz(context: Any, board: Any) -> Any:
    return types.int64(types.uint64), lambda ctx, builder, sig, args: builder.cttz(args[0], ir.IntType(1)(0))


@overload(bits.popcount)
def _popcount(board):
    return lambda board: _ctpop(np.uint64(board))


@overload(bits.lowest_bit)
def _lowest_bit(board):
    return lambda board: _cttz(np.uint64(board))


@overload(random_bits.scramble)
def _scramble(number):
    def scramble(number):
        z = np.uint64(number)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return z ^ (z >> np.uint64(31))

    return scramble


@overload(random_bits.draw64)
def _draw64(rng):
    def draw64(rng):
        word = rng[0] + np.uint64(0x9E3779B97F4A7C15)
        rng[0] = word
        return random_bits.scramble(word)

    return draw64


@overload(random_bits.below)
def _below(rng, count):
    def below(rng, count):
        return np.int64(((random_bits.draw64(rng) >> np.uint64(32)) * np.uint64(count)) >> np.uint64(32))

    return below


TWINS = frozenset({bits.popcount, bits.lowest_bit, random_bits.scramble, random_bits.draw64, random_bits.below})
"""The functions that compiled code replaces by their twins instead of compiling them."""
