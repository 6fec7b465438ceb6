"""Exact solving of Connect Four 7x6 against BitBully, without its opening book: same scores, time for each position.

`python benchmarks/solving.py` prints the table; `--empty` also solves the empty board once (minutes).
"""

from __future__ import annotations

import importlib.util
import random
import statistics
import sys
from collections.abc import Iterable
from functools import partial
from typing import Any

from measure import Row, seconds, short, skipped
from plywright import load_game
from plywright.engine.alphabeta.solve import Solver, solve

SETS = ((range(16, 25), 100), (range(12, 15), 10))  # stones on the board, positions
SEED = 4
ROUNDS = 3
TABLE_MEGABYTES = 64.0
TARGET = 1.2


def random_positions(game: Any, stones: range, count: int) -> list[tuple[Any, list[int]]]:
    """Unfinished positions, and the moves to them, in which the mover cannot win at once."""
    rng = random.Random(f"{SEED} {stones}")
    found: list[tuple[Any, list[int]]] = []
    while len(found) < count:
        state, moves = game.start_state, []
        for _ in range(rng.choice(stones)):
            moves.append(rng.choice(sorted(game.actions(state))))
            state = game.coerce_state(game.result(state, moves[-1]))
            if game.is_terminal(state):
                break
        else:
            if not any(game.is_terminal(game.result(state, action)) for action in game.actions(state)):
                found.append((state, moves))
    return found


def against_bitbully(stones: range, count: int) -> Row:
    name = f"Connect Four 7x6 exact, {count} random positions of {stones[0]}-{stones[-1]} stones, against BitBully"
    target = f"<= {TARGET} x its time"
    if importlib.util.find_spec("bitbully") is None:
        return skipped(name, "bitbully is not installed", target)
    from bitbully import BitBully, Board

    game = load_game("connect-four:score=speed")
    positions = random_positions(game, stones, count)
    Solver(game, table_megabytes=1).value(positions[0][0])  # compiled before anything is timed
    times: list[tuple[float, float]] = []
    for _ in range(ROUNDS):
        # One table a round for each: what one position leaves there is as good as useless for the next.
        solver, rival = Solver(game, table_megabytes=TABLE_MEGABYTES), BitBully(opening_book=None)
        ours, theirs = [], []
        for state, moves in positions:
            board = Board(moves)
            spent, value = seconds(partial(solver.value, state))
            ours.append(spent)
            spent, score = seconds(partial(rival.mtdf, board))
            theirs.append(spent)
            if value != score:
                raise SystemExit(f"Connect Four after {moves}: BitBully says {score}, Plywright {value}")
        times.append((statistics.mean(ours), statistics.mean(theirs)))
    mine, other = (statistics.median(column) for column in zip(*times, strict=True))
    ratio = statistics.median(a / b for a, b in times)
    detail = {"same_scores": True, "our_time_over_theirs": sorted(a / b for a, b in times)}
    return Row(name, short(mine), short(other), 1 / ratio, target, ratio <= TARGET, detail)


def empty_board(megabytes: float = 1024.0) -> Row:
    """The whole game, once: minutes, so not part of `make bench`."""
    game = load_game("connect-four:score=speed")
    Solver(game, table_megabytes=1).value(game.parse_state("44444432222226"))
    spent, found = seconds(lambda: solve(game, table_megabytes=megabytes))
    right = found.value == 1 and found.action == 3  # the first player wins with the last stone but one, in the middle
    name = f"Connect Four 7x6, the empty board solved, table of {megabytes:.0f} MB"
    detail = {"value": found.value, "line": found.line, "nodes": found.nodes}
    return Row(name, short(spent), "-", None, "< 150 s", right and spent < 150, detail)


def rows(sets: Iterable[tuple[range, int]] = SETS) -> list[Row]:
    return [against_bitbully(stones, count) for stones, count in sets]


if __name__ == "__main__":
    for row in [*rows(), *([empty_board()] if "--empty" in sys.argv[1:] else [])]:
        print(row)
