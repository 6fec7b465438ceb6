"""Fit the weights of checkers' evaluation to games of the engine with itself.

    python benchmarks/checkers_weights.py play data.npz --games 1000 [--table DIR]
    python benchmarks/checkers_weights.py fit data.npz

`play` begins each game with random plies and keeps the features of its quiet positions with how it ended. `fit` finds
the weights by which a logistic function of the evaluation predicts the ends best, by Newton's method with a small
penalty, scaled so that a man is worth 100.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import Any

import numpy as np

from plywright import load_game, search
from plywright.bits import popcount
from plywright.games import know
from plywright.games.checkers.board import BLACK, FIRST_ROW, LAST_ROW, WHITE
from plywright.games.checkers.knowledge import (
    BLACK_BRIDGE,
    CENTRE,
    FEATURES,
    WHITE_BRIDGE,
    advancement,
    bridge,
    steps,
    the_move,
)
from plywright.repetition import Past
from plywright.rng import below, seeded


def features(state: Any) -> list[float]:
    """What Black has more of than White, in the order of `FEATURES`."""
    black, white, kings = state.black, state.white, state.kings
    men = black & ~kings, white & ~kings
    return [
        popcount(men[0]) - popcount(men[1]),
        popcount(black & kings) - popcount(white & kings),
        advancement(men[0], BLACK) - advancement(men[1], WHITE),
        popcount(men[0] & FIRST_ROW) - popcount(men[1] & LAST_ROW),
        bridge(men[0], BLACK_BRIDGE) - bridge(men[1], WHITE_BRIDGE),
        popcount(black & CENTRE) - popcount(white & CENTRE),
        steps(state, BLACK) - steps(state, WHITE),
        the_move(state),
    ]


def play(path: Path, games: int, nodes: int, table: str | None, seed: int, seconds: float) -> None:
    game = load_game("checkers")
    if table is not None:
        from plywright.tables import open_table

        know(game, open_table(game, table).knowledge)
    knowledge = game.__dict__["_knowledge"][None] if table is not None else None
    rows, ends, began = [], [], time.monotonic()
    for number in range(games):
        rng, state, past, seen = seeded(seed + number), game.start_state, Past(game), []
        opening, end = 4 + below(rng, 8), None
        for ply in range(400):
            if past.is_over(state):
                end = past.utility(state, BLACK)
                break
            choices = past.actions(state)
            if ply < opening:
                action = choices[below(rng, len(choices))]
            else:
                options = {} if knowledge is None else {"knowledge": knowledge}
                found = search(game, state, nodes=nodes, history=list(seen), **options)
                action = found.action
                if found.proved:
                    end = found.values[BLACK]
                    break
                if game.knowledge(game).is_quiet(state):
                    rows.append(features(state))
            seen.append(state)
            past.add(state)
            state = game.coerce_state(game.result(state, action))
        ends += [0.0 if end is None else end] * (len(rows) - len(ends))
        if time.monotonic() - began > seconds:
            break
    np.savez(path, rows=np.array(rows, np.float64), ends=np.array(ends))
    print(f"{number + 1} games, {len(rows)} positions in {time.monotonic() - began:.0f} s")


def fit(path: Path) -> None:
    data = np.load(path)
    rows, wins = data["rows"], (data["ends"] + 1) / 2
    weights = np.zeros(rows.shape[1])
    penalty = 1.0
    for _ in range(50):
        chance = 1 / (1 + np.exp(-rows @ weights))
        slope = rows.T @ (chance - wins) + penalty * weights
        curve = (rows * (chance * (1 - chance))[:, None]).T @ rows + penalty * np.eye(len(weights))
        weights -= np.linalg.solve(curve, slope)
    scaled = 100 * weights / weights[0]
    error = np.sqrt(np.diag(np.linalg.inv(curve))) * 100 / weights[0]
    for name, weight, off in zip(FEATURES, scaled, error, strict=True):
        print(f"{name:12} {weight:8.1f} +- {off:.1f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=["play", "fit"])
    parser.add_argument("data", type=Path)
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--nodes", type=int, default=1000)
    parser.add_argument("--seconds", type=float, default=1e9)
    parser.add_argument("--table")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    if given.what == "play":
        play(given.data, given.games, given.nodes, given.table, given.seed, given.seconds)
    else:
        fit(given.data)


if __name__ == "__main__":
    main()
