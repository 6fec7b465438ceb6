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

from ...bits import popcount, replaced
from ...draw import Picture
from ...draw.board import LETTERS, Piece, board
from ...errors import BadInput
from ...knowledge import Knowledge
from ...rng import below, draw64, seeded
from ..deal_counts import check_listable
from ..notation import legal_action, square_cell, square_name, whole_number
from .fleets import HALF, SHIP, SPOT, Chart, Fleets, placements, roomy, words

NO_COVERS = (0,) * 8
COVERS = 1 << 15
"""Ways to explain the hits which one try of a deal looks at."""
PATIENCE = 1 << 16
"""Tries and covers that a deal looks at before it packs ships one by one."""


class Sea(NamedTuple):
    """By player: the fleet, the shots fired (two words each), and where shots of that player sank which ship."""

    fleets: tuple[int, int]
    shots: tuple[int, int, int, int]
    sunk: tuple[int, int]
    mover: int


class BattleshipKnowledge(Knowledge):
    """The evaluation is the game's own, asked at once: a shot at random tells less than where the ships may be."""

    cutoff = 0


class Battleship(Fleets):
    """Find and sink a fleet that is not seen."""

    how_to_play = (
        "Each player places a fleet on a sea of its own that the other does not see. By turns they shoot at a "
        "square and are told whether it was water, a hit, or a ship sunk. Whoever has sunk the whole enemy fleet "
        "wins."
    )

    runtime = ("masks", "starts")
    knowledge = BattleshipKnowledge

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
        self.lengths = tuple(lengths)
        self.ships = len(lengths)
        self.length = sum(lengths)
        tables = [placements(self.size, length) for length in lengths]
        self.starts = np.cumsum([0, *map(len, tables)]).astype(np.int64)
        self.masks = np.array([word for table in tables for mask in table for word in words(mask)], np.int64)
        self.max_actions = max(self.cells, *map(len, tables))
        options = [(ship, back) for ship, n in enumerate(lengths) for back in range(2 * n if n > 1 else 1)]
        self.option_ships = tuple(ship for ship, _ in options)
        self.option_backs = tuple(back for _, back in options)  # cells before the target along a row, then a column
        self.no_options = (0,) * (self.ships + 1)
        self.roomy = roomy(self.size, lengths)
        tails = [sorted(range(first, self.ships), key=lambda ship: -lengths[ship]) for first in range(self.ships)]
        self.tails = tuple(ship for first, tail in enumerate(tails) for ship in [*tail, *[0] * first])
        if not self.rest_fits(0, 0):
            raise BadInput(f"ships {ships} do not fit on {self.cells} cells; take fewer or a larger size")

    # -- rules -------------------------------------------------------------------------------------

    def initial(self) -> Sea:
        return Sea((0, 0), (0, 0, 0, 0), (0, 0), 0)

    def to_move(self, state: Sea) -> int:
        return state.mover

    def actions(self, state: Sea) -> Iterator[int]:
        """Placements of the next ship by number, where the rest still finds room; then cells to shoot at."""
        mover = state.mover
        fleet = state.fleets[mover]
        ship = self.placed(fleet)
        if ship < self.ships:
            low, high = self.taken(fleet, 0), self.taken(fleet, 1)
            for place in range(self.count(ship)):
                after = fleet | place + 1 << SHIP * ship
                if self.free_of(ship, place, low, high) and (self.roomy or self.rest_fits(after, ship + 1)):
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
        if self.is_terminal(state):
            return 1.0 * self.utility(state, player)
        mine, theirs = self.afloat(state, player), self.afloat(state, 1 - player)
        return 0.98 * (theirs - mine) / (theirs + mine)

    def afloat(self, state: Sea, player: int) -> int:
        """How many cells of the other's ships the player has still to hit."""
        fleet = state.fleets[1 - player]
        low, high = state.shots[2 * player], state.shots[2 * player + 1]
        return self.length - popcount(low & self.taken(fleet, 0)) - popcount(high & self.taken(fleet, 1))

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

        First which ship covers which hits, by how many ways that leaves if ships could overlap elsewhere; then each
        ship where it can lie with those hits and no other shot. Where two overlap, the next try begins anew; the
        covers of several tries are drawn in one go, since to go through all covers takes longest. Two bounds end what
        could go on for ever: of more than COVERS a part stands for all, and where so little sea is left that ships
        overlap again and again, they are packed one by one, then no longer all as likely.
        """
        low, high = observation.shots
        free = self.no_options
        for ship in range(observation.placed):
            free = replaced(free, ship, self.number_like(ship, 0, 0, low, high))
        fleet, fits, looked = 0, False, 0
        while not fits and looked < PATIENCE:
            total, chosen, covers = 0.0, NO_COVERS, 0
            for cover, alike in self.hit_ships(observation, True):
                weight = alike * self.ways(observation, cover, free)
                total += weight
                for pick in range(len(chosen)):
                    if (draw64(rng) >> 11) / (1 << 53) * total < weight:
                        chosen = replaced(chosen, pick, cover)
                covers += 1
                if covers == COVERS:
                    break
            looked += covers + len(chosen)
            if total == 0.0 and covers < COVERS:
                return self.told(observation, player, 0)
            for pick in range(len(chosen)):
                if not fits and total > 0.0:
                    fleet, fits = 0, True
                    for ship in range(observation.placed):
                        if fits:
                            place = self.lying(ship, chosen[pick], low, high, rng)
                            fits = self.free_of(ship, place, self.taken(fleet, 0), self.taken(fleet, 1))
                            fleet |= place + 1 << SHIP * ship
        if not fits:
            fleet = max(self.packed(observation, below(rng, 256)), 0)
        return self.told(observation, player, fleet)

    def lying(self, ship: int, cover: int, low: int, high: int, rng: Any) -> int:
        """A placement at random that covers the same of the shots as the ship does in the cover."""
        hit_low, hit_high = low & self.part(cover, ship, 0), high & self.part(cover, ship, 1)
        number = below(rng, self.number_like(ship, hit_low, hit_high, low, high))
        return self.place_like(ship, hit_low, hit_high, low, high, number)

    def deals(self, observation: Chart, player: int) -> Iterator[tuple[Sea, float]]:
        """Every fleet that agrees with the chart, all equally likely; refuses where they are too many to list."""
        found = [hit for hit, _ in self.hit_ships(observation, False)]
        count = 0.0
        for hit in found:
            low, high = observation.shots[0] | self.taken(hit, 0), observation.shots[1] | self.taken(hit, 1)
            free = tuple(self.number_like(ship, 0, 0, low, high) for ship in range(observation.placed))
            count += self.ways(observation, hit, free)
        check_listable(self, count, "fleets, counted with overlaps,")
        fleets = [fleet for hit in found for fleet in self.completed(observation, hit, 0)]
        for fleet in fleets:
            yield self.told(observation, player, fleet), 1 / len(fleets)

    def earlier(self, state: Sea, observation: Chart, player: int) -> Sea:
        """The other's ships as far as they were placed by then."""
        return self.told(observation, player, state.fleets[1 - player] & (1 << SHIP * observation.placed) - 1)

    def completed(self, seen: Chart, fleet: int, ship: int) -> Iterator[int]:
        """The fleets that this one becomes when the ships it lacks, from this one on, lie where no shot fell."""
        if ship == seen.placed:
            yield fleet
        elif fleet >> SHIP * ship & 255:
            yield from self.completed(seen, fleet, ship + 1)
        else:
            low, high = seen.shots[0] | self.taken(fleet, 0), seen.shots[1] | self.taken(fleet, 1)
            for place in range(self.count(ship)):
                if self.free_of(ship, place, low, high):
                    yield from self.completed(seen, fleet | place + 1 << SHIP * ship, ship + 1)

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
            if self.inside(ship, place, *words(shots)):
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
        seen = Chart(fleet, placed, words(shots), words(hits), sunk, words(fire), lost, player)
        mine = self.taken(fleet, 0) | self.taken(fleet, 1) << HALF
        turns = shots.bit_count() + player == fire.bit_count() or (waiting and not shots and not fire)
        if not turns or struck != fire & mine or (waiting and shots | fire) or self.all_sunk(lost):
            raise BadInput(f"{text!r}: player {player + 1} of {self.name} cannot see that and be to move")
        if self.packed(seen, 0) < 0:
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
        return self.drawn(seas, f"left: {words[0]}; right: {words[1]}")

    def picture_for(self, observation: Any, player: int) -> Picture:
        """The own sea at the left; at the right what is known of the other's."""
        own = self.sea_signs(observation.fleet, observation.fire, None)
        other = self.sea_signs(0, observation.shots, observation.hits)
        words = f"left: own sea{self.sunk_text(', lost', observation.lost)}; right: the other's"
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
            {"x": Piece("burst", ""), "o": Piece("splash", ""), **{str(n): Piece("ship", "") for n in range(1, 10)}},
            look="sea",
            column_names=[*letters, " ", *letters],
            places=[name for line in places for name in line],
            caption=caption,
        )
