"""`plywright positions`: how many positions there are, all of them reached by the rules."""

from __future__ import annotations

import time
from typing import Any

from ...engine.value_iteration.reachable import MEGABYTES, reachable
from ..console import busy, count_text, out, position, print_json


def show_positions(
    name: str, state_text: str | None, moves: str | None, roll: str | None, *, table: float | None, json: bool
) -> None:
    game, state = position(name, state_text, moves, roll)
    options: dict[str, Any] = {"megabytes": MEGABYTES if table is None else table}
    began = time.perf_counter()
    with busy(f"counting positions of {name}") as say:
        options["progress"] = lambda known: say(f"counting positions of {name}: {count_text(known)} so far")
        found = reachable(game, state, **options)
        folded = reachable(game, state, up_to_symmetry=True, **options) if game.has_symmetry else None
    seconds = time.perf_counter() - began
    data = {"positions": found.count, "finished": found.finished, "by_chance": found.by_chance}
    if json:
        symmetric = {"up_to_symmetry": folded and folded.count, "finished_up_to_symmetry": folded and folded.finished}
        print_json({"game": game.name, **data, **symmetric, "seconds": round(seconds, 6)})
        return
    out.print(f" positions  {found.count:,}, the one to begin from included", markup=False)
    out.print(f"  finished  {found.finished:,}", markup=False)
    if found.by_chance:
        out.print(f"    chance  decides in {found.by_chance:,}", markup=False)
    if folded is not None:
        out.print(f"  symmetry  {folded.count:,} up to turning and mirroring, {folded.finished:,} of them finished")
