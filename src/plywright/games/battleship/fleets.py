"""Fleets: how ships lie as words of cells, whether the rest of a fleet finds room, and which ships explain the hits."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from ...bits import lowest_bit, popcount, replaced
from ...game import Game

HALF = 50  # cells a word: a sea is two words
SHIP = 8  # bits a ship in a fleet: its placement and one, 0 while there is none
SPOT = 7  # bits a ship in a list of sinkings: the cell of the last shot and one, 0 while it floats
NOTHING, HOPELESS = -1, -2  # no hit is left to account for; more are left than ships can
PLACINGS = 1 << 14
"""Ships and layouts tried, over and over, before those not hit count as too many for the sea that is left."""


class Chart(NamedTuple):
    """What one player knows: `placed` ships of the other are at sea; `fire` and `lost` are the other's doing."""

    fleet: int
    placed: int
    shots: tuple[int, int]
    hits: tuple[int, int]
    sunk: int
    fire: tuple[int, int]
    lost: int
    mover: int


class Fleets(Game):
    """Ships of given lengths in a square sea: tables and what is computed from them."""

    size: int
    ships: int
    lengths: tuple[int, ...]
    starts: Any  # by ship: where its placements begin in `masks`
    masks: Any  # two words of cells for each placement
    tails: tuple[int, ...]  # by ship: it and those after it, the longest first
    option_ships: tuple[int, ...]
    option_backs: tuple[int, ...]
    no_options: tuple[int, ...]

    def count(self, ship: int) -> int:
        """In how many ways a ship can lie."""
        return int(self.starts[ship + 1] - self.starts[ship])

    def mask(self, ship: int, place: int, word: int) -> int:
        return int(self.masks[2 * (self.starts[ship] + place) + word])

    def free_of(self, ship: int, place: int, low: int, high: int) -> bool:
        return self.mask(ship, place, 0) & low == 0 and self.mask(ship, place, 1) & high == 0

    def inside(self, ship: int, place: int, low: int, high: int) -> bool:
        return self.mask(ship, place, 0) & ~low == 0 and self.mask(ship, place, 1) & ~high == 0

    def covers(self, ship: int, place: int, cell: int) -> bool:
        return self.mask(ship, place, cell // HALF) >> cell % HALF & 1 == 1

    def placed(self, fleet: int) -> int:
        count = 0
        while fleet >> SHIP * count & 255:
            count += 1
        return count

    def taken(self, fleet: int, word: int) -> int:
        """One word of the cells under a fleet."""
        cells = 0
        for ship in range(self.ships):
            if fleet >> SHIP * ship & 255:
                cells |= self.mask(ship, (fleet >> SHIP * ship & 255) - 1, word)
        return cells

    def part(self, fleet: int, ship: int, word: int) -> int:
        """One word of the cells under one ship of a fleet; none where it has not been placed."""
        return self.mask(ship, (fleet >> SHIP * ship & 255) - 1, word) if fleet >> SHIP * ship & 255 else 0

    def rest_fits(self, fleet: int, first: int) -> bool:
        """Whether the ships from `first` on find room beside the fleet, tried in order of length with steps back.

        Of ships that are equally long a later one takes a later placement.
        """
        depth, place, count = 0, 0, self.ships - first
        while 0 <= depth < count:
            ship = self.tails[first * self.ships + depth]
            low, high = self.taken(fleet, 0), self.taken(fleet, 1)
            while place < self.count(ship) and not self.free_of(ship, place, low, high):
                place += 1
            if place < self.count(ship):
                fleet |= place + 1 << SHIP * ship
                depth += 1
                follower = self.tails[first * self.ships + depth] if depth < count else ship
                place = place + 1 if self.lengths[follower] == self.lengths[ship] else 0
            else:
                depth -= 1
                if depth >= 0:
                    ship = self.tails[first * self.ships + depth]
                    place = fleet >> SHIP * ship & 255
                    fleet &= ~(255 << SHIP * ship)
        return depth == count

    def packed(self, seen: Chart, shift: int) -> int:
        """A fleet that agrees with the chart, found by laying one ship after the other; -1 where none was found."""
        placings = 0
        for hit, _ in self.hit_ships(seen, False):
            fleet, ship, step, tried = hit, 0, 1, self.no_options
            while 0 <= ship < seen.placed and placings < PLACINGS:
                if hit >> SHIP * ship & 255 == 0:
                    placings += 1
                    fleet &= ~(255 << SHIP * ship)
                    low, high = seen.shots[0] | self.taken(fleet, 0), seen.shots[1] | self.taken(fleet, 1)
                    number, count = tried[ship], self.count(ship)
                    if step > 0:  # ships of one length are laid in one order only
                        number = tried[ship - 1] if ship > 0 and self.lengths[ship - 1] == self.lengths[ship] else 0
                    while number < count and not self.free_of(ship, (number + shift) % count, low, high):
                        number += 1
                    step = 1 if number < count else -1
                    if step > 0:
                        fleet |= (number + shift) % count + 1 << SHIP * ship
                        tried = replaced(tried, ship, number + 1)
                else:
                    tried = replaced(tried, ship, 0)
                ship += step
            if ship >= seen.placed:
                return fleet
            placings += 1
            if placings >= PLACINGS:
                break
        return -1

    # -- which ships explain the hits ------------------------------------------------------------------

    def hit_ships(self, seen: Chart, grouped: bool) -> Iterator[tuple[int, float]]:
        """Every way to lay those ships that account for all hits, as a fleet without the others; and how many it is.

        Grouped, placements of a ship that cover the same hits are one way, and ships may overlap where no shot fell.
        Sunk ships are laid first, through the shot that sank them; then always one through the first hit that no
        ship accounts for. `options` remembers by depth which way comes next, `counts` how many the last one was.
        """
        options, counts, fleet, depth = self.no_options, self.no_options, 0, 0
        while depth >= 0:
            target, only = self.next_target(seen, fleet)
            if target == NOTHING:
                total = 1.0
                for place in range(depth):
                    total *= counts[place]
                yield fleet, total
            low, high = self.closed(seen, fleet, grouped)
            option = options[depth] if target >= 0 else len(self.option_ships)
            alike = 0
            while option < len(self.option_ships) and alike == 0:
                alike = self.alike(seen, fleet, option, target, only, low, high, grouped)
                option += 1
            if alike > 0:
                place = self.place_of(seen, fleet, option - 1, target, only, low, high)
                fleet |= place + 1 << SHIP * self.option_ships[option - 1]
                options, counts = replaced(options, depth, option), replaced(counts, depth, alike)
                depth += 1
            else:
                options = replaced(options, depth, 0)
                depth -= 1
                if depth >= 0:
                    fleet &= ~(255 << SHIP * self.option_ships[options[depth] - 1])

    def closed(self, seen: Chart, fleet: int, grouped: bool) -> tuple[int, int]:
        """The cells where no hit ship can lie: misses, and those under the fleet (grouped: where they were hit)."""
        low, high = self.taken(fleet, 0), self.taken(fleet, 1)
        if grouped:
            low, high = low & seen.hits[0], high & seen.hits[1]
        return seen.shots[0] & ~seen.hits[0] | low, seen.shots[1] & ~seen.hits[1] | high

    def alike(
        self, seen: Chart, fleet: int, option: int, target: int, only: int, low: int, high: int, grouped: bool
    ) -> int:
        """For how many placements an option stands: 0 where it cannot be, or an earlier one covers the same hits."""
        place = self.place_of(seen, fleet, option, target, only, low, high)
        if place < 0 or not grouped:
            return 0 if place < 0 else 1
        ship, count = self.option_ships[option], 0
        hit_low, hit_high = self.mask(ship, place, 0) & seen.hits[0], self.mask(ship, place, 1) & seen.hits[1]
        first, length = option - self.option_backs[option], self.lengths[ship]
        for other in range(first, first + (2 * length if length > 1 else 1)):
            twin = self.place_of(seen, fleet, other, target, only, low, high)
            if twin >= 0 and self.covers_hits(ship, twin, seen, hit_low, hit_high):
                if other < option:
                    return 0
                count += 1
        return count

    def covers_hits(self, ship: int, place: int, seen: Chart, low: int, high: int) -> bool:
        """Whether these are the hits that a placement covers."""
        return self.mask(ship, place, 0) & seen.hits[0] == low and self.mask(ship, place, 1) & seen.hits[1] == high

    def next_target(self, seen: Chart, fleet: int) -> tuple[int, int]:
        """The cell through which the next ship must lie, and which ship if it was sunk there, else -1."""
        spare = 0  # how many more hits the ships that float can account for
        for ship in range(seen.placed):
            if fleet >> SHIP * ship & 255 == 0:
                spot = seen.sunk >> SPOT * ship & 127
                if spot > 0:
                    return spot - 1, ship
                spare += self.lengths[ship] - 1
        low, high = seen.hits[0] & ~self.taken(fleet, 0), seen.hits[1] & ~self.taken(fleet, 1)
        if low == 0 and high == 0:
            return NOTHING, -1
        if popcount(low) + popcount(high) > spare:
            return HOPELESS, -1
        return lowest_bit(low) if low != 0 else HALF + lowest_bit(high), -1

    def place_of(self, seen: Chart, fleet: int, option: int, target: int, only: int, low: int, high: int) -> int:
        """The placement through the target that is meant by an option, or -1 where it cannot be."""
        ship, back = self.option_ships[option], self.option_backs[option]
        spot = seen.sunk >> SPOT * ship & 127
        if ship >= seen.placed or fleet >> SHIP * ship & 255 or (only >= 0 and ship != only) or (only < 0 and spot > 0):
            return -1
        length, row, column = self.lengths[ship], target // self.size, target % self.size
        across = back >= length
        start = (row - back + length) if across else column - back
        if start < 0 or start + length > self.size:
            return -1
        starts = self.size - length + 1
        place = self.size * starts + start * self.size + column if across else row * starts + start
        if not self.free_of(ship, place, low, high):
            return -1
        return place if self.inside(ship, place, seen.hits[0], seen.hits[1]) == (spot > 0) else -1

    def ways(self, seen: Chart, hit: int, free: tuple[int, ...]) -> float:
        """In how many ways the ships not hit can lie, if each has so many and they may overlap."""
        total = 1.0
        for ship in range(seen.placed):
            if hit >> SHIP * ship & 255 == 0:
                total *= free[ship]
        return total

    def number_like(self, ship: int, hit_low: int, hit_high: int, low: int, high: int) -> int:
        """How many placements of a ship have just these of the cells in `low` and `high`."""
        count = 0
        for place in range(self.count(ship)):
            if self.mask(ship, place, 0) & low == hit_low and self.mask(ship, place, 1) & high == hit_high:
                count += 1
        return count

    def place_like(self, ship: int, hit_low: int, hit_high: int, low: int, high: int, number: int) -> int:
        """The placement of that number among those."""
        for place in range(self.count(ship)):
            if self.mask(ship, place, 0) & low == hit_low and self.mask(ship, place, 1) & high == hit_high:
                if number == 0:
                    return place
                number -= 1
        return 0


def roomy(size: int, lengths: list[int]) -> bool:
    """Whether counting alone shows that every ship finds a place, however those before it lie.

    An empty sea has room for so many ships of a length, side by side in the rows and again in the columns; each ship
    that lies takes so many of them at most. What is not shown so is looked for when ships are placed.
    """
    return all(
        2 * size * (size // length) > sum(_most_taken(size, earlier, length) for earlier in lengths[:ship])
        for ship, length in enumerate(lengths)
    )


def _most_taken(size: int, ship: int, length: int) -> int:
    """For how many a ship takes the room: one in each line across it, and some in the line it lies in."""
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


def words(mask: int) -> tuple[int, int]:
    """A set of cells as two words."""
    return mask & (1 << HALF) - 1, mask >> HALF
