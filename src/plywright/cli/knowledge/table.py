"""`plywright table`: endgame tables, built and checked."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ..options import Json

if TYPE_CHECKING:
    from ...tables import BuildProgress, Table

table_app = typer.Typer(name="table", help="Endgame tables: built, and checked.", no_args_is_help=True)

GameText = Annotated[str, typer.Argument(metavar="GAME", help="A name (checkers) or a path (./mygame.py[:Class]).")]
FOLDER = Path("tables")
Threads = Annotated[int | None, typer.Option("--threads", help="Threads that work together; by default all cores.")]


@table_app.callback()
def table() -> None:
    """Endgame tables: who wins, and when, of every position with few pieces."""


@table_app.command()
def build(
    game: GameText,
    pieces: Annotated[str, typer.Option("--pieces", help="Which endings: 4 in checkers, KBNK in chess.")],
    folder: Annotated[Path, typer.Option("--folder", help="Where the files are.")] = FOLDER,
    memory: Annotated[float, typer.Option("--memory", help="Megabytes for the slice that is being solved.")] = 2048.0,
    threads: Threads = None,
    knowledge: Annotated[str | None, typer.Option("--knowledge", help="Whose index() numbers the positions.")] = None,
    json: Json = False,
) -> None:
    """Build a table, or go on with one: whatever stopped it, the slices that were finished stay."""
    from ...games import as_knowledge, load_game
    from ...tables import build_table
    from ..console import busy, print_json

    rules = load_game(game)
    last: list[BuildProgress] = []

    with busy(f"building tables of {game}") as say:

        def tell(progress: BuildProgress) -> None:
            last[:] = [progress]
            say(progress_text(f"building tables of {game}", progress))

        known = None if knowledge is None else as_knowledge(rules, knowledge)
        found = build_table(rules, pieces, folder, threads=threads, megabytes=memory, knowledge=known, progress=tell)
    if json:
        print_json({**_facts(found), "seconds": round(last[0].seconds, 3), "solved": last[0].solved})
        return
    _show(found)
    speed = f"{last[0].solved:,} positions in {last[0].seconds:.3g} s, {last[0].positions_a_second:,.0f}/s"
    _line("solved now", speed if last[0].solved else "nothing: the table was complete")


@table_app.command()
def check(
    game: GameText,
    path: Annotated[
        Path, typer.Argument(metavar="FILE", help="A table, or a folder with tables of the game.")
    ] = FOLDER,
    sample: Annotated[int | None, typer.Option("--sample", help="Positions to check, drawn at random; all.")] = None,
    seed: Annotated[int, typer.Option("--seed", help="Of the sample.")] = 1,
    threads: Threads = None,
    knowledge: Annotated[str | None, typer.Option("--knowledge", help="Whose index() numbers the positions.")] = None,
    json: Json = False,
) -> None:
    """Hold a table against its checksums, and its positions against their successors."""
    from ...games import as_knowledge, load_game
    from ...tables import check_table, open_table
    from ..console import busy, print_json

    rules = load_game(game)
    found = open_table(rules, path, None if knowledge is None else as_knowledge(rules, knowledge))
    with busy(f"checking {found.path}") as say:
        report = check_table(
            found,
            sample=sample,
            seed=seed,
            threads=threads,
            progress=lambda done, count: say(f"checking {found.path}: {done:,} of {count:,} positions"),
        )
    if json:
        print_json({**_facts(found), "checked": report.positions})
        return
    _show(found)
    part = "all positions follow" if report.positions == report.of_positions else f"{report.positions:,} of them follow"
    _line("checked", f"as it was written, and {part} from their successors")


def progress_text(doing: str, progress: BuildProgress) -> str:
    """How far a build is, in a line."""
    at = f", {progress.distance} plies from the end" if progress.distance else ""
    done = f"{progress.positions:,} of {progress.of_positions:,} positions, {progress.positions_a_second:,.0f}/s"
    slices = f"slice {min(progress.slice + 1, progress.slices)} of {progress.slices}"
    return f"{doing}: {done}; {slices}, {progress.name}{at}"


def _facts(found: Table) -> dict[str, Any]:
    size = found.path.stat().st_size
    return {
        "game": found.game.name,
        "file": str(found.path),
        "tables": found.which,
        "slices": len(found.records),
        "of_slices": len(found.slices),
        "positions": found.positions,
        "bytes": size,
        "bytes_a_position": round(size / max(found.positions, 1), 4),
    }


def _show(found: Table) -> None:
    facts = _facts(found)
    _line("table", facts["file"])
    whole = "" if found.is_complete else f" of {facts['of_slices']:,}: not complete"
    _line("slices", f"{facts['slices']:,}{whole}")
    _line("positions", f"{facts['positions']:,}")
    _line("bytes", f"{facts['bytes']:,}, {facts['bytes_a_position']:.2f} a position")


def _line(label: str, text: str) -> None:
    from ..console import out

    out.print(f"{label:>10}  {text}", markup=False)
