"""Fit the `scale` of a knowledge's winning chances to games that were played: `python benchmarks/chance_scale.py RUN`.

A run's record has the value that a searching player saw at every move, and who won. The scale is the lead whose chance,
by the logistic curve of `Knowledge.chance`, is 73 %: the one that makes the outcomes of the run likeliest, a draw being
half a win. Moves whose value was proved are left out: their chance is certain.
"""

from __future__ import annotations

import argparse
import json
import sqlite3
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

STEPS = 60


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("run", type=Path)
    parser.add_argument("--player", type=int, default=0, help="whose values count, by place in the match")
    parser.add_argument("--plies", type=int, default=0, help="leave out moves before this ply")
    args = parser.parse_args()
    values, results = moves_of(args.run, args.player, args.plies)
    scale = fitted(values, results)
    print(
        f"scale {scale:.2f} from {len(values):,} moves: log-likelihood {likelihood(values, results, scale):.4f} a move"
    )


def moves_of(path: Path, player: int, plies: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The values that the player saw, and 1, 0.5 or 0 for how each game ended for it."""
    rows = sqlite3.connect(path).execute(
        "select g.seats, g.payoffs, p.seat, p.value, p.info from plies p join games g using (game, attempt) "
        "where g.payoffs is not null and p.value is not null and p.ply >= ?",
        (plies,),
    )
    found = []
    for seats, payoffs, seat, value, info in rows:
        if json.loads(seats)[seat] == player and not json.loads(info or "{}").get("proved"):
            found.append((value, 0.5 + 0.5 * float(np.sign(json.loads(payoffs)[seat]))))
    values, results = np.array(found, np.float64).T
    return values, results


def likelihood(values: NDArray[np.float64], results: NDArray[np.float64], scale: float) -> float:
    """The mean logarithm of the chance that the curve gives to what happened."""
    chance = np.clip(1 / (1 + np.exp(-values / scale)), 1e-9, 1 - 1e-9)
    return float(np.mean(results * np.log(chance) + (1 - results) * np.log(1 - chance)))


def fitted(values: NDArray[np.float64], results: NDArray[np.float64]) -> float:
    """The likeliest scale, by golden sections of its logarithm."""
    low, high = np.log(0.01), np.log(10 * max(np.abs(values).max(), 0.1))
    golden = (5**0.5 - 1) / 2
    for _ in range(STEPS):
        left, right = high - golden * (high - low), low + golden * (high - low)
        if likelihood(values, results, np.exp(left)) > likelihood(values, results, np.exp(right)):
            high = right
        else:
            low = left
    return float(np.exp((low + high) / 2))


if __name__ == "__main__":
    main()
