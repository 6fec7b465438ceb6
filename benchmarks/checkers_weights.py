"""Fit the weights of checkers' evaluation to games of the engine with itself.

    python benchmarks/checkers_weights.py play games.npz --seconds 300 --seed 1 [--table DIR] [--knowledge hand]
    python benchmarks/checkers_weights.py fit games.npz ... --out src/plywright/games/checkers/fitted.knowledge

`play` begins each game with random plies, lets a small search choose the rest, and keeps the quiet positions with what
the search thought and how the game ended; a table ends games that have come to it. `fit` finds the weights of patterns
and features by which a logistic function predicts both best (with a penalty), stage by stage, and prints the error on
the games that were held back, beside that of the hand-made weights.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plywright import load_game
from plywright.bits import read_state, signed, write_state
from plywright.compiled import Workspace, kernel
from plywright.games.checkers.endings import packed
from plywright.games.checkers.fitted import MODEL, PER_MAN, features_sum
from plywright.games.checkers.knowledge import HAND, MAN
from plywright.games.checkers.patterns import FEATURES, LANES, NUMBERS, STAGES, layout, pattern_numbers, stage_of
from plywright.knowledge import knowledge_of
from plywright.models.model_file import ModelFile, save_model
from plywright.rng import below, seeded
from plywright.table_blocks import UNKNOWN, probe

LONGEST = 160  # plies of a game
DECIDED = 0.85  # a value that ends a game: won by the table, or as good as won
WORDS = 5
SCALE = 0.9  # the lead, in men, that means 73 %
SEARCHED = 0.3  # the part of the aim that is what the search thought; the rest is how the game ended
DOUBT = 12.0  # positions' worth of doubt that the weight of a pattern differs from nothing
FEATURE_DOUBT = 0.5  # the same for a feature's weight
HELD = 20  # every so many games one is held back


@kernel
def look(game, knowledge, state, depth, alpha, beta):
    """The value of a state for its mover: alpha-beta to a depth, on while somebody must jump; tables are believed."""
    if game.is_terminal(state):
        return 1.0 * game.utility(state, state.mover)
    if knowledge.has_table:
        known = probe(knowledge.table_data, knowledge.table_firsts, knowledge.table_places, knowledge.index(state))
        if known != UNKNOWN:
            return 0.0 if known == 0 else (1.0 - 0.001 * known if known > 0 else -1.0 - 0.001 * known)
    if depth <= 0 and knowledge.is_quiet(state):
        return 1.0 * knowledge.evaluate(state, state.mover)
    best = -2.0
    for action in game.actions(state):
        value = -look(game, knowledge, game.result(state, action), depth - 1, -beta, -max(alpha, best))
        if value > best:
            best = value
            if best >= beta:
                break
    return best


@kernel
def play_game(game, knowledge, state, opening, depth, rng, record):
    """Play one game; fills record.words, record.values and record.quiet, returns (plies, Black's utility)."""
    for ply in range(LONGEST):
        if game.is_terminal(state):
            return ply, int(game.utility(state, 0))
        key = signed(game.repetition_key(state))
        times = 0
        for before in range(ply):
            times += 1 if record.keys[before] == key else 0
        if times >= 2:
            return ply, 0
        record.keys[ply] = key
        write_state(record.words, WORDS * ply, state)
        record.quiet[ply] = 0
        record.values[ply] = 0.0
        count = 0
        for each in game.actions(state):
            record.moves[count] = each
            count += 1
        first = below(rng, count)  # of equal moves any may be the first
        action = record.moves[first]
        if ply >= opening:
            best = -2.0
            for number in range(count):
                move = record.moves[(first + number) % count]
                value = -look(game, knowledge, game.result(state, move), depth - 1, -2.0, -best)
                if value > best:
                    best = value
                    action = move
            black = best if state.mover == 0 else -best
            if abs(best) > DECIDED:
                return ply, 1 if black > 0 else -1
            record.values[ply] = black
            record.quiet[ply] = 1 if knowledge.is_quiet(state) else 0
        state = game.result(state, action)
    return LONGEST, 0


def play(path: Path, seconds: float, depth: int, table: str | None, name: str | None, seed: int) -> None:
    game = load_game("checkers")
    knowledge = knowledge_of(game, name)
    if table is not None:
        from plywright.tables import open_table

        knowledge = open_table(game, table, knowledge).knowledge
    record: Any = Workspace(
        words=np.zeros(WORDS * LONGEST, np.int64),
        values=np.zeros(LONGEST),
        quiet=np.zeros(LONGEST, np.int64),
        keys=np.zeros(LONGEST, np.int64),
        moves=np.zeros(game.max_actions, np.int64),
    )
    rng: Any = seeded(seed)
    words, values, ends, games = [], [], [], []
    began = saved = time.monotonic()
    number = 0
    while time.monotonic() - began < seconds:
        opening = 4 + below(rng, 8)
        plies, end = play_game(game, knowledge, game.start_state, opening, depth, rng, record)
        number += 1
        kept = np.flatnonzero(record.quiet[:plies])
        words.append(record.words.reshape(LONGEST, WORDS)[kept].copy())
        values.append(record.values[kept].copy())
        ends.append(np.full(len(kept), end))
        games.append(np.full(len(kept), number))
        if time.monotonic() - saved > 30:
            saved = time.monotonic()
            print(f"{number:,} games, {sum(map(len, values)):,} positions", flush=True)
    columns = {"words": words, "values": values, "ends": ends, "games": games}
    np.savez_compressed(path, **{name: np.concatenate(column) for name, column in columns.items()})
    print(f"{number:,} games, {sum(map(len, values)):,} positions in {time.monotonic() - began:.0f} s")


# -- fitting ---------------------------------------------------------------------------------------------------------


@kernel
def count_features(game, knowledge, like, number, work):
    """What each position has of the features, each weighed with 1 and all others with 0; and the hand-made value."""
    for index in range(number):
        state = read_state(work.words, WORDS * index, like)
        for feature in range(len(FEATURES)):
            work.unit[feature] = 1
            work.counts[len(FEATURES) * index + feature] = features_sum(work.unit, 0, state)
            work.unit[feature] = 0
        work.black[index] = packed(state.black & ~state.kings)
        work.white[index] = packed(state.white & ~state.kings)
        work.pieces[index] = packed(state.black | state.white)
        work.hand[index] = knowledge.evaluate(state, 0)


class Positions:
    """What is known of all positions, Black's view."""

    def __init__(self, paths: list[Path], every: int) -> None:
        names = ("words", "values", "ends", "games")
        loaded = [{name: np.load(path)[name][::every] for name in names} for path in paths]
        words, values, ends = (np.concatenate([each[name] for each in loaded]) for name in ("words", "values", "ends"))
        self.game = np.concatenate([each["games"] + 1_000_000 * place for place, each in enumerate(loaded)])
        game, count = load_game("checkers"), len(words)
        work: Any = Workspace(
            words=words.ravel(),
            unit=np.zeros(len(FEATURES), np.int64),
            counts=np.zeros(count * len(FEATURES)),
            black=np.zeros(count, np.uint64),
            white=np.zeros(count, np.uint64),
            pieces=np.zeros(count, np.uint64),
            hand=np.zeros(count),
        )
        count_features(game, knowledge_of(game, "hand"), game.start_state, count, work)
        self.patterns = pattern_numbers(work.black.astype(np.uint32), work.white.astype(np.uint32))
        self.features = work.counts.reshape(count, -1)
        pieces = np.bitwise_count(work.pieces)
        self.stage = np.array([stage_of(number) for number in range(33)])[pieces]
        self.hand = work.hand * MAN
        chance = 1 / (1 + np.exp(-values * MAN / SCALE))
        self.aim = (1 - SEARCHED) * (ends + 1) / 2 + SEARCHED * chance
        self.held = self.game % HELD == 0


def loss_of(chance: NDArray[Any], aim: NDArray[Any]) -> float:
    return float(-np.mean(aim * np.log(chance + 1e-12) + (1 - aim) * np.log(1 - chance + 1e-12)))


def fit(paths: list[Path], every: int, out: Path) -> None:
    from scipy.optimize import minimize

    data, plan = Positions(paths, every), layout()
    numbers, wide = len(plan.patterns) * NUMBERS, len(FEATURES)

    def lead(weights: NDArray[Any], features: NDArray[Any], columns: NDArray[Any]) -> NDArray[Any]:
        """In men, for Black: half the patterns as they are and half as the other side sees them."""
        own = 0.5 * (weights[:numbers] - weights[:numbers][plan.mirror])
        found: NDArray[Any] = features @ weights[numbers:]
        for column in columns:
            found += own[column]
        return found

    doubt = np.concatenate([np.full(numbers, DOUBT), np.full(wide, FEATURE_DOUBT)])

    def fitted(rows: NDArray[Any], start: NDArray[Any]) -> NDArray[Any]:
        aim, features = data.aim[rows], data.features[rows]
        columns = np.ascontiguousarray(data.patterns[rows].T)

        def loss(weights: NDArray[Any]) -> tuple[float, NDArray[Any]]:
            chance = 1 / (1 + np.exp(-lead(weights, features, columns) / SCALE))
            off = (chance - aim) / SCALE
            slope = np.zeros(numbers)
            for pattern, column in enumerate(columns):
                first, last = pattern * NUMBERS, (pattern + 1) * NUMBERS
                slope[first:last] = np.bincount(column - first, off, NUMBERS)
            slope = 0.5 * (slope - slope[plan.mirror])
            away = weights - start
            whole = np.concatenate([slope, features.T @ off]) + doubt * away
            total = loss_of(chance, aim) * len(rows) + 0.5 * float(doubt @ (away * away))
            return total / len(rows), whole / len(rows)

        return minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": 60, "maxcor": 12}).x

    train = np.flatnonzero(~data.held)
    start = np.zeros(numbers + wide)
    start[numbers : numbers + len(HAND)] = np.array(list(HAND.values())) / 100  # what the hand-made one begins with
    stages = []
    for stage in range(STAGES):
        rows = train[data.stage[train] == stage]
        weights = fitted(rows, start)
        stages.append(weights)
        test = np.flatnonzero(data.held & (data.stage == stage))
        aim, seen = data.aim[test], (data.features[test], np.ascontiguousarray(data.patterns[test].T))
        errors = [loss_of(1 / (1 + np.exp(-value / SCALE)), aim) for value in (data.hand[test], lead(weights, *seen))]
        names = ", ".join(f"{name} {w:.2f}" for name, w in zip(FEATURES, weights[numbers:], strict=True))
        print(
            f"stage {stage}: {len(rows):,} positions; error held back {errors[0]:.5f} by hand, {errors[1]:.5f} fitted"
        )
        print(f"         {names}", flush=True)
    save(stages, out, {"positions": len(data.aim), "games": len(np.unique(data.game))})


def save(stages: list[NDArray[Any]], out: Path, training: dict[str, Any]) -> None:
    plan = layout()
    numbers = len(plan.patterns) * NUMBERS
    patterns = np.zeros((STAGES, LANES * plan.words * NUMBERS), np.int16)
    features = np.zeros((STAGES, len(FEATURES)))
    for stage, weights in enumerate(stages):
        own = 0.5 * (weights[:numbers] - weights[:numbers][plan.mirror])
        patterns[stage, :numbers] = np.rint(PER_MAN * own)
        features[stage] = np.round(100 * weights[numbers:], 2)
    arrays = {"features": features.ravel(), "patterns": patterns.ravel()}
    save_model(out, ModelFile.of(load_game("checkers"), MODEL, arrays, training=training))
    print(f"wrote {out}, {out.stat().st_size:,} bytes")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=["play", "fit"])
    parser.add_argument("data", type=Path, nargs="+")
    parser.add_argument("--depth", type=int, default=6)
    parser.add_argument("--seconds", type=float, default=300)
    parser.add_argument("--table")
    parser.add_argument("--knowledge")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--every", type=int, default=1, help="of positions that follow each other one in so many")
    parser.add_argument("--out", type=Path, default=Path("fitted.knowledge"))
    given = parser.parse_args()
    if given.what == "play":
        play(given.data[0], given.seconds, given.depth, given.table, given.knowledge, given.seed)
    else:
        fit(given.data, given.every, given.out)


if __name__ == "__main__":
    main()
