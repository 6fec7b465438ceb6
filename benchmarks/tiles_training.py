"""2048's tables: learn them from games alone, make the file that ships, and play games to see what they are worth.

    python benchmarks/tiles_training.py train --folder tiles --moves 600M       # goes on where it was stopped
    python benchmarks/tiles_training.py ship --folder tiles --save tables.knowledge
    python benchmarks/tiles_training.py games --knowledge tables.knowledge --games 1000
    python benchmarks/tiles_training.py games --knowledge tables.knowledge --games 200 --depth 2
    python benchmarks/tiles_training.py train --folder wide --tuples 8 --moves 10G --workers 2   # many hours

Points are those of the published game: the sum of all merges. One worker repeats a training exactly by its seed.
`cuda/tiles.cu` takes the same steps on a graphics processor.
"""

from __future__ import annotations

import argparse
import json
import math
import time as clock
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np

from plywright import load_game, search
from plywright.compiled import Workspace, kernel
from plywright.dice import roll
from plywright.files import write_whole
from plywright.game import CHANCE
from plywright.games.twenty_forty_eight import TwentyFortyEight, exponent
from plywright.games.twenty_forty_eight.knowledge import TilesKnowledge
from plywright.knowledge import knowledge_of
from plywright.learning.self_play import draw
from plywright.learning.trainer import Schedule, Trainer
from plywright.models.loading import keep_model, make_model, open_model
from plywright.models.model import RATE
from plywright.rng import scramble, seeded

MORE = ((0, 1, 2, 5, 9, 10), (0, 1, 5, 9, 13, 14), (0, 1, 5, 8, 9, 13), (0, 1, 2, 4, 6, 10))
"""Tuples of the network that does not ship, beside the four of the one that does."""
SCHEDULE = Schedule(opening=0, decay=0.5, loss="squares")
STRETCH = 20.0  # seconds
EVERY = 300.0  # seconds between checkpoints
SHARED = ("weights", "memory")
OWN = ("rng", "info", "tally", "outcome")  # of each worker
LARGEST = 10_000_000  # bytes that ship


class WideKnowledge(TilesKnowledge):
    """Eight tuples in the place of four."""

    packed_tuples = (*TilesKnowledge.packed_tuples, *MORE)


class WideTiles(TwentyFortyEight):
    """The same game for a network of eight tuples."""

    knowledge = WideKnowledge


def fresh(tuples: int) -> Any:
    """Tables in which nothing is learned yet."""
    return make_model(load_game("2048") if tuples == len(TilesKnowledge.packed_tuples) else WideTiles())


# -- training ----------------------------------------------------------------------------------------------


def train(folder: Path, moves: int, rate: float, seed: int, minutes: float, tuples: int, workers: int) -> None:
    """Play and learn until so many moves are made; everything is kept in the folder now and then, and gone on with."""
    folder.mkdir(parents=True, exist_ok=True)
    trainer = Trainer(fresh(tuples), replace(SCHEDULE, rate=rate), workers=workers, seed=seed)
    state, log = folder / "state", folder / "log.jsonl"
    began, spent = clock.monotonic(), 0.0
    if (state / "counts.json").exists():
        spent = take_up(trainer, state)
        for work in trainer.crew:
            work.tally[RATE] = rate
        print(f"goes on after {int(trainer.counts()[1]):,} moves")
    used, kept = clock.process_time(), clock.monotonic()
    seconds = 60 * minutes
    for progress in trainer.run(seconds=seconds, stretch=STRETCH):
        processor = spent + clock.process_time() - used
        found = progress.as_dict() | {"seconds": round(processor, 1)}
        with log.open("a") as file:
            file.write(json.dumps(found) + "\n")
        print(
            f"{progress.moves:>14,} moves, {progress.games:>8,} games, {processor:8.0f} s of the processor, "
            f"mean of the last {progress.mean_utility:10,.0f}",
            flush=True,
        )
        ended = progress.moves >= moves or clock.monotonic() - began > seconds
        if ended or clock.monotonic() - kept > EVERY:
            keep(trainer, state, processor)
            kept = clock.monotonic()
        if ended:
            break


def keep(trainer: Trainer, state: Path, processor: float) -> None:
    """Write what the training needs to go on, into a new folder that then takes the old one's place."""
    made = state.with_name("state-new")
    made.mkdir(exist_ok=True)
    for name in SHARED:
        np.save(made / f"{name}.npy", np.asarray(getattr(trainer.crew[0], name)))
    for name in OWN:
        np.save(made / f"{name}.npy", np.stack([np.asarray(getattr(work, name)) for work in trainer.crew]))
    write_whole(made / "counts.json", json.dumps({"processor": processor, "seconds": trainer.seconds}).encode())
    old = state.with_name("state-old")
    if state.exists():
        state.rename(old)
    made.rename(state)
    for file in old.glob("*"):
        file.unlink()
    if old.exists():
        old.rmdir()


def take_up(trainer: Trainer, state: Path) -> float:
    """Fill the training with what was kept; the seconds of the processor that it took so far."""
    for name in SHARED:
        kept = np.load(state / f"{name}.npy")
        if kept.shape != getattr(trainer.crew[0], name).shape:
            raise SystemExit(f"{state} has tables of another size: give --tuples as when it was begun")
        getattr(trainer.crew[0], name)[:] = kept
    for name in OWN:
        kept = np.load(state / f"{name}.npy")
        if len(kept) != trainer.workers:
            raise SystemExit(f"{state} was kept by {len(kept)} workers: give --workers {len(kept)}")
        for work, row in zip(trainer.crew, kept, strict=True):
            getattr(work, name)[:] = row
    counts = json.loads((state / "counts.json").read_text())
    trainer.seconds = counts["seconds"]
    return float(counts["processor"])


# -- the file that ships -----------------------------------------------------------------------------------


def ship(folder: Path, path: Path, unit: float, seldom: float) -> None:
    """The weights as multiples of `unit` in 16 bits, without those whose errors add up to less than `seldom`.

    Where that is larger than what may ship, `seldom` is raised until it is not: as many are left out as are too many.
    """
    state = folder / "state"
    model = fresh(len(TilesKnowledge.packed_tuples))
    weights, memory = np.load(state / "weights.npy"), np.load(state / "memory.npy", mmap_mode="r")
    counts = json.loads((state / "counts.json").read_text())
    info = json.loads((folder / "log.jsonl").read_text().splitlines()[-1])
    met = int(np.count_nonzero(weights))
    while True:
        kept = np.where(memory[1::2] >= seldom, weights, np.float32(0))
        small = type(model)(model.game, model.arrays | {"weights": kept}).rounded(unit)
        record = {"games": info["games"], "moves": info["moves"], "seconds": round(counts["processor"])}
        record |= {"decay": SCHEDULE.decay, "workers": len(np.load(state / "rng.npy"))}
        keep_model(small, path, record)
        size = path.stat().st_size
        left = int(np.count_nonzero(small.weights))
        print(
            f"{met:,} weights were met, {left:,} are kept (errors of {seldom:g} and more): {size:,} bytes", flush=True
        )
        if size <= LARGEST:
            return
        sizes = memory[1::2][small.weights != 0]
        spare = max(int(len(sizes) * (1 - 0.995 * LARGEST / size)), 1)
        seldom = max(float(np.partition(sizes, spare)[spare]), 1.001 * seldom)


# -- games -------------------------------------------------------------------------------------------------


@kernel
def promise(game, knowledge, state, depth):  # type: ignore[no-untyped-def]
    """What a state is worth by expectimax, so many moves ahead; after the last one the tables say."""
    if game.is_terminal(state):
        return 1.0 * game.utility(state, 0)
    if depth == 0:
        return 1.0 * knowledge.evaluate(state, 0)
    if game.to_move(state) == CHANCE:
        total = 0.0
        for outcome, probability in game.chance(state):
            total += probability * promise(game, knowledge, game.result(state, outcome), depth)
        return total
    best = -math.inf
    for action in game.actions(state):
        best = max(best, promise(game, knowledge, game.result(state, action), depth - 1))
    return best


@kernel
def play(game, knowledge, start, depth, work):  # type: ignore[no-untyped-def]
    """One game, each move by expectimax of this depth (1 is without search); returns the sum of all merges."""
    state, points = start, 0.0
    while not game.is_terminal(state):
        if game.to_move(state) == CHANCE:
            state = game.result(state, draw(game, state, work))
            continue
        best, chosen = -math.inf, 0
        for action in game.actions(state):
            value = promise(game, knowledge, game.result(state, action), depth - 1)
            if value > best:
                best, chosen = value, action
        after = game.result(state, chosen)
        points += game.utility(after, 0) - game.utility(state, 0)
        work.moves[0] += 1
        state = after
    for cell in range(16):
        work.moves[1] = max(work.moves[1], exponent(state, cell))
    return points


def check_search(game: Any, knowledge: Any, depth: int) -> None:
    """Hold the plain expectimax of these games against the ordinary search, along a game."""
    state, rng = game.start_state, seeded(1)
    for _ in range(200):
        if game.is_terminal(state):
            break
        if game.at_chance(state):
            action = roll(game, state, rng)
        else:
            found = search(game, state, depth=depth, knowledge=knowledge)
            action, plain = found.action, promise(game, knowledge, state, depth)
            if abs(found.value - plain) > 1e-6 * max(abs(plain), 1.0):
                raise SystemExit(f"search says {found.value}, plain expectimax {plain} in {game.format_state(state)}")
        state = game.coerce_state(game.result(state, action))


def known(name: str | None) -> Any:
    """The knowledge of a name, of a file, or of a training's folder with all its weights."""
    game = load_game("2048")
    if name is not None and Path(name).is_dir():
        weights = np.load(Path(name) / "state" / "weights.npy")
        model = fresh(len(weights) >> 24)
        model.weights[:] = weights
        return model
    return knowledge_of(game, name if name in (None, *game.knowledges) else open_model(str(name), game))


def games(name: str | None, count: int, depth: int, first: int, save: Path | None, workers: int) -> None:
    """Play seeded games; mean, its standard error and the share that reaches each tile."""
    knowledge = known(name)
    game = knowledge.game
    check_search(game, knowledge, depth)
    points: list[float] = []
    largest: list[int] = []
    moves, began = 0, clock.process_time()

    def one(seed: int) -> tuple[float, int, int]:
        work = Workspace(rng=seeded(scramble(seed)), moves=np.zeros(2, np.int64))
        return float(play(game, knowledge, game.start_state, depth, work)), int(work.moves[1]), int(work.moves[0])

    found = [one(first)]
    crew = ThreadPoolExecutor(workers)
    for gained, tile, made in chain(found, crew.map(one, range(first + 1, first + count))):
        points.append(gained)
        largest.append(tile)
        moves += made
        if len(points) % (100 if depth == 1 else 10 if depth == 2 else 1) == 0 or len(points) == count:
            spent = clock.process_time() - began
            print(summary(points, largest) + f", {moves:,} moves, {spent:.0f} s of the processor", flush=True)
            if save is not None:
                record: dict[str, Any] = {"depth": depth, "first_seed": first, "points": points}
                record |= {"largest": [1 << tile for tile in largest], "moves": moves, "seconds": round(spent, 1)}
                write_whole(save, json.dumps(record).encode())


def summary(points: list[float], largest: list[int]) -> str:
    mean = float(np.mean(points))
    error = float(np.std(points)) / math.sqrt(max(len(points) - 1, 1))
    reached = ", ".join(
        f"{1 << tile} {sum(each >= tile for each in largest) / len(points):.1%}" for tile in (11, 13, 14)
    )
    return f"{len(points)} games: mean {mean:,.0f} (standard error {error:,.0f}), best {max(points):,.0f}; {reached}"


def number(text: str) -> int:
    """`600M`, `2G` or plain digits."""
    factor = {"M": 10**6, "G": 10**9}.get(text[-1:].upper(), 1)
    return int(float(text.rstrip("MGmg")) * factor)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    part = commands.add_parser("train")
    part.add_argument("--folder", type=Path, default=Path("tiles"))
    part.add_argument("--moves", type=number, default=number("600M"))
    part.add_argument("--rate", type=float, default=SCHEDULE.rate)
    part.add_argument("--minutes", type=float, default=100.0)
    part.add_argument("--seed", type=int, default=1)
    part.add_argument("--tuples", type=int, choices=(4, 8), default=4)
    part.add_argument("--workers", type=int, default=1)
    part = commands.add_parser("ship")
    part.add_argument("--folder", type=Path, default=Path("tiles"))
    part.add_argument("--save", type=Path, default=Path("tables.knowledge"))
    part.add_argument("--unit", type=float, default=16.0)
    part.add_argument("--seldom", type=float, default=8000.0)
    part = commands.add_parser("games")
    part.add_argument("--knowledge", default=None)
    part.add_argument("--games", type=int, default=1000)
    part.add_argument("--depth", type=int, default=1)
    part.add_argument("--first", type=int, default=1)
    part.add_argument("--save", type=Path, default=None)
    part.add_argument("--workers", type=int, default=1)
    asked = vars(parser.parse_args())
    command = asked.pop("command")
    if command == "train":
        train(**asked)
    elif command == "ship":
        ship(asked["folder"], asked["save"], asked["unit"], asked["seldom"])
    else:
        count, name = asked.pop("games"), asked.pop("knowledge")
        games(name, count, **asked)


if __name__ == "__main__":
    main()
