"""`plywright doctor`."""

from __future__ import annotations

from pathlib import Path

from rich.markup import escape
from rich.table import Table

from ...doctor import examine
from ...engine.interrupts import interruptible
from ...errors import BadInput
from ..console import busy, out, print_json

MARKS = {"passed": "[green]ok[/green]", "failed": "[red]FAULT[/red]", "warning": "[yellow]warning[/yellow]"}


@interruptible()
def show_report(
    name: str, *, knowledge: str | None, oracle: Path | None = None, seconds: float, seed: int, json: bool
) -> int:
    with busy(f"examining {name}") as say:
        report = examine(
            name,
            knowledge=knowledge,
            oracle=oracle,
            seconds=seconds,
            seed=seed,
            progress=lambda check: say(f"examining {escape(name)}: {check}"),
        )
    if json:
        print_json(report.as_dict())
        return 0 if report.healthy else 1
    table = Table(box=None, show_header=False)
    for check in report.checks:
        table.add_row(MARKS.get(check.status, check.status), escape(check.name), escape(check.sentence))
    out.print(table)
    for label, text in report.fact_lines():
        out.print(f"{label:>22}  {text}", markup=False)
    out.print(report.verdict(), markup=False)
    return 0 if report.healthy else 1


def show_environment(game: str, asked: bool, *, json: bool) -> int:
    """What games are compiled with; exit status 0 if they can be, 1 if not."""
    from ...doctor.environment import environment, sentences

    if game or not asked:
        raise BadInput(
            "doctor takes a game, as in `plywright doctor ./mygame.py`, or --environment alone, and not both"
        )
    with busy("looking at Numba"):
        facts = environment()
    if json:
        print_json(facts)
    else:
        for line in sentences(facts):
            out.print(line, markup=False, soft_wrap=True)
    return 0 if facts["compiles"] else 1
