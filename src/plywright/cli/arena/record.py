"""`plywright replay`, `report` and `export`: what is in the record of a run."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from rich.markup import escape
from rich.table import Table

from ...arena.records.export import PARQUET, exported, game_data, last_attempts, payoffs_text
from ...arena.records.parquet import write_parquet
from ...arena.records.replaying import recorded_game, steps
from ...arena.records.run_file import Records
from ...arena.schedules.progress import Progress
from ...arena.standings import as_data, standings
from ...errors import BadInput
from ...files import write_whole
from ...game import Game
from ..console import busy, out, print_json, worth_text
from .standings import heading, short_names, tables

# -- replay ------------------------------------------------------------------------------------------------


def show_replay(run: Path, number: int | None, given: str | None, json: bool) -> None:
    with Records.open(run) as records:
        if number is None:
            _list(records, run, json)
            return
        game, warning = recorded_game(records, given)
        outcome, record = records.game(number)
        if json:
            print_json(game_data(game, records, number))
            return
    _warn(warning)
    names = [records.plan.names[player] for player in outcome.seats]
    title = " v ".join(f"{name} ({game.player_name(seat)})" for seat, name in enumerate(names))
    out.print(f"game {number}: {title}", style="bold", markup=False)
    for step in steps(game, record):
        out.print()
        if step.action is not None:
            words = [f"{step.number}. {_actor(game, step.seat, names)} {step.text}"]
            words += ["(opening)"] if step.given else [f"{step.seconds:.3f} s"] if step.seat != -1 else []
            words += _account(game, step.info or {})
            out.print("  ".join(words), markup=False)
        out.print(game.picture(step.state, step.action if step.seat != -1 else None).text, markup=False)
    out.print()
    out.print(f"payoffs {payoffs_text(record.payoffs)}   termination: {record.termination}", markup=False)
    if record.note:
        out.print(record.note, markup=False)
    if record.raw:
        out.print(f"as it came: {record.raw!r}", markup=False)


def _actor(game: Game, seat: int | None, names: list[str]) -> str:
    return "chance:" if seat is None or seat < 0 else f"{game.player_name(seat)}, {names[seat]}:"


def _account(game: Game, info: dict[str, Any]) -> list[str]:
    words, value = list[str](), info.get("value")
    if isinstance(value, (int, float)):
        words.append(f"value {worth_text(game, float(value), bool(info.get('averaged')))}")
    return words + [f"{name} {info[name]:,}" for name in ("depth", "nodes") if isinstance(info.get(name), int)]


def _list(records: Records, run: Path, json: bool) -> None:
    outcomes = last_attempts(records)
    names = records.plan.names
    if json:
        rows = [
            {
                "game": outcome.game,
                "players": [names[player] for player in outcome.seats],
                "payoffs": outcome.payoffs,
                "termination": outcome.termination,
                "seconds": round(outcome.seconds, 6),
            }
            for outcome in outcomes
        ]
        print_json({"run": str(run), "game": records.plan.game, "games": rows})
        return
    table = Table("game", "players by seat", "payoffs", "termination", "seconds", box=None, header_style="bold")
    brief = short_names(names, 28)
    for outcome in outcomes:
        players = " v ".join(brief[player] for player in outcome.seats)
        ending = [str(outcome.game), escape(players), payoffs_text(outcome.payoffs), outcome.termination]
        table.add_row(*ending, f"{outcome.seconds:.2f}")
    out.print(table)
    if outcomes:
        out.print(f"plywright replay {run} {outcomes[0].game} shows one of them", markup=False)
    else:
        out.print("no game has been finished yet")


def _warn(warning: str) -> None:
    if warning:
        print(f"plywright: warning: {warning}", file=sys.stderr)


# -- report ------------------------------------------------------------------------------------------------


def show_report(run: Path, html: Path | None, given: str | None, json: bool) -> None:
    with Records.open(run) as records:
        game, warning = recorded_game(records, given)
        found = standings(Progress(records.plan, records.outcomes()), game)
        times = records.times()
        if html is not None:
            from ...arena.reports.report import report_page

            with busy("drawing the report") as say:
                page = report_page(records, game, found, lambda n, of: say(f"drawing game {n} of {of}"))
            write_whole(html, page.encode())
        data = as_data(found, record=str(run))
        sessions = records.sessions()
    names = records.plan.names
    data["times"] = {
        names[player]: {"moves": moves, "seconds": round(seconds, 6), "longest": round(longest, 6)}
        for player, (moves, seconds, longest) in sorted(times.items())
    }
    data["sessions"] = sessions
    if json:
        print_json(data)
        return
    _warn(warning)
    out.print(heading(found), style="bold", markup=False)
    out.print(f"stops {records.plan.rule}", markup=False)
    out.print(tables(found))
    out.print()
    out.print(_causes(data))
    out.print()
    out.print(_times(data))
    out.print(f"isolation: {data['isolation']}", markup=False)
    versions = sessions[-1] if sessions else dict.fromkeys(("plywright", "python", "system"), "?")
    out.print(
        f"played with plywright {versions['plywright']}, Python {versions['python']} on {versions['system']}, "
        f"in {len(sessions)} {'session' if len(sessions) == 1 else 'sessions'}",
        markup=False,
    )
    if html is not None:
        out.print(f"wrote {html}", markup=False)


def _causes(data: dict[str, Any]) -> Table:
    """How games ended for each player: its own offences by cause."""
    causes = sorted({cause for row in data["terminations"].values() for cause in row}, key=lambda c: (c != "normal", c))
    table = Table("how games ended", box=None, header_style="bold")
    for cause in causes:
        table.add_column(cause, justify="right")
    rows = data["terminations"]
    for name, row in zip(short_names(list(rows)), rows.values(), strict=True):
        table.add_row(escape(name), *(str(row.get(cause, 0)) for cause in causes))
    return table


def _times(data: dict[str, Any]) -> Table:
    table = Table("time", box=None, header_style="bold")
    for name in ("moves", "seconds", "mean of a move", "longest move"):
        table.add_column(name, justify="right")
    rows = data["times"]
    for name, row in zip(short_names(list(rows)), rows.values(), strict=True):
        mean = row["seconds"] / max(row["moves"], 1)
        table.add_row(
            escape(name),
            f"{row['moves']:,}",
            f"{row['seconds']:.2f}",
            f"{mean:.4f} s",
            f"{row['longest']:.3f} s",
        )
    return table


# -- export ------------------------------------------------------------------------------------------------


def show_export(run: Path, form: str, output: Path | None, given: str | None) -> None:
    if output == Path("-"):  # standard output
        output = None
    with Records.open(run) as records:
        game, warning = recorded_game(records, given)
        _warn(warning)
        if form == PARQUET:
            if output is None:
                raise BadInput("a Parquet file is no text for a terminal: name a file, --output games.parquet")
            with busy("writing") as say:
                count = write_parquet(game, records, output, lambda n, of: say(f"writing game {n:,} of {of:,}"))
            print(f"wrote {count} games to {output}", file=sys.stderr)
            return
        numbers = [outcome.game for outcome in last_attempts(records)]
        lines = exported(game, records, form)
        if output is None:
            for line in lines:
                print(line)
            return
        write_whole(output, *(f"{line}\n".encode() for line in lines))
    print(f"wrote {len(numbers)} games to {output}", file=sys.stderr)
