"""Who meets whom: round robin and gauntlet at once, Swiss system and elimination stage by stage.

A system is asked for the pairings of one stage after the other, with what the stages before brought. It is a function
of those results alone, so that a run that is resumed, or read years later, is the same run.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations

from ...errors import BadInput
from .rematches import fewest_rematches, tables

ROUND_ROBIN = "round-robin"
KNOWN = "round-robin, gauntlet, swiss, swiss:5 (stages), knockout, double-elimination"
REPLAYS = 2
"""Stages in which a tied match of an elimination is played again before the better seed goes on."""

Pairing = tuple[int, ...]


@dataclass(frozen=True)
class Stage:
    """What one stage brought: half points of each player in each pairing, in the order in which they were made."""

    results: Mapping[Pairing, Mapping[int, int]]
    gone: frozenset[int] = frozenset()
    """Players that may not go on: disqualified."""


@dataclass(frozen=True)
class System:
    """One way of pairing so many players."""

    players: int
    seats: int
    games: int
    """Games of each pairing."""
    joins: tuple[int, ...] = field(default=(), kw_only=True)
    """By player the stage in which it joins; empty where all are there from the start."""
    leaves: tuple[int | None, ...] = field(default=(), kw_only=True)
    """By player the stage from which another player replaces it; empty where nobody is replaced."""

    def __str__(self) -> str:
        raise NotImplementedError

    @property
    def rule(self) -> str:
        """When it ends, as the end of a sentence; empty where the number of games says it."""
        return ""

    @property
    def places(self) -> str:
        """How places are decided, in words; empty where ratings do."""
        return ""

    @property
    def stages_at_most(self) -> int:
        """How many stages there can be."""
        return 1

    def most_games(self) -> int:
        """The most games that this can come to."""
        raise NotImplementedError

    def planned_games(self) -> int:
        """The games that are planned, as far as that is known."""
        return self.most_games()

    @property
    def staged(self) -> bool:
        """Whether there may be a stage after the first."""
        return bool(self.rule) or any(self.joins)

    def joined(self, player: int) -> int:
        """The stage in which a player joins."""
        return self.joins[player] if self.joins else 0

    def present(self, stage: int) -> list[int]:
        """The players that take part in a stage."""
        left = [math.inf if stage is None else stage for stage in self.leaves or (None,) * self.players]
        return [player for player in range(self.players) if self.joined(player) <= stage < left[player]]

    def pairings(self, before: Sequence[Stage]) -> list[Pairing] | None:
        """The pairings of the next stage; None where there is none."""
        raise NotImplementedError

    def order(self, before: Sequence[Stage]) -> list[int] | None:
        """The players by their place, where the system says it; None leaves it to ratings."""
        return None

    def _sat_out(self, before: Sequence[Stage]) -> dict[int, int]:
        """In how many stages a player that was in had nobody to play."""
        return {
            player: sum(
                all(player not in pairing for pairing in stage.results) and player not in stage.gone
                for stage in before[self.joined(player) :]
            )
            for player in range(self.players)
        }


class FixedSystem(System):
    """A system whose pairings are known before the first game; who joins later plays those that are its own."""

    def stage_pairings(self, old: list[int], new: list[int]) -> list[Pairing]:
        """The pairings of some players in which one is new, in order."""
        raise NotImplementedError

    def planned_games(self) -> int:
        """The games of all stages together."""
        return sum(len(self.pairings_of(stage)) for stage in range(max(self.joins, default=0) + 1)) * self.games

    def pairings(self, before: Sequence[Stage]) -> list[Pairing] | None:
        return None if len(before) > max(self.joins, default=0) else self.pairings_of(len(before))

    def pairings_of(self, stage: int) -> list[Pairing]:
        there = self.present(stage)
        new = [player for player in there if self.joined(player) == stage]
        return self.stage_pairings([player for player in there if player not in set(new)], new)


class RoundRobin(FixedSystem):
    """Everybody against everybody."""

    def __str__(self) -> str:
        return ROUND_ROBIN

    def most_games(self) -> int:
        return math.comb(self.players, self.seats) * self.games

    def stage_pairings(self, old: list[int], new: list[int]) -> list[Pairing]:
        return sorted(_with_newcomer(old, new, self.seats))


class Gauntlet(FixedSystem):
    """The first player against all the others."""

    def __str__(self) -> str:
        return "gauntlet"

    def most_games(self) -> int:
        return math.comb(self.players - 1, self.seats - 1) * self.games

    def stage_pairings(self, old: list[int], new: list[int]) -> list[Pairing]:
        others = [player for player in new if player != 0]
        earlier = [player for player in old if player != 0]
        return sorted((0, *rest) for rest in _with_newcomer(earlier, others, self.seats - 1))


@dataclass(frozen=True)
class Placement(FixedSystem):
    """Each of the others against the first players, whose strength is known; the others do not meet."""

    references: int

    def __str__(self) -> str:
        return f"placement:{self.references}"

    def most_games(self) -> int:
        return self.references * (self.players - self.references) * self.games

    def stage_pairings(self, old: list[int], new: list[int]) -> list[Pairing]:
        return [(known, player) for player in new if player >= self.references for known in range(self.references)]


def _with_newcomer(old: list[int], new: list[int], size: int) -> Iterator[Pairing]:
    """All sets of so many players with at least one who is new, each in order."""
    for place, player in enumerate(new):
        for rest in combinations([*old, *new[:place]], size - 1):
            yield tuple(sorted((*rest, player)))


@dataclass(frozen=True)
class Swiss(System):
    """Players with about as many points meet, nobody twice if that can be; one without an opponent has a bye."""

    stages: int

    def __str__(self) -> str:
        return f"swiss:{self.stages}"

    @property
    def rule(self) -> str:
        return f"after {self.stages} stages of the Swiss system"

    @property
    def places(self) -> str:
        return "by points, a bye counting as a won match; then by the opponents' points (Buchholz)"

    @property
    def stages_at_most(self) -> int:
        return self.stages

    def most_games(self) -> int:
        return self.stages * (self.players // self.seats) * self.games

    def pairings(self, before: Sequence[Stage]) -> list[Pairing] | None:
        if len(before) >= self.stages:
            return None
        gone = before[-1].gone if before else frozenset()
        there = set(self.present(len(before))) - gone
        ranked = [player for player in self.order(before) if player in there]
        if len(ranked) < self.seats:
            return None
        byes = self._sat_out(before)
        if self.seats > 2:
            for _ in range(len(ranked) % self.seats):  # the last who has sat out least
                ranked.remove(min(reversed(ranked), key=lambda player: byes[player]))
            return tables(ranked, self.seats, [pairing for stage in before for pairing in stage.results])
        met = {frozenset(pairing) for stage in before for pairing in stage.results}
        first = _first_seats(before, self.players)
        found = fewest_rematches(_fields(ranked, byes), met)
        return [(one, two) if first[one] <= first[two] else (two, one) for one, two in found]

    def order(self, before: Sequence[Stage]) -> list[int]:
        """By points, then by the points of the opponents (Buchholz), then as they were entered."""
        points = [0.0] * self.players
        for stage in before:
            for results in stage.results.values():
                for player, half in results.items():
                    points[player] += half
        for player, count in self._sat_out(before).items():
            points[player] += 2 * self.games * count  # a bye is worth a won match
        buchholz = [0.0] * self.players
        for stage in before:
            for pairing in stage.results:
                for player in pairing:
                    buchholz[player] += sum(points[other] for other in pairing if other != player)
        return sorted(range(self.players), key=lambda player: (-points[player], -buchholz[player], player))


@dataclass(frozen=True)
class Elimination(System):
    """Whoever has lost so many matches is out: one for a knockout, two for double elimination.

    Players with as many lost matches meet, the best seed the worst; the order of entry is the seeding. A match that is
    tied is played again from other openings, and after that the better seed goes on.
    """

    lives: int

    def __str__(self) -> str:
        return "knockout" if self.lives == 1 else "double-elimination"

    @property
    def rule(self) -> str:
        left = "has lost a match" if self.lives == 1 else f"has lost {self.lives} matches"
        return f"when everybody but one {left}"

    @property
    def places(self) -> str:
        return "by who stayed in longest; the order of entry is the seeding"

    @property
    def stages_at_most(self) -> int:
        return self.lives * (math.ceil(math.log2(max(self.players, 2))) + 1) * (REPLAYS + 1)

    def most_games(self) -> int:
        return self.lives * self.players * self.games * (REPLAYS + 1)

    def pairings(self, before: Sequence[Stage]) -> list[Pairing] | None:
        losses, ties, _ = self._told(before)
        gone = before[-1].gone if before else frozenset()
        if again := [pairing for pairing in ties if not gone.intersection(pairing)]:
            return again
        there = self.present(len(before))
        alive = [player for player in there if losses[player] < self.lives and player not in gone]
        if len(alive) < 2:
            return None
        byes = self._sat_out(before)
        found: list[Pairing] = []
        for lost in range(self.lives):
            group = [player for player in alive if losses[player] == lost]
            if len(group) % 2:
                group.remove(min(group, key=lambda player: (byes[player], player)))
            found += [(group[i], group[-1 - i]) for i in range(len(group) // 2)]
        return found or [(alive[0], alive[1])]  # one is left in each group: they meet

    def order(self, before: Sequence[Stage]) -> list[int]:
        """Who is still in first; then by when they went out, the last one first, and by their seeds."""
        losses, _, out = self._told(before)
        never = len(before) + 1
        return sorted(range(self.players), key=lambda player: (-out.get(player, never), losses[player], player))

    def _told(self, before: Sequence[Stage]) -> tuple[list[int], list[Pairing], dict[int, int]]:
        """Lost matches by player, the ties to be played again, and the stage in which a player went out."""
        losses = [0] * self.players
        tied: dict[Pairing, int] = {}
        out: dict[int, int] = {}
        for number, stage in enumerate(before):
            for pairing, points in stage.results.items():
                loser = self._loser(pairing, points, stage.gone)
                if loser is None and tied.get(pairing, 0) < REPLAYS:
                    tied[pairing] = tied.get(pairing, 0) + 1
                    continue
                tied.pop(pairing, None)
                loser = max(pairing) if loser is None else loser
                losses[loser] += 1
                if losses[loser] >= self.lives:
                    out[loser] = number
            for player in stage.gone:
                out.setdefault(player, number)
        return losses, list(tied), out

    @staticmethod
    def _loser(pairing: Pairing, points: Mapping[int, int], gone: frozenset[int]) -> int | None:
        for player in pairing:
            if player in gone:
                return player
        one, two = pairing
        return None if points[one] == points[two] else one if points[one] < points[two] else two


def parse_system(
    text: str,
    players: int,
    seats: int,
    games: int,
    joins: tuple[int, ...] = (),
    leaves: tuple[int | None, ...] = (),
) -> System:
    """A system as it is written: round-robin, gauntlet, swiss, swiss:5, knockout, double-elimination, placement:3."""
    name, colon, number = text.strip().lower().partition(":")
    if any(joins) or any(leaves):
        plain = parse_system(text, players, seats, games)
        if any(leaves) and not isinstance(plain, FixedSystem):
            raise BadInput(f"nobody can be replaced in a {plain}: its pairings follow from results")
        return replace(plain, joins=joins, leaves=leaves)
    size = players, seats, games
    if name == "placement":
        if seats != 2 or not re.fullmatch(r"[1-9][0-9]{0,3}", number) or int(number) >= players:
            raise BadInput("placement:N sets players of a game for two against the first N of them, and there are more")
        return Placement(*size, int(number))
    if name == "swiss":
        usual = max(1, math.ceil(math.log2(max(players, 2)))) if seats == 2 else 2 * seats
        if colon and not re.fullmatch(r"[1-9][0-9]{0,2}", number):
            raise BadInput(f"swiss:N has N stages, from 1 to 999, not {number!r}")
        return Swiss(*size, int(number) if number else usual)
    if colon:
        raise BadInput(f"{name!r} takes no number; only swiss and placement do, as in swiss:5")
    if name in ("knockout", "double-elimination"):
        if seats != 2:
            raise BadInput(f"a {name} is for games of two players, not of {seats}: swiss and round-robin go on")
        return Elimination(*size, 1 if name == "knockout" else 2)
    if name in (ROUND_ROBIN, "gauntlet"):
        return RoundRobin(*size) if name == ROUND_ROBIN else Gauntlet(*size)
    raise BadInput(f"there is no schedule {text!r}; there are {KNOWN}")


def _first_seats(before: Sequence[Stage], players: int) -> list[int]:
    """How often each player has been the first of a pairing, who begins where games do not fill a round."""
    found = [0] * players
    for stage in before:
        for pairing in stage.results:
            found[pairing[0]] += 1
    return found


def _fields(ranked: list[int], byes: Mapping[int, int]) -> list[list[int]]:
    """The players to pair: all of them, or all but one of those who have sat out least, the last of them first."""
    if len(ranked) % 2 == 0:
        return [ranked]
    least = min(byes[player] for player in ranked)
    idle = [player for player in reversed(ranked) if byes[player] == least]
    return [[player for player in ranked if player != out] for out in idle]
