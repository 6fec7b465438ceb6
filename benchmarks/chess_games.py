"""Games of the chess engine against itself, played in compiled code: what its evaluation is fitted to.

From openings of random moves that are about even, so many nodes a move, with the game's past known, so that nobody
repeats himself out of a win. Kept are quiet positions: no check, no capture that wins anything, and a move that is no
capture. Whether the evaluation agrees with the search is not asked: positions chosen by that would only teach what
the weights say already. A seed always gives the same games.
"""

from __future__ import annotations

import multiprocessing
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from plywright import load_game
from plywright.bits import read_state, signed, write_state
from plywright.compiled import Workspace, kernel
from plywright.counters import NODE_LIMIT, NODES, STOPPED, stop_word
from plywright.engine.alphabeta.ordering import HISTORY
from plywright.engine.alphabeta.pvs import BUSY, pvs
from plywright.engine.alphabeta.pvs_counters import AGE, INFINITY, MODE, PAST_MASK, PATH, ROOT_DEPTH, SELECTIVE
from plywright.engine.alphabeta.pvs_workspace import workspace
from plywright.engine.alphabeta.repetition import NOWHERE
from plywright.engine.alphabeta.transposition import new_table
from plywright.games.chess.knowledge import ChessKnowledge
from plywright.games.chess.network import Network
from plywright.rng import below, seeded

LONGEST = 300  # plies of a game
WORDS, MOVER = 13, 10  # of a position; the one that says who moves
LEAST_RANDOM, MORE_RANDOM = 6, 4  # plies at random to begin with
DEEPEST = 30
UNEVEN = 0.03  # a lead, in wins, with which no game begins
DECIDED, LASTING = 0.07, 8  # a lead that ends a game when it lasts for so many plies
QUIET = 0.001  # what captures may win in a quiet position
BATCH = 250  # games that a process plays at a time


class Positions(NamedTuple):
    """Quiet positions, what the search thought of each and how its game ended, for the mover, and the game's number."""

    words: NDArray[np.int64]  # [positions, WORDS]
    values: NDArray[np.float32]
    results: NDArray[np.int8]
    games: NDArray[np.int32]


@kernel
def play_game(game, knowledge, like, record, work, opening, nodes):
    """Play from the first position of the record: how many quiet positions were kept, 0 of an uneven opening.

    Their plies, what the search thought of each and what White got are left in the record.
    """
    info = work.info
    root = opening - opening  # literals would be other types, and a second search
    lead, kept = 0, 0
    record.white[0] = 0
    for ply in range(LONGEST):
        state = read_state(record.words, WORDS * ply, like)
        if game.is_terminal(state):
            utility = game.utility(state, root)
            record.white[0] = 1 if utility > 0 else -1 if utility < 0 else 0
            break
        if happened(game, state, work) >= 3:
            break
        if ply < opening:
            write_state(record.words, WORDS * (ply + 1), game.result(state, any_action(game, state, record.rng)))
            continue
        info[AGE], info[NODE_LIMIT] = 1 + ply % 31, info[NODES] + nodes
        action, value, captures = -1 + root, root, root
        for depth in range(DEEPEST):
            info[STOPPED], info[MODE], info[PATH], info[ROOT_DEPTH] = 0, SELECTIVE, NOWHERE, depth
            mover = game.to_move(state)
            found = pvs(game, knowledge, state, mover, depth, root, root - INFINITY, root + INFINITY, work)
            if info[STOPPED] != 0:
                break
            value = found
            if depth == 0:
                captures = found
            else:
                action = work.line[0]
        thought = value / work.units[0]
        if ply == opening and abs(thought) > UNEVEN:
            return 0
        calm = state.checkers == 0 and action >= 0 and not knowledge.tactical(state, action)
        if calm and abs(thought) < 1 and captures / work.units[0] - knowledge.evaluate(state, state.mover) < QUIET:
            record.plies[kept], record.values[kept] = ply, thought
            kept += 1
        if action < 0:  # checks used up all nodes
            action = any_action(game, state, record.rng)
        write_state(record.words, WORDS * (ply + 1), game.result(state, action))
        white = thought if state.mover == 0 else -thought
        lead = lead + 1 if white > DECIDED else lead - 1 if white < -DECIDED else 0
        if abs(lead) >= LASTING:
            record.white[0] = 1 if lead > 0 else -1
            break
    return kept


class Players:
    """The engine on both sides of games that are played one after another."""

    def __init__(self, weights: NDArray[np.float64], nodes: int, network: Network | None = None) -> None:
        self.game, self.nodes = load_game("chess"), nodes
        self.knowledge = ChessKnowledge(self.game, weights, network)
        room = dict.fromkeys(range(1, LONGEST + 1), 1)  # for the positions of a game
        history, busy = np.zeros(2 * HISTORY, np.int64), np.zeros(BUSY, np.int64)
        self.work = workspace(self.knowledge, new_table(1), stop_word(), busy, history, room)
        self.record: Any = Workspace(
            words=np.zeros(WORDS * (LONGEST + 1), np.int64),
            plies=np.zeros(LONGEST, np.int64),
            values=np.zeros(LONGEST),
            white=np.zeros(1, np.int64),
            rng=seeded(0),
        )
        start = self.game.start_state
        self.play = play_game.entry(self.game, self.knowledge, start, self.record, self.work, 0, 0)[0]

    def begin(self, seed: int) -> None:
        """Forget earlier games, so that each depends on its seed alone."""
        work = self.work
        work.table[:], work.history[:], work.recent[:], work.sequels[:] = 0, 0, 0, 0
        work.killers[:], work.answers[:] = -1, -1
        self.record.rng[:] = seeded(seed)

    def one_game(self) -> int:
        """How many quiet positions of a game were kept: none of an uneven opening."""
        record, start = self.record, self.game.start_state
        self.work.past[:] = 0
        write_state(record.words, 0, start)
        opening = LEAST_RANDOM + below(record.rng, MORE_RANDOM)
        return int(self.play(self.game, self.knowledge, start, record, self.work, opening, self.nodes))


def any_action(game, state, rng):
    """One of the legal actions, by chance."""
    number = below(rng, game.count_actions(state))
    chosen = -1
    for each in game.actions(state):
        if number == 0:
            chosen = each
        number -= 1
    return chosen


def happened(game, state, work):
    """Note the position in the game's past; how often it has been there, this time included."""
    key = signed(game.repetition_key(state))
    place = key & work.info[PAST_MASK]
    while work.past[2 * place + 1] != 0 and work.past[2 * place] != key:
        place = (place + 1) & work.info[PAST_MASK]
    work.past[2 * place] = key
    work.past[2 * place + 1] += 1
    return work.past[2 * place + 1]


def batch(
    weights: NDArray[np.float64], first: int, games: int, nodes: int, seed: int, network: Network | None = None
) -> Positions:
    """Some games, numbered from `first` on; each has its own seed, so the number of processes makes no difference."""
    players = Players(weights, nodes, network)
    found: list[tuple[Any, ...]] = []
    for number in range(first, first + games):
        players.begin(1_000_003 * seed + number)
        kept = 0
        while not kept:
            kept = players.one_game()
        record = players.record
        rows = record.words.reshape(LONGEST + 1, WORDS)[record.plies[:kept]]
        results = np.where(rows[:, MOVER] == 0, record.white[0], -record.white[0]).astype(np.int8)
        found.append((rows, record.values[:kept].astype(np.float32), results, np.full(kept, number, np.int32)))
    return Positions(*(np.concatenate(column) for column in zip(*found, strict=True)))


def play(
    weights: NDArray[np.float64], games: int, nodes: int, seed: int, processes: int, network: Network | None = None
) -> Iterator[Positions]:
    """All games, batch by batch as they are finished, with progress."""
    began = time.monotonic()
    batch(weights, 0, 1, 50, 0, network)  # compiled once, before the processes begin
    with ProcessPoolExecutor(processes, multiprocessing.get_context("spawn")) as pool:
        jobs = {
            pool.submit(batch, weights, first, min(BATCH, games - first), nodes, seed, network)
            for first in range(0, games, BATCH)
        }
        done, positions, said = 0, 0, began
        try:
            for job in as_completed(jobs):
                found = job.result()
                done, positions = done + BATCH, positions + len(found.values)
                if time.monotonic() - said > 20:
                    said = time.monotonic()
                    print(
                        f"{min(done, games):,} of {games:,} games, {positions:,} positions, {said - began:.0f} s",
                        flush=True,
                    )
                yield found
        finally:  # after Ctrl-C the games that have not begun are not played
            pool.shutdown(cancel_futures=True)
