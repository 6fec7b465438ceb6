"""`plywright record`: the files of runs, checked and merged."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ..options import Json

record_app = typer.Typer(name="record", help="Records of runs: checked, and merged.", no_args_is_help=True)


@record_app.callback()
def record() -> None:
    """Records of matches and tournaments."""


@record_app.command()
def check(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="The record of a match or tournament.")],
    game: Annotated[str | None, typer.Option("--game", help="The game's file, where it is one in a file.")] = None,
    json: Json = False,
) -> None:
    """Play every game of a record over by the rules, and hold results, seats and seeds to the plan."""
    from dataclasses import asdict

    from ...arena.records.check import check_record
    from ...arena.records.replaying import recorded_game
    from ...arena.records.run_file import Records
    from ..console import busy, out, print_json

    with Records.open(run) as records, busy(f"checking {run}") as say:
        rules, warning = recorded_game(records, game)
        found = check_record(records, rules, lambda done, of: say(f"checking {run}: game {done:,} of {of:,}"))
    if json:
        print_json({"record": str(run), "sound": found.sound, "warning": warning, **asdict(found)})
    else:
        for fault in found.faults:
            out.print(fault, style="red", markup=False)
        if found.more:
            out.print(f"and {found.more:,} more", style="red")
        if warning:
            out.print(f"note: {warning}", style="yellow", markup=False)
        words = "sound: every game follows the rules and the plan" if found.sound else "not sound"
        out.print(
            f"{run}: {found.games:,} of {found.planned:,} games, {found.plies:,} plies, {found.void:,} void attempts, "
            f"{found.identical:,} played again: {words}",
            markup=False,
        )
    if not found.sound:
        raise typer.Exit(1)


@record_app.command()
def merge(
    runs: Annotated[list[Path], typer.Argument(metavar="RUN RUN...", help="Records of the same run.")],
    to: Annotated[Path, typer.Option("--to", help="The new record.")],
    json: Json = False,
) -> None:
    """Put records of the same run, written in several places, together into a new one."""
    from ...arena.records.merge import merge_records
    from ..console import busy, out, print_json

    with busy("merging") as say:
        found = merge_records(runs, to, lambda done, of: say(f"merging: {done:,} of {of:,} games"))
    if json:
        print_json({"record": str(to), "games": found.games, "again": found.again, "other": list(found.other)})
        return
    out.print(
        f"{to}: {found.games:,} games; {found.again:,} were in more than one record, and count once", markup=False
    )
    if found.other:
        shown = ", ".join(map(str, found.other[:10])) + ("..." if len(found.other) > 10 else "")
        out.print(f"note: played differently in two records, the first of which counts: {shown}", style="yellow")
