"""`plywright perft`."""

from __future__ import annotations

import time

from ...engine.perft import perft_counts
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
    perft_counts(game, min(depth, 1), state, finished=finished)  # compiled before the clock starts
    began = time.perf_counter()
    split: dict[str, int] = {}
    lines, ended = 0, 0
    with busy(f"counting lines of {depth} plies"):
        if divide and depth > 0:
            for action in game.choices(state):
                child = game.state_after(state, action)
                below, over = perft_counts(game, depth - 1, child, finished=finished)
                split[game.format_action(state, action)] = below
                lines, ended = lines + below, ended + over
        else:
            lines, ended = perft_counts(game, depth, state, finished=finished)
    seconds = time.perf_counter() - began
    if json:
        answer = {"game": game.name, "depth": depth, "finished_games_count": finished, "lines": lines, "ended": ended}
        print_json(
            {**answer, "divide": split, "seconds": round(seconds, 6), "lines_per_second": round(lines / seconds)}
        )
        return
    for move, count in split.items():
        out.print(f"{move}: {count:,}", markup=False)
    out.print(f"perft {depth} = {lines:,}  ({seconds:.3g} s, {count_text(lines / seconds)}/s)")
    if ended:
        verb = "is a game" if ended == 1 else "are games"
        out.print(f"{ended:,} of them {verb} that ended earlier; --unfinished leaves those out")
