"""Who plays whom, from where, in which seats: a run as a list of games, fixed before the first or stage by stage.

A run is divided into rounds. A round is one opening for one set of players, played once from every
seat, with the same dice and deals: a pair of games for two players. A game is keyed by its pairing,
opening, seats and seed, so that playing it again anywhere gives nothing new to count.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any, NamedTuple

from ...collector import collector_paused
from ...errors import BadInput
from .openings import Opening
from .pairing import ROUND_ROBIN, Stage, System, parse_system

MATCH, TOURNAMENT = "match", "tournament"


WIDE = 1 << 48
"""Seeds of runs from here on are secrets: the seeds of their games have 63 bits, which nobody can try one by one."""


@dataclass(frozen=True)
class Entrant:
    """A player as it was written, under a name of its own, with the fingerprint of what was playing."""

    text: str
    name: str
    fingerprint: str = ""
    joins: int = 0
    """The stage in which it joined a run that had begun; 0 for those of the beginning."""
    leaves: int | None = None
    """The stage from which another player replaces it; none of its games counts then."""


@dataclass(frozen=True)
class Plan:
    """Everything that decides what a run is; two runs with equal plans are the same run."""

    kind: str
    game: str
    rules: str
    """The fingerprint of the rules."""
    seats: int
    players: tuple[Entrant, ...]
    mode: str
    games: int
    """Games of each pairing, at most."""
    source: str
    """The openings as they were asked for."""
    openings: tuple[Opening, ...]
    seed: int
    margin: float
    sprt: str | None = None
    once: bool = True
    """Whether a game that was played before counts no more: so where neither chance nor secrets make it new."""
    schedule: str = ROUND_ROBIN
    """Who meets whom: see `pairing.py`."""
    adjudicate: str | None = None
    """When a game is over by agreement: see `adjudication.py`."""

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Plan:
        players = tuple(Entrant(**player) for player in data["players"])
        openings = tuple(Opening(**{**line, "actions": tuple(line["actions"])}) for line in data["openings"])
        return cls(**{**data, "players": players, "openings": openings})

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(player.name for player in self.players)

    @cached_property
    def system(self) -> System:
        """Who meets whom."""
        joins, leaves = (
            tuple(part) for part in zip(*((each.joins, each.leaves) for each in self.players), strict=True)
        )
        return parse_system(self.schedule, len(self.players), self.seats, self.games, joins, leaves)

    @property
    def replaced(self) -> frozenset[int]:
        """The players that have been replaced by another one."""
        return frozenset(number for number, player in enumerate(self.players) if player.leaves is not None)

    @property
    def rule(self) -> str:
        """When the run stops, as a sentence."""
        if self.system.rule:
            return self.system.rule
        total = self.system.planned_games()
        if self.sprt is None:
            return f"after {total} games"
        return f"when the SPRT of {self.sprt} crosses a bound, counting rounds in order, or after {total} games"

    def rounds(self, before: Sequence[Stage] = (), first: int = 0, number: int = 1) -> list[Round]:
        """The rounds of the next stage in the order in which results count, none where the run is over.

        `first` is the number of its first round and `number` that of its first game.
        """
        return self._stage(before, first, number) if before else self._first_stage

    @cached_property
    def _first_stage(self) -> list[Round]:
        return self._stage((), 0, 1)

    def _stage(self, before: Sequence[Stage], first: int, number: int) -> list[Round]:
        found: list[Round] = []
        pairings = [_Turned.of(pairing) for pairing in self.system.pairings(before) or []]
        turns = -(-self.games // self.seats)
        turned = any(stage.results for stage in before)
        # Turn by turn over all pairings: whenever the run is interrupted, everybody has played about as much.
        with collector_paused():
            for turn in range(len(before) * turns, (len(before) + 1) * turns):
                done = turn - len(before) * turns  # rounds of this stage that every pairing has had
                for place, pairing in enumerate(pairings):
                    units = self._units(first + len(found), number, pairing, turn, done, 0 if turned else place)
                    found.append(Round(first + len(found), pairing.players, units))
                    number += len(units)
        return found

    def _units(self, round_: int, number: int, pairing: _Turned, turn: int, done: int, place: int) -> tuple[Unit, ...]:
        """The games of one round: every seat for everybody, or as many as are left of the pairing's games."""
        opening = turn % len(self.openings)
        seed = game_seed(f"{self.seed}/{pairing.text}/{opening}/{turn}", wide=self.seed >= WIDE)
        count = min(self.seats, self.games - done * self.seats)
        ways = pairing.ways
        if count < self.seats:  # games that do not fill a round give the first seat to each of the players in turn
            ways = [ways[(way + place) % self.seats] for way in range(count)]
        return tuple([Unit(number + i, round_, pairing.players, opening, seats, seed) for i, seats in enumerate(ways)])


class _Turned(NamedTuple):
    """Those who meet, in every order in which they sit."""

    players: tuple[int, ...]
    text: str
    ways: list[tuple[int, ...]]

    @classmethod
    def of(cls, players: tuple[int, ...]) -> _Turned:
        ways = [players[way:] + players[:way] for way in range(len(players))]
        return cls(players, "-".join(map(str, players)), ways)


class Unit(NamedTuple):
    """One game to play: plain data, the same wherever it is played."""

    number: int
    """From 1, in the order of the schedule."""
    round: int
    pairing: tuple[int, ...]
    opening: int
    seats: tuple[int, ...]
    """Who sits where: the player's number by seat."""
    seed: int

    @property
    def key(self) -> str:
        return "/".join(
            ("-".join(map(str, self.pairing)), str(self.opening), "-".join(map(str, self.seats)), str(self.seed))
        )


class Round(NamedTuple):
    """One opening for one set of players, from every seat."""

    number: int
    pairing: tuple[int, ...]
    units: tuple[Unit, ...]


def game_seed(words: str, wide: bool) -> int:
    """The seed of one game of a run; a hash, so that one game's seed tells nothing about another's."""
    if wide:
        return int.from_bytes(hashlib.blake2b(words.encode(), digest_size=8).digest(), "big") >> 1
    return int.from_bytes(hashlib.sha256(words.encode()).digest()[:6], "big")


def entrants(texts: Sequence[str], known: Sequence[tuple[str, str]]) -> tuple[Entrant, ...]:
    """The players from their texts, names and fingerprints; a second one of a name is told apart by a number."""
    found: list[Entrant] = []
    for text, (first, fingerprint) in zip(texts, known, strict=True):
        name, again = first, 2
        while any(name == other.name for other in found):
            name, again = f"{first} ({again})", again + 1
        found.append(Entrant(text, name, fingerprint))
    return tuple(found)


def check_size(kind: str, players: int, seats: int, games: int) -> None:
    """Refuse what cannot be scheduled."""
    if games < 1:
        raise BadInput(f"a {kind} needs at least one game, not {games}")
    if kind == MATCH and players != seats:
        raise BadInput(f"a match in a game for {seats} needs {seats} players, not {players}; try plywright tournament")
    if players < seats:
        raise BadInput(f"a game for {seats} needs at least {seats} players, not {players}")
