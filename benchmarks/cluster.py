"""What a Dask cluster costs: games at a fixed number of nodes here, on one and on two workers, and short ones on four.

python benchmarks/cluster.py [GAMES]

The overhead per game is the wall time of games of random players on four workers, less what the games themselves took,
by the number of games.
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

from plywright.arena.match import play_match
from plywright.arena.standings import Standings
from plywright.cluster.executor import Cluster

GAME, MODE = "connect-four", "nodes:20000"
PLAYERS, SHORT = ("search", "search"), ("random", "first")


def timed(folder: Path, name: str, cluster: Cluster | None, players: tuple[str, str], games: int, mode: str) -> float:
    """Wall seconds of a match, after a short one that makes workers ready."""
    record = folder / f"{name}.run"
    facts = {"mode": mode, "opening": "random:6", "executor": cluster}
    play_match(players, GAME, games=8, record=folder / f"{name}-ready.run", **facts)  # type: ignore[arg-type]
    began = time.monotonic()
    found: Standings = play_match(players, GAME, games=games, record=record, **facts)  # type: ignore[arg-type]
    spent = time.monotonic() - began
    inside = sum(outcome.seconds for outcome in found.progress.counted.values())
    print(
        f"{name:>10}: {games} games in {spent:6.1f} s, {games / spent:6.2f}/s; in the games themselves {inside:6.1f} s"
    )
    return spent


def main() -> None:
    games = int(sys.argv[1]) if len(sys.argv) > 1 else 60
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        timed(folder, "here", None, PLAYERS, games, MODE)
        for workers in (1, 2):
            cluster = Cluster(f"local:{workers}")
            cluster.count()
            timed(folder, f"local:{workers}", cluster, PLAYERS, games, MODE)
            cluster.shutdown()
        cluster = Cluster("local:4")
        cluster.count()
        many = 20 * games
        spent = timed(folder, "local:4", cluster, SHORT, many, "depth:1")
        alone = timed(folder, "short here", None, SHORT, many, "depth:1")
        cluster.shutdown()
        print(f"overhead per game on four workers: {1000 * max(spent - alone, 0.0) / many:.2f} ms more than here")


if __name__ == "__main__":
    main()
