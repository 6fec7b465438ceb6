"""Records at scale: 100,000 games in one file, and how long standings and the report take.

python benchmarks/records.py [GAMES] [FILE]
"""

from __future__ import annotations

import random
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
from plywright.arena.standings import as_data, standings

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


def main() -> None:
    games = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    with tempfile.TemporaryDirectory() as folder:
        path = Path(sys.argv[2]) if len(sys.argv) > 2 else Path(folder) / "many.run"
        began = time.perf_counter()
        written(path, games)
        print(f"{games:,} games written in {time.perf_counter() - began:.1f} s, {path.stat().st_size / 1e6:.1f} MB")
        game = load_game("tic-tac-toe")
        for _ in range(3):
            began = time.perf_counter()
            with Records.open(path) as records:
                found = standings(Progress(records.plan, records.outcomes()), game)
                counted = time.perf_counter() - began
                as_data(found)
                records.times()
            print(f"standings {counted:.2f} s, report as data {time.perf_counter() - began:.2f} s")


if __name__ == "__main__":
    main()
