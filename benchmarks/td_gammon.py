"""TD-Gammon's road: a network of 198 inputs that has played backgammon against itself, and how good it is by then.

    python benchmarks/td_gammon.py train --hidden 40 --folder nets             # nets/td-40-10000.knowledge and so on
    python benchmarks/td_gammon.py points nets/td-40-10000.knowledge --games 2000

Points a game are counted with gammons and backgammons, without the cube, one ply deep, against the evaluation by hand,
each dice sequence from both sides.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import time
from pathlib import Path

from plywright import load_game
from plywright.arena.referee import play_game
from plywright.knowledge import knowledge_of
from plywright.learning.trainer import Schedule, Trainer
from plywright.models.loading import keep_model, make_model, open_model
from plywright.players import Mode
from plywright.players.searching import SearchPlayer

MILESTONES = (10_000, 50_000, 200_000, 500_000)


def train(arguments: argparse.Namespace) -> None:
    game = load_game("backgammon")
    model = make_model(game, "network", hidden=arguments.hidden)
    began, played = time.monotonic(), 0
    for number, milestone in enumerate(arguments.milestones):
        rate = arguments.rate * (1.0 if number < 2 else 0.5 if number < 3 else 0.25)
        schedule = Schedule(opening=0, rate=rate, decay=arguments.decay)
        trainer = Trainer(model, schedule, workers=arguments.workers, seed=arguments.seed + number)
        left = arguments.seconds - (time.monotonic() - began)
        if left <= 1:
            break
        progress = None
        for progress in trainer.run(games=milestone - played, seconds=left, stretch=10.0):
            print(played + progress.games, progress, file=sys.stderr, flush=True)
        assert progress is not None
        played += progress.games
        path = Path(arguments.folder) / f"td-{arguments.hidden}-{played}.knowledge"
        keep_model(model, path, {"games": played, "seconds": round(time.monotonic() - began), "seed": arguments.seed})
        print(json.dumps({"file": str(path), "games": played, "seconds": round(time.monotonic() - began)}), flush=True)


def points(arguments: argparse.Namespace) -> None:
    game = load_game("backgammon")
    ours = SearchPlayer("search", "network", knowledge=open_model(arguments.file, game), depth=1)
    theirs = SearchPlayer("search", "by hand", knowledge=knowledge_of(game), depth=1)
    found = []
    for number in range(arguments.games // 2):
        for seat in (0, 1):
            players = [ours, theirs] if seat == 0 else [theirs, ours]
            record = play_game(game, players, mode=Mode.parse("depth:1"), seed=arguments.seed * 1_000_000 + number)
            found.append((record.payoffs or (0.0, 0.0))[seat])
    pairs = [(a + b) / 2 for a, b in zip(found[::2], found[1::2], strict=True)]
    mean = sum(pairs) / len(pairs)
    error = math.sqrt(sum((p - mean) ** 2 for p in pairs) / max(len(pairs) - 1, 1) / len(pairs))
    line = {"file": str(arguments.file), "games": len(found), "points": round(mean, 4), "error": round(error, 4)}
    print(json.dumps(line))


def main() -> None:
    parser = argparse.ArgumentParser()
    commands = parser.add_subparsers(required=True)
    training = commands.add_parser("train")
    training.add_argument("--hidden", type=int, default=40)
    training.add_argument("--workers", type=int, default=1)
    training.add_argument("--seed", type=int, default=1)
    training.add_argument("--rate", type=float, default=1.0)
    training.add_argument("--decay", type=float, default=0.0)
    training.add_argument("--seconds", type=float, default=6000)
    training.add_argument("--folder", default=".")
    training.add_argument("--milestones", type=int, nargs="+", default=MILESTONES)
    training.set_defaults(run=train)
    counting = commands.add_parser("points")
    counting.add_argument("file", type=Path)
    counting.add_argument("--games", type=int, default=2000)
    counting.add_argument("--seed", type=int, default=1)
    counting.set_defaults(run=points)
    arguments = parser.parse_args()
    arguments.run(arguments)


if __name__ == "__main__":
    main()
