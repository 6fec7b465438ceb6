"""Chess against Stockfish at the strengths it can be limited to, with fixed openings and colours swapped.

`python benchmarks/chess_strength.py play 2400 --time 1 --games 100` plays a match through the referee and keeps its
record in benchmarks/matches/; without arguments all records are read and the table of docs/chess.md is printed: score,
Elo difference with its 95 % interval, and what that makes of the limit.
"""

from __future__ import annotations

import argparse
import json
import math
import subprocess
import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
OPENINGS = HERE / "chess_openings.txt"
RECORDS = HERE / "matches"


def play(elo: int, seconds: float, games: int) -> None:
    """A match of that many games, resumed where it was left."""
    record = RECORDS / f"chess-stockfish-{elo}-{seconds:g}s.json"
    rival = f"uci:/usr/games/stockfish?UCI_Elo={elo}&name=stockfish-{elo}"
    command = [sys.executable, "-m", "plywright", "match", "pvs", rival, "--game", "chess", "--games", str(games)]
    command += ["--mode", f"move:{seconds:g}s", "--openings", str(OPENINGS), "--record", str(record)]
    subprocess.run(command, check=True)


def summary(path: Path) -> dict[str, Any]:
    """What a record says, by the command that reads it."""
    text = subprocess.run(
        [sys.executable, "-m", "plywright", "report", str(path), "--json"], check=True, capture_output=True, text=True
    ).stdout
    found: dict[str, Any] = json.loads(text)
    return found


def elo(score: float) -> float:
    score = min(max(score, 1e-3), 1 - 1e-3)
    return -400 * math.log10(1 / score - 1)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("play", nargs="?")
    parser.add_argument("elo", nargs="?", type=int)
    parser.add_argument("--time", type=float, default=1.0)
    parser.add_argument("--games", type=int, default=100)
    given = parser.parse_args()
    if given.play:
        play(given.elo, given.time, given.games)
    for path in sorted(RECORDS.glob("chess-stockfish-*.json")):
        print(path.name, json.dumps(summary(path))[:400])
