"""Othello positions that the engine played and valued, for `othello_fit.py` to fit weights to.

`python benchmarks/othello_data.py FOLDER --weights FILE --games 100000` plays games against itself: ten random plies,
then three plies ahead, with a random move now and then (in every twentieth game, which is held out, without). Of
their positions a share is solved exactly, the more the fewer squares are left (from twenty on), and a share of the
earlier ones is valued by a search. Everything follows from the seed; chunks that are in the folder already are not made
again, so a run that was stopped goes on where it was, and more games can be added. Without weights the hand-made
knowledge is used.
"""

from __future__ import annotations

import argparse
import random
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np

from plywright import load_game, search
from plywright.bits import popcount
from plywright.compiled import Workspace, kernel
from plywright.engine.alphabeta.solve import Solver
from plywright.games.othello.pattern_knowledge import PatternKnowledge
from plywright.rng import below, seeded

CHUNK = 100
"""Games in a file."""
RANDOM_PLIES, PLAY_DEPTH = 10, 3
BLUNDER = 16
"""One move in so many is random, so that the weights see what good play avoids."""
HELD_OUT = 20
"""Every so many-th game is held out."""
MOST, LEAST = 50, 6
"""Squares left in the first position of a game that counts, and in the last."""
SOLVED = {**dict.fromkeys(range(6, 13), 0.5), 13: 0.6, 14: 0.5, 15: 0.15, 16: 0.04, 17: 0.01, 18: 0.003}
SOLVED |= {19: 0.002, 20: 0.001}
"""By squares left, the share of positions that are solved; of games that are held out, all with MEASURED left."""
MEASURED = 16
SEARCHED = {**dict.fromkeys(range(15, 20), (0.4, 8)), **dict.fromkeys(range(20, 51), (0.08, 6))}
"""By squares left, the share of the others that are valued by a search, and how deep."""
SMALL_TABLE = 1.0
ANY = 1e9


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--games", type=int, default=100_000)
    parser.add_argument("--first", type=int, default=0, help="number of the first game")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--weights", type=Path, help="weights to play and value with")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=ANY, help="begin no chunk after that")
    args = parser.parse_args()
    args.folder.mkdir(parents=True, exist_ok=True)
    chunks = range(args.first // CHUNK, (args.first + args.games) // CHUNK)
    warm_up(args)
    began = time.monotonic()
    args.until = time.time() + args.seconds
    with ProcessPoolExecutor(args.processes) as pool:
        for done, made in enumerate(pool.map(make_chunk, [(args, number) for number in chunks]), 1):
            if made and done % 16 == 0:
                taken = time.monotonic() - began
                print(f"{done} of {len(chunks)} chunks, {taken:.0f} s, {made} positions in the last", flush=True)


def warm_up(args: argparse.Namespace) -> None:
    """Compile once, so that the workers find the code in the cache."""
    desk = Desk(args.weights)
    desk.states(1, blunders=True)
    desk.valued(desk.game.start_state, 2)
    desk.solver.value(desk.game.parse_state("X" * 52 + "OOXXXXO----- X"))


class Desk:
    """Plays and values, with one knowledge."""

    def __init__(self, weights: Path | None) -> None:
        self.game = game = load_game("othello")
        self.knowledge: Any = "hand" if weights is None else PatternKnowledge(game, np.load(weights))
        self.solver = Solver(game, table_megabytes=16.0, knowledge=self.knowledge)
        self.work: Any = Workspace(mine=np.zeros(128, np.uint64), theirs=np.zeros(128, np.uint64), rng=seeded(0))

    def states(self, seed: int, blunders: bool) -> list[Any]:
        """The positions of one game that count, the first one first."""
        self.work.rng[0] = np.uint64(seed)
        count = play(self.game, self.solver.knowledge, self.work, RANDOM_PLIES, BLUNDER if blunders else 0)
        boards = zip(self.work.mine[:count], self.work.theirs[:count], strict=True)
        return [self.game.position(mine, theirs, 0) for mine, theirs in boards]

    def valued(self, state: Any, depth: int) -> float:
        found = search(self.game, state, depth=depth, exact=False, table=SMALL_TABLE, knowledge=self.knowledge)
        return found.value


@kernel
def play(game, knowledge, work, random_plies, blunder):
    """Play a game and keep its boards, the mover's discs first; how many there are."""
    state = game.initial()
    count = 0
    ply = 0
    while not game.is_terminal(state):
        left = 64 - popcount(state.mine | state.theirs)
        if left < LEAST:
            break
        if ply >= random_plies and left <= MOST:
            work.mine[count] = state.mine
            work.theirs[count] = state.theirs
            count += 1
        if ply < random_plies or (blunder > 0 and below(work.rng, blunder) == 0):
            state = game.result(state, any_action(game, state, work))
        else:
            state = game.result(state, best_action(game, knowledge, state, work))
        ply += 1
    return count


def any_action(game, state, work):
    chosen = 0
    for seen, action in enumerate(game.actions(state)):
        if below(work.rng, seen + 1) == 0:
            chosen = action
    return chosen


def best_action(game, knowledge, state, work):
    """A best action by a shallow search; among equals by chance."""
    best = -ANY
    chosen = 0
    for action in game.actions(state):
        noise = 1e-3 * below(work.rng, 1000)
        value = noise - value_of(game, knowledge, game.result(state, action), PLAY_DEPTH - 1, -ANY, -best + noise)
        if value > best:
            best = value
            chosen = action
    return chosen


def value_of(game, knowledge, state, depth, low, high):
    """The state's value for its mover, so many plies ahead."""
    if game.is_terminal(state):
        return game.utility(state, state.mover) * 1.0
    if depth == 0:
        return knowledge.evaluate(state, state.mover) * 1.0
    for action in game.actions(state):
        low = max(low, -value_of(game, knowledge, game.result(state, action), depth - 1, -high, -low))
        if low >= high:
            break
    return low


def make_chunk(job: tuple[argparse.Namespace, int]) -> int:
    """Play the games of a chunk and value their positions; how many there are."""
    args, number = job
    path = args.folder / f"games-{number:05d}.npz"
    if path.exists() or time.time() > args.until:
        return 0
    desk = Desk(args.weights)
    rows: list[tuple[int, int, int, bool, int]] = []
    for place in range(CHUNK * number, CHUNK * (number + 1)):
        rng = random.Random(f"{args.seed}-{place}")
        held_out = place % HELD_OUT == 0
        states = desk.states(rng.getrandbits(63), blunders=not held_out)
        for state in states:
            left = squares_left(state)
            share, depth = SEARCHED.get(left, (0.0, 0))
            if rng.random() < (1.0 if held_out and left == MEASURED else SOLVED.get(left, 0.0)):
                score, exact = desk.solver.value(state), True
            elif rng.random() < share:
                score, exact = desk.valued(state, depth), False
            else:
                continue
            rows.append((int(state.mine), int(state.theirs), round(score), exact, place))
    save(path, rows)
    return len(rows)


def save(path: Path, rows: list[tuple[int, int, int, bool, int]]) -> None:
    mine, theirs, score, exact, place = zip(*rows, strict=True)
    whole = path.with_suffix(".part.npz")
    np.savez(
        whole,
        mine=np.array(mine, np.uint64),
        theirs=np.array(theirs, np.uint64),
        score=np.array(score, np.int8),
        exact=np.array(exact, np.bool_),
        game=np.array(place, np.int32),
    )
    whole.rename(path)


def squares_left(state: Any) -> int:
    return 64 - (int(state.mine) | int(state.theirs)).bit_count()


if __name__ == "__main__":
    main()
