"""Fit the weights of Othello's patterns to the positions of `othello_data.py`, by least squares, stage by stage.

`python benchmarks/othello_fit.py FOLDER... --out weights.npz` fits all stages that the folders have positions of and
prints the error of each on the games that were held out. A stage is fitted from the latest to the earliest: to its own
positions and, counting less, those next to it, and weights of which the data says little stay near those of the stage
after it. Patterns that are one another's mirror images share a weight. The layer on top is then trained on what the
rounded weights of the stage leave over, with Adam.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from othello_data import HELD_OUT
from plywright import load_game
from plywright.games.othello.pattern_knowledge import CHANGES, LAYER, MODEL, PER_DISC, packed
from plywright.games.othello.pattern_sums import A_LAYER
from plywright.games.othello.patterns import (
    A_STAGE,
    BLOCKS,
    FEWEST,
    HIDDEN,
    INPUTS,
    MOST_IN_QUADRANT,
    MOST_MOVES,
    STAGES,
    column_blocks,
    layout,
    pattern_numbers,
)
from plywright.knowledge import knowledge_of
from plywright.models.model_file import ModelFile, save_model

RIDGE, FEW = 30.0, 4.0
"""How many positions' worth of doubt there is that a weight differs from that of the stage after it; of a count's."""
NEAR, NEAR_COUNTS = 3, 0.4
"""Positions with up to so many squares more or fewer than the stage's count in, so much."""
SEARCHED_COUNTS = 0.7
"""How much a value counts that was searched and not solved."""
ROUNDS = 30
STEPS, BATCH, RATE, WIDELY = 2500, 16_384, 4e-3, 16.0
"""Steps of the layer's training, positions in each, how far the first goes, and discs that the layer takes for 1."""
SURE_COUNTS = 4.0
"""How much more an exact position counts in it."""
MANY = 500_000
QUARTERS = [np.uint64(0x0F0F0F0F << shift) for shift in (0, 4, 32, 36)]


class Positions(NamedTuple):
    mine: NDArray[np.uint64]
    theirs: NDArray[np.uint64]
    score: NDArray[np.float32]
    exact: NDArray[np.bool_]
    game: NDArray[np.int32]

    def where(self, chosen: Any) -> Positions:
        return Positions(*(part[chosen] for part in self))

    @property
    def left(self) -> NDArray[np.int64]:
        return 64 - np.bitwise_count(self.mine | self.theirs).astype(np.int64)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", type=Path, nargs="*")
    parser.add_argument("--out", type=Path, help="write the weights here")
    parser.add_argument("--measure", type=Path, help="fit nothing: the error of what is shipped on a file's positions")
    parser.add_argument("--model", type=Path, help="write them as Plywright ships them, too")
    parser.add_argument("--begin", type=Path, help="weights whose stages stay as they are where they are not fitted")
    parser.add_argument("--from", dest="first", type=int, default=0, help="the first stage to fit")
    parser.add_argument("--to", dest="last", type=int, default=STAGES - 1)
    parser.add_argument("--ridge", type=float, default=RIDGE)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    args = parser.parse_args()
    if args.measure is not None:
        measure(args.measure)
        return
    if args.out is None or not args.folders:
        parser.error("folders have the positions, and --out is where the weights are written")
    positions = read(args.folders)
    plan = layout()
    found, layers = np.zeros((STAGES, plan.weights), np.float32), np.zeros((STAGES, A_LAYER), np.float32)
    if args.begin is not None:
        with np.load(args.begin) as file:
            found[:] = file["weights"].reshape(STAGES, -1) / np.float32(PER_DISC)
            layers[:] = file["layer"]
    before = found[args.first - 1] if args.first else np.zeros(plan.weights, np.float32)
    for stage in range(args.first, args.last + 1):
        began = time.monotonic()
        chosen, counts = near_stage(positions, stage)
        numbers = weight_numbers(chosen)
        before = fitted(numbers, chosen, counts, before, args.ridge, args.rounds)
        found[stage] = np.round(before * PER_DISC) / PER_DISC
        layers[stage] = trained(numbers, chosen, counts, found[stage])
        text = describe(positions, found[stage], layers[stage], stage)
        print(f"stage {stage}: {text}, {time.monotonic() - began:.0f} s", flush=True)
    for stage in range(args.last + 1, STAGES):
        found[stage], layers[stage] = found[args.last], layers[args.last]  # until it is fitted, the nearest
    weights = np.clip(np.round(found * PER_DISC), -32767, 32767).astype(np.int16).ravel()
    np.savez(args.out, weights=weights, layer=layers)
    if args.model is not None:
        training = {"positions": len(positions.score), "games": len(np.unique(positions.game)), "ridge": args.ridge}
        arrays = {CHANGES: packed(weights), LAYER: layers}
        save_model(args.model, ModelFile.of(load_game("othello"), MODEL, arrays, training=training))


def read(folders: list[Path]) -> Positions:
    """All positions that have a value."""
    parts: list[Positions] = []
    for folder in folders:
        for path in sorted(folder.glob("*-?????.npz")):
            with np.load(path) as file:
                parts.append(Positions(*(file[name] for name in Positions._fields)))
                parts[-1] = parts[-1]._replace(score=parts[-1].score.astype(np.float32))
    return Positions(*(np.concatenate(columns) for columns in zip(*parts, strict=True)))


def measure(path: Path) -> None:
    """The error of the shipped knowledge on exact positions that were held out."""
    game = load_game("othello")
    with np.load(path) as file:
        states = [game.position(mine, theirs, 0) for mine, theirs in zip(file["mine"], file["theirs"], strict=True)]
        scores = file["score"]
    for name in ("hand", "patterns"):
        knowledge = knowledge_of(game, name)
        errors = np.array([knowledge.evaluate(state, 0) for state in states]) - scores
        print(f"{name}: error {rms(errors):.2f} on {len(states):,} positions, spread {np.std(scores):.1f}", flush=True)


def near_stage(positions: Positions, stage: int) -> tuple[Positions, NDArray[np.float32]]:
    """The positions that a stage is fitted to, and how much each counts."""
    left = positions.left
    low, high = bounds_of(stage)
    near = (left >= low - NEAR) & (left <= high + NEAR) & (positions.game % HELD_OUT != 0)
    chosen = positions.where(near)
    counts = np.where((left[near] >= low) & (left[near] <= high), 1.0, NEAR_COUNTS)
    return chosen, (counts * np.where(chosen.exact, 1.0, SEARCHED_COUNTS)).astype(np.float32)


def weight_numbers(positions: Positions) -> NDArray[np.int32]:
    """[positions, columns] the weights of each position, of two with the same meaning the first."""
    twins = layout().twins.astype(np.int32)
    parts = [slice(first, first + MANY) for first in range(0, len(positions.score), MANY)]
    return np.vstack([twins[features(positions.where(part))] for part in parts])


def fitted(
    numbers: NDArray[np.int32],
    chosen: Positions,
    counts: NDArray[np.float32],
    prior: NDArray[np.float32],
    ridge: float,
    rounds: int,
) -> NDArray[np.float32]:
    """The weights of a stage, near `prior` where the data is silent: conjugate gradients on the normal equations."""
    plan = layout()

    def predicted(weights: NDArray[np.float32]) -> NDArray[np.float32]:
        sums = np.zeros(len(numbers), np.float32)
        add_up(numbers, weights, sums)
        return sums

    def gathered(errors: NDArray[np.float32]) -> NDArray[np.float64]:
        sums = np.zeros(plan.weights)
        spread_out(numbers, errors * counts, sums)
        return sums

    doubt = np.full(plan.weights, ridge)
    doubt[plan.starts[BLOCKS + 1] :] = FEW
    scale = gathered(np.ones_like(counts)) + doubt
    change = np.zeros(plan.weights)
    residual = gathered(chosen.score - predicted(prior))
    direction = residual / scale
    steepness = residual @ direction
    for _ in range(rounds):
        product = gathered(predicted(direction.astype(np.float32))) + doubt * direction
        length = steepness / max(direction @ product, 1e-12)
        change += length * direction
        residual -= length * product
        next_steepness = residual @ (residual / scale)
        direction = residual / scale + next_steepness / steepness * direction
        steepness = next_steepness
    weights = (prior + change.astype(np.float32))[plan.twins]
    weights[-1] = 0
    return weights


@njit(cache=False)
def add_up(numbers, weights, sums):
    """The sum of each position's weights."""
    for row in range(len(numbers)):
        total = np.float32(0)
        for column in range(numbers.shape[1]):
            total += weights[numbers[row, column]]
        sums[row] = total


@njit(cache=False)
def spread_out(numbers, errors, sums):
    """To each weight the errors of its positions."""
    for row in range(len(numbers)):
        for column in range(numbers.shape[1]):
            sums[numbers[row, column]] += errors[row]


@njit(cache=False)
def add_up_by_block(numbers, blocks, weights, sums):
    """The sum of each position's weights, block by block."""
    for row in range(len(numbers)):
        for column in range(numbers.shape[1]):
            sums[row, blocks[column]] += weights[numbers[row, column]]


# -- the layer on top -----------------------------------------------------------------------------------------


def block_sums(numbers: NDArray[np.int32], weights: NDArray[np.float32]) -> NDArray[np.float32]:
    """[positions, INPUTS] what the layer hears, in discs."""
    counted = [BLOCKS, *[BLOCKS] * 3, *range(BLOCKS + 1, INPUTS)]  # four quadrants are one sum
    sums = np.zeros((len(numbers), INPUTS), np.float32)
    add_up_by_block(numbers, np.array([*column_blocks(), *counted]), weights, sums)
    return sums


def trained(
    numbers: NDArray[np.int32], chosen: Positions, counts: NDArray[np.float32], weights: NDArray[np.float32]
) -> NDArray[np.float32]:
    """[A_LAYER] the layer for what the weights leave over."""
    sums = block_sums(numbers, weights)
    heard = sums / np.float32(WIDELY)
    over = (chosen.score - sums.sum(1)) / np.float32(WIDELY)
    counts = counts * np.where(chosen.exact, SURE_COUNTS, 1.0).astype(np.float32)
    rng = np.random.default_rng(1)
    bound = INPUTS**-0.5
    parts = [rng.uniform(-bound, bound, shape).astype(np.float32) for shape in (HIDDEN, (INPUTS, HIDDEN), HIDDEN)]
    parts.append(np.zeros(1, np.float32))
    means, squares = [np.zeros_like(part) for part in parts], [np.zeros_like(part) for part in parts]
    for step in range(STEPS):
        rows = rng.integers(0, len(heard), BATCH)
        changes = gradients(parts, heard[rows], over[rows], counts[rows])
        rate = RATE * (1 - step / STEPS) + 1e-5
        for part, mean, square, change in zip(parts, means, squares, changes, strict=True):
            mean += 0.1 * (change - mean)
            square += 0.001 * (change**2 - square)
            upright = np.sqrt(square / (1 - 0.999 ** (step + 1))) + 1e-8
            part -= (rate * mean / (1 - 0.9 ** (step + 1)) / upright).astype(np.float32)
    begins, rows_, adds, more = parts
    scaled = rows_ / (WIDELY * PER_DISC)
    return np.concatenate([begins, scaled.ravel(), adds * WIDELY, more * WIDELY]).astype(np.float32)


def gradients(parts: list[Any], heard: Any, over: Any, counts: Any) -> list[Any]:
    """Of the mean squared error, to each part of the layer."""
    begins, rows, adds, more = parts
    units = np.maximum(heard @ rows + begins, 0)
    errors = 2 * counts * (units @ adds + more - over) / len(over)
    back = np.outer(errors, adds) * (units > 0)
    return [back.sum(0), heard.T @ back, units.T @ errors, errors.sum(keepdims=True)]


def layer_adds(sums: NDArray[np.float32], layer: NDArray[np.float32]) -> NDArray[np.float32]:
    """What a stage's layer makes of the sums, in discs."""
    begins, rows, adds, more = np.split(layer, np.cumsum([HIDDEN, INPUTS * HIDDEN, HIDDEN]))
    units = np.maximum(sums * PER_DISC @ rows.reshape(INPUTS, HIDDEN) + begins, 0)
    return units @ adds + more  # type: ignore[no-any-return]


# -- what a position has ----------------------------------------------------------------------------------------


def features(positions: Positions) -> NDArray[np.int32]:
    """[positions, patterns + counts] the weights of each position, without the stage."""
    starts = layout().starts[BLOCKS:]
    mine, theirs = positions.mine, positions.theirs
    moves, replies = moves_of(mine, theirs), moves_of(theirs, mine)
    empty = ~(mine | theirs)
    columns = []
    most = MOST_IN_QUADRANT - 1
    for quarter in QUARTERS:
        there = [np.minimum(np.bitwise_count(board & quarter).astype(np.int64), most) for board in (moves, replies)]
        here = np.bitwise_count(empty & quarter).astype(np.int64)
        columns.append(starts[0] + (here * MOST_IN_QUADRANT + there[0]) * MOST_IN_QUADRANT + there[1])
    odd = sum((np.bitwise_count(empty & quarter) & 1).astype(np.int64) for quarter in QUARTERS)
    columns += [
        starts[1 + who] + np.minimum(np.bitwise_count(board), MOST_MOVES - 1)
        for who, board in enumerate((moves, replies))
    ]
    columns += [starts[3 + who] + np.bitwise_count(beside(discs) & empty) for who, discs in enumerate((mine, theirs))]
    columns += [starts[5] + odd, starts[6] + positions.left]
    return np.hstack([pattern_numbers(mine, theirs, moves, replies), np.column_stack(columns).astype(np.int32)])


def moves_of(mine: NDArray[np.uint64], theirs: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """The squares where the owner of `mine` may play, for many boards."""
    inner = np.uint64(0x7E7E7E7E7E7E7E7E)
    found = np.zeros_like(mine)
    for shift, within in ((1, theirs & inner), (8, theirs), (7, theirs & inner), (9, theirs & inner)):
        step = np.uint64(shift)
        up, down = within & (mine << step), within & (mine >> step)
        for _ in range(5):
            up, down = up | within & (up << step), down | within & (down >> step)
        found |= up << step | down >> step
    return found & ~(mine | theirs)


def beside(discs: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """The squares on or next to these, for many boards."""
    one, row = np.uint64(1), np.uint64(8)
    wide = discs | (discs << one & np.uint64(0xFEFEFEFEFEFEFEFE)) | (discs >> one & np.uint64(0x7F7F7F7F7F7F7F7F))
    return wide | wide << row | wide >> row


def bounds_of(stage: int) -> tuple[int, int]:
    low = FEWEST + A_STAGE * stage
    return (0 if stage == 0 else low), (64 if stage == STAGES - 1 else low + A_STAGE - 1)


def describe(positions: Positions, weights: NDArray[np.float32], layer: NDArray[np.float32], stage: int) -> str:
    """How many positions there are, and the root of the mean squared error on those held out."""
    low, high = bounds_of(stage)
    of_stage = positions.where((positions.left >= low) & (positions.left <= high))
    held = of_stage.where(of_stage.game % HELD_OUT == 0)
    if not len(held.score):
        return f"{len(of_stage.score):,} positions, none held out"
    sums = block_sums(weight_numbers(held), weights)
    linear = sums.sum(1) - held.score
    return (
        f"{low}-{high} empty: {len(of_stage.score):,} positions, error {rms(linear + layer_adds(sums, layer)):.2f} on "
        f"{len(held.score):,} held out (without the layer {rms(linear):.2f}, spread {float(np.std(held.score)):.1f})"
    )


def rms(errors: NDArray[Any]) -> float:
    return float(np.sqrt(np.mean(np.square(errors, dtype=np.float64))))


if __name__ == "__main__":
    main()
