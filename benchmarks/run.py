"""`make bench`: everything that Plywright claims about speed, measured here and now.

`python benchmarks/run.py rivals chance` measures these parts alone and keeps the other rows as they are.
Writes benchmarks/results/*.json, the table in docs/speed.md, its six rows in README.md and the plot of leaves. Rivals
that are not installed are skipped with a message.
"""

from __future__ import annotations

import json
import platform
import sys
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

from rich.console import Console
from rich.table import Table

import chance
import checkers
import chess_speed
import class_load
import cluster
import endgames
import engine
import go
import hidden
import kernels
import learned
import leaves
import matches
import mcts
import pacman
import page
import referee
import rivals
import solving
import speed_table
import startup
import tiles
from measure import Row
from plywright.cli.search.bench import POSITIONS, measure
from plywright.files import write_whole

HERE = Path(__file__).parent
ROOT = HERE.parent
RESULTS = HERE / "results"


def machine() -> dict[str, Any]:
    """What the figures were measured on; they are ratios, not promises."""
    found = {}
    for package in ("plywright", "numba", "numpy", "open-spiel", "easyAI"):
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = "not installed"
    return {"python": platform.python_version(), "processor": processor(), "packages": found}


def processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        return next(line.split(":", 1)[1].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or platform.machine()


def write_json(name: str, value: Any) -> None:
    write_whole(RESULTS / name, (json.dumps(value, indent=1) + "\n").encode())


def renewed(rows: list[Row]) -> list[Row]:
    """The rows of the last whole run, with these in the places of theirs; what is new comes last."""
    kept = json.loads((RESULTS / "speed.json").read_text(encoding="utf-8"))["rows"]
    fresh = {row.name: row for row in rows}
    found = [fresh.pop(row["name"], None) or Row(**row) for row in kept]
    return [*found, *fresh.values()]


def main() -> None:
    console = Console()
    RESULTS.mkdir(exist_ok=True)
    steps: dict[str, Callable[[], list[Row]]] = {
        "kernels against C": kernels.rows,
        "rivals": rivals.rows,
        "your own file": lambda: [rivals.user_file_against_python_game(str(ROOT / "examples" / "breakthrough.py"))],
        "Monte Carlo tree search": mcts.rows,
        "Go": go.rows,
        "start": startup.rows,
        "solving Connect Four": solving.rows,
        "Othello endgames": endgames.rows,
        "the engine": engine.rows,
        "checkers and solvers": checkers.rows,
        "chess": chess_speed.rows,
        "matches": matches.rows,
        "referee": referee.rows,
        "a class": class_load.rows,
        "a cluster": cluster.rows,
        "chance": chance.rows,
        "2048": tiles.rows,
        "learned evaluations": learned.rows,
        "hidden information": hidden.rows,
        "Pac-Man": pacman.rows,
        "the page": page.rows,
    }
    if unknown := [name for name in sys.argv[1:] if name not in steps]:
        raise SystemExit(f"there is no part {unknown[0]!r}; there are: {', '.join(steps)}")
    rows: list[Row] = []
    for name in sys.argv[1:] or steps:
        with console.status(f"measuring {name}"):
            rows += steps[name]()
    if sys.argv[1:]:
        rows = renewed(rows)
        write_json("speed.json", {"machine": machine(), "rows": [row.as_dict() for row in rows]})
        speed_table.write_tables(rows)
        return
    with console.status("measuring games and leaves"):
        games = [measure(*place) for place in POSITIONS]
        table_of_leaves = leaves.table()
        leaves.plot()
    write_json("speed.json", {"machine": machine(), "rows": [row.as_dict() for row in rows]})
    write_json("games.json", {"machine": machine(), "rows": games, "signature": sum(game["nodes"] for game in games)})
    write_json("leaves.json", table_of_leaves)
    write_json("branching.json", {"machine": machine(), "rows": engine.branching()})
    write_json("star_pruning.json", {"machine": machine(), "rows": chance.pruning_table()})
    speed_table.write_tables(rows)
    table = Table("task", "Plywright", "compared with", "ratio", "target", box=None, header_style="bold")
    for row in rows:
        ratio = "-" if row.ratio is None else f"{row.ratio:,.2f}"
        met = {True: "[green]met[/green]", False: "[red]not met[/red]", None: ""}[row.met]
        table.add_row(row.name, row.ours, row.theirs, ratio, f"{row.target} {met}")
    console.print(table)
    written = f"{RESULTS.relative_to(ROOT)}/*.json, docs/speed.md, README.md, {leaves.PLOT.relative_to(ROOT)}"
    console.print(f"wrote {written}")


if __name__ == "__main__":
    main()
