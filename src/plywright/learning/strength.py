"""How strong a model has become: games by search against what the engine played before, seats swapped."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from ..arena.elo_sprt import Estimate, estimate
from ..arena.openings import openings, varied
from ..arena.referee import play_game
from ..game import Game
from ..knowledge import Knowledge
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

    def as_dict(self) -> dict[str, Any]:
        found = {"games": self.games, "wins": self.wins, "draws": self.draws, "losses": self.losses, "mode": self.mode}
        return found | {name: _finite(getattr(self.elo, name)) for name in ("elo", "low", "high")}

    def __str__(self) -> str:
        return (
            f"{_elo(self.elo.elo)} Elo [{_elo(self.elo.low)}, {_elo(self.elo.high)}] against the start "
            f"({self.wins} won, {self.draws} drawn, {self.losses} lost at {self.mode})"
        )


def measure(
    game: Game, new: Knowledge, old: Knowledge | None, *, pairs: int, mode: str = "move:0.01s", seed: int = 1
) -> Strength:
    """Play pairs of games from different openings; `old` is the start, None what the engine plays by itself."""
    ours = SearchPlayer("search", "learned", knowledge=new)
    theirs = SearchPlayer("search", "start", **({} if old is None else {"knowledge": old}))
    lines = openings(game, varied(game, pairs, seed), pairs, seed)
    counts, results = [0] * PAIR_SCORES, [0, 0, 0]
    for number in range(pairs):
        line = lines[number % len(lines)]
        start = None if line.position is None else game.read_state(line.position)
        total = 0
        for seat in (0, 1):
            players = [ours, theirs] if seat == 0 else [theirs, ours]
            record = play_game(
                game, players, mode=Mode.parse(mode), opening=line.actions, start=start, seed=seed * 100_000 + number
            )
            paid = (record.payoffs or (0.0, 0.0))[seat] - (record.payoffs or (0.0, 0.0))[1 - seat]
            result = 1 + (paid > 0) - (paid < 0)
            results[result] += 1
            total += result
        counts[total] += 1
    losses, draws, wins = results
    return Strength(2 * pairs, wins, draws, losses, estimate(counts), mode)


def _elo(value: float) -> str:
    return f"{value:+.0f}" if math.isfinite(value) else "+∞" if value > 0 else "-∞"


def _finite(value: float) -> float | None:
    return round(value, 1) if math.isfinite(value) else None
