"""Programs that play alike: the same moves in the same positions. What that means is for people to judge.

Two programs are alike where every position that both have met, with a choice to make, was answered by the same move,
and there are enough of them. Positions are told apart by the moves that led to them. A choice that random numbers make
hides two equal programs; where programs are the same files, that is said without any game.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import combinations

from ..arena.records.replaying import steps
from ..arena.records.run_file import Records
from ..errors import PlywrightError
from ..game import Game
from .check import Check

ENOUGH = 8
"""Different positions with a choice in which two programs must have done the same."""


@dataclass(frozen=True)
class Twins:
    """Two programs that play alike, or are the same files."""

    one: str
    two: str
    positions: int
    """Different positions, with a choice, in which both moved, and moved alike; 0 where files alone tell."""
    same_files: bool
    of: str = "position"
    """What was compared."""

    def words(self) -> str:
        parts = ["the same files"] if self.same_files else []
        moves = (
            f"the same move in all {self.positions} {self.of}s that both {'met' if self.of == 'position' else 'played'}"
        )
        parts += [moves] if self.positions else []
        return f"{self.one} and {self.two}: {', and '.join(parts)}"


def find_twins(
    records: Records | None, game: Game, players: Mapping[int, str], same: Iterable[tuple[str, str]]
) -> list[Twins]:
    """The pairs among some players of a record that are alike; `same` are those whose files are equal."""
    alike = {} if records is None else _alike(records, game, players)
    files = set(same)
    pairs = sorted(files.union(alike))
    return [Twins(one, two, alike.get((one, two), 0), (one, two) in files) for one, two in pairs]


def same_files(checks: Iterable[Check]) -> list[tuple[str, str]]:
    """The pairs of students whose submissions are the same files."""
    found: dict[str, list[str]] = defaultdict(list)
    for check in checks:
        if check.place and check.about:
            found[check.content].append(check.name)
    return [pair for names in found.values() for pair in combinations(sorted(names), 2)]


def _alike(records: Records, game: Game, players: Mapping[int, str]) -> dict[tuple[str, str], int]:
    lines = _lines(records)
    choices: dict[int, dict[int, int]] = defaultdict(dict)  # player: position: action
    wavering: dict[int, set[int]] = defaultdict(set)  # player: positions in which it has done several things
    where: dict[int, tuple[int, int]] = {}  # position: a game in which it came up, and its ply
    for number, (seats, start, plies) in lines.items():
        place = hash((start,))
        for ply, (seat, action) in enumerate(plies):
            player = seats[seat] if seat >= 0 else -1
            if player in players:
                where.setdefault(place, (number, ply))
                if choices[player].setdefault(place, action) != action:
                    wavering[player].add(place)
            place = hash((place, action))
    found: dict[tuple[str, str], int] = {}
    options = _Options(records, game)
    for one, two in combinations(sorted(players), 2):
        shared = choices[one].keys() & choices[two].keys()
        if len(shared) < ENOUGH or wavering[one] & shared or wavering[two] & shared:
            continue
        if all(choices[one][place] == choices[two][place] for place in shared):
            count = sum(options.several(*where[place]) for place in shared)
            if count >= ENOUGH:
                first, second = sorted((players[one], players[two]))
                found[first, second] = count
    return found


def _lines(records: Records) -> dict[int, tuple[tuple[int, ...], str, list[tuple[int, int]]]]:
    """Every counted game: who sat where, how it began, and who did what."""
    rows = records.connection.execute(
        "SELECT game, seats, start, attempt FROM games WHERE payoffs IS NOT NULL ORDER BY game"
    ).fetchall()
    units = {outcome.game: outcome.seats for outcome in records.outcomes() if outcome.payoffs is not None}
    found: dict[int, tuple[tuple[int, ...], str, list[tuple[int, int]]]] = {
        number: (units[number], start, []) for number, _, start, _ in rows
    }
    attempts = {number: attempt for number, _, _, attempt in rows}
    moves = records.connection.execute("SELECT game, attempt, seat, action FROM plies ORDER BY game, attempt, ply")
    for number, attempt, seat, action in moves:
        if attempts.get(number) == attempt:
            found[number][2].append((seat, action))
    return found


class _Options:
    """How many moves there were to choose from, at places of games that are played over once each."""

    def __init__(self, records: Records, game: Game) -> None:
        self.records, self.game = records, game
        self.known: dict[int, list[bool]] = {}

    def several(self, number: int, ply: int) -> bool:
        if number not in self.known:
            self.known[number] = self._played_over(number)
        return ply < len(self.known[number]) and self.known[number][ply]

    def _played_over(self, number: int) -> list[bool]:
        _, record = self.records.game(number)
        game = self.game
        try:
            states = [step.state for step in steps(game, record)]
        except PlywrightError:
            return []
        own = states[len(states) - len(record.plies) - 1 : -1]
        return [int(game.to_move(state)) >= 0 and len(list(game.actions(state))) > 1 for state in own]
