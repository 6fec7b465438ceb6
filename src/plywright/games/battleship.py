"""Battleship, small or full size: place a fleet in secret, then shoot in turn; sink all of the other's to win.

`battleship:size=4,ships=3-2` is the small one, `battleship:size=10,ships=5-4-3-3-2` the full. First one player
places the ships in the order given, then the other; a placement is written from end to end, `a1-c1`. A shot, `b3`,
is answered by miss, hit, or which ship it sank. Ships may touch. What a player sees: the own ships, the own shots
(`+` a hit, `#2` sank the second ship), the other's shots: `a1-c1 a2-b2 | b3 c1+ d1#2 | a4 b1+ c4`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from ..bits import lowest_bit, popcount, replaced
from ..draw import Picture
from ..draw.board import LETTERS, Piece, board
from ..errors import BadInput
from ..game import Game
from ..rng import below, draw64, seeded
from .fleets import never_blocked, placements
from .listing import check_listable
from .notation import legal_action, square_cell, square_name, whole_number

HALF = 50  # cells a word: a sea is two words
SHIP = 8  # bits a ship in a fleet: its placement and one, 0 while there is none
SPOT = 7  # bits a ship in a list of sinkings: the cell of the last shot and one, 0 while it floats
NOTHING, HOPELESS = -1, -2  # no hit is left to account for; more are left than ships can
LAYOUTS = 1 << 15
"""Ways to lay the ships that were hit which one deal looks at."""
PATIENCE = 1 << 16
"""Fleets and layouts that a deal looks at before it packs ships one by one."""
PLACINGS = 1 << 14
"""Ships and layouts tried, over and over, before those not hit count as too many for the sea that is left."""


class Sea(NamedTuple):
    """By player: the fleet, the shots fired (two words each), and where shots of that player sank which ship."""

    fleets: tuple[int, int]
    shots: tuple[int, int, int, int]
    sunk: tuple[int, int]
    mover: int


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


class Battleship(Game):
    """Find and sink a fleet that is not seen."""

    runtime = ("masks", "starts")
    cutoff = 0  # a shot at random tells less than where the ships may be

    def __init__(self, size: int = 4, ships: str | int = "3-2") -> None:
        self.size = whole_number("size", size, 2, 10)
        lengths = [int(part) if part.isdecimal() and part.isascii() else 0 for part in str(ships).split("-")]
        if not 1 <= len(lengths) <= 7 or not all(1 <= length <= self.size for length in lengths):
            raise BadInput(f"ships must be 1 to 7 lengths of 1 to {self.size} cells, such as 3-2, not {ships!r}")
        self.cells = self.size**2
        if 5 * sum(lengths) > 2 * self.cells:
            raise BadInput(
                f"ships {ships} fill more than two fifths of {self.cells} cells; take fewer or a larger size"
            )
        if not never_blocked(self.size, lengths):
            raise BadInput(
                f"ships {ships} cannot always be placed on {self.cells} cells: earlier ones may leave a later one no "
                "place; name the longest first, or take fewer or a larger size"
            )
        self.lengths = tuple(lengths)
        self.ships = len(lengths)
        self.length = sum(lengths)
        tables = [placements(self.size, length) for length in lengths]
        self.starts = np.cumsum([0, *map(len, tables)]).astype(np.int64)
        self.masks = np.array([word for table in tables for mask in table for word in _words(mask)], np.int64)
        self.max_actions = max(self.cells, *map(len, tables))
        options = [(ship, back) for ship, n in enumerate(lengths) for back in range(2 * n if n > 1 else 1)]
        self.option_ships = tuple(ship for ship, _ in options)
        self.option_backs = tuple(back for _, back in options)  # cells before the target along a row, then a column
        self.no_options = (0,) * (self.ships + 1)

    # -- rules -------------------------------------------------------------------------------------

    def initial(self) -> Sea:
        return Sea((0, 0), (0, 0, 0, 0), (0, 0), 0)

    def to_move(self, state: Sea) -> int:
        return state.mover

    def actions(self, state: Sea) -> Iterator[int]:
        """Placements of the next ship by number, then cells to shoot at."""
        mover = state.mover
        ship = self.placed(state.fleets[mover])
        if ship < self.ships:
            for place in range(self.count(ship)):
                if self.free_of(ship, place, self.taken(state.fleets[mover], 0), self.taken(state.fleets[mover], 1)):
                    yield place
        elif not self.is_terminal(state):
            for cell in range(self.cells):
                if not state.shots[2 * mover + cell // HALF] >> cell % HALF & 1:
                    yield cell

    def result(self, state: Sea, action: int) -> Sea:
        mover, fleets = state.mover, state.fleets
        ship = self.placed(fleets[mover])
        if ship < self.ships:
            fleets = replaced(fleets, mover, fleets[mover] | action + 1 << SHIP * ship)
            after = mover if ship + 1 < self.ships else 1 - mover
            return Sea(fleets, state.shots, state.sunk, after)
        word = 2 * mover + action // HALF
        shots, sunk = replaced(state.shots, word, state.shots[word] | 1 << action % HALF), state.sunk
        low, high = shots[2 * mover], shots[2 * mover + 1]
        for target in range(self.ships):
            place = fleets[1 - mover] >> SHIP * target & 255
            if self.covers(target, place - 1, action) and self.inside(target, place - 1, low, high):
                sunk = replaced(sunk, mover, sunk[mover] | action + 1 << SPOT * target)
        return Sea(fleets, shots, sunk, 1 - mover)

    def is_terminal(self, state: Sea) -> bool:
        return self.all_sunk(state.sunk[0]) or self.all_sunk(state.sunk[1])

    def all_sunk(self, sunk: int) -> bool:
        afloat = 0
        for ship in range(self.ships):
            afloat += 1 if sunk >> SPOT * ship & 127 == 0 else 0
        return afloat == 0

    def utility(self, state: Sea, player: int) -> float:
        return 1 if self.all_sunk(state.sunk[player]) else -1

    def evaluate(self, state: Sea, player: int) -> float:
        """A race: the cells that the other has still to hit, less one's own, as a share of both.

        One deal tells where the ships are; over many deals a shot is worth as much more as a ship is likely there.
        """
        mine, theirs = self.afloat(state, player), self.afloat(state, 1 - player)
        return 0.98 * (theirs - mine) / (theirs + mine)

    def afloat(self, state: Sea, player: int) -> int:
        """How many cells of the other's ships the player has still to hit."""
        fleet = state.fleets[1 - player]
        low, high = state.shots[2 * player], state.shots[2 * player + 1]
        return self.length - popcount(low & self.taken(fleet, 0)) - popcount(high & self.taken(fleet, 1))

    # -- ships as two words of cells -----------------------------------------------------------------------

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

    # -- what a seat sees, and what it may be ------------------------------------------------------------

    def observation(self, state: Sea, player: int) -> Chart:
        other = 1 - player
        low, high = state.shots[2 * player], state.shots[2 * player + 1]
        fleet = state.fleets[other]
        return Chart(
            state.fleets[player],
            self.placed(fleet),
            (low, high),
            (low & self.taken(fleet, 0), high & self.taken(fleet, 1)),
            state.sunk[player],
            (state.shots[2 * other], state.shots[2 * other + 1]),
            state.sunk[other],
            state.mover,
        )

    def told(self, seen: Chart, player: int, fleet: int) -> Sea:
        """The state in which the other has that fleet."""
        if player == 0:
            return Sea((seen.fleet, fleet), seen.shots + seen.fire, (seen.sunk, seen.lost), seen.mover)
        return Sea((fleet, seen.fleet), seen.fire + seen.shots, (seen.lost, seen.sunk), seen.mover)

    def deal(self, observation: Chart, player: int, rng: Any) -> Sea:
        """A fleet at random out of all that agree with the chart, every one as likely as any other.

        First the ships that were hit, by how many ways that leaves for the others; then the others, each where it
        likes. Where two of these overlap, all begins again. Two bounds end what could go on for ever: of more than
        LAYOUTS ways for the ships that were hit a part stands for all, and where so little sea is left that the
        others overlap again and again, they are packed one by one, then no longer all as likely.
        """
        looked, turn = 0, 0
        while looked < PATIENCE:
            total, chosen, layouts = 0.0, 0, 0
            for hit in self.hit_ships(observation, turn):
                weight = self.ways(observation, hit)
                total += weight
                if (draw64(rng) >> 11) / (1 << 53) * total < weight:
                    chosen = hit
                layouts += 1
                if layouts == LAYOUTS:
                    break
            fleet, fits = chosen, total > 0.0
            for ship in range(observation.placed):
                if chosen >> SHIP * ship & 255 == 0 and fits:
                    low = observation.shots[0] | self.taken(chosen, 0)
                    high = observation.shots[1] | self.taken(chosen, 1)
                    number = below(rng, self.free_ways(ship, low, high))
                    place = self.free_place(ship, low, high, number)
                    fits = self.free_of(ship, place, self.taken(fleet, 0), self.taken(fleet, 1))
                    fleet |= place + 1 << SHIP * ship
            if fits or (total == 0.0 and layouts < LAYOUTS):
                return self.told(observation, player, fleet)
            looked += 1 + layouts
            turn = below(rng, len(self.option_ships)) if layouts == LAYOUTS else turn
        return self.told(observation, player, max(self.packed(observation, turn, below(rng, 256)), 0))

    def packed(self, seen: Chart, turn: int, shift: int) -> int:
        """A fleet that agrees with the chart, found by laying one ship after the other; -1 where none was found."""
        placings = 0
        for hit in self.hit_ships(seen, turn):
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

    def hit_ships(self, seen: Chart, turn: int = 0) -> Iterator[int]:
        """Every way to lay those ships that account for all hits, once each, as a fleet without the others.

        Sunk ships are laid first, through the shot that sank them; then always one through the first hit that no
        ship accounts for. `options` remembers by depth which way comes next, counted from the one called `turn`.
        """
        count = len(self.option_ships)
        options, fleet, depth = self.no_options, 0, 0
        while depth >= 0:
            target, only = self.next_target(seen, fleet)
            if target == NOTHING:
                yield fleet
            option = options[depth] if target >= 0 else count
            while option < count and self.place_of(seen, fleet, (option + turn) % count, target, only) < 0:
                option += 1
            if option < count:
                way = (option + turn) % count
                place = self.place_of(seen, fleet, way, target, only)
                fleet |= place + 1 << SHIP * self.option_ships[way]
                options = replaced(options, depth, option + 1)
                depth += 1
            else:
                options = replaced(options, depth, 0)
                depth -= 1
                if depth >= 0:
                    fleet &= ~(255 << SHIP * self.option_ships[(options[depth] - 1 + turn) % count])

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

    def place_of(self, seen: Chart, fleet: int, option: int, target: int, only: int) -> int:
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
        if not self.free_of(ship, place, seen.shots[0] & ~seen.hits[0], seen.shots[1] & ~seen.hits[1]):
            return -1
        if not self.free_of(ship, place, self.taken(fleet, 0), self.taken(fleet, 1)):
            return -1
        return place if self.inside(ship, place, seen.hits[0], seen.hits[1]) == (spot > 0) else -1

    def ways(self, seen: Chart, hit: int) -> float:
        """In how many ways the ships not hit can lie, overlaps among them included."""
        total = 1.0
        low, high = seen.shots[0] | self.taken(hit, 0), seen.shots[1] | self.taken(hit, 1)
        for ship in range(seen.placed):
            if hit >> SHIP * ship & 255 == 0:
                total *= self.free_ways(ship, low, high)
        return total

    def free_ways(self, ship: int, low: int, high: int) -> int:
        count = 0
        for place in range(self.count(ship)):
            count += 1 if self.free_of(ship, place, low, high) else 0
        return count

    def free_place(self, ship: int, low: int, high: int, number: int) -> int:
        """The placement of that number among those that touch none of the cells."""
        found = 0
        for place in range(self.count(ship)):
            if self.free_of(ship, place, low, high):
                if number == 0:
                    found = place
                number -= 1
        return found

    def deals(self, observation: Chart, player: int) -> Iterator[tuple[Sea, float]]:
        """Every fleet that agrees with the chart, all equally likely; refuses where they are too many to list."""
        hit_ships = list(self.hit_ships(observation))
        check_listable(self, sum(self.ways(observation, hit) for hit in hit_ships), "fleets, counted with overlaps,")
        fleets = []
        for hit in hit_ships:
            found = [hit]
            for ship in range(observation.placed):
                if hit >> SHIP * ship & 255 == 0:
                    found = [
                        fleet | place + 1 << SHIP * ship
                        for fleet in found
                        for place in range(self.count(ship))
                        if self.free_of(ship, place, *self._closed(observation, fleet))
                    ]
            fleets += found
        for fleet in fleets:
            yield self.told(observation, player, fleet), 1 / len(fleets)

    def _closed(self, seen: Chart, fleet: int) -> tuple[int, int]:
        return seen.shots[0] | self.taken(fleet, 0), seen.shots[1] | self.taken(fleet, 1)

    # -- notation ----------------------------------------------------------------------------------------

    def check_state(self, state: Any) -> str:
        placed = []
        for player, fleet in enumerate(state.fleets):
            if why := self.wrong_fleet(fleet):
                return f"{self.player_name(player)}: {why}"
            placed.append(self.placed(fleet))
        shots = [state.shots[2 * player] | state.shots[2 * player + 1] << HALF for player in range(2)]
        if any(not 0 <= word < 1 << HALF for word in state.shots) or max(shots) >= 1 << self.cells:
            return "there are shots outside the sea"
        if placed != [self.ships] * 2:
            if placed[1] and placed[0] < self.ships:
                return "the second player places ships when the first has"
            if any(shots) or any(state.sunk) or state.mover != (placed[0] == self.ships):
                return "the game begins when all ships are placed, the first player's first"
            return ""
        if state.mover not in (0, 1) or shots[0].bit_count() - shots[1].bit_count() != state.mover:
            return "the players shoot in turn, the first player first"
        for player in range(2):
            if state.sunk[player] != self.sinkings(state, player, shots[player]):
                return "a ship is sunk when all its cells are hit, by a shot on one of them"
        return "whoever has sunk all ships cannot be to move" if self.all_sunk(state.sunk[state.mover]) else ""

    def wrong_fleet(self, fleet: int) -> str:
        """What is wrong with a fleet; empty where nothing is."""
        if not 0 <= fleet < 1 << SHIP * self.placed(fleet) or self.placed(fleet) > self.ships:
            return f"ships are placed in order, and there are {self.ships}"
        low = high = 0
        for ship in range(self.placed(fleet)):
            place = (fleet >> SHIP * ship & 255) - 1
            if place >= self.count(ship) or not self.free_of(ship, place, low, high):
                return f"ship {ship + 1} lies outside the sea or on another ship"
            low, high = low | self.mask(ship, place, 0), high | self.mask(ship, place, 1)
        return ""

    def sinkings(self, state: Any, player: int, shots: int) -> int:
        """The sinkings of a player as the state has them, as far as fleet and shots allow; -1 where one is missing."""
        found, fleet, sunk = 0, state.fleets[1 - player], state.sunk[player]
        for ship in range(self.ships):
            place, spot = (fleet >> SHIP * ship & 255) - 1, sunk >> SPOT * ship & 127
            if self.inside(ship, place, *_words(shots)):
                if not 1 <= spot <= self.cells or not self.covers(ship, place, spot - 1):
                    return -1
                found |= spot << SPOT * ship
        return found

    def cells_of(self, ship: int, place: int) -> list[int]:
        return [cell for cell in range(self.cells) if self.covers(ship, place, cell)]

    def placement_text(self, ship: int, place: int) -> str:
        cells = self.cells_of(ship, place)
        return f"{square_name(cells[0], self.size)}-{square_name(cells[-1], self.size)}"

    def looked_at(self, view: Any) -> Sea:
        """A state for notation's sake: the state itself, or one that looks like what the mover sees."""
        return self.deal(view, int(view.mover), seeded(1)) if isinstance(view, Chart) else view

    def format_action(self, state: Any, action: int) -> str:
        """A placement or a cell; in place of a state the mover's view will do."""
        ship = self.placed(int(state.fleet if isinstance(state, Chart) else state.fleets[int(state.mover)]))
        return self.placement_text(ship, int(action)) if ship < self.ships else square_name(int(action), self.size)

    def parse_action(self, state: Any, text: str) -> int:
        state = self.looked_at(state)
        ship = self.placed(int(state.fleets[int(state.mover)]))
        if ship < self.ships:
            return legal_action(self, state, self._read_placement(ship, text), text)
        return legal_action(self, state, square_cell(text, self.size, self.size), text)

    def _read_placement(self, ship: int, text: str) -> int | None:
        ends = [square_cell(part, self.size, self.size) for part in text.strip().split("-")]
        for place in range(int(self.count(ship))):
            cells = self.cells_of(ship, place)
            if ends in ([cells[0], cells[-1]], [cells[-1], cells[0]]):
                return place
        return None

    def fleet_text(self, fleet: int) -> str:
        placed = range(self.placed(fleet))
        return " ".join(self.placement_text(ship, (fleet >> SHIP * ship & 255) - 1) for ship in placed) or "-"

    def shots_text(self, shots: Any, hits: Any, sunk: int) -> str:
        sinkings = {(sunk >> SPOT * ship & 127) - 1: ship + 1 for ship in range(self.ships)}
        words = []
        for cell in range(self.cells):
            if int(shots[cell // HALF]) >> cell % HALF & 1:
                hit = int(hits[cell // HALF]) >> cell % HALF & 1
                mark = f"#{sinkings[cell]}" if cell in sinkings else "+" if hit else ""
                words.append(square_name(cell, self.size) + mark)
        return " ".join(words) or "-"

    def format_observation(self, observation: Any, player: int) -> str:
        """Own ships | own shots | the other's shots."""
        fleet = int(observation.fleet)
        struck = [int(observation.fire[word]) & self.taken(fleet, word) for word in range(2)]
        parts = [
            self.fleet_text(fleet),
            self.shots_text(observation.shots, observation.hits, int(observation.sunk)),
            self.shots_text(observation.fire, struck, int(observation.lost)),
        ]
        return " | ".join(parts)

    def parse_observation(self, text: str, player: int) -> Chart:
        """What the player to move sees; raises BadInput where no fleet agrees with it."""
        parts = [*text.split("|"), "", ""] if text.count("|") <= 2 else []
        fleet = 0
        for ship, word in enumerate(parts[0].replace(" - ", " ").split() if parts else ["?"]):
            place = self._read_placement(ship, word) if ship < self.ships else None
            if word == "-" and ship == 0:
                break
            if place is None or not self.free_of(ship, place, self.taken(fleet, 0), self.taken(fleet, 1)):
                raise BadInput(
                    f"{text!r} is not what a player of {self.name} sees: {word!r} cannot be ship {ship + 1}; write own "
                    "ships | own shots | the other's shots, such as 'a1-c1 a2-b2 | b3 c1+ | a4'"
                )
            fleet |= place + 1 << SHIP * ship
        shots, hits, sunk = self._read_shots(parts[1], text)
        fire, struck, lost = self._read_shots(parts[2], text)
        waiting = self.placed(fleet) < self.ships
        placed = 0 if waiting and player == 0 else self.ships
        seen = Chart(fleet, placed, _words(shots), _words(hits), sunk, _words(fire), lost, player)
        mine = self.taken(fleet, 0) | self.taken(fleet, 1) << HALF
        turns = shots.bit_count() + player == fire.bit_count() or (waiting and not shots and not fire)
        if not turns or struck != fire & mine or (waiting and shots | fire) or self.all_sunk(lost):
            raise BadInput(f"{text!r}: player {player + 1} of {self.name} cannot see that and be to move")
        if self.packed(seen, 0, 0) < 0:
            raise BadInput(f"{text!r}: no fleet of {self.name} agrees with those shots")
        return seen

    def _read_shots(self, part: str, text: str) -> tuple[int, int, int]:
        """The cells shot at, those hit, and the sinkings."""
        shots = hits = sunk = 0
        for word in part.replace("-", " ").split():
            found = re.fullmatch(r"([a-z][0-9]+)(\+|#[1-7])?", word.lower())
            cell = square_cell(found[1], self.size, self.size) if found else None
            if found is None or cell is None or shots >> cell & 1:
                raise BadInput(
                    f"{text!r}: {word!r} is no shot of {self.name}, or is there twice; write b3, b3+ or b3#1"
                )
            shots |= 1 << cell
            hits |= 1 << cell if found[2] else 0
            if found[2] and found[2] != "+":
                ship = int(found[2][1:]) - 1
                if ship >= self.ships or sunk >> SPOT * ship & 127:
                    raise BadInput(f"{text!r}: {word!r} sinks a ship that {self.name} has not, or twice")
                sunk |= cell + 1 << SPOT * ship
        return shots, hits, sunk

    # -- picture -----------------------------------------------------------------------------------------

    def picture(self, state: Any, last: int | None = None) -> Picture:
        seas = [self.sea_signs(state.fleets[p], state.shots[2 - 2 * p : 4 - 2 * p], None) for p in range(2)]
        words = [f"{self.player_name(p)}{self.sunk_text(', lost', state.sunk[1 - p])}" for p in range(2)]
        return self.drawn(seas, " | ".join(words))

    def picture_for(self, observation: Any, player: int) -> Picture:
        """The own sea at the left; at the right what is known of the other's."""
        own = self.sea_signs(observation.fleet, observation.fire, None)
        other = self.sea_signs(0, observation.shots, observation.hits)
        words = f"own sea{self.sunk_text(', lost', observation.lost)} | the other's"
        placing = self.placed(int(observation.fleet)) < self.ships
        return self.drawn([own, other], words + self.sunk_text(", sunk", observation.sunk), 0 if placing else 1)

    def sunk_text(self, word: str, sunk: Any) -> str:
        """The numbers of the ships that are sunk, after the word; empty where none is."""
        gone = [str(ship + 1) for ship in range(self.ships) if int(sunk) >> SPOT * ship & 127]
        return f"{word} ship {' and '.join(gone)}" if gone else ""

    def sea_signs(self, fleet: Any, shots: Any, hits: Any) -> str:
        """Ships as their numbers, o a miss, x a hit; `hits` where the fleet is not known."""
        signs = []
        for cell in range(self.cells):
            ship = next((s for s in range(self.ships) if self._lies(int(fleet), s, cell)), None)
            shot = int(shots[cell // HALF]) >> cell % HALF & 1
            hit = ship is not None if hits is None else int(hits[cell // HALF]) >> cell % HALF & 1
            signs.append(("x" if hit else "o") if shot else "." if ship is None else str(ship + 1))
        return "".join(signs)

    def _lies(self, fleet: int, ship: int, cell: int) -> bool:
        place = fleet >> SHIP * ship & 255
        return place > 0 and bool(self.covers(ship, place - 1, cell))

    def drawn(self, seas: list[str], caption: str, aim: int | None = None) -> Picture:
        """Both seas; the names of places are those in the one that moves `aim` at."""
        rows = range(0, self.cells, self.size)
        letters = LETTERS[: self.size]
        names = [[square_name(row + column, self.size) for column in range(self.size)] for row in rows]
        nothing = [""] * self.size
        places = [[*(line if aim == 0 else nothing), "", *(line if aim == 1 else nothing)] for line in names]
        return board(
            "".join(f"{seas[0][row : row + self.size]} {seas[1][row : row + self.size]}" for row in rows),
            2 * self.size + 1,
            {"x": Piece("cross", "first-ink"), "o": Piece("ring", "second-ink")},
            look="paper",
            column_names=[*letters, " ", *letters],
            places=[name for line in places for name in line],
            caption=caption,
        )


def _words(mask: int) -> tuple[int, int]:
    return mask & (1 << HALF) - 1, mask >> HALF
