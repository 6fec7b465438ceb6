"""`plywright tune`: the numbers of a player, found by matches."""

from __future__ import annotations

from pathlib import Path

from ...arena.match import check_jobs
from ...arena.standings import as_data
from ...arena.tuning import Course, Parameter, Tuning, check_confirmation, confirm, tune
from ..cluster import opened
from ..console import busy, out, print_json
from .standings import heading, tables


def show_tune(
    player: str,
    parameters: list[str],
    game: str,
    *,
    mode: str,
    iterations: int,
    pairs: int,
    seed: int,
    jobs: int,
    save: Path,
    sprt: str | None,
    games: int,
    json: bool,
    cluster: str | None = None,
) -> None:
    check_jobs(jobs)
    asked = tuple(Parameter.parse(text) for text in parameters)
    tuning = Tuning(player, game, asked, mode=mode, iterations=iterations, pairs=pairs, seed=seed)
    if sprt is not None:
        check_confirmation(tuning, sprt, games)
    with opened(cluster) as executor, busy("tuning") as say:

        def hear(course: Course) -> None:
            shown = ", ".join(f"{name} {value:.4g}" for name, value in course.values().items())
            say(f"iteration {len(course.places):,} of {iterations:,}: {shown}")

        try:
            course = tune(tuning, save, jobs=jobs, executor=executor, heard=hear)
        except KeyboardInterrupt:
            out.print(f"stopped; {save} holds what was found, and the same command goes on from there", markup=False)
            raise
    found, changed = None, course.player != course.first
    if sprt is not None and changed:
        record = save.with_suffix(".run")
        with opened(cluster) as executor, busy("playing the tuned player against the first one"):
            found = confirm(course, sprt, games, record, jobs=jobs, executor=executor)
    if json:
        match = None if found is None else as_data(found, record=str(record))
        data = {"player": course.player, "values": course.values(), "iterations": len(course.places)}
        print_json({**data, "file": str(save), "confirmation": match})
        return
    for parameter in tuning.parameters:
        value = course.values()[parameter.name]
        out.print(f"{parameter.name:>16}  {value:.6g}   (began at {parameter.start:g})", markup=False)
    out.print(f"tuned player: {course.player}", style="bold", markup=False)
    if found is not None:
        out.print(heading(found), markup=False)
        out.print(tables(found))
        out.print(f"record: {record}", markup=False)
    elif changed:
        out.print("--confirm 0,20 plays it against the first one until the test is decided", markup=False)
    else:
        out.print("that is the player it began as: there is nothing to confirm", markup=False)
