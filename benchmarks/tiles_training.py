"""2048's tables: learn them from games alone, make the file that ships, and play games to see what they are worth.

    python benchmarks/tiles_training.py train --folder tiles --moves 600M       # goes on where it was stopped
    python benchmarks/tiles_training.py ship --folder tiles --save tables.knowledge
    python benchmarks/tiles_training.py games --knowledge tables.knowledge --games 1000
    python benchmarks/tiles_training.py games --knowledge tables.knowledge --games 200 --depth 2

Points are those of the published game: the sum of all merges.
"""

from __future__ import annotations

import argparse
import json
import math
import time as clock
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from plywright import load_game, search
from plywright.compiled import Workspace, kernel
from plywright.dice import roll
from plywright.files import write_whole
from plywright.game import CHANCE
from plywright.games.twenty_forty_eight import exponent
from plywright.knowledge import knowledge_of
from plywright.learning.self_play import draw
from plywright.learning.trainer import Schedule, Trainer
from plywright.models.loading import keep_model, make_model, open_model
from plywright.models.model import RATE
from plywright.rng import scramble, seeded

SCHEDULE = Schedule(opening=0, decay=0.5, loss="squares")
STRETCH = 20.0  # seconds
EVERY = 300.0  # seconds between checkpoints
KEPT = ("weights", "memory", "rng", "info", "tally", "outcome")
LARGEST = 10_000_000  # bytes that ship


# -- training ----------------------------------------------------------------------------------------------


def train(folder: Path, moves: int, rate: float, seed: int, minutes: float) -> None:
    """Play and learn until so many moves are made; everything is kept in the folder now and then, and gone on with."""
    folder.mkdir(parents=True, exist_ok=True)
    model = make_model(load_game("2048"))
    trainer = Trainer(model, replace(SCHEDULE, rate=rate), seed=seed)
    state, log = folder / "state", folder / "log.jsonl"
    began, spent = clock.monotonic(), 0.0
    if (state / "counts.json").exists():
        spent = take_up(trainer, state)
        trainer.crew[0].tally[RATE] = rate
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
    for name in KEPT:
        np.save(made / f"{name}.npy", np.asarray(getattr(trainer.crew[0], name)))
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
    for name in KEPT:
        getattr(trainer.crew[0], name)[:] = np.load(state / f"{name}.npy")
    counts = json.loads((state / "counts.json").read_text())
    trainer.seconds = counts["seconds"]
    return float(counts["processor"])


# -- the file that ships -----------------------------------------------------------------------------------


def ship(folder: Path, path: Path, unit: float, seldom: float) -> None:
    """The weights as multiples of `unit` in 16 bits, without those whose errors add up to less than `seldom`.

    Where that is larger than what may ship, `seldom` is raised by a quarter until it is not.
    """
    state = folder / "state"
    model: Any = make_model(load_game("2048"))
    weights, memory = np.load(state / "weights.npy"), np.load(state / "memory.npy", mmap_mode="r")
    counts = json.loads((state / "counts.json").read_text())
    info = json.loads((folder / "log.jsonl").read_text().splitlines()[-1])
    met = int(np.count_nonzero(weights))
    while True:
        kept = np.where(memory[1::2] >= seldom, weights, np.float32(0))
        small = type(model)(model.game, model.arrays | {"weights": kept}).rounded(unit)
        record = {"games": info["games"], "moves": info["moves"], "seconds": round(counts["processor"])}
        record |= {"decay": SCHEDULE.decay, "workers": 1}
        keep_model(small, path, record)
        size = path.stat().st_size
        left = int(np.count_nonzero(small.weights))
        print(
            f"{met:,} weights were met, {left:,} are kept (errors of {seldom:g} and more): {size:,} bytes", flush=True
        )
        if size <= LARGEST:
            return
        seldom *= 1.25


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
        model: Any = make_model(game)
        model.weights[:] = np.load(Path(name) / "state" / "weights.npy")
        return model
    return knowledge_of(game, name if name in (None, *game.knowledges) else open_model(str(name), game))


def games(name: str | None, count: int, depth: int, first: int, save: Path | None) -> None:
    """Play seeded games; mean, its standard error and the share that reaches each tile."""
    knowledge = known(name)
    game = knowledge.game
    check_search(game, knowledge, depth)
    points, largest, moves, began = [], [], 0, clock.process_time()
    for seed in range(first, first + count):
        work = Workspace(rng=seeded(scramble(seed)), moves=np.zeros(2, np.int64))
        points.append(float(play(game, knowledge, game.start_state, depth, work)))
        largest.append(int(work.moves[1]))
        moves += int(work.moves[0])
        if (seed - first + 1) % (100 if depth == 1 else 10 if depth == 2 else 1) == 0:
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
    asked = vars(parser.parse_args())
    command = asked.pop("command")
    if command == "train":
        train(asked["folder"], asked["moves"], asked["rate"], asked["seed"], asked["minutes"])
    elif command == "ship":
        ship(asked["folder"], asked["save"], asked["unit"], asked["seldom"])
    else:
        games(asked["knowledge"], asked["games"], asked["depth"], asked["first"], asked["save"])


if __name__ == "__main__":
    main()
