"""Fit the weights of Pac-Man's evaluation on some layouts, and measure them on others.

    python benchmarks/fit_pacman.py fit --generations 30 --seed 1 --out weights.json   # 2.5 minutes of one core
    python benchmarks/fit_pacman.py measure weights.json --games 400 --record benchmarks/matches/pacman-fitted.json

`fit` plays whole games in native code on `LEARNED` and on mazes that are drawn at random (alpha-beta, two rounds deep,
scattered starts) and moves a normal distribution of weights towards those whose games scored most (the cross-entropy
method); every candidate of a generation plays the same starts with the same dice. `measure` plays in the same way,
which is that of the agent `minimax:depth=2`, on `HELD_OUT`, layouts that the fit never saw, with both evaluations from
the same starts, and says by how much the fitted one is ahead, pair by pair.
"""

from __future__ import annotations

import argparse
import json
import math
import time
from collections.abc import Mapping
from pathlib import Path
from statistics import fmean, stdev
from typing import Any

import numpy as np

from plywright.compiled import kernel
from plywright.games.pacman.knowledge import EVALUATIONS, FEATURES
from plywright.games.pacman.maze import STOP, Maze, read_maze
from plywright.games.pacman.rules import CELL, SCARED, Pacman
from plywright.rng import below, scramble, seeded, uniform

LEARNED = ("small", "medium", "open", "two-rooms", "loop", "tiny")
HELD_OUT = ("arena", "capsules", "dead-ends", "ring", "yard", "pincer")
GHOSTS = {"directional": 0.8, "random": 0.0}
"""Kinds of ghosts, by how often they go straight at him."""
BEFORE = "full"
ROUNDS = 400
DEPTH = 2
SPREAD = {
    "pellets left": 3.0,
    "power pellets left": 20.0,
    "steps to food": 0.6,
    "danger": 30.0,
    "steps to ghosts": 0.5,
    "prey": 60.0,
    "trapped": 60.0,
    "cornered": 60.0,
}
"""How far candidates lie apart at first; the weight of the score is the unit."""
CANDIDATES, CHOSEN = 24, 6
GAMES = 3
"""Of a candidate on each layout against each kind of ghost, in one generation."""
MAZES = 8
"""Drawn anew for each generation; each is played once against each kind of ghost."""
OPENED = (0.0, 0.1, 0.4)
"""The share of further walls that are taken out of a drawn maze: none leaves nothing but dead ends."""
FOLLOW, CALM = 0.6, 0.25
"""The shares by which the mean and the spread follow the chosen ones."""


@kernel
def value_of(game, state, plies, alpha, beta):
    """Pac-Man's value by alpha-beta: he makes it great, every ghost makes it small."""
    if plies == 0 or game.is_terminal(state):
        return 1.0 * game.evaluate(state, 0)
    his = state.turn == 0
    best = -math.inf if his else math.inf
    for action in game.actions(state):
        value = value_of(game, game.result(state, action), plies - 1, alpha, beta)
        if his:
            best = max(best, value)
            alpha = max(alpha, value)
        else:
            best = min(best, value)
            beta = min(beta, value)
        if alpha >= beta:
            break
    return best


@kernel
def chased(game, state, chase, rng):
    """A ghost's move: with probability `chase` straight at him, away when scared, and otherwise any."""
    straight = uniform(rng) < chase
    word = state.ghosts[state.turn - 1]
    cells = len(game.pellet_at)
    least, count, chosen = 1 << 30, 0, STOP
    for action in game.actions(state):
        far = 0
        if straight:
            far = 1 * game.apart[state.pacman * cells + game.steps[5 * (word & CELL) + action]]
            far = -far if word >> SCARED > 0 else far
        if far < least:
            least, count = far, 0
        if far == least:
            count += 1
            if below(rng, count) == 0:
                chosen = action
    return chosen


@kernel
def episode(game, state, plies, chase, rng):
    """A whole game; Pac-Man's score, and whether he ate everything."""
    while not game.is_terminal(state):
        chosen = STOP
        if state.turn == 0:
            best = -math.inf
            for action in game.actions(state):
                value = value_of(game, game.result(state, action), plies - 1, best, math.inf)
                if value > best:
                    best = value
                    chosen = action
        else:
            chosen = chased(game, state, chase, rng)
        state = game.result(state, chosen)
    return 1 * state.score, state.left == 0


Start = tuple[Pacman, Any, float, int]
"""A game, the state it begins in, how often ghosts chase, and the seed of their dice."""


def played(weights: Mapping[str, float], starts: list[Start]) -> list[tuple[int, bool]]:
    """Pac-Man's score from each start with these weights, and whether he won."""
    found = []
    for game, state, chase, seed in starts:
        own = game.seen_with(weights)
        score, won = episode(own, state, DEPTH * game.players, chase, seeded(scramble(seed)))
        found.append((int(score), bool(won)))
    return found


def mean_score(weights: Mapping[str, float], starts: list[Start]) -> float:
    return fmean(score for score, _ in played(weights, starts))


def layout_starts(layout: str | Maze, chase: float, seeds: range) -> list[Start]:
    base = Pacman(layout, rounds=ROUNDS)
    games = [(base.shuffled(seed), seed) for seed in seeds]
    return [(game, game.scattered(seed), chase, seed) for game, seed in games]


def some_starts(seed: int) -> list[Start]:
    """What the candidates of a generation play: the layouts, and mazes that are drawn for it."""
    found = []
    for chase in GHOSTS.values():
        for layout in LEARNED:
            found += layout_starts(layout, chase, range(seed * GAMES, (seed + 1) * GAMES))
        for own in range(seed * MAZES, (seed + 1) * MAZES):
            found += layout_starts(drawn_maze(own), chase, range(own, own + 1))
    return found


def drawn_maze(seed: int) -> Maze:
    """A maze drawn at random: ways from room to room that reach them all, some further ones, one or two ghosts."""
    rng = seeded(scramble(seed))
    rows, columns = 3 + below(rng, 2), 5 + below(rng, 4)
    signs = [["%"] * (2 * columns + 1) for _ in range(2 * rows + 1)]
    rooms = [(row, column) for row in range(rows) for column in range(columns)]
    doors = [((r, c), (r + d, c + 1 - d)) for r, c in rooms for d in (0, 1) if r + d < rows and c + 1 - d < columns]
    for place in range(len(doors) - 1, 0, -1):
        other = below(rng, place + 1)
        doors[place], doors[other] = doors[other], doors[place]
    part = {room: number for number, room in enumerate(rooms)}
    opened = OPENED[below(rng, len(OPENED))]
    for one, two in doors:
        if part[one] != part[two] or uniform(rng) < opened:
            part = {room: part[one] if number == part[two] else number for room, number in part.items()}
            signs[one[0] + two[0] + 1][one[1] + two[1] + 1] = "."
    for row, column in rooms:
        signs[2 * row + 1][2 * column + 1] = "."
    placed = "PG" + "G" * below(rng, 2) + "o" * below(rng, 3)
    for sign in placed:
        free = [(r, c) for r, line in enumerate(signs) for c, found in enumerate(line) if found == "."]
        row, column = free[below(rng, len(free))]
        signs[row][column] = sign
    return read_maze("\n".join(map("".join, signs)), f"drawn-{seed}")


def fit(arguments: argparse.Namespace) -> None:
    names = list(SPREAD)
    draw = np.random.default_rng(arguments.seed)
    mean = np.array([EVALUATIONS[BEFORE].get(name, 0.0) for name in names])
    spread = np.array(list(SPREAD.values()))
    path: list[list[float]] = []
    mean_score(EVALUATIONS[BEFORE], some_starts(0))  # compiled before the clock
    began = time.process_time()
    for generation in range(1, arguments.generations + 1):
        starts = some_starts(arguments.seed * 1_000_000 + generation)
        drawn = mean + spread * draw.standard_normal((CANDIDATES, len(names)))
        drawn[0] = mean
        made = [mean_score(weights_by(names, row), starts) for row in drawn]
        chosen = drawn[np.argsort(made)[::-1][:CHOSEN]]
        mean = mean + FOLLOW * (chosen.mean(axis=0) - mean)
        spread = spread + CALM * (chosen.std(axis=0) - spread)
        path.append([float(value) for value in mean])
        spent = time.process_time() - began
        print(f"{generation}: {made[0]:.0f}, all {fmean(made):.0f}, {spent:.0f} s", weights_by(names, mean), flush=True)
    last = np.array(path[-max(len(path) // 4, 1) :]).mean(axis=0)
    found = {name: float(f"{value:.3g}") for name, value in weights_by(names, last).items()}
    arguments.out.write_text(
        json.dumps({"weights": found, "seed": arguments.seed, "generations": arguments.generations}) + "\n"
    )
    print(found)


def weights_by(names: list[str], row: Any) -> dict[str, float]:
    given = {"score": 1.0} | {name: float(value) for name, value in zip(names, row, strict=True)}
    return {name: given[name] for name in FEATURES if name in given}


def measure(arguments: argparse.Namespace) -> None:
    fitted = json.loads(arguments.weights.read_text())["weights"]
    rows = []
    for layout in arguments.layouts:
        for ghosts, chase in GHOSTS.items():
            starts = layout_starts(
                layout, chase, range(arguments.seed * 10**6, arguments.seed * 10**6 + arguments.games)
            )
            row: dict[str, Any] = {"layout": layout, "ghosts": ghosts, "games": arguments.games}
            new, old = (played(weights, starts) for weights in (fitted, EVALUATIONS[BEFORE]))
            for name, games in (("fitted", new), (BEFORE, old)):
                row[name] = {"wins": sum(won for _, won in games)} | mean_of([score for score, _ in games])
            row["ahead"] = mean_of([one - two for (one, _), (two, _) in zip(new, old, strict=True)])
            rows.append(row)
            print(json.dumps(row), flush=True)
    if arguments.record:
        record = {"depth": DEPTH, "rounds": ROUNDS, "seed": arguments.seed, "weights": fitted, "rows": rows}
        arguments.record.write_text(json.dumps(record, indent=1) + "\n")


def mean_of(points: list[int]) -> dict[str, float]:
    return {"score": round(fmean(points), 1), "error": round(stdev(points) / math.sqrt(len(points)), 1)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    fitting = commands.add_parser("fit")
    fitting.add_argument("--generations", type=int, default=30)
    fitting.add_argument("--seed", type=int, default=1)
    fitting.add_argument("--out", type=Path, required=True)
    fitting.set_defaults(run=fit)
    measuring = commands.add_parser("measure")
    measuring.add_argument("weights", type=Path)
    measuring.add_argument("--layouts", nargs="+", default=list(HELD_OUT))
    measuring.add_argument("--games", type=int, default=400)
    measuring.add_argument("--seed", type=int, default=2)
    measuring.add_argument("--record", type=Path)
    measuring.set_defaults(run=measure)
    arguments = parser.parse_args()
    arguments.run(arguments)


if __name__ == "__main__":
    main()
