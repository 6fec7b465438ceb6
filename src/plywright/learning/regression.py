"""Regression: fit a model to positions whose values are known, from results, from searches, or from both.

    found = gather(model, games=200, depth=2)                 # positions of self-play, each with score and result
    for fit in fit_to(model, found, share=0.5, passes=5): ...  # how well it fits, and on positions it has not seen

`share` is how much of a target is the search's score; the rest is how the game ended. The loss is logistic, or least
squares. One position in ten is held out: what a model gains on the others and loses on these it has learned by heart.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..bits import read_state, write_state
from ..compiled import Workspace, kernel
from ..counters import FAULT
from ..errors import BadInput, shown
from ..models.model import LOSS, RATE, SQUARES, STEPS, TALLY, Model
from ..rng import scramble, seeded
from . import self_play as kernels
from .self_play import KEPT, PLIES, fit, keep_game, play_game
from .trainer import LOSSES, Diverged, Schedule, Trainer, room_for

HELD_OUT = 10
"""One position in so many is not learned from."""


@dataclass(frozen=True)
class Positions:
    """States, as the numbers they are made of (or as they are, where they are not numbers in one shape), with the first
    player's values: by search, and in the end."""

    states: NDArray[Any]
    scores: NDArray[np.float64]
    results: NDArray[np.float64]

    def __len__(self) -> int:
        return len(self.scores)


@dataclass(frozen=True)
class Fit:
    """One pass: the mean squared error, in squares of the largest utility, on what was learned and on what was not."""

    number: int
    learned: float
    held_out: float


@kernel
def gather_games(game, knowledge, start, games, work):
    """Play games and keep their states, until there is no room; returns how many were played."""
    done = 0
    while done < games and work.info[FAULT] == 0 and work.info[kernels.STORED] <= KEPT - PLIES:
        length = play_game(game, knowledge, start, work)
        before = work.info[kernels.STORED]
        keep_game(length, work)
        for n in range(length):
            work.scores[before + n] = work.values[n]
            work.results[before + n] = work.outcome[0]
        done += 1
    return done


@kernel
def errors_of(game, knowledge, start, count, work):
    """The sum of squared errors of the first `count` states that are kept."""
    total = 0.0
    for n in range(count):
        state = read_state(work.kept, n * work.info[kernels.LEAVES], start)
        error = work.aims[n] - knowledge.evaluate(state, 0)
        total += error * error
    return total


def gather(
    model: Model, *, games: int, depth: int = 1, opening: int = 8, noise: float = 0.0, seed: int = 1
) -> Positions:
    """Positions of so many games of the model against itself, by a search of so many plies."""
    schedule = Schedule(depth=depth, opening=opening, noise=noise, method="regression")
    trainer = Trainer(model, schedule, seed=seed)
    size, _ = room_for(model.game)
    parts: list[tuple[Any, Any, Any]] = []
    room = {"scores": np.zeros(KEPT), "results": np.zeros(KEPT)}
    work: Any = trainer.workspace(0, np.zeros(1, np.int64), model.workspace(), **room)
    trainer.crew = [work]
    while games > 0:
        work.info[kernels.STORED] = 0
        games -= int(gather_games(model.game, model, model.game.start_state, games, work))
        trainer.check()
        count = int(work.info[kernels.STORED])
        parts.append((work.kept[: count * size].copy(), work.scores[:count].copy(), work.results[:count].copy()))
    states, scores, results = (np.concatenate(part) for part in zip(*parts, strict=True))
    return Positions(states.reshape(-1, size), scores, results)


def positions_of(model: Model, states: Any, results: Any, scores: Any = None) -> Positions:
    """Positions of one's own: states, and the first player's results and scores (one of them may be left out)."""
    game = model.game
    size, kind = room_for(game)
    rows: NDArray[Any] = np.zeros((len(states), size), kind)
    for row, state in zip(rows, states, strict=True):
        write_state(row, 0, game.coerce_state(state))
    found = [np.array(values if values is not None else results, np.float64) for values in (scores, results)]
    if any(len(values) != len(rows) for values in found):
        raise BadInput(f"there are {len(rows)} positions; each needs a result (and a score, where they are given)")
    if not all(np.all(np.isfinite(values)) for values in found):
        raise BadInput("results and scores are finite numbers")
    return Positions(rows, *found)


def fit_to(
    model: Model,
    positions: Positions,
    *,
    share: float = 0.0,
    passes: int = 5,
    rate: float = 1.0,
    loss: str = "logistic",
    seed: int = 1,
) -> Iterator[Fit]:
    """Fit a model to positions, pass by pass; the model's weights change as it goes."""
    if not len(positions):
        raise BadInput("there are no positions to learn from")
    if not 0 <= share <= 1 or not 1 <= passes <= 10_000 or loss not in LOSSES or not 0 < rate <= 10:
        given = f"share={share}, passes={passes}, rate={rate}, loss={shown(loss)}"
        raise BadInput(f"share goes from 0 to 1, passes from 1, rate to 10, loss is {' or '.join(LOSSES)}; not {given}")
    if model.several:
        raise BadInput("a model with several outputs learns by td: its outputs have no single target")
    size = positions.states.shape[1]
    aims = positions.results + share * (positions.scores - positions.results)
    mixed = np.random.default_rng(seed).permutation(len(aims))
    apart = max(len(aims) // HELD_OUT, 1) if len(aims) > 1 else 0
    tally = np.zeros(TALLY)
    tally[RATE], tally[LOSS] = rate, LOSSES.index(loss)
    shared, rng = model.workspace(), seeded(scramble(seed))

    def part(which: NDArray[Any]) -> Any:
        info = np.zeros(kernels.INFO, np.int64)
        info[kernels.LEAVES], info[kernels.STORED], info[kernels.PASSES] = size, len(which), 1
        kept = np.ascontiguousarray(positions.states[which]).ravel()
        order = np.zeros(len(which), np.int64)
        work = {"info": info, "kept": kept, "aims": aims[which], "order": order, "tally": tally, "rng": rng}
        return Workspace(**work, target=np.zeros(kernels.WIDE), **shared)

    held, learned = part(mixed[:apart]), part(mixed[apart:])
    game, start = model.game, model.game.start_state
    square = model.top**2
    for number in range(1, passes + 1):
        learned.info[kernels.STORED] = len(aims) - apart
        tally[SQUARES] = tally[STEPS] = 0
        fit(game, model, start, learned)
        if int(learned.info[FAULT]) or not math.isfinite(tally[SQUARES]):
            raise Diverged(f"{game.name}: regression brought a value that is no number (NaN): try a smaller rate")
        seen = float(errors_of(game, model, start, len(aims) - apart, learned)) / square / max(len(aims) - apart, 1)
        unseen = float(errors_of(game, model, start, apart, held)) / square / max(apart, 1) if apart else seen
        yield Fit(number, seen, unseen)


__all__ = ["Fit", "Positions", "fit_to", "gather", "positions_of"]
