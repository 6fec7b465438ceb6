"""Othello positions that the engine played and valued, for `othello_fit.py` to fit weights to.

`python benchmarks/othello_data.py FOLDER --weights FILE --games 600000` plays games against itself: ten random plies,
then two plies ahead, in every other game with a random move now and then (every twentieth game, which is held out,
three plies ahead and without). A share of their positions is valued: solved exactly with few squares left (all up to
fourteen, and some with sixteen), and by a search before. Everything follows from the seed; chunks that are in the
folder already are not made again, so a run that was stopped goes on where it was, and more games can be added. Without
weights the hand-made knowledge is used.
"""

from __future__ import annotations

import argparse
import random
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np

from plywright import load_game
from plywright.bits import popcount
from plywright.compiled import Workspace, kernel
from plywright.engine.alphabeta.solve import Solver
from plywright.games.othello.pattern_knowledge import PatternKnowledge
from plywright.rng import below, seeded

CHUNK = 100
"""Games in a file."""
RANDOM_PLIES, PLAY_DEPTH, HELD_OUT_DEPTH = 10, 2, 3
BLUNDER = 16
"""One move in so many is random in games of an odd number, so that the weights see what good play avoids."""
HELD_OUT = 20
"""Every so many-th game is held out."""
MOST, LEAST = 50, 6
"""Squares left in the first position of a game that counts, and in the last."""
SHARE = {**dict.fromkeys(range(6, 9), 100), **dict.fromkeys(range(9, 12), 300), **dict.fromkeys(range(12, 15), 350)}
SHARE |= {**dict.fromkeys(range(15, 18), 750), **dict.fromkeys(range(18, 21), 500), **dict.fromkeys(range(21, 51), 300)}
"""By squares left, how many of a thousand positions are kept."""
SOLVED, MEASURED, EVERY = 14, 16, 7
"""Up to how many squares left all are solved; with how many more of them: one game in so many, and
all of the first MEASURED_GAMES that are held out."""
MEASURED_GAMES = 60_000
DEEP, DEPTH, EARLY_DEPTH = 20, 6, 4
"""Up to how many squares left the others are valued so deep, and how deep before."""
MOST_ACTIONS = 34
ANY, LITTLE = 1e9, 1e-6
ZERO = np.uint64(0)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--games", type=int, default=600_000)
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
    desk.states(1, 1)
    desk.valued(desk.game.start_state, 2)
    desk.solver.value(desk.game.parse_state("X" * 52 + "OOXXXXO----- X"))


class Desk:
    """Plays and values, with one knowledge."""

    def __init__(self, weights: Path | None) -> None:
        self.game = game = load_game("othello")
        self.knowledge: Any = "hand"
        if weights is not None:
            with np.load(weights) as file:
                self.knowledge = PatternKnowledge(game, file["weights"], file["layer"])
        self.solver = Solver(game, table_megabytes=16.0, knowledge=self.knowledge)
        shares = np.array([SHARE.get(left, 0) for left in range(65)], np.int64)
        boards = {"mine": np.zeros(128, np.uint64), "theirs": np.zeros(128, np.uint64)}
        lists = {"actions": np.zeros(16 * MOST_ACTIONS, np.int64), "ranks": np.zeros(16 * MOST_ACTIONS)}
        self.work: Any = Workspace(**boards, **lists, shares=shares, rng=seeded(0))

    def states(self, seed: int, place: int) -> list[Any]:
        """The positions of a game that are kept, the first one first."""
        self.work.rng[0] = np.uint64(seed)
        held_out = place % HELD_OUT == 0
        depth, blunder = (HELD_OUT_DEPTH, 0) if held_out else (PLAY_DEPTH, BLUNDER * (place % 2))
        count = play(self.game, self.solver.knowledge, self.work, depth, blunder)
        boards = zip(self.work.mine[:count], self.work.theirs[:count], strict=True)
        return [self.game.position(mine, theirs, 0) for mine, theirs in boards]

    def valued(self, state: Any, depth: int) -> float:
        """The value so many plies ahead, every line to that depth."""
        return float(ahead(self.game, self.solver.knowledge, state, depth, self.work))


@kernel
def play(game, knowledge, work, depth, blunder):
    """Play a game and keep boards of it, the mover's discs first; how many there are."""
    state = game.initial()
    count = 0
    ply = 0
    while not game.is_terminal(state):
        left = 64 - popcount(state.mine | state.theirs)
        if left < LEAST:
            break
        if ply >= RANDOM_PLIES and left <= MOST and below(work.rng, 1000) < work.shares[left]:
            work.mine[count] = state.mine
            work.theirs[count] = state.theirs
            count += 1
        if state.moves == ZERO:
            state = game.result(state, game.pass_action)
        elif ply < RANDOM_PLIES or (blunder > 0 and below(work.rng, blunder) == 0):
            state = game.result(state, any_action(game, state, work))
        else:
            state = game.result(state, best_action(game, knowledge, state, depth, work))
        ply += 1
    return count


@kernel
def ahead(game, knowledge, state, depth, work):
    return value_of(game, knowledge, state, depth, depth - depth, -ANY, ANY, work)


def any_action(game, state, work):
    chosen = 0
    for seen, action in enumerate(game.actions(state)):
        if below(work.rng, seen + 1) == 0:
            chosen = action
    return chosen


def best_action(game, knowledge, state, depth, work):
    """A best action by a shallow search; among equals by chance."""
    best = -ANY
    chosen = 0
    equals = 0
    ply = depth - depth  # a literal 0 would be another type, and another function that calls itself
    for action in game.actions(state):
        value = -value_of(game, knowledge, game.result(state, action), depth - 1, ply, -ANY, LITTLE - best, work)
        if value > best:
            best = value
            chosen = action
            equals = 1
        elif value == best:
            equals += 1
            if below(work.rng, equals) == 0:
                chosen = action
    return chosen


def value_of(game, knowledge, state, depth, ply, low, high, work):
    """The state's value for its mover, so many plies ahead; further from the end the better looking moves first."""
    if game.is_terminal(state):
        return game.utility(state, state.mover) * 1.0
    if depth == 0:
        return knowledge.evaluate(state, state.mover) * 1.0
    base = MOST_ACTIONS * ply
    count = 0
    for action in game.actions(state):
        work.actions[base + count] = action
        work.ranks[base + count] = 0.0
        if depth >= 2:
            child = game.result(state, action)
            work.ranks[base + count] = knowledge.evaluate(child, state.mover) - 0.5 * popcount(child.moves)
        count += 1
    for index in range(count):
        best = index
        for other in range(index + 1, count):
            if work.ranks[base + other] > work.ranks[base + best]:
                best = other
        action = work.actions[base + best]
        work.actions[base + best] = work.actions[base + index]
        work.ranks[base + best] = work.ranks[base + index]
        child = game.result(state, action)
        low = max(low, -value_of(game, knowledge, child, depth - 1, ply + 1, -high, -low, work))
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
    rows: list[tuple[int, int, float, bool, int]] = []
    for place in range(CHUNK * number, CHUNK * (number + 1)):
        for state in desk.states(random.Random(f"{args.seed}-{place}").getrandbits(63), place):
            left = squares_left(state)
            exact = left <= SOLVED or (left == MEASURED and is_solved(place))
            score = desk.solver.value(state) if exact else desk.valued(state, DEPTH if left <= DEEP else EARLY_DEPTH)
            rows.append((int(state.mine), int(state.theirs), score, exact, place))
    save(path, rows)
    return len(rows)


def is_solved(place: int) -> bool:
    """Whether the position with MEASURED squares left of this game is solved."""
    if place % HELD_OUT == 0:
        return place < MEASURED_GAMES
    return place // HELD_OUT % EVERY == 0


def save(path: Path, rows: list[tuple[int, int, float, bool, int]]) -> None:
    mine, theirs, score, exact, place = zip(*rows, strict=True)
    whole = path.with_suffix(".part.npz")
    np.savez(
        whole,
        mine=np.array(mine, np.uint64),
        theirs=np.array(theirs, np.uint64),
        score=np.array(score, np.float32),
        exact=np.array(exact, np.bool_),
        game=np.array(place, np.int32),
    )
    whole.rename(path)


def squares_left(state: Any) -> int:
    return 64 - (int(state.mine) | int(state.theirs)).bit_count()


if __name__ == "__main__":
    main()
