"""Records at scale: 100,000 games in one file, and how long standings and the report take.

python benchmarks/records.py [GAMES] [FILE]

A FILE that is there already is measured as it is.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from plywright import load_game
from plywright.arena.game_record import GameRecord, Ply
from plywright.arena.records.run_file import Records
from plywright.arena.schedules.openings import Opening
from plywright.arena.schedules.progress import Progress
from plywright.arena.schedules.schedule import Entrant, Plan
from plywright.arena.standings import standings

PLAYERS = 5


def written(path: Path, games: int) -> None:
    """Random games of tic-tac-toe between five players, everybody against everybody."""
    game, dice = load_game("tic-tac-toe"), random.Random(1)
    players = tuple(Entrant(f"random {n}", f"random {n}") for n in range(1, PLAYERS + 1))
    pairings = PLAYERS * (PLAYERS - 1) // 2
    plan = Plan(
        "tournament",
        game.name,
        game.fingerprint,
        *(2, players, "depth:1", games // pairings, "start", (Opening((), None, "start"),), 1, 0.05, None, False),
    )
    with Records.begin(path, plan) as records:
        for unit in Progress(plan).units.values():
            state, plies = game.start_state, []
            while not game.is_terminal(state):
                action = dice.choice(list(game.actions(state)))
                plies.append(Ply(int(game.to_move(state)), action, 0.001))
                state = game.state_after(state, action)
            paid = tuple(float(game.utility(state, seat)) for seat in range(2))
            names = tuple(plan.names[player] for player in unit.seats)
            told = {"seed": unit.seed, "mode": plan.mode, "isolation": "in process", "seconds": 0.01}
            records.add(unit, GameRecord(game.name, names, "", (), tuple(plies), paid, "normal", **told))


def spent(*words: str) -> str:
    """What a command takes, its start included: wall time, and that of the processor."""
    before, began = os.times(), time.perf_counter()
    subprocess.run([sys.executable, "-m", "plywright", *words], check=True, capture_output=True)
    wall, after = time.perf_counter() - began, os.times()
    used = after.children_user + after.children_system - before.children_user - before.children_system
    return f"{wall:.2f} s ({used:.2f} s of processor time)"


def main() -> None:
    games = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    with tempfile.TemporaryDirectory() as folder:
        path = Path(sys.argv[2]) if len(sys.argv) > 2 else Path(folder) / "many.run"
        if not path.exists():
            began = time.perf_counter()
            written(path, games)
            print(f"{games:,} games written in {time.perf_counter() - began:.1f} s, {path.stat().st_size / 1e6:.1f} MB")
        game = load_game("tic-tac-toe")
        for _ in range(3):
            began, used = time.perf_counter(), time.process_time()
            with Records.open(path) as records:
                standings(Progress(records.plan, records.outcomes()), game)
            wall, used = time.perf_counter() - began, time.process_time() - used
            print(f"standings {wall:.2f} s ({used:.2f} s of processor time)")
        print(f"plywright report: {spent('report', str(path))}")
        print(f"plywright report --html: {spent('report', str(path), '--html', f'{folder}/report.html')}")


if __name__ == "__main__":
    main()
