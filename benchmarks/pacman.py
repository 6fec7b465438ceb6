"""Pac-Man: successors per second, alpha-beta per move, and the games of the table of assumptions."""

from __future__ import annotations

import os
import statistics
from functools import partial

from measure import Row, seconds, short
from plywright import perft
from plywright.games.pacman.rules import Pacman
from plywright.pacman.agents import SearchAgent
from plywright.pacman.assumptions import assumptions

LAYOUT = "medium"  # two ghosts
PLIES = 24
CLASSIC = "12 k/s in the classic Python implementation"


def successors() -> Row:
    """States made a second: every line of so many plies, walked to its end."""
    game = Pacman(LAYOUT)
    perft(game, 3)
    counts = sum(perft(game, plies) for plies in range(1, PLIES + 1))  # every state below the root, once
    spent, _ = seconds(lambda: perft(game, PLIES))
    rate = counts / spent
    return Row(
        f"Pac-Man on {LAYOUT} (two ghosts), successors",
        f"{rate / 1e6:.1f} M/s",
        CLASSIC,
        rate / 12_000,
        ">= 5 M/s",
        rate >= 5e6,
        {"successors": counts, "seconds": spent},
    )


def alpha_beta() -> Row:
    """A move to depth 4 (twelve plies), over scattered states."""
    game = Pacman(LAYOUT)
    agent = SearchAgent("alphabeta", 4)
    agent.search(game, game.start_state, 0)
    states = [game.scattered(seed) for seed in range(40)]
    times = [seconds(partial(agent.search, game, state, 0))[0] for state in states]
    median = statistics.median(times)
    return Row(
        f"Pac-Man on {LAYOUT}, alpha-beta to depth 4, median of 40 moves",
        short(median),
        f"slowest {short(max(times))}",
        None,
        "< 20 ms",
        median < 0.02,
    )


def table_of_assumptions() -> Row:
    jobs = min(os.cpu_count() or 1, 2)
    spent, _ = seconds(lambda: assumptions("den", 200, jobs=jobs))
    return Row(
        f"Pac-Man, 800 games of the assumptions in {jobs} processes", short(spent), "-", None, "< 300 s", spent < 300
    )


def rows() -> list[Row]:
    return [successors(), alpha_beta(), table_of_assumptions()]
