"""`plywright perft`."""

from __future__ import annotations

import time

from ...engine.perft import perft
from ..console import busy, count_text, out, position, print_json


def show_perft(
    name: str,
    depth: int,
    state_text: str | None,
    moves: str | None,
    roll: str | None = None,
    *,
    divide: bool,
    finished: bool,
    json: bool,
) -> None:
    game, state = position(name, state_text, moves, roll)
    perft(game, min(depth, 1), state, finished=finished)  # compiled before the clock starts
    began = time.perf_counter()
    split: dict[str, int] = {}
    with busy(f"counting lines of {depth} plies"):
        if divide and depth > 0:
            for action in game.choices(state):
                child = game.state_after(state, action)
                split[game.format_action(state, action)] = perft(game, depth - 1, child, finished=finished)
            lines = sum(split.values())
        else:
            lines = perft(game, depth, state, finished=finished)
    seconds = time.perf_counter() - began
    if json:
        answer = {"game": game.name, "depth": depth, "finished_games_count": finished, "lines": lines}
        print_json(
            {**answer, "divide": split, "seconds": round(seconds, 6), "lines_per_second": round(lines / seconds)}
        )
        return
    for move, count in split.items():
        out.print(f"{move}: {count:,}", markup=False)
    out.print(f"perft {depth} = {lines:,}  ({seconds:.3g} s, {count_text(lines / seconds)}/s)")
