"""Plywright against gtp-rhino (Debian's grhino, without its book) at level 5, in parts that machines can share.

    python benchmarks/rhino.py play FOLDER 1-10   # these opening pairs one after the other, each in a file of its own
    python benchmarks/rhino.py join FOLDER        # all games as GGF, and the result with its interval

Ten openings of ten random plies by seed 21, fixed beforehand, each played from both sides: 20 games. Plywright searches
a fixed number of nodes, so that neither other work on the machine nor several pairs at a time change its play: 1.3
million take 0.36 s of processor time in the middle of a game, a twentieth of the 7.7 s that gtp-rhino takes for a move.
gtp-rhino has no limit of time at a level, and plays the same however long that takes. A pair that was broken off is
gone on with by the same command.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path

from ffo import numbers_of
from plywright import load_game
from plywright.arena.schedules.openings import openings
from plywright.arena.statistics.elo_sprt import estimate

OPENINGS, SEED, PAIRS = "random:10", 21, 10
NODES = 1_300_000
PLAYER, RIVAL = f"search:nodes={NODES},book=no", "gtp:gtp-rhino -l 5 -b 0"
RECORD = Path(__file__).parent / "matches" / "othello-rhino-5.ggf"


def play(folder: Path, pairs: list[int]) -> None:
    """Play these pairs, the first being 1."""
    game = load_game("othello")
    lines = [opening.actions for opening in openings(game, OPENINGS, PAIRS, SEED)]
    folder.mkdir(exist_ok=True, parents=True)
    for pair in pairs:
        state, moves = game.start_state, []
        for action in lines[pair - 1]:
            moves.append(game.format_action(state, action))
            state = game.state_after(state, action)
        path = folder / f"opening-{pair}.txt"
        path.write_text("".join(moves) + "\n")
        command = [sys.executable, "-m", "plywright", "match", PLAYER, RIVAL, "--game", "othello", "--games", "2"]
        command += ["--mode", "move:600s", "--openings", str(path), "--record", str(folder / f"pair-{pair}.run")]
        subprocess.run(command, check=True)


def join(folder: Path) -> None:
    """All finished pairs in one file of GGF, and what they say."""
    games = []
    for pair in range(1, PAIRS + 1):
        run = folder / f"pair-{pair}.run"
        if run.exists():
            command = [sys.executable, "-m", "plywright", "export", str(run), "--format", "ggf"]
            games.append(load_game("othello").split_records(subprocess.check_output(command, text=True)))
    pairs = [records for records in games if len(records) == 2]
    RECORD.write_text("".join(f"{record.strip()}\n" for records in pairs for record in records))
    scores = [[score(record) for record in records] for records in pairs]
    points = [value for both in scores for value in both]
    counts = [points.count(value) for value in (1.0, 0.5, 0.0)]
    print(f"{len(points)} of {2 * PAIRS} games: won {counts[0]}, drawn {counts[1]}, lost {counts[2]}")
    if pairs:
        print(estimate([sum(1 for both in scores if sum(both) == half / 2) for half in range(5)]))


def score(record: str) -> float:
    """What Plywright got of a game: 1, 1/2 or 0."""
    margin = float(record.partition("RE[")[2].partition("]")[0])
    if f"PW[{PLAYER}]" in record:
        margin = -margin
    return 1.0 if margin > 0 else 0.5 if margin == 0 else 0.0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("task", choices=["play", "join"])
    parser.add_argument("folder", type=Path)
    parser.add_argument("pairs", nargs="?", default=f"1-{PAIRS}")
    args = parser.parse_args()
    play(args.folder, numbers_of(args.pairs)) if args.task == "play" else join(args.folder)


if __name__ == "__main__":
    main()
