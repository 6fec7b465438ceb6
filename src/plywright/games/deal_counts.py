"""How many deals a view has, each of them, and the refusal to list them where they are too many."""

from __future__ import annotations

import math
from collections.abc import Iterator

from ..bits import replaced
from ..errors import Unsuitable
from ..game import Game

MOST_LISTED = 400_000
SAMPLE = 1_000


def check_listable(game: Game, count: float, what: str = "deals") -> None:
    """Raise Unsuitable, before anything is listed, where `count` deals look alike: with what a sample would do.

    The mean of N values between the ends of the utility range has a standard error of at most half the range over
    the square root of N.
    """
    if count <= MOST_LISTED:
        return
    low, high = game.utility_range
    error = (high - low) / 2 / math.sqrt(SAMPLE)
    number = f"{int(count):,}" if count < 1e15 else f"{int(count):,} (about {count_power(count)})"
    raise Unsuitable(
        f"{game.name}: {number} {what} look like this, too many to list; a sample stands in for them: algorithm "
        f"'deals' or 'ismcts' draws N with a standard error of at most {(high - low) / 2:g}/sqrt(N), for {SAMPLE:,} "
        f"deals {error:.2g}"
    )


def count_power(count: float) -> str:
    """A large number as 8.4 x 10^16."""
    power = len(str(int(count))) - 1
    return f"{int(count) / 10**power:.2f} x 10^{power}"


def ways(cards: list[int], sizes: list[int], open_to: dict[int, list[int]]) -> int:
    """In how many ways the cards fill the places of the seats, each card in a seat open to it."""
    free = [seat for seat, size in enumerate(sizes) if size]
    if sum(sizes) == len(cards) and all(seat in open_to[card] for card in cards for seat in free):
        return math.factorial(len(cards)) // math.prod(math.factorial(size) for size in sizes)
    counts: dict[tuple[int, ...], int] = {tuple(sizes): 1}
    for card in cards:
        after: dict[tuple[int, ...], int] = {}
        for left, count in counts.items():
            for seat in open_to[card]:
                if left[seat]:
                    rest = replaced(left, seat, left[seat] - 1)
                    after[rest] = after.get(rest, 0) + count
        counts = after
    return counts.get((0,) * len(sizes), 0)


def spread(cards: list[int], sizes: list[int], open_to: dict[int, list[int]]) -> Iterator[list[list[int]]]:
    """Each of those ways, as the cards of every seat."""
    if not cards:
        yield [[] for _ in sizes]
        return
    for seat in open_to[cards[0]]:
        if sizes[seat]:
            left = [size - (other == seat) for other, size in enumerate(sizes)]
            if ways(cards[1:], left, open_to):
                for piles in spread(cards[1:], left, open_to):
                    piles[seat].append(cards[0])
                    yield piles
