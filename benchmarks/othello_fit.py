"""Fit the weights of Othello's patterns to the positions of `othello_data.py`, by least squares, stage by stage.

`python benchmarks/othello_fit.py FOLDER... --out weights.npy` fits all stages that the folders have positions of and
prints the error of each on the games that were held out. A stage is fitted from the latest to the earliest: to its own
positions and, counting less, those next to it, and weights of which the data says little stay near those of the stage
after it. Patterns that are one another's mirror images share a weight.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from othello_data import HELD_OUT
from plywright import load_game
from plywright.games.othello.pattern_knowledge import CHANGES, MODEL, PER_DISC, packed
from plywright.games.othello.patterns import (
    A_STAGE,
    FAMILIES,
    FEWEST,
    MOST_MOVES,
    STAGES,
    layout,
    pattern_numbers,
)
from plywright.knowledge import knowledge_of
from plywright.models.model_file import ModelFile, save_model

RIDGE = 30.0
"""How many positions' worth of doubt there is that a weight differs from that of the stage after it."""
NEAR, NEAR_COUNTS = 3, 0.4
"""Positions with up to so many squares more or fewer than the stage's count in, so much."""
SEARCHED_COUNTS = 0.7
"""How much a value counts that was searched and not solved."""
ROUNDS = 30
MEASURED = 2000
QUARTERS = [np.uint64(0x0F0F0F0F << shift) for shift in (0, 4, 32, 36)]


class Positions(NamedTuple):
    mine: NDArray[np.uint64]
    theirs: NDArray[np.uint64]
    score: NDArray[np.int8]
    exact: NDArray[np.bool_]
    game: NDArray[np.int32]

    def where(self, chosen: Any) -> Positions:
        return Positions(*(part[chosen] for part in self))

    @property
    def left(self) -> NDArray[np.int64]:
        return 64 - np.bitwise_count(self.mine | self.theirs).astype(np.int64)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--out", type=Path, help="write the weights here")
    parser.add_argument(
        "--measure", type=int, help="fit nothing: the error of what is shipped with so many squares left"
    )
    parser.add_argument("--model", type=Path, help="write them as Plywright ships them, too")
    parser.add_argument("--begin", type=Path, help="weights whose stages stay as they are where they are not fitted")
    parser.add_argument("--from", dest="first", type=int, default=0, help="the first stage to fit")
    parser.add_argument("--to", dest="last", type=int, default=STAGES - 1)
    parser.add_argument("--ridge", type=float, default=RIDGE)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    args = parser.parse_args()
    positions = read(args.folders)
    if args.measure is not None:
        measure(positions, args.measure)
        return
    if args.out is None:
        parser.error("--out is where the weights are written")
    plan = layout()
    if args.begin is None:
        found = np.zeros((STAGES, plan.weights), np.float32)
    else:
        found = np.load(args.begin).reshape(STAGES, -1).astype(np.float32) / PER_DISC
    before = found[args.first - 1] if args.first else np.zeros(plan.weights, np.float32)
    for stage in range(args.first, args.last + 1):
        began = time.monotonic()
        before = found[stage] = fitted(positions, stage, before, args.ridge, args.rounds)
        print(
            f"stage {stage}: {describe(positions, found[stage], stage)}, {time.monotonic() - began:.0f} s", flush=True
        )
    for stage in range(args.last + 1, STAGES):
        found[stage] = before  # until it is fitted, the nearest
    weights = np.clip(np.round(found * PER_DISC), -32767, 32767).astype(np.int16).ravel()
    np.save(args.out, weights)
    if args.model is not None:
        training = {"positions": len(positions.score), "games": len(np.unique(positions.game)), "ridge": args.ridge}
        file = ModelFile.of(load_game("othello"), MODEL, {CHANGES: packed(weights)}, training=training)
        save_model(args.model, file)


def read(folders: list[Path]) -> Positions:
    """All positions that have a value."""
    parts: list[Positions] = []
    for folder in folders:
        for path in sorted(folder.glob("*-?????.npz")):
            with np.load(path) as file:
                parts.append(Positions(*(file[name] for name in Positions._fields)))
    return Positions(*(np.concatenate(columns) for columns in zip(*parts, strict=True)))


def measure(positions: Positions, left: int) -> None:
    """The error of the shipped knowledge on exact positions that were held out, 2,000 at most."""
    game = load_game("othello")
    held = positions.where((positions.left == left) & positions.exact & (positions.game % HELD_OUT == 0))
    held = held.where(slice(MEASURED))
    states = [game.position(mine, theirs, 0) for mine, theirs in zip(held.mine, held.theirs, strict=True)]
    for name in ("hand", "patterns"):
        knowledge = knowledge_of(game, name)
        errors = np.array([knowledge.evaluate(state, 0) for state in states]) - held.score
        print(f"{name}: error {rms(errors):.2f} on {len(states):,} positions with {left} empty squares", flush=True)


def fitted(
    positions: Positions, stage: int, prior: NDArray[np.float32], ridge: float, rounds: int
) -> NDArray[np.float32]:
    """The weights of a stage, near `prior` where the data is silent: conjugate gradients on the normal equations."""
    plan = layout()
    left = positions.left
    low, high = bounds_of(stage)
    near = (left >= low - NEAR) & (left <= high + NEAR) & (positions.game % HELD_OUT != 0)
    chosen = positions.where(near)
    counts = np.where((left[near] >= low) & (left[near] <= high), 1.0, NEAR_COUNTS)
    counts = (counts * np.where(chosen.exact, 1.0, SEARCHED_COUNTS)).astype(np.float32)
    numbers = np.ascontiguousarray(plan.twins.astype(np.int32)[features(chosen)].T)

    def predicted(weights: NDArray[np.float32]) -> NDArray[np.float32]:
        return sum(weights[column] for column in numbers)

    def gathered(errors: NDArray[np.float32]) -> NDArray[np.float64]:
        weighed = errors * counts
        return sum(np.bincount(column, weighed, plan.weights) for column in numbers)

    scale = gathered(np.ones_like(counts)) + ridge
    change = np.zeros(plan.weights)
    residual = gathered(chosen.score - predicted(prior))
    direction = residual / scale
    steepness = residual @ direction
    for _ in range(rounds):
        product = gathered(predicted(direction.astype(np.float32))) + ridge * direction
        length = steepness / max(direction @ product, 1e-12)
        change += length * direction
        residual -= length * product
        next_steepness = residual @ (residual / scale)
        direction = residual / scale + next_steepness / steepness * direction
        steepness = next_steepness
    weights = (prior + change.astype(np.float32))[plan.twins]
    weights[-1] = 0
    return weights


def features(positions: Positions) -> NDArray[np.int32]:
    """[positions, patterns + counts] the weights of each position, without the stage."""
    plan = layout()
    starts = plan.starts[len(FAMILIES) :]
    mine, theirs = positions.mine, positions.theirs
    empty = ~(mine | theirs)
    odd = sum((np.bitwise_count(empty & quarter) & 1).astype(np.int64) for quarter in QUARTERS)
    moves = [np.minimum(np.bitwise_count(moves_of(*pair)), MOST_MOVES - 1) for pair in ((mine, theirs), (theirs, mine))]
    columns = [starts[0] + moves[0], starts[1] + moves[1]]
    columns += [starts[2 + who] + np.bitwise_count(beside(discs) & empty) for who, discs in enumerate((mine, theirs))]
    columns += [starts[4] + odd, starts[5] + positions.left]
    return np.hstack([pattern_numbers(mine, theirs), np.column_stack(columns).astype(np.int32)])


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


def describe(positions: Positions, weights: NDArray[np.float32], stage: int) -> str:
    """How many positions there are, and the root of the mean squared error on those held out."""
    low, high = bounds_of(stage)
    of_stage = positions.where((positions.left >= low) & (positions.left <= high))
    held = of_stage.where(of_stage.game % HELD_OUT == 0)
    if not len(held.score):
        return f"{len(of_stage.score):,} positions, none held out"
    errors = weights[features(held)].sum(1) - held.score
    own = of_stage.where(of_stage.game % HELD_OUT != 0).where(slice(20_000))
    fit = weights[features(own)].sum(1) - own.score
    spread = float(np.std(held.score))
    return (
        f"{low}-{high} empty: {len(of_stage.score):,} positions, error {rms(errors):.2f} on {len(held.score):,} "
        f"held out (on its own {rms(fit):.2f}, spread {spread:.1f})"
    )


def rms(errors: NDArray[Any]) -> float:
    return float(np.sqrt(np.mean(np.square(errors, dtype=np.float64))))


if __name__ == "__main__":
    main()
