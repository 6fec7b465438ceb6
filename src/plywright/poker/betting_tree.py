"""The betting of heads-up limit hold'em as arrays: 6,378 decisions, whatever the cards.

Seat 0 has posted the big blind, seat 1 the small one and speaks first before the flop; later seat 0 does. Bets are 10
in the first two rounds and 20 in the others, with blinds of 5 and 10; four bets a round at most, the big blind counts
as one: the game of the Annual Computer Poker Competition.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

FOLD, CALL, RAISE = 0, 1, 2
ENDED, SHOWDOWN = -1, -2
BLINDS = (10, 5)
BETS = (10, 10, 20, 20)
MOST_RAISES = (3, 4, 4, 4)


@dataclass(frozen=True)
class BettingTree:
    """By node: who moves (ENDED by a fold, SHOWDOWN), the round, children by action (-1: not legal), what is paid."""

    mover: NDArray[np.int64]
    street: NDArray[np.int64]
    child: NDArray[np.int64]  # [nodes * 3]
    paid: NDArray[np.int64]  # [nodes * 2]
    number: NDArray[np.int64]
    """Among the decisions of its round."""
    texts: tuple[str, ...]
    """How the betting went, as the competition writes it: crc/cr."""

    @functools.cached_property
    def decisions(self) -> list[int]:
        """How many decisions each round has."""
        return [int(((self.street == street) & (self.mover >= 0)).sum()) for street in range(len(BETS))]

    @functools.cached_property
    def node_of(self) -> dict[str, int]:
        return {text: node for node, text in enumerate(self.texts)}


@functools.cache
def betting_tree() -> BettingTree:
    rows: list[tuple[int, int, tuple[int, int], str]] = []
    child: list[int] = []

    def add(mover: int, street: int, paid: tuple[int, int], text: str) -> int:
        rows.append((mover, street, paid, text))
        child.extend((-1, -1, -1))
        return len(rows) - 1

    def grow(mover: int, street: int, paid: tuple[int, int], acted: int, raises: int, text: str) -> int:
        node = add(mover, street, paid, text)
        behind = paid[1 - mover] - paid[mover]
        if behind > 0:
            child[3 * node + FOLD] = add(ENDED, street, paid, f"{text}f")
        even = (max(paid), max(paid))
        if acted == 0:
            after = grow(1 - mover, street, even, 1, raises, f"{text}c")
        elif street + 1 == len(BETS):
            after = add(SHOWDOWN, street, even, f"{text}c")
        else:
            after = grow(0, street + 1, even, 0, 0, f"{text}c/")
        child[3 * node + CALL] = after
        if raises < MOST_RAISES[street]:
            total = max(paid) + BETS[street]
            more = (total, paid[1]) if mover == 0 else (paid[0], total)
            child[3 * node + RAISE] = grow(1 - mover, street, more, acted + 1, raises + 1, f"{text}r")
        return node

    grow(1, 0, BLINDS, 0, 0, "")
    counts = [0] * len(BETS)
    numbers = []
    for mover, street, _, _ in rows:
        numbers.append(counts[street] if mover >= 0 else -1)
        counts[street] += mover >= 0
    return BettingTree(
        np.array([row[0] for row in rows], np.int64),
        np.array([row[1] for row in rows], np.int64),
        np.array(child, np.int64),
        np.array([part for row in rows for part in row[2]], np.int64),
        np.array(numbers, np.int64),
        tuple(row[3] for row in rows),
    )
