"""Playouts of 9x9 Go per second on one core, against OpenSpiel's C++ go, and with captures and shapes."""

from __future__ import annotations

import importlib.util
import statistics
from typing import Any

import numpy as np

from measure import Row, seconds, skipped
from plywright import load_game
from plywright.compiled import Workspace, kernel
from plywright.engine.kernel_runner import run
from plywright.knowledge import knowledge_of
from plywright.rng import seeded

ROUNDS = 5
OURS, THEIRS = 40_000, 1_000  # playouts in a round
WANTED = 10


@kernel
def play_many(game: Any, knowledge: Any, state: Any, playouts: int, work: Any) -> int:
    """Playouts one after the other, each counted; how many Black won."""
    won = 0
    for _ in range(playouts):
        if work.stop[0] != 0:
            break
        final = knowledge.playout(state, work.rng)
        won += 1 if game.utility(final, 0) > 0 else 0
        work.info[0] += 1
    return won


def ours(name: str, playouts: int, seed: int) -> tuple[float, float]:
    """Seconds and plies per playout of one round."""
    game = load_game("go")
    knowledge = knowledge_of(game, name)
    work: Any = Workspace(
        info=np.zeros(8, np.int64),
        stop=np.zeros(1, np.int64),
        rng=seeded(seed),
    )
    run(play_many, game, (knowledge, game.start_state, 1, work), work)  # compiled before the clock
    spent, _ = seconds(lambda: run(play_many, game, (knowledge, game.start_state, playouts, work), work))
    return spent, plies(knowledge, seed)


def plies(knowledge: Any, seed: int, games: int = 20) -> float:
    """Moves of a playout, passes counted, by the interpreted rules."""
    counts, rng, moves = [], seeded(seed), np.full(8002, -1, np.int64)
    for _ in range(games):
        knowledge.playout_moves(knowledge.game.start_state, rng, moves)
        counts.append(int(np.argmax(moves == -1)) // 2)
    return statistics.mean(counts)


def theirs(playouts: int, seed: int) -> float:
    """One simulation of their search, whose leaf is valued by so many playouts: all of it in C++."""
    import pyspiel

    game = pyspiel.load_game("go", {"board_size": 9, "komi": 7.5})
    evaluator = pyspiel.RandomRolloutEvaluator(playouts, seed)
    bot = pyspiel.MCTSBot(game, evaluator, 2.0, 1, 10, False, seed, False)
    return seconds(lambda: bot.mcts_search(game.new_initial_state()))[0]


def per_second(rates: list[float]) -> str:
    return f"{statistics.median(rates) / 1e3:,.1f} k playouts/s"


def rows() -> list[Row]:
    """Uniform playouts beside OpenSpiel's in the same rounds, then those that searches use."""
    title, target = "go 9x9, uniform playouts, against OpenSpiel's C++ go", f">= {WANTED} x"
    if importlib.util.find_spec("pyspiel") is None:
        uniform = skipped(title, "open_spiel is not installed", target)
    else:
        mine, other, lengths = [], [], []
        for number in range(ROUNDS):
            spent, length = ours("uniform", OURS, number)
            mine.append(OURS / spent)
            lengths.append(length)
            other.append(THEIRS / theirs(THEIRS, number))
        ratios = sorted(a / b for a, b in zip(mine, other, strict=True))
        ratio = statistics.median(ratios)
        detail = {"ratios": ratios, "ours": mine, "theirs": other, "plies": statistics.mean(lengths)}
        uniform = Row(title, per_second(mine), per_second(other), ratio, target, ratio >= WANTED, detail)
    heavy = [OURS / ours("shapes", OURS, number)[0] for number in range(ROUNDS)]
    guided = Row(
        "go 9x9, playouts with captures and shapes", per_second(heavy), "-", None, "stated", None, {"ours": heavy}
    )
    return [uniform, guided]


if __name__ == "__main__":
    for row in rows():
        print(f"{row.name}: {row.ours}, {row.theirs}, {row.ratio and round(row.ratio, 1)} ({row.target})", flush=True)
        print(row.detail, flush=True)
