"""What learning is worth: train an evaluation of a game, then a match against what the engine plays without it.

    python benchmarks/learning.py breakthrough:columns=6,rows=6 --minutes 10 --workers 2 --pairs 200 --jobs 2

Openings are random lines from a fixed seed, different ones, each played from both seats at 20 ms a move.
`--record FILE` keeps what is printed and the result of every game: 0 lost, 1 drawn, 2 won, pairs one after the other.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import sys
import time
import warnings
from pathlib import Path
from typing import Any

from plywright import load_game, search
from plywright.arena.schedules.openings import openings, varied
from plywright.errors import LearnedNote
from plywright.knowledge import knowledge_of
from plywright.learning.strength import play_pairs, summed
from plywright.learning.trainer import Schedule, Trainer, fitting_depth
from plywright.models.cells import sample_states
from plywright.models.loading import keep_model, make_model, open_model

SAMPLE = (100_000, 4_000)
"""Nodes, or simulations, by which speed is measured."""


def train(arguments: argparse.Namespace) -> dict[str, Any]:
    game = load_game(arguments.game)
    options = {name: getattr(arguments, name) for name in ("stages", "hidden") if getattr(arguments, name)}
    model = (
        open_model(arguments.start, game).copy() if arguments.start else make_model(game, arguments.model, **options)
    )
    names = ("depth", "opening", "rate", "decay", "noise", "random", "method")
    given = {name: getattr(arguments, name) for name in names if getattr(arguments, name) is not None}
    given.setdefault("depth", fitting_depth(game))
    trainer = Trainer(model, Schedule(**given), workers=arguments.workers, seed=arguments.seed)
    began, progress = time.process_time(), None
    limit = {"games": arguments.games} if arguments.games else {"seconds": 60 * arguments.minutes}
    for progress in trainer.run(**limit, stretch=5.0):
        print(f"{arguments.game}: {progress}", file=sys.stderr, flush=True)
    assert progress is not None
    keep_model(model, arguments.save, progress.as_dict())
    return {**progress.as_dict(), "cpu": round(time.process_time() - began, 1)}


def part(arguments: argparse.Namespace, which: range) -> list[int]:
    warnings.simplefilter("ignore", LearnedNote)
    game = load_game(arguments.game)
    model = open_model(arguments.save, game)
    old = knowledge_of(game, arguments.against) if arguments.against else None
    lines = openings(game, varied(game, arguments.pairs, arguments.seed), arguments.pairs, arguments.seed)
    nodes = None
    if arguments.nodes:
        ours, theirs = map(int, arguments.nodes.split(","))
        nodes = ours, theirs
    mode = arguments.mode if nodes is None else f"nodes:{max(nodes)}"  # without a clock
    return play_pairs(game, model, old, lines, which, mode, arguments.seed, arguments.algorithm, nodes)


def speeds(arguments: argparse.Namespace) -> dict[str, float]:
    """Nodes (simulations) per second of both, side by side in one run: medians over positions of random play."""
    warnings.simplefilter("ignore", LearnedNote)
    game = load_game(arguments.game)
    both = open_model(arguments.save, game), knowledge_of(game, arguments.against or None)
    algorithm = None if arguments.algorithm == "search" else arguments.algorithm
    rates: list[list[float]] = [[], []]
    for state in sample_states(game, 200, seed=3)[5::15]:
        for knowledge, some in zip(both, rates, strict=True):
            nodes = SAMPLE[algorithm == "mcts" or not knowledge.evaluates]
            began = time.process_time()
            found = search(game, state, algorithm=algorithm, nodes=nodes, knowledge=knowledge)
            some.append(found.nodes / max(time.process_time() - began, 1e-9))
    new, old = (sorted(some[1:])[len(some[1:]) // 2] for some in rates)  # the first ones were compiled
    return {"new": round(new), "old": round(old), "ratio": round(new / old, 3)}


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("game")
    parser.add_argument("--model", default="")
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--games", type=int)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--pairs", type=int, default=200)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--mode", default="move:0.02s")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--save", type=Path, default=Path("learned.knowledge"))
    parser.add_argument("--start", type=Path)
    parser.add_argument("--record", type=Path)
    parser.add_argument("--against", help="knowledge of the opponent, by default the game's own")
    parser.add_argument("--algorithm", default="search", help="of both players, such as mcts")
    parser.add_argument("--nodes", help="NEW,OLD: nodes a move, such as each makes in the same time (see speeds)")
    parser.add_argument("--speeds", action="store_true", help="measure how many nodes each makes in the same time")
    parser.add_argument("--no-training", action="store_true")
    for name, kind in (("stages", int), ("hidden", int), ("depth", int), ("opening", int)):
        parser.add_argument(f"--{name}", type=kind)
    parser.add_argument("--method")
    for name in ("rate", "decay", "noise", "random"):
        parser.add_argument(f"--{name}", type=float)
    arguments = parser.parse_args()
    found: dict[str, Any] = {"game": arguments.game, "algorithm": arguments.algorithm}
    if not arguments.no_training:
        found["training"] = train(arguments)
    if arguments.speeds:
        found["speeds"] = speeds(arguments)
    if arguments.pairs:
        shares = [range(job, arguments.pairs, arguments.jobs) for job in range(arguments.jobs)]
        part(arguments, range(1))  # compiled once, for all of them
        with multiprocessing.get_context("spawn").Pool(arguments.jobs) as pool:
            parts = pool.starmap(part, [(arguments, share) for share in shares])
        mode = f"nodes:{arguments.nodes}" if arguments.nodes else arguments.mode
        found["strength"] = summed(parts, mode).as_dict()
        if arguments.record:
            arguments.record.write_text(json.dumps({**found, "seed": arguments.seed, "results": parts}) + "\n")
    print(json.dumps(found))


if __name__ == "__main__":
    main()
