"""`plywright match` and `plywright tournament`: play, show the standings, and say what they mean."""

from __future__ import annotations

import re
import sys
import time
from pathlib import Path
from types import TracebackType

from rich.console import Group
from rich.live import Live
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
from rich.progress import Progress as Bar
from rich.text import Text

from ...arena.match import TOURNAMENT, check_jobs, choose, crowded, make_plan, run_plan
from ...arena.outcome import Outcome
from ...arena.records.run_file import Records, free_name
from ...arena.schedules.openings import START
from ...arena.schedules.pairing import ROUND_ROBIN
from ...arena.schedules.progress import Progress
from ...arena.schedules.schedule import Plan
from ...arena.standings import Standings, as_data, standings
from ...errors import BadInput
from ...game import Game
from ...games.registry import is_path
from ...programs.isolation import unbounded
from ..cluster import opened
from ..console import busy, notes, out, print_json
from .standings import heading, tables

EVERY = 0.5
"""Seconds between two looks at the live table: counting takes time as well."""


def show_match(
    kind: str,
    players: list[str],
    game: str,
    *,
    games: int | None,
    double: bool = False,
    schedule: str = ROUND_ROBIN,
    mode: str,
    openings: str | None,
    sprt: str | None = None,
    jobs: int,
    record: Path | None,
    seed: int | None,
    json: bool,
    cluster: str | None = None,
    adjudicate: str | None = None,
) -> None:
    check_jobs(jobs, players)
    if cluster is not None and "human" in players:
        raise BadInput("a person plays on this machine: leave out --cluster")
    with busy("making the players ready"):
        if games is None:
            from ...games import load_game

            games = (load_game(game).players if double else 1) if kind == TOURNAMENT else 100
        seed, opening = choose(seed, openings, players, game, record)
        plan, loaded = make_plan(
            kind,
            players,
            game,
            games=games,
            mode=mode,
            opening=opening,
            sprt=sprt,
            seed=seed,
            schedule=schedule,
            adjudicate=adjudicate,
        )
    if warning := crowded(jobs, mode):
        print(f"plywright: warning: {warning}", file=sys.stderr)
    path = record or free_name(Path(), f"{stem_of(game)}-{kind}")
    with Records.begin(path, plan, jobs) as records:
        _announce(records.plan, records, json)
        try:
            with opened(cluster) as executor, _Board(records.plan, loaded) as board:
                progress = run_plan(records, jobs=jobs, executor=executor, heard=board.hear)
        except KeyboardInterrupt:
            print(
                f"\nplywright: stopped; every finished game is in {path}, and the same command with "
                f"--record {path} goes on from there",
                file=sys.stderr,
            )
            raise
        found = standings(progress, loaded)
    if progress.disqualified and not progress.counted:
        raise BadInput(f"no game could be played: {'; '.join(progress.disqualified.values())}")
    if json:
        print_json(as_data(found, record=str(path)))
    else:
        _show(found, path)


def stem_of(game: str) -> str:
    """A file name made of a game's."""
    return re.sub(r"[^A-Za-z0-9]+", "-", Path(game).stem if "/" in game else game).strip("-") or "game"


def _announce(plan: Plan, records: Records, json: bool) -> None:
    """What is about to happen, and by which rule it stops; fixed before the first game."""
    if json:
        return
    done = Progress(plan, records.outcomes())
    out.print(f"{' v '.join(plan.names)}: stops {plan.rule}", markup=False)
    if done.counted:
        out.print(f"{len(done.counted)} games are in {records.path} already", markup=False)
    if plan.source != START and len(plan.openings) < -(-plan.games // plan.seats):
        out.print(f"{len(plan.openings)} different openings, used in turn", markup=False)


def _show(found: Standings, path: Path) -> None:
    out.print(heading(found), style="bold", markup=False)
    out.print(tables(found))
    out.print(f"isolation: {found.isolation}", markup=False)
    if gaps := unbounded(found.isolation):
        out.print(f"note: {gaps}", style="yellow", markup=False)
    game = found.progress.plan.game
    named = f", with --game {game}" if is_path(game) else ""
    out.print(f"record: {path}   (plywright report, replay or export it{named})", markup=False)


class _Board:
    """The live table and a bar on a terminal, nothing elsewhere."""

    def __init__(self, plan: Plan, game: Game) -> None:
        self.plan, self.game = plan, game
        self.bar = Bar(
            TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(), console=notes
        )
        self.task = self.bar.add_task("games", total=sum(len(each.units) for each in plan.rounds()))
        shown = notes.is_terminal and "human" not in plan.names  # a person needs the terminal
        self.live = Live(self.bar, console=notes, transient=True, refresh_per_second=4) if shown else None
        self.looked = 0.0

    def __enter__(self) -> _Board:
        if self.live is not None:
            self.live.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.live is not None:
            self.live.__exit__(kind, error, trace)

    def hear(self, outcome: Outcome, progress: Progress) -> None:
        if self.live is None:
            return
        self.bar.update(self.task, completed=len(progress.counted))
        if time.monotonic() - self.looked >= EVERY:
            found = standings(progress, self.game)
            self.live.update(Group(Text(heading(found)), tables(found), self.bar))
            self.looked = time.monotonic()
