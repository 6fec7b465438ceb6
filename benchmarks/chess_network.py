"""The network that corrects the sum of chess's features, trained on games of the engine against itself.

    python benchmarks/fit_chess.py games a.npz --games 60000 --seed 11 --weights src/plywright/games/chess/weights.csv
    python benchmarks/chess_network.py a.npz --searched 0.85 --epochs 4 --out a.network
    python benchmarks/fit_chess.py games b.npz --games 124000 --seed 31 --weights ... --network a.network
    python benchmarks/chess_network.py b.npz --searched 0.9 --out b.network
    python benchmarks/fit_chess.py games c.npz --games 108000 --seed 61 --weights ... --network b.network
    python benchmarks/chess_network.py c.npz --start b.network --epochs 5 --rate 0.0012 --out c.network
    python benchmarks/fit_chess.py games d.npz --games 116000 --seed 81 --weights ... --network c.network
    python benchmarks/chess_network.py d.npz --start c.network --epochs 5 --rate 0.001 --out d.network
    for seed in 101 102 103 104; do
        python benchmarks/fit_chess.py games e$seed.npz --games 16000 --seed $seed --weights ... --network d.network
    done
    python benchmarks/chess_network.py e???.npz --start d.network --epochs 5 --rate 0.001 --out e.network

Each generation is played with the network of the one before. Each position's aim is the chance of the mover: for the
part `--searched` what the search thought of it, and for the rest how the game ended. The network learns what has to be
added to the weighed features, whose weights stay. One game in twenty is held back. A seed always gives the same
network, as far as processors add alike; two cores are used and no graphics processor. A network of one's own is played
with by `ChessKnowledge(game, fitted_weights(), read_network(path))`, in a knowledge of one's own.
"""

from __future__ import annotations

import argparse
import math
import multiprocessing
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import numba
import numpy as np
from numpy.typing import NDArray

from chess_games import WORDS
from fit_chess import HELD, SCALE, answered, at_least, read
from plywright import load_game
from plywright.bits import read_state
from plywright.compiled import Workspace, kernel
from plywright.errors import BadInput
from plywright.files import check_writable
from plywright.games.chess.evaluation import early_of, late_of, phase, sides, structure, structure_score, weighed_rest
from plywright.games.chess.features import FINE, TO_MOVE, packed
from plywright.games.chess.knowledge import PAWN, ending
from plywright.games.chess.network import INPUTS, LANES, MOST, Network, read_network, seen
from plywright.games.chess.weights import read_weights

PART = 20_000  # positions that are looked at together
ROWS = 8192  # positions in one step
LEAST_STEPS = 8  # of an epoch, where there are few positions
SHARES = 16  # parts of a step that are worked out at the same time, by as many threads as there are
BETA1, BETA2, TINY = 0.9, 0.999, 1e-8
RATES = 1e-6, 0.1


@kernel
def look(game, like, work, number):
    """What of each position the trainer needs: the inputs of the mover's view, what turns them into those of the
    opponent's, and the sum of the features."""
    for index in range(number):
        state = read_state(work.words, WORDS * index, like)
        work.counts[index] = seen(work.places, state)
        work.turns[index] = work.places[0] ^ work.places[MOST]  # the same of all: whose a man is, and where kings stand
        for n in range(work.counts[index]):
            work.inputs[MOST * index + n] = work.places[n]
        mine, theirs = sides(state)
        kept = structure(work.weights, state)
        one, other = weighed_rest(work.weights, mine, theirs, kept >> 8 & 255, kept & 255)
        score = structure_score(kept) + one - other + work.weights[TO_MOVE]
        work.leads[2 * index], work.leads[2 * index + 1] = early_of(score), late_of(score)
        work.phases[index] = phase(state)
        work.scales[2 * index], work.scales[2 * index + 1] = ending(state, 1), ending(state, -1)
    return 0


def examples_of(path: Path, number: int, weights: NDArray[np.float64]) -> list[NDArray[Any]]:
    """The columns of `Examples` for one file of positions, the file with this number."""
    game = load_game("chess")
    positions = read(path)
    found: list[tuple[Any, ...]] = []
    for first in range(0, len(positions.values), PART):
        rows = slice(first, first + PART)
        words = positions.words[rows]
        count = len(words)
        work: Any = Workspace(
            words=np.ascontiguousarray(words).ravel(),
            weights=packed(weights),
            places=np.zeros(2 * MOST, np.int64),
            counts=np.zeros(count, np.int64),
            turns=np.zeros(count, np.int64),
            inputs=np.zeros(MOST * count, np.int64),
            leads=np.zeros(2 * count),
            phases=np.zeros(count),
            scales=np.zeros(2 * count),
        )
        look(game, game.start_state, work, count)
        found.append(
            (
                work.inputs.reshape(-1, MOST).astype(np.int16),
                work.counts.astype(np.int8),
                work.turns.astype(np.int16),
                (work.leads / (100 * FINE)).reshape(-1, 2).astype(np.float32),
                (work.phases / 24).astype(np.float32),
                work.scales.reshape(-1, 2).astype(np.float32),
                positions.values[rows] / np.float32(PAWN),
                positions.results[rows].astype(np.float32) / 2 + np.float32(0.5),
                (positions.games[rows] + number) % HELD == 0,
            )
        )
    return [np.concatenate(column) for column in zip(*found, strict=True)]


class Examples:
    """Positions as arrays: inputs [n, MOST], their number, what turns them into those of the opponent's view, leads in
    pawns [n, 2], phases, what of a lead counts [n, 2], what the search thought in pawns, how games ended, which of them
    are held back."""

    def __init__(self, paths: list[Path], weights: NDArray[np.float64], processes: int = 2) -> None:
        with ProcessPoolExecutor(processes, multiprocessing.get_context("spawn")) as pool:
            each = list(pool.map(examples_of, paths, range(len(paths)), [weights] * len(paths)))
        columns = [np.concatenate(column) for column in zip(*each, strict=True)]
        self.inputs, self.counts, self.turns, self.leads, self.phases, self.scales, *rest = columns
        self.searched, self.ended, self.held = rest


def chances(logits: NDArray[Any]) -> NDArray[Any]:
    return 0.5 + 0.5 * np.tanh(logits / 2)


def steepness(found: Examples) -> tuple[float, float]:
    """How a lead that the search saw turns into a chance, with all pieces and with none: logistic regression."""
    features = found.searched[:, None] * np.stack([found.phases, 1 - found.phases], 1).astype(np.float64) / SCALE
    steep = np.ones(2)
    for _ in range(20):
        chance = chances(features @ steep)
        slope = features.T @ (found.ended - chance) + 1 - steep  # about 1, where few games say otherwise
        curve = (features * (chance * (1 - chance))[:, None]).T @ features + np.eye(2)
        steep += np.clip(np.linalg.solve(curve, slope), -0.5, 0.5)
    return float(steep[0]), float(steep[1])


@numba.njit(parallel=True, fastmath=True, cache=False)
def step(inputs, counts, turns, leads, phases, scales, steeps, aims, places, rows, outputs, slopes, out_slopes, errors):
    """Errors and slopes of a batch; each share of it has its own."""
    units = rows.shape[1]
    share = (len(places) + SHARES - 1) // SHARES
    for part in numba.prange(SHARES):
        slope, out_slope, error = slopes[part], out_slopes[part], 0.0
        slope[:], out_slope[:] = 0, 0
        one, other = np.empty(units, np.float32), np.empty(units, np.float32)
        for n in range(part * share, min((part + 1) * share, len(places))):
            place = places[n]
            one[:], other[:] = rows[INPUTS], rows[INPUTS]
            for k in range(counts[place]):
                own = inputs[place, k]
                their = own ^ turns[place]
                for unit in range(units):
                    one[unit] += rows[own, unit]
                    other[unit] += rows[their, unit]
            early, late = np.float32(0), np.float32(0)
            for unit in range(units):
                a = min(max(one[unit], np.float32(0)), np.float32(1))
                b = min(max(other[unit], np.float32(0)), np.float32(1))
                early += a * a * outputs[0, 0, unit] + b * b * outputs[1, 0, unit]
                late += a * a * outputs[0, 1, unit] + b * b * outputs[1, 1, unit]
            early, late = early + leads[place, 0], late + leads[place, 1]
            scale = scales[place, 0] if late > 0 else scales[place, 1]
            stage, steep = phases[place], steeps[place]
            logit = steep * (stage * early + (1 - stage) * scale * late)
            chance = 1 / (1 + math.exp(-logit))
            aim = aims[place]
            error -= aim * math.log(max(chance, 1e-9)) + (1 - aim) * math.log(max(1 - chance, 1e-9))
            by_early = np.float32((chance - aim) * steep * stage)
            by_late = np.float32((chance - aim) * steep * (1 - stage) * scale)
            for unit in range(units):
                a = min(max(one[unit], np.float32(0)), np.float32(1))
                b = min(max(other[unit], np.float32(0)), np.float32(1))
                out_slope[0, 0, unit] += by_early * a * a
                out_slope[0, 1, unit] += by_late * a * a
                out_slope[1, 0, unit] += by_early * b * b
                out_slope[1, 1, unit] += by_late * b * b
                back_a = by_early * outputs[0, 0, unit] + by_late * outputs[0, 1, unit]
                back_b = by_early * outputs[1, 0, unit] + by_late * outputs[1, 1, unit]
                one[unit] = 2 * a * back_a if one[unit] < 1 else np.float32(0)
                other[unit] = 2 * b * back_b if other[unit] < 1 else np.float32(0)
                slope[INPUTS, unit] += one[unit] + other[unit]
            for k in range(counts[place]):
                own = inputs[place, k]
                their = own ^ turns[place]
                for unit in range(units):
                    slope[own, unit] += one[unit]
                    slope[their, unit] += other[unit]
        errors[part] = error


@numba.njit(fastmath=True, cache=False)
def adam(weights, slopes, first, second, rate, turn, most, count):
    """One step of Adam with the mean of the slopes, flat; weights stay within plus or minus `most`."""
    for n in range(len(weights)):
        slope = np.float32(0)
        for part in range(SHARES):
            slope += slopes[part, n]
        slope /= count
        first[n] = BETA1 * first[n] + (1 - BETA1) * slope
        second[n] = BETA2 * second[n] + (1 - BETA2) * slope * slope
        move = first[n] / (1 - BETA1**turn) / (math.sqrt(second[n] / (1 - BETA2**turn)) + TINY)
        weights[n] = min(max(weights[n] - rate * move, -most), most)


class Trainer:
    def __init__(self, found: Examples, units: int, searched: float, seed: int, start: Network | None = None) -> None:
        self.found = found
        self.rng = np.random.default_rng(seed)
        if start is None:
            self.rows = self.rng.normal(0, 0.08, (INPUTS + 1, units)).astype(np.float32)
            self.rows[INPUTS] = 0.3
            self.outputs = self.rng.normal(0, 0.05, (2, 2, units)).astype(np.float32)
            self.outputs[1] = -self.outputs[0]
        else:
            units = start.units
            self.rows, self.outputs = start.numbers()
        self.slopes = np.zeros((SHARES, INPUTS + 1, units), np.float32)
        self.out_slopes = np.zeros((SHARES, 2, 2, units), np.float32)
        all_pieces, none = steepness(found)
        print(f"steepness {all_pieces:.2f} with all pieces, {none:.2f} without", flush=True)
        self.steeps = ((all_pieces * found.phases + none * (1 - found.phases)) / SCALE).astype(np.float32)
        thought = chances(self.steeps * found.searched)
        self.kinds = {"what the search thought": thought.astype(np.float32), "how the games ended": found.ended}
        self.aims = ((1 - searched) * found.ended + searched * thought).astype(np.float32)
        self.errors = np.zeros(SHARES)

    def batch(self, places: NDArray[np.int64]) -> float:
        """The sum of the errors of these positions; the slopes are left behind."""
        found = self.found
        step(
            found.inputs, found.counts, found.turns, found.leads, found.phases, found.scales, self.steeps, self.aims,
            places, self.rows, self.outputs, self.slopes, self.out_slopes, self.errors,
        )  # fmt: skip
        return float(self.errors.sum())

    def error(self, places: NDArray[np.int64]) -> float:
        return sum(self.batch(places[n : n + ROWS]) for n in range(0, len(places), ROWS)) / len(places)

    def train(self, epochs: int, rate: float) -> None:
        held = np.flatnonzero(self.found.held)
        train = np.flatnonzero(~self.found.held)
        if not len(held) or not len(train):
            raise BadInput(f"these are too few games: one in {HELD} is held back, and the others are learned from")
        memory = [np.zeros(array.size, np.float32) for array in (self.rows, self.rows, self.outputs, self.outputs)]
        print(f"{len(train):,} positions", flush=True)
        rows = min(ROWS, -(-len(train) // LEAST_STEPS))
        total, turn = epochs * math.ceil(len(train) / rows), 0
        for epoch in range(epochs):
            began, error = time.monotonic(), 0.0
            self.rng.shuffle(train)
            for n in range(0, len(train), rows):
                places = train[n : n + rows]
                error += self.batch(places)
                turn += 1
                now = rate * 0.5 * (1 + math.cos(math.pi * turn / total))
                for array, slopes, first, second, most in (
                    (self.rows, self.slopes, *memory[:2], Network.MOST_ROW),
                    (self.outputs, self.out_slopes, *memory[2:], Network.MOST_OUTPUT),
                ):
                    adam(array.ravel(), slopes.reshape(SHARES, -1), first, second, now, turn, most, len(places))
            print(
                f"epoch {epoch + 1}: error {error / len(train):.5f}, on games held back {self.error(held):.5f}, "
                f"{time.monotonic() - began:.0f} s",
                flush=True,
            )
        self.compare(held)

    def compare(self, places: NDArray[np.int64]) -> None:
        """Tell the error against either part of the aim, without the network and with it."""
        aims, outputs = self.aims, self.outputs
        for name, kind in self.kinds.items():
            self.aims, self.outputs = kind, np.zeros_like(outputs)
            without = self.error(places)
            self.outputs = outputs
            print(f"against {name}: {without:.5f} without the network, {self.error(places):.5f} with it", flush=True)
        self.aims = aims


def within(bounds: tuple[float, float]) -> Callable[[str], float]:
    """A number between two others, as an option's type."""

    def number(text: str) -> float:
        if not bounds[0] <= float(text) <= bounds[1]:  # nor what is no number at all
            raise argparse.ArgumentTypeError(f"{text} does not lie between {bounds[0]:g} and {bounds[1]:g}")
        return float(text)

    number.__name__ = "number"
    return number


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", type=Path, nargs="+", help="games that `fit_chess.py games` has played")
    parser.add_argument("--start", type=Path, help="the network to begin with; one of chance where none is given")
    parser.add_argument(
        "--units", type=at_least(LANES), help=f"of a network by chance: a multiple of {LANES}, 128 where none is given"
    )
    parser.add_argument("--epochs", type=at_least(1), default=6)
    parser.add_argument(
        "--rate", type=within(RATES), default=2e-3, help="of the first steps; the last ones are next to nothing"
    )
    parser.add_argument(
        "--searched", type=within((0.0, 1.0)), default=0.95, help="the part of the aim that is what the search thought"
    )
    parser.add_argument("--seed", type=at_least(0), default=1)
    parser.add_argument("--weights", type=Path, help="of the features; those that are shipped where none are given")
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args()
    if given.start and given.units:
        parser.error("--units is for a network that begins by chance: --start has its own")
    if (given.units or LANES) % LANES:
        parser.error(f"--units must be a multiple of {LANES}, not {given.units}")
    check_writable(given.out)
    start = read_network(given.start) if given.start else None
    found = Examples(given.paths, read_weights(given.weights))
    trainer = Trainer(found, given.units or 128, given.searched, given.seed, start)
    trainer.train(given.epochs, given.rate)
    network = Network.of(trainer.rows, trainer.outputs)
    if not network.is_whole():
        raise BadInput("the training went astray: its numbers are too large; try a smaller --rate")
    network.write(given.out)
    print(f"written to {given.out}", flush=True)


if __name__ == "__main__":
    answered(main)
