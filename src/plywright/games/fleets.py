"""Whether ships that lie already can leave a later one no place: such a fleet cannot always be placed."""

from __future__ import annotations

PATIENCE = 2_000
"""Positions looked at before a fleet counts as one that may not fit."""


def never_blocked(size: int, lengths: list[int]) -> bool:
    """Whether every ship, in this order, finds a place however those before it lie."""
    return not any(_can_block(size, lengths[:ship], lengths[ship]) for ship in range(1, len(lengths)))


def _can_block(size: int, earlier: list[int], length: int) -> bool:
    """Whether the earlier ships can lie so that none of that length has room; True also where that takes too long."""
    bars = placements(size, length)
    looked = 0

    def blocks(taken: int, left: tuple[int, ...]) -> bool:
        nonlocal looked
        looked += 1
        if looked > PATIENCE:
            return True
        free = next((bar for bar in bars if not bar & taken), None)
        if free is None:
            return True
        if _room(size, length, taken) > sum(_most_hit(size, ship, length) for ship in left):
            return False
        ways = [
            (_room(size, length, taken | mask), mask, ship)
            for ship in set(left)
            for mask in masks[ship]
            if mask & free and not mask & taken
        ]
        for _, mask, ship in sorted(ways):  # what leaves least room first
            place = left.index(ship)
            if blocks(taken | mask, left[:place] + left[place + 1 :]):
                return True
        return False

    masks = {ship: placements(size, ship) for ship in earlier}
    return blocks(0, tuple(earlier))


def _room(size: int, length: int, taken: int) -> int:
    """How many ships of that length fit side by side in the rows, and in the columns, added up."""
    total = 0
    for along, across in ((1, size), (size, 1)):
        for line in range(size):
            run = 0
            for place in range(size):
                run = 0 if taken >> line * across + place * along & 1 else run + 1
                if run == length:
                    total, run = total + 1, 0
    return total


def _most_hit(size: int, ship: int, length: int) -> int:
    """By how much one ship can lower `_room`: in each line across it by one, and in the line it lies in."""
    return ship + min((ship + length - 2) // length + 1, size // length)


def placements(size: int, length: int) -> list[int]:
    """The cells of every way a ship can lie, as sets: along the rows, then along the columns."""
    along = [
        sum(1 << row * size + column + i for i in range(length))
        for row in range(size)
        for column in range(size - length + 1)
    ]
    across = [
        sum(1 << (row + i) * size + column for i in range(length))
        for row in range(size - length + 1)
        for column in range(size)
    ]
    return along if length == 1 else along + across
