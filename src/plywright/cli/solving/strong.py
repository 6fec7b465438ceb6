"""`plywright solve --strong`: every position of a game, with its value and its distance."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ...engine.value_iteration.value_iteration import StatesProgress
from ...errors import BadInput
from ...game import Game
from ...tables import BuildProgress, Table, build_table, solve_strongly, tally
from ...tables.strong import MEGABYTES
from ...tables.table import SUFFIX
from ...tables.whole import MANY, Numbered, best_action, numbered_whole
from ..console import busy, count_text, out, position, print_json, value_text
from ..knowledge.table import FOLDER, progress_text

EXPLORED, BY_NUMBER = "all positions that can be reached", "slice by slice"


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
    """Solve a game, from all positions that can be reached or, where it numbers very many, slice by slice."""
    game, state = position(name, state_text, moves, None)
    megabytes = MEGABYTES if table is None else table
    numbered = numbered_whole(game) if state == game.start_state and not symmetric else None
    if numbered is not None and numbered.positions > MANY:
        _by_number(name, game, numbered, megabytes, save, json)
        return
    with busy(f"solving {name}") as say:

        def tell(progress: StatesProgress) -> None:
            done = "found so far" if progress.share is None else f"found, {progress.share:.0%} of them solved"
            say(f"solving {name}: {count_text(progress.states)} positions {done}, {progress.seconds:.0f} s")

        found = solve_strongly(game, save, state=state, megabytes=megabytes, up_to_symmetry=symmetric, progress=tell)
    known, counts = found.look_up(state), found.counts
    assert known is not None
    file = None if save is None else str(save)
    facts = {
        "game": game.name,
        "solver": EXPLORED,
        "value": known.value,
        "distance": known.distance,
        **counts._asdict(),
        "up_to_symmetry": symmetric,
        "best": game.format_action(state, found.best(state)),
        "seconds": round(found.seconds, 3),
        "file": file,
    }
    alike = " up to symmetry" if symmetric else ""
    _show(name, game, state, facts, f"{counts.positions:,}{alike}, {counts.finished:,} of them finished", json)


def _by_number(name: str, game: Game, numbered: Numbered, megabytes: float, save: Path | None, json: bool) -> None:
    if save is not None and save.suffix != SUFFIX:
        raise BadInput(
            f"{name} numbers its {numbered.positions:,} positions and is solved slice by slice, into a file whose name "
            f"ends with {SUFFIX}: --save {save.with_suffix(SUFFIX)}"
        )
    last: list[BuildProgress] = []
    with busy(f"solving {name}") as say:

        def tell(progress: BuildProgress) -> None:
            last[:] = [progress]
            say(progress_text(f"solving {name}", progress))

        found = build_table(game, numbered.which, FOLDER if save is None else save, megabytes=megabytes, progress=tell)
        say(f"solving {name}: counting its {found.positions:,} positions")
        counts = tally(found)
    state = game.start_state
    known = found.look_up(state)
    assert known is not None
    facts = {
        "game": game.name,
        "solver": BY_NUMBER,
        "value": known.value,
        "distance": known.distance,
        **counts._asdict(),
        "best": game.format_action(state, best_action(found, state)),
        "solved": last[0].solved,
        "seconds": round(last[0].seconds, 3),
        "bytes": _size(found),
        "file": str(found.path),
    }
    text = f"{counts.positions:,} by number, in {_size(found):,} bytes; what is alike or won at sight is not among them"
    _show(name, game, state, facts, text, json)


def _size(found: Table) -> int:
    return found.path.stat().st_size


def _show(name: str, game: Game, state: Any, facts: dict[str, Any], positions: str, json: bool) -> None:
    if json:
        print_json(facts)
        return
    out.print(game.picture(state).text, markup=False)
    end = "" if facts["distance"] is None else f", in {facts['distance']} plies"
    solved, seconds, file = facts.get("solved", facts["positions"]), max(facts["seconds"], 1e-9), facts["file"]
    lines = [
        ("value", f"{value_text(facts['value'])}  (every position below is solved{end})"),
        ("best", facts["best"]),
        ("solver", facts["solver"]),
        ("positions", positions),
        ("won", f"{facts['won']:,} for the player to move, {facts['drawn']:,} drawn, {facts['lost']:,} lost"),
        ("longest", f"{facts['longest']} plies to the end"),
        ("seconds", f"{seconds:.3g}, {solved / seconds:,.0f} positions/s" if solved else "none: it was solved before"),
    ]
    for label, text in lines:
        out.print(f"{label:>10}  {text}", markup=False)
    if file is not None:
        out.print(
            f"wrote {file}: `table:{file}` plays it, `plywright doctor {name} --oracle {file}` asks it", markup=False
        )
