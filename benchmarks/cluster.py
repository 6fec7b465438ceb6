"""What a Dask cluster costs: games at a fixed number of nodes here, on one and on two workers, and short ones on four.

python benchmarks/cluster.py [GAMES]

The overhead per game is the wall time of games of random players on four workers, less that of the same games without
a cluster, by the number of games. On a machine that others use as well, what the processor did says more: the same in
the time of this process, the scheduler and the workers together.
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

import psutil

from measure import Row
from plywright.arena.match import play_match
from plywright.arena.standings import Standings
from plywright.cluster.executor import Cluster

GAME, MODE = "connect-four", "nodes:20000"
PLAYERS, SHORT = ("search", "search"), ("random", "first")


class Spent(NamedTuple):
    """What games took."""

    wall: float
    used: float
    """Seconds of processors, of all processes together."""


def used() -> float:
    """Processor time of this process and of those it has started."""
    here = psutil.Process()
    return sum(sum(each.cpu_times()[:2]) for each in (here, *here.children(recursive=True)))


def timed(folder: Path, name: str, cluster: Cluster | None, players: tuple[str, str], games: int, mode: str) -> Spent:
    """What a match takes, after a short one that makes workers ready."""
    facts = {"mode": mode, "opening": "random:6", "executor": cluster}
    play_match(players, GAME, games=8, record=folder / f"{name}-ready.run", **facts)  # type: ignore[arg-type]
    began, before = time.monotonic(), used()
    found: Standings = play_match(players, GAME, games=games, record=folder / f"{name}.run", **facts)  # type: ignore[arg-type]
    spent = Spent(time.monotonic() - began, used() - before)
    inside = sum(outcome.seconds for outcome in found.progress.counted.values())
    print(
        f"{name:>10}: {games} games in {spent.wall:6.1f} s, {games / spent.wall:6.2f}/s; {spent.used:6.1f} s of "
        f"processor time; in the games themselves {inside:6.1f} s",
        file=sys.stderr,
    )
    return spent


def on(workers: int, folder: Path, players: tuple[str, str], games: int, mode: str) -> Spent:
    cluster = Cluster(f"local:{workers}")
    try:
        cluster.count()
        return timed(folder, f"local:{workers}", cluster, players, games, mode)
    finally:
        cluster.shutdown()


def rows(games: int = 60) -> list[Row]:
    many = 20 * games
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        here = timed(folder, "here", None, PLAYERS, games, MODE)
        one, two = (on(workers, folder, PLAYERS, games, MODE) for workers in (1, 2))
        short = on(4, folder, SHORT, many, "depth:1")
        alone = timed(folder, "short here", None, SHORT, many, "depth:1")
    overhead = 1000 * max(short.wall - alone.wall, 0.0) / many
    worked = 1000 * (short.used - alone.used) / many
    detail = {"games": games, "here": here, "one": one, "two": two, "short": short, "alone": alone}
    return [
        Row(
            "a match on a cluster, two workers",
            f"{games / two.wall:.1f} games/s",
            f"one worker: {games / one.wall:.1f}; without a cluster: {games / here.wall:.1f}",
            one.wall / two.wall,
            "stated",
            None,
            detail,
        ),
        Row(
            "a game on a cluster, four workers",
            f"{overhead:.2f} ms",
            f"more than here; {worked:.2f} ms more of processor time",
            None,
            "stated",
            None,
            detail,
        ),
    ]


def main() -> None:
    for row in rows(*map(int, sys.argv[1:2])):
        print(f"{row.name}: {row.ours} ({row.theirs})")


if __name__ == "__main__":
    main()
