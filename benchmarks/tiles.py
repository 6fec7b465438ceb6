"""2048: how many seeded games reach the 2048 tile at five milliseconds per move, and how fast its tables learn."""

from __future__ import annotations

import sys
import time as clock
from typing import Any

from measure import Row
from plywright import load_game, search
from plywright.dice import roll
from plywright.games.twenty_forty_eight import exponent
from plywright.knowledge import knowledge_of
from plywright.learning.trainer import Trainer
from plywright.models.loading import make_model
from plywright.rng import seeded
from tiles_training import SCHEDULE

GAMES = 100
A_MOVE = 0.005  # seconds
GOAL = 11  # the exponent of the tile
TARGET = 0.9
LEARNING = 15.0  # seconds
MOVES = 500_000  # a second of one core


def play(game: Any, seed: int) -> tuple[bool, list[float]]:
    """One game to the goal or to its end: whether it got there, and the seconds that each move took."""
    state, rng, spent = game.start_state, seeded(seed), []
    while not game.is_terminal(state):
        if game.at_chance(state):
            action = roll(game, state, rng)
        else:
            began = clock.perf_counter()
            action = search(game, state, time=A_MOVE).action
            spent.append(clock.perf_counter() - began)
        state = game.coerce_state(game.result(state, action))
        if any(exponent(state, cell) >= GOAL for cell in range(16)):
            return True, spent
    return False, spent


def rows(games: int = GAMES) -> list[Row]:
    game = load_game("2048")
    state = game.start_state
    rng = seeded(1)
    while game.at_chance(state):
        state = game.coerce_state(game.result(state, roll(game, state, rng)))
    search(game, state, time=A_MOVE)  # compiled before the clock
    reached, spent = 0, []
    for seed in range(1, games + 1):
        there, times = play(game, seed)
        reached += there
        spent += times
    spent.sort()
    middle, late = spent[len(spent) // 2] * 1000, spent[len(spent) * 99 // 100] * 1000
    name = f"2048 by expectimax at {A_MOVE * 1000:g} ms per move, games of {games} that reach the tile"
    detail = {"games": games, "reached": reached, "moves": len(spent), "median_ms": middle, "late_ms": late}
    ours = f"{reached} of {games}, {middle:.1f} ms per move, 99 % within {late:.1f} ms"
    return [Row(name, ours, "-", None, f">= {TARGET:.0%}", reached >= TARGET * games, detail), learning_row()]


def learning_row() -> Row:
    """Training goes on from the tables that ship, so that it plays, and remembers, as it does when it matters."""
    game = load_game("2048")
    model: Any = make_model(game)
    shipped: Any = knowledge_of(game, "tables")
    model.weights[:] = shipped.weights * shipped.grain
    trainer = Trainer(model, SCHEDULE)
    found = 0.0
    for _ in range(2):  # the first stretch brings memory in
        before, began = trainer.counts()[1], clock.process_time()
        for _ in trainer.run(seconds=LEARNING / 2, stretch=LEARNING):
            pass
        found = (trainer.counts()[1] - before) / (clock.process_time() - began)
    name = "2048: training with tables as large as those that ship, one core"
    detail = {"moves_per_second": found, "entries": len(model.weights)}
    return Row(name, f"{found / 1e6:.2f} M moves/s", "-", None, f">= {MOVES / 1e6:g} M moves/s", found >= MOVES, detail)


if __name__ == "__main__":
    for row in rows(int(sys.argv[1]) if len(sys.argv) > 1 else GAMES):
        print(row)
