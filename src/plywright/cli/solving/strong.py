"""`plywright solve --strong`: every position of a game, with its value and its distance."""

from __future__ import annotations

from pathlib import Path

from ...engine.value_iteration.value_iteration import StatesProgress
from ...tables.strong import MEGABYTES, solve_strongly
from ..console import busy, count_text, out, position, print_json, value_text


def show_strong(
    name: str,
    state_text: str | None,
    moves: str | None,
    *,
    table: float | None,
    symmetric: bool,
    save: Path | None,
    json: bool,
) -> None:
    game, state = position(name, state_text, moves, None)
    with busy(f"solving {name}") as say:

        def tell(progress: StatesProgress) -> None:
            done = "found so far" if progress.share is None else f"found, {progress.share:.0%} of them solved"
            say(f"solving {name}: {count_text(progress.states)} positions {done}, {progress.seconds:.0f} s")

        megabytes = MEGABYTES if table is None else table
        found = solve_strongly(game, save, state=state, megabytes=megabytes, up_to_symmetry=symmetric, progress=tell)
    known, best = found.look_up(state), found.best(state)
    assert known is not None
    counts = found.counts
    if json:
        facts = {
            "game": game.name,
            "value": known.value,
            "distance": known.distance,
            **counts._asdict(),
            "up_to_symmetry": symmetric,
        }
        file = None if save is None else str(save)
        print_json({**facts, "best": game.format_action(state, best), "seconds": round(found.seconds, 3), "file": file})
        return
    out.print(game.picture(state).text, markup=False)
    end = "" if known.distance is None else f", in {known.distance} plies"
    alike = " up to symmetry" if symmetric else ""
    lines = [
        ("value", f"{value_text(known.value)}  (every position below is solved{end})"),
        ("best", game.format_action(state, best)),
        ("positions", f"{counts.positions:,}{alike}, {counts.finished:,} of them finished"),
        ("won", f"{counts.won:,} for the player to move, {counts.drawn:,} drawn, {counts.lost:,} lost"),
        ("longest", f"{counts.longest} plies to the end"),
        ("seconds", f"{found.seconds:.3g}, {counts.positions / max(found.seconds, 1e-9):,.0f} positions/s"),
    ]
    for label, text in lines:
        out.print(f"{label:>10}  {text}", markup=False)
    if save is not None:
        out.print(
            f"wrote {save}: `table:{save}` plays it, `plywright doctor {name} --oracle {save}` asks it", markup=False
        )
