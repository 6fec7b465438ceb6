"""What a Dask cluster costs: games at a fixed number of nodes here, on one and on two workers, and short ones on four.

python benchmarks/cluster.py [GAMES]

The overhead per game is the wall time of games of random players on four workers, less that of the same games without
a cluster, by the number of games.
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

from measure import Row
from plywright.arena.match import play_match
from plywright.arena.standings import Standings
from plywright.cluster.executor import Cluster

GAME, MODE = "connect-four", "nodes:20000"
PLAYERS, SHORT = ("search", "search"), ("random", "first")


def timed(folder: Path, name: str, cluster: Cluster | None, players: tuple[str, str], games: int, mode: str) -> float:
    """Wall seconds of a match, after a short one that makes workers ready."""
    facts = {"mode": mode, "opening": "random:6", "executor": cluster}
    play_match(players, GAME, games=8, record=folder / f"{name}-ready.run", **facts)  # type: ignore[arg-type]
    began = time.monotonic()
    found: Standings = play_match(players, GAME, games=games, record=folder / f"{name}.run", **facts)  # type: ignore[arg-type]
    spent = time.monotonic() - began
    inside = sum(outcome.seconds for outcome in found.progress.counted.values())
    print(
        f"{name:>10}: {games} games in {spent:6.1f} s, {games / spent:6.2f}/s; in the games themselves {inside:6.1f} s",
        file=sys.stderr,
    )
    return spent


def on(workers: int, folder: Path, players: tuple[str, str], games: int, mode: str) -> float:
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
    overhead = 1000 * max(short - alone, 0.0) / many
    detail = {"games": games, "here": here, "one": one, "two": two, "short": short, "alone": alone}
    return [
        Row(
            "a match on a cluster, two workers",
            f"{games / two:.1f} games/s",
            f"one worker: {games / one:.1f}; without a cluster: {games / here:.1f}",
            one / two,
            "stated",
            None,
            detail,
        ),
        Row("a game on a cluster, four workers", f"{overhead:.2f} ms", "more than here", None, "stated", None, detail),
    ]


def main() -> None:
    for row in rows(*map(int, sys.argv[1:2])):
        print(f"{row.name}: {row.ours} ({row.theirs})")


if __name__ == "__main__":
    main()
