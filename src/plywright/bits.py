"""Bit tricks for boards kept in integers: one machine instruction compiled, plain Python otherwise.

Each function here has a native twin in `native/twins.py`; both give the same answer on every input.
"""

from __future__ import annotations

from typing import SupportsIndex

_MASK = (1 << 64) - 1


def popcount(board: SupportsIndex) -> int:
    """How many bits are set."""
    return (int(board) & _MASK).bit_count()


def lowest_bit(board: SupportsIndex) -> int:
    """The index of the lowest set bit; 64 for an empty board."""
    word = int(board) & _MASK
    return (word & -word).bit_length() - 1 if word else 64
