"""A position played to the end many times: how the final results are spread."""

from __future__ import annotations

import math
import statistics
import time
from collections import Counter
from typing import Any, NamedTuple

from ...dice import roll
from ...draw import Picture
from ...draw.bars import Bar, bar_picture
from ...draw.curve import round_step
from ...engine.api import search
from ...game import Game
from ...rng import seeded
from .tree import short

DEPTH = 2
"""How deep the players of simulated games look: a move and the answer."""
SECONDS = 6.0
MOST_MOVES = 5000
"""Of one game, after which it is left out of the count."""
COLUMNS = 14
"""More different results than this are put together."""


class Played(NamedTuple):
    """Results of the games that were played, from the perspective of one player."""

    wanted: int
    results: list[float]
    mean: float
    deviation: float
    error: float
    picture: Picture


def play_out(game: Game, state: Any, hero: int, games: int, seconds: float = SECONDS, seed: int = 1) -> Played | None:
    """Play games from a state, as many as the time allows; None where not even one came to its end."""
    rng, ends = seeded(seed), time.monotonic() + seconds
    known: dict[Any, int] = {}
    results: list[float] = []
    while len(results) < games and time.monotonic() < ends:
        final = _played(game, state, rng, known, ends)
        if final is not None:
            results.append(float(game.utility(final, hero)))
    if not results:
        return None
    deviation = statistics.pstdev(results)
    return Played(
        games,
        results,
        statistics.fmean(results),
        deviation,
        deviation / math.sqrt(len(results)),
        _picture(results, game.player_name(hero)),
    )


def _played(game: Game, state: Any, rng: Any, known: dict[Any, int], ends: float) -> Any:
    """The end of one game; None where it takes too long."""
    for _ in range(MOST_MOVES):
        if game.is_terminal(state):
            return state
        if time.monotonic() > ends:
            return None
        if game.at_chance(state):
            action = roll(game, state, rng)
        elif state in known:
            action = known[state]
        else:
            best = search(game, state, depth=DEPTH).action
            assert best is not None
            action = known[state] = best
        state = game.state_after(state, action)
    return None


def _picture(results: list[float], name: str) -> Picture:
    counted = _columns(results)
    bars = [Bar(label, 100 * count / len(results), 1.0, f"{count} of {len(results)} games") for label, count in counted]
    return bar_picture(
        bars,
        label=f"final results of {len(results)} simulated games for {name}",
        x_label=f"what {name} gets in the end",
        y_label="share of games in %",
    )


def _columns(results: list[float]) -> list[tuple[str, int]]:
    """Results and how often each came; where there are many, put together in round intervals."""
    counted = Counter(results)
    if len(counted) <= COLUMNS:
        return [(short(value), counted[value]) for value in sorted(counted)]
    low, high = min(results), max(results)
    step = round_step((high - low) / (COLUMNS - 2))
    places = Counter(math.floor(value / step) for value in results)
    return [
        (f"{short(place * step)}…{short((place + 1) * step)}", places[place])
        for place in range(min(places), max(places) + 1)
    ]
