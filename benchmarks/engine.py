"""The engine: depths and times, threads, limits, branching, memory.

`python benchmarks/engine.py` prints the rows and the table of effective branching factors.
"""

from __future__ import annotations

import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from functools import partial
from typing import Any

from measure import Row, rate, seconds, short
from plywright import Limit, load_game, search
from plywright.engine.alphabeta.pvs_search import EngineSearch
from startup import spend

ROUNDS = 5
DEPTHS = {12: 0.1, 16: 2.0}  # plies from Othello's start: seconds
MIDGAME = "f5d6c3d3c4f4f6f3e6e7d7c5"  # of Othello
MIDGAMES = {"othello": 22, "breakthrough": 12}  # depth that takes about half a second: below, two threads hardly begin
POSITIONS, PLIES = 5, 14  # of each game, and the random plies that lead to them
THREADS_TARGET, EXACT_TARGET = 1.6, 1.3
LIMITS = (0.001, 0.01, 0.1, 0.5)  # seconds
TOLERANCE = 0.020, 0.01  # seconds, and part of the limit
BRANCHING = {"othello": 12, "connect-four": 16, "breakthrough": 8, "dots-and-boxes": 14, "mnk:m=7,n=7,k=5": 7}


def depths() -> list[Row]:
    game = load_game("othello")
    search(game, depth=4, exact=False)
    found = []
    for depth, target in DEPTHS.items():
        times = [seconds(lambda depth=depth: search(game, depth=depth, exact=False)) for _ in range(ROUNDS)]
        taken = statistics.median(spent for spent, _ in times)
        nodes = times[0][1].nodes
        name = f"Othello from the start to depth {depth}, one thread"
        found.append(
            Row(
                name,
                f"{short(taken)}, {rate(nodes / taken)}",
                "-",
                None,
                f"< {target:g} s",
                taken < target,
                {"nodes": nodes},
            )
        )
    return found


def selectivity() -> list[Row]:
    """How deep a midgame of Othello is searched in a second, with multi-ProbCut and without."""
    game = load_game("othello")
    states = [game.play_moves(game.start_state, MIDGAME[: 2 * plies]) for plies in (8, 10, 12)]
    search(game, depth=4, exact=False)
    depth = [[search(game, state, time=1, confidence=sure).depth for state in states] for sure in (0.8, 1)]
    means = [statistics.mean(found) for found in depth]
    name = "Othello midgames, depth in 1 s: with multi-ProbCut, and without"
    return [Row(name, f"{means[0]:.1f}", f"{means[1]:.1f}", None, "deeper", means[0] > means[1], {"depths": depth})]


def threads() -> list[Row]:
    """Time to the same depth with one and with two threads, over several midgames: a single one is a matter of luck."""
    found = []
    for name, depth in MIDGAMES.items():
        game = load_game(name)
        search(game, depth=3, exact=False)
        pairs = []
        for state in midgames(game):
            ask = partial(search, game, state, depth=depth, exact=False)
            rounds = [[seconds(partial(ask, threads=count))[0] for count in (1, 2)] for _ in range(3)]
            pairs.append([statistics.median(column) for column in zip(*rounds, strict=True)])
        one, two = (sum(column) for column in zip(*pairs, strict=True))
        what = f"{name}, {POSITIONS} midgames to depth {depth}, two threads against one"
        row = Row(what, short(two), short(one), one / two, f">= {THREADS_TARGET} x", one / two >= THREADS_TARGET)
        row.detail = {"positions": pairs}
        found.append(row)
    return found


def midgames(game: Any) -> list[Any]:
    """Unfinished positions some random plies from the start."""
    from plywright.rng import below, seeded

    rng, states = seeded(11), []
    while len(states) < POSITIONS:
        state = game.start_state
        for _ in range(PLIES):
            if game.is_terminal(state):
                break
            actions = list(game.actions(state))
            state = game.coerce_state(game.result(state, actions[below(rng, len(actions))]))
        if not game.is_terminal(state):
            states.append(state)
    return states


def limits() -> list[Row]:
    """The most by which a time limit was overrun, compiled before."""
    game = load_game("othello")
    state = game.play_moves(game.start_state, MIDGAME)
    search(game, state, depth=3, exact=False)
    worst, detail = 0.0, {}
    for limit in LIMITS:
        over = [seconds(lambda limit=limit: search(game, state, limit=Limit(time=limit)))[0] - limit for _ in range(20)]
        detail[str(limit)] = {"worst": max(over), "median": statistics.median(over)}
        worst = max(worst, max(over) - TOLERANCE[1] * limit)
    name = "time limits of 1, 10, 100 and 500 ms: the worst overrun of 80 searches"
    return [Row(name, short(max(worst, 0.0)), "-", None, "<= 20 ms + 1 %", worst <= TOLERANCE[0], detail)]


def memory() -> list[Row]:
    """What a process takes besides its table, where it has to compile the engine too.

    VmHWM is its own; the peak that `resource` knows begins at what the parent took.
    """
    program = (
        "import pathlib; from plywright import load_game, search; "
        "search(load_game('othello'), time=2, table=64); "
        "print(int(pathlib.Path('/proc/self/status').read_text().split('VmHWM:')[1].split()[0]) * 1024)"
    )
    with tempfile.TemporaryDirectory() as cache:
        environment = {**os.environ, "PLYWRIGHT_CACHE": cache}
        peaks = [
            int(subprocess.check_output([sys.executable, "-c", program], text=True, env=environment)) for _ in range(2)
        ]
    cold, warm = ((peak - 64e6) / 1e6 for peak in peaks)
    name = "memory of a process that compiles and searches Othello, besides the table of 64 MB"
    return [Row(name, f"{cold:.0f} MB", "-", None, "<= 300 MB", cold <= 300, {"from the cache": warm})]


def compilation() -> list[Row]:
    """From the start of a process to the engine's first answer: the first time ever, and later from the cache."""
    program = "import plywright as p; p.search(p.load_game('{game}'), depth=2)"
    found: dict[str, tuple[float, float]] = {}
    with tempfile.TemporaryDirectory() as cache:
        for game in ("othello", "connect-four", "breakthrough"):
            command = ["-c", program.format(game=game)]
            found[game] = spend(command, cache), statistics.median(spend(command, cache) for _ in range(5))
    cold, warm = (max(found, key=lambda game, which=which: found[game][which]) for which in (0, 1))
    first, later = found[cold][0], found[warm][1]
    return [
        Row(f"the engine's first run ever (slowest: {cold})", short(first), "-", None, "< 7 s", first < 7, found),
        Row(f"the engine's later runs (slowest: {warm})", short(later), "-", None, "< 0.6 s", later < 0.6, found),
    ]


def branching() -> list[dict[str, Any]]:
    """Effective branching factor: by how much each further ply multiplies the nodes, over the last four plies."""
    table = []
    for name, depth in BRANCHING.items():
        game = load_game(name)
        task = EngineSearch(game, None, Limit(depth=depth), all_actions=False, compiled=None, exact=False)
        counts, before = [], 0
        for reach in range(1, depth + 1):
            task.to_depth(reach)
            counts.append(task.nodes - before)
            before = task.nodes
        plain = load_game(name)
        width = statistics.mean(len(list(plain.actions(state))) for state in sampled(plain))
        factor = (counts[-1] / counts[-5]) ** (1 / 4)
        table.append({"game": name, "depth": depth, "legal_moves": width, "effective": factor, "nodes": counts})
    return table


def sampled(game: Any, count: int = 20) -> list[Any]:
    """Unfinished states of one random game."""
    from plywright.rng import below, seeded

    rng, states, state = seeded(5), [], game.start_state
    while len(states) < count:
        if game.is_terminal(state):
            state = game.start_state
        actions = list(game.actions(state))
        states.append(state)
        state = game.coerce_state(game.result(state, actions[below(rng, len(actions))]))
    return states


def exact_threads() -> list[Row]:
    """An exact solution with two threads: the engine proves a position of Othello that is 14 squares from its end."""
    game = load_game("othello")
    state = game.parse_state("O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X")
    search(game, state, depth=3)
    pairs = []
    for _ in range(2):
        one, first = seconds(lambda: search(game, state, depth=30, exact=True))
        two, second = seconds(lambda: search(game, state, depth=30, exact=True, threads=2))
        if (first.value, second.value) != (38, 38):
            raise SystemExit(f"FFO #40 is worth 38, not {first.value} or {second.value}")
        pairs.append((one, two))
    ratio = statistics.median(a / b for a, b in pairs)
    one, two = (statistics.median(column) for column in zip(*pairs, strict=True))
    row = Row("Othello FFO #40 by the engine, exact, two threads against one", short(two), short(one), ratio, "", None)
    row.target, row.met, row.detail = f">= {EXACT_TARGET} x", ratio >= EXACT_TARGET, {"rounds": pairs}
    return [row]


def rows() -> list[Row]:
    return [*depths(), *selectivity(), *threads(), *exact_threads(), *limits(), *memory(), *compilation()]


if __name__ == "__main__":
    began = time.monotonic()
    for row in rows():
        print(row.name, "|", row.ours, "|", row.theirs, "|", row.ratio, "|", row.target, row.met)
    for line in branching():
        print(
            f"{line['game']:22} depth {line['depth']:2}  legal {line['legal_moves']:5.1f}  "
            f"effective {line['effective']:.2f}"
        )
    print(f"{time.monotonic() - began:.0f} s, peak {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")
