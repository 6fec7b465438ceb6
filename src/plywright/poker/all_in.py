"""All-in equity adjustment: once nobody can bet any more, a hand counts by what it wins on average over all boards.

Whatever the board then brings is luck: its mean, given all hands, takes the place of what came. So the adjusted result
has the same expectation as the real one, whoever plays, and scatters less.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from ..errors import BadInput
from ..games.equity import hand_equities
from ..games.holdem.rules import NOBODY, Holdem


@dataclass(frozen=True)
class Mean:
    """A mean with its 95 % interval."""

    mean: float
    margin: float

    def __str__(self) -> str:
        return f"{self.mean:+.2f} [{self.mean - self.margin:+.2f}, {self.mean + self.margin:+.2f}]"


def mean_of(values: Sequence[float]) -> Mean:
    count = len(values)
    mean = math.fsum(values) / count
    spread = math.fsum((value - mean) ** 2 for value in values)
    return Mean(mean, 1.96 * math.sqrt(spread / max(count - 1, 1) / count))


def adjusted_payoffs(game: Holdem, states: Iterable[Any]) -> list[float]:
    """What each seat wins in a hand, of which these are the states; where all were all-in, on average over boards."""
    if game.full_board < 5:
        raise BadInput(
            f"{game.name}: all-ins are counted over boards of five cards, and here they have {game.full_board}"
        )
    last: Any = None
    for last in states:
        closed = last.mover == NOBODY and game.left_in(last) > 1
        if closed and game.on_board(last) < game.full_board:
            return _expected(game, last)
    return [float(game.utility(last, seat)) for seat in range(game.players)]


def _expected(game: Holdem, state: Any) -> list[float]:
    """The mean of every seat's winnings over all boards: each layer of the pot among those who are in it."""
    won = [-float(paid) for paid in state.paid]
    board = sum(map(int, state.board))
    every = sum(map(int, state.hands)) | (1 << game.first_card) - 1  # a smaller deck has no low cards
    below = 0
    while (level := int(game.next_level(state, below))) >= 0:
        pot = sum(min(int(paid), level) - min(int(paid), below) for paid in state.paid)
        sharing = [seat for seat in range(game.players) if not state.folded >> seat & 1 and state.paid[seat] >= level]
        shares = (
            [1.0] if len(sharing) == 1 else hand_equities([int(state.hands[seat]) for seat in sharing], board, every)
        )
        for seat, share in zip(sharing, shares, strict=True):
            won[seat] += pot * share
        below = level
    return won
