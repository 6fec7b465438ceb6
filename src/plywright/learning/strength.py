"""How strong a model has become: games by search against what the engine played before, seats swapped."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from ..arena.referee import play_game
from ..arena.schedules.openings import Opening, openings, varied
from ..arena.statistics.elo_sprt import Estimate, estimate
from ..game import Game
from ..knowledge import Knowledge
from ..outcome_text import FEWEST_GAMES, elo_text
from ..players import Mode
from ..players.searching import SearchPlayer

PAIR_SCORES = 5


@dataclass(frozen=True)
class Strength:
    """The outcome of a match against the start, from the model's side."""

    games: int
    wins: int
    draws: int
    losses: int
    elo: Estimate
    mode: str
    void: tuple[str, ...] = ()
    """Why pairs of games do not count, such as for a machine that had too much else to do: a sentence for each pair."""

    def as_dict(self) -> dict[str, Any]:
        found = {"games": self.games, "wins": self.wins, "draws": self.draws, "losses": self.losses, "mode": self.mode}
        found |= {"void": list(self.void)} if self.void else {}
        return found | {name: _finite(getattr(self.elo, name)) for name in ("elo", "low", "high")}

    def __str__(self) -> str:
        counts = f"{self.wins} won, {self.draws} drawn, {self.losses} lost"
        how = f"at {self.mode}{self._left_out()}"
        if self.games < FEWEST_GAMES:
            return f"{self.wins} of {self.games} games won against the start, too few for an Elo ({counts} {how})"
        elos = f"{elo_text(self.elo.elo)} Elo [{elo_text(self.elo.low)}, {elo_text(self.elo.high)}]"
        return f"{elos} against the start ({counts} {how})"

    def _left_out(self) -> str:
        """How many pairs do not count, and why the first of them does not."""
        if not self.void:
            return ""
        return f", {len(self.void)} {'pair' if len(self.void) == 1 else 'pairs'} void: {self.void[0]}"


def measure(
    game: Game, new: Knowledge, old: Knowledge | None, *, pairs: int, mode: str = "move:0.01s", seed: int = 1
) -> Strength:
    """Play pairs of games from different openings; `old` is the start, None what the engine plays by itself."""
    lines = openings(game, varied(game, pairs, seed), pairs, seed)
    void: list[str] = []
    return summed([play_pairs(game, new, old, lines, range(pairs), mode, seed, void=void)], mode, void)


def play_pairs(
    game: Game,
    new: Knowledge,
    old: Knowledge | None,
    lines: Sequence[Opening],
    which: Iterable[int],
    mode: str,
    seed: int,
    algorithm: str = "search",
    nodes: tuple[int, int] | None = None,
    void: list[str] | None = None,
) -> list[int]:
    """The results of both games of each of these pairs, one after the other: 0 lost, 1 drawn, 2 won.

    `nodes`: those that the new one and the old one have for a move, in the place of the mode's. `void`: takes
    down why pairs do not count.
    """
    limits = [{}, {}] if nodes is None else [{"nodes": count} for count in nodes]
    ours = SearchPlayer(algorithm, "learned", knowledge=new, **limits[0])
    theirs = SearchPlayer(algorithm, "start", **({} if old is None else {"knowledge": old}), **limits[1])
    found: list[int] = []
    for number in which:
        line = lines[number % len(lines)]
        start = None if line.position is None else game.read_state(line.position)
        for seat in (0, 1):
            players = [ours, theirs] if seat == 0 else [theirs, ours]
            record = play_game(
                game, players, mode=Mode.parse(mode), opening=line.actions, start=start, seed=seed * 100_000 + number
            )
            payoffs = record.payoffs
            if payoffs is None:  # void: it says nothing about the players, and neither does the pair
                del found[len(found) - seat :]
                if void is not None:
                    void.append(record.note or record.termination)
                break
            found.append(1 + (payoffs[seat] > payoffs[1 - seat]) - (payoffs[seat] < payoffs[1 - seat]))
    return found


def summed(parts: Iterable[Sequence[int]], mode: str, void: Sequence[str] = ()) -> Strength:
    """The outcome of all the pairs together."""
    results = [result for part in parts for result in part]
    counts = [0] * PAIR_SCORES
    for one, two in zip(results[::2], results[1::2], strict=True):
        counts[one + two] += 1
    losses, draws, wins = (results.count(result) for result in range(3))
    return Strength(len(results), wins, draws, losses, estimate(counts), mode, tuple(void))


def _finite(value: float) -> float | None:
    return round(value, 1) if math.isfinite(value) else None
